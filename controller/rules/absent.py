"""Players who are not there: their hands are killed at once after the last card.

RR7-T-12, UK-28, UK-65C (a penalised player stays away), TDA09-22a. Who is absent the table is
told; no sensor knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from controller.contract.observations import TableSeat
from controller.rules.hand import Hand
from controller.rules.procedure import Round
from controller.rules.watcher import Step, Watcher


def is_away(seat: TableSeat | None) -> bool:
    """Whether a seat's player is not there."""
    return seat is not None and seat.status in ("absent", "penalty")


def absent(mode: Literal["tournament", "cash"], seats: Iterable[TableSeat]) -> set[int]:
    """The seats whose players are dealt in and not there: at a tournament their hands are dead
    once the deal is finished."""
    return {seat.seat for seat in seats if is_away(seat)} if mode == "tournament" else set()


def dying(hand: Hand, *, leave: int) -> Iterator[int]:
    """The seats whose hands are dead with the deal's last card; each is to be killed before the
    next one is asked for. So many hands are left until one is taken in or the hand goes on: that
    ends it."""
    for seat in [player.seat for player in hand.betting.live if player.seat in hand.absent]:
        if len(hand.betting.live) > leave:
            yield seat


def is_heard(by: str, *, is_absent: bool) -> bool:
    """Whether an action says anything: the buttons of who was not there do not (UK-28)."""
    return not is_absent or by == "dealer"


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
