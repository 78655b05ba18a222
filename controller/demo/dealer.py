"""A dealer and the players, as far as a table's sensors notice them.

Deals a played hand card by card from a real stub, now and then makes a dealing error, and
then does what a dealer does: reads the screen, answers its question and carries out the
remedy step by step. Knows how hands are dealt and nothing of how errors are found.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from controller.contract.cards import CARDS
from controller.demo.bets import Bets
from controller.demo.deal import DEAL_ERRORS, pitches, spoil
from controller.demo.deck import PUCK, Deck, Felt, Pause
from controller.demo.errors import (
    DISTURBANCES,
    EARLY_ERRORS,
    STREET_ERRORS,
    STREETS,
    moments,
    street_at,
)
from controller.demo.helm import LOOK_S, Automatic, Helm
from controller.demo.people import People
from controller.demo.phh import CheckOrCall, Fold, PlayedHand, Street
from controller.demo.remedy import Remedy, is_question

COMING = ("burn-and-deal", "burn-more", "deal-street")
"""What the table wants where a street comes next."""


class Dealer:
    """Deals hands onto a felt."""

    def __init__(
        self,
        felt: Felt,
        pause: Pause,
        rng: random.Random,
        helm: Helm | None = None,
        people: People | None = None,
    ) -> None:
        """`rng` decides on paces and picks; without a `helm` all goes by itself, without `people`
        nobody forgets to press."""
        self._felt = felt
        self._pause = pause
        self._rng = rng
        self._helm = helm or Automatic(felt)
        self._people = people or People(felt)
        self._puck = Puck(felt, pause)

    async def deal_hand(
        self,
        hand: PlayedHand,
        seats: Sequence[int],
        error: str | None,
        instead: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Deals one hand from the riffle to the collected cards, with one error at most.

        `seats` are those of the players, left of the button first. At a remedy's step that is
        in `instead` the dealer does those steps in its place, or none.
        """
        dealing = _Dealing(
            self._felt,
            self._pause,
            self._rng,
            hand,
            seats=seats,
            error=error,
            helm=self._helm,
            puck=self._puck,
            people=self._people,
            instead=instead or {},
        )
        await dealing.run()


class Puck:
    """The dealer button's token."""

    def __init__(self, felt: Felt, pause: Pause) -> None:
        """It lies nowhere yet."""
        self._felt = felt
        self._pause = pause
        self._seat: int | None = None

    async def lay(self, seat: int) -> None:
        """It is taken up and laid at this seat, be it the same."""
        if self._seat is not None:
            self._felt.take(f"seat/{self._seat}", PUCK)
            await self._pause(1.0)
        self._felt.place(f"seat/{seat}", PUCK)
        self._seat = seat


class _Dealing:
    """One hand's dealing. `_next` is the act that comes next, `_error_at` the one at which the
    error is made."""

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
        puck: Puck,
        people: People,
        instead: Mapping[str, Sequence[str]],
    ) -> None:
        self.burns = 1
        self._helm = helm
        self._freely = False
        self._felt = felt
        self._pause = pause
        self._rng = rng
        self._hand = hand
        self._seats = seats
        self._puck = puck
        self._deck = Deck(felt, pause, rng, hand.deck)
        self._people = people
        self._slipped_before = people.slips
        self._bets = Bets(felt, self._deck, hand, seats, people)
        self._remedy = Remedy(felt, pause, self._deck, rng, course=self, helm=helm, instead=instead)
        able = moments(hand, error) if error else []
        self._error = error if able else None
        self._error_at = rng.choice(able) if able else 0
        self._error_street = street_at(hand, self._error_at)
        self._next = 0
        self._dealt = 0
        self._has_pitched = False

    async def run(self) -> None:
        """Deals the hand."""
        if self._error == "button-misplaced":
            await self._puck.lay(self._rng.choice(self._seats[:-1]))
        else:
            await self.move_button()
        if self._error == "missing-card":
            self._deck.faulty.append(self._deck.stub.pop())
            self._felt.enter(kind="deck-check", tags=sorted(set(CARDS) - {*self._deck.faulty}))
        await self._riffle()
        at_once = self._rng.random() < 0.5  # a misplaced button may be seen after the deal
        if self._error == "missing-card" or (self._error == "button-misplaced" and at_once):
            await self._put_right()
        if not self._has_pitched:
            await self._pitch()
        while await self._go_on():
            await self._answer()
        self._people.catch_up()
        await self._deck.pace(2.0)
        await self._answer()
        self._felt.enter(kind="dealer", input="award")
        await self._deck.pace(2.5)
        await self._deck.collect()
        await self._deck.pace(2.0)

    async def _riffle(self) -> None:
        self._felt.enter(kind="riffle")
        await self._pause(3.0)
        self._bets.post()

    async def _put_right(self) -> None:
        """Does what the screen says about the error, which has just been made."""
        error, self._error = str(self._error), None
        await self._remedy.put_right(error, self._error_street)

    # --- the deal ---

    async def _pitch(self) -> None:
        """Deals the hole cards, wrongly if that is the error, and puts it right."""
        self._has_pitched = True
        deck = self._deck
        deck.faulty += spoil(deck.stub, self._error, 2 * len(self._seats), self._rng)
        for pitch in pitches(self._error, self._seats, self._rng):
            if pitch.flaw:
                deck.faulty.append(deck.stub[0])
            await deck.pitch([pitch.seat])
            if pitch.flaw in ("exposed", "boxed"):
                await self._say(pitch.flaw, pitch.seat)
        if self._error == "too-few-cards":
            await self._act()  # only then is the deal known to be over
        if self._error in (*DEAL_ERRORS, "duplicate-card", "button-misplaced"):
            await self._put_right()
        await deck.pace(2.0)

    async def _say(self, flaw: str, seat: int) -> None:
        """Enters what was wrong with the last card of a seat."""
        await self._deck.pace(1.0)
        place = {"seat": seat, "nth": len(self._deck.at(f"seat/{seat}"))}
        more = {"cause": "dealer"} if flaw == "exposed" else {}
        self._felt.enter(kind="dealer", input=flaw, **place, **more)

    async def deal_again(self) -> None:
        """The hand begins anew, with its blinds and the same seats."""
        await self.move_button()
        await self._riffle()
        self._error, self.burns, self._next, self._dealt = None, 1, 0, 0
        await self._pitch()

    async def move_button(self) -> None:
        """The puck is laid where the button belongs."""
        await self._puck.lay(self._seats[-1])

    # --- what comes next ---

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

    async def _answer(self) -> None:
        """Says no to what the screen asks because somebody forgot to press."""
        if self._people.slips == self._slipped_before:
            return
        for finding in self._felt.findings():
            if is_question(finding):
                await self._deck.pace(1.5)
                await self._helm.deny(finding)

    async def _begin_again(self) -> None:
        """Somebody called a misdeal: all cards back, and the hand from its beginning."""
        await self._deck.pace(2.0)
        await self._deck.collect()
        await self._deck.shuffle()
        await self.deal_again()

    async def _play_freely(self) -> bool:
        """Follows the table and no longer the hand as it was played. Whoever has nobody to play
        for them checks or calls."""
        view = self._helm.view
        if view.phase == "complete":
            return False
        match self._helm.prompt:
            case ("act", {"seat": int(seat)}):
                await self._turn_of(seat)
            case (want, _) if want in COMING and self._dealt < len(STREETS):
                self._bets.new_round()
                await self._street(STREETS[self._dealt])
                await self._deck.pace(2.0)
            case ("show-first" | "show-next", {"seat": int(seat)}):
                await self._table_hands([seat])
            case ("showdown", _):
                shows = [s.seat for s in view.seats if s.state != "folded" and not s.tabled]
                await self._table_hands(shows)
            case ("award" | "award-to" | "award-last" | "award-pots" | "kill-losers", _):
                return False
            case _:
                await self._pause(LOOK_S)
        return True

    async def _table_hands(self, seats: Iterable[int]) -> None:
        for seat in seats:
            await self._deck.pace(1.6)
            self._felt.enter(kind="dealer", input="tabled", seat=seat)
        await self._deck.pace(1.0)

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
        if self._error in EARLY_ERRORS and self._next == self._error_at:
            await self._too_soon(STREETS[self._dealt])
            return
        self._next += 1
        if isinstance(act, Street):
            self._bets.new_round()
            if self._dealt < self._streets_before():
                await self._street(STREETS[self._dealt])
        elif isinstance(act, Fold) and self._error_at == self._next - 1:
            await self._fold(act)
        else:
            await self._bets.act(act)

    def _streets_before(self) -> int:
        return sum(isinstance(act, Street) for act in self._hand.acts[: self._next])

    async def finish_round(self) -> None:
        """The round is played until a street comes next, or nothing."""
        if self._freely or self._helm.plays_seats:
            self._freely = True
            while self._helm.prompt[0] == "act":
                await self._play_freely()
            return
        while self._next < len(self._hand.acts):
            if isinstance(self._hand.acts[self._next], Street):
                return
            await self._act()

    def begin_street(self) -> bool:
        """A street comes next, and is begun; the remedy deals it. False if none comes."""
        if self._freely:
            begins = self._helm.prompt[0] in COMING
        else:
            acts = self._hand.acts
            begins = self._next < len(acts) and isinstance(acts[self._next], Street)
            self._next += begins
        if begins:
            self._bets.new_round()
            self._dealt = max(self._dealt, self._streets_before())
        return begins

    # --- streets ---

    async def _too_soon(self, street: str) -> None:
        """Burns, or deals a street, before the last player of the round has acted."""
        await self._deck.pace(1.5)
        await self._deck.burn()
        if self._error != "burn-premature":
            await self._deck.turn_up(3 if street == "flop" else 1)
            self._dealt += 1
        await self._put_right()

    async def _street(self, name: str) -> None:
        self._dealt += 1
        error = self._error if self._error_street == name else None
        size = 3 if name == "flop" else 1
        await self._deck.pace(2.0)
        if error != "burn-missing":
            for _ in range(self.burns + (error == "burn-double")):
                await self._deck.burn()
        self.burns = 1
        await self._deck.turn_up(size + _miscount(error))
        if error in STREET_ERRORS:
            await self._put_right()
        await self._deck.pace(1.5)
        if error in DISTURBANCES:
            await self._disturb("board" if error == "board-disturbed" else "burn")

    async def _disturb(self, pile: str) -> None:
        """Takes a card off a pile as if it were in the way."""
        card = self._rng.choice(self._deck.at(pile))
        self._deck.lift(card)
        self._deck.faulty = [card]
        await self._put_right()

    # --- hands ---

    async def _fold(self, fold: Fold) -> None:
        """A player folds, and if that is the error is given the cards back from the muck."""
        seat = self._seats[fold.player]
        cards = self._deck.at(f"seat/{seat}")
        await self._bets.act(fold)
        if self._error != "muck-retrieved":
            return
        await self._deck.pace(2.0)
        for card in cards:
            await self._deck.move(card, f"seat/{seat}")
        await self._put_right()
        for card in self._deck.at(f"seat/{seat}"):
            await self._deck.move(card, "muck")


def _miscount(error: str | None) -> int:
    """How many cards more than it should have a street gets."""
    if error == "short-flop":
        return -1
    return int(error in ("four-card-flop", "too-many-turn", "too-many-river"))
