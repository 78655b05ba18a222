"""What the game knows of its table at this moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

import msgspec

from controller.contract.events import Event
from controller.contract.observations import Boxed, Exposed, Gone, Riffle, Seen, Table
from controller.engine.implied import FirstCards
from controller.engine.shuffle import Shuffle
from controller.engine.state import EngineState, Redeal
from controller.hand.inventory import Inventory
from controller.hand.places import Places
from controller.hand.resolver import Resolver
from controller.hand.setup import Setup
from controller.hand.watch import Watch
from controller.rules.between_hands import BetweenHands
from controller.rules.button import Positions
from controller.rules.decisions import Decided
from controller.rules.disputes import Disputes
from controller.rules.hand import Hand
from controller.rules.irregularity import Numbering
from controller.rules.missing_card import ShortDeck
from controller.rules.rulebook import RuleBook

First = Riffle | Seen | Exposed | Boxed
"""What a hand may begin with."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a hand began from: the state before it, the deck in play and the tags of those that
    rest, what lay on the table, and the observations that it began with."""

    state: EngineState
    deck: Mapping[str, str] | None = field(repr=False)
    resting: frozenset[str] = field(repr=False)
    lying: tuple[Seen | Gone, ...] = field(repr=False)
    first: tuple[First, ...] = field(repr=False)


class Situation:
    """The table, the hand that runs or ran last, and what waits for the next one.

    `book` gives the rule book for the id that a table names, and may raise for an unknown one;
    `number` gives findings their numbers.
    """

    def __init__(self, book: Callable[[str], RuleBook], number: Numbering) -> None:
        """No table has been set up."""
        self._book = book
        self.number_finding = number
        self.events: list[Event] = []
        self.t = 0.0
        self.told_t = 0.0
        # The table.
        self.table: Table | None = None
        self.setup: Setup | None = None
        self.resolver = Resolver(None, {})
        self.places = Places(0.5)
        self.is_open = True
        self.shuffle = Shuffle()
        self.first_cards = FirstCards(self.shuffle)
        # The hand; `has_changed` since it was last asked what is due next.
        self.last_number = 0
        self.watch: Watch | None = None
        self.beginning: Beginning | None = None
        self.under_way = False
        self.begun_shut: Hand | None = None
        self.taken_in: Hand | None = None
        self.has_changed = True
        # What a gap has left unclear: what is being counted, what `lay` there when the hand went
        # on, and the cards of which nothing was told, with their zones.
        self.inventory: Inventory | None = None
        self.lay: frozenset[str] | None = None
        self.stale: set[tuple[str, str]] = set()
        # From one hand to the next.
        self.last_hand: Hand | None = None
        self.redeal: Redeal | None = None
        self.undealt: Redeal | None = None
        self.awarded = True
        self.award_t = -inf
        self.decided: tuple[Decided, ...] = ()
        self.disputes = Disputes(self.emit)
        self.short_deck = ShortDeck(self.emit, number)
        self.checked: tuple[str, ...] | None = None
        self.between = BetweenHands()

    def set_up(self, table: Table) -> None:
        """A table begins afresh: a hand that was open is dropped, and all places are forgotten."""
        self.setup = setup = Setup.of(table, self._book(table.rulebook))
        self.table = msgspec.structs.replace(table, deck=None)
        self.beginning = None
        if table.under_way:
            setup.believe()
        self.resolver = Resolver(table.deck, table.objects)
        self.places = Places(table.timing.flicker)
        self.inventory = self.lay = None
        self.between = BetweenHands()
        self.watch = None
        self.last_hand = None
        self.redeal = self.undealt = None
        self.under_way = table.under_way
        self.shuffle = Shuffle()
        self.first_cards = FirstCards(self.shuffle)
        self.checked = None
        self.decided = ()
        self.short_deck.close("expired", self.t)
        self.disputes.close("expired", self.t)

    def emit(self, event: Event) -> None:
        """What follows from the observation that is being taken."""
        self.events.append(event)

    def running(self) -> Watch | None:
        """The hand that is played, if one is."""
        return self.watch if self.watch is not None and not self.watch.hand.over else None

    def number(self) -> int:
        """The running hand, or the coming one."""
        return self.last_number if self.running() else self.last_number + 1

    def due(self, setup: Setup) -> Positions | None:
        """The positions of the hand that begins next, if there are players for one."""
        return setup.due(self.last_number + 1, self.redeal.seats if self.redeal else None)

    @property
    def last_told(self) -> float:
        """When what was told last happened: nothing is told that was before."""
        return self.events[-1].t if self.events else self.told_t

    # --- cards and puck -------------------------------------------------------------------

    def is_card(self, tag: str) -> bool:
        """Whether a tag is none of the table's objects."""
        return self.resolver.thing(tag) is None

    def cards_out(self) -> Iterator[tuple[str, str]]:
        """The cards that lie anywhere but in the stub, each with its zone."""
        for tag in self.places.tags():
            if self.is_card(tag):
                yield from ((tag, zone) for zone in self.places.zones(tag) if zone != "stub")

    def lies_at_seats(self) -> bool:
        """Whether a card lies at any seat."""
        return any(self.places.seat(tag) is not None for tag, _ in self.cards_out())

    def reads_seats(self, hand: Hand) -> bool:
        """Whether the cards of a player are read."""
        setup = self.setup
        return setup is not None and any(setup.has(f"seat/{s}") for s in hand.betting.players)

    def awaits_pitch(self, hand: Hand) -> bool:
        """Whether nothing of the hand has been dealt yet, and that would be read."""
        return self.shuffle.awaits_pitch(hand) and self.reads_seats(hand)

    def puck_seats(self) -> list[int]:
        """Where the puck is read."""
        pucks = [tag for tag in self.places.tags() if self.resolver.thing(tag) == "button"]
        return [seat for tag in pucks for seat in self.places.seats(tag)]

    def puck_moved(self, t: float) -> None:
        """The running hand hears where the puck lies."""
        if (watch := self.running()) is not None:
            watch.puck(self.puck_seats(), t)
