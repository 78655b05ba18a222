"""Brings back what a backup has: known files alone, to where they belong, with their owners.

All of it is read and judged before anything on the machine is changed. Folders that are there stay
as they are.
"""

from __future__ import annotations

import grp
import pwd
import shutil
import time
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

import msgspec
from msgspec import Struct

from controller.archive.kept import ArchiveError
from controller.archive.opening import open_archive
from controller.files.summed import copy_summed
from controller.install.backup.manifest import (
    DECKS,
    BackupError,
    Locked,
    Manifest,
    Saved,
    read_manifest,
)
from controller.install.backup.places import ROOM_STATE, TABLE_STATE, Place, place_of, under
from controller.install.backup.placing import Owner, Placing
from controller.install.backup.workplace import workplace
from controller.people import staff_store
from controller.room import store as room_store
from controller.storage import journal
from controller.storage.database import Database, DatabaseError, UnfitError
from controller.storage.opening import Layout, refuse_unfit
from controller.storage.passphrase import unlock

ASIDE = PurePosixPath("/var/backups")
OWNERS = ("root", "cutcard", "cutcard-screen", "mosquitto")
_MODES = 0o644
_SPARE = 50_000_000
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
        backups = _folder(root, ASIDE)
        with ZipFile(file) as archive, workplace(backups) as stage:
            told = read_manifest(archive, file)
            _has_room(told, stage)
            for saved in told.files:
                _unpack(archive, saved, under(stage, saved.at), file)
            decks = _decks(archive, told, passphrase, file, stage)
            _judge(told, stage)
            hands = _go_on(told, stage, (now_ms - told.made_ms) / 3_600_000)
            aside = _put((*told.files, *decks), stage, root)
            return Restored(told, aside, hands)
    except (BadZipFile, zlib.error, EOFError):
        raise BackupError(f"{file}: this is no backup of cutcard, or it is damaged") from None
    except OSError as error:
        raise BackupError(f"{error.filename or file}: {error.strerror}") from None


def _has_room(told: Manifest, stage: Path) -> None:
    """All of it lies on the disk twice for a while."""
    wanted = 2 * sum(each.size for each in told.files)
    if shutil.disk_usage(stage).free < wanted + _SPARE:
        raise BackupError(f"the disk is too full: {wanted / 1e6:.0f} MB are needed")


def _unpack(archive: ZipFile, saved: Saved, target: Path, file: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(saved.member) as reading, target.open("xb") as writing:
        copied = copy_summed(reading, writing, saved.size)
    if copied != (saved.size, saved.sha256):
        raise BackupError(f"{file}: {saved.path} is damaged in it")


def _decks(
    archive: ZipFile, told: Manifest, passphrase: str | None, file: Path, stage: Path
) -> tuple[Saved, ...]:
    """Unlocks the decks onto the stage."""
    if not told.locked or passphrase is None:
        return ()
    text = unlock(archive.read(DECKS), passphrase)
    try:
        decks = msgspec.msgpack.decode(text, type=Locked).decks
    except msgspec.MsgspecError:
        raise BackupError(f"{file}: its decks can't be read") from None
    if sorted(decks) != sorted(each.path for each in told.decks):
        raise BackupError(f"{file}: its decks are not what its manifest says")
    for path, data in decks.items():
        target = under(stage, PurePosixPath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return told.decks


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


def _put(files: Sequence[Saved], stage: Path, root: Path) -> Path | None:
    """Moves everything to its place; returns where what was there is now."""
    aside = _fresh(under(root, ASIDE) / f"cutcard-{time.strftime('%Y-%m-%d-%H%M%S')}")
    with Placing(root, aside) as placing:
        for saved in files:
            placing.check(saved.at, _place(saved.at))
        for saved in files:
            place = _place(saved.at)
            _make_folders(placing, saved.at, place)
            owner = _folders_own if place.is_state else _named(saved.owner, saved.group)
            placing.put(under(stage, saved.at), saved.at, place, saved.mode & _MODES, owner)
    return aside if placing.has_moved else None


def _fresh(folder: Path) -> Path:
    number = 1
    while folder.exists():
        number += 1
        folder = folder.with_name(f"{folder.name.partition('_')[0]}_{number}")
    return folder


def _place(path: PurePosixPath) -> Place:
    place = place_of(path)
    if place is None:
        raise AssertionError(path)
    return place


def _make_folders(placing: Placing, path: PurePosixPath, place: Place) -> None:
    """Those that are missing, down from the place's own."""
    placing.make_folder(place.folder, place, place.folder_mode, _named(place.owner, place.owner))
    for folder in reversed([*path.relative_to(place.folder).parents][:-1]):
        mode = 0o711 if folder.name == "https" else 0o755
        placing.make_folder(place.folder / folder, place, mode, _folders_own)


def _folders_own(folder: Path) -> tuple[int, int]:
    """What a service keeps is its user's, who has the folder and may have no name."""
    state = folder.stat()
    return state.st_uid, state.st_gid


def _named(owner: str, group: str) -> Owner:
    """Of those who may own settings, where they are here."""

    def found(_folder: Path) -> tuple[int, int]:
        uid = gid = 0
        with suppress(KeyError):
            uid = pwd.getpwnam(owner).pw_uid if owner in OWNERS else 0
        with suppress(KeyError):
            gid = grp.getgrnam(group).gr_gid if group in OWNERS else 0
        return uid, gid

    return found


def _folder(root: Path, path: PurePosixPath) -> Path:
    folder = under(root, path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
