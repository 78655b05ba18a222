"""No chip is lost or made, and each is where its player sits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def of_hand(began: Mapping[int, int], left: Mapping[int, int]) -> Iterator[str]:
    """A hand changes whose the chips are, and not how many."""
    if sum(began.values()) != sum(left.values()):
        yield f"a hand began with {sum(began.values()):,} chips and left {sum(left.values()):,}"
    broke = sorted(seat for seat, chips in left.items() if chips < 0)
    if broke:
        yield f"less than nothing is left at the seats {broke}"


def in_play(stacks: int, entered: int, bought: int, out: int, told: int | None) -> Iterator[str]:
    """All stacks are what has `entered` and was `bought`, or added by races, without what has left
    play; and the room has `told` so."""
    due = entered + bought - out
    if stacks != due:
        yield (
            f"{stacks:,} chips are in play, and not {due:,}: {entered:,} by entries, "
            f"{bought:,} bought or raced, {out:,} left play"
        )
    if told is not None and told != due:
        yield f"the room says that {told:,} chips are in play, and not {due:,}"


def at_table(there: Mapping[int, int], due: Mapping[int, int]) -> Iterator[str]:
    """Before each seat is what its player has."""
    for seat in sorted(there.keys() | due.keys()):
        if there.get(seat) != due.get(seat):
            yield f"seat {seat} has {there.get(seat)} chips, and its player {due.get(seat)}"


def left_play(stacks: Mapping[int, int], chip: int) -> Iterator[str]:
    """No hand begins with smaller chips than are in play."""
    for seat, chips in sorted(stacks.items()):
        if chips % chip:
            yield f"seat {seat} has {chips:,} chips, and the smallest is {chip:,}"
