"""A dealer and the players, as far as a table's sensors notice them.

Deals a played hand card by card from a real stub, now and then makes a dealing error, and
then does what a dealer does: reads the screen, answers its question and carries out the
remedy step by step. Knows how hands are dealt and nothing of how errors are found.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from controller.demo.phh import BetTo, CheckOrCall, Fold, PlayedHand, Show, Street
from controller.events import RulingText
from controller.view import FindingView

Pause = Callable[[float], Awaitable[None]]
"""Waits for so many seconds of the table's time."""

STREETS = ("flop", "turn", "river")
ERRORS = ("four-card-flop", "burn-missing")
"""What the dealer can do wrong, by the code that the table should find."""


class Felt(Protocol):
    """The table as hands can touch it. Cards are named by their codes; what the sensors make
    of them is the table's affair."""

    def place(self, zone: str, card: str) -> None:
        """A card is laid into a zone."""

    def take(self, zone: str, card: str) -> None:
        """A card is lifted from a zone."""

    def press(self, seat: int, button: str) -> None:
        """A player presses a seat button."""

    def enter(self, **fields: Any) -> None:  # noqa: ANN401 - the fields of an observation
        """Something is entered on the dealer's display, or by the floor."""

    def findings(self) -> Sequence[FindingView]:
        """What the dealer's screen shows as open."""


class Dealer:
    """Deals hands onto a felt. `seats` are those of the players, left of the button first."""

    def __init__(self, felt: Felt, pause: Pause, rng: random.Random) -> None:
        """`rng` decides on paces and picks."""
        self._felt = felt
        self._pause = pause
        self._rng = rng

    async def deal_hand(self, hand: PlayedHand, seats: Sequence[int], error: str | None) -> None:
        """Deals one hand from the riffle to the collected cards, with one error at most."""
        dealing = _Dealing(self._felt, self._pause, self._rng, hand=hand, seats=seats, error=error)
        await dealing.run()


class _Dealing:
    """One hand's dealing."""

    def __init__(
        self,
        felt: Felt,
        pause: Pause,
        rng: random.Random,
        *,
        hand: PlayedHand,
        seats: Sequence[int],
        error: str | None,
    ) -> None:
        self._felt = felt
        self._pause = pause
        self._rng = rng
        self._hand = hand
        self._seats = seats
        self._stub = list(hand.deck)
        self._error = error
        self._error_street = self._choose_street()
        self._where: dict[str, str] = {}
        self._board: list[str] = []
        self._scrambled: list[str] = []
        self._burns = 1
        self._bets = dict.fromkeys(seats, 0)
        self._behind = dict(zip(seats, hand.stacks, strict=True))
        self._folded: set[int] = set()
        self._to_call = 0

    def _choose_street(self) -> str | None:
        out = sum(isinstance(act, Street) for act in self._hand.acts)
        if self._error == "four-card-flop":
            return "flop"
        return self._rng.choice(STREETS[:out]) if out else None

    async def run(self) -> None:
        self._felt.enter(kind="riffle")
        await self._pause(3.0)
        self._post()
        for nth in range(2 * len(self._seats)):
            self._lay(f"seat/{self._seats[nth % len(self._seats)]}", self._stub.pop(0))
            await self._pace(0.55)
        await self._pace(2.0)
        street = 0
        for act in self._hand.acts:
            if isinstance(act, Street):
                await self._street(STREETS[street])
                street += 1
            else:
                await self._act(act)
        await self._pace(2.0)
        self._felt.enter(kind="dealer", input="award")
        await self._pace(2.5)
        await self._collect()
        await self._pace(2.0)

    # --- cards ---

    def _lay(self, zone: str, card: str) -> None:
        self._where[card] = zone
        self._felt.place(zone, card)

    def _lift(self, card: str) -> None:
        self._felt.take(self._where.pop(card), card)

    async def _street(self, name: str) -> None:
        erring = self._error_street == name
        size = 3 if name == "flop" else 1
        await self._pace(2.0)
        if not (erring and self._error == "burn-missing"):
            for _ in range(self._burns):
                await self._burn()
        self._burns = 1
        await self._turn_up(size + (erring and self._error == "four-card-flop"))
        self._bets = dict.fromkeys(self._seats, 0)
        self._to_call = 0
        if erring and self._error is not None:
            await self._put_right(self._error, name)
        await self._pace(1.5)

    async def _burn(self) -> None:
        self._lay("burn", self._stub.pop(0))
        await self._pace(0.7)

    async def _turn_up(self, count: int) -> None:
        for _ in range(count):
            card = self._stub.pop(0)
            self._board.append(card)
            self._lay("board", card)
            await self._pace(0.15 if count > 1 else 0.3)

    async def _collect(self) -> None:
        for card in self._rng.sample(sorted(self._where), len(self._where)):
            self._lift(card)
            await self._pace(0.06)

    async def _pace(self, seconds: float) -> None:
        await self._pause(seconds * self._rng.uniform(0.85, 1.15))

    # --- betting ---

    def _post(self) -> None:
        small, big = self._hand.blinds
        first, second = (1, 0) if len(self._seats) == 2 else (0, 1)
        for seat in self._seats:
            self._behind[seat] -= min(self._hand.ante, self._behind[seat])
        self._put_in(self._seats[first], small)
        self._put_in(self._seats[second], big)
        self._to_call = big

    def _put_in(self, seat: int, bet: int) -> None:
        chips = min(bet - self._bets[seat], self._behind[seat])
        self._bets[seat] += chips
        self._behind[seat] -= chips
        self._to_call = max(self._to_call, self._bets[seat])

    async def _act(self, act: Fold | CheckOrCall | BetTo | Show) -> None:
        seat = self._seats[act.player]
        await self._pace(1.6)
        match act:
            case Fold():
                self._folded.add(seat)
                self._felt.press(seat, "fold")
                await self._pace(0.3)
                for card in [c for c, zone in self._where.items() if zone == f"seat/{seat}"]:
                    self._lift(card)
                    self._lay("muck", card)
            case CheckOrCall() if self._bets[seat] >= self._to_call:
                self._felt.press(seat, "check")
            case CheckOrCall():
                self._put_in(seat, self._to_call)
                self._felt.press(seat, "call" if self._behind[seat] else "all-in")
            case BetTo(amount=amount):
                name = "raise" if self._to_call else "bet"
                self._put_in(seat, amount)
                if self._behind[seat]:
                    bet = self._bets[seat]
                    self._felt.enter(kind="press", seat=seat, button=name, amount=bet, by="dealer")
                else:
                    self._felt.press(seat, "all-in")
            case Show():
                self._felt.enter(kind="dealer", input="tabled", seat=seat)

    # --- remedies ---

    async def _put_right(self, code: str, street: str) -> None:
        """Waits for the screen to say it, answers its question and does what it says."""
        finding = await self._finding(code)
        if finding is None:
            return
        if finding.ruling.steps[0].id.startswith("ask-"):
            await self._pace(1.5)
            self._felt.enter(kind="dealer", input="confirm", finding=finding.id)
            await self._pace(1.0)
            finding = await self._finding(code)
        if finding is None:
            return
        ruling: RulingText = finding.ruling
        if ruling.outcome in ("floor", "floor-pick"):
            self._felt.enter(kind="dealer", input="call-floor")
            await self._pace(3.0)
            self._felt.enter(kind="floor", input="coming", by="floor")
            await self._pace(4.0)
        if ruling.outcome == "floor" and ruling.advisory is not None:
            ruling = ruling.advisory
        for step in ruling.steps:
            await self._pace(1.2)
            await self._step(step.id, street)
        await self._pace(2.0)

    async def _finding(self, code: str) -> FindingView | None:
        for _ in range(40):
            found = next((f for f in self._felt.findings() if f.code == code), None)
            if found is not None:
                return found
            await self._pause(0.25)
        return None

    async def _step(self, step: str, street: str) -> None:
        cards = self._board if street == "flop" else self._board[-1:]
        match step:
            case "flop-back" | "card-back":
                for card in list(cards):
                    await self._off_board(card)
                    self._stub.append(card)
            case "shuffle":
                self._rng.shuffle(self._stub)
                await self._pace(3.0)
                self._felt.enter(kind="dealer", input="reshuffled")
            case "burn-one":
                await self._burn()
            case "new-flop" | "new-flop-no-burn":
                await self._turn_up(3)
            case "new-card" | "next-card":
                await self._turn_up(1)
            case "scramble":
                self._scrambled = [*cards]
                for card in self._scrambled:
                    await self._off_board(card)
                self._rng.shuffle(self._scrambled)
            case "pick-burn":
                self._felt.enter(kind="floor", input="pick", by="floor")
                self._lay("burn", self._scrambled.pop())
            case "three-are-flop":
                for card in self._scrambled:
                    self._board.append(card)
                    self._lay("board", card)
                    await self._pace(0.3)
            case "card-is-burn":
                card = self._board[-1]
                await self._off_board(card)
                self._lay("burn", card)
            case "no-burn-next":
                self._burns = 0
            case "two-burns-next":
                self._burns = 2
            case _:
                pass

    async def _off_board(self, card: str) -> None:
        self._board.remove(card)
        self._lift(card)
        await self._pace(0.3)
