"""How the board is laid: the turn to the right of the flop, the river to the right of the turn.

HPT-CC-02. Only a table with an antenna for each place, `board/1` … `board/5`, can tell.
"""

from __future__ import annotations

from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.hand import BoardCard
from controller.rules.procedure import Street

_PLACES: dict[Street, frozenset[str]] = {
    "flop": frozenset({"board/1", "board/2", "board/3"}),
    "turn": frozenset({"board/4"}),
    "river": frozenset({"board/5"}),
}


class BoardOrder:
    """Watches in which place each card of the board lies."""

    def __init__(self, walk: Walk, setup: Setup, judge: Judge, places: Places) -> None:
        """`places` knows where each tag is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._doubts: dict[str, float] = {}
        self._said: set[Street] = set()

    def came(self, tag: str, zone: str) -> None:
        """A card came to a place on the board."""
        role = self._hand.roles.get(tag)
        if zone.startswith("board/") and isinstance(role, BoardCard):
            self._doubts[tag] = self._walk.t + self._setup.timing.settle

    def next_deadline(self, after: float) -> float | None:
        """When a card has stayed in a wrong place."""
        if not self._doubts:
            return None
        return min((t for t in self._doubts.values() if t > after), default=None)

    def settle(self) -> None:
        """Says which street lies in another's place."""
        t = self._walk.t
        for tag in [tag for tag, due in self._doubts.items() if due <= t]:
            del self._doubts[tag]
            role = self._hand.roles.get(tag)
            if not isinstance(role, BoardCard) or role.street in self._said:
                continue
            at = [zone for zone in self._places.zones(tag) if zone.startswith("board/")]
            misplaced = bool(at) and not _PLACES[role.street].intersection(at)
            if misplaced and not self._hand.findings and self._judge.watching:
                self._said.add(role.street)
                self._walk.tell.remind("board-order", t, street=role.street)
