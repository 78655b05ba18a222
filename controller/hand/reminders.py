"""What the dealer is told beside the next step of the hand, or before it: each thing once."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.observations import TableBlinds
from controller.hand.walk import Walk
from controller.rules.absent import Absent
from controller.rules.amounts import amiss
from controller.rules.bans import Bans
from controller.rules.betting_rules import BettingRules
from controller.rules.out_of_turn import Act
from controller.rules.rabbit import Rabbit
from controller.rules.showing import Showing
from controller.rules.watcher import Lookout, Step


class Reminders:
    """Those of one hand, also once it is over."""

    def __init__(
        self, walk: Walk, lookout: Lookout, *, bans: Bans, showing: Showing, amounts: BettingRules
    ) -> None:
        """Has the walk ask for what comes before the head of the script. `amounts` are the
        book's."""
        self._walk = walk
        self._amounts = amounts
        self._amiss: Step | None = None
        self._showing = showing
        self._rabbit = Rabbit(lookout)
        self._dead: list[tuple[int, str]] = []
        walk.tell.first = (Absent(lookout).next_step, bans.next_step, showing.next_step)

    @property
    def next_deadline(self) -> float | None:
        """When something is to be said, if nothing happens before."""
        after = self._walk.t
        again = self._walk.tell.next_repeat(after)
        if not self._walk.hand.over:
            return again
        rabbit = self._rabbit.next_deadline(after)
        return again if rabbit is None or (again is not None and again < rabbit) else rabbit

    def came_after(self, tag: str, zone: str) -> None:
        """A card came into a zone, and the hand is over."""
        self._rabbit.came(tag, zone)

    def before(self, act: Act) -> None:
        """A seat is about to act."""
        self._amiss = amiss(self._amounts, self._walk.hand.betting, act)

    def award(self) -> None:
        """The pot is awarded: ends the hand. An award in doubt is asked about until the next hand
        begins."""
        doubts = self._showing.doubts_of_award()
        self._walk.complete(awarded=True)
        for text_id, args in doubts:
            self._walk.tell.say(text_id, self._walk.t, **args)

    def dead(self, seats: Sequence[int], why: str) -> None:
        """These hands are dead, by a finding of this code."""
        self._dead += [(seat, why) for seat in seats]

    def level(self, text_id: str, blinds: TableBlinds) -> None:
        """`new-level` or `level-waits`, with these blinds."""
        args = {"small": blinds.small, "big": blinds.big}
        if blinds.ante:
            text_id, args = f"{text_id}-ante", {**args, "ante": blinds.ante}
        self._walk.tell.remind(text_id, self._walk.t, **args)

    def settle(self) -> None:
        """Says what is due, after the next step has been said."""
        dead, self._dead = self._dead, []
        for seat, why in dead:
            self._walk.tell.remind("hand-dead", self._walk.t, seat=seat, why=why)
        wrong, self._amiss = self._amiss, None
        if wrong is not None:
            text_id, args = wrong
            self._walk.tell.remind(text_id, self._walk.t, **args)
        if self._walk.hand.over:
            self._rabbit.settle()
            self._walk.tell.repeat(self._walk.t)
