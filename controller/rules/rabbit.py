"""Rabbit hunting: after the hand, cards that would have come are laid beside the board.

UK-27, TDA09-21. Undealt cards come to the board while all of it still lies there, no more of them
than streets are missing. Where no board lies they can't be told from a deck that is collected.
"""

from __future__ import annotations

from controller.rules.hand import Returned
from controller.rules.procedure import SIZE
from controller.rules.watcher import Lasting, Lookout


class Rabbit(Lasting[str]):
    """Watches the board of a hand that is over."""

    def __init__(self, lookout: Lookout) -> None:
        """No card has been laid there."""
        super().__init__(lookout)
        self._undealt: set[str] = set()
        self._said = False

    def came(self, tag: str, zone: str) -> None:
        """A card came into a zone after the hand."""
        undealt = isinstance(self._hand.roles.get(tag), None | Returned)
        if zone.partition("/")[0] != "board" or self._said or self._hand.misdealt or not undealt:
            return
        if self._kinds.classify(tag) == "card":
            self._undealt.add(tag)
            self._due["board"] = self._now.t + self._table.timing.settle

    def _lasted(self, _: str) -> None:
        """Said once."""
        board = [tag for tags in self._hand.board.values() for tag in tags]
        laid = [tag for tag in self._undealt if self._lying.is_present(tag, "board")]
        stands = bool(board) and all(self._lying.is_present(tag, "board") for tag in board)
        if stands and laid and len(board) + len(laid) <= sum(SIZE.values()):
            self._said = True
            self._now.tell.remind("rabbit", self._now.t)
