"""Hand for hand each table plays one hand and waits for the others.

Sources: TDA24-RP8A (it begins with the hands that run as it is announced), TDA24-RP8B, TDA24-RP8C,
TDA24-RP8D (what each hand takes off the clock, which does not run meanwhile).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct


def of_hand(
    table: str, had: Collection[str], running: Collection[str], play: Collection[str]
) -> Iterator[str]:
    """A table deals while those are `running` their hands. Of those that `play`, so many have `had`
    one in this round: with a second one the next round begins."""
    if table not in had:
        return
    for other in sorted(running):
        yield f"{table} deals its next hand, and {other} has not finished"
    for other in sorted(set(play) - set(had)):
        yield f"{table} deals its next hand, and {other} has had none"


def of_end(left: int, until: int | None) -> Iterator[str]:
    """No further hand is dealt so once so few players are left."""
    if until is not None and left <= until:
        yield f"{left} players are left, and the tables play hand for hand until {until}"


class Moment(Struct, frozen=True):
    """Which entry of the schedule is in force, and how much of it is left."""

    index: int
    left_ms: int


def of_clock(
    durations: Sequence[int], breaks: Collection[int], before: Moment, after: Moment, off_ms: int
) -> Iterator[str]:
    """So much came off the clock; a break that it comes to runs in full."""
    passed = before.left_ms - after.left_ms
    for index in range(before.index + 1, after.index + 1):
        passed += durations[index]
    is_right = passed == off_ms
    if after.index in breaks and after.index != before.index:
        is_right = passed <= off_ms and after.left_ms == durations[after.index]
    if not is_right:
        yield f"a hand took {passed // 1000} s off the clock, and not {off_ms // 1000} s"
