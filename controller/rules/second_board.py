"""A second board: in a cash game the players may agree to deal the rest twice once no betting is
possible, and each board has its part of the pot (RR7-PROC-16, RR7-NL-18).

What is agreed no sensor reads. Undealt cards that stay beside a complete board before the award are
the second one: the pot goes by both, and so by neither alone. A tournament has one board.
"""

from __future__ import annotations

from controller.rules.hand import Returned
from controller.rules.procedure import STREETS, Showdown
from controller.rules.watcher import Lasting


class SecondBoard(Lasting[str]):
    """Watches what comes beside the board at the showdown."""

    def came(self, tag: str, zone: str) -> None:
        """A card has come somewhere."""
        hand = self._hand
        beside = zone.partition("/")[0] == "board" and isinstance(hand.head, Showdown)
        if not beside or self._table.mode != "cash" or hand.betting.betting_possible:
            return
        undealt = isinstance(hand.roles.get(tag), None | Returned)
        if undealt and hand.is_complete(STREETS[-1]) and self._kinds.classify(tag) == "card":
            self._due[tag] = self._now.t + self._table.timing.settle

    def _lasted(self, thing: str) -> None:
        board = [tag for tags in self._hand.board.values() for tag in tags]
        lie = all(self._lying.is_present(tag, "board") for tag in (thing, *board))
        elsewhere = self._lying.is_present(thing, "stub") or self._lying.seat(thing) is not None
        if lie and not elsewhere and self._hand.deal_was_read and not self._hand.second_board:
            self._hand.second_board = True
            self._now.tell.remind("second-board", self._now.t)
