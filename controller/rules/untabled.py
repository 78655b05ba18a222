"""Hands that have to be tabled and go to the muck instead.

UK-14, TDA09-09, RR7-T-34, NL10-HR-12: at a tournament nobody who is all-in, or has called all the
betting there will be, may muck his hand untabled; it is live. No antenna reads whether a card lies
face up: that a hand is tabled is the dealer's entry.
"""

from __future__ import annotations

from controller.rules.hand import HoleCard
from controller.rules.watcher import Lookout, Watcher


class Untabled(Watcher):
    """Says so at once, of each hand once."""

    def __init__(self, lookout: Lookout) -> None:
        """None so far."""
        super().__init__(lookout)
        self._seats: list[int] = []
        self._said: set[int] = set()

    def came(self, tag: str, zone: str) -> None:
        """A card came to the muck."""
        role = self._hand.roles.get(tag)
        if zone != "muck" or not isinstance(role, HoleCard):
            return
        if role.seat in (*self._seats, *self._said):
            return
        betting = self._hand.betting
        others = [p for p in betting.contesting if p.seat != role.seat]
        must = self._table.mode == "tournament" and betting.must_table(role.seat)
        if must and others and not betting.players[role.seat].tabled:
            self._seats.append(role.seat)

    def settle(self) -> None:
        """Says what there is to say."""
        seats, self._seats = self._seats, []
        for seat in seats:
            self._said.add(seat)
            self._now.tell.remind("must-table", self._now.t, seat=seat)
