"""Who listens in on the wires: to all that comes and goes, byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_bridge.sensed import Press

Heard = Callable[[bytes, bool], None]
"""Gets what a decoder has done with, in the order in which it came: bytes, and whether they are
one intact frame (or what may lie between frames)."""

Pieces = Sequence[tuple[bytes, bool]]


class Listener(Protocol):
    """Hears all that comes over the ports of a table and goes out, at its time in seconds.

    Told again, all this gives the same values again (see `wires`).
    """

    def opened(self, port: str, path: str, t: float) -> None:
        """The port is open, as `path`, and its device is asked who it is."""

    def closed(self, port: str, t: float) -> None:
        """The port was given up, without a loss."""

    def lost(self, port: str, text: str, t: float) -> None:
        """The port is gone or could not be opened."""

    def received(self, port: str, pieces: Pieces, t: float) -> None:
        """What came; each piece with whether it is an intact frame."""

    def sent(self, port: str, data: bytes, t: float) -> None:
        """What went out."""

    def stepped(self, t: float) -> None:
        """The wires were told that time has passed."""

    def panel(self, press: Press, t: float) -> None:
        """A button that hangs on no port was pressed."""
