"""What hangs on a port of the table's computer."""

from __future__ import annotations

from msgspec import Struct

from firmware_bridge.families import FAMILIES, USUAL
from firmware_bridge.family import ANY_ADDRESS, Family, Parity
from firmware_bridge.presence import Thresholds
from firmware_bridge.sensed import SeatButton

PUCK = " (puck)"
"""What tells a reader of the puck from one of cards in the same zone."""


class Wiring(Struct, frozen=True):
    """What hangs on one port: its zones, its buttons (seat, label) and the seats of its lamps, by
    the device's index.

    `id` is the device's unique id in hex: then no other is taken for it. Without, the first one
    that answers at `port` counts as the one, and a new one there replaces it. `cycle_ms` is
    the length of its scan cycle if it is not to be the device's own, `thresholds` those of its
    zones if they are not the table's. `device` is the name of its family, `address` its own on
    its bus.
    """

    port: str
    zones: tuple[str, ...]
    buttons: tuple[tuple[int, SeatButton], ...] = ()
    lamps: tuple[int, ...] = ()
    baud: int = USUAL.baud
    id: str = ""
    cycle_ms: int | None = None
    thresholds: Thresholds | None = None
    device: str = USUAL.name
    parity: Parity = USUAL.parity
    address: int = ANY_ADDRESS

    def __post_init__(self) -> None:
        """Raises ValueError for a family that is not known."""
        if self.device not in FAMILIES:
            raise ValueError(f"there is no device {self.device[:60]!r}")

    @property
    def family(self) -> Family:
        """What is known of its kind."""
        return FAMILIES[self.device]

    @property
    def places(self) -> tuple[str, ...]:
        """Its zones, each by a name that a reader of cards and one of the puck don't share."""
        return tuple(zone + PUCK for zone in self.zones) if self.reads_pucks else self.zones

    @property
    def reads_pucks(self) -> bool:
        """Whether it reads the puck and no cards."""
        return self.family.reads == "puck"
