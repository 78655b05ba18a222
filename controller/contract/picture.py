"""How the public picture of a table follows from what is told of it: a fold over the engine's
events and the steps ticked by the dealer.

Because neither can hold a tag or a face-down card, the picture can't.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from controller.contract.events import (
    ASIDES,
    Action,
    Board,
    Clock,
    Closed,
    Event,
    Finding,
    FloorCalled,
    FloorComing,
    Phase,
    Prompt,
    Result,
    Ruling,
    Start,
    SubstantialAction,
    Tabled,
    priority_anew,
)
from controller.contract.observations import Done, FloorRuling
from controller.contract.routine import ROUTINE
from controller.contract.sight import Felt, Sight
from controller.contract.texts import TAKEN_OVER, Texts, blanks
from controller.contract.view import (
    BETWEEN_HANDS,
    FindingView,
    LevelView,
    MoveView,
    RaceView,
    ReaderView,
    SeatState,
    SeatView,
    TableView,
    Told,
    position,
)
from controller.contract.wagered import WagerAnswer

Happening = Event | Done | FloorRuling
"""What a picture is made of: no event follows from a step that was ticked, and none says who of the
floor has ruled."""
_OF_THE_FLOOR = frozenset({"stop", "call-floor"})


class DecksNow(Struct, frozen=True):
    """What the table's decks are called, and which is in play."""

    deck: str
    decks: tuple[str, ...]


class FloorNow(Struct, frozen=True):
    """Who from the floor may sign in at the table and who has, and until when nobody may try."""

    floor_names: tuple[str, ...]
    floor_in: str | None
    floor_wait: float | None
    floor_wrong: int


class RoomNow(Struct, frozen=True):
    """The room as the table hears it, and whether it has heard the table."""

    level: LevelView | None
    moves: tuple[MoveView, ...]
    race: RaceView | None
    room_lost: float | None
    floor_heard: bool


class LinksNow(Struct, frozen=True):
    """The bridge's links that are not well in words, all of them, and the zones of which nothing is
    heard."""

    links: tuple[str, ...]
    readers: tuple[ReaderView, ...] = ()
    lost_zones: tuple[str, ...] = ()


class SensorsNow(Struct, frozen=True):
    """Whether the sensors are on."""

    sensors: bool


class CaptureNow(Struct, frozen=True):
    """Whether the table's wires are being recorded."""

    capture: bool


class HouseNow(Struct, frozen=True):
    """What the house leaves to its dealers, and whether its rule book has not been checked against
    the printed rules."""

    dealer_misdeals: bool
    unverified: bool = False


class AnswerNow(Struct, frozen=True):
    """What an action amounted to, as it was asked; None once that is past."""

    answer: WagerAnswer | None


PictureNow = (
    HouseNow | DecksNow | FloorNow | RoomNow | LinksNow | SensorsNow | CaptureNow | AnswerNow
)
"""What is so at a table beside what is told of it: each has fields of `TableView`."""


class Picture:
    """Folds what is told of a table into a `TableView`. `texts` are the words of the table's
    language."""

    def __init__(self, table: str, rulebook: str, texts: Texts) -> None:
        """A table before its first hand."""
        self._texts = texts
        self._hands: dict[int, int] = {}
        self._now: dict[type[PictureNow], PictureNow] = {}
        self._as_told: tuple[tuple[SeatView, ...], int] | None = None
        self._called_for: set[int] = set()
        self.view = TableView(table=table, rulebook=rulebook)

    def take(self, told: Iterable[Happening]) -> bool:
        """Takes what is told in its order; True if the picture changed.

        A step that the remedy does not have, or has been ticked already, changes nothing. A hand
        that is told again from its start takes the place of what was told of it before.
        """
        before = self.view
        for one in told:
            if isinstance(one, Done):
                self._tick(one)
            elif isinstance(one, FloorRuling):
                self._decided(one)
            else:
                self._apply(one)
        return self.view != before

    def with_sight(self, sight: Sight) -> bool:
        """Shows what the engine knows beside the events; True if the picture changed."""
        before, ticked = self.view, dict(sight.ticked)
        for finding in (*before.findings, *before.ruled):
            if finding.seen != ticked.get(finding.id, 0):
                self._finding(finding.id, seen=ticked.get(finding.id, 0))
        self._set(**{name: getattr(sight, name) for name in Felt.__struct_fields__})
        return self.view != before

    def with_now(self, now: PictureNow) -> bool:
        """Shows what else is so by now; True if that changed."""
        if self._now.get(type(now)) == now:
            return False
        self._now[type(now)], before = now, self.view
        self._set(**asdict(now))
        return self.view != before

    def as_of_now(self, view: TableView) -> TableView:
        """A picture of before, with what else is so by now. Which deck is in play then follows from
        what was observed, and stays."""
        for now in self._now.values():
            if not isinstance(now, DecksNow):
                view = replace(view, **asdict(now))
        return view

    def _set(self, **fields: object) -> None:
        self.view = replace(self.view, **fields)

    def _seat(self, seat: int, **fields: object) -> None:
        self._set(
            seats=tuple(replace(s, **fields) if s.seat == seat else s for s in self.view.seats)
        )

    def _tick(self, done: Done) -> None:
        for finding in (*self.view.findings, *self.view.ruled):
            steps = [step.id for step in finding.ruling.steps]
            if finding.id == done.finding and finding.done.count(done.step) < steps.count(
                done.step
            ):
                self._finding(finding.id, done=(*finding.done, done.step))

    def _decided(self, ruling: FloorRuling) -> None:
        if ruling.by is not None and any(f.id == ruling.finding for f in self.view.ruled):
            self._set(ruled_by={**self.view.ruled_by, ruling.finding: ruling.by})

    def _finding(self, number: int, **fields: object) -> None:
        for name in ("findings", "ruled"):
            those = getattr(self.view, name)
            now = tuple(replace(f, **fields) if f.id == number else f for f in those)
            self._set(**{name: now})
        self._set(ruled=tuple(f for f in self.view.ruled if position(f) < len(f.ruling.steps)))

    def _closed(self, event: Closed) -> None:
        closed = [f for f in self.view.findings if f.id == event.id]
        self._set(findings=tuple(f for f in self.view.findings if f.id != event.id))
        if not self.view.findings and (self._called_for or event.how == "ruled"):
            self._set(floor="", floor_by=None)
        for finding in closed if event.how == "ruled" else ():
            steps = [step.id for step in finding.ruling.steps]
            if finding.ruling.outcome != "misdeal" and not _OF_THE_FLOOR.issuperset(steps):
                done = tuple(step for step in finding.done if step not in _OF_THE_FLOOR)
                there = tuple(step for step in steps if step in _OF_THE_FLOOR)
                ruled = replace(finding, done=(*there, *done), seen=0)
                self._set(ruled=(*self.view.ruled, ruled))

    def _apply(self, event: Event) -> None:
        match event:
            case Start():
                self._as_told = None
                coming = tuple(
                    f
                    for f in self.view.findings
                    if self._hands[f.id] == event.hand and f.t < event.t
                )
                self._set(
                    awarded=None,
                    hand=event.hand,
                    phase="deal",
                    button=event.button,
                    blinds=event.blinds,
                    seats=tuple(
                        SeatView(seat=s.seat, player=s.player, stack=s.stack) for s in event.seats
                    ),
                    board=(),
                    to_act=None,
                    turn_since=None,
                    may_misdeal=True,
                    findings=coming,
                    ruled=(),
                    ruled_by={},
                    floor="",
                    floor_by=None,
                    pot=None,
                )
            case Phase():
                self._set(phase=event.phase, routine=())
                if event.phase in ("flop", "turn", "river", "showdown"):
                    self._new_round()
                elif event.phase in BETWEEN_HANDS:
                    self._set(to_act=None, turn_since=None, ruled=(), ruled_by={})
            case Board():
                self._set(board=event.cards)
            case Tabled():
                self._seat(event.seat, tabled=event.cards)
            case Action():
                self._acted(event)
            case Finding():
                self._set(routine=())
                self._found(event)
            case Ruling():
                self._ruled(event)
            case Closed():
                self._closed(event)
            case FloorCalled():
                self._called_for = {finding.id for finding in self.view.findings}
                self._set(floor="called", floor_by=None)
            case FloorComing():
                self._set(floor="coming", floor_by=event.by)
            case Prompt() if event.text_id in ROUTINE:
                told = Told(event.text_id, self._shown(event))
                self._set(routine=(*self.view.routine, told))
            case Prompt():
                self._prompted(event)
                if event.text_id == TAKEN_OVER:
                    self._taken_over(event.args)
                elif event.args.get("entry") == TAKEN_OVER:
                    self._take_back()
                if event.text_id not in ASIDES:
                    is_turn = event.text_id in ("act", "act-limited", "act-absent")
                    self._turn(event.args["seat"] if is_turn else None, event.t)
            case Result():
                self._settled(event)
            case SubstantialAction():
                self._set(may_misdeal=False)
            case Clock():
                pass  # in sight as long as it runs

    def _taken_over(self, shown: Mapping[str, Any]) -> None:
        """Others play than it was told, or from elsewhere."""
        self._as_told = self._as_told or (self.view.seats, self.view.button)
        stay = [s for s in self.view.seats if s.seat not in shown["out"]]
        come = [SeatView(seat=seat) for seat in shown["in"]]
        self._set(seats=tuple(sorted((*stay, *come), key=lambda s: s.seat)))
        if shown["button"] is not None:
            self._set(button=shown["button"])

    def _take_back(self) -> None:
        """Those play who were told to, with what has become of them since."""
        if self._as_told is not None:
            seats, button = self._as_told
            now = {s.seat: s for s in self.view.seats}
            self._set(seats=tuple(now.get(s.seat, s) for s in seats), button=button)
            self._as_told = None

    def _turn(self, seat: int | None, t: float) -> None:
        if seat != self.view.to_act:
            self._set(to_act=seat, turn_since=None if seat is None else t)

    def _prompted(self, prompt: Prompt) -> None:
        args = self._shown(prompt)
        if (prompt.text_id, args) != (self.view.prompt_id, self.view.prompt_args):
            is_aside = prompt.text_id in ASIDES
            self._set(routine=self.view.routine if is_aside else ())
        self._set(
            prompt=self._texts.prompt(prompt.text_id, prompt.args),
            prompt_id=prompt.text_id,
            prompt_args=args,
        )

    def _shown(self, prompt: Prompt) -> dict[str, Any]:
        """Those of its arguments that its text needs."""
        used = blanks(self._texts.prompts[prompt.text_id])
        return {name: prompt.args[name] for name in sorted(used)}

    def _new_round(self) -> None:
        self._set(
            seats=tuple(
                replace(s, bet=None, last_action=None if s.state == "live" else s.last_action)
                for s in self.view.seats
            )
        )

    def _acted(self, event: Action) -> None:
        states: dict[str, SeatState] = {"fold": "folded", "all-in": "all-in"}
        known = next((s for s in self.view.seats if s.seat == event.seat), None)
        if known is not None:
            self._seat(
                event.seat,
                state=states.get(event.action, "live" if known.state == "folded" else known.state),
                last_action=event.action,
                bet=known.bet if event.amount is None else event.amount,
            )

    def _found(self, event: Finding) -> None:
        finding = FindingView(
            id=event.id,
            code=event.code,
            title=self._texts.findings.get(event.code, event.code),
            priority=event.priority,
            basis=event.basis,
            seats=event.seats,
            cards=event.cards,
            ruling=event.ruling,
            t=event.t,
        )
        others = tuple(f for f in self.view.findings if f.id != event.id)
        self._hands = {f.id: self._hands[f.id] for f in others} | {event.id: event.hand}
        self._set(findings=(*others, finding))

    def _ruled(self, event: Ruling) -> None:
        for known in (*self.view.findings, *self.view.ruled):
            if known.id == event.id:
                basis = event.basis or known.basis
                priority = priority_anew(known.priority, event.ruling.outcome, basis)
                self._finding(event.id, ruling=event.ruling, basis=basis, priority=priority)

    def _settled(self, event: Result) -> None:
        pot = sum(pot.amount for pot in event.pots) if event.pots else None
        self._set(pot=pot, awarded=event.t)
        for seat, chips in (event.stacks or {}).items():
            self._seat(int(seat), stack=chips)
