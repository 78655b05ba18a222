"""MicroPython's time with the Pico's tick counter: 30 bits wide, near its end at boot."""

import os

import pace
import utime
from micropython import const
from utime import *

_PERIOD = 1 << 30
_FIRST = int(os.getenv("CUTCARD_SIM_TICKS") or 0)
_OFFSET = _FIRST - utime.ticks_us()
_BETWEEN_LOOKS_US = const(100)  # a Pico is slow, and here the processor is not its own


def ticks_us():
    """Return microseconds modulo 2^30."""
    if pace.is_simulated:
        return _FIRST + pace.spend(pace.LOOK_US) & _PERIOD - 1
    utime.sleep_us(_BETWEEN_LOOKS_US)
    return utime.ticks_us() + _OFFSET & _PERIOD - 1


def ticks_diff(a, b):
    """Return a - b on the circle."""
    return (a - b + _PERIOD // 2) % _PERIOD - _PERIOD // 2
