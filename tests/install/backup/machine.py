"""A machine with a table and a room that have been at work, below a folder."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.archive.opening import open_archive
from controller.people.pins import hashed
from controller.people.staff import Person
from controller.people.staff_store import StaffStore
from controller.storage.journal import Entry, Journal
from tests.archive.nights import a_hand, told
from tests.table.felt import write_table
from tests.waiting import PATIENCE_S

OLDER = Path(__file__).parents[2] / "storage" / "older"
PASSPHRASE = "nine of one suit"  # noqa: S105 - of nothing


def a_machine(root: Path) -> Path:
    """Settings, passwords, a deck, a journal of two hands, a room with its people, an event and a
    history, and what is of no use elsewhere."""
    settings, credentials = root / "etc/cutcard", root / "etc/credstore"
    table, room = root / "var/lib/cutcard", root / "var/lib/cutcard-room"
    for folder in (settings / "books", credentials, table, room / "room.sqlite.events"):
        folder.mkdir(parents=True)
    for folder in (credentials, table, room):
        folder.chmod(0o700)
    write_table(table, "roberts")
    (table / "table.toml").rename(settings / "table.toml")
    (table / "deck.toml").rename(credentials / "cutcard.deck")
    (settings / "books/house.toml").write_text("# ours\n")
    (settings / "room.env").write_text("ROOM_OPTIONS=--site main\n")
    put(credentials / "cutcard.mqtt-password", "hunter2\n")
    put(credentials / "other.secret", "not ours\n")
    put(table / "floor-guesses.json", "{}")
    (room / "https").mkdir(mode=0o711)
    put(room / "https/room.key", "a key\n")
    put(room / "room.sqlite.beat", "now")
    put(table / "journal.sqlite.bad-17", "damaged")
    laid("journal-4", table / "journal.sqlite")
    laid("room-4", room / "room.sqlite")
    laid("room-4", room / "room.sqlite.events/side.sqlite")
    with closing(StaffStore.open(room / "people.sqlite")) as people:
        people.add(Person("Ada", "admin", hashed("4711")))
    with closing(open_archive(room / "history.sqlite")) as history:
        history.add(told([a_hand(1), a_hand(2, finding=1)]))
    return root


def put(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o600)


def laid(name: str, file: Path) -> None:
    (older,) = OLDER.glob(f"{name}-*")
    file.write_bytes(gzip.decompress(older.read_bytes()))
    file.chmod(0o600)


def a_journal(root: Path) -> Journal:
    """The table's, open."""
    file = root / "var/lib/cutcard/journal.sqlite"
    return Journal.open(file, report=silent)


def silent(line: str) -> None:
    raise AssertionError(line)


def observed(journal: Journal, line: bytes) -> None:
    """One more line, on the disk."""
    journal.commit([Entry(hand=2, counters=journal.counters, lines=(line,))])


@contextmanager
def service(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "controller", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE_S)
