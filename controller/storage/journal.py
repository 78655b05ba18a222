"""What the table has seen, kept so that neither `kill -9` nor a power cut takes it back.

One SQLite file (WAL, synchronous=FULL), one writing thread, short transactions. An observation's
line is committed together with the messages that follow from it, the counters that it moved on
and the command it came from, before any of it leaves the process. Lines are hidden ones
(`controller.storage.pseudonyms`); the keys that hide those of the running hand are a file of their
own, in a folder that a power cut empties (`controller.storage.key_ring`). Beside a line stands what
was observed as it was, in a box for an auditor (`controller.storage.sealed`).

Each line is a link of a hash chain (`controller.storage.chains`); `verify` checks it. A seal
over the last link, the checkpoint and the counters is written with each line. Who opens a journal
checks the seal, and the chain from the checkpoint on: what a restart builds on is whole, or the
file is set aside.
"""

from __future__ import annotations

import hashlib
import math
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, Self

import msgspec
from msgspec import Struct

from controller.contract.messages import Dismissed, Message
from controller.contract.view import FindingView
from controller.storage.chains import NO_LINK, ChainHead, link_after
from controller.storage.database import DamagedError, Database, DatabaseError, UnfitError
from controller.storage.opening import Layout, make_single, open_whole, prepare, refuse_unfit
from controller.storage.outbox_rows import OutboxRows, Stored
from controller.storage.published import SCHEMA as _PUBLISHED
from controller.storage.published import PublishedEvents
from controller.storage.sealed import KEEP_HANDS as KEEP_SEALED
from controller.storage.sealed import SCHEMA as _SEALED
from controller.storage.sealed import Head, SealedRecord, sealed_head

_FIRST_SCHEMA = (
    "CREATE TABLE observations(n INTEGER PRIMARY KEY, hand INTEGER NOT NULL, line BLOB NOT NULL,"
    " link BLOB NOT NULL) STRICT",
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE commands(id TEXT NOT NULL UNIQUE, at REAL NOT NULL) STRICT",
    "CREATE TABLE outbox(key INTEGER PRIMARY KEY, at_s REAL NOT NULL, topic TEXT NOT NULL,"
    " payload BLOB NOT NULL, retain INTEGER NOT NULL, expiry_s INTEGER, response_topic TEXT,"
    " correlation BLOB) STRICT",
    "CREATE INDEX retained ON outbox(topic) WHERE retain",
)
_SEAL = ("CREATE TABLE seal(one INTEGER PRIMARY KEY, seal BLOB NOT NULL) STRICT",)
LAYOUT = Layout((_FIRST_SCHEMA, _PUBLISHED, _SEAL, _SEALED), exact=True)
_CHAIN_NAME = re.compile(rb"[0-9a-f]{16}")
KEEP_ORIGINS = 10_000
"""So many commands and edges of buttons are known again that were told already."""
MOST_AN_HOUR = 60
"""Hands of a table, and findings of it: no more than so many were numbered."""
_PRUNED_AT_ONCE = 1_000
_WAIT_S = 5.0
"""The table and whoever looks at it beside it wait so long for each other."""


class HeldFinding(Struct, frozen=True):
    """A finding of priority 1 that a dealer dismissed and no floorperson has closed yet."""

    finding: FindingView
    dismissed: Dismissed


class Counters(Struct, frozen=True):
    """What goes on across restarts.

    `session` is the number of this opening of the journal, `hands` and `findings` are the last
    ones given, `seq` the last of this session, `t` the latest observation's; `held` is what
    waits for the floor, `open` the hand in play, `sensors` whether the antennas are believed.
    """

    session: int = 0
    hands: int = 0
    findings: int = 0
    seq: int = 0
    t: float = 0.0
    held: tuple[HeldFinding, ...] = ()
    open: int | None = None
    sensors: Literal["on", "off", "waiting"] = "on"


class Entry(Struct, frozen=True, kw_only=True):
    """Lines that were observed, and what follows from them.

    `origin` is what they came from and would be told again by: the id of a command, or the name of
    a button's edge. `box` is what is sealed beside the last of them. A `checkpoint`, which only
    the caller reads, is from where a replay starts: with `lines`, the first of the hand.
    """

    hand: int
    counters: Counters
    lines: tuple[bytes, ...] = ()
    messages: tuple[Message, ...] = ()
    origin: str | None = None
    box: bytes = b""
    checkpoint: bytes | None = None


class _End(Struct, frozen=True):
    """How far a journal has come."""

    n: int
    link: bytes
    begun: bytes
    sealed: Head
    counters: Counters


class Journal:
    """The journal of one table; `Journal.open` makes it.

    One thread at a time may `commit`; `head`, `counters` and `published` may be read beside it.
    `published` has what was told of the hands that are kept. Whatever a call cannot do is undone,
    raises DatabaseError and may be tried again.
    """

    def __init__(
        self,
        database: Database,
        now_s: Callable[[], float],
        keep_hands: int,
        keep_sealed: int = KEEP_SEALED,
    ) -> None:
        self._database = database
        self._now_s = now_s
        self._keep_hands = keep_hands
        db = database.connection
        last = db.execute("SELECT n, link FROM observations ORDER BY n DESC LIMIT 1").fetchone()
        n, link = last or lines_before(db)
        self._outbox = OutboxRows(db)
        self._sealed = SealedRecord(keep_sealed)
        before = _counters(db)
        counters = msgspec.structs.replace(before, session=before.session + 1, seq=0)
        self._end = _End(n, link, _begun(db), sealed_head(db), counters)
        with database.transaction() as db:
            kept = msgspec.json.encode(counters)
            _set_meta(db, "counters", kept)
            _set_seal(db, _seal(link, self._end.begun, kept))
            self._chain = _chain_name(db)
        self.published = PublishedEvents(database.path)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        report: Callable[[str], None],
        keep_hands: int = 500,
        keep_sealed: int = KEEP_SEALED,
        now_s: Callable[[], float] = time.time,
    ) -> Self:
        """Open or begin the journal and count a new session.

        A damaged file, be it by one bit of what a restart builds on, is moved aside to
        `…bad-<time>` and reported; the new one takes over its counters where they can still be
        read. `keep_hands` hands are kept, and of what is sealed `keep_sealed`. `now_s` is the MQTT
        client's clock. Raises DatabaseError when there can be no journal here, or it is a newer
        version's.
        """
        number = int(now_s())
        database, aside = open_whole(
            path, LAYOUT, _whole, number=number, any_thread=True, wait_s=_WAIT_S
        )
        try:
            if aside is not None:
                report(f"the journal was damaged; it is now {aside}")
                _take_over(database, aside)
            with database.faults():
                return cls(database, now_s, keep_hands, keep_sealed)
        except BaseException:
            database.close()
            raise

    def commit(self, entries: Sequence[Entry], sent: Sequence[int] = ()) -> list[Stored]:
        """Write all of them, in their order, or none, and forget the rows of messages that were
        `sent`. Returns once that is on the disk: the messages of the entries that wait now."""
        at_s, end = self._now_s(), self._end
        stored: list[Stored] = []
        with self._database.transaction() as db:
            self._outbox.delete(db, sent)
            for entry in entries:
                end = self._write(db, end, entry, at_s)
                stored += self._outbox.store(db, entry.messages, at_s)
            kept = msgspec.json.encode(end.counters)
            if end.counters != self.counters:
                _set_meta(db, "counters", kept)
            _set_seal(db, _seal(end.link, end.begun, kept))
        self._end = end
        return stored

    def forget(self, sent: Sequence[int]) -> None:
        """Forget the rows of messages that were sent; after a power cut they may be back."""
        with self._database.transaction(synced=False) as db:
            self._outbox.delete(db, sent)

    def waiting(self) -> list[Stored]:
        """The messages that are not sent yet, in their order."""
        with self._database.faults():
            return self._outbox.read(self._database.connection)

    def since_checkpoint(self) -> tuple[bytes | None, list[bytes]]:
        """The last checkpoint, if any, and the lines after it, oldest first."""
        database = self._database
        with database.faults():
            checkpoint = _meta_bytes(database.connection, "checkpoint")
            first = _meta_number(database.connection, "checkpoint_n")
        rows = database.rows("SELECT line FROM observations WHERE n > ? ORDER BY n", first)
        return checkpoint, [line for (line,) in rows]

    @property
    def counters(self) -> Counters:
        """The latest that were committed."""
        return self._end.counters

    @property
    def head(self) -> ChainHead:
        """How far it has come, of what was committed."""
        end = self._end
        over = end.counters.hands - (end.counters.open is not None)
        return ChainHead(self._chain, over, end.n, end.link, *end.sealed)

    def origins(self) -> list[str]:
        """Of what was taken in, the last `KEEP_ORIGINS`, oldest first."""
        return [id_ for (id_,) in self._database.rows("SELECT id FROM commands ORDER BY rowid")]

    def close(self) -> None:
        """Close the file. What was committed is safe without it."""
        self.published.close()
        self._database.close()

    def _write(self, db: sqlite3.Connection, end: _End, entry: Entry, at_s: float) -> _End:
        n, link, begun, hand = end.n, end.link, end.begun, entry.hand
        if entry.checkpoint is not None:
            begun = _digest(entry.checkpoint, n)
            _set_meta(db, "checkpoint", entry.checkpoint)
            _set_meta(db, "checkpoint_n", n)
        for line in entry.lines:
            n, link = n + 1, link_after(link, n + 1, hand, line)
            db.execute("INSERT INTO observations VALUES (?, ?, ?, ?)", (n, hand, line, link))
        if entry.origin is not None:
            db.execute("INSERT OR IGNORE INTO commands VALUES (?, ?)", (entry.origin, at_s))
        sealed = self._sealed.store(db, end.sealed, entry.box, n, hand)
        self.published.store(db, entry.messages, hand)
        if entry.checkpoint is not None:
            self._prune(db, hand, end.n, end.sealed[0])
        return _End(n, link, begun, sealed, entry.counters)

    def _prune(self, db: sqlite3.Connection, hand: int, n: int, box: int) -> None:
        """A bounded piece at a time, from the front, of what was there before line `n` and before
        this box; SQLite uses the room again."""
        kept = db.execute(
            "SELECT n FROM observations WHERE hand > ? ORDER BY n LIMIT 1",
            (hand - self._keep_hands,),
        ).fetchone()
        last = db.execute(
            "SELECT n, link FROM (SELECT n, link FROM observations WHERE n < ? ORDER BY n LIMIT ?)"
            " ORDER BY n DESC LIMIT 1",
            (min(kept[0] if kept else n + 1, n + 1), _PRUNED_AT_ONCE),
        ).fetchone()
        if last is not None:
            db.execute("DELETE FROM observations WHERE n <= ?", (last[0],))
            _set_meta(db, "pruned_n", last[0])
            _set_meta(db, "pruned_link", last[1])
        self.published.prune(db, hand - self._keep_hands)
        self._sealed.prune(db, hand, box)
        db.execute(
            "DELETE FROM commands WHERE rowid <= (SELECT max(rowid) FROM commands) - ?",
            (KEEP_ORIGINS,),
        )


def verify(path: Path) -> int | None:
    """Check the chain of a journal's lines; None when it holds, else the first row that is bad.

    It may run beside the table. Raises DatabaseError when the file cannot be read as a journal
    at all.
    """
    n = None
    with closing(Database(path, read_only=True, wait_s=_WAIT_S)) as database:
        if not refuse_unfit(database, LAYOUT):
            raise UnfitError(path, "there is nothing in it")
        db = database.connection
        db.text_factory = lambda _text: None  # there is none, but in a damaged row
        try:
            with database.faults():
                db.execute("BEGIN")  # the anchor and the lines of one moment
                n, link = lines_before(db)
                rows = db.execute("SELECT n, hand, line, link FROM observations ORDER BY n")
                for number, hand, line, stored in rows:
                    whole = number == n + 1 and isinstance(hand, int) and isinstance(line, bytes)
                    if not whole or link_after(link, number, hand, line) != stored:
                        return n + 1
                    n, link = number, stored
        except DamagedError:
            if n is None:
                raise
            return n + 1
    return None


def open_hand(path: Path) -> int | None:
    """The number of the hand that a journal leaves open; None between hands or without a journal.

    It may run beside the table and changes nothing. Raises DatabaseError when that can't be read.
    """
    try:
        if not path.exists():
            return None
    except OSError as error:
        raise DatabaseError(f"{path}: {error.strerror}") from None
    with closing(Database(path, read_only=True, wait_s=_WAIT_S)) as database:
        try:
            with database.faults():
                return _counters(database.connection).open
        except msgspec.MsgspecError:
            raise DamagedError(path) from None


def bring_back(path: Path, since_h: float) -> Counters:
    """A journal that was saved so many hours ago goes on, under another name, and knows nothing of
    the table as it is now: the hand in play is over, and hands and findings that were numbered
    since then are not numbered once more. Returns its counters. Raises DatabaseError."""
    with closing(Database(path, wait_s=_WAIT_S)) as database:
        prepare(database, LAYOUT)
        db = database.connection
        with database.faults():
            before = _counters(db)
            _whole(database)
            last = db.execute("SELECT n, link FROM observations ORDER BY n DESC LIMIT 1").fetchone()
            n, link = last or lines_before(db)
        most = math.ceil(max(since_h, 0.0) * MOST_AN_HOUR)
        counters = msgspec.structs.replace(
            before,
            open=None,
            held=(),
            hands=_beyond(before.hands + most),
            findings=_beyond(before.findings + most),
        )
        kept = msgspec.json.encode(counters)
        with database.transaction() as db:
            db.execute("DELETE FROM meta WHERE key IN ('chain', 'checkpoint')")
            _set_meta(db, "checkpoint_n", n)
            _set_meta(db, "counters", kept)
            _set_seal(db, _seal(link, _begun(db), kept))
        make_single(database)
    return counters


def _beyond(number: int) -> int:
    """The next round number, so that whoever sees it knows that some were left out."""
    return (number // 1_000 + 1) * 1_000


def lines_before(db: sqlite3.Connection) -> tuple[int, bytes]:
    """Number and link of the last line that was pruned."""
    return _meta_number(db, "pruned_n"), _meta_bytes(db, "pruned_link") or NO_LINK


def _whole(database: Database) -> Database:
    """Raises DamagedError or msgspec's errors where what a restart builds on is not as it was
    written. A journal of an older version has no seal yet."""
    db = database.connection
    _counters(db)
    counters = _meta_bytes(db, "counters") or b""
    link = _link_from_checkpoint(db)
    sealed = db.execute("SELECT seal FROM seal WHERE one = 1").fetchone()
    if link is None or (sealed and sealed[0] != _seal(link, _begun(db), counters)):
        raise DamagedError(database.path)
    return database


def _link_from_checkpoint(db: sqlite3.Connection) -> bytes | None:
    """The last link of the chain from the checkpoint on; None where it does not hold."""
    n, link = lines_before(db)
    first = _meta_number(db, "checkpoint_n")
    if first > n:
        found = db.execute("SELECT link FROM observations WHERE n = ?", (first,)).fetchone()
        if found is None:
            return None
        n, link = first, found[0]
    rows = db.execute("SELECT n, hand, line, link FROM observations WHERE n > ? ORDER BY n", (n,))
    for number, hand, line, stored in rows:
        is_line = number == n + 1 and isinstance(hand, int) and isinstance(line, bytes)
        if not is_line or link_after(link, number, hand, line) != stored:
            return None
        n, link = number, stored
    return bytes(link)


def _chain_name(db: sqlite3.Connection) -> str:
    """What this file's chain is called: it is given its name when it has none."""
    name = _meta_bytes(db, "chain") or b""
    if not _CHAIN_NAME.fullmatch(name):
        name = secrets.token_hex(8).encode()
        _set_meta(db, "chain", name)
    return name.decode()


def _begun(db: sqlite3.Connection) -> bytes:
    """From where a replay starts, in brief."""
    return _digest(_meta_bytes(db, "checkpoint") or b"", _meta_number(db, "checkpoint_n"))


def _digest(checkpoint: bytes, first: int) -> bytes:
    return hashlib.blake2b(f"{first} ".encode() + checkpoint, digest_size=32).digest()


def _seal(link: bytes, begun: bytes, counters: bytes) -> bytes:
    return hashlib.blake2b(link + begun + counters, digest_size=32).digest()


def _set_seal(db: sqlite3.Connection, seal: bytes) -> None:
    db.execute("INSERT OR REPLACE INTO seal VALUES (1, ?)", (seal,))


def _take_over(database: Database, damaged: Path) -> None:
    """The counters of a damaged file go on, as far as they can be read."""
    try:
        with closing(Database(damaged)) as before, before.faults():
            counters = _counters(before.connection)
    except (DatabaseError, msgspec.MsgspecError):
        return
    with database.transaction() as db:
        _set_meta(db, "counters", msgspec.json.encode(counters))


def _counters(db: sqlite3.Connection) -> Counters:
    return msgspec.json.decode(_meta_bytes(db, "counters") or b"{}", type=Counters)


def _meta_bytes(db: sqlite3.Connection, key: str) -> bytes | None:
    found = db.execute("SELECT CAST(value AS BLOB) FROM meta WHERE key = ?", (key,)).fetchone()
    return None if found is None else bytes(found[0])


def _meta_number(db: sqlite3.Connection, key: str) -> int:
    found = db.execute("SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?", (key,)).fetchone()
    return 0 if found is None else int(found[0])


def _set_meta(db: sqlite3.Connection, key: str, value: bytes | int) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
