"""Cards that are long away from their seat: in a player's hands, out of view, or thrown forward.

RR7-PROC-18, UK-23C, NL10-HR-03: cards stay in full view within the table's edge. RR7-DEAD-1b: a
hand that is thrown forward so that another player acts behind it is dead. No antenna reads either:
a player who looks at the cards has them off the table just so. So the dealer is asked, late, and
once a hand and seat.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules.hand import HoleCard
from controller.rules.procedure import HOLE_CARDS, Showdown
from controller.rules.watcher import Lookout, Watcher

LONG = 20.0
"""Seconds for which a player may have both cards off the table."""
SOON = 5.0
"""The same where others have acted though it was this player's turn."""


class Away(Watcher):
    """Watches whether the live hands lie before their players."""

    def __init__(self, lookout: Lookout, passed_over: Callable[[], tuple[int, ...]]) -> None:
        """`passed_over` are those whose turn it was when others acted."""
        super().__init__(lookout)
        self._passed_over = passed_over
        self._since: dict[int, float] = {}
        self._asked: set[int] = set()

    def came(self, tag: str, _zone: str) -> None:
        """A card has come into a zone."""
        self._moved(tag)

    def left(self, tag: str, _zone: str) -> None:
        """A card has left a zone for good."""
        self._moved(tag)

    def _moved(self, tag: str) -> None:
        role = self._hand.roles.get(tag)
        if isinstance(role, HoleCard):
            if self._is_away(role.seat):
                self._since.setdefault(role.seat, self._now.t - self._table.timing.flicker)
            else:
                self._since.pop(role.seat, None)

    def _is_away(self, seat: int) -> bool:
        tags = self._hand.tags_of(seat)
        return len(tags) >= HOLE_CARDS and not any(self._lying.zones(tag) for tag in tags)

    def next_deadline(self, after: float) -> float | None:
        """When a hand has been away for too long."""
        if not self._since:
            return None
        due = (self._due(seat) for seat in self._since if seat not in self._asked)
        return min((t for t in due if t > after), default=None)

    def _due(self, seat: int) -> float:
        return self._since[seat] + (SOON if seat in self._passed_over() else LONG)

    def settle(self) -> None:
        """Asks about the hands that have been away for too long."""
        t = self._now.t
        for seat in list(self._since):
            if seat not in self._asked and t >= self._due(seat) and self._matters(seat):
                self._asked.add(seat)
                passed = seat in self._passed_over()
                self._now.tell.remind("thrown-forward" if passed else "cards-away", t, seat=seat)

    def _matters(self, seat: int) -> bool:
        hand, zone = self._hand, f"seat/{seat}"
        player = hand.betting.players[seat]
        if player.folded or player.tabled or seat in hand.absent or not hand.played:
            return False
        if not self._judge.watching or hand.findings or isinstance(hand.head, Showdown):
            return False
        if not (self._table.has("muck") or self._table.has_buttons(seat)):
            return False  # nothing would have shown that it was folded
        return not self._table.was_lost(zone, since=hand.t) and self._others_lie(seat)

    def _others_lie(self, seat: int) -> bool:
        """Whether another live hand lies before its player: else the cards are collected."""
        live = {player.seat for player in self._hand.betting.live} - {seat}
        return any(at in live and self._lying.seat(tag) == at for _, at, tag in self._hand.dealt)
