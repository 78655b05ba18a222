"""How a hand goes when nothing is wrong: its script, whose turn it is, what closes a round.

Sources: HPT-DEAL-03 to -11 and HPT-PLAY-03 to -11, RR7-HE-0, HPT-HU-02 and UK-32 (heads-up),
HPT-BURN-01 (burns). A step says what must be true of the hand for it to be done; it holds
no progress of its own, so that a late read or a remedy can change what is done at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Street = Literal["flop", "turn", "river"]
RoundName = Literal["preflop", "flop", "turn", "river"]
Pile = Literal["burn", "board"]

STREETS: tuple[Street, ...] = ("flop", "turn", "river")
SIZE: dict[Street, int] = {"flop": 3, "turn": 1, "river": 1}
HOLE_CARDS = 2


@dataclass(frozen=True, slots=True)
class Deal:
    """Two cards to every entitled seat, one at a time, clockwise."""


@dataclass(frozen=True, slots=True)
class Round:
    """A betting round."""

    name: RoundName


@dataclass(frozen=True, slots=True)
class Burn:
    """The street's burns lie on the burn pile; `count` of them in all."""

    street: Street
    count: int = 1


@dataclass(frozen=True, slots=True)
class Turn:
    """The street's cards are turned up on the board."""

    street: Street


@dataclass(frozen=True, slots=True)
class Back:
    """These tags go back into the stub, or with `aside` out of play for now: all of them have left
    the board."""

    street: Street
    tags: frozenset[str]
    aside: bool = False

    def __repr__(self) -> str:
        return f"Back({self.street!r}, {len(self.tags)} cards)"


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The stub is shuffled before this street is dealt from it. No antenna sees it: an entry
    says so, and it is over, done or not, with the next card off the stub."""

    street: Street
    cut: bool


@dataclass(frozen=True, slots=True)
class PickBurn:
    """One of these tags is picked as the next burn, or as the flop's `own`, the others are of the
    flop."""

    street: Street
    tags: frozenset[str]
    own: bool = False

    def __repr__(self) -> str:
        return f"PickBurn({self.street!r}, {len(self.tags)} cards)"


@dataclass(frozen=True, slots=True)
class Reorder:
    """Each of these tags lies where it belongs by the order in which they left the stub:
    `(tag, pile, street)`. Those that should not have left it yet go `back`."""

    places: tuple[tuple[str, Pile, Street], ...]
    back: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"Reorder({len(self.places)} cards)"


@dataclass(frozen=True, slots=True)
class Settle:
    """All movements of this finding's remedy have been made."""

    finding: int


@dataclass(frozen=True, slots=True)
class Showdown:
    """Two or more hands are left: they are tabled, then the pot is awarded."""


ScriptStep = Deal | Round | Burn | Turn | Back | Shuffle | PickBurn | Reorder | Settle | Showdown


def script(*, burns: bool, board: bool) -> list[ScriptStep]:
    """The steps of a hand at a table with these zones.

    A step that no antenna could see is left out: what is not watched can't be awaited.
    """
    steps: list[ScriptStep] = [Deal(), Round("preflop")]
    for street in STREETS:
        if burns:
            steps.append(Burn(street))
        if board:
            steps.append(Turn(street))
        steps.append(Round(street))
    steps.append(Showdown())
    return steps


def clockwise(seats: Iterable[int], after: int) -> list[int]:
    """These seats in the order of play, beginning left of seat `after`."""
    return sorted(seats, key=lambda seat: (seat - after - 1) % 10)


def round_before(street: Street | None) -> RoundName:
    """The betting round after which a street is dealt; the first one without a street."""
    order: tuple[RoundName, ...] = ("preflop", *STREETS)
    return order[0 if street is None else STREETS.index(street)]


def later_streets(street: Street) -> tuple[Street, ...]:
    """The streets that come after this one."""
    return STREETS[STREETS.index(street) + 1 :]
