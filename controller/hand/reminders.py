"""What the dealer is told beside the next step of the hand, or before it: each thing once."""

from __future__ import annotations

from collections.abc import Sequence

from controller.hand.walk import Walk
from controller.observations import TableBlinds
from controller.rules.absent import Absent
from controller.rules.away import Away
from controller.rules.board_order import BoardOrder
from controller.rules.muck_lifted import MuckLifted
from controller.rules.muck_retrieved import Muck
from controller.rules.rabbit import Rabbit
from controller.rules.showing import Showing
from controller.rules.turns import Turns
from controller.rules.untabled import Untabled
from controller.rules.watcher import Lookout, Watcher


class Reminders:
    """Those of one hand, also once it is over."""

    def __init__(self, walk: Walk, lookout: Lookout, *, turns: Turns, muck: Muck) -> None:
        """Has the walk ask for what comes before the head of the script."""
        self._walk = walk
        self._showing = Showing(lookout, muck)
        self._rabbit = Rabbit(lookout)
        self._during: tuple[Watcher, ...] = (
            Untabled(lookout),
            self._showing,
            Away(lookout, lambda: turns.passed_over),
            BoardOrder(lookout),
            MuckLifted(lookout),
        )
        self._dead: list[tuple[int, str]] = []
        walk.tell.first = (
            Absent(lookout).next_step,
            turns.bans.next_step,
            self._showing.next_step,
        )

    @property
    def next_deadline(self) -> float | None:
        """When something is to be said, if nothing happens before."""
        after = self._walk.t
        again = self._walk.tell.next_repeat(after)
        if not self._walk.hand.dealt_out:
            return again
        due = again
        for each in (self._rabbit,) if self._walk.hand.over else self._during:
            t = each.next_deadline(after)
            if t is not None and (due is None or t < due):
                due = t
        return due

    def came(self, tag: str, zone: str) -> None:
        """A card came into a zone and has its role in the hand."""
        if self._walk.hand.over:
            self._rabbit.came(tag, zone)
            return
        if not self._walk.hand.dealt_out:
            return
        for each in self._during:
            each.came(tag, zone)

    def left(self, tag: str, zone: str) -> None:
        """A card has left a zone for good."""
        for each in self._during:
            each.left(tag, zone)

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
        if self._walk.hand.over:
            self._rabbit.settle()
            self._walk.tell.repeat(self._walk.t)
            return
        for each in self._during:
            each.settle()
