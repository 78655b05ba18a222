"""Captures: all that crossed a table's wires, so that it can be played again."""
