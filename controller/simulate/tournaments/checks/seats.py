"""Each player is in one place, and each seat has one player.

Sources: HPT-SEAT-04, RR7-T-18, UK-10, TDA09-07 (all come together where all seats are redrawn).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from controller.room.register import Player
from controller.room.seat_draw import AtSeat


def of_register(
    players: Iterable[Player], chairs: Mapping[str, int], ids: frozenset[str]
) -> Iterator[str]:
    """Who sits has a seat that there is, and who does not has none; nobody is lost."""
    players = tuple(players)
    by_seat = Counter(each.at for each in players if each.at is not None)
    for at, count in by_seat.items():
        if count > 1:
            yield f"{count} players have {at.table}, seat {at.seat}"
        if not 1 <= at.seat <= chairs.get(at.table, 0):
            yield f"there is no {at.table}, seat {at.seat}"
    for id_, count in Counter(each.id for each in players).items():
        if count > 1:
            yield f"{id_} is in the register {count} times"
    lost = ids - {each.id for each in players}
    if lost:
        yield f"{', '.join(sorted(lost))} entered and is in no register"
    for each in players:
        if (each.at is None) != (each.status in ("entered", "out")):
            yield f"{each.id} is {each.status} and has {_words(each.at)}"


def at_table(due: Mapping[int, str], there: Mapping[int, str]) -> Iterator[str]:
    """At a table sits who sits there by the register, and nobody else."""
    for seat in sorted(due.keys() | there.keys()):
        if due.get(seat) != there.get(seat):
            yield (
                f"at seat {seat} sits {there.get(seat) or 'nobody'}, and by the register "
                f"{due.get(seat) or 'nobody'}"
            )


def of_redraw(table: str, on_the_way: Collection[str]) -> Iterator[str]:
    """Where all seats were drawn anew no table deals before everybody is there."""
    if on_the_way:
        yield f"{table} deals its first hand, and {', '.join(on_the_way)} has not arrived"


def _words(at: AtSeat | None) -> str:
    return "no seat" if at is None else f"{at.table}, seat {at.seat}"
