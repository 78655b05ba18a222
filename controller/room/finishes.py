"""Who is out, and in which place: pure.

A place follows from how many are left when a player goes out. Players who go out together, with
the same stack in the same hand, share the places that they have taken.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from controller.contract.messages import Actor, Finish, Identifier
from controller.room.acts import Act, ActError
from controller.room.register import PlayerId
from firmware_bridge.sensed import SeatNumber

MAX_FINISHES = 20_000
"""More than players, who may enter again."""

Place = Annotated[int, Meta(ge=1, le=100_000)]
Finishes = tuple[Finish, ...]


class Bust(Act, frozen=True, kw_only=True):
    """`bust`: a player is out. `together`: in the same hand and with the same stack as the one
    before. `place` puts a player in before one who was told first: the smaller stack of two in
    one hand; place 1 is only to name the winner. `forfeits`: his chips leave play with him;
    `shares`: those at his table have them (HPT-LEAVE-04). Who has entered is meant by `entrant`,
    his id in the register, by where he sits or by his name."""

    player: Actor | None = None
    entrant: PlayerId | None = None
    place: Place | None = None
    table: Identifier | None = None
    seat: SeatNumber | None = None
    together: bool = False
    forfeits: bool = False
    shares: bool = False


class Unbust(Act, frozen=True, kw_only=True):
    """`unbust`: that was not so; without `id` it is what was told last. `ids` are of several."""

    id: int | None = None
    ids: Annotated[tuple[int, ...], Meta(max_length=1_000)] = ()


def out(
    finishes: Finishes, left: int | None, act: Bust, number: int, now_ms: int
) -> tuple[Finishes, int]:
    """Who is out then, and how many are left. Raises ActError for what can't be so."""
    if act.place == 1:
        return _named(finishes, left, act, number, now_ms), 1
    if len(finishes) >= MAX_FINISHES:
        raise ActError(f"{MAX_FINISHES} players are already out: that is all that can be kept")
    left = act.place if left is None else left
    if left is None:
        raise ActError("the number of players left is not known: enter the entries, or the place")
    if left <= 1:
        raise ActError("nobody is left to knock out")
    if act.together:
        others, place = _shared(finishes, left, act), left
    elif act.place in (None, left):
        others, place = finishes, left
    else:
        others, place = _put_in(finishes, left, act.place)
    finish = Finish(number, place, act.player or "", act.table, act.seat, now_ms)
    return (*others, finish), left - 1


def back_in(finishes: Finishes, left: int, act: Unbust) -> tuple[Finishes, int]:
    """As if a player had never gone out: who did so later was out a place further down.

    Raises ActError where there is no such player.
    """
    for number in act.ids:
        finishes, left = back_in(finishes, left, replace(act, id=number, ids=()))
    if act.ids:
        return finishes, left
    losers = without_winner(finishes)
    if not losers:
        raise ActError("nobody is out")
    wanted = max(each.id for each in losers) if act.id is None else act.id
    found = next((each for each in losers if each.id == wanted), None)
    if found is None:
        raise ActError("that one is not out")
    others = (each for each in losers if each is not found)
    return tuple(
        replace(each, place=each.place + 1) if each.place <= found.place else each
        for each in others
    ), left + 1


def with_room(finishes: Finishes, left: int) -> Finishes:
    """The finishes while so many are still to come: who is out before them moves down."""
    losers = without_winner(finishes)
    by = max((left + 1 - each.place for each in losers), default=0)
    if by <= 0:
        return finishes if left == 1 else losers
    return tuple(replace(each, place=each.place + by) for each in losers)


def counted(finishes: Finishes, left: int) -> Finishes:
    """The finishes where nobody is out but these: their places follow those who are left."""
    losers = without_winner(finishes)
    taken = sorted(each.place for each in losers)
    moved = tuple(replace(each, place=left + 1 + bisect_left(taken, each.place)) for each in losers)
    winner = tuple(each for each in finishes if each.place == 1)
    return moved + winner if left == 1 else moved


def with_winner(finishes: Finishes, number: int, now_ms: int) -> Finishes:
    """The finishes of a tournament of which one player is left."""
    return (*without_winner(finishes), Finish(number, 1, at_ms=now_ms))


def without_winner(finishes: Finishes) -> Finishes:
    """Those who are out."""
    return tuple(each for each in finishes if each.place != 1)


@lru_cache(maxsize=4)  # it is asked for by each screen, each second
def listed(finishes: Finishes, prizes: tuple[str, ...]) -> Finishes:
    """The finishes for everyone, the best place first; who shares a place shares its prizes."""
    shared = Counter(each.place for each in finishes)

    def shown(finish: Finish) -> Finish:
        first, count = finish.place - 1, shared[finish.place]
        return replace(finish, shared=count, prize=" + ".join(prizes[first : first + count]))

    return tuple(shown(each) for each in sorted(finishes, key=lambda each: (each.place, each.id)))


def _named(finishes: Finishes, left: int | None, act: Bust, number: int, now_ms: int) -> Finishes:
    if left != 1 or act.together:
        raise ActError("place 1 is the winner's: more than one player is left")
    winner = next((each for each in finishes if each.place == 1), Finish(number, 1, at_ms=now_ms))
    named = replace(winner, player=act.player or "", table=act.table, seat=act.seat)
    return (*without_winner(finishes), named)


def _shared(finishes: Finishes, left: int, act: Bust) -> Finishes:
    """The last one out moves up to the place that is shared."""
    last = max(finishes, key=lambda each: each.id, default=None)
    if act.place is not None:
        raise ActError("a shared place follows from the one it is shared with; leave 'place' out")
    if last is None or last.place != left + 1:
        raise ActError("nobody went out just before to share a place with")
    return tuple(
        replace(each, place=left) if each.place == last.place else each for each in finishes
    )


def _put_in(finishes: Finishes, left: int, place: int | None) -> tuple[Finishes, int]:
    """A player before one who has that place, who moves up, and all after him; and the place."""
    count = Counter(each.place for each in finishes)
    ends = [first + many - 1 for first, many in count.items() if first <= (place or 0)]
    end = max(ends, default=0)
    if place is None or not left < place <= end:
        raise ActError(f"{left} players are left: the next place is {left}")
    return tuple(
        replace(each, place=each.place - 1) if each.place <= place else each for each in finishes
    ), end
