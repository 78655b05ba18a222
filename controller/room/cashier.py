"""Tells the tables of chips that were bought there: what a player has before the next hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from controller.contract.messages import Answer, SeatOrder
from controller.contract.view import BETWEEN_HANDS, TableView
from controller.room.buying import chips_of
from controller.room.commander import Commander, OrderError
from controller.room.record import Record
from controller.room.register import Player
from controller.room.seat_draw import AtSeat
from controller.room.tables import Tables, TableSeen
from controller.room.tournament import figures

ACTOR = "the room's cashier"


class _Asked(Struct, frozen=True):
    order: str
    purchases: int


class Cashier:
    """Gives orders with a `commander` of its own, between two hands only: in a hand nobody adds to
    what he has. What had been bought when it first sees a player is at the table already."""

    def __init__(self, commander: Commander) -> None:
        self._commander = commander
        self._told: dict[str, int] = {}
        self._asked: dict[str, _Asked] = {}

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered."""
        self._commander.answered(answer, correlation)

    def tick(self, record: Record, tables: Tables, has: Callable[[AtSeat], str]) -> None:
        """Tell what was bought and is not at its table yet; `has` is whom a table has at a seat."""
        self._commander.tick()
        self._look()
        for player in record.register.players:
            count = len(player.bought)
            told = self._told.setdefault(player.id, count)
            if count < told or player.at is None:
                self._told[player.id] = count
                continue
            seen = tables.get(player.at.table)
            if count > told and player.id not in self._asked and seen is not None:
                is_there = seen.live and has(player.at) == player.id
                if is_there and (order := self._give(record, seen, player, told)):
                    self._asked[player.id] = _Asked(order, count)

    def _give(self, record: Record, seen: TableSeen, player: Player, told: int) -> str:
        if seen.hand is None or player.at is None:
            return ""
        view, stack = seen.hand.view, record.clock.structure.stack
        each = figures(record.tournament, None, stack).starting_stack
        chips = chips_of(record.register, player.bought[told:], each)
        has = _between_hands(view).get(player.at.seat)
        if not chips or has is None:
            return ""
        seat = SeatOrder(player.at.seat, "seated", has + chips, player.name)
        fields = {
            "seats": msgspec.to_builtins((seat,)),
            "actor": ACTOR,
            "session": seen.hand.session,
            "hand": view.hand,
        }
        try:
            return self._commander.give(seen.id, "seats", fields, role="director").command.id
        except OrderError:
            return ""

    def _look(self) -> None:
        for player, asked in list(self._asked.items()):
            order = self._commander.orders.get(asked.order)
            if order is None or order.status == "sent":
                continue
            if order.status == "confirmed":
                self._told[player] = asked.purchases
            del self._asked[player]


def _between_hands(view: TableView) -> Mapping[int, int]:
    """What each seat has; nothing while a hand is played."""
    if view.phase is None or view.phase not in BETWEEN_HANDS:
        return {}
    return {each.seat: each.stack for each in view.seats if each.stack is not None}
