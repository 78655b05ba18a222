"""What the dealer can do wrong, by the code that the table should find, and when in a hand."""

from __future__ import annotations

from controller.demo.deal import DEAL_ERRORS, can_misdeal
from controller.demo.phh import BetTo, CheckOrCall, Fold, PlayedHand, Street

STREETS = ("flop", "turn", "river")
STREET_ERRORS = (
    "four-card-flop",
    "burn-missing",
    "burn-double",
    "short-flop",
    "too-many-turn",
    "too-many-river",
)
"""A street that is dealt wrongly."""
EARLY_ERRORS = ("premature-flop", "premature-turn", "premature-river", "burn-premature")
"""Cards that come before the last player of a round has acted."""
DISTURBANCES = ("board-disturbed", "burn-disturbed")
"""A card that leaves its pile."""
ERRORS = (
    *DEAL_ERRORS,
    "button-misplaced",
    *STREET_ERRORS,
    *EARLY_ERRORS,
    *DISTURBANCES,
    "muck-retrieved",
)
"""What can go wrong at any table."""
LOG_ERRORS = ("duplicate-card", "missing-card")
"""What only a table log can tell: a registered deck has each card once, and nothing at a table
reads the deck before the shuffle."""
MILDER = {"exposed-cards": "exposed-card", "boxed-cards": "boxed-card"}
"""What the table finds first where one of its kind becomes several."""


def can_err(hand: PlayedHand, error: str) -> bool:
    """Whether the error can be made in this hand."""
    return bool(moments(hand, error))


def moments(hand: PlayedHand, error: str) -> list[int]:
    """The acts of a hand at which the error can be made, by their indexes; an error of the deal
    comes before the first. What is put right on a street needs one to come."""
    acts = hand.acts
    streets = [at for at, act in enumerate(acts) if isinstance(act, Street)]
    if error in STREET_ERRORS and streets:
        if error.startswith("burn-"):
            return streets
        number = STREETS.index(error.removeprefix("too-many-")) if "too-many" in error else 0
        return streets[number : number + 1]
    if error in EARLY_ERRORS:
        early = [at - 1 for at in streets if _is_bet(hand, at - 1)]
        if error == "burn-premature":
            return early
        number = STREETS.index(error.removeprefix("premature-"))
        return [at for at in early if at + 1 in streets[number : number + 1]]
    if error in DISTURBANCES:
        return [at for at in streets if _is_bet(hand, at + 1)]
    if error == "muck-retrieved":
        folds = [at for at, act in enumerate(acts) if isinstance(act, Fold)]
        return [at for at in folds if streets and at < streets[-1]]
    return [0] if streets and can_misdeal(error, len(hand.stacks)) else []


def street_at(hand: PlayedHand, at: int) -> str:
    """The street that is dealt at an act, or next after it."""
    number = sum(isinstance(act, Street) for act in hand.acts[:at])
    return STREETS[min(number, len(STREETS) - 1)]


def _is_bet(hand: PlayedHand, at: int) -> bool:
    return at < len(hand.acts) and isinstance(hand.acts[at], CheckOrCall | BetTo | Fold)
