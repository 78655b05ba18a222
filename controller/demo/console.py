"""What a person can do from the control page, and what the page shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.contract.events import OUTCOMES, OutcomeName
from controller.contract.messages import Line
from controller.contract.observations import FindingId, Name
from controller.contract.view import TableView
from controller.demo.desk import Desk
from controller.demo.errors import ERRORS
from controller.demo.helm import PARTS, Part, Press, Shared
from controller.demo.people import ATTENTIVE, Habits
from controller.demo.table import WiredFelt
from controller.library.books import Library
from controller.room.commander import Order, OrderError
from firmware_bridge.sensed import Chips, SeatNumber

CLEAN = "clean"
SHOWN_ORDERS = 4


class ConsoleError(Exception):
    """What was asked can't be done; the text is one line for the person."""


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What comes with an action, strictly."""


class _Order(_Body, frozen=True):
    error: str = ""


class _Pause(_Body, frozen=True):
    paused: bool


class _PartOf(_Body, frozen=True):
    part: Part
    person: bool


class _Press(_Body, frozen=True):
    seat: SeatNumber
    button: Literal["check", "call", "bet", "raise", "fold", "all-in"]
    amount: Chips | None = None


class _Answer(_Body, frozen=True):
    input: Literal[
        "confirm", "dismiss", "done", "call-floor", "misdeal", "round-closed", "award", "undo"
    ]
    finding: FindingId | None = None
    reason: Name | None = None
    step: Name | None = None


class _Floor(_Body, frozen=True):
    input: Literal["coming", "ruling", "pick", "dismiss", "misdeal"]
    finding: FindingId | None = None
    outcome: OutcomeName | None = None
    reason: Line | None = None


class ErrorName(Struct, frozen=True):
    """An error that can be ordered, and what the table calls it."""

    code: str
    title: str


class Given(Struct, frozen=True):
    """A decision of the floor and what became of it."""

    what: str
    status: str
    words: str


class ControlView(Struct, frozen=True):
    """All that the page shows.

    `ordered` is the error of the next hand, `clean` or empty; `error` the one of this hand, and
    `people` what the players forget in a hand without one.
    `persons` are the parts that a person has taken; `waits_for` is what the dealer waits for:
    `answer`, `call`, `floor`, `step`, or nothing. `watched`: the table sees its felt. `outcomes`
    says what each outcome is, `books` what each rule book is called.
    """

    view: TableView
    errors: tuple[ErrorName, ...]
    ordered: str
    error: str
    people: Habits
    paused: bool
    idle: bool
    persons: tuple[Part, ...]
    waits_for: str
    watched: bool
    outcomes: Mapping[str, str]
    books: Mapping[str, str]
    given: tuple[Given, ...]
    summary: str


class Console:
    """The demo's controls. `error` is this hand's, `people` what its players forget, `idle` whether
    there is no hand just now."""

    def __init__(
        self,
        felt: WiredFelt,
        desk: Desk,
        helm: Shared,
        *,
        library: Library,
        outcomes: Mapping[str, str],
        summary: Callable[[], str],
    ) -> None:
        """`library` has the titles of findings and books, `outcomes` a sentence for each."""
        self._felt = felt
        self._desk = desk
        self._helm = helm
        titles = library.texts.findings
        self._errors = tuple(ErrorName(code, titles.get(code, code)) for code in ERRORS)
        self._outcomes = {code: outcomes[code] for code in OUTCOMES}
        self._books = {book: library.title(book) for book in library.ids}
        self._summary = summary
        self._given: list[Order] = []
        self._goes_on = asyncio.Event()
        self._goes_on.set()
        self.ordered = ""
        self.error = ""
        self.people = ATTENTIVE
        self.idle = True
        self.closed = False

    def shown(self) -> ControlView:
        """The page as it is to be at this moment."""
        self._desk.commander.tick()
        return ControlView(
            view=self._felt.view,
            errors=self._errors,
            ordered=self.ordered,
            error=self.error,
            people=self.people,
            paused=not self._goes_on.is_set(),
            idle=self.idle,
            persons=tuple(part for part in PARTS if part in self._helm.persons),
            waits_for=self._helm.waits_for,
            watched=self._felt.is_watched,
            outcomes=self._outcomes,
            books=self._books,
            given=self._told(),
            summary=self._summary(),
        )

    async def between_hands(self) -> str:
        """Waits while the demo is paused; returns what was ordered for the next hand."""
        await self._goes_on.wait()
        ordered, self.ordered = self.ordered, ""
        return ordered

    def do(self, name: str, body: bytes) -> None:
        """Carries out an action. Raises ConsoleError."""
        actions: dict[str, tuple[type[Struct], Callable[[Any], None]]] = {
            "order": (_Order, self._order),
            "people": (Habits, self._people),
            "pause": (_Pause, self._pause),
            "part": (_PartOf, self._part),
            "press": (_Press, self._press),
            "answer": (_Answer, self._answer),
            "floor": (_Floor, self._floor),
            "step": (_Body, self._step),
        }
        if name not in actions:
            raise ConsoleError(f"there is no '{name[:40]}' here")
        kind, act = actions[name]
        try:
            act(msgspec.json.decode(body, type=kind))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise ConsoleError(f"that is not what '{name}' looks like") from None
        except OrderError as error:
            raise ConsoleError(str(error)) from None

    def _told(self) -> tuple[Given, ...]:
        orders = self._desk.commander.orders
        current = [orders.get(each.command.id, each) for each in self._given]
        return tuple(Given(each.name, each.status, each.words) for each in current)

    def _order(self, body: _Order) -> None:
        if body.error not in ("", CLEAN, *ERRORS):
            raise ConsoleError(f"the dealer does not know the error '{body.error[:40]}'")
        self.ordered = body.error

    def _people(self, habits: Habits) -> None:
        self.people = habits

    def _pause(self, body: _Pause) -> None:
        if body.paused:
            self._goes_on.clear()
        else:
            self._goes_on.set()

    def _part(self, body: _PartOf) -> None:
        if body.person:
            self._helm.take(body.part)
        else:
            self._helm.give_back(body.part)

    def _press(self, body: _Press) -> None:
        self._must_have("seats")
        if body.seat != self._felt.view.to_act:
            raise ConsoleError(f"it is not seat {body.seat}'s turn")
        if body.button in ("bet", "raise") and not body.amount:
            raise ConsoleError(f"a {body.button} needs an amount")
        self._helm.pressed(Press(body.seat, body.button, body.amount))

    def _answer(self, body: _Answer) -> None:
        self._must_have("answers")
        self._felt.enter(kind="dealer", **_given(body))

    def _floor(self, body: _Floor) -> None:
        self._must_have("floor")
        fields = _given(body)
        name = str(fields.pop("input"))
        order = self._desk.give(name, hand=self._felt.view.hand, actor="floor", **fields)
        self._given = [*self._given[1 - SHOWN_ORDERS :], order]

    def _step(self, _body: _Body) -> None:
        self._must_have("answers")
        self._helm.step()

    def _must_have(self, part: Part) -> None:
        if part not in self._helm.persons:
            raise ConsoleError(f"take over the {part} first")


def _given(body: _Body) -> dict[str, object]:
    """The fields of a body that are there."""
    return {k: v for k, v in msgspec.structs.asdict(body).items() if v is not None}
