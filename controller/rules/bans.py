"""Seats that may not bet or raise, since they have acted out of turn (RR7-BET-10, UK-39A).

A raise all the same counts as it comes. The dealer is told: the same seat puts it right, or the
next one that acts lets it stand.
"""

from __future__ import annotations

from controller.rules.betting import Betting
from controller.rules.hand import Hand
from controller.rules.out_of_turn import Act, came_between
from controller.rules.procedure import Round
from controller.rules.watcher import Step


class Bans:
    """Watches those who are limited in a hand."""

    def __init__(self, hand: Hand) -> None:
        """Nobody is, so far."""
        self._hand = hand
        self._broken: tuple[int, Betting] | None = None

    def is_broken_by(self, act: Act) -> bool:
        """Whether a seat that may not bet or raise does."""
        if act.seat not in self._hand.limited or act.button in ("check", "fold"):
            return False
        trial = self._hand.betting.copy()
        before = trial.to_call
        trial.act(act.seat, act.button, act.amount)
        return came_between(act, before, trial.to_call) == "changed"

    def break_by(self, seat: int) -> None:
        """This seat is about to do so."""
        self._broken = (seat, self._hand.betting.copy())

    def end(self, seat: int) -> None:
        """This seat has had its next turn."""
        if self._hand.limited.get(seat) == "next-turn":
            del self._hand.limited[seat]

    def put_right_or_leave(self, seat: int) -> None:
        """A seat is about to act: a raise against a ban before it is taken back or stands."""
        broken, self._broken = self._broken, None
        if broken is None:
            return
        offender, before = broken
        if seat == offender:
            self._hand.betting = before
        else:
            self.end(offender)

    @property
    def are_broken(self) -> bool:
        """Whether somebody has raised against a ban, and nobody has acted since."""
        return self._broken is not None

    def next_step(self, _: float) -> Step | None:
        """What is to be done about it before the hand goes on."""
        if self._broken is None or not isinstance(self._hand.head, Round):
            return None
        return "raise-banned", {"seat": self._broken[0]}
