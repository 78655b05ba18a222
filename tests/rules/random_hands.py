"""Random no-limit hands, played by PokerKit beside the betting of this project.

At every action both are asked whose turn it is and what may be done; what they do not agree on
is an `AssertionError`. The players sit from left of the button: 0 is the small blind, heads-up
the big one.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from typing import get_args

from pokerkit import Automation, NoLimitTexasHoldem, State

from controller.contract.cards import CARDS
from controller.contract.events import AnteBy, Blinds
from controller.rules.betting import Betting, Player
from controller.rules.button import positions
from controller.rules.hand import Hand
from controller.rules.outcome import Outcome, settle_pots
from controller.rules.procedure import STREETS

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
SMALL, BIG = 5, 10


class Duel:
    """One hand. `seats` are the players', from left of the button."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        count = rng.randint(2, 10)
        ante = rng.choice([0, 0, 0, 1, 10])
        by = rng.choice(get_args(AnteBy))
        stacks = [rng.choice([rng.randint(1, 30), rng.randint(1, 300), 500]) for _ in range(count)]
        big_blind = 1 if count > 2 else 0
        # PokerKit takes a short big blind for the bet; here it is acted on as a full one.
        stacks[big_blind] = max(stacks[big_blind], ante + BIG)
        self.seats = sorted(rng.sample(range(1, 11), count))
        place = positions(self.seats[-1], self.seats)
        antes = [ante if by == "each" or at == 1 else 0 for at in range(count)]
        self.theirs = _state(antes, stacks)
        self.ours = Betting(
            [Player(seat, chips) for seat, chips in zip(self.seats, stacks, strict=True)],
            button=place.button,
            blinds=(place.small, place.big),
            level=Blinds(SMALL, BIG, ante, by),
        )
        self._place = place
        self._faced: dict[int, int] = {}
        self._deck = list(CARDS)
        rng.shuffle(self._deck)

    def play(self) -> Outcome:
        """Plays it to its end, all hands tabled, and returns what this project makes of it."""
        hole = {seat: [self._deck.pop(), self._deck.pop()] for seat in self.seats}
        for seat in self.seats:
            self.theirs.deal_hole("".join(hole[seat]))
        self._bet()
        board: list[str] = []
        for street in STREETS:
            if len(self.ours.live) > 1:
                cards = [self._deck.pop() for _ in range(3 if street == "flop" else 1)]
                board += cards
                self.ours.open_round(street)
                self._deal(cards)
                self._bet()
        while self.theirs.showdown_index is not None:
            self.theirs.show_or_muck_hole_cards(True)
        assert not self.theirs.status, "the hand is over for one and not for the other"
        hand = Hand(1, 0.0, self._place, self.ours, [])
        live = {p.seat: hole[p.seat] for p in self.ours.live}
        return settle_pots(hand, live, board)

    def _deal(self, cards: Sequence[str]) -> None:
        self._show()
        self.theirs.burn_card("??")
        self.theirs.deal_board("".join(cards))

    def _show(self) -> None:
        while self.theirs.showdown_index is not None:  # all-in: hands are tabled at once
            self.theirs.show_or_muck_hole_cards(True)

    def _bet(self) -> None:
        self._faced = {}
        while True:
            seat = self.ours.next_to_act()
            actor = self.theirs.actor_index
            if seat is None and actor is not None and self._has_nothing_to_say(actor):
                self.theirs.check_or_call()
                actor = self.theirs.actor_index
            assert seat == (None if actor is None else self.seats[actor]), "whose turn is it?"
            if seat is None or actor is None:
                return
            self._act(seat, actor)

    def _has_nothing_to_say(self, actor: int) -> bool:
        """PokerKit asks the big blind for its option even where everybody else is all-in."""
        chips = zip(self.theirs.stacks, self.theirs.statuses, strict=True)
        others = [stack for at, (stack, live) in enumerate(chips) if live and at != actor]
        return not any(others) and self.theirs.checking_or_calling_amount == 0

    def _act(self, seat: int, actor: int) -> None:
        player = self.ours.players[seat]
        least, theirs = self.ours.min_raise_to(seat), self.theirs
        allowed = theirs.can_complete_bet_or_raise_to()
        if allowed and not self._is_short(seat):
            assert least == theirs.min_completion_betting_or_raising_to_amount, "the least raise"
        elif not allowed:
            assert least is None, "there is nothing to raise"
        bets = max(theirs.bets)
        owes = bets > player.bet
        choice = self._rng.random()
        all_in = player.bet + (player.behind or 0)
        if choice < 0.15 and owes:
            self.ours.fold(seat)
            theirs.fold()
        elif choice < 0.5 and allowed and least is not None:
            total = self._rng.choice([least, all_in, min(all_in, least + self._rng.randint(0, 60))])
            self.ours.act(seat, *self._named(owes, total, all_in))
            theirs.complete_bet_or_raise_to(total)
        else:
            self.ours.act(seat, "call" if owes else "check", None)
            theirs.check_or_call()
        assert theirs.stacks[actor] == player.behind
        self._faced[seat] = bets if self.ours.to_call is None else self.ours.to_call

    def _is_short(self, seat: int) -> bool:
        """PokerKit lets some players who have acted raise a short all-in (against RR7-NL-4)."""
        return seat in self._faced and max(self.theirs.bets) - self._faced[seat] < BIG

    def _named(self, owes: bool, total: int, all_in: int) -> tuple[str, int | None]:
        if total == all_in:
            return self._rng.choice([("all-in", None), ("all-in", total), ("raise", total)])
        return ("raise" if owes else "bet"), total


def _state(antes: Sequence[int], stacks: Sequence[int]) -> State:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return NoLimitTexasHoldem.create_state(
            AUTOMATIC,
            len(set(antes)) == 1,  # who antes for all is matched by nobody
            tuple(antes),
            (SMALL, BIG),
            BIG,
            tuple(stacks),
            len(stacks),
        )
