"""What watches the cards in the middle of the table, the board's and the burns alike."""

from __future__ import annotations

from dataclasses import dataclass

from controller.hand.acts import Acts
from controller.hand.judge import Judge
from controller.hand.places import Places
from controller.hand.setup import Setup
from controller.hand.walk import Walk
from controller.rules.burn_double import Burned
from controller.rules.burn_missing import Unburned
from controller.rules.dealing import Dealing
from controller.rules.disturbed import Piles
from controller.rules.early import Early
from controller.rules.procedure import (
    SIZE,
    STREETS,
    Back,
    Burn,
    PickBurn,
    Reorder,
    Showdown,
    Street,
    Turn,
)
from controller.rules.scraps import Scraps
from controller.rules.short_flop import Flop
from controller.rules.too_many import Streets


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Parts:
    """The parts of one hand that are asked and told of these cards. `places` knows where each tag
    is, `acts` what comes before the next card."""

    walk: Walk
    setup: Setup
    judge: Judge
    places: Places
    acts: Acts
    dealing: Dealing
    early: Early
    scraps: Scraps
    piles: Piles
    unburned: Unburned
    burned: Burned
    flop: Flop
    streets: Streets


class Middle:
    """Has these parts at hand."""

    def __init__(self, parts: Parts) -> None:
        """They are those of one hand."""
        self._walk = parts.walk
        self._hand = parts.walk.hand
        self._setup = parts.setup
        self._judge = parts.judge
        self._places = parts.places
        self._acts = parts.acts
        self._dealing = parts.dealing
        self._early = parts.early
        self._scraps = parts.scraps
        self._piles = parts.piles
        self._unburned = parts.unburned
        self._twice = parts.burned
        self._flop = parts.flop
        self._streets = parts.streets

    def _take_off(self, tag: str, street: Street) -> None:
        """A card was never turned up. Its street is still to come where the next one is due."""
        self._hand.board[street].remove(tag)
        del self._hand.roles[tag]
        is_past = isinstance(self._hand.head, Burn | Showdown)
        if is_past and not self._hand.is_complete(street):
            self._hand.script.insert(0, Turn(street))
        if street == "flop":
            self._flop.changed()
        self._streets.one_less(street)

    def _lay_unread(self, zone: str) -> Street | None:
        """The street of which a card is that lay there while the reader was missing: the first of
        those that are out, or have been played, of which nothing was read."""
        hand, pile = self._hand, zone.partition("/")[0]
        is_put_right = isinstance(hand.head, Back | PickBurn | Reorder)
        if is_put_right or not self._setup.is_just_back(zone, self._walk.t):
            return None
        known = (hand.last_street(), hand.betting.round)
        out = max((STREETS.index(s) for s in known if s in STREETS), default=-1)
        for street in STREETS[: out + 1]:
            read = hand.board[street] if pile == "board" else hand.burns[street]
            if len(read) < (SIZE[street] if pile == "board" else 1):
                return street
        return None
