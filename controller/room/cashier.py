"""Tells the tables of chips that were bought there: what a player has before the next hand."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from controller.contract.messages import Answer, SeatOrder
from controller.contract.view import BETWEEN_HANDS, TableView
from controller.room.buying import chips_of
from controller.room.commander import Commander, OrderError
from controller.room.record import Record
from controller.room.register import Player
from controller.room.seater import Seater
from controller.room.tables import Tables, TableSeen
from controller.room.tournament import figures

ACTOR = "the room's cashier"


class _Said(Struct, frozen=True):
    """What a table was told that a player has, before the hand after this one."""

    session: str
    hand: int
    stack: int


class _Asked(Struct, frozen=True):
    order: str
    purchases: int
    said: _Said


class Cashier:
    """Gives orders with a `commander` of its own, between two hands only: in a hand nobody adds to
    what he has. What had been bought when it first sees a player is at the table already."""

    def __init__(self, commander: Commander) -> None:
        self._commander = commander
        self._told: dict[str, int] = {}
        self._asked: dict[str, _Asked] = {}
        self._said: dict[str, _Said] = {}

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered."""
        self._commander.answered(answer, correlation)
        self._look()

    def tick(self, record: Record, tables: Tables, seater: Seater) -> None:
        """Tell what was bought and is not at its table yet; the `seater` knows who is there, and
        with what."""
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
                is_there = seen.live and seater.has(player.at).entrant == player.id
                if is_there and (asked := self._give(record, seen, player, told, seater)):
                    self._asked[player.id] = asked

    def _give(
        self, record: Record, seen: TableSeen, player: Player, told: int, seater: Seater
    ) -> _Asked | None:
        if seen.hand is None or player.at is None:
            return None
        view, stack = seen.hand.view, record.clock.structure.stack
        each = figures(record.tournament, None, stack).starting_stack
        chips = chips_of(record.register, player.bought[told:], each)
        said = self._said.get(player.id)
        is_new = said is not None and (said.session, said.hand) == (seen.hand.session, view.hand)
        has = said.stack if said is not None and is_new else seater.stack(player.id)
        if not chips or has is None or not _is_between_hands(view):
            return None
        at, now = seater.has(player.at), has + chips
        seat = SeatOrder(player.at.seat, at.status, now, player.name)
        fields = {
            "seats": msgspec.to_builtins((seat,)),
            "actor": ACTOR,
            "session": seen.hand.session,
            "hand": view.hand,
        }
        try:
            order = self._commander.give(seen.id, "seats", fields, role="director")
        except OrderError:
            return None
        stack_now = _Said(seen.hand.session, view.hand, now)
        return _Asked(order.command.id, len(player.bought), stack_now)

    def _look(self) -> None:
        for player, asked in list(self._asked.items()):
            order = self._commander.orders.get(asked.order)
            if order is not None and order.status == "sent":
                continue
            if order is not None and order.status == "confirmed":
                self._told[player] = asked.purchases
                self._said[player] = asked.said
            del self._asked[player]


def _is_between_hands(view: TableView) -> bool:
    return view.phase is not None and view.phase in BETWEEN_HANDS
