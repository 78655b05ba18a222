"""How the bridge is: a picture of its links and counters at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.link.values import SessionCounters
from firmware_bridge.presence import PresenceCounters


class LinkHealth(Struct, frozen=True):
    """How one link is. `text` says what is wrong, in plain words; empty if nothing is.

    `path` is where the device is, which need not be its own `port`; `device` is its id. `cycle_s`
    is the slowest scan cycle of its antennas in the last minute; None where none was measured.
    """

    port: str
    state: Literal["closed", "handshake", "up", "wrong version"]
    text: str
    firmware: str
    boot_id: int | None
    clock_error_s: float | None
    dropped_bytes: int
    decoder: DecoderCounters
    session: SessionCounters
    path: str | None = None
    device: str = ""
    cycle_s: float | None = None


class BridgeCounters(Struct, frozen=True, gc=False):
    """What was received and not given out as it was."""

    late: int = 0
    stale_presses: int = 0
    unmapped: int = 0
    incomplete: int = 0
    failed: int = 0


class BridgeHealth(Struct, frozen=True):
    """How the bridge is. `cycle_s` is the slowest device's last scan cycle, or a guess at it;
    `card_cycle_s` the slowest one measured in the last minute of all that read cards, None where
    none was.

    `contested` are pairs of neighbours that keep reading one card, `incomplete` zones whose
    cards can't be told apart, `ghosts` how many collisions each zone read as a tag.
    """

    links: tuple[LinkHealth, ...]
    lost_zones: tuple[str, ...]
    cycle_s: float
    presence: PresenceCounters
    counters: BridgeCounters
    contested: tuple[tuple[str, str], ...] = ()
    incomplete: tuple[str, ...] = ()
    ghosts: Mapping[str, int] = {}
    card_cycle_s: float | None = None
