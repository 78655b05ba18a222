"""A game without an end: hands played at random, one after the other with the stacks that the
last one left. PokerKit says what may be done and who has won what.

All chips are multiples of 60, so that two to six players share a pot without an odd chip.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence

from msgspec import Struct
from pokerkit import NoLimitTexasHoldem, State

from controller.contract.cards import CARDS
from controller.demo.phh import Act, BetTo, CheckOrCall, Fold, PlayedHand, Show, Street
from tests.rules.random_hands import AUTOMATIC

CHIP = 60
SMALL, BIG = CHIP, 2 * CHIP
STACK = 1_000 * CHIP
"""So deep that nobody is all-in within an episode."""
_STREETS = (3, 1, 1)


class Truth(Struct, frozen=True):
    """What is so, whatever a table makes of it. `seats` go clockwise, the first left of the
    button, which is the last; `before` and `after` are stacks by seat."""

    played: PlayedHand
    seats: tuple[int, ...]
    before: dict[int, int]
    after: dict[int, int]
    board: tuple[str, ...]
    tabled: dict[int, tuple[str, str]]

    @property
    def button(self) -> int:
        """Where the button belongs."""
        return self.seats[-1]


def game(rng: random.Random, ring: Sequence[int]) -> Iterator[Truth]:
    """Hands without an end at these seats; the button begins at the last of the ring."""
    stacks = dict.fromkeys(ring, STACK)
    seats = tuple(ring)
    while True:
        truth = _play(rng, seats, stacks)
        yield truth
        stacks, seats = truth.after, (*seats[1:], seats[0])


def _play(rng: random.Random, seats: tuple[int, ...], stacks: dict[int, int]) -> Truth:
    state = _state([stacks[seat] for seat in seats])
    deck = list(CARDS)
    rng.shuffle(deck)
    cards = iter(deck)
    count = len(seats)
    pitched = [next(cards) for _ in range(2 * count)]
    hole = [(pitched[at], pitched[at + count]) for at in range(count)]
    for pair in hole:
        state.deal_hole("".join(pair))
    acts: list[Act] = []
    board: list[str] = []
    _bet(rng, state, acts)
    for size in _STREETS:
        if sum(state.statuses) < 2:
            break
        next(cards)  # the burn
        street = [next(cards) for _ in range(size)]
        state.burn_card("??")
        state.deal_board("".join(street))
        acts.append(Street(tuple(street)))
        board += street
        _bet(rng, state, acts)
    tabled: dict[int, tuple[str, str]] = {}
    while state.showdown_index is not None:
        at = state.showdown_index
        tabled[seats[at]] = hole[at]
        acts.append(Show(at))
        state.show_or_muck_hole_cards(True)
    assert not state.status
    before = {seat: stacks[seat] for seat in seats}
    after = {seat: int(chips) for seat, chips in zip(seats, state.stacks, strict=True)}
    played = PlayedHand("played", tuple(before.values()), (SMALL, BIG), 0, tuple(deck), tuple(acts))
    return Truth(played, seats, before, after, tuple(board), tabled)


def _bet(rng: random.Random, state: State, acts: list[Act]) -> None:
    raises = 0
    while (actor := state.actor_index) is not None:
        owes = max(state.bets) > state.bets[actor]
        dice = rng.random()
        if owes and dice < 0.2:
            acts.append(Fold(actor))
            state.fold()
        elif dice > 0.8 and raises < 2:
            raises += 1
            least = state.min_completion_betting_or_raising_to_amount or 0
            total = least + CHIP * rng.randrange(4)
            acts.append(BetTo(actor, total))
            state.complete_bet_or_raise_to(total)
        else:
            acts.append(CheckOrCall(actor))
            state.check_or_call()


def _state(stacks: Sequence[int]) -> State:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return NoLimitTexasHoldem.create_state(
            AUTOMATIC, True, 0, (SMALL, BIG), BIG, tuple(stacks), len(stacks)
        )
