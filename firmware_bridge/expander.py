"""Push buttons on MCP23017 I²C expanders: the only place that knows smbus2.

Source: MCP23017 data sheet DS20001952 (rev. D), sections 3.2 (addressing) and 3.5 (registers). A
button lies between its pin and ground; the chip's pull-ups hold the pins up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from firmware_bridge.panel import BoardError

ADDRESSES = range(0x20, 0x28)
PINS = tuple(f"{port}{number}" for port in "AB" for number in range(8))
"""A0 … A7, B0 … B7: the index is the pin's number."""
OUTPUTS_ONLY = ("A7", "B7")
"""Since revision D of the data sheet these two can't be inputs."""

_IODIRA, _IPOLA, _IOCON, _GPPUA = 0x00, 0x02, 0x0A, 0x0C
_IOCON_IN_BANK_1 = 0x05
_INPUTS = 0x7F
"""Bits of the pins that may be inputs, on either port."""
_FROM_PULL_UPS_TO_LEVELS = 8
"""GPPUA, GPPUB, INTF, INTCAP (two each), GPIOA, GPIOB: one reading takes them all."""


class Bus(Protocol):
    """An I²C bus, as smbus2 has it. All may raise OSError."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read so many registers, from this one on."""

    def close(self) -> None:
        """Give the bus back."""


def open_bus(number: int) -> Bus:
    """Open /dev/i2c-`number`. Raises BoardError, OSError."""
    try:
        from smbus2 import SMBus  # noqa: PLC0415 - an extra
    except ImportError:
        raise BoardError("smbus2 is not installed: install the extra 'gpio'") from None
    bus: Bus = SMBus(number)
    return bus


class Mcp23017:
    """One expander, by its address on a bus.

    An expander whose supply failed for a moment comes back without its pull-ups, and floating
    pins would press buttons; so every reading checks them.
    """

    sample_every_s = 0.01

    def __init__(
        self, bus: int = 1, address: int = 0x20, open_bus: Callable[[int], Bus] = open_bus
    ) -> None:
        self.name = f"the expander 0x{address:02X} on I²C bus {bus}"
        self._number = bus
        self._address = address
        self._open_bus = open_bus
        self._bus: Bus | None = None

    def open(self, pins: Collection[int], changed: Callable[[int, bool], None]) -> None:  # noqa: ARG002
        """See Board; changes are seen by reading only."""
        try:
            self._bus = bus = self._open_bus(self._number)
            # First out of bank 1, where another program may have left it (3.5.6).
            bus.write_byte_data(self._address, _IOCON_IN_BANK_1, 0)
            bus.write_byte_data(self._address, _IOCON, 0)
            for port in (0, 1):
                bus.write_byte_data(self._address, _IODIRA + port, _INPUTS)
                bus.write_byte_data(self._address, _IPOLA + port, 0)
                bus.write_byte_data(self._address, _GPPUA + port, _INPUTS)
        except OSError as error:
            raise self._error(error) from error

    def read(self) -> dict[int, bool]:
        """See Board."""
        if self._bus is None:
            raise BoardError(f"{self.name} is not open")
        try:
            block = self._bus.read_i2c_block_data(self._address, _GPPUA, _FROM_PULL_UPS_TO_LEVELS)
        except OSError as error:
            raise self._error(error) from error
        if block[:2] != [_INPUTS, _INPUTS]:
            raise BoardError(f"{self.name} has lost its settings: is its supply loose?")
        levels = block[6] | block[7] << 8
        return {pin: not levels >> pin & 1 for pin in range(len(PINS))}

    def close(self) -> None:
        """See Board."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _error(self, error: OSError) -> BoardError:
        if isinstance(error, FileNotFoundError):
            return BoardError(f"/dev/i2c-{self._number} is not there: is I²C enabled?")
        if isinstance(error, PermissionError):
            return BoardError(
                f"/dev/i2c-{self._number} may not be opened: is this user in the group i2c?"
            )
        return BoardError(f"{self.name} does not answer: is it plugged in?")
