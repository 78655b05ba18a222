"""The hole cards: which seat gets one when, and what can go wrong with that."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from controller.demo.deck import JOKER, STRANGE, twin

DEAL_ERRORS = (
    "first-card-wrong-seat",
    "out-of-sequence",
    "empty-seat-dealt",
    "seat-dealt-out",
    "too-few-cards",
    "extra-card",
    "extra-cards",
    "exposed-first-card",
    "exposed-card",
    "exposed-cards",
    "boxed-card",
    "boxed-cards",
    "joker",
    "foreign-card",
)
_FEWEST = {"out-of-sequence": 3, "seat-dealt-out": 3, "too-few-cards": 4}
"""Players that it takes: with three, the button who is a card short is the first to act."""
_MOST_SEATS = 10


class Pitch(Struct, frozen=True):
    """A card to a seat, and what is wrong with it."""

    seat: int
    flaw: Literal["", "extra", "exposed", "boxed"] = ""


def can_misdeal(error: str, players: int) -> bool:
    """Whether so many players can be dealt to with this error."""
    if error == "empty-seat-dealt":
        return players < _MOST_SEATS
    return players >= _FEWEST.get(error, 2)


def pitches(error: str | None, seats: Sequence[int], rng: random.Random) -> list[Pitch]:
    """The deal, with this error if it is one of where the cards go or of how they lie. `seats`
    are those of the players, left of the button first."""
    twice = [*seats, *seats]
    right = [Pitch(seat) for seat in twice]
    match error:
        case "first-card-wrong-seat":
            return [*right[1 : len(seats)], right[0]] * 2
        case "out-of-sequence":
            at = rng.randrange(1, len(seats) - 1)
            return [*right[:at], right[at + 1], right[at], *right[at + 2 :]]
        case "empty-seat-dealt":
            empty = rng.choice([s for s in range(1, _MOST_SEATS + 1) if s not in seats])
            at = rng.randrange(1, len(right))
            return [*right[:at], Pitch(empty), *right[at:]]
        case "seat-dealt-out":
            skipped = rng.choice(seats[1:-1])
            return [pitch for pitch in right if pitch.seat != skipped]
        case "too-few-cards":
            return right[:-1]
        case "extra-card" | "extra-cards":
            more = seats[: 1 if error == "extra-card" else 2]
            return [*right, *(Pitch(seat, "extra") for seat in more)]
        case "exposed-first-card":
            faced = [rng.randrange(2)]
        case "exposed-card" | "boxed-card":
            faced = [rng.randrange(2, len(right))]
        case "exposed-cards" | "boxed-cards":
            last = len(right) - 1
            others = [at for at in range(2, last) if twice[at] != twice[last]]
            faced = [rng.choice(others), last]
        case _:
            faced = []
    flaw: Literal["exposed", "boxed"] = "boxed" if "boxed" in str(error) else "exposed"
    return [Pitch(s, flaw if at in faced else "") for at, s in enumerate(twice)]


def spoil(stub: list[str], error: str | None, dealt: int, rng: random.Random) -> list[str]:
    """Puts a card that is none of the deck among the first `dealt`; returns it. The one whose
    place it takes comes right after these."""
    if error not in ("joker", "foreign-card", "duplicate-card"):
        return []
    at = rng.randrange(1, dealt)
    wrong = {"joker": JOKER, "foreign-card": STRANGE}.get(error, twin(stub[0]))
    right, stub[at] = stub[at], wrong
    stub.insert(dealt, right)
    return [wrong]
