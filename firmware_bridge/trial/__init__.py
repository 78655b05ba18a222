"""A simulated antenna field to try presence on: cards in motion, and readers as they are.

How long a Pico takes for its antennas is tried in `cycles`.
"""
