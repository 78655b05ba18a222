"""Tells the tables of chips that were bought, raced or shared there: what a player has before the
next hand."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import Answer, SeatOrder
from controller.room.buying import chips_of
from controller.room.commander import Commander, Order
from controller.room.record import Record
from controller.room.record_keeper import RecordKeeper
from controller.room.register import Player
from controller.room.seater import Seater
from controller.room.seating import is_over
from controller.room.tables import Tables, TableSeen
from controller.room.tournament import figures

ACTOR = "the room's cashier"


class _Asked(Struct, frozen=True):
    """What a `player` has had as he was then, and what races and shares have brought him in all,
    once his table has taken that he has `chips` after its `hand`.
    `unanswered`: the order, where it has to be sent again."""

    order: str
    table: str
    hand: int
    player: Player
    raced: int
    chips: int
    unanswered: Order | None = None


class Cashier:
    """Gives orders with a `commander` of its own, between two hands only: in a hand nobody adds to
    what he has. What has reached its table is kept in the register; what was taken back after that
    is taken off again."""

    def __init__(self, commander: Commander, keeper: RecordKeeper, seater: Seater) -> None:
        """The `seater` knows who is where, and with what."""
        self._commander = commander
        self._keeper = keeper
        self._seater = seater
        self._asked: dict[str, _Asked] = {}

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered."""
        self._commander.answered(answer, correlation)
        self._look()

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

    def _give(self, seen: TableSeen, player: Player, chips: int) -> _Asked | None:
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
        if not order:
            return None
        raced = _brought(self._keeper.record, player)
        return _Asked(order, seen.id, seen.hand.view.hand, player, raced, now)

    def _repeat(self, tables: Tables) -> None:
        """What was not answered is asked again as it was, once its table is there: the chips come
        once."""
        for player, asked in list(self._asked.items()):
            order = asked.unanswered
            seen = None if order is None else tables.get(order.table)
            if order is None or (seen is not None and not seen.live):
                continue
            if seen is None:
                del self._asked[player]
                continue
            self._asked[player] = replace(asked, unanswered=None)
            self._commander.repeat(order)

    def _look(self) -> None:
        for player, asked in list(self._asked.items()):
            order = self._commander.orders.get(asked.order)
            if order is None or order.status == "sent":
                continue
            if order.status == "unanswered":
                self._asked[player] = replace(asked, unanswered=order)
                continue
            if order.status == "confirmed":
                self._keeper.delivered(asked.player, asked.raced)
                self._seater.told(asked.player.entry, asked.chips, asked.table, asked.hand)
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
