"""One table: observations in, and what follows from them out to screens and room."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from controller.engine.engine import Engine
from controller.events import Event
from controller.observations import Observation
from controller.table.publisher import Publisher
from controller.view import Picture, TableView

LATE_S = 0.2
"""How far a reading may lag behind what is entered by hand: an entry is dated back by so much,
since a hand is slower than that and a reading must keep its own time."""


class TableService:
    """Feeds the engine in the order of time and passes on what it says."""

    def __init__(
        self,
        engine: Engine,
        picture: Picture,
        publisher: Publisher,
        *,
        show: Callable[[TableView], None],
        tell: Callable[[Event], None] = lambda _event: None,
    ) -> None:
        """`show` gets each new picture for the screens, `tell` each event."""
        self._engine = engine
        self._picture = picture
        self._publisher = publisher
        self._show = show
        self._tell = tell
        self._last_t = 0.0

    @property
    def view(self) -> TableView:
        """The table as it stands."""
        return self._picture.view

    def entry_time(self, now: float) -> float:
        """The `t` of something that is entered by hand at `now`."""
        return max(self._last_t, now - LATE_S)

    def observe(self, observation: Observation) -> None:
        """Takes one observation; time that would run backwards stands still."""
        if observation.t is not None:
            if observation.t < self._last_t:
                observation = msgspec.structs.replace(observation, t=self._last_t)
            self._last_t = observation.t or self._last_t
        events = self._engine.observe(observation)
        changed = self._picture.take(events)
        if events:
            self._publisher.events(events, self.view)
            for event in events:
                self._tell(event)
        if changed:
            self._shown()

    def links(self, troubles: tuple[str, ...]) -> None:
        """Which links of the bridge are not well, in words."""
        if self._picture.with_links(troubles):
            self._shown()

    def _shown(self) -> None:
        self._publisher.picture(self.view)
        self._show(self.view)
