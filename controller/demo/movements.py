"""What a dealer's hands do at each step of a remedy."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from controller.demo.deck import Deck, Felt
from controller.demo.errors import STREETS


class Course(Protocol):
    """The hand that goes on around a remedy. `burns` are those before the next street."""

    burns: int

    async def finish_round(self) -> None:
        """The round is played until a street comes next, or nothing."""

    def begin_street(self) -> bool:
        """A street comes next, and is begun; the remedy deals it. False if none comes."""

    async def deal_again(self) -> None:
        """The hand begins anew, with its blinds and the same seats."""

    async def move_button(self) -> None:
        """The puck is laid where the button belongs."""


class Movements:
    """The dealer's hands during one remedy, on the street that went wrong."""

    def __init__(
        self,
        felt: Felt,
        deck: Deck,
        rng: random.Random,
        course: Course,
        *,
        street: str,
        seats: Sequence[int],
    ) -> None:
        """`seats` are those that the finding names."""
        self.felt = felt
        self.deck = deck
        self.rng = rng
        self.course = course
        self.street = street
        self.seats = seats
        self._scrambled: list[str] = []
        self._emptied: list[str] = []

    @property
    def cards(self) -> list[str]:
        """The street's cards."""
        return self.deck.board if self.street == "flop" else self.deck.board[-1:]

    def burns_next(self, count: int) -> None:
        """So many cards are burned before the next street."""
        self.course.burns = count

    # --- board and burns ---

    async def burn_to_stub(self) -> None:
        """The last burn goes back on top of the stub."""
        second = self.deck.at("burn")[-1]
        self.deck.lift(second)
        self.deck.stub.insert(0, second)

    async def flop_and_burn_back(self) -> None:
        """So do the flop and the second burn, into it."""
        await self.deck.back_to_stub(self.cards)
        await self.burn_to_stub()

    async def burn_to_board(self, number: int) -> None:
        """A burn, counted from the first, is turned up."""
        card = self.deck.at("burn")[number]
        self.deck.lift(card)
        await self.deck.pace(1.0)
        self.deck.board.append(card)
        self.deck.lay("board", card)

    async def board_to_burns(self, number: int) -> None:
        """A board card is turned down and put with the burns."""
        card = self.deck.board[number]
        await self.deck.off_board(card)
        self.deck.lay("burn", card)

    async def board_to_stub(self) -> None:
        """The street's card that was exposed too soon goes on top of the stub."""
        exposed = self.deck.board[3 + (self.street == "river")]
        await self.deck.off_board(exposed)
        self.deck.stub.insert(0, exposed)

    async def first_stays(self) -> None:
        """The second of two cards goes: to the burns as the river's, on the river back."""
        if self.street == "turn":
            await self.board_to_burns(-1)
            self.burns_next(0)
        else:
            await self.deck.back_to_stub(self.deck.board[-1:])

    async def cards_aside(self, count: int) -> None:
        """The last board cards are put aside."""
        for card in self.deck.board[-count:]:
            await self.deck.off_board(card)
            self.deck.aside.append(card)

    async def aside_to_stub(self) -> None:
        """What was put aside goes into the stub."""
        self.deck.stub += self.deck.aside
        self.deck.aside.clear()

    async def shuffle_stub(self) -> None:
        """The stub is shuffled, and the dealer says so."""
        await self.deck.shuffle()
        self.felt.enter(kind="dealer", input="reshuffled")

    async def scramble(self) -> None:
        """The street's cards are turned down and mixed."""
        self._scrambled = [*self.cards]
        for card in self._scrambled:
            await self.deck.off_board(card)
        self.rng.shuffle(self._scrambled)

    async def pick(self) -> None:
        """The floor picks one of them, which is burned."""
        self.felt.enter(kind="floor", input="pick", by="floor")
        self.deck.lay("burn", self._scrambled.pop())

    async def complete_flop(self) -> None:
        """Turns up what was scrambled and the stub's top card."""
        await self.lay_scrambled()
        await self.deck.turn_up(1)

    async def lay_scrambled(self) -> None:
        """The others are the flop."""
        for card in self._scrambled:
            self.deck.board.append(card)
            self.deck.lay("board", card)
            await self.deck.pace(0.3)

    async def river_is_turn(self) -> None:
        """The next card is the turn, and its round is played."""
        await self.deck.turn_up(1)
        self.course.begin_street()
        await self.course.finish_round()

    async def river_without_burn(self) -> None:
        """The river is dealt, if the hand gets there."""
        if self.course.begin_street():
            await self.deck.turn_up(1)

    async def put_back(self, zone: str) -> None:
        """The cards that left their pile go back to it."""
        for card in self.deck.faulty:
            self.deck.lay(zone, card)
            await self.deck.pace(0.3)

    # --- hole cards ---

    async def extra_to_stub(self) -> None:
        """The card too many goes on top of the stub."""
        for card in self.deck.faulty:
            self.deck.lift(card)
            self.deck.stub.insert(0, card)

    async def extra_is_burn(self) -> None:
        """The card on top of the stub is the flop's burn."""
        await self.deck.burn()
        self.burns_next(0)

    async def replace_exposed(self) -> None:
        """The seat gets another card for the exposed one."""
        for card in self.deck.faulty:
            zone = self.deck.lift(card)
            await self.deck.pace(0.5)
            self.deck.lay(zone, self.deck.stub.pop(0))
            await self.deck.pace(0.5)

    async def exposed_is_burn(self) -> None:
        """The exposed card is the flop's burn."""
        for card in self.deck.faulty:
            self.deck.lay("burn", card)
        self.burns_next(0)

    async def take_faulty(self, where: list[str]) -> None:
        """The cards that do not play are taken from their seats."""
        for card in self.deck.faulty:
            self._emptied.append(self.deck.lift(card))
            where.append(card)
            await self.deck.pace(0.5)

    async def next_card_instead(self) -> None:
        """Who lost one gets the next card."""
        for zone in self._emptied:
            self.deck.lay(zone, self.deck.stub.pop(0))
            await self.deck.pace(0.5)

    async def give_next(self) -> None:
        """The seats that are a card short get the next."""
        await self.deck.pitch(self.seats)

    async def take_in_hands(self) -> None:
        """The hands of these seats are dead."""
        for seat in self.seats:
            for card in self.deck.at(f"seat/{seat}"):
                await self.deck.move(card, "muck")

    # --- a new deal ---

    async def void(self) -> None:
        """A misdeal is called."""
        self.felt.enter(kind="dealer", input="misdeal")

    async def change_deck(self) -> None:
        """Another deck comes, shuffled: to the table it is this one, good again."""
        await self.deck.collect()
        await self.deck.shuffle()

    async def find_card(self) -> None:
        """The card that was missing is in the stub again."""
        self.deck.stub += self.deck.faulty


def _at_once(do: Callable[[Movements], None]) -> Callable[[Movements], Awaitable[None]]:
    async def done(hands: Movements) -> None:
        do(hands)

    return done


MOVEMENTS: Mapping[str, Callable[[Movements], Awaitable[None]]] = {
    "flop-back": lambda m: m.deck.back_to_stub(m.cards),
    "card-back": lambda m: m.deck.back_to_stub(m.cards),
    "cards-back-in": lambda m: m.deck.back_to_stub(m.deck.board[-2:]),
    "flop-and-burn-back": Movements.flop_and_burn_back,
    "second-burn-back": Movements.burn_to_stub,
    "second-burn-is-card": lambda m: m.burn_to_board(STREETS.index(m.street) + 1),
    "river-burn-is-river": lambda m: m.burn_to_board(2),
    "river-burn-is-turn": lambda m: m.burn_to_board(1),
    "card-is-burn": lambda m: m.board_to_burns(-1),
    "card-is-river-burn": lambda m: m.board_to_burns(3),
    "turn-is-burn": lambda m: m.board_to_burns(3),
    "river-is-burn": lambda m: m.board_to_burns(3),
    "card-on-stub": Movements.board_to_stub,
    "offer-first-card": Movements.first_stays,
    "shuffle": Movements.shuffle_stub,
    "scramble-stub": Movements.shuffle_stub,
    "scramble-all": Movements.shuffle_stub,
    "scramble-mixed": Movements.shuffle_stub,
    "burn-one": lambda m: m.deck.burn(),
    "deal-street": lambda m: m.deck.turn_up(3 if m.street == "flop" else 1),
    "new-flop": lambda m: m.deck.turn_up(3),
    "new-flop-no-burn": lambda m: m.deck.turn_up(3),
    "new-card": lambda m: m.deck.turn_up(1),
    "next-card": lambda m: m.deck.turn_up(1),
    "next-card-is-river": lambda m: m.deck.turn_up(1),
    "third-card": lambda m: m.deck.turn_up(1),
    "new-river-no-burn": lambda m: m.deck.turn_up(1),
    "new-turn-no-burn": lambda m: m.deck.turn_up(1),
    "scramble": Movements.scramble,
    "pick-burn": Movements.pick,
    "three-are-flop": Movements.lay_scrambled,
    "stub-completes": Movements.complete_flop,
    "no-burn-next": _at_once(lambda m: m.burns_next(0)),
    "burn-holds": _at_once(lambda m: m.burns_next(0)),
    "second-burn-next": _at_once(lambda m: m.burns_next(0)),
    "two-burns-next": _at_once(lambda m: m.burns_next(2)),
    "set-aside": lambda m: m.cards_aside(1),
    "cards-aside": lambda m: m.cards_aside(2),
    "finish-round": lambda m: m.course.finish_round(),
    "river-is-turn": Movements.river_is_turn,
    "aside-back": Movements.aside_to_stub,
    "river-no-burn": Movements.river_without_burn,
    "restore-board": lambda m: m.put_back("board"),
    "restore-burn": lambda m: m.put_back("burn"),
    "extra-on-stub": Movements.extra_to_stub,
    "extra-is-burn": Movements.extra_is_burn,
    "replace-exposed": Movements.replace_exposed,
    "exposed-is-burn": Movements.exposed_is_burn,
    "boxed-is-scrap": lambda m: m.take_faulty(m.deck.aside),
    "joker-is-scrap": lambda m: m.take_faulty(m.deck.aside),
    "strange-is-scrap": lambda m: m.take_faulty(m.deck.aside),
    "boxed-to-bottom": lambda m: m.take_faulty(m.deck.stub),
    "next-card-instead": Movements.next_card_instead,
    "replace-after-round": Movements.next_card_instead,
    "give-next-card": Movements.give_next,
    "dead-hand": Movements.take_in_hands,
    "empty-seat-in": Movements.take_in_hands,
    "call-misdeal": Movements.void,
    "void-hand": Movements.void,
    "cards-back": lambda m: m.deck.collect(),
    "change-deck": Movements.change_deck,
    "find-card": Movements.find_card,
    "shuffle-deck": lambda m: m.deck.shuffle(),
    "deal-again": lambda m: m.course.deal_again(),
    "same-deal-again": lambda m: m.course.deal_again(),
    "move-button": lambda m: m.course.move_button(),
}
"""What a dealer does at a step, by its id."""

STILL = frozenset(
    {
        "action-back",
        "acts-again",
        "announce-card",
        "behind-stands",
        "behind-stands-if-nothing-between",
        "behind-stands-if-time",
        "behind-void",
        "bets-back",
        "burn-stays",
        "call-floor",
        "card-home",
        "card-stands",
        "change-deck-after",
        "check-faces",
        "count-down-over",
        "cut",
        "dead-or-passive",
        "deal-complete",
        "dealt-out-not-there",
        "do-not-play",
        "early-stands",
        "early-stands-if-no-raise",
        "early-stands-if-nothing-between",
        "early-void",
        "finish-deal",
        "first-burn-stays",
        "hand-back",
        "if-dead",
        "live-again",
        "make-deck-good",
        "muck-owner",
        "no-raise-later",
        "no-raise-this-round",
        "no-refund",
        "not-this-deck",
        "offer-set-aside",
        "offer-true-order",
        "only-call-or-fold",
        "play-on",
        "play-on-to-the-end",
        "rebuild-stub",
        "refund-withheld",
        "stays-dead",
        "stop",
        "swept-back",
        "take-out",
        "uncalled-back",
        "whose-fold",
    }
)
"""The steps at which no card moves, or none that this dealer has misplaced: said, left alone, or
done with chips; a cut is no movement for a stub that is shuffled. Of two offers the dealer takes
the first; the true order is the floor's to order."""
