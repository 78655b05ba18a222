"""Pairing a table with its room: what both sides know of it. Pure."""
