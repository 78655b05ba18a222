"""Muck retrieved: a card that was in the muck came back to a seat.

RR7-DEAD-2: the floor may have a clearly identifiable hand retrieved. UK-13, UK-59: a hand only
stays in play if it is identified with certainty. Whatever the book, the floor decides, and is told
at which seat the card was before.

A folded card may brush a seat on its way, and a neighbour's antenna may read what is in the muck:
the card has to rest at the seat for `settle` and no longer be in the muck. No sensor can tell who
retrieved it, or whether the floor said so.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules.deal_rule import DealRule
from controller.rules.doubt import Doubt
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss
from controller.rules.procedure import Showdown
from controller.rules.watcher import Lookout, Watcher

CODE = "muck-retrieved"


class MuckRetrieved(DealRule):
    """The irregularity `muck-retrieved`."""

    def __init__(self) -> None:
        """The fact `by-order` never holds by itself: it is the outcome that the floor may order."""
        super().__init__(CODE, "by-order")


class Muck(Watcher):
    """Knows which cards have been in the muck."""

    code = CODE

    def __init__(self, lookout: Lookout, hand_back: Callable[[int], bool]) -> None:
        """It is empty. `hand_back` is told of a seat with a card from the muck: True if that was no
        fold and the hand is given back."""
        super().__init__(lookout)
        self._hand_back = hand_back
        self._tags: set[str] = set()

    def received(self, tag: str) -> None:
        """A card lies in the muck."""
        self._tags.add(tag)

    def forget(self, tag: str) -> None:
        """A card has only brushed the muck."""
        self._tags.discard(tag)
        self._doubts.forget(CODE, tag)

    def has_had(self, tag: str) -> bool:
        """Whether a card has been in the muck."""
        return tag in self._tags

    def came_back(self, tag: str, seat: int) -> None:
        """A card that was in the muck lies at a seat."""
        if self._finding() is None and self._judge.watching:
            amiss = Amiss(self._now.t, CODE, (seat,), tags=(tag,))
            self._doubts.add(amiss, self._now.t + self._table.timing.settle)

    def left_seat(self, tag: str) -> None:
        """A card has left a seat: it had not come back from the muck after all."""
        self._doubts.forget(CODE, tag)

    def prove(self, doubt: Doubt) -> None:
        """It has stayed so: a card that is in the muck as well is a neighbour's ghost."""
        amiss = doubt.amiss
        if self._is_collected() or any(map(self._hand_back, amiss.seats)):
            return
        ghost = any(self._lying.is_present(tag, "muck") for tag in amiss.tags)
        live = all(map(self._is_live, amiss.tags, amiss.seats))
        if not (ghost or live) and self._finding() is None:
            self._judge.establish(amiss, self._now.t)

    def _is_collected(self) -> bool:
        """Whether the board is gone at the showdown: nobody has said that the pot was awarded, and
        what comes to the seats is the next deal."""
        board = [tag for tags in self._hand.board.values() for tag in tags]
        lies = any(self._lying.is_present(tag, "board") for tag in board)
        return isinstance(self._hand.head, Showdown) and bool(board) and not lies

    def _is_live(self, tag: str, seat: int) -> bool:
        """Whether a card has come home of a hand that the muck did not kill."""
        player = self._hand.betting.players.get(seat)
        is_home = self._hand.roles.get(tag) == HoleCard(seat)
        return is_home and player is not None and not (player.folded or player.mucked)
