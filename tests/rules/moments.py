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
    "not-acted-on": "there has been no betting on the cards that came too soon",
    "acted-on": "there has been betting on the cards that came too soon",
    "burned": "they had their burn",
    "not-burned": "they came without a burn",
    "no-action": "nobody has acted since the blinds",
    "acted": "somebody has acted since the blinds",
    "under-two-actions": "fewer than two players have acted since the blinds",
    "two-actions": "two players have acted since the blinds",
    "not-substantial": "no substantial action: fewer than two actions, or two without chips",
    "substantial": "two actions in turn, one of them with chips, or any three",
    "holder-to-act": "the seat has not acted in this hand",
    "holder-acted": "the seat has acted in this hand",
    "dealt-last": "the extra card was the last one off the deck",
    "dealt-between": "the extra card came between others",
    "in-sequence": "the seat is the next to get a card",
    "passed-over": "cards have been dealt past the seat",
    "button": "it is the button, and only that seat",
    "on-board": "the card is on the board",
    "whole-deck": "no card of the hand is from this table's deck",
    "before-deal": "no card has been dealt yet",
    "dealt": "cards have been dealt",
    "first-card-wrong": "the deal started to the left of where the puck lies",
    "not-there": "the player is not at the table and has posted nothing",
    "early-check": "the action out of turn was a check",
    "early-call": "the action out of turn was a call",
    "early-bet": "the action out of turn was a bet",
    "early-raise": "the action out of turn was a raise",
    "early-fold": "the action out of turn was a fold",
    "early-all-in": "the action out of turn was all-in",
    "in-muck": "the cards are in the muck, and nobody has said that it was a fold",
    "in-muck-uncalled": "likewise, and nobody has called that player's bet",
    "facing-bet": "the player who acted out of turn faced a bet",
    "no-bet": "the player who acted out of turn faced no bet",
    "few-behind": "fewer than three players have acted behind the skipped one, and more could",
    "many-behind": "three players have acted behind the skipped one, or all there are",
    "unchanged": "nobody due to act before has called, bet or raised",
    "called": "somebody due to act before has called",
    "changed": "somebody due to act before has bet or raised",
    "with-muck": "stub cards are among the muck or the burns",
    "stub-only": "only stub cards are out of place",
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
    ("facing-bet", "no-bet"),
    ("few-behind", "many-behind"),
    ("in-muck", "in-muck-uncalled", None),
    ("unchanged", "called", "changed"),
    ("with-muck", "stub-only"),
    ("too-many", "too-few"),
    ("button", None),
    ("on-board", None),
    ("whole-deck", None),
    ("first-card-wrong", None),
    ("not-there", None),
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
    {"too-many", "button"},
    {"on-board", "passed-over"},
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
