"""What the dealer is looking at: which finding, which of its steps, which question. Pure.

It is the screen's own memory; what the table knows is in the view.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from controller.contract.events import REMEDY_QUESTIONS
from controller.contract.view import FindingView, MoveView, TableView, position
from controller.contract.wagered import WagerQuestion

Asking = Literal[
    "",
    "tabled",
    "dismiss",
    "misdeal",
    "links",
    "language",
    "more",
    "exposed-card",
    "boxed",
    "boxed-card",
    "seat",
    "amount",
    "sign-in",
    "unwatched",
    "deck",
    "sensors",
    "naming",
    "floor",
    "floor-pin",
    "floor-rule",
    "floor-desk",
    "why",
    "wager",
    "wager-chip",
    "wager-amount",
    "wager-answer",
    "wager-otherwise",
    "wager-why",
    "rules",
    "rules-number",
    "rules-found",
    "rule",
]
Line = dict[str, Any]
Said = Line | tuple[Line, ...] | None
"""What a tap says to the table: a line, several or none."""

State = tuple[int, int, str, bool]
"""Of a finding: its id, priority, what it rests on or asks, and whether it waits."""

NOTHING_SEEN = WagerQuestion(0)
SEAT_ASKED = ("tabled", "boxed")

FOR_THE_BETTING = "finish-round"
REASONS = ("misread", "floor-decided", "other")


class Notice(Struct, frozen=True):
    """What a dismissal means for a zone: so many more of the same, and it is only noted; `left`
    0: it is from now on. Shown until `until`, monotonic seconds."""

    zone: str
    left: int
    until: float


class Place(Struct, frozen=True):
    """Where among the rules the dealer is, and may come back to: see `Looking`."""

    asking: Asking
    typed: str = ""
    code: str = ""
    rule: str = ""
    page: int = 0


class Looking(Struct, frozen=True):
    """The state of the screen itself.

    `opened` is the finding whose card is shown, `met` the states of findings that have
    opened by themselves already. `floor_at` is when the floor's state was first seen, `told_at`
    when what is told now was, `seats` the highest seat seen. `seat`, `act`, `floor_name` and
    `typed` are what has been entered so far, `wager` what a seat was seen to do, with a motion
    that may have no chips yet; `wrong` how many PINs were wrong before this one, `page` what is
    shown of a dialog. Of the rules those behind `code` (a finding's, a prompt's, or ids) are found
    before anything is typed, `rule` is the one that is read, and `trail` leads back.
    Sounds are `muted` until then, where that is known, and those of priority 1 in one hand;
    `soundless` is a screen without a sound device.
    """

    opened: int | None = None
    met: frozenset[State] = frozenset()
    asking: Asking = ""
    seat: int = 0
    act: str = ""
    typed: str = ""
    wager: WagerQuestion = NOTHING_SEEN
    calling: bool = False
    floor_at: float | None = None
    told_at: float = 0.0
    undoable: bool = False
    seats: int = 0
    language: str | None = None
    floor_name: str = ""
    wrong: int = 0
    page: int = 0
    code: str = ""
    rule: str = ""
    trail: tuple[Place, ...] = ()
    notice: Notice | None = None
    muted: bool = False
    muted_until: float | None = None
    muted_hand: int = 0
    soundless: bool = False

    def __repr__(self) -> str:
        return f"Looking(opened={self.opened}, asking={self.asking!r})"


def in_order(view: TableView | None) -> tuple[FindingView, ...]:
    """Return the findings that are open or to be carried out as the floor has ruled, the worst
    first, then the oldest."""
    if view is None:
        return ()
    return tuple(
        sorted((*view.findings, *view.ruled), key=lambda finding: (finding.priority, finding.id))
    )


def opened(view: TableView | None, looking: Looking) -> FindingView | None:
    """Return the finding whose card is shown."""
    return next((one for one in in_order(view) if one.id == looking.opened), None)


def is_question(finding: FindingView, at: int) -> bool:
    """Tell whether the step at index `at` is a question: of a doubtful finding, or about its
    remedy."""
    first = finding.ruling.steps[0].id
    asks = finding.basis == "unseen" and first.startswith("ask-")
    return at == 0 and (asks or first in REMEDY_QUESTIONS)


def comers(view: TableView) -> tuple[MoveView, ...]:
    """Return who is on the way to a seat of this table."""
    return tuple(each for each in view.moves if not each.leaves and each.seat is not None)


def waits(view: TableView, finding: FindingView) -> bool:
    """Tell whether the betting goes on, which has to be finished before the remedy can."""
    at, steps = position(finding), finding.ruling.steps
    return view.to_act is not None and at < len(steps) and steps[at].id == FOR_THE_BETTING


def name_typed(looking: Looking) -> str:
    """Return the name as it is written: the keys are capitals."""
    return looking.typed.rstrip().title()
