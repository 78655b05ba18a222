"""The hand engine: observations in, events out; no I/O, clock, randomness or logging."""
