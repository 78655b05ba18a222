"""The room's record as the desk of a simulated tournament asks it: pure core, no service."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from controller.room import clock, hand_for_hand, races, record, register
from controller.room.clock import at_start
from controller.room.conduct import HandOf
from controller.room.hand_for_hand import HandForHand
from controller.room.known import Known
from controller.room.record import Record
from controller.room.register import Player, Purchase, Register
from controller.room.structure import Structure
from controller.rules.prizes import Payouts

ACTOR = "the desk"


class Desk:
    """Holds the record, whose time is `now_ms`. `known` is what else is known as it is asked."""

    def __init__(self, structure: Structure, known: Callable[[], Known]) -> None:
        self.now_ms = 0
        self.record = Record(clock=at_start(structure), lineage="simulated")
        self._known = known

    @property
    def register(self) -> Register:
        """The players as they are."""
        return self.record.register

    def player(self, id_: str) -> Player:
        """A player as he is."""
        return self.register.by_id[id_]

    def asks(self, name: str, /, **fields: object) -> None:
        """Does what a page would ask for. Raises ActError where that can't be."""
        act = record.asked(name, {"actor": ACTOR, **fields})
        self.record = record.after(self.record, name, act, self.now_ms, self._known())

    def passes(self, now_ms: int) -> None:
        """Time has passed."""
        self.now_ms = now_ms
        state = clock.advance(self.record.clock, now_ms)
        self.record = record.pass_time(record.with_clock(self.record, state), now_ms)

    def begins(self, hand: HandOf, seats: Mapping[int, object]) -> None:
        """A hand of a table has these seats."""
        now = record.hand_begins(self.record, hand, redeal=False)
        self.record = record.arrived(now, hand.table, list(seats))

    def ends(self, hand: HandOf) -> None:
        """A hand of a table is over."""
        self.record = record.hand_ends(self.record, hand)

    def delivered(self, player: str, what: tuple[Purchase, ...]) -> None:
        """What a player has bought is before him."""
        players = register.delivered(self.register, player, what)
        self.record = replace(self.record, register=players)

    def pays_by(self, book: Payouts | None) -> None:
        """This is the table of prizes of the book in force."""
        self.record = replace(self.record, money=replace(self.record.money, book=book))

    def raced(self, entry: str) -> None:
        """What races have brought a player is before him."""
        there = races.delivered(self.record.races, entry, self.record.races.of(entry))
        self.record = replace(self.record, races=there)

    def rounds(self, together: HandForHand) -> None:
        """How far the tables are that play hand for hand."""
        self.record = record.with_rounds(self.record, self.now_ms, together)

    def next_round(self, together: HandForHand) -> None:
        """All tables have played their hand, and deal the next one."""
        state, after = hand_for_hand.next_round(self.record.clock, together, self.now_ms)
        self.record = replace(record.with_clock(self.record, state), together=after)

    def waives(self, tables: tuple[str, ...]) -> None:
        """Only these tables are let play on though they are short."""
        if tables != self.register.waived:
            self.record = replace(self.record, register=replace(self.register, waived=tables))
