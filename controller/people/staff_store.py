"""The people of a room on the disk: who they are, who is signed in, and who did what.

One SQLite file (WAL, synchronous=FULL), its owner's alone. The room and `cutcard staff` have it
open at the same time: nothing of it is remembered elsewhere, so that whoever is removed is out at
the next look. Of a session the disk has what its cookie can't be made from.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Self, cast

import msgspec
from msgspec import Struct

from controller.contract.observations import nearest
from controller.people.staff import MOST_PEOPLE, Guesses, Holds, Kept, Person, Role, Session
from controller.storage.database import Database, DatabaseError, Row
from controller.storage.opening import Layout, open_whole, prepare

KEEP_AUDIT_S = 180 * 24 * 3600.0
MOST_AUDIT = 200_000
USED_EVERY_S = 60.0
"""How exactly the last use of a session is kept."""
MOST_SESSIONS = 2_000
_CUT = 200
_CUT_ABOUT = 2_000
"""Of what an act carried, so that a blind structure is kept whole."""
_SWEEP = 64
_SCHEMA = (
    "CREATE TABLE person(name TEXT PRIMARY KEY, role TEXT NOT NULL, kept TEXT NOT NULL,"
    " tables TEXT NOT NULL) STRICT",
    "CREATE TABLE session(id TEXT PRIMARY KEY, person TEXT NOT NULL"
    " REFERENCES person(name) ON DELETE CASCADE, since REAL NOT NULL, used REAL NOT NULL,"
    " address TEXT NOT NULL) STRICT",
    "CREATE INDEX session_person ON session(person)",
    "CREATE TABLE audit(n INTEGER PRIMARY KEY, at REAL NOT NULL, person TEXT NOT NULL,"
    " role TEXT NOT NULL, address TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,"
    " result TEXT NOT NULL) STRICT",
    "CREATE TABLE secret(one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL) STRICT",
)
_GUESSES = (
    "CREATE TABLE guesses(kind TEXT NOT NULL, who TEXT NOT NULL, wrong INTEGER NOT NULL,"
    " until REAL NOT NULL, at REAL NOT NULL, PRIMARY KEY(kind, who)) STRICT",
)
LAYOUT = Layout((_SCHEMA, _GUESSES), folders_owner=True)


Guesser = Literal["name", "address"]
"""By whom wrong PINs and codes are counted."""


class StaffError(Exception):
    """The people can't be read or written, or it can't be so; one line says why."""


class Done(Struct, frozen=True):
    """One line of who did what. `at` is the wall clock's, in seconds; `result` is `ok` or why not;
    `role` and `person` are empty for strangers."""

    at: float
    person: str
    role: str
    address: str
    what: str
    about: str
    result: str


class SignedIn(Struct, frozen=True):
    """A session as an admin sees it; `id` is what ends it, and signs nobody in."""

    id: str
    person: str
    since: float
    used: float
    address: str


class StaffStore:
    """The people of one room; `StaffStore.open` makes it. `damaged` says where a damaged file was
    put. Its methods raise StaffError where the file can't be read or written."""

    def __init__(self, database: Database, *, keep_audit_s: float = KEEP_AUDIT_S) -> None:
        self._database = database
        self._keep_audit_s = keep_audit_s
        self.damaged = ""
        database.rows("PRAGMA foreign_keys=ON")
        self.key = _key(database)
        """What signs this room's cookies."""

    @classmethod
    def open(cls, path: Path | None, *, keep_audit_s: float = KEEP_AUDIT_S) -> Self:
        """Open or begin the file; None keeps all of it in memory. A damaged one is renamed to
        `…bad-<n>` first. Raises StaffError."""
        try:
            if path is None:
                database = Database(Path(":memory:"))
                prepare(database, LAYOUT)
                return cls(database, keep_audit_s=keep_audit_s)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            store, aside = open_whole(
                path, LAYOUT, lambda database: cls(database, keep_audit_s=keep_audit_s)
            )
        except DatabaseError as error:
            raise StaffError(str(error)) from None
        except OSError as error:
            raise StaffError(f"{path}: {error.strerror}") from None
        store.damaged = "" if aside is None else str(aside)
        return store

    def close(self) -> None:
        """Done with it."""
        self._database.close()

    # --- people ---

    def people(self) -> tuple[Person, ...]:
        """All of them, by name."""
        rows = self._rows("SELECT name, role, kept, tables FROM person ORDER BY name")
        return tuple(_person(row) for row in rows)

    def person(self, name: str) -> Person | None:
        """The one of that name."""
        rows = self._rows("SELECT name, role, kept, tables FROM person WHERE name = ?", name)
        return _person(rows[0]) if rows else None

    def known(self, name: str) -> Person:
        """The one of that name; raises StaffError with the nearest where there is none."""
        found = self.person(name)
        if found is None:
            hint = nearest(name[:40], [each.name for each in self.people()])
            raise StaffError(f"there is no {name[:40]!r}{hint}")
        return found

    def has_admin(self) -> bool:
        """Whether anybody may say who the people are."""
        return bool(self._rows("SELECT 1 FROM person WHERE role = 'admin' LIMIT 1"))

    def add(self, person: Person, *, first_admin: bool = False) -> None:
        """Somebody new. With `first_admin` only where there is no admin yet."""
        with self._writing() as db:
            if first_admin and db.execute("SELECT 1 FROM person WHERE role = 'admin'").fetchone():
                raise StaffError("there is already an admin")
            if db.execute("SELECT 1 FROM person WHERE name = ?", (person.name,)).fetchone():
                raise StaffError(f"there is already a {person.name!r}")
            if db.execute("SELECT count(*) FROM person").fetchone()[0] >= MOST_PEOPLE:
                raise StaffError(f"there are already {MOST_PEOPLE} people")
            row = (person.name, person.role, person.kept, ",".join(person.tables))
            db.execute("INSERT INTO person(name, role, kept, tables) VALUES (?, ?, ?, ?)", row)

    def remove(self, name: str) -> None:
        """Somebody is here no more; their sessions end. The last admin stays."""
        with self._writing() as db:
            self._keep_an_admin(db, name)
            db.execute("DELETE FROM person WHERE name = ?", (name,))

    def set_role(self, name: str, role: Role) -> None:
        """Another role; their sessions end. The last admin stays one."""
        with self._writing() as db:
            if role != "admin":
                self._keep_an_admin(db, name)
            db.execute("UPDATE person SET role = ? WHERE name = ?", (role, name))
            db.execute("DELETE FROM session WHERE person = ?", (name,))

    def set_pin(self, name: str, kept: str) -> None:
        """Another PIN, as its hash; their sessions end."""
        with self._writing() as db:
            db.execute("UPDATE person SET kept = ? WHERE name = ?", (kept, name))
            db.execute("DELETE FROM session WHERE person = ?", (name,))

    def set_tables(self, name: str, tables: tuple[str, ...]) -> None:
        """Another section."""
        with self._writing() as db:
            db.execute("UPDATE person SET tables = ? WHERE name = ?", (",".join(tables), name))

    def _keep_an_admin(self, db: sqlite3.Connection, name: str) -> None:
        row = db.execute("SELECT role FROM person WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise StaffError(f"there is no {name[:40]!r}")
        if row[0] == "admin":
            others = "SELECT 1 FROM person WHERE role = 'admin' AND name != ? LIMIT 1"
            if db.execute(others, (name,)).fetchone() is None:
                raise StaffError(f"{name} is the only admin; make another admin first")

    # --- sessions ---

    def sign_in(self, person: str, address: str, now: float) -> str:
        """Somebody is signed in; returns what their cookie is to hold, which is kept nowhere."""
        token = secrets.token_urlsafe(32)
        with self._writing() as db:
            if db.execute("SELECT 1 FROM person WHERE name = ?", (person,)).fetchone() is None:
                raise StaffError(f"there is no {person[:40]!r}")
            row = (digest(token), person, now, now, address)
            db.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", row)
            db.execute(
                "DELETE FROM session WHERE id NOT IN"
                " (SELECT id FROM session ORDER BY used DESC LIMIT ?)",
                (MOST_SESSIONS,),
            )
        return token

    def session(self, token: str, holds: Holds, now: float) -> tuple[Session, Person] | None:
        """Who is signed in with what a cookie holds, at this moment."""
        rows = self._rows(
            "SELECT id, since, used, name, role, kept, tables FROM session"
            " JOIN person ON name = person WHERE id = ?",
            digest(token),
        )
        if not rows:
            return None
        id_, since, used, *rest = rows[0]
        person = _person(tuple(rest))
        session = Session(str(id_), person.name, cast(float, since), cast(float, used))
        return None if holds.over(session, now) else (session, person)

    def used(self, session: Session, now: float) -> None:
        """A session was used; written once a minute."""
        if abs(now - session.used) >= USED_EVERY_S:
            with self._writing(synced=False) as db:
                db.execute("UPDATE session SET used = ? WHERE id = ?", (now, session.id))

    def sign_out(self, id_: str) -> bool:
        """A session ends; tells whether there was one."""
        with self._writing() as db:
            return db.execute("DELETE FROM session WHERE id = ?", (id_,)).rowcount > 0

    def sign_out_all(self, person: str) -> int:
        """All sessions of somebody end; returns how many."""
        with self._writing() as db:
            return db.execute("DELETE FROM session WHERE person = ?", (person,)).rowcount

    def sessions(self, holds: Holds, now: float) -> tuple[SignedIn, ...]:
        """Who is signed in, the last used first."""
        rows = self._rows("SELECT id, person, since, used, address FROM session ORDER BY used DESC")
        found = [msgspec.convert(row, tuple[str, str, float, float, str]) for row in rows]
        return tuple(SignedIn(*row) for row in found if not holds.over(Session(*row[:4]), now))

    # --- who did what ---

    def did(self, done: Done, *, synced: bool = True) -> None:
        """Keep a line; what is too old or too much goes."""
        cut = tuple(
            each[: _CUT_ABOUT if name == "about" else _CUT] if isinstance(each, str) else each
            for name, each in msgspec.structs.asdict(done).items()
        )
        with self._writing(synced=synced) as db:
            cursor = db.execute(
                "INSERT INTO audit(at, person, role, address, what, about, result)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                cut,
            )
            last = cursor.lastrowid or 0
            if last % _SWEEP == 0:
                db.execute("DELETE FROM audit WHERE n <= ?", (last - MOST_AUDIT,))
                db.execute("DELETE FROM audit WHERE at < ?", (done.at - self._keep_audit_s,))

    def audit(self, most: int = 200, person: str | None = None) -> tuple[Done, ...]:
        """The last of them, the newest first."""
        where = "" if person is None else " WHERE person = ?"
        given = () if person is None else (person,)
        rows = self._rows(
            "SELECT at, person, role, address, what, about, result FROM audit"  # noqa: S608
            f"{where} ORDER BY n DESC LIMIT {int(most)}",
            *given,
        )
        return tuple(msgspec.convert(row, Done, strict=False) for row in map(_named, rows))

    # --- who guesses ---

    def guesses(self, kind: Guesser) -> tuple[Kept, ...]:
        """Whose wrong tries were kept, the oldest first."""
        rows = self._rows(
            "SELECT who, wrong, until, at FROM guesses WHERE kind = ? ORDER BY at", kind
        )
        return tuple(Kept(*msgspec.convert(row, tuple[str, int, float, float])) for row in rows)

    def keep_guesses(self, kind: Guesser, who: str, guesses: Guesses | None, at: float) -> None:
        """Keep somebody's wrong tries; None forgets them. `at` is the wall clock's."""
        with self._writing() as db:
            if guesses is None:
                db.execute("DELETE FROM guesses WHERE kind = ? AND who = ?", (kind, who))
            else:
                row = (kind, who, guesses.wrong, guesses.until, at)
                db.execute("INSERT OR REPLACE INTO guesses VALUES (?, ?, ?, ?, ?)", row)

    def _rows(self, statement: str, *given: object) -> list[Row]:
        try:
            return self._database.rows(statement, *given)
        except DatabaseError as error:
            raise StaffError(str(error)) from None

    @contextmanager
    def _writing(self, *, synced: bool = True) -> Iterator[sqlite3.Connection]:
        try:
            with self._database.transaction(synced=synced) as db:
                yield db
        except DatabaseError as error:
            raise StaffError(str(error)) from None


def digest(token: str) -> str:
    """What is kept of a secret that is too long to be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()


def staff_file(store: Path) -> Path:
    """Where the people of a room are, beside its store."""
    return store.with_name("people.sqlite")


def _key(database: Database) -> bytes:
    """The secret, which is made where there is none yet."""
    if not database.rows("SELECT key FROM secret"):
        with database.transaction() as db:
            fresh = secrets.token_bytes(32)
            db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", (fresh,))
    return bytes(database.rows("SELECT key FROM secret")[0][0])


def _person(row: tuple[object, ...]) -> Person:
    name, role, kept, tables = cast(tuple[str, Role, str, str], row)
    return Person(name, role, kept, tuple(filter(None, tables.split(","))))


def _named(row: tuple[object, ...]) -> dict[str, object]:
    return dict(zip(Done.__struct_fields__, row, strict=True))
