"""The room's record as the desk of a simulated tournament asks it: pure core, no service."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from controller.room import clock, record, register
from controller.room.clock import at_start
from controller.room.conduct import HandOf
from controller.room.known import Known
from controller.room.record import Record
from controller.room.register import Player, Purchase, Register
from controller.room.structure import Structure

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
        players = register.arrived(now.register, hand.table, seats)
        if players is not now.register:
            now = replace(now, register=players)
        self.record = now

    def ends(self, hand: HandOf) -> None:
        """A hand of a table is over."""
        self.record = record.hand_ends(self.record, hand)

    def delivered(self, player: str, what: tuple[Purchase, ...]) -> None:
        """What a player has bought is before him."""
        players = register.delivered(self.register, player, what)
        self.record = replace(self.record, register=players)

    def waives(self, tables: tuple[str, ...]) -> None:
        """Only these tables are let play on though they are short."""
        if tables != self.register.waived:
            self.record = replace(self.record, register=replace(self.register, waived=tables))
