"""Putting a card right that does not play: another one for the seat, the old one as a burn.

RR7-HE-1, RR7-HE-2: an exposed or extra card is the flop's burn. RR7-IRR-7, RR7-IRR-8: the next card
replaces scrap. What is burned instead of the card that a remedy wants burned is a second burn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from controller.rules.burn_double import CODE as BURN_DOUBLE
from controller.rules.doubt import Doubt
from controller.rules.hand import BurnCard, HoleCard, OpenFinding, Returned
from controller.rules.irregularity import Amiss
from controller.rules.procedure import HOLE_CARDS, Street
from controller.rules.watcher import Lookout, Watcher

_REPLACED = ("exposed-card", "boxed-card", "boxed-cards", "joker")
"""The codes whose usual remedy gives a seat another card."""

_BURNS_IT = ("extra-is-burn", "exposed-is-burn")
"""The steps after which the card itself is the flop's burn."""

INSTEAD = "burned-instead"
"""The code of a doubt whether another card was burned than the remedy wants."""


class Replacing(Watcher):
    """Knows which seats get another card, and which cards are to be burned."""

    code = INSTEAD

    def __init__(self, lookout: Lookout) -> None:
        """Nothing is owed as the hand begins."""
        super().__init__(lookout)
        self._slots = list(self._hand.betting.players) * HOLE_CARDS
        self._burns: set[str] = set()
        self._seats: list[tuple[int, str]] = []

    def owe(self, seats: list[int], tag: str | None) -> None:
        """These seats get another card, for the one of this tag where that is known."""
        owed = [(seat, tag or "") for seat in seats]
        self._seats += [one for one in owed if one not in self._seats]

    def owe_burn(self, tags: Iterable[str]) -> None:
        """These cards are to be the flop's burn."""
        self._burns.update(tags)

    def forget(self, seats: Collection[int], tags: Collection[str]) -> None:
        """Nothing is owed for these."""
        self._seats = [one for one in self._seats if one[0] not in seats]
        self._burns.difference_update(tags)

    def takes(self, tag: str, seat: int) -> bool:
        """Whether this is the card that a seat gets for one that does not play: it has it now."""
        if not self._seats:
            return False
        hand = self._hand
        owed = next((owed for owed in self._seats if owed[0] == seat), None)
        if owed is None:
            return False
        dealt = len(hand.dealt)
        if dealt < len(self._slots) and self._slots[dealt] == seat and not hand.dealt_out:
            return False
        self._seats.remove(owed)
        _, old = owed
        hand.roles[tag] = HoleCard(seat)
        if any((at, of) == (seat, old) for _, at, of in hand.dealt):
            if not isinstance(hand.roles[old], BurnCard):
                hand.roles[old] = Returned()
            hand.dealt = [(t, at, tag if of == old else of) for t, at, of in hand.dealt]
        else:
            hand.dealt.append((self._now.t, seat, tag))
        return True

    def got_another(self, seat: int) -> None:
        """A seat has got another card: has everything been put right?"""
        for finding in list(self._hand.findings):
            redealt = finding.ruling.outcome == "misdeal"  # then that is no remedy
            if finding.code in _REPLACED and seat in finding.seats and not redealt:
                finding.under_way = True
                self._close_if_put_right(finding)

    def _close_if_put_right(self, finding: OpenFinding) -> None:
        replaced = not any(seat in finding.seats for seat, _ in self._seats)
        burned = not any(tag in self._burns for tag in finding.tags)
        lying = any(self._lying.seat(tag) in finding.seats for tag in finding.tags)
        if replaced and not lying and (burned or not self._table.has("burn")):
            self._judge.put_right(finding, self._now.t, keep_remedy=True)

    def begins(self, tag: str) -> bool:
        """A card that does not play was taken away from its seat."""
        finding = next((f for f in self._hand.findings if tag in f.tags), None)
        if finding is None or finding.code not in (*_REPLACED, "extra-card"):
            return False
        if finding.ruling.outcome != "misdeal":
            finding.under_way = True
        return True

    def left_seat(self, tag: str) -> None:
        """A card has left a seat: perhaps the scrap that still lay beside its replacement, unless
        the whole hand has gone with it."""
        for finding in list(self._hand.findings):
            if tag in finding.tags and finding.code in _REPLACED:
                roles = self._hand.roles.items()
                own = [of for of, r in roles if isinstance(r, HoleCard) and r.seat in finding.seats]
                if any(self._lying.seat(of) in finding.seats for of in own):
                    self._close_if_put_right(finding)

    def back(self, tag: str) -> None:
        """A card lies at its seat again: it was only lifted, and nothing has been put right."""
        for finding in self._hand.findings:
            if tag in finding.tags and finding.code in (*_REPLACED, "extra-card"):
                finding.under_way = False
        self._judge.rule_anew(self._now.t)

    def becomes_burn(self, tag: str) -> bool:
        """Whether an extra or exposed card is laid down as the flop's burn, as RR7-HE-1 and
        RR7-HE-2 want it."""
        hand = self._hand
        street: Street = "flop"
        if hand.board[street]:
            return False
        if tag not in self._burns:
            self._watch_burn(tag)
            return False
        self._burns.discard(tag)
        owed = [(seat, old) for seat, old in self._seats if old == tag]
        for one in owed:
            if len(hand.tags_of(one[0])) > HOLE_CARDS:  # another came to the seat as if it were due
                self._seats.remove(one)
        if all(tag != old for _, old in self._seats):
            hand.dealt = [pitch for pitch in hand.dealt if pitch[2] != tag]
        self._is_first_burn(tag)
        for finding in list(hand.findings):
            if tag in finding.tags:
                finding.under_way = True
                self._close_if_put_right(finding)
        return True

    def flop_comes(self) -> None:
        """Where no burn is read, an extra card that has been taken back was the flop's burn."""
        if self._table.has("burn"):
            return
        for finding in list(self._hand.findings):
            lying = any(self._lying.seat(tag) is not None for tag in finding.tags)
            if finding.code == "extra-card" and finding.under_way and not lying:
                self._judge.put_right(finding, self._now.t)

    # --- another card is burned instead ---

    def _watch_burn(self, tag: str) -> None:
        """The card that a remedy wants burned is the first burn: another one is a second."""
        owed = self._taken()
        if owed and tag not in self._hand.roles:
            self._doubt(Amiss(self._now.t, INSTEAD, tags=(tag, *owed)))

    def _taken(self) -> list[str]:
        """The cards that are to be burned and have been taken from their seats."""
        return [
            tag
            for finding in self._hand.findings
            for tag in finding.tags
            if tag in self._burns and finding.under_way and self._is_burned_by(finding, tag)
        ]

    def _is_burned_by(self, finding: OpenFinding, tag: str) -> bool:
        """Whether the remedy burns the card, and it is not its player who has folded or lifted
        it."""
        if finding.code in _REPLACED and self._hand.roles.get(tag) != Returned():
            return False
        players = self._hand.betting.players
        if any(seat in players and players[seat].folded for seat in finding.seats):
            return False
        return any(map(finding.asks_for, _BURNS_IT))

    def prove(self, doubt: Doubt) -> None:
        """It has stayed among the burns."""
        amiss = doubt.amiss
        tag, owed = amiss.tags[0], amiss.tags[1]
        if self._hand.roles.get(tag) == BurnCard("flop"):
            self._is_first_burn(owed)
            amiss = Amiss(self._now.t, BURN_DOUBLE, street="flop")
            self._judge.establish(amiss, self._now.t)

    def _is_first_burn(self, tag: str) -> None:
        burns = self._hand.burns["flop"]
        if tag in burns:
            burns.remove(tag)
        burns.insert(0, tag)
        self._hand.roles[tag] = BurnCard("flop")
