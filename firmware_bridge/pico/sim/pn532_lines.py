"""A PN532 seen from its UART, its SPI or its I2C (UM0701-02, 6.2.3 to 6.2.5)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from firmware_bridge.pico.sim.air import Air
from firmware_bridge.pico.sim.pn532 import OSCILLATOR_S, Pn532Chip

ADDRESS = 0x24
STRETCH_S = 0.0005
"""How long it holds the clock within an exchange; the data sheet allows 1 ms (table 12.25)."""
DEAF_S = 0.0013
"""How long it does not acknowledge its address after an exchange: between STOP and START
(libnfc, pull request 367; 6.2.4 of the manual says that it may, and not for how long)."""
_DATA_WRITE, _STATUS_READ, _DATA_READ = 1, 2, 3
_TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class HsuChip(Pn532Chip):
    """Behind its high speed UART; 0x55 wakes it."""

    def write(self, data: bytes) -> None:
        """Bytes from the host."""
        if self.is_asleep:
            if 0x55 in data:
                self.wake()
        else:
            self.hear(data)

    def read(self) -> bytes:
        """Bytes to the host."""
        data = b""
        while self.is_ready:
            data += self.take()
        return data


class SpiChip(Pn532Chip):
    """On SPI, whose bytes it takes and gives last bit first; NSS held low wakes it."""

    def __init__(self, air: Air, zone: int, clock: Callable[[], float], **timing: float) -> None:
        super().__init__(air, zone, clock, **timing)
        self.selected = False
        self._operation = 0
        self._shifting: bytes | None = None

    def nss(self, level: int) -> None:
        """NSS: high ends an operation, and what was not read of a frame is lost."""
        self.selected = not level
        self._operation = 0
        self._shifting = None
        if self.selected:
            self.wake()

    def write(self, data: bytes) -> None:
        """Bytes from the host, as a bus that begins with the first bit has them."""
        turned = data.translate(_TURNED)
        if not self._operation:
            self._operation, turned = turned[0], turned[1:]
        if self._operation == _DATA_WRITE:
            self.hear(turned)

    def read(self, count: int) -> bytes:
        """Bytes to the host; without power, or before it has started, MISO stays up."""
        if not self.is_there:
            return b"\xff" * count
        if self._operation == _STATUS_READ:
            return (b"\x01" if self.is_ready else b"\0").translate(_TURNED) * count
        if self._operation != _DATA_READ:
            return bytes(count)
        if self._shifting is None:
            self._shifting = self.take() if self.is_ready else b""
        data, self._shifting = self._shifting[:count], self._shifting[count:]
        return data.translate(_TURNED).ljust(count, b"\0")


class I2cChip(Pn532Chip):
    """On I2C; its address wakes it, and it holds the clock until it can hear.

    One that hangs holds it for ever (seen after odd exchanges: hydrafw, issue 141).
    """

    def __init__(self, air: Air, zone: int, clock: Callable[[], float], **timing: float) -> None:
        super().__init__(air, zone, clock, **timing)
        self._deaf_until = 0.0

    def stretch_s(self) -> float:
        """How long it holds the clock in the exchange that comes."""
        if self.is_there and self.hangs:
            return inf
        if not self.is_there or self.is_mute:
            return 0.0
        return OSCILLATOR_S if self.is_asleep else STRETCH_S

    def write(self, address: int, data: bytes) -> bool:
        """Bytes from the host; return whether they are acknowledged."""
        if not self._is_addressed(address):
            return False
        self.hear(data)
        return True

    def read(self, address: int, count: int) -> bytes | None:
        """The status byte, and if it says so a frame; None if nobody acknowledges the address.

        Reading the status alone takes nothing. Behind a frame comes what is left in the buffer.
        """
        if not self._is_addressed(address):
            return None
        if not self.is_ready:
            return bytes(count)
        data = b"\x01" + (self.take() if count > 1 else b"")
        return data[:count].ljust(count, b"\xe8")

    def _is_addressed(self, address: int) -> bool:
        now = self._clock()
        if address != ADDRESS or not self.is_there or now < self._deaf_until:
            return False
        self.wake(0.0)
        self._deaf_until = now + DEAF_S
        return True
