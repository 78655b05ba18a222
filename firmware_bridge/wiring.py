"""What hangs on a port of the table's computer."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from firmware_bridge.driver import PUCK_READERS, Device
from firmware_bridge.presence import Thresholds
from firmware_bridge.sensed import SeatButton

Parity = Literal["none", "even", "odd"]

PUCK = " (puck)"
"""What tells a reader of the puck from one of cards in the same zone."""


class Wiring(Struct, frozen=True):
    """What hangs on one port: its zones, its buttons (seat, label) and the seats of its lamps, by
    the device's index.

    `id` is the device's unique id in hex: then no other is taken for it. Without, the first one
    that answers at `port` counts as the one, and a new one there replaces it. `cycle_ms` is
    the length of its scan cycle if it is not to be the device's own, `thresholds` those of its
    zones if they are not the table's. `address` is a FEIG reader's on its bus.
    """

    port: str
    zones: tuple[str, ...]
    buttons: tuple[tuple[int, SeatButton], ...] = ()
    lamps: tuple[int, ...] = ()
    baud: int = 115200
    id: str = ""
    cycle_ms: int | None = None
    thresholds: Thresholds | None = None
    device: Device = "pico"
    parity: Parity = "none"
    address: int = 255

    @property
    def places(self) -> tuple[str, ...]:
        """Its zones, each by a name that a reader of cards and one of the puck don't share."""
        return tuple(zone + PUCK for zone in self.zones) if self.reads_pucks else self.zones

    @property
    def reads_pucks(self) -> bool:
        """Whether it reads the puck and no cards."""
        return self.device in PUCK_READERS
