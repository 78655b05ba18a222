"""What the dealer is told beside the next step of the hand, or before it: each thing once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from controller.engine.absent import Absent
from controller.engine.away import Away
from controller.engine.judge import Judge
from controller.engine.laid import BoardOrder
from controller.engine.lifted import MuckLifted
from controller.engine.places import Places
from controller.engine.rabbit import Rabbit
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.engine.showing import Showing
from controller.engine.turns import Turns
from controller.engine.untabled import Untabled
from controller.engine.walk import Walk
from controller.observations import TableBlinds
from controller.rules.muck_retrieved import Muck


class Watching(Protocol):
    """What has something to say once it has lasted."""

    def next_deadline(self, after: float) -> float | None:
        """When that is, if it is after this."""

    def settle(self) -> None:
        """Say what is due."""


class Reminders:
    """Those of one hand, also once it is over."""

    def __init__(
        self,
        walk: Walk,
        setup: Setup,
        judge: Judge,
        *,
        places: Places,
        resolver: Resolver,
        turns: Turns,
        muck: Muck,
    ) -> None:
        """Has the walk ask for what comes before the head of the script."""
        self._walk = walk
        self._showing = Showing(walk, setup, judge, places, muck)
        self._away = Away(walk, setup, judge, places=places, turns=turns)
        self._order = BoardOrder(walk, setup, judge, places)
        self._lifted = MuckLifted(walk, setup, judge, places)
        self._untabled = Untabled(walk, setup)
        self._rabbit = Rabbit(walk, setup, places, resolver)
        self._during: tuple[Watching, ...] = (
            self._showing,
            self._away,
            self._order,
            self._lifted,
        )
        self._after: tuple[Watching, ...] = (self._rabbit,)
        self._dead: list[tuple[int, str]] = []
        walk.tell.first = (
            Absent(walk.hand, setup, places).next_step,
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
        for each in self._after if self._walk.hand.over else self._during:
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
        self._away.moved(tag)
        self._order.came(tag, zone)
        self._lifted.came(tag, zone)
        if zone == "muck":
            self._showing.mucked(tag)
            self._untabled.mucked(tag)

    def left(self, tag: str, zone: str) -> None:
        """A card has left a zone for good."""
        self._away.moved(tag)
        self._lifted.left(zone)

    def award(self) -> None:
        """The pot is awarded: ends the hand. An award in doubt is asked about until the next hand
        begins."""
        doubts = self._showing.doubts_of_award()
        self._walk.complete(awarded=True)
        for text_id, args in doubts:
            self._walk.tell.say(text_id, self._walk.t, **args)

    def dead(self, seats: Sequence[int], why: str) -> None:
        """These hands are dead, by a finding of this code (RR7-DEAD-1)."""
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
        self._untabled.settle()
        for each in self._during:
            each.settle()
