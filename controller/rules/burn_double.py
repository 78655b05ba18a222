"""Double burn: two or more cards were burned for one street.

RR7-HE-4 and its RRP twin: if no flop card is exposed the second burn goes back, otherwise the flop
is redealt with the first one. RR7-HE-5, RR7-IRR-15: on the turn and river, before action, the cards
go to their true places; after it the street stands, and the second burn is the next street's. UK,
TDA 2009 and NL 2010 are silent; NL 2010 leaves it to Robert's.

Two burns are read as such. If no action is due between two streets, or none would be noticed, there
may have been an unread card between two burns some time apart: then the finding is a question.
"""

from __future__ import annotations

from controller.rules.doubt import Doubt
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Amiss, Irregularity
from controller.rules.procedure import Street
from controller.rules.remedies import SECOND_BURN
from controller.rules.watcher import Watcher

CODE = "burn-double"


class BurnDouble(Irregularity):
    """The irregularity `burn-double`."""

    code = CODE
    facts = frozenset(
        {
            "flop",
            "turn",
            "river",
            "nothing-exposed",
            "before-action",
            "after-action",
            "all-in",
            "all-in-later",
        }
    )
    question = "ask-two-burns"
    zone = "burn"
    of_street = True

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """The street, whether it is out, and how far it and the later ones have gone."""
        street = finding.street or "flop"
        out = bool(hand.board[street]) or street in hand.acted_streets
        return frozenset({street, hand.street_moment(street) if out else "nothing-exposed"})


class Burned(Watcher):
    """Watches for streets for which two cards are burned."""

    code = CODE

    def another(self, street: Street, *, read: bool) -> None:
        """Another card was burned for a street that has its burns: it may only brush by."""
        known = self._hand.open_finding(CODE, street)
        if known is not None and not known.under_way:
            self._judge.rule_anew(self._now.t)
        elif self._judge.watching and self.doubted(street) is None:
            amiss = Amiss(self._now.t, CODE, read=read, street=street)
            self._doubts.add(amiss, self._now.t + self._table.timing.settle)

    def doubted(self, street: Street) -> Doubt | None:
        """The doubt about a second burn, while it may have only brushed the pile."""
        return self._doubts.of(CODE, street)

    def serves_next(self, street: Street) -> bool:
        """Whether the second burn of a street is to be the next one's, wherever it is put."""
        finding = self._hand.open_finding(CODE, street)
        return finding is not None and finding.asks_for(SECOND_BURN)

    def later(self, amiss: Amiss) -> float | None:
        """While the second burn is not read just now it may be on its way back."""
        burns = self._hand.burns[amiss.street] if amiss.street is not None else []
        read = [tag for tag in burns if self._lying.is_present(tag, "burn")]
        is_leaving = len(read) < min(2, len(burns))
        return self._now.t + self._table.timing.flicker if is_leaving else None
