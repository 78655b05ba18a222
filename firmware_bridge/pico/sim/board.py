"""The board around the chip: pins, buses, buttons, lamps and watchdog, one request each.

The other end is sim/micropython/machine.py.
"""

from __future__ import annotations

import errno
import struct
import threading
import time
from collections.abc import Callable
from functools import partial
from math import inf
from random import Random
from typing import Any

from msgspec import ValidationError

from firmware_bridge.pico.sim.air import Air
from firmware_bridge.pico.sim.pace import SET_CLOCK, SteppedClock
from firmware_bridge.pico.sim.pn532 import Pn532Chip
from firmware_bridge.pico.sim.pn532_lines import HsuChip, I2cChip, SpiChip
from firmware_bridge.pico.sim.pn5180 import Pn5180Chip
from firmware_bridge.pico.sim.wiring import Wiring

POWER, WATCHDOG = 1, 3
PULL_UP, PULL_DOWN = 1, 2
REPL_PIN = 0
SETTLED_S = 0.02
"""A contact that stays for so long is more than a bounce (the firmware's STABLE_US)."""
_GPIO_IN = 0xD0000004
_ALL_GPIO = (1 << 30) - 1


class BoardError(RuntimeError):
    """The firmware did something that hardware would not forgive."""


class _Finger:
    """What a button's contact does. A state that is more than a bounce lasts until the firmware has
    seen that it is, however seldom it looks: the host may not let it run for longer than a press.
    """

    def __init__(self) -> None:
        self.moves: list[tuple[float, bool]] = []
        self._looks: list[float] = []  # at the state: the first, the last but one, the last

    def closed(self, now: float) -> bool:
        """Whether the contact is closed for who looks at `now`."""
        moves = self.moves
        while len(moves) > 1 and moves[1][0] <= now and self._is_over():
            moves.pop(0)
            self._looks.clear()
        if not moves or moves[0][0] > now:
            return False
        self._looks = [*self._looks[:1], *self._looks[-1:], now]
        return moves[0][1]

    def _is_over(self) -> bool:
        # The firmware reads its clock before it looks: its last look may count as the one before.
        looks = self._looks
        (began, _), (ended, _), *_ = self.moves
        return ended - began < SETTLED_S or (len(looks) > 1 and looks[-2] - looks[0] >= SETTLED_S)


class Board:
    """What stays when the firmware boots anew: chips, tags, fingers on buttons."""

    def __init__(
        self,
        wiring: Wiring,
        random: Random,
        watchdog_scale: float = 1.0,
        serial: int = 0,
        beside: Board | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`serial` below 256 tells one board's id from another's. See SimulatedPico."""
        self.wiring = wiring
        self._clock = clock
        self._id = b"SIM" + bytes([serial]) + b"PICO"
        self._beyond: dict[int, Callable[[], int]] = {}
        if beside is None:
            self.air, self._first_zone = Air(len(wiring.zones), wiring.neighbours), 0
        else:
            self.air, self._first_zone = beside.air, len(beside.air.energised)
            self._meet(beside)
        self.pixels: tuple[tuple[int, int, int], ...] = ()
        self.reset_cause = POWER
        self.jumper = False
        self.watchdog_due = inf
        self._watchdog_s = inf
        self._watchdog_scale = watchdog_scale
        self._levels: dict[int, int] = {}
        self._inputs: set[int] = set()
        self._borders = {border.theirs for border in wiring.borders}
        self._fingers: dict[int, _Finger] = {}
        self._lock = threading.Lock()
        self._by_nss: dict[int, Pn5180Chip | SpiChip] = {}
        self._by_busy: dict[int, Pn5180Chip] = {}
        self._by_irq: dict[int, Pn5180Chip] = {}
        self._by_uart: dict[int, HsuChip] = {}
        self._by_i2c: dict[int, I2cChip] = {}
        self._i2c_timeout_s = 0.0
        self._resets: dict[int, Callable[[int], None]] = {}
        self.chips = [self._chip(number, random) for number in range(len(wiring.readers))]

    def _chip(self, number: int, random: Random) -> Pn5180Chip | Pn532Chip:
        wired = self.wiring.readers[number]
        zones = {
            antenna: zone
            for zone, (r, antenna) in enumerate(self.wiring.zones, self._first_zone)
            if r == number
        }
        if wired["chip"] == "PN532":
            return self._pn532(wired, zones[0])

        def zone() -> int:
            pins = wired.get("select", ())
            return zones[sum(self._levels.get(pin, 0) << bit for bit, pin in enumerate(pins))]

        chip = Pn5180Chip(self.air, zone, self._clock, random)
        self._by_nss[wired["nss"]] = self._by_busy[wired["busy"]] = chip
        if "irq" in wired:
            self._by_irq[wired["irq"]] = chip
        self._resets[wired["reset"]] = chip.reset
        return chip

    def _pn532(self, wired: dict[str, Any], zone: int) -> Pn532Chip:
        chip: HsuChip | SpiChip | I2cChip
        if wired.get("bus") == "spi":
            chip = self._by_nss[wired["nss"]] = SpiChip(self.air, zone, self._clock)
        elif wired.get("bus") == "i2c":
            chip = self._by_i2c[wired["i2c"]] = I2cChip(self.air, zone, self._clock)
        else:
            chip = self._by_uart[wired["uart"]] = HsuChip(self.air, zone, self._clock)
        self._resets[wired["reset"]] = chip.reset
        return chip

    def _meet(self, other: Board) -> None:
        """Lay this board's zones beside another's, and cross the wires of their borders.

        Raises msgspec.ValidationError if the two wirings do not fit each other.
        """
        first = self._first_zone
        pairs = [(first + a, first + b) for a, b in self.wiring.neighbours]
        if len(self.wiring.borders) != len(other.wiring.borders):
            raise ValidationError("two wirings that meet need the same number of BORDERS")
        for mine, its in zip(self.wiring.borders, other.wiring.borders, strict=True):
            pairs += [(first + a, other._first_zone + b) for a in mine.zones for b in its.zones]
            self._beyond[mine.theirs] = partial(other.level, its.ours)
            other._beyond[its.theirs] = partial(self.level, mine.ours)
        self.air.widen(len(self.wiring.zones), pairs)

    def level(self, pin: int) -> int:
        """Return the level at a pin as a wire carries it to another board's pull-down."""
        return self._levels.get(pin, 0)

    def cut(self) -> None:
        """Cut the wires that bring another board's flags."""
        self._beyond.clear()

    def touch(self, button: int, *moves: tuple[float, bool]) -> None:
        """A finger: after so many seconds the contact is closed (True) or open, one by one; later
        where the firmware has not looked for long enough to settle what came before."""
        now = time.monotonic()
        with self._lock:
            finger = self._fingers.setdefault(self.wiring.buttons[button], _Finger())
            finger.moves += [(now + after, closed) for after, closed in moves]

    def let_go(self) -> None:
        """The processor is reset, or off: its pins fall, and nothing watches."""
        self.watchdog_due = self._watchdog_s = inf
        for reset in self._resets.values():
            reset(0)
        self._levels.clear()
        self._inputs.clear()

    def request(self, operation: int, data: bytes) -> bytes:
        """Carry out one request and return its answer, empty if it has none."""
        match operation:
            case 1:
                self._pin_mode(*data)
            case 2:
                return bytes((self._pin_level(data[0]),))
            case 3:
                self._set_pin(*data)
            case 4:
                self._check_spi(data)
            case 5:
                for chip in self._selected():
                    chip.write(data[1:])
            case 6:
                _, _, size = struct.unpack("<BBH", data)
                selected = self._selected()
                return selected[0].read(size) if selected else b"\xff" * size
            case 7:
                number, baud = struct.unpack_from("<BI", data)
                if number not in self._by_uart or baud != 115200:
                    raise BoardError(f"nothing listens on UART {number} at {baud} baud")
            case 8:
                self._by_uart[data[0]].write(data[1:])
            case 9:
                read = self._by_uart[data[0]].read()
                return struct.pack("<H", len(read)) + read
            case 10:
                (ms,) = struct.unpack("<I", data)
                self._watchdog_s = ms / 1000 * self._watchdog_scale
                self.watchdog_due = time.monotonic() + self._watchdog_s
            case 11:
                self.watchdog_due = time.monotonic() + self._watchdog_s
            case 12:
                return self._memory(*struct.unpack("<I", data))
            case 13:
                return self._id
            case 14:
                return bytes((self.reset_cause,))
            case 15:
                self._light(data)
            case _ if operation == SET_CLOCK and isinstance(self._clock, SteppedClock):
                self._clock.set_us(data)
            case 20:
                self._check_i2c(*struct.unpack("<BIBBI", data))
            case 21:
                return self._i2c(
                    data[0], lambda chip: b"" if chip.write(data[1], data[2:]) else None
                )
            case 22:
                number, address, size = struct.unpack("<BBH", data)
                return self._i2c(number, lambda chip: chip.read(address, size), size)
            case _:
                raise BoardError(f"no such request: {operation}")
        return b""

    def _pin_mode(self, pin: int, is_output: int, pull: int) -> None:
        if is_output:
            self._levels.setdefault(pin, 0)
            return
        if pin in self.wiring.buttons and pull != PULL_UP:
            raise BoardError(f"GPIO {pin} is a button and floats")
        if pin in self._borders and pull != PULL_DOWN:
            raise BoardError(f"GPIO {pin} is another board's flag and floats")
        self._inputs.add(pin)

    def _pin_level(self, pin: int) -> int:
        if pin == REPL_PIN and pin in self._inputs:
            return int(not self.jumper)
        if pin in self._borders and pin in self._inputs:
            return self._beyond[pin]() if pin in self._beyond else 0
        if pin in self._by_irq:
            return self._by_irq[pin].irq()
        if pin not in self._by_busy:
            raise BoardError(f"GPIO {pin} is read, and nothing drives it")
        return self._by_busy[pin].busy()

    def _set_pin(self, pin: int, level: int) -> None:
        if pin not in self._levels:
            raise BoardError(f"GPIO {pin} is set and is no output")
        self._levels[pin] = level
        if pin in self._resets:
            self._resets[pin](level)
        elif pin in self._by_nss:
            self._by_nss[pin].nss(level)

    def _check_spi(self, data: bytes) -> None:
        number, baud, polarity, phase, *pins = struct.unpack("<BIBBBBB", data)
        if (number, *pins) != self.wiring.spi or polarity or phase or baud != self.wiring.spi_hz:
            raise BoardError(f"the wiring says SPI mode 0 and {self.wiring.spi_hz} bit/s")
        if baud > 5_000_000 and any(isinstance(chip, SpiChip) for chip in self.chips):
            raise BoardError("a PN532 takes 5 Mbit/s at most")

    def _check_i2c(self, number: int, freq: int, sda: int, scl: int, timeout_us: int) -> None:
        wired = [each for each in self.wiring.readers if each.get("i2c") == number]
        if not wired or (wired[0]["sda"], wired[0]["scl"]) != (sda, scl):
            raise BoardError(f"nothing hangs on I2C {number} at GPIO {sda} and {scl}")
        if freq > 400_000:
            raise BoardError("a PN532 takes 400 kbit/s at most")
        self._i2c_timeout_s = timeout_us / 1e6

    def _i2c(
        self, number: int, exchange: Callable[[I2cChip], bytes | None], size: int = 0
    ) -> bytes:
        """Return how it ended, as errno has it, and what came."""
        chip = self._by_i2c[number]
        stretch_s = chip.stretch_s()
        time.sleep(min(stretch_s, self._i2c_timeout_s))
        came = exchange(chip) if stretch_s <= self._i2c_timeout_s else None
        if came is None:
            failed = errno.EIO if stretch_s <= self._i2c_timeout_s else errno.ETIMEDOUT
            return bytes((failed,)) + bytes(size)
        return b"\0" + came

    def _selected(self) -> list[Pn5180Chip | SpiChip]:
        selected = [chip for chip in self._by_nss.values() if chip.selected]
        if len(selected) > 1:
            raise BoardError("two chips are selected at once")
        return selected

    def _memory(self, address: int) -> bytes:
        if address != _GPIO_IN:
            raise BoardError(f"address {address:#x} is read")
        levels = _ALL_GPIO
        now = time.monotonic()
        with self._lock:
            for pin, finger in self._fingers.items():
                if pin in self._inputs and finger.closed(now):
                    levels &= ~(1 << pin)
        return levels.to_bytes(4, "little")

    def _light(self, data: bytes) -> None:
        """Decode what a chain of WS2812 gets: green, red, blue, most significant bit first."""
        if data[0] != self.wiring.lamps[0]:
            raise BoardError(f"no lamps hang at GPIO {data[0]}")
        words = struct.unpack(f"<{len(data) // 4 - 1}I", data[5:])
        colours = [word.to_bytes(4, "big") for word in words]
        self.pixels = tuple((red, green, blue) for green, red, blue, _ in colours)
