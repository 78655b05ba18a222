"""The board: everything that needs MicroPython's `machine` and `rp2`, and nothing else.

Tests put other modules of these names in its way; the rest of the firmware gets what it
needs from a Board.
"""

import os
import select
import sys
import time
from array import array

import machine
import micropython
import rp2
import wiring_check

ticks_us = time.ticks_us
ticks_diff = time.ticks_diff

_GPIO_IN = 0xD0000004  # SIO, the same on RP2040 and RP2350
_REPL_PIN = 0
_RESETS = {machine.PWRON_RESET: 1, machine.WDT_RESET: 3}


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
)
def _ws2812():
    # 10 cycles of 0.125 us a bit: high for 3 if it is 0, for 7 if it is 1.
    label("bit")  # noqa: F821 - the PIO assembler's words
    out(x, 1).side(0)[2]  # noqa: F821
    jmp(not_x, "zero").side(1)[2]  # noqa: F821
    jmp("bit").side(1)[3]  # noqa: F821
    label("zero")  # noqa: F821
    nop().side(0)[3]  # noqa: F821


class Console:
    """USB serial, or whatever stdin and stdout are: bytes as they are, and never waiting."""

    def __init__(self):
        micropython.kbd_intr(-1)  # a byte 03 is a byte, not Ctrl-C
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(self._in, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._out, select.POLLOUT)

    def read(self, limit=256):
        """Return what has come, up to `limit` bytes. (More than one at a time would block.)"""
        data = bytearray()
        while len(data) < limit and self._readable.poll(0):
            byte = self._in.read(1)
            if not byte:
                break
            data += byte
        return bytes(data)

    def write(self, data):
        """Return how many bytes were taken."""
        if not self._writable.poll(0):
            return 0
        return self._out.write(data) or 0


class Pixels:
    """A chain of WS2812 behind a PIO state machine, which needs no time of the processor."""

    def __init__(self, pin, count):
        self._machine = rp2.StateMachine(0, _ws2812, freq=8000000, sideset_base=pin)
        self._machine.active(1)
        self._words = array("I", [0] * count)

    def show(self, colours):
        """Light the chain: (red, green, blue) each."""
        for number, (red, green, blue) in enumerate(colours):
            self._words[number] = green << 16 | red << 8 | blue
        self._machine.put(self._words, 8)


class Board:
    """Hands out pins, each once. Raises ValueError if one is wired twice or not there."""

    PULL_UP = machine.Pin.PULL_UP
    PULL_DOWN = machine.Pin.PULL_DOWN

    def __init__(self):
        self._taken = {}

    def claim(self, pin, use):
        """Note what a GPIO is used for."""
        if pin in self._taken:
            raise ValueError("GPIO %d is wired twice: %s, %s" % (pin, self._taken[pin], use))
        if not wiring_check.is_free(pin):
            raise ValueError("%s: a Pico has no free GPIO %d" % (use, pin))
        self._taken[pin] = use

    def output(self, pin, level, use):
        """Return the GPIO as an output: call it with 0 or 1."""
        self.claim(pin, use)
        return machine.Pin(pin, machine.Pin.OUT, value=level)

    def input(self, pin, use, pull=None):
        """Return the GPIO as an input: call it for its level. `pull` is PULL_UP, PULL_DOWN."""
        self.claim(pin, use)
        return machine.Pin(pin, machine.Pin.IN, pull)

    def spi(self, number, sck, mosi, miso, hz):
        """Return an SPI bus in mode 0."""
        for pin, use in ((sck, "SCK"), (mosi, "MOSI"), (miso, "MISO")):
            self.claim(pin, use)
        return machine.SPI(
            number,
            baudrate=hz,
            polarity=0,
            phase=0,
            sck=machine.Pin(sck),
            mosi=machine.Pin(mosi),
            miso=machine.Pin(miso),
        )

    def uart(self, number, tx, rx):
        """Return a UART, 115200 8N1."""
        self.claim(tx, "TX")
        self.claim(rx, "RX")
        return machine.UART(
            number, baudrate=115200, tx=machine.Pin(tx), rx=machine.Pin(rx), rxbuf=512, timeout=0
        )

    def i2c(self, number, sda, scl):
        """Return an I2C bus, 100 kbit/s, that bears a clock held for some milliseconds."""
        self.claim(sda, "SDA")
        self.claim(scl, "SCL")
        return machine.I2C(
            number, freq=100000, scl=machine.Pin(scl), sda=machine.Pin(sda), timeout=10000
        )

    def pixels(self, pin, count):
        """Return a chain of WS2812."""
        self.claim(pin, "lamps")
        return Pixels(machine.Pin(pin, machine.Pin.OUT), count)

    def levels(self):
        """Return the levels of all GPIO, bit n for GPIO n."""
        return machine.mem32[_GPIO_IN]

    def watchdog(self, ms):
        """Start the watchdog, which nothing stops any more; call `feed` in time."""
        return machine.WDT(timeout=ms)

    def unique_id(self):
        """Return the 8 bytes of the board's id."""
        return (machine.unique_id() + bytes(8))[:8]

    def reset_cause(self):
        """Return why it booted, as HELLO says it."""
        return _RESETS.get(machine.reset_cause(), 0)

    def random32(self):
        """Return 32 random bits."""
        return int.from_bytes(os.urandom(4), "little")

    def wants_repl(self):
        """Whether GPIO 0 is wired to ground: then the firmware stays out of the way."""
        jumper = self.input(_REPL_PIN, "jumper for the REPL", self.PULL_UP)
        time.sleep_ms(1)
        return not jumper()
