"""What the tables have of the register, beside what they are to have: pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SeatingState = Literal["taken", "sent", "pending", "refused", "away"]
"""`sent`: not answered yet; `pending`: the table has taken it, and it counts from its next riffle;
`taken`: it counts; `refused`: the table has said why not; `away`: it can't be heard."""


class SeatDiffers(Struct, frozen=True):
    """A seat of which register and table say different things, though the table has been told:
    `player` has it by the register and is not dealt in, or, without one, somebody is dealt in
    there."""

    seat: int
    player: str = ""


class TableSeating(Struct, frozen=True):
    """How far a table of the tournament has what the register has; `trouble` is why not."""

    table: str
    state: SeatingState
    trouble: str = ""
    differs: tuple[SeatDiffers, ...] = ()


class ProposedOut(Struct, frozen=True):
    """A player who has nothing left after a hand that he began with `began`, if that is known.
    `entrant` is his id."""

    table: str
    seat: int
    entrant: str
    player: str
    hand: int
    began: int | None = None
