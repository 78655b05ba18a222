"""Hands that are to be dead: that they are out, and what is found of them with them."""

from __future__ import annotations

from controller.hand.judge import Judge
from controller.hand.places import Places
from controller.hand.reminders import Reminders
from controller.hand.walk import Walk
from controller.rules.decisions import Decisions
from controller.rules.hand import HoleCard, OpenFinding
from controller.rules.procedure import Showdown


class DeadHands:
    """Those of one hand of play."""

    def __init__(
        self,
        walk: Walk,
        judge: Judge,
        places: Places,
        decisions: Decisions,
        reminders: Reminders,
    ) -> None:
        """`decisions` kill a hand, `reminders` say what becomes of it."""
        self._walk = walk
        self._hand = walk.hand
        self._judge = judge
        self._places = places
        self._decisions = decisions
        self._reminders = reminders
        self._to_die: set[int] = set()

    def kill_in_muck(self, tag: str) -> None:
        """The dealer takes in a hand that is to be dead, be its player all-in or not."""
        hand = self._hand
        role = hand.roles.get(tag)
        if isinstance(role, HoleCard) and not isinstance(hand.head, Showdown):
            seat = role.seat
            is_dead = any(f.seats == (seat,) and f.may_kill for f in hand.findings)
            if is_dead or seat in hand.absent:
                self._decisions.kill((seat,))

    def bury(self) -> None:
        """A hand that is to be dead is out: that was the remedy, unless it was folded before."""
        hand = self._hand
        for finding in list(hand.findings):
            players = [p for s in finding.seats if (p := hand.betting.players.get(s))]
            folded = players and all(p.folded for p in players)
            if folded and not finding.due and self._may_close(finding):
                if finding.id in self._to_die:
                    self._judge.put_right(finding, self._walk.t)
                else:
                    self._judge.close(finding, "expired", self._walk.t)
                self._reminders.dead(finding.seats, finding.code)
        self._to_die = {finding.id for finding in hand.findings if finding.may_kill}

    def _may_close(self, finding: OpenFinding) -> bool:
        """Whether a dead hand is all there is to it: no card of it lies in another one still."""
        lying = [
            tag for tag in finding.tags if self._places.seat(tag) not in (None, *finding.seats)
        ]
        return finding.may_kill and not (finding.advises("take-out") and lying)
