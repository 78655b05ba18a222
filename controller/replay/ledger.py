"""What an account knows of positions and chips: a fold over `start`, `action` and `phase`."""

from __future__ import annotations

from collections.abc import Collection

from controller.contract.events import Action, Result, Start
from controller.rules.betting import Betting, Player
from controller.rules.button import Positions, next_positions, positions
from controller.rules.pots import uncalled
from controller.rules.procedure import clockwise

_PUTS_IN = ("call", "bet", "raise", "all-in")


def place(start: Start, last: Positions | None) -> Positions:
    """Who has button and blinds. `last` are the positions of the hand before, if there was one:
    after a player has left, only they say where a blind is dead."""
    seats = [s.seat for s in start.seats]
    if last is not None and last.button == start.button and start.redeal_of is not None:
        return last
    following = None if last is None else next_positions(last, seats)
    if following is not None and following.button == start.button:
        return following
    return positions(start.button, seats)


def names(where: Positions, seats: Collection[int]) -> dict[int, tuple[str, int]]:
    """Each seat's position, by its key in the language file, and how far it is from the first
    seat after the blinds."""
    named = {where.big: ("big", 0), where.small: ("small", 0)}
    if where.button == where.small:
        named[where.button] = ("button-small", 0)
    else:
        named[where.button] = ("button", 0)
    others = [seat for seat in clockwise(seats, where.big) if seat not in named]
    for n, seat in enumerate(others):
        if n == 0:
            named[seat] = ("under-the-gun", 0)
        elif n == len(others) - 1:
            named[seat] = ("cutoff", n)
        elif n == len(others) - 2:
            named[seat] = ("hijack", n)
        else:
            named[seat] = ("under-the-gun-plus", n)
    return {seat: named[seat] for seat in seats if seat in named}


class Ledger:
    """The chips of one hand, as far as they are known."""

    def __init__(self, start: Start, where: Positions) -> None:
        """Blinds and antes are posted."""
        players = {s.seat: Player(s.seat, s.stack, s.player) for s in start.seats}
        blinds = start.blinds
        self._betting = Betting(
            [players[seat] for seat in clockwise(players, start.button)],
            button=start.button,
            blinds=(where.small, where.big),
            level=blinds,
        )
        self._is_known = True
        self._early: set[int] = set()

    @property
    def pot(self) -> int | None:
        """All chips that were put in, or None once an amount was not told."""
        return sum(p.paid for p in self._betting.players.values()) if self._is_known else None

    def player(self, seat: int) -> Player | None:
        """A seat that was dealt in."""
        return self._betting.players.get(seat)

    def open_round(self) -> None:
        """A street begins."""
        for player in self._betting.players.values():
            player.bet = 0
        self._early.clear()

    def doubt(self, early: Collection[int]) -> None:
        """These seats have acted out of turn on this round and may get chips back; a bettor's hand
        in the muck gets back what nobody has called."""
        self._early.update(early)
        back = uncalled(list(self._betting.players.values()))
        if back is not None and back[0] in early and self._betting.players[back[0]].folded:
            self.forget()

    def act(self, action: Action) -> tuple[int | None, bool]:
        """Takes an action. Returns how many chips it put in, if known, and whether they were
        the player's last."""
        player = self.player(action.seat)
        if player is None or (action.amount is None and action.action in _PUTS_IN):
            self.forget()
        if player is None:
            return None, False
        if action.action == "fold":
            player.folded = True
            if action.seat in self._early:
                self.forget()
        if action.amount is None or action.action not in _PUTS_IN:
            return None, False
        before = player.bet
        if action.amount < before:  # early chips were given back
            player.paid += action.amount - before
            player.bet = action.amount
            return None, False
        player.put_in(action.amount - before)
        return player.bet - before, player.all_in

    def forget(self) -> None:
        """What has been put in is no longer certain."""
        self._is_known = False

    def refund(self, result: Result) -> tuple[int, int] | None:
        """Seat and chips of the bet that nobody called, if there was one for certain."""
        back = uncalled(list(self._betting.players.values()))
        if back is None or self.pot != back[1] + sum(pot.amount for pot in result.pots):
            return None
        return back
