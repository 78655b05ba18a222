"""Which store an address means: a file, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from controller.archive.kept import Archive, ArchiveError
from controller.archive.sqlite import SqliteSql
from controller.archive.store import SqlArchive
from controller.storage.opening import set_aside

POSTGRES = ("postgresql://", "postgres://")


def is_postgres(store: str) -> bool:
    """Whether a store is a database's address, not a file."""
    return store.startswith(POSTGRES)


def set_store_aside(store: str) -> str:
    """Keep a damaged file under another name, which is returned. Raises ArchiveError."""
    try:
        return str(set_aside(Path(store)))
    except OSError as error:
        raise ArchiveError(f"{store}: {error.strerror}") from None


def identity(store: str) -> object:
    """What is another once the file of a store was put away; None for a database."""
    if is_postgres(store):
        return None
    try:
        found = Path(store).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_archive(store: str | Path, *, read_only: bool = False) -> Archive:
    """The archive in a file, which may be new, or in a database. Raises ArchiveError.

    With `read_only` nothing is made or changed; it may be opened beside whoever adds to it.
    """
    if not isinstance(store, str) or not is_postgres(store):
        path = Path(store)
        if read_only and not path.exists():
            raise ArchiveError(f"{path}: no such file")
        return SqlArchive(SqliteSql(path, read_only=read_only))
    try:
        from controller.archive.postgres import PostgresSql  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise ArchiveError("for PostgreSQL psycopg is missing: install cutcard[postgres]") from None
    return SqlArchive(PostgresSql(store, read_only=read_only))
