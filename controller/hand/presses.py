"""Presses that make no sense at their moment: they change nothing."""

from __future__ import annotations

from controller.hand.judge import Judge
from controller.hand.walk import Walk
from controller.rules.bans import Bans
from controller.rules.out_of_turn import AGAIN, OUT, Act
from controller.rules.procedure import Burn, Round, Showdown, Turn


class Presses:
    """Looks at each press of one hand before it counts."""

    def __init__(self, walk: Walk, judge: Judge, bans: Bans) -> None:
        """There has been none."""
        self._walk = walk
        self._hand = walk.hand
        self._judge = judge
        self._bans = bans
        self._before: dict[int, tuple[float, Act]] = {}
        self._last: int | None = None

    def card_came(self) -> None:
        """The hand has gone on since the last press."""
        self._last = None

    def is_needless(self, act: Act) -> bool:
        """Whether this is the press before once more, or the seat has nothing to add."""
        t, betting = self._walk.t, self._hand.betting
        before, self._before[act.seat] = self._before.get(act.seat), (t, act)
        waits = betting.awaits(act.seat)
        if before is not None and before[1] == act and t - before[0] <= AGAIN:
            return not waits or self._last == act.seat
        self._last = act.seat
        doubted = any(doubt.amiss.code != OUT for doubt in self._judge.doubts)
        if waits or self._hand.findings or doubted or self._bans.are_broken:
            return False
        player = betting.players[act.seat]
        adds_nothing = act.button in ("check", "call") and act.amount in (None, player.bet)
        return adds_nothing and player.acted and isinstance(self._hand.head, Round)

    def have_no_place(self) -> bool:
        """Whether nobody is to act: the next street or the showdown is due."""
        head = self._hand.head
        is_due = isinstance(head, Turn) and not self._hand.board[head.street]
        return is_due or isinstance(head, Burn | Showdown)
