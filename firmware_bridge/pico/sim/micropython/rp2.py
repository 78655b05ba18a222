"""MicroPython's rp2: a state machine hands the words put into it to the simulated board."""

import struct

from machine import call


class PIO:
    """Constants of the PIO."""

    OUT_LOW = 0
    SHIFT_LEFT = 0


def asm_pio(**_settings):
    """Take a program for what it is: nothing here runs it."""
    return lambda program: program


class StateMachine:
    """The one that shifts out to WS2812."""

    def __init__(self, _number, _program, freq, sideset_base):
        self._head = struct.pack("<BI", sideset_base.number, freq)

    def active(self, _on):
        """Start."""

    def put(self, words, shift):
        """Send words, shifted left by `shift`."""
        words = [word << shift & 0xFFFFFFFF for word in words]
        call(15, self._head + struct.pack("<%dI" % len(words), *words))
