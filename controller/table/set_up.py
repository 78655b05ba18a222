"""How a running table is set up: told to its engine at a first start, and when that changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from controller.contract.observations import Award, Observation, Seen, Table, Timing
from controller.contract.zones import seat_of
from controller.engine.engine import Engine
from controller.table.anew import cards_at_seats, under_way, with_button, without_stacks
from controller.table.decks import Decks
from controller.table.telling import Telling
from firmware_bridge.bridge import Bridge


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetUp:
    """The set-up of one table; `record` is the one of its settings. `say` tells the log a line.
    `has_forgotten`: hands were played before of which nothing is known any more. `timing` is what
    the readers' measured cycle makes of the settings' timing."""

    record: Table
    engine: Engine
    decks: Decks
    bridge: Bridge
    telling: Telling
    say: Callable[[str], None]
    has_forgotten: bool = False
    timing: Callable[[Timing], Timing] = lambda timing: timing

    def begin(self) -> None:
        """Watching begins. Where cards lie at two seats that were not dealt before our eyes, a
        hand is under way."""
        objects, state = self.record.objects, self.engine.state()
        known = cards_at_seats(self.engine.lying(), objects)
        present = self.bridge.present().items()
        lying = [Seen(0.0, zone, tag) for zone, tags in present for tag in tags]
        fresh = cards_at_seats(lying, objects)
        is_under_way = len({seat for tag, seat in fresh.items() if tag not in known}) > 1
        if state is None and self.engine.has_table:
            return  # a hand is under way already that nobody watches
        if state is None:
            for told in self._first(is_under_way):
                self.telling.tell(told)
            self.tell_decks()
        elif is_under_way:
            button = self.engine.sight().next_button
            for told in under_way(state, button, deck=self.decks.deck, t=self.telling.t()):
                self.telling.tell(told)
            self.tell_decks()
        if is_under_way:
            self.say("cards are already out: watching starts with the next hand")

    def _first(self, is_under_way: bool) -> list[Observation]:
        """The settings, but after a hand that nobody saw it is not known what anybody has; nor,
        where hands are forgotten, where the button is but for the puck."""
        record = replace(self.record, timing=self.timing(self.record.timing))
        if not self.has_forgotten and not is_under_way:
            return [record]
        record = replace(record, seats=without_stacks(record), under_way=True)
        if not self.has_forgotten:
            return [record]
        told: list[Observation] = [replace(record, button=self._button(is_under_way))]
        if not is_under_way:
            told.append(Award(kind="dealer", t=self.telling.t(), reason="the journal was damaged"))
        return told

    def _button(self, is_under_way: bool) -> int:
        """Where the button is in the hand that begins next: the puck lies there, but while a hand
        is played; or else where the settings have it in the beginning."""
        pucks = {tag for tag, thing in self.record.objects.items() if thing == "button"}
        zones = (zone for zone, tags in self.bridge.present().items() if pucks.intersection(tags))
        at = next((seat for seat in map(seat_of, zones) if seat is not None), None)
        if at is None:
            return self.record.button
        seats = sorted(seat.seat for seat in self.record.seats)
        return next((seat for seat in seats if seat > at), seats[0]) if is_under_way else at

    def tell_decks(self) -> None:
        """After a `table` record: there are other decks, which rest."""
        for told in self.decks.told(self.telling.t()):
            self.telling.tell(told)

    def with_button(self, button: int) -> list[Observation]:
        """What is to be told so that the button is at this seat and all else as it is; nothing
        before the table is set up, and while a hand is open."""
        state = self.engine.state()
        if state is None:
            return []
        deck, lying = self.decks.deck, self.engine.lying()
        return with_button(state, button, deck=deck, lying=lying, t=self.telling.t())
