"""Knows wires, never poker: bytes from antennas and buttons become `sensed` values."""
