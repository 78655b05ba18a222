"""Commands of this machine that ask something of its room, which may be running or not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from controller.room import did, record, stored_record
from controller.room.acts import ActError
from controller.room.did import Did
from controller.room.known import Known
from controller.room.record import Record
from controller.room.store import RoomStore, StoreError, StoreHeldError
from controller.storage.database import Database, DatabaseError

ANSWER_S = 10.0
_LOOK_S = 0.05
_NO_ROOM = "{}: no room has been there yet; start it once"


class AskError(Exception):
    """The room can't be asked now; one line says why."""


def read(store: Path) -> Record:
    """What the room of this store remembers. Raises AskError."""
    if not store.exists():
        raise AskError(_NO_ROOM.format(store))
    try:
        database = Database(store, read_only=True)
        try:
            there = stored_record.read(database)
        finally:
            database.close()
    except DatabaseError as error:
        raise AskError(str(error)) from None
    except msgspec.MsgspecError:
        raise AskError(f"{store}: it cannot be read; is it of another version?") from None
    if there.record is None:
        raise AskError(_NO_ROOM.format(store))
    return there.record


def ask(
    store: Path,
    name: str,
    fields: Mapping[str, object],
    *,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Record:
    """Do the act `name`, through the room that runs or in its store, and return what it remembers
    then. Raises ActError with the room's reason, AskError where it does not answer."""
    if not store.exists():
        raise AskError(_NO_ROOM.format(store))
    try:
        own = RoomStore.open(store)
    except StoreHeldError:
        _ask_running(store, name, fields, sleep, clock)
    except StoreError as error:
        raise AskError(str(error)) from None
    else:
        try:
            _do(own, store, name, fields)
        except DatabaseError as error:
            raise AskError(str(error)) from None
        finally:
            own.close()
    return read(store)


def _do(own: RoomStore, store: Path, name: str, fields: Mapping[str, object]) -> None:
    before, beat = own.record, own.beat
    if before is None or beat is None:
        raise AskError(_NO_ROOM.format(store))
    act = record.asked(name, fields)
    asked = Did(beat.room_ms, time.time_ns() // 1_000_000, act.actor, name, did.words(act))
    known = Known(asked.wall_ms)
    own.save(record.after(before, name, act, beat.room_ms, known), asked, beat)


def _ask_running(
    store: Path,
    name: str,
    fields: Mapping[str, object],
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> None:
    try:
        database = Database(store, wait_s=ANSWER_S)
        try:
            answer = _answer(database, name, fields, sleep, clock)
        finally:
            database.close()
    except DatabaseError as error:
        raise AskError(str(error)) from None
    if answer is None:
        raise AskError(f"the room does not answer within {ANSWER_S:g} s; look before you ask again")
    if answer:
        raise ActError(answer)


def _answer(
    database: Database,
    name: str,
    fields: Mapping[str, object],
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> str | None:
    """What the room answers; None where it says nothing in time. What it has not begun with by then
    it does not do."""
    with database.transaction() as db:
        row = db.execute(
            "INSERT INTO asked(name, fields) VALUES (?, ?)", (name, msgspec.json.encode(fields))
        )
        number = row.lastrowid
    until, answer = clock() + ANSWER_S, None
    while answer is None and clock() < until:
        sleep(_LOOK_S)
        ((answer,),) = database.rows("SELECT answer FROM asked WHERE n = ?", number)
    with database.transaction() as db:
        ((answer,),) = db.execute("SELECT answer FROM asked WHERE n = ?", (number,)).fetchall()
        db.execute("DELETE FROM asked WHERE n = ?", (number,))
    return answer if answer is None else str(answer)
