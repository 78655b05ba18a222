"""The stub: undealt cards that turn up where none belong.

A card that was dealt and not read is no undealt one: so many may lie anywhere without a word.
"""

from __future__ import annotations

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.hand import BurnCard, Discarded, EarlyCard, HoleCard, Returned
from controller.rules.irregularity import Amiss
from controller.rules.procedure import HOLE_CARDS, SIZE, Back, PickBurn, Reorder, Showdown
from controller.rules.stub_fouled import FEWEST

CODE = "stub-fouled"
_TAKES_CARDS_IN = frozenset({"misdeal", "void-hand"})


class Stub:
    """Watches where the undealt cards are."""

    def __init__(
        self, walk: Walk, setup: Setup, judge: Judge, places: Places, resolver: Resolver
    ) -> None:
        """`places` knows where each tag is, `resolver` what kind of thing it is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._resolver = resolver
        self._takes_all = False

    def came(self, tag: str, zone: str) -> None:
        """A card came into a zone. While the stub is put together its cards lie anywhere."""
        if zone == "burn" or zone.partition("/")[0] == "board":
            self._takes_all = False
        if self._hand.open_finding(CODE) is not None:
            self._forget_early()
            return
        if isinstance(self._hand.roles.get(tag), None | Discarded) and self._is_fouled():
            amiss = Amiss(self._walk.t, CODE)
            if not self._judge.doubts_of(CODE):
                self._judge.doubts.append(Doubt(amiss, self._walk.t + self._setup.timing.settle))

    def takes_in(self, tag: str, zone: str) -> bool:
        """Whether a card of the muck or the burns goes into the new stub: it may come again. That
        is so where the book mixes them (UK-RP4-3), until the next card comes off it."""
        finding, hand = self._hand.open_finding(CODE), self._hand
        self._takes_all |= finding is not None and finding.asks_for("scramble-all")
        if not self._takes_all or zone not in ("muck", "burn"):
            return False
        match hand.roles.get(tag):
            case BurnCard(street) if zone == "burn":
                hand.take_off_board(tag, street)
            case Discarded():
                hand.roles[tag] = Returned()
            case HoleCard(seat) if hand.betting.players[seat].folded:
                hand.roles[tag] = Returned()
            case _:
                return False
        return True

    def left(self, tag: str) -> None:
        """A card left a zone: perhaps all of them are in the stub again."""
        finding = self._hand.open_finding(CODE)
        if finding is not None and tag in finding.tags:
            if isinstance(self._hand.roles.get(tag), Discarded):
                del self._hand.roles[tag]
            if all(set(self._places.zones(of)) <= {"stub"} for of in finding.tags):
                self._judge.close(finding, "remedied", self._walk.t)

    def reshuffled(self) -> None:
        """The dealer says that the stub has been shuffled."""
        finding = self._hand.open_finding(CODE)
        if finding is not None:
            self._judge.close(finding, "remedied", self._walk.t)

    def prove(self, _: Amiss) -> None:
        """They have stayed there. What seemed to come to the board too soon fell there."""
        if not self._is_fouled():
            return
        hand = self._hand
        tags = tuple(tag for tag in self._places.tags() if self._is_astray(tag))
        for finding in [f for f in hand.findings if f.code.startswith("premature-")]:
            self._judge.close(finding, "expired", self._walk.t)
        self._forget_early()
        mixed = any(self._places.is_present(tag, "muck") for tag in tags)
        facts = frozenset({"with-muck" if mixed else "stub-only"})
        self._judge.establish(Amiss(self._walk.t, CODE, facts=facts, tags=tags), self._walk.t)

    def _forget_early(self) -> None:
        self._judge.doubts = [d for d in self._judge.doubts if not d.held]

    def _is_fouled(self) -> bool:
        hand = self._hand
        if not (hand.dealt_out and self._judge.watching):
            return False
        if (
            isinstance(hand.head, Back | PickBurn | Reorder | Showdown)
            or hand.open_finding(CODE) is not None
        ):
            return False
        if any(f.ruling.outcome in _TAKES_CARDS_IN or f.asks_for("shuffle") for f in hand.findings):
            return False
        astray = [tag for tag in self._places.tags() if self._is_astray(tag)]
        beside = [tag for tag in astray if not self._places.is_present(tag, "board")]
        return bool(beside) and len(astray) - self._unread() >= FEWEST

    def _is_astray(self, tag: str) -> bool:
        """Whether an undealt card lies at a seat or in the muck, or on the board unasked."""
        role = self._hand.roles.get(tag)
        if self._resolver.classify(tag) != "card" or self._places.is_present(tag, "stub"):
            return False
        if role is None:
            held = any(
                a.tag == tag and a.pile == "board" for d in self._judge.doubts for a in d.held
            )
            return held or self._is_out(tag)
        return isinstance(role, EarlyCard) or (isinstance(role, Discarded) and self._is_out(tag))

    def _is_out(self, tag: str) -> bool:
        """Before anything has followed the deal, a card at a seat was dealt there."""
        at_seat = self._hand.played and self._places.seat(tag) is not None
        return at_seat or self._places.is_present(tag, "muck")

    def _unread(self) -> int:
        """How many cards left the stub as they should and were not read."""
        hand = self._hand
        hole = HOLE_CARDS * len(hand.betting.players) - len(hand.dealt)
        dealt = [street for street in SIZE if hand.board[street] or street in hand.acted_streets]
        burns = sum(not hand.burns[street] for street in dealt)
        board = sum(max(0, SIZE[s] - len(hand.board[s])) for s in dealt)
        return max(0, hole) + burns + board
