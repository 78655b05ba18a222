"""Knows poker, never wires: observations become findings, rulings and prompts."""
