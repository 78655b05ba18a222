"""One table: observations in, and what follows from them out to screens and room.

What was observed is recorded before anything that follows from it leaves the process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import msgspec

from controller.contract.messages import Message
from controller.contract.observations import Observation, Seen
from controller.contract.picture import Picture, PictureNow
from controller.contract.view import TableView, for_everybody
from controller.engine.account import account
from controller.engine.engine import Engine
from controller.table.decks import Decks
from controller.table.publisher import Publisher

LATE_S = 0.2
"""How far a reading may lag behind what is entered by hand: an entry is dated back by so much,
since a hand is slower than that and a reading must keep its own time."""


class Recorder(Protocol):
    """Keeps what was observed, together with the messages that follow from it."""

    def record(
        self,
        observation: Observation,
        messages: Sequence[Message],
        origin: str | None,
        then: Callable[[], None],
        /,
    ) -> None:
        """Has it kept. `then` is called once it is, or once it is known that it can't be: in the
        order of the calls, perhaps before this returns."""

    def after(self, then: Callable[[], None]) -> None:
        """Calls `then` once that is so for all that was recorded."""


class NoRecorder:
    """Keeps nothing, and lets nothing wait. Implements `Recorder`."""

    def record(
        self,
        _observation: Observation,
        _messages: Sequence[Message],
        _origin: str | None,
        then: Callable[[], None],
        /,
    ) -> None:
        """See `Recorder`."""
        then()

    def after(self, then: Callable[[], None]) -> None:
        """See `Recorder`."""
        then()


class TableService:
    """Feeds the engine in the order of time and passes on what it says, once what it was told is
    kept: the engine may be ahead of what is shown and published."""

    def __init__(
        self,
        engine: Engine,
        picture: Picture,
        publisher: Publisher,
        *,
        publish: Callable[[Message], None],
        show: Callable[[TableView], None],
        taken: Callable[[Observation, bool], None] = lambda _observation, _by_bridge: None,
        told: Callable[[], None] = lambda: None,
        recorder: Recorder,
        decks: Decks,
        last_t: float = 0.0,
    ) -> None:
        """`publish` takes messages for the room, `show` each new picture for the screens. `taken`
        hears of each observation that the engine has taken, and whether the bridge made it; `told`
        is called once all that follows from it is out. `decks` has the one in play as the engine
        does."""
        self._engine = engine
        self._picture = picture
        self._publisher = publisher
        self._publish = publish
        self._show = show
        self._taken = taken
        self._told = told
        self._recorder = recorder
        self._decks = decks
        self._last_t = last_t
        picture.with_now(decks.now)
        picture.with_sight(engine.sight())
        self._shown = picture.view, publisher.seq

    @property
    def view(self) -> TableView:
        """The table as it stands, perhaps ahead of what is shown."""
        return self._picture.view

    def entry_time(self, now: float) -> float:
        """The `t` of something that is entered by hand at `now`."""
        return max(self._last_t, now - LATE_S)

    def observe(
        self, observation: Observation, origin: str | None = None, *, by_bridge: bool = False
    ) -> None:
        """Takes one observation; time that would run backwards stands still. `origin` is
        what would tell it again: the id of a command, or the name of an edge. Where it shows that
        the table has changed to another of its decks, that is observed first."""
        if observation.t is not None:
            if observation.t < self._last_t:
                observation = msgspec.structs.replace(observation, t=self._last_t)
            self._last_t = observation.t or self._last_t
        if isinstance(observation, Seen):
            name = self._decks.change_by(observation, self._engine.first_cards)
            if name is not None and (change := self._decks.change(name, observation.t)):
                self._take(change, by_bridge=by_bridge)
        self._take(observation, origin, by_bridge=by_bridge)

    def change_deck(self, name: str, t: float) -> bool:
        """Puts another of the table's decks in play at `t`; False where a hand is open, or there
        is no such deck."""
        if self._engine.hand is not None or name not in self._decks.names:
            return False
        change = self._decks.change(name, t)
        if change is not None:
            self.observe(change)
        return True

    def _take(
        self, observation: Observation, origin: str | None = None, *, by_bridge: bool = False
    ) -> None:
        self._decks.follow(observation)
        before = self.view
        events = self._engine.observe(observation)
        changed = self._picture.take(account(self._engine, observation, events))
        changed |= self._picture.with_sight(self._engine.sight())
        changed |= self._picture.with_now(self._decks.now)
        messages = self._publisher.events(observation, events, before, self.view)
        if changed:
            messages += self._for_the_room(before, self.view)
        self._taken(observation, by_bridge)
        kept = partial(self._tell, messages, self.view if changed else None, self._publisher.seq)
        self._recorder.record(observation, messages, origin, kept)

    def _tell(self, messages: Sequence[Message], view: TableView | None, seq: int) -> None:
        for message in messages:
            self._publish(message)
        self._shown = view or self._shown[0], seq
        if view is not None:
            now = view if view is self.view else self._picture.as_of_now(view)
            for message in self._for_the_room(view, now, seq):
                self._publish(message)
            self._show(now)
        self._told()

    def now(self, now: PictureNow) -> None:
        """What else is so by now. It waits for nothing."""
        view, seq = self._shown
        before = self._picture.as_of_now(view)
        if self._picture.with_now(now):
            shown = self._picture.as_of_now(view)
            for message in self._for_the_room(before, shown, seq):
                self._publish(message)
            self._show(shown)

    def _for_the_room(
        self, before: TableView, view: TableView, seq: int | None = None
    ) -> list[Message]:
        """The picture, unless it is for the room what it was before."""
        if before is view or for_everybody(before) == for_everybody(view):
            return []
        return [self._publisher.picture(view, seq)]

    def after(self, then: Callable[[], None]) -> None:
        """Calls `then` once all that was observed is kept and told."""
        self._recorder.after(then)
