"""What a room says of itself, and what it hears of another room for the same site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.messages import (
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
    Topic,
)
from controller.mqtt import Incoming
from controller.room.lead import Lead

Read = Callable[[Topic[Any], bytes], Any]


class Voice:
    """Says nothing while another room leads, and what is retained only when it has changed.

    `others` is the clock that another room has published, in that room's time, which is
    `others_ahead_ms` later than ours.
    """

    def __init__(
        self,
        site: str,
        session: str,
        version: str,
        *,
        publish: Callable[[Message], None],
        listen_ms: int,
    ) -> None:
        self._site = site
        self._session = session
        self._version = version
        self._publish = publish
        self._clock: RoomClock | None = None
        self._tournament: RoomTournament | None = None
        self.lead = Lead(session, listen_ms)
        self.others: RoomClock | None = None
        self.others_ahead_ms = 0

    def state(self, state: Presence) -> Message:
        """The message that says how the room is; `lost` makes the last will."""
        said = State(state, self._session, self._version)
        return ROOM_STATE.message(self._site, payload=said)

    def anew(self) -> None:
        """The room is there; all that it says is said once more."""
        self._clock = self._tournament = None
        if self.lead.leads:
            self._publish(self.state("ready"))

    def time(self, now_ms: int) -> None:
        """Say the room's time."""
        if self.lead.leads:
            said = RoomTime(self._session, now_ms)
            self._publish(ROOM_TIME.message(self._site, payload=said))

    def clock(self, clock: RoomClock) -> None:
        """Say what the clock shows."""
        if self.lead.leads and clock != self._clock:
            self._clock = clock
            self._publish(ROOM_CLOCK.message(self._site, payload=clock))

    def tournament(self, tournament: RoomTournament) -> None:
        """Say what is known of the tournament."""
        if self.lead.leads and tournament != self._tournament:
            self._tournament = tournament
            self._publish(ROOM_TOURNAMENT.message(self._site, payload=tournament))

    def hears(self, incoming: Incoming, now_ms: int, read: Read) -> bool | None:
        """Take in what a room has said; whether that changes what our pages show. None if it is
        nothing that a room says. Raises what `read` does."""
        topic, payload = incoming.topic, incoming.payload
        if topic == ROOM_TIME.name(self._site):
            return self._heard_time(read(ROOM_TIME, payload), now_ms)
        if topic == ROOM_CLOCK.name(self._site):
            said = read(ROOM_CLOCK, payload) if payload else None
            if said is not None and said.session == self._session:
                return False
            self.others = said
            self._say_again()
            return True
        if topic == ROOM_STATE.name(self._site):
            state = read(ROOM_STATE, payload) if payload else None
            if self.lead.leads and (state is None or state.session != self._session):
                self._publish(self.state("ready"))  # it was the will of a room that stood by
            return False
        return None

    def _say_again(self) -> None:
        """A room that does not lead has put its clock in the place of ours, as one does whose
        connection is back. While another leads too, they would go on at that for ever."""
        if self.lead.leads and not self.lead.other:
            clock, tournament = self._clock, self._tournament
            self._clock = self._tournament = None
            if clock is not None:
                self.clock(clock)
            if tournament is not None:
                self.tournament(tournament)

    def _heard_time(self, said: RoomTime, now_ms: int) -> bool:
        if said.session == self._session:
            return False
        before = (self.lead.leads, bool(self.lead.other))
        self.others_ahead_ms = said.now_ms - now_ms
        self.lead.heard(said.session, now_ms)
        return before != (self.lead.leads, True)


def shifted(said: RoomClock, by_ms: int) -> RoomClock:
    """A clock of another room's time in ours."""
    question = said.question
    if question is not None:
        question = replace(
            question,
            stopped_ms=question.stopped_ms + by_ms,
            back_ms=question.back_ms + by_ms,
            deadline_ms=question.deadline_ms + by_ms,
        )
    deadline_ms = None if said.deadline_ms is None else said.deadline_ms + by_ms
    return replace(said, deadline_ms=deadline_ms, question=question)
