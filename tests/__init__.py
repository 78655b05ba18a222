"""Tests. This file keeps the name from packages that install one of their own."""
