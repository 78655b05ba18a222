"""Lessons for a new dealer: a table log that stops where the dealer has something to enter."""
