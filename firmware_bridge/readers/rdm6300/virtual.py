"""An RDM6300 made of software, sans-I/O, after its data sheet: it sends and never listens."""

from __future__ import annotations

from math import inf

EVERY_S = 0.065


class VirtualRdm6300:
    """One module with the tags in its field, by their ten hex digits; it reads the first."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self._due = -inf

    def receive(self, data: bytes, now: float) -> None:
        """Nothing listens."""

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""
        if not self.tags or now < self._due:
            return b""
        self._due = now + EVERY_S
        digits = self.tags[0].upper()
        check = 0
        for at in range(0, 10, 2):
            check ^= int(digits[at : at + 2], 16)
        return f"\x02{digits}{check:02X}\x03".encode("ascii")

    def next_due(self) -> float:
        """When `poll` has to be called next, at the latest."""
        return self._due
