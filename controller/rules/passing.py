"""Cards that fly past: a hole card on its way to its seat crosses the middle of the table, whose
antennas may read it there.

CONTRACT, *What counts as what*: the deal is finished with 2N cards, or at the first action or burn.
While cards are pitched, one that comes to the board or the burns is taken for that only once it has
lain there for a flicker, or another one has followed.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules.first_card_wrong_seat import PAUSE
from controller.rules.procedure import HOLE_CARDS, Deal
from controller.rules.watcher import Lasting, Lookout


class Passing(Lasting[tuple[str, str]]):
    """Holds back what comes to the middle amid the deal, each card with its zone."""

    def __init__(self, lookout: Lookout, take: Callable[[str, str], None]) -> None:
        """Nothing is held; `take` takes what lies there after all."""
        super().__init__(lookout)
        self._take = take

    def holds(self, tag: str, zone: str) -> bool:
        """Whether a card that comes to the middle may only fly past."""
        hand = self._hand
        whole = HOLE_CARDS * len(hand.betting.players)
        if hand.dealt_out or not isinstance(hand.head, Deal) or not 0 < len(hand.dealt) < whole:
            return False
        is_pitched = self._now.t - hand.dealt[-1][0] < PAUSE
        if self._due or not is_pitched or tag in hand.roles or tag in hand.astray:
            return False
        self._due[tag, zone] = self._now.t + self._table.timing.flicker
        return True

    def flew(self, tag: str) -> None:
        """A card is read elsewhere, or nowhere any more."""
        if self._due:
            self._due = {placed: due for placed, due in self._due.items() if placed[0] != tag}

    def end(self) -> None:
        """The deal is over, or another card has followed: what is held lies where it came."""
        held, self._due = list(self._due), {}
        for placed in held:
            self._lasted(placed)

    def _lasted(self, thing: tuple[str, str]) -> None:
        tag, zone = thing
        if self._lying.is_present(tag, zone.partition("/")[0]):
            self._take(tag, zone)
