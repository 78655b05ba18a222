"""Tells the tables of chips that were bought, raced or shared there: what a player has before the
next hand."""

from __future__ import annotations

import msgspec

from controller.contract.messages import Answer, SeatOrder, SeatsCommand
from controller.room.buying import chips_of
from controller.room.commander import Commander, Order
from controller.room.record import Record
from controller.room.record_keeper import RecordKeeper
from controller.room.register import Player
from controller.room.seater import Seater
from controller.room.seating import is_over
from controller.room.stored_seats import Delivery
from controller.room.tables import Tables, TableSeen
from controller.room.tournament import figures

ACTOR = "the room's cashier"


class Cashier:
    """Gives orders with a `commander` of its own, between two hands only: in a hand nobody adds to
    what he has. What has reached its table is kept in the register; what was taken back after that
    is taken off again. What is on the way there outlives the room where its store does."""

    def __init__(self, commander: Commander, keeper: RecordKeeper, seater: Seater) -> None:
        """The `seater` knows who is where, and with what."""
        self._commander = commander
        self._keeper = keeper
        self._seater = seater
        self._asked = dict(keeper.at_tables.deliveries)
        self._unanswered = {
            player: Order(each.table, "seats", each.command, 0, "unanswered")
            for player, each in self._asked.items()
        }

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered."""
        self._commander.answered(answer, correlation)
        self._look()
        self._keeper.delivers(self._asked)

    def tick(self, tables: Tables) -> None:
        """Tell what was bought and is not at its table yet."""
        self._commander.tick()
        self._look()
        self._repeat(tables)
        record = self._keeper.record
        for player in record.register.players:
            if player.id in self._asked or player.at is None:
                continue
            brought = _brought(record, player)
            raced = brought - record.races.delivered.get(player.entry, 0)
            if player.bought == player.delivered and not raced:
                continue
            seen = tables.get(player.at.table)
            if seen is None or not seen.live or self._seater.has(player.at).entrant != player.entry:
                continue
            bought = _owed(record, player)
            if bought is not None and bought + raced == 0:
                self._keeper.delivered(player, brought)
            elif bought is not None and (asked := self._give(seen, player, bought + raced)):
                self._asked[player.id] = asked
        self._keeper.delivers(self._asked)

    def _give(self, seen: TableSeen, player: Player, chips: int) -> Delivery | None:
        if seen.hand is None or player.at is None or not is_over(seen.hand.view):
            return None
        has = self._seater.stack(player.entry)
        if has is None:
            return None
        now = max(0, has + chips)
        at = self._seater.has(player.at)
        seat = SeatOrder(player.at.seat, at.status, now, player.name)
        fields = {
            "seats": msgspec.to_builtins((seat,)),
            "actor": ACTOR,
            "session": seen.hand.session,
            "hand": seen.hand.view.hand,
        }
        order = self._commander.try_give(seen.id, "seats", fields)
        if order is None or not isinstance(order.command, SeatsCommand):
            return None
        raced = _brought(self._keeper.record, player)
        return Delivery(seen.id, order.command, seen.hand.view.hand, player, raced, now)

    def _repeat(self, tables: Tables) -> None:
        """What was not answered is asked again as it was, once its table is there: the chips come
        once."""
        for player, order in list(self._unanswered.items()):
            seen = tables.get(order.table)
            if seen is not None and seen.live:
                del self._unanswered[player]
                self._commander.repeat(order)
            elif seen is None and order.table not in self._keeper.record.register.seats_of:
                del self._unanswered[player], self._asked[player]

    def _look(self) -> None:
        for player, asked in list(self._asked.items()):
            order = self._commander.orders.get(asked.command.id)
            if order is None or order.status == "sent":
                continue
            if order.status == "unanswered":
                self._unanswered[player] = order
                continue
            if order.status == "confirmed":
                self._keeper.delivered(asked.player, asked.raced)
                self._seater.told(asked.player.entry, asked.chips, asked.table, asked.hand)
            self._unanswered.pop(player, None)
            del self._asked[player]


def _brought(record: Record, player: Player) -> int:
    """What races and forfeited stacks have brought a player in all."""
    return record.races.of(player.entry) + record.shared.of(player.entry)


def _owed(record: Record, player: Player) -> int | None:
    """The chips that are not at the player's table yet, or with less than nothing are too many
    there; None where it is not known how many."""
    each = figures(record.tournament, None, record.clock.structure.stack).starting_stack
    bought = chips_of(record.register, player.bought, each)
    there = chips_of(record.register, player.delivered, each)
    return None if bought is None or there is None else bought - there
