"""What a room publishes of itself and of its events."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    ROOM_TOURNAMENT,
    Message,
    Presence,
    RoomClock,
    RoomTime,
    RoomTournament,
    State,
)
from controller.room.lead import Lead


class RoomRun(Struct, frozen=True):
    """One run of a room at a site: `session` is new for each, `version` is the program's."""

    site: str
    session: str
    version: str

    def state(self, state: Presence) -> Message:
        """The message that says how the room is; `lost` makes the last will."""
        said = State(state, self.session, self.version)
        return ROOM_STATE.message(self.site, payload=said)


class RoomPublisher:
    """Says nothing while another room leads."""

    def __init__(self, run: RoomRun, lead: Lead, publish: Callable[[Message], None]) -> None:
        self._run = run
        self._lead = lead
        self._publish = publish

    def ready(self) -> None:
        """Say that the room is there."""
        if self._lead.leads:
            self._publish(self._run.state("ready"))

    def time(self, now_ms: int) -> None:
        """Say the room's time."""
        if self._lead.leads:
            said = RoomTime(self._run.session, now_ms)
            self._publish(ROOM_TIME.message(self._run.site, payload=said))

    def no_event(self, event: str) -> None:
        """There is no such event: what is retained of one is deleted."""
        EventPublisher(self._run.site, self._lead, self._publish, event).gone()


class EventPublisher:
    """Of one event, by its id; of the room's first one where that is empty. It says nothing while
    another room leads, and what is retained only when it has changed."""

    def __init__(
        self, site: str, lead: Lead, publish: Callable[[Message], None], event: str = ""
    ) -> None:
        self._site = site
        self._lead = lead
        self._publish = publish
        self._names = (event,) if event else ()
        self._of_clock = EVENT_CLOCK if event else ROOM_CLOCK
        self._of_tournament = EVENT_TOURNAMENT if event else ROOM_TOURNAMENT
        self._clock: RoomClock | None = None
        self._tournament: RoomTournament | None = None

    def anew(self) -> None:
        """All that is said next is news."""
        self._clock = self._tournament = None

    def clock(self, clock: RoomClock) -> None:
        """Say what the clock shows."""
        if self._lead.leads and clock != self._clock:
            self._clock = clock
            self._publish(self._of_clock.message(self._site, *self._names, payload=clock))

    def tournament(self, tournament: RoomTournament) -> None:
        """Say what is known of the tournament."""
        if self._lead.leads and tournament != self._tournament:
            self._tournament = tournament
            message = self._of_tournament.message(self._site, *self._names, payload=tournament)
            self._publish(message)

    def again(self) -> None:
        """Say once more what is retained, as it was said last."""
        clock, tournament = self._clock, self._tournament
        self.anew()
        if clock is not None:
            self.clock(clock)
        if tournament is not None:
            self.tournament(tournament)

    def gone(self) -> None:
        """The event is closed: nothing of it is retained."""
        self.anew()
        if self._lead.leads:
            for topic in (self._of_clock, self._of_tournament):
                self._publish(topic.deletion(self._site, *self._names))
