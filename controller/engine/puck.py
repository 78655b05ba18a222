"""The puck: does it lie where the button belongs?"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.betting import Player
from controller.rules.button import positions, puck_seats
from controller.rules.button_misplaced import CODE as MISPLACED
from controller.rules.button_misplaced import begins_at_puck
from controller.rules.first_card_wrong_seat import PAUSE
from controller.rules.hand import OpenFinding
from controller.rules.irregularity import Amiss
from controller.rules.procedure import clockwise

CODE = MISPLACED


class Puck:
    """Watches the puck during one hand.

    Several antennas may read it at once: it lies where it belongs as long as the right one is
    among them. Once the deal has begun with the puck in its place, or a street is out, it is
    pushed about for other reasons.
    """

    def __init__(self, walk: Walk, setup: Setup, judge: Judge) -> None:
        """A puck that lies elsewhere is doubted first: it may be on its way."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._was_right = False
        self._seats: Sequence[int] = ()
        self._homes = puck_seats(
            walk.hand.positions, walk.hand.betting.players, stays=setup.book.button_stays
        )

    def lies_at(self, seats: Sequence[int]) -> None:
        """The puck is read at these seats, at the first of them for the longest."""
        hand = self._hand
        self._was_right |= self._lies_right() and bool(hand.dealt)
        self._seats = seats
        right = self._lies_right()
        hand.knows_button |= right
        finding = hand.open_finding(CODE)
        if right and finding is not None and self._puts_right(finding):
            self._judge.close(finding, "remedied", self._walk.t)
        if not seats or right:
            self._judge.forget(CODE)
        elif finding is None and not self._judge.doubts_of(CODE) and self._matters():
            amiss = Amiss(self._walk.t, CODE, (seats[0],))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + PAUSE))

    def _puts_right(self, finding: OpenFinding) -> bool:
        """Whether the puck may still be moved, which undoes no deal that began to its left."""
        began = begins_at_puck(self._hand, finding.seats[0])
        return finding.ruling.outcome != "misdeal" and not began

    def _lies_right(self) -> bool:
        return not self._homes.isdisjoint(self._seats)

    def first_acts(self, seat: int) -> None:
        """The first action of the hand. Where the puck lies elsewhere, the deal began to its
        left and this is the player whose turn it then is, the hand is played from there: the
        books put that right in the next hand, not in this one (RR7-MISDEAL-2, RR7-IRR-1)."""
        hand = self._hand
        if not self._seats or self._lies_right() or not hand.dealt:
            return
        players = hand.betting.players.values()
        place = positions(self._seats[0], hand.betting.players)
        if hand.dealt[0][1] != clockwise(hand.betting.players, place.button)[0]:
            return
        fresh = [Player(p.seat, p.stack, p.name) for p in players]
        betting = self._setup.open_betting(fresh, place)
        for player in players:
            if player.folded:
                betting.kill(player.seat)
        if betting.next_to_act() == seat != hand.betting.next_to_act():
            hand.betting, hand.played_from = betting, place

    def _matters(self) -> bool:
        hand = self._hand
        home = f"seat/{hand.positions.button}"
        read = self._setup.has(home) and not self._setup.was_lost(home, since=hand.t)
        begun = self._was_right or hand.last_street() is not None
        return read and not begun and self._judge.watching

    def prove(self, amiss: Amiss) -> None:
        """It has stayed where it does not belong, and nothing has been found that follows from
        it."""
        if self._matters() and not self._is_told(amiss.seats[0]):
            self._judge.establish(amiss, self._walk.t)

    def _is_told(self, seat: int) -> bool:
        first = self._hand.open_finding("first-card-wrong-seat")
        return first is not None and begins_at_puck(self._hand, seat)
