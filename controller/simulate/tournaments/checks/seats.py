"""Each player is in one place, and each seat has one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

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


def at_tables(due: Mapping[AtSeat, str], there: Mapping[AtSeat, str]) -> Iterator[str]:
    """At the tables sits who sits there by the register; nobody at two."""
    for at in sorted(due.keys() | there.keys()):
        if due.get(at) != there.get(at):
            yield (
                f"{at.table}, seat {at.seat}: {there.get(at) or 'nobody'} sits there, and by the "
                f"register {due.get(at) or 'nobody'}"
            )
    for player, count in Counter(there.values()).items():
        if count > 1:
            yield f"{player} sits in {count} seats"


def _words(at: AtSeat | None) -> str:
    return "no seat" if at is None else f"{at.table}, seat {at.seat}"
