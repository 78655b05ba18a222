"""A table without wires at which a real engine watches hands that are dealt by order: who sits
there is what it is told, and what it makes of it is told on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.contract.cards import CARDS
from controller.contract.events import Event, Finding
from controller.contract.observations import Observation, decode
from controller.contract.picture import Picture
from controller.contract.view import BETWEEN_HANDS, TableView
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.rules.procedure import clockwise
from controller.table.anew import with_button

BOOK = "uk-tda"
SEATS = range(1, 10)

ACES = ("As", "Ah", "Ad", "Ac")
BOARD = ("2c", "7d", "9h", "Js", "4c")
"""With which two aces beat or lose to any hand, and share with none."""


class Felt:
    """Nine chairs, at which nobody sits before somebody says so. `tells` takes what the engine
    finds, and `shows` the table's picture once it is another."""

    def __init__(
        self,
        table: str,
        library: Library,
        tells: Callable[[Event], None],
        shows: Callable[[TableView], None],
    ) -> None:
        self.findings: list[Finding] = []
        self._tells = tells
        self._shows = shows
        self._engine = Engine(library.book)
        self._picture = Picture(table, BOOK, library.texts)
        self._t = 0.0
        self._lying: list[tuple[str, str]] = []
        self._now(
            kind="table",
            v=1,
            table=table,
            rulebook=BOOK,
            seats=[{"seat": seat, "status": "empty"} for seat in SEATS],
            button=1,
            blinds={"small": 100, "big": 200},
        )

    @property
    def view(self) -> TableView:
        """The table's picture."""
        return self._picture.view

    def stacks(self) -> dict[int, int | None]:
        """What everybody has who sits there, between two hands."""
        state = self._engine.state()
        assert state is not None, "a hand is under way"
        return {one.seat: one.stack for one in state.table.seats if one.status != "empty"}

    def deals(self, all_in: Sequence[int] = ()) -> None:
        """A hand, in which these seats go all in, the first of them with aces, and the others
        fold."""
        self.begins(all_in)
        self.ends()

    def begins(self, all_in: Sequence[int] = ()) -> None:
        """A hand is dealt."""
        self._now(kind="riffle")
        self._now(3.0, kind="tick")
        rest = [card for card in CARDS if card not in (*ACES, *BOARD)]
        stub = iter(random.Random(self._t).sample(rest, len(rest)))
        aces = iter(ACES)
        seats = [each.seat for each in self.view.seats]
        self._all_in, self._stub = [seat for seat in all_in if seat in seats], stub
        if self.view.phase in BETWEEN_HANDS or len(seats) < 2:
            return
        for seat in clockwise(seats, self.view.button) * 2:
            self._lays(next(aces if seat in all_in[:1] else stub), f"seat/{seat}", 0.4)
        self._now(3.0, kind="tick")

    def ends(self) -> None:
        """And played, if one was."""
        if self.view.phase in BETWEEN_HANDS:
            return
        if self.view.prompt_id == "kill-absent":
            self._kills(self.view.prompt_args["seats"])
        while (acts := self.view.to_act) is not None:
            button = "all-in" if acts in self._all_in else "fold"
            self._now(2.0, kind="press", seat=acts, button=button)
        if self.view.phase != "complete":
            self._runs_out()
        for tag, zone in self._lying:
            self._now(0.1, kind="gone", zone=zone, tag=tag)
        self._lying = []
        self._now(5.0, kind="tick")

    def says_out(self) -> None:
        """The dealer's one tap of who has no chips left."""
        for seat in self.view.broke:
            self._now(1.0, kind="seat", seat=seat, status="empty")

    def says_here(self, seat: int, player: str) -> None:
        """The dealer's one tap of who has come from another table."""
        self._now(1.0, kind="seat", seat=seat, status="seated", player=player)

    def button_to(self, seat: int) -> None:
        """The room has put the button there for the next hand, as the table's service takes it."""
        state = self._engine.state()
        assert state is not None, "a hand is under way"
        for observation in with_button(state, seat, deck=None, lying=(), t=self._t):
            self._observes(observation)

    def takes(self, observation: Observation) -> None:
        """What somebody has told the table, now."""
        self._observes(replace(observation, t=self._t))

    def _kills(self, seats: str) -> None:
        """The cards of who is not there go to the muck (UK-28)."""
        for number, (tag, zone) in enumerate(self._lying):
            if zone in {f"seat/{seat}" for seat in seats.split(", ")}:
                self._now(0.5, kind="gone", zone=zone, tag=tag)
                self._now(0.5, kind="seen", zone="muck", tag=tag)
                self._lying[number] = (tag, "muck")
        self._now(2.0, kind="tick")

    def _runs_out(self) -> None:
        board: Iterator[str] = iter(BOARD)
        for count in (3, 1, 1):
            self._lays(next(self._stub), "burn", 2.0)
            for number in range(count):
                self._lays(next(board), "board", 0.2 if number else 0.8)
            self._now(4.0, kind="tick")
        for seat in [each.seat for each in self.view.seats if each.state in ("live", "all-in")]:
            self._now(1.0, kind="dealer", input="tabled", seat=seat)
        if self.view.phase != "complete":
            self._now(2.0, kind="dealer", input="award")

    def _lays(self, tag: str, zone: str, after: float) -> None:
        self._lying.append((tag, zone))
        self._now(after, kind="seen", zone=zone, tag=tag)

    def _now(self, after: float = 0.0, **fields: Any) -> None:  # noqa: ANN401 - an observation's
        self._t = round(self._t + after, 3)
        self._observes(decode(msgspec.json.encode({"t": self._t, **fields})))

    def _observes(self, observation: Observation) -> None:
        before = self.view
        events = self._engine.observe(observation)
        self._picture.take(events)
        self._picture.with_sight(self._engine.sight())
        for event in events:
            if isinstance(event, Finding):
                self.findings.append(event)
            self._tells(event)
        if self.view != before:
            self._shows(self.view)
