"""The room's web pages."""
