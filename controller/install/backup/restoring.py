"""Brings back what a backup has: known files alone, to where they belong, with their owners.

All of it is read and judged before anything on the machine is changed; what is there is moved
aside. Folders that are there stay as they are.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

import msgspec
from msgspec import Struct

from controller.archive.kept import ArchiveError
from controller.archive.opening import open_archive
from controller.install.backup.manifest import (
    DECKS,
    BackupError,
    Locked,
    Manifest,
    Saved,
    read_manifest,
)
from controller.install.backup.places import ROOM_STATE, TABLE_STATE, Place, place_of, under
from controller.people import staff_store
from controller.room import store as room_store
from controller.storage import journal
from controller.storage.database import Database, DatabaseError, UnfitError
from controller.storage.opening import Layout, refuse_unfit
from controller.storage.passphrase import unlock

ASIDE = PurePosixPath("/var/backups")
OWNERS = ("root", "cutcard", "cutcard-screen")
_MODES = 0o644
_JOURNAL = TABLE_STATE / "journal.sqlite"
_PEOPLE = ROOM_STATE / "people.sqlite"
_HISTORY = ROOM_STATE / "history.sqlite"


class Restored(Struct, frozen=True):
    """What was brought back, and where what was there before is now, if anything was. A table's
    hands go on after number `hands`."""

    manifest: Manifest
    aside: Path | None
    hands: int | None


def restore(file: Path, root: Path, *, passphrase: str | None, now_ms: int) -> Restored:
    """Raises BackupError and PassphraseError; then the machine is as it was."""
    try:
        with (
            ZipFile(file) as archive,
            tempfile.TemporaryDirectory(prefix=".cutcard-", dir=_folder(root, ASIDE)) as folder,
        ):
            told = read_manifest(archive, file)
            stage = Path(folder)
            for saved in told.files:
                _unpack(archive, saved, under(stage, saved.at), file)
            decks = _decks(archive, told, passphrase, file)
            _judge(told, stage)
            hands = _go_on(told, stage, (now_ms - told.made_ms) / 3_600_000)
            return Restored(told, _put(told, decks, stage, root), hands)
    except BadZipFile:
        raise BackupError(f"{file}: this is no backup of cutcard, or it is damaged") from None
    except OSError as error:
        raise BackupError(f"{error.filename or file}: {error.strerror}") from None


def _unpack(archive: ZipFile, saved: Saved, target: Path, file: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with archive.open(saved.member) as reading, target.open("xb") as writing:
        while piece := reading.read(1 << 20):
            digest.update(piece)
            writing.write(piece)
        writing.flush()
        os.fsync(writing.fileno())
    if digest.hexdigest() != saved.sha256 or target.stat().st_size != saved.size:
        raise BackupError(f"{file}: {saved.path} is damaged in it")


def _decks(
    archive: ZipFile, told: Manifest, passphrase: str | None, file: Path
) -> Mapping[str, bytes]:
    if not told.locked or passphrase is None:
        return {}
    text = unlock(archive.read(DECKS), passphrase)
    try:
        decks = msgspec.msgpack.decode(text, type=Locked).decks
    except msgspec.MsgspecError:
        raise BackupError(f"{file}: its decks can't be read") from None
    if sorted(decks) != sorted(told.decks):
        raise BackupError(f"{file}: its decks are not what its manifest says")
    return decks


def _judge(told: Manifest, stage: Path) -> None:
    """Raises BackupError for a store of a newer version, or one that is none of ours."""
    for saved in told.files:
        if saved.store is None:
            continue
        path = under(stage, saved.at)
        try:
            if saved.at == _HISTORY:
                open_archive(path).close()
            else:
                with closing(Database(path, read_only=True)) as database:
                    refuse_unfit(database, _layout(saved.at))
        except (UnfitError, ArchiveError, DatabaseError) as error:
            said = str(error).replace(str(path), saved.path)
            raise BackupError(f"{said}; nothing was changed") from None


def _layout(path: PurePosixPath) -> Layout:
    if path == _JOURNAL:
        return journal.LAYOUT
    return staff_store.LAYOUT if path == _PEOPLE else room_store.LAYOUT


def _go_on(told: Manifest, stage: Path, since_h: float) -> int | None:
    """The last hand's number of a journal that is brought back."""
    if not any(saved.at == _JOURNAL for saved in told.files):
        return None
    try:
        return journal.bring_back(under(stage, _JOURNAL), since_h).hands
    except DatabaseError as error:
        raise BackupError(f"{error}; nothing was changed") from None


def _put(told: Manifest, decks: Mapping[str, bytes], stage: Path, root: Path) -> Path | None:
    """Moves everything to its place; returns where what was there is now."""
    aside = under(root, ASIDE) / f"cutcard-{time.strftime('%Y-%m-%d-%H%M%S')}"
    moved = False
    for path in (*(saved.at for saved in told.files), *map(PurePosixPath, decks)):
        moved |= _move_aside(under(root, path), under(aside, path))
    for saved in told.files:
        place = _place(saved.at)
        target = under(root, saved.at)
        _make_folders(root, saved.at, place)
        shutil.move(under(stage, saved.at), target)
        if place.is_state:
            _as_its_folder(target, saved.mode & _MODES)
        else:
            _give(target, saved.owner, saved.mode & _MODES)
    for name, text in decks.items():
        path = PurePosixPath(name)
        _make_folders(root, path, _place(path))
        target = under(root, path)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(text)
        _give(target, "root", 0o600)
    return aside if moved else None


def _place(path: PurePosixPath) -> Place:
    place = place_of(path)
    if place is None:
        raise AssertionError(path)
    return place


def _move_aside(target: Path, aside: Path) -> bool:
    """With a database goes its log."""
    moved = False
    for each in (target, Path(f"{target}-wal"), Path(f"{target}-shm")):
        if each.exists() or each.is_symlink():
            aside.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.move(each, aside.with_name(each.name))
            moved = True
    return moved


def _make_folders(root: Path, path: PurePosixPath, place: Place) -> None:
    """Those that are missing, down from the place's own."""
    for folder in reversed([*path.relative_to(place.folder).parents]):
        whole = under(root, place.folder / folder)
        if whole.is_dir():
            continue
        whole.mkdir(parents=True)
        is_top = folder == PurePosixPath()
        if is_top:
            _give(whole, place.owner, place.folder_mode)
        else:
            _as_its_folder(whole, 0o711 if folder.name == "https" else 0o755)


def _give(target: Path, owner: str, mode: int) -> None:
    target.chmod(mode)
    if os.geteuid() == 0:
        with suppress(KeyError):
            entry = pwd.getpwnam(owner if owner in OWNERS else "root")
            os.chown(target, entry.pw_uid, entry.pw_gid)


def _as_its_folder(target: Path, mode: int) -> None:
    """What a service keeps is its user's, who has the folder and may have no name."""
    target.chmod(mode)
    if os.geteuid() == 0:
        folder = target.parent.stat()
        os.chown(target, folder.st_uid, folder.st_gid)


def _folder(root: Path, path: PurePosixPath) -> Path:
    folder = under(root, path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
