"""Rooms as a wall hears them, for the tests of the wall."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.events import Blinds
from controller.contract.messages import (
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    ROOM_TOURNAMENT,
    ClockWord,
    Notice,
    RoomClock,
    RoomTime,
    RoomTournament,
    State,
)
from display.wall.heard import RoomAsHeard, took

SITE = "hall"
MINUTE = 60_000
LEVEL = RoomClock(
    index=4,
    level=5,
    on_break=False,
    blinds=Blinds(150, 300, 300),
    next_blinds=Blinds(200, 400, 400),
    next_is_break=False,
    duration_ms=20 * MINUTE,
    deadline_ms=754_000,
    to_break_ms=20 * MINUTE,
)
PAUSED = replace(LEVEL, deadline_ms=None, remaining_ms=754_000)
BREAK = replace(LEVEL, on_break=True, duration_ms=10 * MINUTE, deadline_ms=354_000)
FINAL = replace(
    LEVEL, ended=True, deadline_ms=None, remaining_ms=0, next_blinds=None, to_break_ms=None
)
PARTY = RoomTournament("Friday", entries=24, players_left=14, average_stack=12_857)
LOUD_PARTY = replace(PARTY, notices=(Notice(1, "Pizza is here, next to the cashier"),))


def heard(
    clock: RoomClock | None = LEVEL,
    *,
    state: ClockWord = "running",
    why: str = "",
    called: bool = False,
    about: RoomTournament | None = None,
    linked: bool = True,
) -> RoomAsHeard:
    """A room whose time is the wall's own, heard at 0."""
    if clock is not None:
        clock = replace(clock, state=state, why=why, called=called)
    return RoomAsHeard(0.0, clock, about or PARTY, (0.0,), heard_at=0.0, linked=linked)


def time(now_ms: int, session: str = "s") -> Incoming:
    payload = RoomTime(session, now_ms)
    return Incoming(ROOM_TIME.name(SITE), msgspec.json.encode(payload), retain=False)


def clock(told: RoomClock, **more: object) -> Incoming:
    payload = msgspec.to_builtins(told) | more
    return Incoming(ROOM_CLOCK.name(SITE), msgspec.json.encode(payload), retain=True)


def state(word: str) -> Incoming:
    payload = msgspec.convert({"state": word, "session": "s", "version": "1"}, State)
    return Incoming(ROOM_STATE.name(SITE), msgspec.json.encode(payload), retain=True)


def tournament(**told: object) -> Incoming:
    payload = msgspec.json.encode(told | {"v": 1})
    return Incoming(ROOM_TOURNAMENT.name(SITE), payload, retain=True)


def hears(before: RoomAsHeard, t: float, *messages: Incoming) -> RoomAsHeard:
    for message in messages:
        before = took(before, message, SITE, t)
    return before
