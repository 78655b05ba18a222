"""A night as it really was: who sat where with how many chips, and every hand's beats.

The chips are PokerKit's, the positions are worked out here from the rule (dead button, TDA 2024
rule 32): nothing of the engine is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random

import msgspec
from pokerkit import Automation, NoLimitTexasHoldem, State

from tests.sweep.hands import CARDS, STREETS, Beat, Hand

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
CHAIRS = range(1, 11)
BLINDS = ((25, 50), (50, 100), (75, 150), (100, 200))
LEVEL = 60
"""Hands until the next level."""


class Sat(msgspec.Struct, frozen=True):
    """What became of a chair before a hand: `bust`, `left` or `came` with a stack; who came
    between the button and the small blind `waits` (TDA 2024 rule 10)."""

    why: str
    seat: int
    stack: int = 0
    waits: bool = False


class Deal(msgspec.Struct, frozen=True):
    """One hand of a night, with what happened before it. `stacks` are those it began with, by
    seat; `button` may be at an empty chair; `level` is told before it, if it is new."""

    hand: Hand
    before: tuple[Sat, ...]
    button: int
    stacks: dict[int, int]
    level: tuple[int, int] | None = None


class Night(msgspec.Struct, frozen=True):
    """The hands of one night in their order; the first one's `before` are all who sat down."""

    number: int
    deals: tuple[Deal, ...]


@lru_cache(maxsize=8)  # PokerKit takes longer to play one than the engine to look at it
def night(number: int, hands: int, *, mucks: bool = True) -> Night:
    """The same number, the same night; without `mucks` every hand is tabled at the showdown."""
    rng = Random(f"night {number}")
    return Night(number, tuple(_Evening(rng, mucks=mucks).deals(hands)))


def around(seats: Iterable[int], after: int) -> list[int]:
    """The seats clockwise, the first one to the left of `after`."""
    return sorted(seats, key=lambda seat: (seat - after - 1) % len(CHAIRS))


class _Evening:
    def __init__(self, rng: Random, *, mucks: bool) -> None:
        self.rng = rng
        self.mucks = mucks
        self.stacks: dict[int, int] = {}
        self.waiting: set[int] = set()
        self.button = self.small = self.big = 0

    def deals(self, hands: int) -> Iterable[Deal]:
        before = [self._sit(seat) for seat in self.rng.sample(CHAIRS, self.rng.randint(3, 10))]
        for number in range(hands):
            blinds = BLINDS[number // LEVEL % len(BLINDS)]
            is_new = number and number % LEVEL == 0
            came = {sat.seat for sat in before if sat.why == "came"}
            self._move_button(came, is_first=not number)
            before = [msgspec.structs.replace(s, waits=s.seat in self.waiting) for s in before]
            stacks = {s: chips for s, chips in self.stacks.items() if s not in self.waiting}
            hand, left = self._play(around(stacks, self.button), blinds)
            left |= {seat: self.stacks[seat] for seat in self.waiting}
            yield Deal(hand, tuple(before), self.button, stacks, blinds if is_new else None)
            before = self._between(left)

    def _sit(self, seat: int) -> Sat:
        self.stacks[seat] = stack = self.rng.choice([20, 40, 80, 120, 200]) * 100
        return Sat("came", seat, stack)

    def _between(self, left: dict[int, int]) -> list[Sat]:
        """Players bust, leave and come; two at least are left."""
        rng = self.rng
        self.stacks = {seat: chips for seat, chips in left.items() if chips}
        said = [Sat("bust", seat) for seat, chips in left.items() if not chips]
        if len(self.stacks) > 3 and rng.random() < 0.03:
            seat = rng.choice(sorted(self.stacks))
            del self.stacks[seat]
            said.append(Sat("left", seat))
        free = [seat for seat in CHAIRS if seat not in self.stacks and seat not in left]
        if len(self.stacks) < 2:  # who would have to wait can't play alone
            free = [seat for seat in free if seat not in self._between_blinds()] or free
        busy = 0.5 if len(self.stacks) < 3 else 0.12 if len(self.stacks) < 7 else 0.02
        while free and (len(self.stacks) < 2 or rng.random() < busy):
            seat = rng.choice(free)
            free.remove(seat)
            said.append(self._sit(seat))
        return said

    def _between_blinds(self) -> set[int]:
        """The chairs between the coming button and small blind."""
        return set(around(CHAIRS, self.small)[: (self.big - self.small - 1) % len(CHAIRS)])

    def _move_button(self, came: set[int], *, is_first: bool) -> None:
        """The big blind goes to the next player, the small blind to where it was, and the button
        to where the small blind was, whoever still sits there."""
        if is_first:
            self.button = self.rng.choice(sorted(self.stacks))
            order = around(self.stacks, self.button)
            self.small, self.big = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
            return
        button, small = self.small, self.big
        self.waiting = {*came, *self.waiting} & self._between_blinds() & set(self.stacks)
        if len(self.stacks) - len(self.waiting) < 2:
            self.waiting = set()
        order = around(self.stacks.keys() - self.waiting, small)
        self.big = order[0]
        if len(order) == 2:
            self.button = self.small = order[1]
            return
        if around((button, small), self.big)[0] != button:
            button = next(seat for seat in reversed(order) if seat != small)
        self.button, self.small = button, small

    # --- one hand ---

    def _play(self, order: list[int], blinds: tuple[int, int]) -> tuple[Hand, dict[int, int]]:
        rng, count = self.rng, len(order)
        deck = list(CARDS)
        rng.shuffle(deck)
        ante = 0
        if count == 2:
            posts: tuple[int, ...] = blinds  # PokerKit turns these round heads-up
        else:
            posts = blinds if self.small in self.stacks else (blinds[1],)
        state = NoLimitTexasHoldem.create_state(
            AUTOMATIONS,
            True,
            ante,
            posts,
            blinds[1],
            tuple(self.stacks[seat] for seat in order),
            count,
        )
        course = _Course(rng, state, order, deck)
        course.mucks = self.mucks
        course.run()
        hole, beats = course.hole, course.beats
        pitched = [Beat("pitch", seat=seat, tag=hole[seat][r]) for r in (0, 1) for seat in order]
        hand = Hand(
            "night",
            tuple(order),
            tuple(self.stacks[seat] for seat in order),
            *blinds,
            ante,
            (Beat("riffle"), *pitched, *beats, Beat("award"), Beat("collect")),
            tuple(deck),
        )
        return hand, dict(zip(order, map(int, state.stacks), strict=True))


class _Course:
    """Plays one hand out: the cards of each seat, and what happens after the deal."""

    def __init__(self, rng: Random, state: State, order: list[int], deck: list[str]) -> None:
        self.rng, self.state, self.order, self.deck = rng, state, order, deck
        self.hole: dict[int, list[str]] = {}
        self.beats: list[Beat] = []
        self.street = ""
        self.raises = 0
        self.mucks = True

    def run(self) -> None:
        state, streets = self.state, iter(STREETS)
        while state.status:
            if state.can_deal_hole():
                at = state.hole_dealee_index
                assert at is not None
                cards = [self.deck.pop(), self.deck.pop()]
                self.hole[self.order[at]] = cards
                state.deal_hole("".join(cards))
            elif state.actor_index is not None:
                self._act(state.actor_index)
            elif state.showdown_index is not None:
                self._show(state.showdown_index)
            elif state.can_burn_card():
                self.beats.append(Beat("closed"))
                self.street, self.raises = next(streets), 0
                card = self.deck.pop()
                state.burn_card(card)
                self.beats.append(Beat("burn", tag=card, street=self.street))
            else:
                cards = [self.deck.pop() for _ in range(3 if self.street == "flop" else 1)]
                state.deal_board("".join(cards))
                self.beats += [Beat("board", tag=card, street=self.street) for card in cards]

    def _show(self, at: int) -> None:
        """Who has been beaten may throw the hand away, but not one that is all-in."""
        state, seat = self.state, self.order[at]
        may_muck = self.mucks and not state.all_in_status and not state.can_win_now(at)
        if may_muck and self.rng.random() < 0.4:
            state.show_or_muck_hole_cards(False)
            self.beats.append(Beat("act", seat=seat, button="fold", street="muck"))
            return
        state.show_or_muck_hole_cards(True)
        self.beats.append(Beat("tabled", seat=seat))

    def _act(self, at: int) -> None:
        state, rng = self.state, self.rng
        bet, there, stack = max(state.bets), state.bets[at], state.stacks[at]
        dice = rng.random()
        if bet > there and dice < 0.35:
            state.fold()
            self._did(at, "fold", None)
        elif dice > 0.8 and self.raises < 3 and state.can_complete_bet_or_raise_to():
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            assert least is not None
            assert most is not None
            to = most if rng.random() < 0.15 else min(most, least * rng.choice([1, 1, 2, 3]))
            self.raises += 1
            state.complete_bet_or_raise_to(to)
            button = "all-in" if to == there + stack else "raise" if bet else "bet"
            self._did(at, button, to)
        else:
            owes = bet > there
            state.check_or_call()
            to = min(bet, there + stack)
            if not owes:
                self._did(at, "check", None)
            else:
                self._did(at, "all-in" if to == there + stack else "call", to)

    def _did(self, at: int, button: str, amount: int | None) -> None:
        self.beats.append(
            Beat(
                "act",
                seat=self.order[at],
                button=button,
                amount=None if amount is None else int(amount),
                street=self.street,
            )
        )
