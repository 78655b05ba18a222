"""Where the button of each table is, beside where it was due: pure.

Room and table count it by the same rules, from one hand to the next (RR7-T-30, UK-30, TDA09-24,
HPT-DB-01, NL10-DB-01; heads-up UK-32, TDA09-26, HPT-HU-01). They come apart where somebody has set
the table up anew, or a deal has shown another button than was believed.
"""

from __future__ import annotations

from msgspec import Struct

from controller.contract.view import TableView
from controller.room.seating import dealt_in, is_over
from controller.rules.button import Positions, next_positions

FEWEST = 2


class PuckDiffers(Struct, frozen=True):
    """A table whose hand has its button at `at`, where it was `due` elsewhere. In the hand to come
    it would be due at `next`."""

    table: str
    hand: int
    due: int
    at: int
    next: int


class PuckSeen(Struct, frozen=True):
    """The last hand of a table: where its button and blinds were and where they `belonged`, and
    whether it was a misdeal, after which all is as before."""

    hand: int
    place: Positions
    belonged: Positions
    is_misdeal: bool = False
    differs: PuckDiffers | None = None


def after(before: PuckSeen | None, view: TableView) -> PuckSeen | None:
    """What is known once a table has shown this. Of a hand that was not seen, or the first of all,
    nothing is claimed."""
    seats = dealt_in(view)
    if view.phase is None or view.small is None or view.big is None or len(seats) < FEWEST:
        return before
    place = Positions(view.button, view.small, view.big)
    is_misdeal = view.phase == "misdeal"
    if before is not None and before.hand == view.hand:
        return _same_hand(before, view, is_misdeal=is_misdeal)
    if before is None or view.hand != before.hand + 1:
        return PuckSeen(view.hand, place, place, is_misdeal)
    due = _due(before, seats)
    if any(each.button == place.button and each.big == place.big for each in due):
        return PuckSeen(view.hand, place, due[0], is_misdeal)
    belonged = due[0]
    coming = next_positions(belonged, seats).button
    differs = PuckDiffers(view.table, view.hand, belonged.button, place.button, coming)
    return PuckSeen(view.hand, place, belonged, is_misdeal, differs)


def _same_hand(before: PuckSeen, view: TableView, *, is_misdeal: bool) -> PuckSeen:
    if is_misdeal == before.is_misdeal or not is_over(view):
        return before
    return PuckSeen(before.hand, before.place, before.belonged, is_misdeal, before.differs)


def _due(before: PuckSeen, seats: frozenset[int]) -> tuple[Positions, ...]:
    """Where button and blinds may be: by where they belonged, or by where they were."""
    if before.is_misdeal:
        return before.belonged, before.place
    return next_positions(before.belonged, seats), next_positions(before.place, seats)


def agreed(seen: PuckSeen) -> PuckSeen:
    """It is where it belongs: somebody has said so, or has set it."""
    return PuckSeen(seen.hand, seen.place, seen.place, seen.is_misdeal)
