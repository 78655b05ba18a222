"""A table without wires: an engine, the picture of it and a dealer's screen that is tapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import convert, json

from controller.contract.events import Event
from controller.contract.observations import Observation, decode
from controller.contract.picture import AnswerNow, HouseNow, Picture
from controller.contract.view import TableView, position
from controller.contract.wagered import WagerQuestion
from controller.engine.account import account
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.table.wagers import Wagers
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.looking import Looking, opened
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.taps import lines, tapped
from display.dealer.texts import Texts
from tests.rules.table_talk import Talk

PAUSE_S = 1.0
WELL = Connection(cause="")


class Table:
    """A table at which all that `tell` says happens."""

    def __init__(self, library: Library, book: str, log: str = "", **table: object) -> None:
        self._talk = Talk(library, book, **table)
        self._talk.hears = self._hear
        self._engine = Engine(library.book)
        self._picture = Picture("T", book, library.texts)
        self._wagers = Wagers(self._engine, self._answered)
        self.t = 0.0
        self.looking = Looking()
        self.tell(log)

    @property
    def view(self) -> TableView:
        return self._picture.view

    def tell(self, log: str) -> None:
        """See `Talk`."""
        self._talk.tell(log)
        self._picture.with_sight(self._engine.sight())

    def rules(self, outcome: str, by: str = "Ali") -> None:
        """The floor decides the finding that is worst, or that it has decided before."""
        finding = (*self.view.findings, *self.view.ruled)[0].id
        fields = {"input": "ruling", "by": by, "finding": finding, "outcome": outcome}
        self.enter(kind="floor", **fields)

    def enter(self, **fields: object) -> None:
        """Somebody enters this, or asks it."""
        if fields["kind"] == "wager":
            self._wagers.ask(convert(fields, WagerQuestion))
            return
        self.observe(decode(json.encode({**fields, "t": self.t})))

    def _answered(self, now: AnswerNow) -> None:
        before = self.view
        self._picture.with_now(now)
        self.looking = arrived(self.looking, before, self.view, self.t)

    def house(self, now: HouseNow) -> None:
        """The house does it so."""
        self._picture.with_now(now)

    def next_step(self) -> str:
        """The step of the finding that is open; empty without one."""
        finding = opened(self.view, self.looking)
        steps = () if finding is None else finding.ruling.steps
        return "" if finding is None else [*(one.id for one in steps), ""][position(finding)]

    def observe(self, observation: Observation) -> None:
        """This happens."""
        self._hear(observation)
        self._picture.with_sight(self._engine.sight())

    def _hear(self, observation: Observation) -> Sequence[Event]:
        before = self.view
        self.t = max(self.t, observation.t or 0.0)
        told = self._engine.observe(observation)
        self._picture.take(account(self._engine, observation, told))
        if self.view.findings:
            self._picture.with_sight(self._engine.sight())  # where they wait for what is not seen
        self.looking = arrived(self.looking, before, self.view, self.t)
        self._wagers.observed(observation)
        return told

    def tap(self, *buttons: str) -> None:
        """The dealer taps these, one after the other."""
        for button in buttons:
            self.t += PAUSE_S
            self.looking, said = tapped(self.looking, self.view, button)
            for line in lines(said):
                self.enter(**line)

    def screen(
        self, texts: Texts, connection: Connection = WELL, languages: Iterable[str] = ()
    ) -> Screen:
        """What the dealer sees."""
        return build(
            self.view,
            self.looking,
            connection,
            texts,
            now=self.t,
            table_time=self.t,
            languages=dict.fromkeys(languages, ""),
        )
