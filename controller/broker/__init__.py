"""The broker: our client of it, and one of our own where there is none."""
