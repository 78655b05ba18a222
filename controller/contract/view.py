"""The public picture of a table: a fold over the engine's events and the steps ticked by the
dealer.

Because neither can hold a tag or a face-down card, the picture can't. It is what the dealer's
screen draws and what MQTT publishes as `hand`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from controller.contract.events import (
    ASIDES,
    Action,
    Basis,
    Blinds,
    Board,
    Clock,
    Closed,
    Event,
    Finding,
    FloorCalled,
    FloorComing,
    Phase,
    PhaseName,
    Priority,
    Prompt,
    Result,
    Ruling,
    RulingText,
    Start,
    SubstantialAction,
    Tabled,
    priority_anew,
)
from controller.contract.observations import Done, FloorRuling
from controller.contract.sight import CalledOn, Price, Sight, Silence, TakenFor
from controller.contract.texts import TAKEN_OVER, Texts, blanks

SeatState = Literal["live", "folded", "all-in", "out"]
Happening = Event | Done | FloorRuling
"""What a picture is made of: no event follows from a step that was ticked, and none says who of the
floor has ruled."""
AT_THE_SCREEN: Mapping[str, Any] = {
    "floor_names": (),
    "floor_in": None,
    "floor_wait": None,
    "floor_wrong": 0,
    "ruled_by": {},
    "on_board": None,
    "odd": (),
    "backs": (),
    "price": None,
    "taken_for": (),
    "awaited": (),
    "rests_on": (),
    "readers": (),
    "lost_zones": (),
}
"""The fields of a picture that are for the dealer's screen only, as everybody else has them."""
_OF_THE_FLOOR = frozenset({"stop", "call-floor"})


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

    `blinds` are the level's own, which a table plays from its next riffle on."""

    level: int
    blinds: Blinds | None = None
    ends: float | None = None
    left: float | None = None
    on_break: bool = False


class MoveView(Struct, frozen=True, omit_defaults=True):
    """A player who has to come to this table, or with `leaves` to go from it to the table `other`.

    `seat` is where, if that was said: a seat here for who comes, there for who leaves."""

    player: str
    other: str
    seat: int | None = None
    leaves: bool = False


class TableView(Struct, frozen=True, omit_defaults=True):
    """The hand as it stands. `phase` is None before the first hand.

    `prompt` is the next step in the words of the table's language, `prompt_id` its key in every
    language file and `prompt_args` what fills it there; `to_act` the seat whose turn it is, where
    known, and `turn_since` since when. `board` are the streets that stand, `on_board` and `odd`
    what lies there, `backs` the cards that lie at the seats, `price` what the seat to act faces,
    `taken_for` what a missing press counts as, `awaited` which step of which finding has not been
    seen (see `Sight`). `small` and `big` are the seats of the blinds, `next_button` is where the
    button belongs in the hand to come, `burns` counts the cards burned. `may_misdeal` until the
    book's substantial action, the dealer where `dealer_misdeals`. `floor_by` is who comes,
    `floor_heard` whether the room has had the call, `room_lost` since when it has not been heard.
    `ruled` are findings that the floor has decided and of which something is still to be done,
    `ruled_by` by whom. `links` are the bridge's links that are not well, in words, `readers` all
    of them and `lost_zones` what none of them hears; `silent` is what asks nothing of anyone for
    now, `doubted` how often findings from a zone were dismissed. While `sensors` are off the
    dealer deals by hand and nothing is watched. `deck` is the name of the deck in play, `decks`
    those of all that the table has. `capture`: all that crosses the table's wires is being
    recorded. `floor_names` sign in here by PIN, of which `floor_wrong` in a row were wrong and
    none is taken before `floor_wait`; `floor_in` has signed in: these, `ruled_by`, what is between
    `on_board` and `awaited`, `readers` and `lost_zones` are told at the dealer's screen only.
    `dead_button`: nobody plays at the button's seat in this hand. `unpressed` are seats behind
    which others have acted: their press is missing, and nobody needs to do anything about it.
    `moves` are announced by the room. All times are the table's `t`.
    """

    table: str
    rulebook: str
    hand: int = 0
    phase: PhaseName | None = None
    button: int = 0
    blinds: Blinds | None = None
    seats: tuple[SeatView, ...] = ()
    board: tuple[str, ...] = ()
    on_board: tuple[str, ...] | None = None
    odd: tuple[int, ...] = ()
    backs: tuple[tuple[int, int], ...] = ()
    price: Price | None = None
    taken_for: tuple[tuple[int, TakenFor], ...] = ()
    awaited: tuple[tuple[int, str], ...] = ()
    rests_on: tuple[tuple[int, str], ...] = ()
    to_act: int | None = None
    prompt: str = ""
    prompt_id: str = ""
    prompt_args: dict[str, Any] = {}
    findings: tuple[FindingView, ...] = ()
    ruled: tuple[FindingView, ...] = ()
    ruled_by: dict[int, str] = {}
    floor: Literal["", "called", "coming"] = ""
    links: tuple[str, ...] = ()
    readers: tuple[ReaderView, ...] = ()
    lost_zones: tuple[str, ...] = ()
    pot: int | None = None
    dealer: str | None = None
    small: int | None = None
    big: int | None = None
    next_button: int | None = None
    absent: tuple[int, ...] = ()
    burns: int = 0
    turn_since: float | None = None
    clock: CalledOn | None = None
    level: LevelView | None = None
    may_misdeal: bool = True
    dealer_misdeals: bool = True
    is_open: bool = True
    is_watched: bool = True
    sensors: bool = True
    floor_by: str | None = None
    floor_heard: bool = True
    room_lost: float | None = None
    silent: tuple[Silence, ...] = ()
    doubted: tuple[tuple[str, int], ...] = ()
    deck: str = ""
    decks: tuple[str, ...] = ()
    capture: bool = False
    floor_names: tuple[str, ...] = ()
    floor_in: str | None = None
    floor_wait: float | None = None
    floor_wrong: int = 0
    dead_button: bool = False
    unpressed: tuple[int, ...] = ()
    moves: tuple[MoveView, ...] = ()


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
    """What the house leaves to its dealers."""

    dealer_misdeals: bool


PictureNow = HouseNow | DecksNow | FloorNow | RoomNow | LinksNow | SensorsNow | CaptureNow
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
        names = (name for name in Sight.__struct_fields__ if name != "ticked")
        self._set(**{name: getattr(sight, name) for name in names})
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
        if not self.view.findings:
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
                self._set(phase=event.phase)
                if event.phase in ("flop", "turn", "river", "showdown"):
                    self._new_round()
                elif event.phase in ("complete", "misdeal"):
                    self._set(to_act=None, turn_since=None, ruled=(), ruled_by={})
            case Board():
                self._set(board=event.cards)
            case Tabled():
                self._seat(event.seat, tabled=event.cards)
            case Action():
                self._acted(event)
            case Finding():
                self._found(event)
            case Ruling():
                self._ruled(event)
            case Closed():
                self._closed(event)
            case FloorCalled():
                self._set(floor="called", floor_by=None)
            case FloorComing():
                self._set(floor="coming", floor_by=event.by)
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
        used = blanks(self._texts.prompts[prompt.text_id])
        self._set(
            prompt=self._texts.prompt(prompt.text_id, prompt.args),
            prompt_id=prompt.text_id,
            prompt_args={name: prompt.args[name] for name in sorted(used)},
        )

    def _new_round(self) -> None:
        self._set(
            seats=tuple(
                replace(s, bet=None, last_action=None) if s.state == "live" else s
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
        self._set(pot=sum(pot.amount for pot in event.pots) if event.pots else None)
        for seat, chips in (event.stacks or {}).items():
            self._seat(int(seat), stack=chips)
