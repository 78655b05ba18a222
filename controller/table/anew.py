"""Setting the table up anew between two hands: all that is still so is told again.

A `table` record forgets what was known of the table; one thing only is to change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from controller.contract.observations import (
    Award,
    Gone,
    Level,
    Mute,
    Observation,
    Reader,
    Seen,
    SignIn,
    Table,
    TableSeat,
    level_of,
)
from controller.contract.zones import seat_of
from controller.engine.state import EngineState


def with_button(
    state: EngineState,
    button: int,
    *,
    deck: Mapping[str, str] | None,
    lying: Sequence[Seen | Gone],
    t: float,
) -> list[Observation]:
    """What to tell the engine so that the button is at this seat and all else as in `state`, with
    the same tags `lying` on the table. `t` is now; `deck` is the one in play.

    Cards that still lie at seats are those of a hand that is over, and begin none.
    """
    at_seats = cards_at_seats(lying, state.table.objects)
    table = replace(state.table, button=button, under_way=bool(at_seats))
    told = _as_in(state, table, deck, lying, t)
    if at_seats:
        told.append(Award(kind="dealer", t=t, reason="the room sets the button"))
    return told


def under_way(
    state: EngineState, button: int | None, *, deck: Mapping[str, str] | None, t: float
) -> list[Observation]:
    """What to tell the engine so that all is as in `state`, and that a hand is being played whose
    beginning nobody saw, from this `button` as far as that is known; what anybody has after it is
    not known. What lies on the table is to be told afterwards."""
    table = replace(state.table, seats=without_stacks(state.table), under_way=True)
    return _as_in(state, table if button is None else replace(table, button=button), deck, (), t)


def without_stacks(table: Table) -> tuple[TableSeat, ...]:
    """The seats, of none of which it is known what it has."""
    return tuple(replace(seat, stack=None) for seat in table.seats)


def cards_at_seats(lying: Iterable[Seen | Gone], objects: Collection[str]) -> dict[str, int]:
    """The tags that lie at seats and are no objects, each with its seat."""
    seats = {read.tag: seat_of(read.zone) for read in lying if isinstance(read, Seen)}
    return {tag: seat for tag, seat in seats.items() if seat is not None and tag not in objects}


def _as_in(
    state: EngineState,
    table: Table,
    deck: Mapping[str, str] | None,
    lying: Sequence[Seen | Gone],
    t: float,
) -> list[Observation]:
    whole = None if deck is None else dict(deck)
    told: list[Observation] = [
        replace(table, deck=whole),
        *(replace(read, t=t) for read in lying),
    ]
    told += [Reader(t, zone, "lost") for zone, until in state.unread_until.items() if until is None]
    if state.dealer is not None:
        told.append(SignIn(kind="dealer", t=t, name=state.dealer))
    if state.next_blinds is not None:
        told.append(Level(t=t, **level_of(state.next_blinds)))
    for mute in state.trust.mutes:
        hands = mute.last_hand - state.hands
        if hands > 0:
            told.append(Mute(kind="floor", t=t, code=mute.code, zone=mute.zone, hands=hands))
    return told
