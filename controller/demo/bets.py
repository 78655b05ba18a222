"""The players of a hand: who presses what, and where folded cards go."""

from __future__ import annotations

from collections.abc import Sequence

from controller.demo.deck import Deck, Felt
from controller.demo.people import People
from controller.demo.phh import BetTo, CheckOrCall, Fold, PlayedHand, Show


class Bets:
    """Checks, calls and folds are pressed at the seats; amounts are entered by the dealer."""

    def __init__(
        self, felt: Felt, deck: Deck, hand: PlayedHand, seats: Sequence[int], people: People
    ) -> None:
        """`seats` are those of the players, left of the button first; `people` press for them."""
        self._felt = felt
        self._people = people
        self._deck = deck
        self._hand = hand
        self._seats = seats
        self._in = dict.fromkeys(seats, 0)
        self._behind = dict(zip(seats, hand.stacks, strict=True))
        self._to_call = 0

    def post(self) -> None:
        """Antes and blinds are posted, once more if the hand is dealt again."""
        self._in = dict.fromkeys(self._seats, 0)
        self._behind = dict(zip(self._seats, self._hand.stacks, strict=True))
        self._to_call = 0
        small, big = self._hand.blinds
        first, second = (1, 0) if len(self._seats) == 2 else (0, 1)
        for seat in self._seats:
            self._behind[seat] -= min(self._hand.ante, self._behind[seat])
        self._put_in(self._seats[first], small)
        self._put_in(self._seats[second], big)
        self._to_call = big

    def new_round(self) -> None:
        """The bets are pulled in; who is late to press does so before."""
        self._people.catch_up()
        self._in = dict.fromkeys(self._seats, 0)
        self._to_call = 0

    def _put_in(self, seat: int, bet: int) -> None:
        chips = min(bet - self._in[seat], self._behind[seat])
        self._in[seat] += chips
        self._behind[seat] -= chips
        self._to_call = max(self._to_call, self._in[seat])

    async def act(self, act: Fold | CheckOrCall | BetTo | Show) -> None:
        """A player acts."""
        seat = self._seats[act.player]
        await self._deck.pace(1.6)
        is_behind = self._people.is_late
        match act:
            case Fold():
                await self._fold(seat)
            case CheckOrCall() if self._in[seat] >= self._to_call:
                self._people.press(seat, "check")
            case CheckOrCall():
                self._put_in(seat, self._to_call)
                self._people.press(seat, "call" if self._behind[seat] else "all-in")
            case BetTo(amount=amount):
                self._bet(seat, amount)
            case Show():
                self._felt.enter(kind="dealer", input="tabled", seat=seat)
        if is_behind:
            await self._deck.pace(0.6)
            self._people.catch_up()

    async def press(self, seat: int, button: str, amount: int | None) -> None:
        """A person presses for a seat."""
        match button:
            case "fold":
                await self._fold(seat)
            case "bet" | "raise" if amount is not None:
                self._bet(seat, amount)
            case "call" | "all-in":
                everything = self._in[seat] + self._behind[seat]
                self._put_in(seat, self._to_call if button == "call" else everything)
                self._people.press(seat, button)
            case _:
                self._people.press(seat, button)

    def _bet(self, seat: int, amount: int) -> None:
        name = "raise" if self._to_call else "bet"
        self._put_in(seat, amount)
        if self._behind[seat]:
            self._people.bet(seat, name, self._in[seat])
        else:
            self._people.press(seat, "all-in")

    async def _fold(self, seat: int) -> None:
        self._people.press(seat, "fold")
        await self._deck.pace(0.3)
        for card in self._deck.at(f"seat/{seat}"):
            self._deck.lift(card)
            self._deck.lay("muck", card)
