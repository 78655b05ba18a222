"""The room, or one of its events, as the wall hears it. Pure: messages and times are given in.

`t` is this machine's own time in seconds, which never goes back and counts while it sleeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    ROOM_TOURNAMENT,
    MessageError,
    RoomClock,
    RoomTime,
    RoomTournament,
    State,
    Topic,
)

SAMPLES = 20
JUMP_MS = 2_000
"""A room's time that is ahead by more is another one. If it is behind, the message came late, as
long as the room has not begun anew."""


HEARD = (ROOM_STATE, ROOM_TIME, ROOM_CLOCK, ROOM_TOURNAMENT)
_OF_EVENT: tuple[Topic[Any], ...] = (EVENT_CLOCK, EVENT_TOURNAMENT)


@lru_cache(maxsize=8)
def topics(site: str, event: str = "") -> Mapping[str, Topic[Any]]:
    """What is heard, by its whole name: of the event of that id, or of the first one."""
    if not event:
        return {each.name(site): each for each in HEARD}
    of_room = {each.name(site): each for each in (ROOM_STATE, ROOM_TIME)}
    return of_room | {each.name(site, event): each for each in _OF_EVENT}


class RoomAsHeard(Struct, frozen=True):
    """All that is known of the room; times are `t`.

    `offsets` are the room's time less ours in ms, as lately told by the room whose run is
    `session`, the newest last. `heard_at` is when the room last told its time, or our beginning.
    `gone`: its last will has come. `unread` counts what could not be read.
    """

    began: float
    clock: RoomClock | None = None
    tournament: RoomTournament = RoomTournament()
    offsets: tuple[float, ...] = ()
    session: str = ""
    heard_at: float | None = None
    linked: bool = False
    gone: bool = False
    unread: int = 0

    def now_ms(self, t: float) -> float | None:
        """The room's time; None before it was told.

        A message can only come late, so the greatest offset is the truest.
        """
        return t * 1000 + max(self.offsets) if self.offsets else None

    def left_ms(self, t: float) -> float | None:
        """What is left of the level or break; None if that is not known."""
        if self.clock is None:
            return None
        if self.clock.deadline_ms is None:
            return float(self.clock.remaining_ms or 0)
        now_ms = self.now_ms(t)
        return None if now_ms is None else max(0.0, self.clock.deadline_ms - now_ms)


def took(
    heard: RoomAsHeard, incoming: Incoming, site: str, t: float, event: str = ""
) -> RoomAsHeard:
    """Return what is known after a message. What can't be read is counted."""
    topic = topics(site, event).get(incoming.topic)
    if topic is None:
        return heard
    if topic in (ROOM_TOURNAMENT, EVENT_TOURNAMENT) and not incoming.payload:
        return replace(heard, tournament=RoomTournament())
    if topic is EVENT_CLOCK and not incoming.payload:
        return replace(heard, clock=None)  # the event is closed
    try:
        told = topic.decode(incoming.payload).value
    except MessageError:
        return replace(heard, unread=heard.unread + 1)
    match told:
        case RoomTime():
            offset = told.now_ms - t * 1000
            known = heard.offsets
            if known and (told.session != heard.session or offset > max(known) + JUMP_MS):
                known = ()
            offsets = (*known, offset)[-SAMPLES:]
            return replace(heard, offsets=offsets, session=told.session, heard_at=t, gone=False)
        case RoomClock():
            return replace(heard, clock=told)
        case RoomTournament():
            return replace(heard, tournament=told)
        case State():
            return replace(heard, gone=told.state == "lost")
    return heard
