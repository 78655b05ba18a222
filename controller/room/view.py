"""The room as it stands, for its pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from controller.contract.messages import (
    DeadButton,
    Finish,
    Move,
    RoomClock,
    RoomTournament,
    TimeCall,
)
from controller.room import clock as clocks
from controller.room import clock_message
from controller.room import tables as seen
from controller.room.away import Overdue
from controller.room.balance import Halted, ProposedBreak, ProposedMove
from controller.room.commander import Decision, Order
from controller.room.conduct import Conduct
from controller.room.did import Did
from controller.room.incidents import Incidents
from controller.room.levels import TableLevel
from controller.room.money import Money
from controller.room.pucks import PuckDiffers
from controller.room.races import Due, Races
from controller.room.record import Record
from controller.room.register import Register
from controller.room.rounds import RoundNow
from controller.room.seating import ProposedOut, TableSeating
from controller.room.shares import Shared
from controller.room.shift import Pushes, Shift, Trouble
from controller.room.structure import Entry, Structure
from controller.room.tables import OpenAlert, TableSeen
from controller.room.tournament import Figures, Tournament, players_seen
from controller.room.walls import WallsTell
from controller.rules.chip_race import ChipRace

LAST_MINUTE_MS = 60_000

ShownState = Literal[
    "ready",
    "running",
    "last-minute",
    "break",
    "holding",
    "paused",
    "question",
    "last-level",
    "ended",
]
"""The state of the clock in one word, for screens."""


class ScreenSetup(Struct, frozen=True):
    """What the screens of the room are told of themselves; `logo` is a file's path and `theme`
    the name of one that comes along. `alerts` is what they may tell of alerts."""

    name: str = ""
    logo: str = ""
    diagonal_inches: float = 55.0
    theme: str = "dark"
    alerts: WallsTell = "calls"


class PhonesAddress(Struct, frozen=True):
    """Where phones in the room find their page; where they can't, `reason` says why.

    `why` is that in a word: the pages are for this machine's own `host`, or the `address` that is
    set is its own, or it is in no `network`.
    """

    address: str = ""
    reason: str = ""
    why: Literal["", "host", "address", "network"] = ""


class CatchUp(Struct, frozen=True):
    """What the clock would show if it caught up now."""

    index: int
    level: int
    on_break: bool
    left_ms: int


class EventShown(Struct, frozen=True, kw_only=True):
    """An event of a room, for a list of them. The first one's `id` is empty.
    `tables` are those that were heard, `state` and `left_ms` are its clock's."""

    id: str
    name: str
    state: ShownState
    level: int
    on_break: bool
    left_ms: int
    tables: tuple[str, ...]
    players_left: int | None


class RoomView(Struct, frozen=True):
    """The room as it stands, for the pages. `heard`: the broker is connected.

    `orders` are the commands of late, the oldest first; `coming` is by table who is on the
    way to it, `ruled` by table and finding who ruled on it, as far as this room knows.

    `state` is the clock's in one word and `left_ms` what is left of what runs; `next_break_ms` is
    how long until the next break begins, None where none comes or one runs. `catch_up` is given
    while the clock asks. `schedule` is the structure with `entries`, as it is played now, `told`
    what the desk has told of the tournament, and `follows` what follows where it has not. `levels`
    is what each table plays, `old_level` the tables whose hand has the blinds of another level,
    `playing` those with a hand under way. `players_seen` is what all tables together show, whatever
    the desk says. `wall_ms` and `utc_offset_s` are for the local time. `stands_by`: another room
    leads, and the clock is that one's. `faults` are lines for whoever runs the room. `version` is
    the program's. `pocket` is where phones find the page for players. `moves` are those that are
    announced, `finishes` all who are out, the best place first. `calls` are the clocks that run on
    players, `dead_buttons` the buttons at seats where nobody plays; both are of tables that can be
    heard. `race_off` are the chips that are taken in on the break that runs, or else on the next
    one. `shift` is the floor's side: alerts, who is on duty, what happened. `money` is the
    evening's, `register` are the players, `conduct` what was given to them, `seen` what tables saw
    them do, `seating` what each table of the tournament has of them, `proposed` who seems to be
    out, `overdue` who has been away for too long, `in_minutes` the tables whose book counts
    penalties so, and `chips` what the players have, by their entries, as tables have shown it.
    `to_break` is the table that is to break, `to_move` are the moves that are due, and `halted` the
    tables that are too short of players to go on. `together` is the hand that all tables play
    together, while they play hand for hand. `pucks` are the tables that have their button elsewhere
    than where it was due. `races` are those of chips that left play, `to_race` is where which are
    to be raced still, and `race_ways` how these tables do that. `events` are all that the room has;
    an event itself tells of none.
    """

    site: str
    structure: str
    now_ms: int
    clock: RoomClock
    tables: tuple[TableSeen, ...]
    alerts: tuple[OpenAlert, ...]
    heard: bool
    banner: str
    orders: tuple[Order, ...] = ()
    coming: Mapping[str, Decision] = {}
    ruled: Mapping[tuple[str, str], Decision] = {}
    state: ShownState = "running"
    left_ms: int = 0
    next_break_ms: int | None = None
    catch_up: CatchUp | None = None
    entries: tuple[Entry, ...] = ()
    schedule: Structure = Structure("", ())
    told: Tournament = Tournament()
    follows: Figures = Figures()
    hold_for_hands: bool = False
    pause_on_dispute: bool = False
    levels: tuple[TableLevel, ...] = ()
    old_level: tuple[str, ...] = ()
    playing: tuple[str, ...] = ()
    tournament: RoomTournament = RoomTournament()
    players_seen: int | None = None
    wall_ms: int = 0
    utc_offset_s: int = 0
    history: tuple[Did, ...] = ()
    faults: tuple[str, ...] = ()
    stands_by: bool = False
    screen: ScreenSetup = ScreenSetup()
    language: str = "en"
    moves: tuple[Move, ...] = ()
    finishes: tuple[Finish, ...] = ()
    calls: tuple[TimeCall, ...] = ()
    dead_buttons: tuple[DeadButton, ...] = ()
    race_off: tuple[int, ...] = ()
    pocket: PhonesAddress = PhonesAddress()
    version: str = ""
    shift: Shift = Shift()
    money: Money = Money()
    register: Register = Register()
    conduct: Conduct = Conduct()
    seen: Incidents = ()
    shared: Shared = Shared()
    seating: tuple[TableSeating, ...] = ()
    proposed: tuple[ProposedOut, ...] = ()
    overdue: tuple[Overdue, ...] = ()
    to_break: ProposedBreak | None = None
    to_move: tuple[ProposedMove, ...] = ()
    halted: tuple[Halted, ...] = ()
    together: RoundNow | None = None
    pucks: tuple[PuckDiffers, ...] = ()
    races: Races = Races()
    to_race: tuple[Due, ...] = ()
    race_ways: Mapping[str, ChipRace] = {}
    in_minutes: frozenset[str] = frozenset()
    chips: Mapping[str, int] = {}
    events: tuple[EventShown, ...] = ()


class Ignored(Struct):
    """What came in and could not be used, counted."""

    malformed: int = 0
    unknown_version: int = 0
    unknown_fields: int = 0
    unknown_topic: int = 0


class HistorySeen(Struct, frozen=True):
    """How the room's history is: what is wrong with it, if anything, where a damaged one is now,
    how many events were kept, and what it lacks: `waiting` events, `missing` and `lost` gaps."""

    fault: str = ""
    damaged: str = ""
    kept: int = 0
    lacks: Mapping[str, int] = {}


class RoomHealth(Struct, frozen=True):
    """How the room is, for whatever watches over it. `ok`: its store can be written and its loop
    goes on. `store` is `ok`, `none`, or what is wrong with it; `tables` counts by state, `heard`
    what they have said since the room's start by kind, see `TakenIn`. `trouble` are the tables that
    say what cannot be used, or too much."""

    ok: bool
    broker: Literal["connected", "away"]
    store: str
    ticks: bool
    clock: ShownState
    leads: bool
    tables: Mapping[str, int]
    heard: Mapping[str, int]
    ignored: Ignored
    trouble: tuple[Trouble, ...]
    pushes: Pushes
    faults: tuple[str, ...]
    history: HistorySeen | None = None
    """None: this room keeps none."""


def left_ms(clock: RoomClock, now_ms: int) -> int:
    """What is left of what runs."""
    if clock.deadline_ms is not None:
        return max(0, clock.deadline_ms - now_ms)
    return clock.remaining_ms or 0


def shown_state(clock: RoomClock, now_ms: int) -> ShownState:
    """The state of a clock in one word."""
    if clock.state != "running":
        return clock.state
    if clock.on_break:
        return "break"
    return "last-minute" if left_ms(clock, now_ms) <= LAST_MINUTE_MS else "running"


def next_break_ms(clock: RoomClock, now_ms: int) -> int | None:
    """How long until the next break begins; None where none comes, or one runs."""
    if clock.to_break_ms is None or clock.on_break or clock.ended:
        return None
    return left_ms(clock, now_ms) + clock.to_break_ms


class TablesShown(Struct, frozen=True):
    """What a view has of the tables; the fields are those of `RoomView`."""

    tables: tuple[TableSeen, ...]
    alerts: tuple[OpenAlert, ...]
    levels: tuple[TableLevel, ...]
    old_level: tuple[str, ...]
    playing: tuple[str, ...]
    players_seen: int | None
    calls: tuple[TimeCall, ...]
    dead_buttons: tuple[DeadButton, ...]


def tables_shown(tables: seen.Tables, levels: tuple[TableLevel, ...], now_ms: int) -> TablesShown:
    """What pages show of these tables, of which each plays what `levels` say."""
    listed = tuple(tables[id_] for id_ in seen.in_order(tables))
    return TablesShown(
        tables=listed,
        alerts=seen.open_alerts(tables),
        levels=levels,
        old_level=tuple(each.table for each in levels if each.level == "old"),
        playing=tuple(each.table for each in levels if each.playing),
        players_seen=players_seen(listed),
        calls=seen.time_calls(tables, now_ms),
        dead_buttons=seen.dead_buttons(tables),
    )


def catch_up(record: Record, now_ms: int) -> CatchUp | None:
    """What the clock of a record would show if it caught up now; None where it asks nothing."""
    if record.clock.question is None:
        return None
    then = clock_message.payload(clocks.caught_up(record.clock, now_ms), now_ms)
    return CatchUp(then.index, then.level, then.on_break, left_ms(then, now_ms))
