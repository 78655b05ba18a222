"""Saying what is amiss with the deal or with a card: each becomes a finding at once."""

from __future__ import annotations

from controller.engine.judge import Judge
from controller.engine.walk import Walk
from controller.rules.irregularity import Amiss


class Claims:
    """Makes findings of what is amiss."""

    def __init__(self, walk: Walk, judge: Judge) -> None:
        """`walk` has the time, `judge` rules."""
        self._walk = walk
        self._judge = judge

    def establish(
        self,
        code: str,
        seats: list[int],
        *facts: str,
        read: bool = True,
        tags: tuple[str, ...] = (),
    ) -> None:
        """These seats are concerned; `facts` were so, `tags` are the cards. `read` says whether it
        is certain, or whether an unread card would explain it as well."""
        named = tuple(dict.fromkeys(seats))
        amiss = Amiss(self._walk.t, code, named, read, frozenset(facts), tags)
        self._judge.establish(amiss, self._walk.t)

    def give_way(self, code: str) -> None:
        """A worse finding of its kind takes the place of this one."""
        milder = self._walk.hand.open_finding(code)
        if milder is not None:
            self._judge.close(milder, "expired", self._walk.t)
