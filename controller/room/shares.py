"""The stacks that were shared at their tables, and what of it each has had: pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from controller.room.acts import ActError
from controller.room.known import Known
from controller.room.register import Player, Register
from controller.rules.forfeits import shared_evenly


class Share(Struct, frozen=True):
    """Of the stack of who is out by `finish` those of these entries have `each`; `odd` are the
    chips that went to the bank."""

    finish: int
    to: tuple[str, ...]
    each: int
    odd: int


class Shared(Struct, frozen=True):
    """All that was shared, the last one last."""

    given: tuple[Share, ...] = ()

    def of(self, entry: str) -> int:
        """What of it somebody has."""
        return sum(one.each for one in self.given if entry in one.to)


def share(register: Register, gone: Player, known: Known, chip: int) -> Share:
    """How the stack of a player is shared among the others at his table, in whole chips of `chip`,
    as is done with who has been away for too long (HPT-LEAVE-04); its finish is not known yet.
    Raises ActError where it is not known what he has."""
    if gone.at is None:
        raise ActError(f"{gone.name} has no seat")
    if gone.at.table in known.in_a_hand:
        raise ActError(f"table {gone.at.table} plays a hand: share the chips once it is over")
    has = known.chips.get(gone.entry)
    if has is None:
        raise ActError(f"what {gone.name} has is not known: nothing can be shared")
    to = tuple(
        each.entry
        for at, each in sorted(register.by_seat.items())
        if at.table == gone.at.table and each.id != gone.id
    )
    each, odd = shared_evenly(has, len(to), chip)
    return Share(0, to, each, odd)


def smallest(chips: Iterable[int], gone: Iterable[int]) -> int:
    """The smallest chip that is in play; 1 where it is not known which there are."""
    return min(set(chips) - set(gone), default=1)


def without(shared: Shared, finishes: Collection[int]) -> Shared:
    """Without what was shared of those who are back in."""
    kept = tuple(one for one in shared.given if one.finish in finishes)
    return shared if len(kept) == len(shared.given) else Shared(kept)
