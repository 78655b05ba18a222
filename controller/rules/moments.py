"""The moments that the books tell apart: what each fact means and which can hold together."""

from __future__ import annotations

from itertools import product

FACTS = {
    "flop": "it is about the flop",
    "turn": "it is about the turn",
    "river": "it is about the river",
    "nothing-exposed": "no card of the street is out yet",
    "before-action": "nobody has acted on the street yet, and somebody could",
    "after-action": "somebody has acted on the street",
    "all-in": "no betting is possible on the street, and no later street is out",
    "all-in-later": "no betting is possible on the street, and later streets are out",
    "four": "four cards",
    "five-or-more": "five cards or more",
    "not-acted-on": "the cards that came too soon have not been bet on",
    "acted-on": "the cards that came too soon have been bet on",
    "burned": "they had their burn",
    "not-burned": "they came without a burn",
    "no-action": "nobody has acted since the blinds",
    "acted": "somebody has acted since the blinds",
    "under-two-actions": "fewer than two players have acted since the blinds",
    "two-actions": "two players have acted since the blinds",
    "not-substantial": "no substantial action: fewer than two actions, or two without chips",
    "substantial": "two actions in turn of which one put chips in, or any three",
    "holder-to-act": "the seat has not acted in this hand",
    "holder-acted": "the seat has acted in this hand",
    "dealt-last": "the extra card was the last one off the deck",
    "dealt-between": "the extra card came amid the others",
    "in-sequence": "the seat is the next one that would get a card",
    "passed-over": "cards have been dealt past the seat",
    "button": "it is the button, and only that seat",
    "on-board": "the card lies on the board",
    "whole-deck": "no card of the hand is of this table's deck",
    "before-deal": "no card has been dealt yet",
    "dealt": "cards have been dealt",
    "first-card-wrong": "the first card went to the wrong seat",
    "early-check": "what was done out of turn was a check",
    "early-call": "what was done out of turn was a call",
    "early-bet": "what was done out of turn was a bet",
    "early-raise": "what was done out of turn was a raise",
    "early-fold": "what was done out of turn was a fold",
    "early-all-in": "what was done out of turn was going all-in",
    "in-muck": "nobody has said that it was a fold: the cards are in the muck",
    "in-muck-uncalled": "likewise, and nobody has called that player's bet",
    "unchanged": "nobody who was to act first has called, bet or raised",
    "called": "somebody who was to act first has called",
    "changed": "somebody who was to act first has bet or raised",
    "with-muck": "cards of the stub lie among the discards or the burns",
    "stub-only": "only cards of the stub are out of their place",
    "too-many": "the player has too many cards",
    "too-few": "the player has too few cards",
    "by-order": "the floor has ordered this outcome",
}
"""Every fact that a ruling may ask for, in words."""

_ONE_OF = (
    ("flop", "turn", "river"),
    ("nothing-exposed", "before-action", "after-action", "all-in", "all-in-later"),
    ("four", "five-or-more"),
    ("not-acted-on", "acted-on"),
    ("burned", "not-burned"),
    ("no-action", "acted"),
    ("under-two-actions", "two-actions"),
    ("not-substantial", "substantial"),
    ("holder-to-act", "holder-acted"),
    ("dealt-last", "dealt-between"),
    ("in-sequence", "passed-over"),
    ("before-deal", "dealt"),
    ("early-check", "early-call", "early-bet", "early-raise", "early-fold", "early-all-in"),
    ("in-muck", "in-muck-uncalled", None),
    ("unchanged", "called", "changed"),
    ("with-muck", "stub-only"),
    ("too-many", "too-few"),
    ("button", None),
    ("on-board", None),
    ("whole-deck", None),
    ("first-card-wrong", None),
)

_NEVER_TOGETHER = (
    {"river", "all-in-later"},
    {"no-action", "two-actions"},
    {"no-action", "substantial"},
    {"under-two-actions", "substantial"},
    {"before-deal", "acted"},
    {"before-deal", "holder-acted"},
    {"before-deal", "first-card-wrong"},
    {"on-board", "holder-acted"},
    *(
        {f"early-{other}", muck}
        for other in ("check", "call", "bet", "raise", "all-in")
        for muck in ("in-muck", "in-muck-uncalled")
    ),
)


def moments(facts: frozenset[str]) -> list[frozenset[str]]:
    """Every set of an irregularity's `facts` that can hold at one time.

    `by-order` is none of them: no moment brings it about, only the floor.
    """
    choices = [
        [fact for fact in group if fact is None or fact in facts]
        for group in _ONE_OF
        if not facts.isdisjoint(group)
    ]
    made = (frozenset(fact for fact in chosen if fact) for chosen in product(*choices))
    return [moment for moment in made if not any(pair <= moment for pair in _NEVER_TOGETHER)]
