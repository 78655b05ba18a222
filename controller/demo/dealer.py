"""A dealer and the players, as far as a table's sensors notice them.

Deals a played hand card by card from a real stub, now and then makes a dealing error, and
then does what a dealer does: reads the screen, answers its question and carries out the
remedy step by step. Knows how hands are dealt and nothing of how errors are found.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from controller.demo.bets import Bets
from controller.demo.deck import Deck, Felt, Pause
from controller.demo.helm import LOOK_S, Automatic, Helm
from controller.demo.phh import BetTo, CheckOrCall, Fold, PlayedHand, Street
from controller.view import FindingView

STREETS = ("flop", "turn", "river")
AFTER_A_MISDEAL = (
    "call-misdeal",
    "bets-back",
    "cards-back",
    "shuffle-deck",
    "deal-again",
    "same-deal-again",
)
"""The steps that are carried out although the hand is void."""
ERRORS = (
    "first-card-wrong-seat",
    "four-card-flop",
    "burn-missing",
    "burn-double",
    "short-flop",
    "too-many-turn",
    "too-many-river",
    "premature-flop",
    "premature-turn",
    "premature-river",
)
"""What the dealer can do wrong, by the code that the table should find."""


class Dealer:
    """Deals hands onto a felt."""

    def __init__(
        self, felt: Felt, pause: Pause, rng: random.Random, helm: Helm | None = None
    ) -> None:
        """`rng` decides on paces and picks; without a `helm` all goes by itself."""
        self._felt = felt
        self._pause = pause
        self._rng = rng
        self._helm = helm or Automatic(felt)

    async def deal_hand(self, hand: PlayedHand, seats: Sequence[int], error: str | None) -> None:
        """Deals one hand from the riffle to the collected cards, with one error at most.
        `seats` are those of the players, left of the button first."""
        dealing = _Dealing(
            self._felt, self._pause, self._rng, hand, seats=seats, error=error, helm=self._helm
        )
        await dealing.run()


def _is_question(finding: FindingView) -> bool:
    return finding.ruling.steps[0].id.startswith("ask-")


def can_err(hand: PlayedHand, error: str) -> bool:
    """Whether the error can be made in this hand: whether it has the street, and for one that
    comes too soon somebody who acts before it."""
    if error == "first-card-wrong-seat":
        return True
    streets = [at for at, act in enumerate(hand.acts) if isinstance(act, Street)]
    if error.startswith("too-many-"):
        return len(streets) > STREETS.index(error.removeprefix("too-many-"))
    if not error.startswith("premature-"):
        return bool(streets)
    number = STREETS.index(error.removeprefix("premature-"))
    if number >= len(streets):
        return False
    return isinstance(hand.acts[streets[number] - 1], CheckOrCall | BetTo | Fold)


class _Dealing:
    """One hand's dealing. `_next` is the act that comes next."""

    def __init__(
        self,
        felt: Felt,
        pause: Pause,
        rng: random.Random,
        hand: PlayedHand,
        *,
        seats: Sequence[int],
        error: str | None,
        helm: Helm,
    ) -> None:
        self._helm = helm
        self._freely = False
        self._felt = felt
        self._pause = pause
        self._rng = rng
        self._hand = hand
        self._seats = seats
        self._deck = Deck(felt, pause, rng, hand.deck)
        self._bets = Bets(felt, self._deck, hand, seats)
        self._error = error if error and can_err(hand, error) else None
        self._error_street = self._choose_street()
        self._burns = 1
        self._next = 0
        self._dealt = 0
        self._scrambled: list[str] = []

    def _choose_street(self) -> str | None:
        out = sum(isinstance(act, Street) for act in self._hand.acts)
        if self._error is None or out == 0:
            return None
        if self._error.startswith("too-many-"):
            return self._error.removeprefix("too-many-")
        if self._error in ("burn-missing", "burn-double"):
            return self._rng.choice(STREETS[:out])
        return self._error.removeprefix("premature-") if "premature" in self._error else "flop"

    async def run(self) -> None:
        """Deals the hand."""
        self._felt.enter(kind="riffle")
        await self._pause(3.0)
        self._bets.post()
        await self._deal()
        await self._deck.pace(2.0)
        while await self._go_on():
            pass
        await self._deck.pace(2.0)
        self._felt.enter(kind="dealer", input="award")
        await self._deck.pace(2.5)
        await self._deck.collect()
        await self._deck.pace(2.0)

    async def _deal(self) -> None:
        if self._error == "first-card-wrong-seat":
            shifted = [*self._seats[1:], *self._seats[:1]]
            await self._deck.pitch([*shifted, *shifted])
            await self._put_right(self._error, "flop")
        else:
            await self._deck.pitch([*self._seats, *self._seats])

    async def _go_on(self) -> bool:
        """Does what comes next; False once there is nothing left but to award the pot."""
        if self._helm.is_void:
            await self._begin_again()
        elif self._freely or self._helm.plays_seats:
            self._freely = True
            return await self._play_freely()
        elif self._next < len(self._hand.acts):
            await self._act()
        return self._next < len(self._hand.acts) or self._freely or self._helm.is_void

    async def _begin_again(self) -> None:
        """Somebody called a misdeal: all cards back, and the hand from its beginning."""
        await self._deck.pace(2.0)
        await self._deck.collect()
        await self._deck.shuffle()
        self._felt.enter(kind="riffle")
        await self._pause(3.0)
        self._error, self._burns, self._next, self._dealt = None, 1, 0, 0
        self._bets.post()
        await self._deck.pitch([*self._seats, *self._seats])
        await self._deck.pace(2.0)

    async def _play_freely(self) -> bool:
        """Follows the table and no longer the hand as it was played. Whoever has nobody to play
        for them checks or calls."""
        view = self._helm.view
        if view.phase == "complete":
            return False
        match self._helm.prompt:
            case ("act", {"seat": int(seat)}):
                await self._turn_of(seat)
            case ("burn-and-deal" | "burn-more" | "deal-street", _) if self._dealt < len(STREETS):
                self._bets.new_round()
                await self._street(STREETS[self._dealt])
                await self._deck.pace(2.0)
            case ("showdown", _):
                for shows in (s for s in view.seats if s.state != "folded" and not s.tabled):
                    await self._deck.pace(1.6)
                    self._felt.enter(kind="dealer", input="tabled", seat=shows.seat)
                await self._deck.pace(1.0)
            case ("award", _):
                return False
            case _:
                await self._pause(LOOK_S)
        return True

    async def _turn_of(self, seat: int) -> None:
        before = self._helm.prompt
        if self._helm.plays_seats:
            pressed = self._helm.press(seat)
            if pressed is None:
                await self._pause(LOOK_S)
                return
            await self._bets.press(seat, pressed.button, pressed.amount)
        else:
            await self._bets.act(CheckOrCall(self._seats.index(seat)))
        for _ in range(12):
            if self._helm.prompt != before:
                return
            await self._pause(LOOK_S)

    async def _act(self) -> None:
        """Does the next act of the hand."""
        act = self._hand.acts[self._next]
        self._next += 1
        if isinstance(act, Street):
            self._bets.new_round()
            if self._dealt < self._streets_before():
                await self._street(STREETS[self._dealt])
        elif self._is_too_soon():
            await self._too_soon(STREETS[self._dealt])
        else:
            await self._bets.act(act)

    def _streets_before(self) -> int:
        return sum(isinstance(act, Street) for act in self._hand.acts[: self._next])

    def _is_too_soon(self) -> bool:
        """Whether this is the last act of the round before the street that comes too soon."""
        acts = self._hand.acts
        return (
            self._error is not None
            and self._error.startswith("premature")
            and self._dealt < len(STREETS)
            and STREETS[self._dealt] == self._error_street
            and self._next < len(acts)
            and isinstance(acts[self._next], Street)
        )

    async def _too_soon(self, street: str) -> None:
        """Deals a street before the last player of the round has acted."""
        self._next -= 1
        await self._deck.pace(1.5)
        await self._deck.burn()
        await self._deck.turn_up(3 if street == "flop" else 1)
        self._dealt += 1
        error, self._error = str(self._error), None
        await self._put_right(error, street)

    async def _street(self, name: str) -> None:
        self._dealt += 1
        erring = self._error is not None and self._error_street == name
        size = 3 if name == "flop" else 1
        await self._deck.pace(2.0)
        if not (erring and self._error == "burn-missing"):
            for _ in range(self._burns + (erring and self._error == "burn-double")):
                await self._deck.burn()
        self._burns = 1
        await self._deck.turn_up(size + self._miscount(erring=erring))
        if erring and self._error is not None:
            await self._put_right(self._error, name)
        await self._deck.pace(1.5)

    def _miscount(self, *, erring: bool) -> int:
        """How many cards more than it should have a street gets."""
        if not erring or self._error is None:
            return 0
        if self._error == "short-flop":
            return -1
        return int(self._error == "four-card-flop" or self._error.startswith("too-many-"))

    # --- remedies ---

    async def _put_right(self, code: str, street: str) -> None:
        """Waits for the screen to say it, answers its question and does what it says."""
        finding = await self._finding(code)
        if finding is None:
            return
        if _is_question(finding):
            await self._deck.pace(1.5)
            await self._helm.confirm(finding)
            await self._deck.pace(1.0)
            finding = await self._answered(code)
        if finding is not None and finding.ruling.outcome in ("floor", "floor-pick"):
            await self._helm.call_floor(finding)
            await self._deck.pace(3.0)
            await self._helm.come(finding)
            await self._deck.pace(4.0)
            finding = self._open(code)
        if finding is None:
            return
        ruling = finding.ruling
        if ruling.outcome == "floor" and ruling.advisory is not None:
            ruling = ruling.advisory
        for step in ruling.steps:
            await self._deck.pace(1.2)
            if not await self._helm.may_step(finding):
                return
            if self._helm.is_void and step.id not in AFTER_A_MISDEAL:
                return
            await self._step(step.id, street)
        await self._deck.pace(2.0)

    def _open(self, code: str) -> FindingView | None:
        return next((f for f in self._felt.findings() if f.code == code), None)

    async def _answered(self, code: str) -> FindingView | None:
        """The finding once the table has taken the answer; None if that closed it."""
        for _ in range(20):
            finding = self._open(code)
            if finding is None or not _is_question(finding):
                return finding
            await self._pause(LOOK_S)
        return None

    async def _finding(self, code: str) -> FindingView | None:
        for _ in range(40):
            found = self._open(code)
            if found is not None:
                return found
            await self._pause(LOOK_S)
        return None

    async def _step(self, step: str, street: str) -> None:
        deck = self._deck
        cards = deck.board if street == "flop" else deck.board[-1:]
        match step:
            case "flop-back" | "card-back":
                await deck.back_to_stub(cards)
            case "cards-back-in":
                await deck.back_to_stub(deck.board[-2:])
            case "flop-and-burn-back":
                await deck.back_to_stub(cards)
                second = deck.at("burn")[-1]
                deck.lift(second)
                deck.stub.append(second)
            case "second-burn-is-card":
                second = deck.at("burn")[-1]
                deck.lift(second)
                await deck.pace(1.0)
                deck.board.append(second)
                deck.lay("board", second)
            case "card-on-stub":
                exposed = deck.board[-2]
                await deck.off_board(exposed)
                deck.stub.insert(0, exposed)
            case "offer-first-card":
                extra = deck.board[-1]
                await deck.off_board(extra)
                if street == "turn":
                    deck.lay("burn", extra)
                    self._burns = 0
                else:
                    deck.stub.append(extra)
            case "shuffle":
                await deck.shuffle()
                self._felt.enter(kind="dealer", input="reshuffled")
            case "burn-one":
                await deck.burn()
            case "new-flop" | "new-flop-no-burn":
                await deck.turn_up(3)
            case "new-card" | "next-card" | "third-card" | "new-river-no-burn":
                await deck.turn_up(1)
            case "scramble":
                self._scrambled = [*cards]
                for card in self._scrambled:
                    await deck.off_board(card)
                self._rng.shuffle(self._scrambled)
            case "pick-burn":
                self._felt.enter(kind="floor", input="pick", by="floor")
                deck.lay("burn", self._scrambled.pop())
            case "three-are-flop":
                for card in self._scrambled:
                    deck.board.append(card)
                    deck.lay("board", card)
                    await deck.pace(0.3)
            case "card-is-burn":
                card = deck.board[-1]
                await deck.off_board(card)
                deck.lay("burn", card)
            case "no-burn-next":
                self._burns = 0
            case "two-burns-next":
                self._burns = 2
            case "set-aside":
                deck.aside.append(deck.board[-1])
                await deck.off_board(deck.board[-1])
            case "finish-round":
                await self._play_to_the_next_street()
            case "river-is-turn":
                await deck.turn_up(1)
                await self._play_to_the_next_street()
            case "aside-back":
                deck.stub += deck.aside
                deck.aside.clear()
            case "river-no-burn":
                if self._dealt < self._streets_before():
                    await deck.turn_up(1)
                    self._dealt += 1
            case "call-misdeal":
                self._felt.enter(kind="dealer", input="misdeal")
            case "cards-back":
                await deck.collect()
            case "deal-again" | "same-deal-again":
                self._felt.enter(kind="riffle")
                self._bets.post()
                await deck.pitch([*self._seats, *self._seats])
            case _:
                pass

    async def _play_to_the_next_street(self) -> None:
        """Goes on with the betting; a street that the acts have next is begun by the remedy."""
        if self._freely or self._helm.plays_seats:
            self._freely = True
            while self._helm.prompt[0] == "act":
                await self._play_freely()
            return
        while self._next < len(self._hand.acts):
            if isinstance(self._hand.acts[self._next], Street):
                self._next += 1
                self._bets.new_round()
                return
            await self._act()
