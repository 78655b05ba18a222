"""Short flop: the flop stayed at one or two cards.

No book covers it: RRP-HE-0 has three cards turned, RR7-DEC-1 leaves the rest to the floor.
Decision: before action the next card completes it, without another burn; after action the floor
decides.

A card that was not read looks the same, so the finding has basis `unseen`: it waits for `WAIT`
or the next action, is asked as a question, and a third card that is read late closes it.
"""

from __future__ import annotations

from controller.rules.doubt import Doubt
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Amiss, Irregularity
from controller.rules.odds import SHORT_FLOP
from controller.rules.procedure import SIZE
from controller.rules.watcher import Watcher

CODE = "short-flop"

WAIT = 3.0
"""Seconds after the last flop card within which another one is awaited."""


class ShortFlop(Irregularity):
    """The irregularity `short-flop`."""

    code = CODE
    facts = frozenset({"before-action", "after-action", "all-in", "all-in-later"})
    question = "ask-third-card"
    zone = "board"
    of_street = True

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Before or after action on the flop."""
        del finding
        return frozenset({hand.street_moment("flop")})


class Flop(Watcher):
    """Watches whether the flop gets its three cards."""

    code = CODE

    def changed(self) -> None:
        """A flop card came or went: is there one missing?"""
        self._doubts.forget(CODE)
        if self._hand.is_complete("flop"):
            finding = self._finding()
            if finding is not None:
                self._judge.put_right(finding, self._now.t)
        elif self._judge.watching and self._hand.board["flop"]:
            amiss = Amiss(self._now.t, CODE, read=False, street="flop")
            self._doubts.add(amiss, self._now.t + WAIT)

    def awaits_card(self) -> bool:
        """Whether a card that comes now is the missing one: nobody has burned since, and the round
        is open or still to come, or a burn would have been seen before the turn."""
        hand = self._hand
        if hand.burned_since("flop"):
            return False
        if not self._doubts.has(CODE) and self._finding() is None:
            # As the floor has ordered, or while a reader that is back tells what lies there.
            return "flop" in hand.entrusted or self._is_being_read()
        able = hand.betting.can_bet
        to_come = len(able) > 1 and any(self._table.has_buttons(p.seat) for p in able)
        to_come &= "flop" not in hand.acted_streets
        return to_come or bool(self._judge.waiting()) or self._table.has("burn")

    def _is_being_read(self) -> bool:
        """Whether the board was not read since the flop began, until a moment ago."""
        hand = self._hand
        began = hand.street_began("flop")
        just_now = self._now.t - hand.last_card.get("flop", began) <= WAIT
        return just_now and self._judge.was_unread("board", began)

    def is_short(self) -> bool:
        """Whether it is certain to be short of a card, with no betting on it to come: what is
        burned now is burned for the flop."""
        finding = self._finding()
        is_known = finding is not None and finding.certain
        return is_known and not self._hand.betting.betting_possible

    def prove(self, doubt: Doubt) -> None:
        """It has stayed so, and every reader of the board has worked since it began."""
        hand = self._hand
        if self._judge.was_unread("board", hand.street_began("flop")):
            return
        slip = self._table.rates.unread_of_flop(SIZE["flop"] - len(hand.board["flop"]))
        if self._is_worth_asking(SHORT_FLOP, slip) and not hand.awaits_replacement("flop"):
            self._judge.establish(doubt.amiss, self._now.t)
