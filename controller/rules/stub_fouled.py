"""Stub fouled: three or more undealt cards turned up where none belong.

RR7-IRR-17 and its RRP twin: the deal is finished with a stub rebuilt as fairly as possible.
UK-RP4-1 to -3: first the original order is tried; otherwise only the stub's cards are scrambled, or
all of them if they are mixed with muck and burns. NL 2010 leaves it to Robert's; TDA 2009 is
silent.

An antenna reads a stub card wherever it is; no sensor knows the order of the stub. A card that was
dealt and not read is no undealt one: so many may lie anywhere without a word.
"""

from __future__ import annotations

from controller.rules.card_count import dealt_out
from controller.rules.deal_rule import DealRule
from controller.rules.defining_acts import REBUILD
from controller.rules.doubt import Doubt
from controller.rules.hand import BurnCard, Discarded, EarlyCard, HoleCard, Returned
from controller.rules.irregularity import Amiss
from controller.rules.procedure import HOLE_CARDS, SIZE, Back, PickBurn, Reorder, Showdown, Shuffle
from controller.rules.watcher import Lookout, Watcher

CODE = "stub-fouled"
FEWEST = 3
"""So many cards in places where none belong are no brush of an antenna."""
_TAKES_CARDS_IN = frozenset({"misdeal", "void-hand"})


class StubFouled(DealRule):
    """The irregularity `stub-fouled`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__(CODE, "with-muck", "stub-only")


class Stub(Watcher):
    """Watches where the undealt cards are."""

    code = CODE

    def __init__(self, lookout: Lookout) -> None:
        """No stub is put together yet."""
        super().__init__(lookout)
        self._takes_all = False

    def came(self, tag: str, zone: str) -> None:
        """A card came into a zone. While the stub is put together its cards lie anywhere."""
        if zone == "burn" or zone.partition("/")[0] == "board":
            self._takes_all = False
        if self._finding() is not None:
            self._doubts.forget_held()
            return
        if isinstance(self._hand.roles.get(tag), None | Discarded) and self._is_fouled():
            self._doubt(Amiss(self._now.t, CODE))

    def takes_in(self, tag: str, zone: str) -> bool:
        """Whether a card of the muck or the burns goes into the new stub: it may come again. That
        is so where the book mixes them (UK-RP4-3, TDA24-RP4C), until the next card comes off it."""
        finding, hand = self._finding(), self._hand
        self._takes_all |= finding is not None and (
            finding.asks_for("scramble-all") or finding.asks_for("scramble-mixed")
        )
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

    def left(self, tag: str, _zone: str) -> None:
        """A card left a zone: perhaps all of them are in the stub again."""
        finding = self._finding()
        if finding is not None and tag in finding.tags:
            if isinstance(self._hand.roles.get(tag), Discarded):
                del self._hand.roles[tag]
            self._hand.astray.pop(tag, None)
            self.look_whole()

    def look_whole(self) -> None:
        """A stub is good again once all of it has been taken up, and somebody has said that it was
        put in order or scrambled."""
        finding = self._finding()
        if finding is None or not finding.shown & REBUILD:
            return
        if all(set(self._lying.zones(of)) <= {"stub"} for of in finding.tags):
            self._judge.put_right(finding, self._now.t)

    def prove(self, _: Doubt) -> None:
        """They have stayed there. What seemed to come to the board too soon fell there."""
        if not self._is_fouled():
            return
        hand = self._hand
        tags = tuple(tag for tag in self._lying.tags() if self._is_astray(tag))
        for finding in [f for f in hand.findings if f.code.startswith("premature-")]:
            self._judge.close(finding, "expired", self._now.t)
        self._doubts.forget_held()
        mixed = any(self._lying.is_present(tag, "muck") for tag in tags)
        facts = frozenset({"with-muck" if mixed else "stub-only"})
        self._judge.establish(Amiss(self._now.t, CODE, facts=facts, tags=tags), self._now.t)

    def _is_fouled(self) -> bool:
        hand = self._hand
        if not (hand.dealt_out and self._judge.watching):
            return False
        if (
            isinstance(hand.head, Back | PickBurn | Reorder | Showdown | Shuffle)
            or self._finding() is not None
        ):
            return False
        if any(f.ruling.outcome in _TAKES_CARDS_IN or f.asks_for("shuffle") for f in hand.findings):
            return False
        astray = [tag for tag in self._lying.tags() if self._is_astray(tag)]
        beside = [tag for tag in astray if not self._lying.is_present(tag, "board")]
        return bool(beside) and len(astray) - self._unread() >= FEWEST

    def _is_astray(self, tag: str) -> bool:
        """Whether an undealt card lies at a seat or in the muck, or on the board unasked."""
        role = self._hand.roles.get(tag)
        if self._kinds.classify(tag) != "card" or self._lying.is_present(tag, "stub"):
            return False
        if tag in self._hand.strays:
            return False
        if role is None:
            return self._doubts.is_held(tag, "board") or self._is_out(tag)
        return isinstance(role, EarlyCard) or (isinstance(role, Discarded) and self._is_out(tag))

    def _is_out(self, tag: str) -> bool:
        """Before anything has followed the deal, a card at a seat was dealt there."""
        at_seat = self._hand.played and self._lying.seat(tag) is not None
        return at_seat or self._lying.is_present(tag, "muck")

    def _unread(self) -> int:
        """How many cards left the stub as they should and were not read."""
        hand = self._hand
        dealt_in = len(hand.betting.players) - len(dealt_out(hand))
        hole = HOLE_CARDS * dealt_in - len(hand.dealt)
        dealt = [street for street in SIZE if hand.board[street] or street in hand.acted_streets]
        burns = sum(not hand.burns[street] for street in dealt)
        board = sum(max(0, SIZE[s] - len(hand.board[s])) for s in dealt)
        return max(0, hole) + burns + board
