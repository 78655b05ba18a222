"""What every irregularity has in common: how it is recognised and what the books ask of it.

An observation that is neither the next step of the script nor harmless is a `Deviation`; the
first irregularity that `explains` it becomes the finding. What a book makes of it depends on
the `moment`: a set of facts, all of which are declared in `facts` so that a rule book file
can be checked against them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from controller.rules.hand import Hand, OpenFinding
from controller.rules.procedure import Pile, Street

SCRAP_CODES = ("joker", "boxed-card", "boxed-cards")
"""The codes of cards that do not play."""


@dataclass(frozen=True, slots=True)
class SurplusCard:
    """A card came to a street that already had all of its cards."""

    t: float
    street: Street


@dataclass(frozen=True, slots=True)
class NoBurn:
    """A street's first card came and no card had been burned for it."""

    t: float
    street: Street


@dataclass(frozen=True, slots=True)
class ShortFlop:
    """The flop has stayed at one or two cards."""

    t: float
    street: Street = "flop"


@dataclass(frozen=True, slots=True)
class DoubleBurn:
    """Another card was burned for a street that had its burns. `read` says whether that is
    certain, or whether a street's card that was not read would explain it as well."""

    t: float
    street: Street
    read: bool


@dataclass(frozen=True, slots=True)
class EarlyBurn:
    """A card was burned for a street before the round was complete; `seats` had to act."""

    t: float
    street: Street
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EarlyStreet:
    """A street's card came before the round was complete; `seats` had to act."""

    t: float
    street: Street
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WrongFirstSeat:
    """The first hole card went to `seats[0]`. `read` says whether the rest of the deal shows
    that it did, or whether an unread card would explain it as well."""

    t: float
    seats: tuple[int, ...]
    read: bool
    street: None = None


@dataclass(frozen=True, slots=True)
class Amiss:
    """Something is wrong with the deal, the deck or a single card: `code` says what. `read` as
    for `WrongFirstSeat`; `facts` are what was so, for the books; `tags` the cards concerned."""

    t: float
    code: str
    seats: tuple[int, ...] = ()
    read: bool = True
    facts: frozenset[str] = frozenset()
    tags: tuple[str, ...] = field(default=(), repr=False)
    street: Street | None = None


@dataclass(frozen=True, slots=True)
class PassedOver:
    """`seats` acted, or were passed over, while it was the turn of `due`; `code` says which of
    the two it is about. `early` are all that acted. `read` says whether one of `due` has acted
    since."""

    t: float
    code: str
    seats: tuple[int, ...]
    due: tuple[int, ...]
    facts: frozenset[str]
    early: tuple[int, ...]
    read: bool = False
    street: None = None


@dataclass(frozen=True, slots=True)
class UncertainDeal:
    """The deal looks wrong: it is judged when it pauses or ends."""

    t: float
    street: None = None


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A card of a street left the board or the burns. `read` says whether it was seen somewhere
    else, or whether it may merely not be read."""

    t: float
    street: Street
    pile: Pile
    read: bool = False


Deviation = (
    SurplusCard
    | NoBurn
    | ShortFlop
    | DoubleBurn
    | Disturbed
    | EarlyBurn
    | EarlyStreet
    | WrongFirstSeat
    | Amiss
    | PassedOver
    | UncertainDeal
)


Numbering = Callable[[str, Deviation], int]
"""Gives a finding of this code its number."""


class Irregularity(Protocol):
    """One kind of irregularity. `question` is the step id of what the dealer is asked while
    the finding rests on something not seen, or None where it never does."""

    code: str
    facts: frozenset[str]
    question: str | None

    def explains(self, deviation: Deviation) -> bool:
        """Whether this deviation is that irregularity."""
        ...

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """The facts that the rule books' rulings depend on, as they are now."""
        ...


def rests_on_unseen(deviation: Deviation) -> bool:
    """Whether the deviation would vanish if some card had merely not been read."""
    match deviation:
        case SurplusCard():
            return False
        case (
            WrongFirstSeat(read=read)
            | DoubleBurn(read=read)
            | Disturbed(read=read)
            | Amiss(read=read)
            | PassedOver(read=read)
        ):
            return not read
        case _:
            return True


def seats_of(deviation: Deviation) -> tuple[int, ...]:
    """The seats that a deviation concerns."""
    match deviation:
        case (
            EarlyBurn(seats=seats)
            | EarlyStreet(seats=seats)
            | WrongFirstSeat(seats=seats)
            | Amiss(seats=seats)
            | PassedOver(seats=seats)
        ):
            return seats
        case _:
            return ()


def zones_of(deviation: Deviation) -> tuple[str, ...]:
    """The zones whose antennas a deviation rests on."""
    match deviation:
        case NoBurn() | DoubleBurn() | EarlyBurn() | Disturbed(pile="burn"):
            return ("burn",)
        case SurplusCard() | ShortFlop() | EarlyStreet() | Disturbed():
            return ("board",)
        case Amiss(code="foreign-card-in-stub"):
            return ("stub",)
        case PassedOver(due=due):
            return tuple(f"seat/{seat}" for seat in due)
        case _:
            return tuple(f"seat/{seat}" for seat in seats_of(deviation))
