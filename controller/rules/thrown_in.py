"""The winner's cards in the muck before the loser's: of two players one owes a call, and it is the
other who throws his cards in.

Nobody folds a bet that nobody has called: he has seen his opponent fold, whose cards follow, or
believes that he has (TDA24-15B1). Two acts of different seats within `press_window` have no certain
order (CONTRACT): for that time it is open who has folded. Whoever then still has cards has won.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules.out_of_turn import Act
from controller.rules.procedure import Round
from controller.rules.watcher import Lasting, Lookout


class ThrownIn(Lasting[int]):
    """Waits for the opponent's cards, or for what he presses."""

    def __init__(self, lookout: Lookout, act: Callable[[Act], None]) -> None:
        """Nobody has; `act` takes a fold."""
        super().__init__(lookout)
        self._act = act

    def holds(self, seat: int) -> bool:
        """Whether it is open who has folded, now that the cards of this seat are in the muck."""
        if seat in self._due:
            return True
        owes = self._opponent(seat)
        if owes is None or owes in self._due or not self._holds_cards(owes):
            return False
        self._due[seat] = self._now.t + self._table.timing.press_window
        return True

    def pressed(self, button: str) -> None:
        """The opponent, or the player himself, has pressed something."""
        if button != "fold":
            self.end()

    def end(self) -> None:
        """The opponent plays on, or the next card comes: it was a fold."""
        for seat in list(self._due):
            self._fold(seat)

    def _opponent(self, seat: int) -> int | None:
        """Who of two players has yet to call the bet, if it is not this seat."""
        betting = self._hand.betting
        others = [player.seat for player in betting.live if player.seat != seat]
        if len(others) != 1 or not isinstance(self._hand.head, Round):
            return None
        owes = others[0]
        is_owed = betting.next_to_act() == owes and betting.faces_bet(owes)
        return owes if is_owed else None

    def _lasted(self, thing: int) -> None:
        """The opponent keeps his cards, so it was a fold, unless the others have come home."""
        if not self._holds_cards(thing):
            self._fold(thing)

    def _fold(self, seat: int) -> None:
        self._due.pop(seat, None)
        if not (self._hand.over or self._hand.betting.players[seat].folded):
            self._act(Act(seat, "fold", None, "muck"))
