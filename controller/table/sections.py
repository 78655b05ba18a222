"""The sections and keys of `table.toml`, as they are written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.contract.observations import TableBlinds, Timing
from controller.contract.routine import Routine
from controller.storage.sealed import KEEP_HANDS
from firmware_bridge.families import USUAL
from firmware_bridge.family import ANY_ADDRESS
from firmware_bridge.presence import Thresholds
from firmware_bridge.sensed import Chips, SeatNumber

Count = Annotated[int, Meta(ge=2, le=10)]
Index = Annotated[str, Meta(min_length=1, max_length=200)]


class TableSettings(Struct, frozen=True, kw_only=True):
    """The table as a hand sees it; `rulebook` is an id or the path of a house's own file,
    `misdeal` who may call one."""

    id: str
    rulebook: Index
    seats: Count | tuple[SeatNumber, ...]
    blinds: TableBlinds
    button: SeatNumber = 1
    stack: Chips | None = None
    language: str = "en"
    mode: Literal["tournament", "cash"] = "tournament"
    misdeal: Literal["dealer", "floor"] = "dealer"


class EverySeat(Struct, frozen=True, forbid_unknown_fields=True):
    """The same buttons at each of these seats, wired seat by seat."""

    seats: tuple[SeatNumber, ...]
    labels: tuple[str, ...]


class PortSettings(Struct, frozen=True, kw_only=True):
    """One device; zones, buttons and the lamps' seats in the device's own order. `presence`
    overrides the table's.

    `reader` is what it is; baud and parity default to what that comes with.
    """

    device: Index
    id: str = ""
    zones: Annotated[tuple[str, ...], Meta(max_length=64)]
    buttons: Annotated[tuple[tuple[SeatNumber, str], ...], Meta(max_length=128)] | EverySeat = ()
    lamps: Annotated[tuple[SeatNumber, ...], Meta(max_length=64)] = ()
    reader: str = USUAL.name
    baud: Annotated[int, Meta(ge=1200, le=4_000_000)] | None = None
    parity: str | None = None
    address: Annotated[int, Meta(ge=0, le=255)] = ANY_ADDRESS
    cycle_ms: Annotated[int, Meta(ge=0, le=5_000)] | None = None
    presence: dict[str, int | float] = {}


class GpioButton(Struct, frozen=True, forbid_unknown_fields=True):
    """One push button on a pin: what a press and what a long press says."""

    pin: int | str
    seat: SeatNumber
    press: str
    long: str | None = None


class GpioSettings(Struct, frozen=True, kw_only=True):
    """Push buttons on the computer's own header, or on an I²C expander."""

    buttons: Annotated[tuple[GpioButton, ...], Meta(min_length=1, max_length=28)]
    expander: int | None = None
    bus: Annotated[int, Meta(ge=0, le=255)] = 1
    library: str = "lgpio"
    stable_ms: Annotated[int, Meta(ge=1, le=1_000)] = 20
    lockout_ms: Annotated[int, Meta(ge=0, le=5_000)] = 150
    long_ms: Annotated[int, Meta(ge=200, le=10_000)] = 800


class PresenceSettings(Thresholds, frozen=True):
    """When reads become facts, and which antennas may read each other's cards."""

    neighbours: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def thresholds(self) -> Thresholds:
        """The thresholds alone."""
        return Thresholds(*(getattr(self, name) for name in Thresholds.__struct_fields__))


class DeckSettings(Struct, frozen=True):
    """Where the table's only deck is registered, and which tags are no cards."""

    file: Index | None = None
    objects: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"DeckSettings({self.file!r}, {len(self.objects)} objects)"


class NamedDeck(Struct, frozen=True):
    """Where one of several decks is registered."""

    file: Index | None = None


class FloorSettings(Struct, frozen=True):
    """Where it is kept who from the floor signs in at the table with which PIN."""

    file: Index | None = None


class BrokerSettings(Struct, frozen=True, kw_only=True):
    """The room's broker; `ca_file` turns TLS on. Players' names go there with `player_names`."""

    host: Index
    site: str
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    user: Index | None = None
    password_file: Index | None = None
    ca_file: Index | None = None
    player_names: bool = False


class ScreenSettings(Struct, frozen=True):
    """The sockets of the dealer's screen and of the commands that set a table up."""

    socket: Index | None = None
    bench: Index | None = None


class JournalSettings(Struct, frozen=True):
    """Where the journal is kept, and where its keys: on a tmpfs, never on the card."""

    path: Index | None = None
    keys: Index | None = None


class AuditSettings(Struct, frozen=True):
    """To whose public key what is observed is sealed, a file or its line, and for how long that is
    kept."""

    key: Index | None = None
    keep_hands: Annotated[int, Meta(ge=500, le=1_000_000)] = KEEP_HANDS


class TableFile(Struct, frozen=True):
    """The whole file; nothing but types and ranges is checked."""

    table: TableSettings
    port: Annotated[tuple[PortSettings, ...], Meta(min_length=1, max_length=16)]
    gpio: Annotated[tuple[GpioSettings, ...], Meta(max_length=9)] = ()
    timing: Timing = Timing()
    routine: Routine = Routine()
    presence: PresenceSettings = PresenceSettings()
    deck: DeckSettings = DeckSettings()
    decks: Annotated[dict[str, NamedDeck], Meta(max_length=16)] = {}
    floor: FloorSettings = FloorSettings()
    broker: BrokerSettings | None = None
    screen: ScreenSettings = ScreenSettings()
    journal: JournalSettings = JournalSettings()
    audit: AuditSettings = AuditSettings()
    boards: dict[str, dict[str, Any]] = {}  # what is soldered to the Picos: `cutcard pico` reads it
