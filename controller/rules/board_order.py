"""How the board is laid: the turn to the right of the flop, the river to the right of the turn.

HPT-CC-02. Only a table with an antenna for each place, `board/1` … `board/5`, can tell.
"""

from __future__ import annotations

from controller.rules.hand import BoardCard
from controller.rules.procedure import Street
from controller.rules.watcher import Lasting, Lookout

_PLACES: dict[Street, frozenset[str]] = {
    "flop": frozenset({"board/1", "board/2", "board/3"}),
    "turn": frozenset({"board/4"}),
    "river": frozenset({"board/5"}),
}


class BoardOrder(Lasting[str]):
    """Watches in which place each card of the board lies."""

    def __init__(self, lookout: Lookout) -> None:
        """No card lies anywhere."""
        super().__init__(lookout)
        self._said: set[Street] = set()

    def came(self, tag: str, zone: str) -> None:
        """A card came to a place on the board."""
        role = self._hand.roles.get(tag)
        if zone.startswith("board/") and isinstance(role, BoardCard):
            self._due[tag] = self._now.t + self._table.timing.settle

    def _lasted(self, tag: str) -> None:
        """Says which street lies in another's place."""
        role = self._hand.roles.get(tag)
        if not isinstance(role, BoardCard) or role.street in self._said:
            return
        at = [zone for zone in self._lying.zones(tag) if zone.startswith("board/")]
        misplaced = bool(at) and not _PLACES[role.street].intersection(at)
        if misplaced and not self._hand.findings and self._judge.watching:
            self._said.add(role.street)
            self._now.tell.remind("board-order", self._now.t, street=role.street)
