"""The public picture of a table: what the dealer's screen draws, and without what is meant for the
dealer only what MQTT publishes as `hand`.

It cannot hold a tag or a face-down card.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from controller.contract.events import (
    Basis,
    Blinds,
    PhaseName,
    Priority,
    RulingText,
)
from controller.contract.sight import Felt
from controller.contract.wagered import WagerAnswer

SeatState = Literal["live", "folded", "all-in", "out"]
BETWEEN_HANDS: tuple[PhaseName | None, ...] = (None, "complete", "misdeal")
"""Before the first hand, and after one."""


class SeatView(Struct, frozen=True, omit_defaults=True):
    """One seat of the running hand. `bet` is what it has in on this round, if known."""

    seat: int
    state: SeatState = "live"
    player: str | None = None
    stack: int | None = None
    bet: int | None = None
    last_action: str | None = None
    tabled: tuple[str, ...] = ()


class FindingView(Struct, frozen=True, omit_defaults=True):
    """An open finding; `t` is when it was established, `done` the ids of the steps that the
    dealer has ticked, in their order; an id that the remedy has twice may be in it twice. The
    first `seen` steps have been seen done by the antennas."""

    id: int
    code: str
    title: str
    priority: Priority
    basis: Basis
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    ruling: RulingText
    t: float
    done: tuple[str, ...] = ()
    seen: int = 0


def position(finding: FindingView) -> int:
    """The index of the step to be done next; the number of steps when all are.

    What the antennas have seen done needs no tick. When a ruling changes, the steps that it has
    in common with the old one stay done.
    """
    ticked = Counter(finding.done)
    for at, step in enumerate(finding.ruling.steps):
        if ticked[step.id]:
            ticked[step.id] -= 1
        elif at >= finding.seen:
            return at
    return len(finding.ruling.steps)


class ReaderView(Struct, frozen=True):
    """A link of the bridge, by its port, and how it is: `closed`, `handshake`, `up` or
    `wrong version`."""

    port: str
    state: str


class LevelView(Struct, frozen=True, omit_defaults=True):
    """The room's clock: it runs out at `ends`, in the table's time, or stands with `left` seconds.

    `blinds` are the level's own, which a table plays from its next riffle on. While all tables
    play hand for hand, `round` is the how manyth of these hands they play. From `no_push` on until
    the level ends no dealer is pushed; `stopped`: it stands amid a level, and no hand begins
    meanwhile; on a break a pot may be disputed for `dispute` seconds after its award, and from
    `ready` on the deck is to be. `face_down`: no hand of players who are all-in is tabled and no
    card dealt until the floor says so."""

    level: int
    blinds: Blinds | None = None
    ends: float | None = None
    left: float | None = None
    on_break: bool = False
    round: int | None = None
    no_push: float | None = None
    stopped: bool = False
    dispute: float | None = None
    ready: float | None = None
    face_down: bool = False


class MoveView(Struct, frozen=True, omit_defaults=True):
    """A player who has to come to this table, or with `leaves` to go from it to the table `other`.

    `seat` is where, if that was said: a seat here for who comes, there for who leaves."""

    player: str
    other: str
    seat: int | None = None
    leaves: bool = False


class RaceView(Struct, frozen=True, omit_defaults=True):
    """Chips of `goes` are raced at this table now, for chips of `into`: by these `steps`, the ids
    of prompts, each with the rules that it rests on."""

    goes: int
    into: int
    steps: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Told(Struct, frozen=True, omit_defaults=True):
    """Something that the dealer is told: its key in every language file, and what fills it."""

    text_id: str
    args: dict[str, Any] = field(default_factory=dict)


class TableView(Felt, frozen=True, omit_defaults=True, kw_only=True):
    """The hand as it stands. `phase` is None before the first hand.

    `prompt` is the next step in the words of the table's language, `prompt_id` its key in every
    language file and `prompt_args` what fills it there; `to_act` the seat whose turn it is, where
    known, and `turn_since` since when. `routine` is what belongs to this moment of every hand.
    `board` are the streets that stand. `may_misdeal` until the book's substantial action, the
    dealer where `dealer_misdeals`. `unverified`: nobody has checked the rule book against the
    printed rules. `floor_by` is who comes, `floor_heard` whether the room has had the call,
    `room_lost` since when it has not been heard. `ruled` are findings that the floor has decided
    and of which something is still to be done, `ruled_by` by whom. `links` are the bridge's links
    that are not well, in words, `readers` all of them and `lost_zones` what none of them hears.
    While `sensors` are off the dealer deals by hand and nothing is watched. `deck` is the name of
    the deck in play, `decks` those of all that the table has. `capture`: all that crosses the
    table's wires is being recorded. `floor_names` sign in here by PIN, of which `floor_wrong` in a
    row were wrong and none is taken before `floor_wait`; `floor_in` has signed in. `moves` are
    announced by the room, and so is a `race`. `answer` is what an action amounted to, as a dealer
    has asked last, while it holds. `awarded` is when the last pot was. All times are the table's
    `t`.
    """

    table: str
    rulebook: str
    hand: int = 0
    phase: PhaseName | None = None
    button: int = 0
    blinds: Blinds | None = None
    seats: tuple[SeatView, ...] = ()
    board: tuple[str, ...] = ()
    to_act: int | None = None
    prompt: str = ""
    prompt_id: str = ""
    prompt_args: dict[str, Any] = field(default_factory=dict)
    routine: tuple[Told, ...] = ()
    findings: tuple[FindingView, ...] = ()
    ruled: tuple[FindingView, ...] = ()
    ruled_by: dict[int, str] = field(default_factory=dict)
    floor: Literal["", "called", "coming"] = ""
    links: tuple[str, ...] = ()
    readers: tuple[ReaderView, ...] = ()
    lost_zones: tuple[str, ...] = ()
    pot: int | None = None
    turn_since: float | None = None
    level: LevelView | None = None
    may_misdeal: bool = True
    dealer_misdeals: bool = True
    unverified: bool = False
    sensors: bool = True
    floor_by: str | None = None
    floor_heard: bool = True
    room_lost: float | None = None
    deck: str = ""
    decks: tuple[str, ...] = ()
    capture: bool = False
    floor_names: tuple[str, ...] = ()
    floor_in: str | None = None
    floor_wait: float | None = None
    floor_wrong: int = 0
    moves: tuple[MoveView, ...] = ()
    race: RaceView | None = None
    answer: WagerAnswer | None = None
    awarded: float | None = None


_AT_THE_SCREEN = (
    "floor_names",
    "floor_in",
    "floor_wait",
    "floor_wrong",
    "ruled_by",
    "on_board",
    "odd",
    "backs",
    "price",
    "open_showdown",
    "pots",
    "taken_for",
    "awaited",
    "rests_on",
    "readers",
    "lost_zones",
    "routine",
    "race",
    "learner",
    "answer",
    "awarded",
)
_AS_EVERYBODY_ELSE = {
    name: getattr(TableView(table="", rulebook=""), name) for name in _AT_THE_SCREEN
}


def for_everybody(view: TableView) -> TableView:
    """Without what is for the dealer's screen only: who of the floor may sign in and who has, and
    what concerns nobody but the dealer."""
    return replace(view, **_AS_EVERYBODY_ELSE)
