"""Button misplaced: the puck is not where the button belongs.

Before the deal it is moved. RR7-MISDEAL-1g, NL10-MIS-02: if found during the hand it is a misdeal
while one can be called; UK-33A2 only if the first card went to the wrong seat.

The puck has a tag, so its position is read; a puck without one is never misplaced. It gets carried
around between hands, so nothing is claimed until it has been still for two seconds. If the deal
and the first action follow it, the hand is played from there and turns are judged from there; in
the next hand it is corrected (RR7-IRR-1). A deal that starts to its left is this irregularity and
no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.betting import Player
from controller.rules.button import positions, puck_seats
from controller.rules.deal_rule import DealRule
from controller.rules.doubt import Doubt
from controller.rules.first_card_wrong_seat import PAUSE, judge_first_card
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Amiss
from controller.rules.procedure import clockwise
from controller.rules.watcher import Lookout, Watcher

CODE = "button-misplaced"


def begins_at_puck(hand: Hand, puck: int) -> bool:
    """Whether the deal began to the left of the puck, which lies at that seat, and not where it
    should have."""
    order = list(hand.betting.players)
    dealt = [(t, seat) for t, seat, _ in hand.dealt]
    if not dealt or dealt[0][1] != clockwise(order, puck)[0]:
        return False
    return judge_first_card(order, dealt, ended=hand.played) != "right"


class ButtonMisplaced(DealRule):
    """The irregularity `button-misplaced`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__(CODE, "before-deal", "dealt", "first-card-wrong")

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Whether cards have been dealt, and whether the deal began from there."""
        facts = super().moment(hand, finding)
        if not hand.dealt:
            return facts | {"before-deal"}
        wrong = begins_at_puck(hand, finding.seats[0])
        return facts | {"dealt"} | ({"first-card-wrong"} if wrong else set())


class Puck(Watcher):
    """Watches the puck during one hand.

    Several antennas may read it at once: it lies where it belongs as long as the right one is
    among them. Once the deal has begun with the puck in its place, or a street is out, it is
    pushed about for other reasons.
    """

    code = CODE

    def __init__(self, lookout: Lookout) -> None:
        """A puck that lies elsewhere is doubted first: it may be on its way."""
        super().__init__(lookout)
        self._was_right = False
        self._seats: Sequence[int] = ()

    def lies_at(self, seats: Sequence[int]) -> None:
        """The puck is read at these seats, at the first of them for the longest."""
        hand = self._hand
        self._was_right |= self._lies_right() and bool(hand.dealt)
        self._seats = seats
        right = self._lies_right()
        hand.knows_button |= right
        finding = self._finding()
        if right and finding is not None and self._puts_right(finding):
            self._judge.close(finding, "remedied", self._now.t)
        if not seats or right:
            self._doubts.forget(CODE)
        elif finding is None and not self._doubts.has(CODE) and self._matters():
            amiss = Amiss(self._now.t, CODE, (seats[0],))
            self._doubts.add(amiss, self._now.t + PAUSE)

    def _puts_right(self, finding: OpenFinding) -> bool:
        """Whether the puck may still be moved, which undoes no deal that began to its left."""
        began = begins_at_puck(self._hand, finding.seats[0])
        return finding.ruling.outcome != "misdeal" and not began

    def _lies_right(self) -> bool:
        hand, stays = self._hand, self._table.book.button_stays
        return not puck_seats(hand.positions, hand.betting.players, stays=stays).isdisjoint(
            self._seats
        )

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
        betting = self._table.open_betting(fresh, place)
        for player in players:
            if player.folded:
                betting.kill(player.seat)
        if betting.next_to_act() == seat != hand.betting.next_to_act():
            hand.betting, hand.played_from = betting, place

    def _matters(self) -> bool:
        hand = self._hand
        home = f"seat/{hand.positions.button}"
        read = self._table.has(home) and not self._table.was_lost(home, since=hand.t)
        begun = self._was_right or hand.last_street() is not None
        known = not hand.believes_button and (hand.knows_button or not hand.believed)
        return read and known and not begun and self._judge.watching

    def prove(self, doubt: Doubt) -> None:
        """It has stayed where it does not belong, and nothing has been found that follows from
        it."""
        amiss = doubt.amiss
        if self._matters() and not self._is_told(amiss.seats[0]):
            self._judge.establish(amiss, self._now.t)

    def _is_told(self, seat: int) -> bool:
        first = self._hand.open_finding("first-card-wrong-seat")
        return first is not None and begins_at_puck(self._hand, seat)
