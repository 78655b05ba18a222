"""What comes out of the engine: the contract, section 2, as immutable values.

Nothing in here can hold a tag. A card code appears only in `Board`, `Tabled` and
`Finding.cards`, and only when the card is public.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.contract.routine import ROUTINE

Priority = Literal[1, 2, 3]
Basis = Literal["seen", "unseen"]
PhaseName = Literal["deal", "preflop", "flop", "turn", "river", "showdown", "complete", "misdeal"]
StreetName = Literal["flop", "turn", "river"]
OutcomeName = Literal[
    "misdeal",
    "redeal-flop",
    "floor-pick",
    "reshuffle-street",
    "set-aside",
    "replace-card",
    "return-as-burn",
    "next-card",
    "correct-burn",
    "hold-burn",
    "restore",
    "stands",
    "dead-hand",
    "void-hand",
    "binding",
    "not-binding",
    "floor",
]
ClosedHow = Literal["remedied", "ruled", "dismissed", "expired"]
HandNumber = Annotated[int, Meta(ge=1)]

OUTCOMES: dict[str, Priority] = {
    "misdeal": 1,
    "redeal-flop": 2,
    "floor-pick": 1,
    "reshuffle-street": 2,
    "set-aside": 2,
    "replace-card": 2,
    "return-as-burn": 2,
    "next-card": 2,
    "correct-burn": 2,
    "hold-burn": 2,
    "restore": 2,
    "stands": 2,
    "dead-hand": 1,
    "void-hand": 1,
    "binding": 2,
    "not-binding": 2,
    "floor": 1,
}
"""Every outcome of a ruling, with the priority it gives a finding that was seen."""


def priority_of(outcome: str, basis: Basis) -> Priority:
    """The priority of a finding that is ruled so: 2 at most while it rests on something unseen."""
    return max(OUTCOMES[outcome], 1 if basis == "seen" else 2)


def priority_anew(before: Priority, outcome: str, basis: Basis) -> Priority:
    """The priority of a finding once its ruling has changed: it may become graver, never milder.
    One that is for the record only stays so."""
    return before if before == 3 else min(before, priority_of(outcome, basis))


STEP_ENTRIES = {
    "call-floor": "call-floor",
    "call-misdeal": "misdeal",
    "shuffle": "reshuffled",
    "finish-round": "round-closed",
}
"""The steps for which there is a dealer's input of its own."""
REMEDY_QUESTIONS = frozenset({"ask-shuffled", "ask-picked"})
"""The steps that ask about a remedy: the finding itself is certain."""


class Step(Struct, frozen=True, omit_defaults=True):
    """One step of a remedy: `id` from the vocabulary of steps, `text` in the table's language;
    `words` fill it in any other."""

    id: str
    text: str
    words: dict[str, str] = {}


class RulingText(Struct, frozen=True, omit_defaults=True):
    """What one rule book says about a finding at this moment of the hand.

    `steps` is never empty. `advisory` is what Robert's Rules would say where the book in
    force is silent.
    """

    rulebook: str
    outcome: str
    cites: tuple[str, ...]
    steps: tuple[Step, ...]
    until: str | None = None
    advisory: RulingText | None = None


def rulable(ruling: RulingText) -> tuple[str, tuple[str, ...]]:
    """What the floor may rule: the outcome that the book gives or, where it is silent, the one that
    it is advised, "" where there is none; and all others.

    A misdeal is only ever the first: it takes effect when it is called, not when it is ruled.
    """
    given = ruling.advisory if ruling.outcome == "floor" else ruling
    first = "" if given is None or given.outcome == "floor" else given.outcome
    return first, tuple(one for one in OUTCOMES if one not in ("floor", "misdeal", first))


AnteBy = Literal["each", "big-blind"]


class Blinds(Struct, frozen=True, omit_defaults=True):
    """The level in force, in chips. The ante is posted by each player, or for all of them by the
    big blind; `chip` is the smallest chip in play."""

    small: int
    big: int
    ante: int = 0
    ante_by: AnteBy = "each"
    chip: int = 1


class StartSeat(Struct, frozen=True, omit_defaults=True):
    """A seat that is dealt in."""

    seat: int
    stack: int | None = None
    player: str | None = None


class Start(Struct, frozen=True, tag_field="kind", tag="start", omit_defaults=True):
    """A hand began. `button` may be a seat without a player (a dead button)."""

    t: float
    hand: int
    seats: tuple[StartSeat, ...]
    button: int
    blinds: Blinds
    dealer: str | None = None
    implied: bool = False
    redeal_of: int | None = None


class Phase(Struct, frozen=True, tag_field="kind", tag="phase"):
    """The hand entered a phase."""

    t: float
    hand: int
    phase: PhaseName


class Board(Struct, frozen=True, tag_field="kind", tag="board"):
    """All cards that stand on the board once `street` stands, in the order of arrival."""

    t: float
    hand: int
    street: StreetName
    cards: tuple[str, ...]


class Tabled(Struct, frozen=True, tag_field="kind", tag="tabled"):
    """A seat's cards lie face up: they are public."""

    t: float
    hand: int
    seat: int
    cards: tuple[str, ...]


ActionBy = Literal["press", "dealer", "muck", "inferred"]


class Action(Struct, frozen=True, tag_field="kind", tag="action", omit_defaults=True):
    """A seat acted; `amount` is what it has in on this round."""

    t: float
    hand: int
    seat: int
    action: str
    by: ActionBy
    amount: int | None = None


class Clock(Struct, frozen=True, tag_field="kind", tag="clock"):
    """The clock was called on `seat`; it runs out at `until`, on the scale of `t`."""

    t: float
    hand: int
    seat: int
    until: float


class FloorCalled(Struct, frozen=True, tag_field="kind", tag="floor-called", omit_defaults=True):
    """The dealer asks for a floorperson."""

    t: float
    hand: int
    by: str | None = None


class FloorComing(Struct, frozen=True, tag_field="kind", tag="floor-coming", omit_defaults=True):
    """A floorperson is on the way."""

    t: float
    hand: int
    by: str | None = None


class Finding(Struct, frozen=True, tag_field="kind", tag="finding"):
    """An irregularity was established."""

    t: float
    hand: int
    id: int
    code: str
    priority: Priority
    basis: Basis
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    ruling: RulingText


class Ruling(Struct, frozen=True, tag_field="kind", tag="ruling", omit_defaults=True):
    """The ruling on an open finding changed."""

    t: float
    hand: int
    id: int
    ruling: RulingText
    basis: Basis | None = None


class Closed(Struct, frozen=True, tag_field="kind", tag="closed"):
    """A finding is closed."""

    t: float
    hand: int
    id: int
    how: ClosedHow


class Prompt(Struct, frozen=True, tag_field="kind", tag="prompt"):
    """The next step the dealer has to take; `text_id` is a key of the language file."""

    t: float
    hand: int
    text_id: str
    args: dict[str, Any]


ASIDES = frozenset(
    {
        *ROUTINE,
        "betting-open",
        "board-order",
        "call-made-up",
        "call-short",
        "cards-away",
        "clock-warning",
        "hand-dead",
        "level-waits",
        "level-waits-ante",
        "muck-lifted",
        "must-table",
        "new-level",
        "new-level-ante",
        "nothing-to-undo",
        "rabbit",
        "raise-chips",
        "raise-made-up",
        "raise-not-open",
        "raise-short",
        "second-board",
        "tabled-in-muck",
        "taken-over",
        "thrown-forward",
        "time-checks",
        "time-is-up",
        "undone",
        "zone-suspect",
    }
)
"""The prompts that are beside the hand's next step: whose turn it is stays."""


class SubstantialAction(Struct, frozen=True, tag_field="kind", tag="substantial-action"):
    """From here on a misdeal can't be called."""

    t: float
    hand: int


class Pot(Struct, frozen=True):
    """Chips, and the seats that contest them."""

    amount: int
    seats: tuple[int, ...]


class Result(Struct, frozen=True, tag_field="kind", tag="result", omit_defaults=True):
    """The hand is complete. Keys of `awards` and `stacks` are seat numbers."""

    t: float
    hand: int
    pots: tuple[Pot, ...]
    awards: dict[str, int] | None = None
    stacks: dict[str, int] | None = None


Event = (
    Start
    | Phase
    | Board
    | Tabled
    | Action
    | Clock
    | FloorCalled
    | FloorComing
    | Finding
    | Ruling
    | Closed
    | Prompt
    | SubstantialAction
    | Result
)

encode_event = msgspec.json.Encoder().encode
encode_events = msgspec.json.Encoder().encode_lines
"""One a line."""
decode_event = msgspec.json.Decoder(Event).decode
