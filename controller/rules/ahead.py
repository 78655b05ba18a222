"""Who had to act before a seat that acts, as far as that can be known."""

from __future__ import annotations

from itertools import takewhile

from controller.rules.belief import is_order_open
from controller.rules.out_of_turn import DOUBLED, Act, ActedBy
from controller.rules.procedure import HOLE_CARDS
from controller.rules.watcher import Lookout, Watcher


class Ahead(Watcher):
    """Knows who would have been seen to act. `last` is when who acted last, `unheard` are those who
    have acted without being seen to."""

    def __init__(self, lookout: Lookout) -> None:
        """Nobody has acted."""
        super().__init__(lookout)
        self.last: tuple[float, int] | None = None
        self.unheard: set[int] = set()

    def of(self, act: Act) -> tuple[int, ...]:
        """Who had to act before this and is not known to have done so."""
        betting, seat, by = self._hand.betting, act.seat, act.by
        if betting.next_to_act() == seat:
            return ()
        if self._hand.findings and is_order_open(self._hand):
            return ()
        waiting = {player.seat for player in betting.must_act()}
        answers = betting.answers_what_nobody_bet(seat, act.button, act.amount)
        if seat not in waiting and not answers and self._is_put_right(seat, by):
            return ()
        ahead = takewhile(lambda other: other != seat, betting.turn)
        over = tuple(s for s in ahead if s in waiting and self._can_be_passed_over(s))
        return over[:1] if by == "muck" and seat not in waiting else over

    def _is_put_right(self, seat: int, by: ActedBy) -> bool:
        """Whether a player who has acted has pressed twice, or put it right at once. A bet that
        nobody has called is not put right in the muck while others are in the hand."""
        if self.last is None:
            return False
        betting, (at, who) = self._hand.betting, self.last
        killed = by == "muck" and len(betting.live) > 2
        if killed and betting.uncalled(seat) != 0:
            return False
        return (who == seat and not killed) or self._now.t - at < DOUBLED

    def _can_be_passed_over(self, seat: int) -> bool:
        """Whether this player would have been seen to act: he has buttons, his cards were read,
        he is there, and has not acted unheard before."""
        if seat in self.unheard or not self._table.has_buttons(seat):
            return False
        if self._hand.betting.players[seat].unsure:
            return False
        if seat in self._hand.absent or self._table.is_away(seat):
            return False
        zone = f"seat/{seat}"
        if not self._table.has(zone):
            return True
        return len(self._hand.tags_of(seat)) >= HOLE_CARDS and not self._table.was_lost(
            zone, since=self._hand.t
        )

    def holds_cards(self, seat: int) -> bool:
        """Whether a card lies before a player: then he has not given up his hand."""
        if not self._table.has(f"seat/{seat}"):
            return True
        return self._holds_cards(seat)

    def lies(self, seat: int) -> bool:
        """Whether a hand lies before its player and nowhere else."""
        tags = self._hand.tags_of(seat)
        return bool(tags) and all(self._lying.zones(tag) == [f"seat/{seat}"] for tag in tags)
