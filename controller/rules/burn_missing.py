"""Burn missing: a street's card came and no card was burned for it.

RR7-HE-4, RR7-HE-5, RR7-IRR-15 and their RRP twins: the flop is redealt before action, a turn
or river card becomes the burn it should have been, and after action the card stands and the
later streets get the cards they would have had in the true order. NL10-MIS-06, NL10-MIS-07:
reshuffled with a new burn. UK and TDA 2009 are silent.

The sensors can't tell a burn that was never made from one that was never read, so the finding
has basis `unseen`: it waits for `settle` or the next step of the hand, is asked as a question,
and a burn that is read late closes it. A table without a burn antenna never reports it.
"""

from __future__ import annotations

from controller.rules.doubt import Doubt
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Amiss, Irregularity
from controller.rules.odds import NO_BURN, UNREAD
from controller.rules.procedure import STREETS, Round, Showdown, Street, Turn
from controller.rules.too_many import SURPLUS_CODES
from controller.rules.watcher import Watcher

CODE = "burn-missing"


class BurnMissing(Irregularity):
    """The irregularity `burn-missing`."""

    code = CODE
    facts = frozenset(
        {"flop", "turn", "river", "before-action", "after-action", "all-in", "all-in-later"}
    )
    question = "ask-burn"
    zone = "burn"
    of_street = True

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """The street, and how far it and the later ones have gone."""
        street = finding.street or "flop"
        return frozenset({street, hand.street_moment(street)})


class Unburned(Watcher):
    """Watches for streets without a burn. A card too many explains one: that is settled first."""

    code = CODE

    def came_without(self, street: Street) -> None:
        """A street's card came without its burn: it may still be read."""
        began = self._hand.street_began(street)
        if self._judge.watching and not self._table.was_lost("burn", began):
            amiss = Amiss(self._now.t, CODE, read=False, street=street)
            self._doubts.add(amiss, self._now.t + self._table.timing.settle)

    def awaited_for(self) -> Street | None:
        """The street whose burn a late read on the burn pile would be, though its card is out."""
        doubt = self._doubts.of(CODE)
        if doubt is not None:
            return doubt.amiss.street
        finding = self._finding()
        if finding is None or finding.certain or finding.under_way:
            return None
        goes_on = not (isinstance(self._hand.head, Round | Turn) and self._judge.waiting())
        if finding.street == STREETS[-1]:
            goes_on = not isinstance(self._hand.head, Round | Turn | Showdown)
        is_last = finding.street == self._hand.last_street()
        return finding.street if is_last and not goes_on else None

    def was_read(self, street: Street) -> None:
        """The street's burn was read after all."""
        self._doubts.forget_street(street)
        finding = self._hand.open_finding(CODE, street)
        if finding is not None:
            self._judge.close(finding, "remedied", self._now.t)

    def later(self, amiss: Amiss) -> float | None:
        """Once it is known whether there is a card too many."""
        surplus = self._surplus(amiss)
        doubt = None if surplus is None else self._doubts.of(surplus)
        return doubt.until if doubt is not None and doubt.until > self._now.t else None

    def prove(self, doubt: Doubt) -> None:
        """None has been read."""
        if not self._is_worth_asking(NO_BURN, self._table.rates.burns.rate(UNREAD)):
            self._was_unread(doubt.amiss.street)
            return
        surplus = self._surplus(doubt.amiss)
        known = None if surplus is None else self._hand.open_finding(surplus)
        if known is None or known.under_way:
            self._judge.establish(doubt.amiss, self._now.t)

    def let_be(self, finding: OpenFinding, outcome: str) -> None:
        """Answered no: there was a burn, and it was not read."""
        if outcome == "stands" and not finding.certain:
            self._was_unread(finding.street)

    def _was_unread(self, street: Street | None) -> None:
        if street is not None:
            self._hand.unread_burns.add(street)

    def _surplus(self, amiss: Amiss) -> str | None:
        return None if amiss.street is None else SURPLUS_CODES[amiss.street]
