"""What a dealer sees who has been watching: findings have opened their cards by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from controller.contract.view import TableView
from display.dealer.arriving import arrived
from display.dealer.link import UnreadableError, check
from display.dealer.looking import Looking


class Watched(Struct, frozen=True):
    """What is known at `t` seconds; `bad` pictures so far could not be shown, and were not."""

    t: float = 0.0
    view: TableView | None = None
    looking: Looking = Looking()
    bad: int = 0


def watch(pictures: Iterable[tuple[float, TableView]]) -> Iterator[Watched]:
    """Yields what is seen after each picture, given with its time in seconds."""
    seen = Watched()
    for t, view in pictures:
        try:
            check(view)
        except UnreadableError:
            seen = Watched(t, seen.view, seen.looking, seen.bad + 1)
        else:
            seen = Watched(t, view, arrived(seen.looking, seen.view, view, t), seen.bad)
        yield seen
