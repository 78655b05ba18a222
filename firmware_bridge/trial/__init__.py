"""A simulated antenna field to try presence on: cards in motion, and readers as they are."""
