"""Opening a database of ours: checked, brought up to date, and set aside where it is damaged."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from controller.files.whole_file import sync
from controller.storage.database import DamagedError, Database, DatabaseError, UnfitError

T = TypeVar("T")


class Layout(Struct, frozen=True):
    """What is in a database.

    `steps[n]` makes one of version `n` one of version `n + 1`; a new one has version 0. What is
    of a later version is refused with `newer`, what is not ours with `foreign`. With `exact` one
    whose tables are not those of its version is damaged. With `folders_owner` a file that root
    opens is given to whose folder it is: a command may come before its service.
    """

    steps: tuple[tuple[str, ...], ...]
    newer: str = "it was written by a newer version of cutcard"
    foreign: str = "it is another program's"
    exact: bool = False
    folders_owner: bool = False


def open_whole(
    path: Path,
    layout: Layout,
    read: Callable[[Database], T],
    *,
    number: int = 1,
    any_thread: bool = False,
    wait_s: float = 1.0,
) -> tuple[T, Path | None]:
    """What `read` makes of a file, which may be new, and where a damaged one was put.

    `read` may raise msgspec's errors: what it can't read is damaged too. The damaged one is set
    aside under the first free number from `number` on. Raises DatabaseError.
    """
    try:
        return _opened(path, layout, read, any_thread, wait_s), None
    except DamagedError:
        aside = _aside(path, number)
    try:
        return _opened(path, layout, read, any_thread, wait_s), aside
    except DatabaseError as error:
        said = f"{error} again" if isinstance(error, DamagedError) else f"{error}"
        raise DatabaseError(f"{said}; what was there before is now {aside}") from None


def prepare(database: Database, layout: Layout) -> None:
    """Check what has been opened and bring it up to date; from now on each transaction is synced.
    Raises DatabaseError."""
    refuse_unfit(database, layout)  # before anything of it is changed
    make_durable(database)
    check(database)
    newest = len(layout.steps)
    if user_version(database) < newest:
        with database.transaction() as db:
            version = _version(database, layout)  # another process may have been faster
            for statement in chain.from_iterable(layout.steps[version:]):
                db.execute(statement)
            db.execute(f"PRAGMA user_version={newest}")
    _version(database, layout)


def make_durable(database: Database) -> None:
    """What is committed from now on outlives a power cut. Raises DatabaseError."""
    database.rows("PRAGMA journal_mode=WAL")
    database.rows("PRAGMA synchronous=FULL")


def make_single(database: Database) -> None:
    """All of it is in the one file from now on, until it is opened again. Raises DatabaseError."""
    database.rows("PRAGMA journal_mode=DELETE")


def check(database: Database) -> None:
    """Raises DamagedError where the file's pages don't fit together."""
    if database.rows("PRAGMA quick_check(1)") != [("ok",)]:
        raise DamagedError(database.path)


def set_aside(path: Path, number: int = 1) -> Path:
    """Keep a damaged file under another name, together with what belongs to it: the first free
    one of `…bad-<number>` and those that follow. Raises OSError."""
    while (aside := path.with_name(f"{path.name}.bad-{number}")).exists():
        number += 1
    path.rename(aside)
    for mine, its in zip(_beside(path), _beside(aside), strict=True):
        with suppress(FileNotFoundError):
            mine.rename(its)
    return aside


def user_version(database: Database) -> int:
    """Which version a file says that it is. Raises DatabaseError."""
    return int(database.rows("PRAGMA user_version")[0][0])


def _opened(
    path: Path, layout: Layout, read: Callable[[Database], T], any_thread: bool, wait_s: float
) -> T:
    try:
        _make_private(path, folders_owner=layout.folders_owner)
    except OSError as error:
        raise DatabaseError(f"{path}: {error.strerror}") from None
    database = Database(path, any_thread=any_thread, wait_s=wait_s)
    try:
        prepare(database, layout)
        with database.faults():
            return read(database)
    except msgspec.MsgspecError:
        database.close()
        raise DamagedError(path) from None
    except BaseException:
        database.close()
        raise


def _make_private(path: Path, *, folders_owner: bool) -> None:
    """It is there and nobody else may read it; SQLite gives `-wal` and `-shm` its rights."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for each in (path, *_beside(path)):
        if each.exists():
            each.chmod(0o600)
    if folders_owner and os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)
    sync(path.parent)


def refuse_unfit(database: Database, layout: Layout) -> int:
    """The version of what is there. Raises UnfitError where it is not ours, or newer than we are,
    and DatabaseError."""
    version = user_version(database)
    if version == 0 and database.rows("SELECT 1 FROM sqlite_master WHERE sql IS NOT NULL LIMIT 1"):
        raise UnfitError(database.path, layout.foreign)
    if not 0 <= version <= len(layout.steps):
        raise UnfitError(database.path, layout.newer, is_newer=True)
    return version


def _version(database: Database, layout: Layout) -> int:
    """The version of what is there, if it is whole and one of ours. Raises DatabaseError."""
    version = refuse_unfit(database, layout)
    if layout.exact:
        made = database.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        # A VACUUM puts indexes after all tables.
        if sorted(sql for (sql,) in made) != sorted(chain.from_iterable(layout.steps[:version])):
            raise DamagedError(database.path)
    return version


def _aside(path: Path, number: int) -> Path:
    try:
        return set_aside(path, number)
    except OSError as error:
        raise DatabaseError(f"{path}: {error.strerror}") from None


def _beside(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
