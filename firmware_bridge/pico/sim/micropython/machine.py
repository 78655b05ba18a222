"""MicroPython's machine, at the other end of a socket: see firmware_bridge/pico/sim/board.py.

Each call is one request: operation, length, argument bytes. Those that return something
wait for an answer of a length known beforehand, or led by a two-byte length.
"""

import os
import struct

import pace

PWRON_RESET = 1
WDT_RESET = 3

_line = open(int(os.getenv("CUTCARD_SIM_BOARD")), "r+b")


def call(operation, data=b"", answer=0):
    """Make a request; `answer` is the length of what comes back, -1 if that leads it."""
    if pace.is_simulated:
        _line.write(struct.pack("<BHQ", 16, 8, pace.spend(pace.CALL_US)))
    _line.write(struct.pack("<BH", operation, len(data)) + data)
    if answer < 0:
        answer = struct.unpack("<H", _line.read(2))[0]
    return _line.read(answer) if answer else b""


class Pin:
    """A GPIO; called with a level it sets it, without one it returns it."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, number, mode=None, pull=None, value=None):
        self.number = number
        if mode is not None:
            call(1, bytes((number, mode, pull or 0)))
        if value is not None:
            self(value)

    def __call__(self, level=None):  # noqa: D102 - see the class
        if level is None:
            return call(2, bytes((self.number,)), 1)[0]
        call(3, bytes((self.number, bool(level))))
        return None


class SPI:
    """An SPI bus."""

    def __init__(self, number, baudrate, polarity, phase, sck, mosi, miso):
        settings = struct.pack("<BIBB", number, baudrate, polarity, phase)
        call(4, settings + bytes((sck.number, mosi.number, miso.number)))
        self._number = number
        self._byte_ns = 8000000000 // baudrate

    def _spend(self, data):
        if pace.is_simulated:
            pace.spend((len(data) * self._byte_ns + 999) // 1000)

    def write(self, data):
        """Send bytes, drop what comes back."""
        self._spend(data)
        call(5, bytes((self._number,)) + data)

    def readinto(self, data, write=0):
        """Fill `data` while sending the byte `write`."""
        self._spend(data)
        data[:] = call(6, struct.pack("<BBH", self._number, write, len(data)), len(data))


class UART:
    """A UART."""

    def __init__(self, number, baudrate, tx, rx, rxbuf, timeout):
        call(7, struct.pack("<BIBBHB", number, baudrate, tx.number, rx.number, rxbuf, timeout))
        self._number = number

    def write(self, data):
        """Send bytes."""
        call(8, bytes((self._number,)) + data)
        return len(data)

    def read(self):
        """Return what has come, None if nothing has."""
        return call(9, bytes((self._number,)), -1) or None


class I2C:
    """An I2C bus, with the pins that the chip lets it have (RP2040 data sheet, 1.4.3)."""

    def __init__(self, number, freq, scl, sda, timeout):
        if scl.number & 3 != 2 * number + 1:
            raise ValueError("bad SCL pin")
        if sda.number & 3 != 2 * number:
            raise ValueError("bad SDA pin")
        call(20, struct.pack("<BIBBI", number, freq, sda.number, scl.number, timeout))
        self._number = number

    def writeto(self, address, data):
        """Send bytes; raise OSError unless they are acknowledged."""
        self._exchange(call(21, bytes((self._number, address)) + data, 1))

    def readfrom_into(self, address, data):
        """Fill `data`; raise OSError if nobody answers."""
        answer = call(22, struct.pack("<BBH", self._number, address, len(data)), 1 + len(data))
        self._exchange(answer)
        data[:] = answer[1:]

    def _exchange(self, answer):
        if answer[0]:
            raise OSError(answer[0])


class WDT:
    """The watchdog."""

    def __init__(self, timeout):
        call(10, struct.pack("<I", timeout))

    def feed(self):
        """Put it off."""
        call(11)


class _Memory:
    def __getitem__(self, address):
        return struct.unpack("<I", call(12, struct.pack("<I", address), 4))[0]


mem32 = _Memory()


def unique_id():
    """Return the board's id."""
    return call(13, b"", 8)


def reset_cause():
    """Return why it booted."""
    return call(14, b"", 1)[0]
