"""Clocks that were called on players, in the room's time: pure.

A table tells its own time, and the room notes when it heard that. What was said just now came late
by the way it took, if at all, so that the earliest end is the truest; it is off by less than
`JITTER_MS` then. What the broker had kept is as old as the two wall clocks say, and as sure as
they agree.
"""

from __future__ import annotations

from msgspec import Struct

from controller.contract.messages import Hand

LINGERS_MS = 5_000
"""So long a call is shown that has run out and was not taken back."""
JITTER_MS = 100
"""An end that moves by less has not moved."""


class Called(Struct, frozen=True):
    """A call at a table: in its own time it ends at `until`, in the room's at `until_ms`.

    `is_live`: the room has heard it as it was said.
    """

    session: str
    seat: int
    until: float
    until_ms: int
    is_live: bool


def heard(
    before: Called | None, hand: Hand | None, now_ms: int, age_ms: int | None = None
) -> Called | None:
    """The call that runs by what a table has said; `age_ms` is how old that is by the wall clocks,
    where the broker had kept it, else None."""
    if hand is None or hand.view.clock is None or hand.t is None:
        return None
    clock, is_live = hand.view.clock, age_ms is None
    left_ms = round((clock.until - hand.t) * 1_000)
    until_ms = now_ms + left_ms - max(0, age_ms or 0)
    now = Called(hand.session, clock.seat, clock.until, until_ms, is_live)
    if before is None or _which(before) != _which(now) or is_live > before.is_live:
        return now
    sooner = is_live == before.is_live and until_ms < before.until_ms - JITTER_MS
    return now if sooner else before


def is_shown(until_ms: int, now_ms: float) -> bool:
    """Whether a call runs, or has just run out."""
    return now_ms < until_ms + LINGERS_MS


def _which(called: Called) -> tuple[str, int, float]:
    return (called.session, called.seat, called.until)
