"""A Pico made of software: its firmware runs for real, its chips and tags are modelled.

The firmware's own source runs under MicroPython's unix port. Its `machine` module is one
that hands every access to a pin, a bus or the watchdog over a socket to `board`, where
models of the chips answer, written from their data sheets and from captures.
"""
