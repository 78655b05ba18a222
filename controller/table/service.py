"""One table: observations in, and what follows from them out to screens and room.

What was observed is recorded before anything that follows from it leaves the process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from controller.contract.messages import Message
from controller.contract.observations import Observation, Seen
from controller.contract.view import Picture, PictureNow, TableView
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
        self, observation: Observation, messages: Sequence[Message], command: str | None
    ) -> None:
        """Returns once it is kept, or once it is known that it can't be."""


class TableService:
    """Feeds the engine in the order of time and passes on what it says. `last_commit_s` is how long
    the disk took with the last observation, in seconds."""

    def __init__(
        self,
        engine: Engine,
        picture: Picture,
        publisher: Publisher,
        *,
        publish: Callable[[Message], None],
        show: Callable[[TableView], None],
        taken: Callable[[Observation, bool], None] = lambda _observation, _by_bridge: None,
        recorder: Recorder,
        decks: Decks,
        last_t: float = 0.0,
    ) -> None:
        """`publish` takes messages for the room, `show` each new picture for the screens. `taken`
        is told of each observation once all that follows from it is out, and whether the bridge
        made it. `decks` has the one in play as the engine does."""
        self._engine = engine
        self._picture = picture
        self._publisher = publisher
        self._publish = publish
        self._show = show
        self._taken = taken
        self._recorder = recorder
        self._decks = decks
        self._last_t = last_t
        self.last_commit_s = 0.0
        picture.with_now(decks.now)
        picture.with_sight(engine.sight())

    @property
    def view(self) -> TableView:
        """The table as it stands."""
        return self._picture.view

    def entry_time(self, now: float) -> float:
        """The `t` of something that is entered by hand at `now`."""
        return max(self._last_t, now - LATE_S)

    def observe(
        self, observation: Observation, command: str | None = None, *, by_bridge: bool = False
    ) -> None:
        """Takes one observation; time that would run backwards stands still. `command` is the
        id of the command that it came from. Where it shows that the table has changed to another
        of its decks, that is observed first."""
        if observation.t is not None:
            if observation.t < self._last_t:
                observation = msgspec.structs.replace(observation, t=self._last_t)
            self._last_t = observation.t or self._last_t
        if isinstance(observation, Seen):
            name = self._decks.change_by(observation, self._engine.first_cards)
            if name is not None and (change := self._decks.change(name, observation.t)):
                self._take(change, by_bridge=by_bridge)
        self._take(observation, command, by_bridge=by_bridge)

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
        self, observation: Observation, command: str | None = None, *, by_bridge: bool = False
    ) -> None:
        self._decks.follow(observation)
        before = self.view
        events = self._engine.observe(observation)
        changed = self._picture.take(account(self._engine, observation, events))
        changed |= self._picture.with_sight(self._engine.sight())
        changed |= self._picture.with_now(self._decks.now)
        messages = self._publisher.events(observation, events, before, self.view)
        if changed:
            messages.append(self._publisher.picture(self.view))
        began = time.monotonic()
        self._recorder.record(observation, messages, command)
        self.last_commit_s = time.monotonic() - began
        for message in messages:
            self._publish(message)
        if changed:
            self._show(self.view)
        self._taken(observation, by_bridge)

    def now(self, now: PictureNow) -> None:
        """What else is so by now."""
        if self._picture.with_now(now):
            self._publish(self._publisher.picture(self.view))
            self._show(self.view)
