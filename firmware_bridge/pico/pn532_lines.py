"""The three ways to a PN532 (user manual UM0701-02, 6.2.2 to 6.2.5): UART, SPI, I2C.

Each has `wake(pause)`, a generator; `write(data)`, which returns whether the chip took it; and
`read()`, which never waits: bytes of frames, or none. `rest_us` is how often to ask, at most.
"""

from micropython import const
from pn532_frames import AGAIN, missing

_WAKE_US = const(3000)  # its oscillator takes up to 2 ms (T_osc_start; its page was not seen)
_ADDRESS = const(0x24)  # 0x48 and 0x49 with the direction's bit (6.2.4)
_STATUS_ACK = const(7)
_STATUS_ANSWER = const(36)  # two tags with seven bytes each, without ATS

_DATA_WRITE = const(0x80)  # 01, 02 and 03 (6.2.5), last bit first
_STATUS_READ = const(0x40)
_DATA_READ = const(0xC0)


def line(board, bus, name, wired):
    """Return the line that an entry of READERS describes; `bus` is the board's SPI."""
    kind = wired.get("bus", "uart")
    if kind == "spi":
        return Spi(bus, board.output(wired["nss"], 1, name + " nss"))
    if kind == "i2c":
        return I2c(board.i2c(wired["i2c"], wired["sda"], wired["scl"]))
    return Uart(board.uart(wired["uart"], wired["tx"], wired["rx"]))


class Uart:
    """HSU, 115200 8N1: `uart` has read and write."""

    rest_us = 0

    def __init__(self, uart):
        self._uart = uart

    def wake(self, pause):
        """Rising edges wake it; the first command waits until its clock runs (7.2.11)."""
        self._uart.write(b"\x55\x55\x00\x00\x00\x00\x00\x00\x00\x00")
        yield from pause(_WAKE_US)

    def write(self, data):
        """Send a frame, and forget what came before."""
        self._uart.read()
        self._uart.write(data)
        return True

    def read(self):
        """Return what has come."""
        return self._uart.read() or b""


def _turned(byte):
    byte = (byte & 0x55) << 1 | byte >> 1 & 0x55
    byte = (byte & 0x33) << 2 | byte >> 2 & 0x33
    return (byte & 0x0F) << 4 | byte >> 4


_TURNED = bytes([_turned(byte) for byte in range(256)])


def _turn(data):
    """Turn each byte's bits round: the chip has the last bit first (6.2.5), the Pico the first."""
    for at in range(len(data)):
        data[at] = _TURNED[data[at]]
    return data


class Spi:
    """SPI in mode 0, at 5 Mbit/s at most: `bus` has write and readinto, `nss` is a pin."""

    rest_us = 1000

    def __init__(self, bus, nss):
        self._bus = bus
        self._nss = nss
        self._command = bytearray(1)
        self._one = bytearray(1)

    def wake(self, pause):
        """NSS held low wakes it (6.3.4.3)."""
        self._nss(0)
        yield from pause(_WAKE_US)
        self._nss(1)

    def write(self, data):
        """Send a frame."""
        self._begin(_DATA_WRITE)
        self._bus.write(_turn(bytearray(data)))
        self._nss(1)
        return True

    def read(self):
        """Return a frame, in one go: what is left in the chip when NSS rises is gone."""
        self._begin(_STATUS_READ)
        self._bus.readinto(self._one)
        self._nss(1)
        # Bit 0, here the first: RDY. A chip without power leaves all bits up.
        if not self._one[0] & 0x80 or self._one[0] == 0xFF:
            return b""
        self._begin(_DATA_READ)
        data = self._take(6)
        short = missing(data)
        if short > 0:
            data += self._take(short)
        self._nss(1)
        return data

    def _begin(self, command):
        self._nss(0)
        self._command[0] = command
        self._bus.write(self._command)

    def _take(self, count):
        data = bytearray(count)
        self._bus.readinto(data)
        return bytes(_turn(data))


class I2c:
    """I2C: `bus` has writeto and readfrom_into, which raise OSError if nobody answers.

    The chip may leave its address unanswered for a moment after an exchange (6.2.4): that is
    no fault, it is asked again. It holds the clock for up to 1 ms (data sheet, table 12.25),
    which the bus has to bear.
    """

    rest_us = 1000

    def __init__(self, bus):
        self._bus = bus
        self._status = bytearray(1)
        self._ready = False
        self._again = False
        self._most = 0

    def wake(self, pause):
        """Its address wakes it; it holds the clock until it can hear."""
        yield from pause(0)

    def write(self, data):
        """Send a frame."""
        self._ready = self._again = False
        self._most = _STATUS_ACK
        return self._write(data)

    def read(self):
        """Return a frame: each begins with a status byte, and a read takes all of it or loses it.

        One that is longer than usual is asked for again (6.2.1.4).
        """
        if self._again and not self._write(AGAIN):
            return b""
        self._again = False
        data = self._status if not self._ready else bytearray(self._most)
        try:
            self._bus.readfrom_into(_ADDRESS, data)
        except OSError:
            return b""
        if not self._ready or not data[0] & 1:
            self._ready = bool(data[0] & 1)
            return b""
        self._ready = False
        frame = bytes(data[1:])
        short = missing(frame)
        if short > 0:
            self._again = True
            self._most += short
            return b""
        self._most = _STATUS_ANSWER
        return frame[: len(frame) + short]

    def _write(self, data):
        try:
            self._bus.writeto(_ADDRESS, data)
        except OSError:
            return False
        return True
