"""A time in which nobody watched: the hand goes on from what lies there after it (contract,
`gap`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from controller.contract.observations import Gone, Press, Seen, Timing
from controller.hand.inventory import QUIET, as_dealt
from controller.hand.judge import Judge
from controller.hand.walk import Walk
from controller.rules.hand import HoleCard
from controller.rules.procedure import STREETS, Burn, Deal, Round, Turn
from controller.rules.turns import Turns


class Played(Protocol):
    """The hand, as far as it is played on by what is told of that time."""

    def arrived(self, tag: str, zone: str, t: float) -> None:
        """A tag is newly in a zone's field."""

    def left(self, tag: str, zone: str, t: float) -> None:
        """A tag has left a zone's field for good."""

    def press(self, seat: int, button: str, amount: int | None, by: str, t: float) -> None:
        """A seat acted."""

    def settle(self) -> None:
        """Goes on along the script."""


class Unseen:
    """What happened in one hand while nobody watched."""

    def __init__(
        self, played: Played, walk: Walk, judge: Judge, turns: Turns, timing: Timing
    ) -> None:
        """Somebody has always watched."""
        self._played = played
        self._walk = walk
        self._hand = walk.hand
        self._judge = judge
        self._turns = turns
        self._timing = timing

    def happened(
        self,
        t: float,
        left: Iterable[Gone],
        came: Sequence[Seen],
        presses: Sequence[Press],
    ) -> None:
        """Until `t` nobody has watched, and this has `left` and `came` meanwhile. Nothing is a
        finding for a while: the hand goes on from what lies there, street by street as they have
        been pressed for; who has pressed has mucked after that. Where a street lies there that was
        not, nothing is for the rest of it."""
        walk, hand, played = self._walk, self._hand, self._played
        walk.t = t
        hand.gap_round = hand.betting.round
        self._judge.quiet_until = t + QUIET
        hand.deal_unseen |= not hand.dealt_out
        burned = sum(map(len, hand.burns.values()))
        out_before = sum(map(len, hand.board.values()))
        dealt, streets = as_dealt(came, hand.positions.button, out_before, burned)
        self._let_pass()
        before = walk.take_unplaced()
        for gone in left:
            played.left(gone.tag, gone.zone, t)
        mucked = self._mucked_by(dealt, {press.seat for press in presses})
        for seen in dealt:
            if not any(seen in cards for cards in mucked.values()):
                self._came(seen, t)
        out = iter(streets)
        for act in before:
            self._come_to_round(out, t)
            if isinstance(hand.head, Round) and not hand.over:
                self._turns.act(act)
                played.settle()
        for at, press in enumerate(presses, 1):
            t = max(t, press.t)
            self._come_to_round(out, t)
            if not hand.over:
                played.press(press.seat, press.button, press.amount, press.by, t)
            if not any(later.seat == press.seat for later in presses[at:]):
                for seen in mucked.get(press.seat, ()):
                    self._came(seen, t)
        walk.t = t
        for seen in out:
            self._came(seen, t)
        hand.gap_round = hand.betting.round
        if hand.deal_unseen and hand.played:
            self._judge.stop()

    def _mucked_by(self, came: Iterable[Seen], seats: Collection[int]) -> dict[int, list[Seen]]:
        """What has come to the muck, of the players at these seats."""
        mucked: dict[int, list[Seen]] = {}
        for seen in came:
            role = self._hand.roles.get(seen.tag)
            if seen.zone == "muck" and isinstance(role, HoleCard) and role.seat in seats:
                mucked.setdefault(role.seat, []).append(seen)
        return mucked

    def _come_to_round(self, out: Iterator[Seen], t: float) -> None:
        """The next street comes once the round is complete."""
        while isinstance(self._hand.head, Burn | Turn) and not self._hand.over:
            seen = next(out, None)
            if seen is None:
                return
            self._came(seen, t)
            self._hand.gap_round = self._hand.betting.round

    def _came(self, seen: Seen, t: float) -> None:
        hand = self._hand
        if hand.over:
            return
        if seen.zone.startswith(("board", "burn")) and (
            isinstance(hand.head, Deal | Round) or not hand.dealt_out
        ):
            # Who has acted nobody saw: of the rest of this hand nothing is certain.
            hand.betting.lose_track()
            self._judge.stop()
        self._played.arrived(seen.tag, seen.zone, t)
        self._let_pass()

    def _let_pass(self) -> None:
        for _ in STREETS:
            if not self._hand.over and self._judge.let_pass():
                self._played.settle()

    def end_quiet(self, t: float) -> None:
        """It was long enough, but for a deal, which is judged as a whole."""
        until = self._judge.quiet_until
        if until is not None and t >= until:
            dealing = not self._hand.dealt_out
            self._judge.quiet_until = t + self._timing.again if dealing else None
