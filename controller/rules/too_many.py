"""Too many cards on the turn or river: another one came in the same motion of the dealer's hand.

RR7-HE-8 and its RRP twin want to keep the cards that would have come as far as possible. How is up
to the floor: the first card is the street and the second one the river's burn (on the river it goes
back), or both go and the would-be river is the turn, as after a premature one. NL10-MIS-07:
reshuffled with a new burn. UK and TDA 2009 are silent.

Antennas count the cards for certain. Whether two of them came in one motion is judged by the time
between them (`SAME_MOTION`): anything later is the next street, too soon.
"""

from __future__ import annotations

from controller.rules.doubt import Doubt
from controller.rules.hand import Discarded, Hand, OpenFinding
from controller.rules.irregularity import Amiss, Irregularity
from controller.rules.procedure import SIZE, Street
from controller.rules.watcher import Watcher

SURPLUS_CODES: dict[Street, str] = {
    "flop": "four-card-flop",
    "turn": "too-many-turn",
    "river": "too-many-river",
}
_DEALT_ANEW = frozenset({"redeal-flop", "reshuffle-street"})


class Surplus(Irregularity):
    """A card too many on a street."""

    zone = "board"
    of_street = True
    comes_first = True


class TooMany(Surplus):
    """The irregularities `too-many-turn` and `too-many-river`. The fact `by-order` never holds by
    itself: only the floor's word brings such a ruling about."""

    facts = frozenset({"before-action", "after-action", "all-in", "all-in-later", "by-order"})

    def __init__(self, street: Street) -> None:
        """One for each of the two streets."""
        self.code = SURPLUS_CODES[street]
        self._street: Street = street

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Before or after action on the street."""
        del finding
        return frozenset({hand.street_moment(self._street)})


class Streets(Watcher):
    """Watches for a card too many on a street."""

    codes = tuple(SURPLUS_CODES.values())

    def one_more(self, street: Street) -> None:
        """A card too many came: it may only brush the board."""
        code, t = SURPLUS_CODES[street], self._now.t
        known = self._hand.open_finding(code)
        if known is not None:
            known.tags = tuple(self._hand.board[street])
            self._judge.rule_anew(t)
        elif self._judge.watching and not self._doubts.has(code):
            self._doubts.add(Amiss(t, code, street=street), t + self._table.timing.settle)

    def one_less(self, street: Street) -> None:
        """A card only brushed the board."""
        if len(self._hand.board[street]) <= SIZE[street]:
            self._doubts.forget(SURPLUS_CODES[street])

    def takes_more(self, street: Street) -> bool:
        """Whether a card that comes now is one more of a street that is out: it is known to have
        too many, or to be dealt anew, and nothing has been done since."""
        if street in self._hand.acted_streets or self._hand.burned_since(street):
            return False
        wrong = [f for f in self._hand.findings if f.street == street and f.certain]
        return bool(self._judge.waiting()) and any(
            f.code == SURPLUS_CODES[street] or f.ruling.outcome in _DEALT_ANEW
            for f in wrong
            if not f.under_way
        )

    def has_lain(self, street: Street) -> None:
        """What may be too much has lain there for long enough: a card is taken off again."""
        doubt = self._doubts.of(SURPLUS_CODES[street])
        if doubt is not None:
            self._doubts.remove(doubt)
            self.prove(doubt)

    def prove(self, doubt: Doubt) -> None:
        """One cause, one finding: its remedy deals with the burn as well."""
        if doubt.amiss.street is not None:
            self._doubts.forget_street(doubt.amiss.street)
        super().prove(doubt)

    def let_be(self, finding: OpenFinding, _outcome: str) -> None:
        """What was too much is noise: the first cards are the street."""
        street = finding.street
        if street is not None:
            for out in (self._hand.board[street], self._hand.early[street]):
                for tag in out[SIZE[street] :]:
                    self._hand.roles[tag] = Discarded()
                del out[SIZE[street] :]
