"""Putting a card right that does not play: another one for the seat, the old one as a burn."""

from __future__ import annotations

from collections.abc import Iterable

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.hand import BurnCard, HoleCard, OpenFinding, Returned
from controller.rules.irregularity import Amiss, DoubleBurn
from controller.rules.procedure import HOLE_CARDS, Street

_REPLACED = ("exposed-card", "boxed-card", "boxed-cards", "joker")
"""The codes whose usual remedy gives a seat another card."""

_BURNS_IT = ("extra-is-burn", "exposed-is-burn")
"""The steps after which the card itself is the flop's burn."""

CODE = "burn-double"


class Replacing:
    """Knows which seats get another card, and which cards are to be burned."""

    def __init__(self, walk: Walk, setup: Setup, judge: Judge, places: Places) -> None:
        """Nothing is owed as the hand begins; `places` knows where each tag is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
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
            hand.roles[old] = Returned()
            hand.dealt = [(t, at, tag if of == old else of) for t, at, of in hand.dealt]
        else:
            hand.dealt.append((self._walk.t, seat, tag))
        return True

    def settle(self, seat: int) -> None:
        """A seat has got another card: has everything been put right?"""
        for finding in list(self._hand.findings):
            redealt = finding.ruling.outcome == "misdeal"  # then that is no remedy
            if finding.code in _REPLACED and seat in finding.seats and not redealt:
                finding.under_way = True
                self._close_if_put_right(finding)

    def _close_if_put_right(self, finding: OpenFinding) -> None:
        replaced = not any(seat in finding.seats for seat, _ in self._seats)
        burned = not any(tag in self._burns for tag in finding.tags)
        lying = any(self._places.seat(tag) in finding.seats for tag in finding.tags)
        if replaced and not lying and (burned or not self._setup.has("burn")):
            self._judge.close(finding, "remedied", self._walk.t, keep_remedy=True)

    def begins(self, tag: str) -> bool:
        """A card that does not play was taken away from its seat."""
        finding = next((f for f in self._hand.findings if tag in f.tags), None)
        if finding is None or finding.code not in (*_REPLACED, "extra-card"):
            return False
        if finding.ruling.outcome != "misdeal":
            finding.under_way = True
        return True

    def left(self, tag: str) -> None:
        """A card has left a seat: perhaps the scrap that still lay beside its replacement, unless
        the whole hand has gone with it."""
        for finding in list(self._hand.findings):
            if tag in finding.tags and finding.code in _REPLACED:
                roles = self._hand.roles.items()
                own = [of for of, r in roles if isinstance(r, HoleCard) and r.seat in finding.seats]
                if any(self._places.seat(of) in finding.seats for of in own):
                    self._close_if_put_right(finding)

    def back(self, tag: str) -> None:
        """A card lies at its seat again: it was only lifted, and nothing has been put right."""
        for finding in self._hand.findings:
            if tag in finding.tags and finding.code in (*_REPLACED, "extra-card"):
                finding.under_way = False
        self._judge.rule_anew(self._walk.t)

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
        if all(tag != old for _, old in self._seats):
            hand.dealt = [pitch for pitch in hand.dealt if pitch[2] != tag]
        self._is_first_burn(tag)
        for finding in list(hand.findings):
            if tag in finding.tags:
                finding.under_way = True
                self._close_if_put_right(finding)
        return True

    # --- another card is burned instead ---

    def _watch_burn(self, tag: str) -> None:
        """The card that a remedy wants burned is the first burn: another one is a second."""
        owed = self._taken()
        if owed and tag not in self._hand.roles and not self._judge.doubts_of(CODE):
            amiss = Amiss(self._walk.t, CODE, tags=(tag, *owed))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + self._setup.timing.settle))

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

    def prove(self, amiss: Amiss) -> None:
        """It has stayed among the burns."""
        tag, owed = amiss.tags[0], amiss.tags[1]
        if self._hand.roles.get(tag) == BurnCard("flop"):
            self._is_first_burn(owed)
            self._judge.establish(DoubleBurn(self._walk.t, "flop", read=True), self._walk.t)

    def _is_first_burn(self, tag: str) -> None:
        burns = self._hand.burns["flop"]
        if tag in burns:
            burns.remove(tag)
        burns.insert(0, tag)
        self._hand.roles[tag] = BurnCard("flop")
