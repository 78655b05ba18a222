"""Hands that are tabled: when that counts, and what it says of the betting."""

from __future__ import annotations

from collections.abc import Callable

from controller.contract.events import Event, Tabled
from controller.hand.judge import Judge
from controller.hand.resolver import Resolver
from controller.hand.setup import Setup
from controller.hand.walk import Walk
from controller.rules.dealing import Dealing
from controller.rules.procedure import HOLE_CARDS, STREETS, Deal, Round, Showdown
from controller.rules.turns import Turns


class Tabling:
    """The hands of one deal that lie face up."""

    def __init__(
        self,
        walk: Walk,
        setup: Setup,
        judge: Judge,
        resolver: Resolver,
        *,
        dealing: Dealing,
        turns: Turns,
        emit: Callable[[Event], None],
    ) -> None:
        """None does yet; `emit` takes the events."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._resolver = resolver
        self._dealing = dealing
        self._turns = turns
        self._emit = emit
        self._face_up: set[int] = set()

    def forget(self) -> None:
        """The hand goes on: what was refused is forgotten."""
        self._face_up.clear()

    def table(self, seat: int, *, is_being_dealt: bool) -> bool:
        """A hand lies face up: whether that counts now. While there is betting that is refused
        with a prompt, until all do at once: then the betting is over, whoever has not pressed. Amid
        the deal what is refused is forgotten at once: it is the last hand's."""
        hand = self._hand
        player = hand.betting.players.get(seat)
        if player is None or player.folded or player.tabled:
            return False
        if not is_being_dealt:
            self._face_up.add(seat)
        if is_being_dealt or (isinstance(hand.head, Deal) and not self._all_are_up()):
            return self._refuse(seat)
        self._dealing.end(None)
        self._betting_is_over(seat)
        if not isinstance(hand.head, Showdown) and (
            isinstance(hand.head, Round) or hand.betting.betting_possible
        ):
            return self._refuse(seat)
        for other in sorted(self._face_up):
            self._tabled(other)
        return True

    def _refuse(self, seat: int) -> bool:
        self._walk.tell.remind("betting-open", self._walk.t, seat=seat)
        return False

    def _tabled(self, seat: int) -> None:
        hand = self._hand
        player = hand.betting.players[seat]
        if player.folded or player.tabled:
            return
        player.tabled = True
        if self._setup.mode == "tournament" and hand.betting.must_table(seat):
            player.mucked = False
        tags = hand.tags_of(seat)
        # With too many, which of them lie face up is not known.
        cards = self._resolver.name_public(tags if len(tags) <= HOLE_CARDS else ())
        self._emit(Tabled(self._walk.t, hand.number, seat, cards))

    def _betting_is_over(self, seat: int) -> None:
        """A hand is tabled: nobody waits for those behind whom others have acted, nor on the last
        street for him whose hand it is, nor if all lie face up."""
        waiting, betting = self._judge.waiting(), self._hand.betting
        is_last = self._hand.last_street() == STREETS[-1]
        all_up = not is_last and self._all_are_up()
        if is_last:
            is_over = waiting in ((), (seat,))
        else:
            is_over = all_up or not (waiting or betting.betting_possible)
        if isinstance(self._hand.head, Round) and is_over:
            self._turns.infer_missing()
            self._walk.close_round()
        if all_up and betting.betting_possible:  # who is all-in has not pressed
            betting.lose_track()
            betting.away.update(p.seat for p in betting.live)

    def _all_are_up(self) -> bool:
        live = self._hand.betting.live
        return len(live) > 1 and self._face_up.issuperset(player.seat for player in live)
