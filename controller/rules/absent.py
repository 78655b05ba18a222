"""Players who are not there: their hands are killed at once after the last card.

RR7-T-12, UK-28, UK-65C (a penalised player stays away), TDA09-22a. Who is absent the table is
told; no sensor knows it.
"""

from __future__ import annotations

from controller.rules.procedure import Round
from controller.rules.watcher import Step, Watcher


class Absent(Watcher):
    """Asks the dealer to take these hands in: before the first action, then at the turn of one
    that is not dead yet."""

    def next_step(self, _: float) -> Step | None:
        """What is to be done about them before the hand goes on."""
        hand, betting = self._hand, self._hand.betting
        if not hand.absent or not isinstance(hand.head, Round):
            return None
        waiting = sorted(filter(self._waits, hand.absent))
        others = (p for seat, p in betting.players.items() if seat not in hand.absent)
        if waiting and not any(player.has_acted for player in others):
            return "kill-absent", {"seats": ", ".join(map(str, waiting))}
        seat = betting.next_to_act()
        return ("act-absent", {"seat": seat}) if seat in waiting else None

    def _waits(self, seat: int) -> bool:
        """Whether a hand has not been taken in."""
        if not (self._hand.betting.players[seat].folded and self._table.has(f"seat/{seat}")):
            return True
        return any(at == seat and self._lying.seat(tag) == at for _, at, tag in self._hand.dealt)
