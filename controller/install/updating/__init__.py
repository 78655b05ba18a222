"""A newer version onto a machine, and back."""
