"""Players who are not there: their hands are killed at once after the last card.

RR7-T-12, UK-28, UK-65C (a penalised player stays away), TDA09-22a. Who is absent the table is
told; no sensor knows it.
"""

from __future__ import annotations

from controller.engine.announcer import Step
from controller.rules.hand import Hand
from controller.rules.procedure import Round


class Absent:
    """Asks the dealer to take these hands in: before the first action, then at their turn."""

    def __init__(self, hand: Hand) -> None:
        """`hand.absent` is known once the deal is finished."""
        self._hand = hand

    def next_step(self, _: float) -> Step | None:
        """What is to be done about them before the hand goes on."""
        hand, betting = self._hand, self._hand.betting
        if not hand.absent or not isinstance(hand.head, Round):
            return None
        waiting = sorted(p.seat for p in betting.live if p.seat in hand.absent)
        others = (p for seat, p in betting.players.items() if seat not in hand.absent)
        if waiting and not any(player.has_acted for player in others):
            return "kill-absent", {"seats": ", ".join(map(str, waiting))}
        seat = betting.next_to_act()
        return ("act-absent", {"seat": seat}) if seat in waiting else None
