"""The record on the disk. Its players and draws have rows of their own, as most of them stay what
they are when one changes: a change of one player writes that player, and not two thousand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.room.record import Record
from controller.room.register import Drawn, Player
from controller.room.room_time import Beat
from controller.storage.database import Database

SCHEMA = (
    "CREATE TABLE player(id TEXT PRIMARY KEY, number INTEGER NOT NULL, value BLOB NOT NULL) STRICT",
    "CREATE TABLE draw(n INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT",
)


class OnDisk(Struct, frozen=True):
    """What is there: the record, and beside it its players by their ids and its draws by their
    numbers, which are in the order of the draws."""

    record: Record | None = None
    players: Mapping[str, Player] = {}
    draws: Mapping[int, Drawn] = {}


def read(database: Database) -> OnDisk:
    """What is there, at one moment. Raises DatabaseError, and msgspec's errors for what can't be
    read."""
    db = database.connection
    with database.faults():
        db.execute("BEGIN")
        try:
            row = db.execute("SELECT value FROM record").fetchone()
            players = db.execute("SELECT value FROM player ORDER BY number").fetchall()
            draws = db.execute("SELECT n, value FROM draw ORDER BY n").fetchall()
        finally:
            db.execute("ROLLBACK")
    if row is None:
        return OnDisk()
    record = msgspec.json.decode(row[0], type=Record)
    by_id = {each.id: each for each in _decoded(players)}
    numbered = {n: msgspec.json.decode(value, type=Drawn) for n, value in draws}
    if by_id or numbered:  # a record of before they had rows has its own
        there = {"players": tuple(by_id.values()), "draws": tuple(numbered.values())}
        record = replace(record, register=replace(record.register, **there))
    return OnDisk(record, by_id, numbered)


def _decoded(rows: Iterable[tuple[bytes]]) -> Iterable[Player]:
    return (msgspec.json.decode(value, type=Player) for (value,) in rows)


def write(database: Database, there: OnDisk, record: Record, beat: Beat) -> OnDisk:
    """In a transaction, write what is different from what is `there`; returns what is there once
    that is kept."""
    db, register = database.connection, record.register
    rest = replace(record, register=replace(register, players=(), draws=()))
    db.execute(
        "INSERT INTO record(one, value, beat) VALUES (1, ?, ?)"
        " ON CONFLICT(one) DO UPDATE SET value = excluded.value, beat = excluded.beat",
        (msgspec.json.encode(rest), msgspec.json.encode(beat)),
    )
    gone = there.players.keys() - register.by_id.keys()
    db.executemany("DELETE FROM player WHERE id = ?", [(each,) for each in gone])
    changed = [each for each in register.players if there.players.get(each.id) is not each]
    db.executemany(
        "INSERT INTO player(id, number, value) VALUES (?, ?, ?)"
        " ON CONFLICT(id) DO UPDATE SET number = excluded.number, value = excluded.value",
        [(each.id, each.number, msgspec.json.encode(each)) for each in changed],
    )
    return OnDisk(record, register.by_id, _write_draws(database, there.draws, register.draws))


def _write_draws(
    database: Database, there: Mapping[int, Drawn], draws: Iterable[Drawn]
) -> Mapping[int, Drawn]:
    db, now = database.connection, {id(each) for each in draws}
    kept = {n: one for n, one in there.items() if id(one) in now}
    db.executemany("DELETE FROM draw WHERE n = ?", [(n,) for n in there.keys() - kept.keys()])
    has = {id(one) for one in kept.values()}
    last = max(there, default=0)
    new = dict(enumerate((each for each in draws if id(each) not in has), last + 1))
    rows = [(n, msgspec.json.encode(each)) for n, each in new.items()]
    db.executemany("INSERT INTO draw(n, value) VALUES (?, ?)", rows)
    return {**kept, **new}
