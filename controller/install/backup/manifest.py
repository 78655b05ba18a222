"""What is in a backup: a zip archive with `manifest.json`, the files, and perhaps the decks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

import msgspec
from msgspec import Struct

from controller.install.backup.places import place_of

MANIFEST = "manifest.json"
DECKS = "decks.locked"
FILES = "files"
VERSION = 1
_KIND = "cutcard backup"
_MOST_MANIFEST = 4 << 20


class BackupError(Exception):
    """It can't be saved, or brought back; one line says why."""


class Saved(Struct, frozen=True):
    """One file: its path on the machine, its SHA-256, and whose it was. `store` is the version of
    a database, None for other files. Of one that is locked size and sum are not told."""

    path: str
    size: int
    sha256: str
    mode: int
    owner: str
    group: str
    store: int | None = None

    @property
    def at(self) -> PurePosixPath:
        """Where it was."""
        return PurePosixPath(self.path)

    @property
    def member(self) -> str:
        """What it is called in the archive."""
        return f"{FILES}{self.path}"


class Manifest(Struct, frozen=True):
    """`cutcard` is the version that made it, on `host`. `decks` are those in the locked part,
    `without` the paths of those that were left out, and `missing` what else could not be saved,
    each with the reason."""

    cutcard: str
    made_ms: int
    host: str
    files: tuple[Saved, ...]
    decks: tuple[Saved, ...] = ()
    without: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    kind: str = _KIND
    v: int = VERSION

    @property
    def locked(self) -> bool:
        """Whether decks are in it."""
        return bool(self.decks)


class Locked(Struct, frozen=True):
    """The decks: each one's text by its path. Prints redacted."""

    decks: Mapping[str, bytes]

    def __repr__(self) -> str:
        return f"Locked({len(self.decks)} decks)"


def read_manifest(archive: ZipFile, file: Path) -> Manifest:
    """The manifest of a backup, which fits what is in the archive and the places that there are.
    Raises BackupError."""
    try:
        info = archive.getinfo(MANIFEST)
        if info.file_size > _MOST_MANIFEST:
            raise BackupError(f"{file}: this is no backup of cutcard")
        told = msgspec.json.decode(archive.read(info), type=Manifest)
    except (KeyError, BadZipFile, msgspec.MsgspecError):
        raise BackupError(f"{file}: this is no backup of cutcard") from None
    if told.kind != _KIND:
        raise BackupError(f"{file}: this is no backup of cutcard")
    if told.v > VERSION:
        raise BackupError(f"{file}: a newer version of cutcard ({told.cutcard}) has made it")
    for each in (*told.files, *told.decks):
        if place_of(each.at) is None:
            raise BackupError(f"{file}: {each.path[:80]!r} is no file of cutcard's")
    named = [MANIFEST, *(each.member for each in told.files), *([DECKS] if told.locked else [])]
    if sorted(named) != sorted(archive.namelist()):
        raise BackupError(f"{file}: what is in it is not what its manifest says")
    return told
