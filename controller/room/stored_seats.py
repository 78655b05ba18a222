"""What the tables have of the register, on the disk: a row for each table, for each player who
plays on at a seat that is not his any more, and for each whose chips are on the way there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from controller.contract.messages import SeatsCommand
from controller.room.register import Player
from controller.room.seating import SeatsTold
from controller.room.stacks import PlaysOn
from controller.storage.database import Database

T = TypeVar("T")

SCHEMA = (
    "CREATE TABLE at_tables(kind TEXT NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY(kind, id)) STRICT",
)


class Delivery(Struct, frozen=True):
    """What a `player` has had as he was then, and what races and shares have brought him in all,
    once his table has taken that he has `chips` after its `hand`."""

    table: str
    command: SeatsCommand
    hand: int
    player: Player
    raced: int
    chips: int


class AtTables(Struct, frozen=True):
    """What the tables were told, by their names, who plays on where, by their entries, and what is
    on the way, by the players' ids."""

    told: Mapping[str, SeatsTold] = {}
    plays_on: Mapping[str, PlaysOn] = {}
    deliveries: Mapping[str, Delivery] = {}


def read(database: Database) -> AtTables:
    """What is there. Raises DatabaseError, and msgspec's errors for what can't be read."""
    return AtTables(
        _read(database, "told", SeatsTold),
        _read(database, "plays on", PlaysOn),
        _read(database, "delivery", Delivery),
    )


def _read(database: Database, kind: str, type_: type[T]) -> dict[str, T]:
    found = database.rows("SELECT id, value FROM at_tables WHERE kind = ?", kind)
    return {id_: msgspec.json.decode(value, type=type_) for id_, value in found}


def write(database: Database, there: AtTables, now: AtTables) -> None:
    """In a transaction, write what is different from what is `there`."""
    _write(database, "told", there.told, now.told)
    _write(database, "plays on", there.plays_on, now.plays_on)
    _write(database, "delivery", there.deliveries, now.deliveries)


def _write(database: Database, kind: str, there: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    db = database.connection
    gone = [(kind, id_) for id_ in there.keys() - now.keys()]
    changed = [(id_, one) for id_, one in now.items() if there.get(id_) != one]
    db.executemany("DELETE FROM at_tables WHERE kind = ? AND id = ?", gone)
    db.executemany(
        "INSERT INTO at_tables(kind, id, value) VALUES (?, ?, ?)"
        " ON CONFLICT(kind, id) DO UPDATE SET value = excluded.value",
        [(kind, id_, msgspec.json.encode(one)) for id_, one in changed],
    )
