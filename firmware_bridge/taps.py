"""Who listens in on the bridge: what the devices report, before anything is concluded from it."""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.link.values import ZoneScan
from firmware_bridge.sensed import Press


class Tap(Protocol):
    """An exception in either ends the bridge's `run`."""

    def scanned(self, port: str, zone: str, scan: ZoneScan) -> None:
        """The device of a port has scanned one of its zones; `scan.zone` is its index there."""

    def pressed(self, press: Press) -> None:
        """A button was pressed."""
