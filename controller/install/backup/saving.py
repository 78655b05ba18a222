"""Saves what a machine keeps into one file, while it runs."""

from __future__ import annotations

import grp
import hashlib
import os
import pwd
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from msgspec.structs import replace

from controller.files.whole_file import sync
from controller.install.backup.manifest import (
    DECKS,
    FILES,
    MANIFEST,
    BackupError,
    Locked,
    Manifest,
    Saved,
)
from controller.install.backup.places import files, is_deck
from controller.install.backup.workplace import workplace
from controller.storage.copying import copy_database, is_database
from controller.storage.database import DatabaseError
from controller.storage.passphrase import lock
from controller.table.deck_file import names_cards

MOST_PLAIN = 16 << 20
"""Bytes of a file that is no database."""
_DATABASE = ".sqlite"


def save(
    root: Path,
    target: Path,
    *,
    cutcard: str,
    now_ms: int,
    host: str,
    passphrase: str | None,
    tell: Callable[[str], None],
) -> Manifest:
    """Writes the backup of a machine, whole or not at all, and readable by its owner alone; `tell`
    is told each file. With a passphrase the decks are in it, locked. What is damaged is left out
    and named. Raises BackupError and PassphraseError."""
    try:
        with workplace(target.parent) as folder:
            part = folder / "part"
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with ZipFile(part, "w", ZIP_DEFLATED) as archive:
                made = _fill(archive, root, folder / "copy", passphrase, tell)
                if not made.files and not made.decks:
                    raise BackupError(f"{root}: there is nothing of cutcard's to be saved")
                made = replace(made, cutcard=cutcard, made_ms=now_ms, host=host)
                text = msgspec.json.format(msgspec.json.encode(made))
                archive.writestr(_member(MANIFEST), text)
            sync(part)
            part.replace(target)
            sync(target.parent)
    except OSError as error:
        raise BackupError(f"{error.filename or target}: {error.strerror}") from None
    return made


def _fill(
    archive: ZipFile, root: Path, copy: Path, passphrase: str | None, tell: Callable[[str], None]
) -> Manifest:
    saved: list[Saved] = []
    decks: list[Saved] = []
    texts: dict[str, bytes] = {}
    missing: list[str] = []
    for path, file in files(root):
        tell(str(path))
        try:
            if path.suffix == _DATABASE or ".sqlite.closed-" in path.name:
                saved.append(_put_database(archive, path, file, copy))
                continue
            data, known = _read(path, file)
        except (BackupError, DatabaseError) as error:
            missing.append(str(error).replace(str(file), str(path)))
            continue
        if is_deck(path) or names_cards(data.decode(errors="replace")):
            texts[str(path)] = data
            decks.append(replace(known, size=0, sha256=""))
        else:
            archive.writestr(_member(known.member), data)
            saved.append(known)
    made = Manifest("", 0, "", tuple(saved), missing=tuple(missing))
    if passphrase is None or not texts:
        return replace(made, without=tuple(texts))
    archive.writestr(_member(DECKS), lock(msgspec.msgpack.encode(Locked(texts)), passphrase))
    return replace(made, decks=tuple(decks))


def _read(path: PurePosixPath, file: Path) -> tuple[bytes, Saved]:
    """A file as it is at one moment; no link is followed."""
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise BackupError(f"{path}: {'a link' if file.is_symlink() else error.strerror}") from None
    with os.fdopen(opened, "rb") as reading:
        state = os.fstat(reading.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise BackupError(f"{path}: no file")
        data = reading.read(MOST_PLAIN + 1)
    if len(data) > MOST_PLAIN:
        raise BackupError(f"{path}: larger than 16 MiB, this is none of cutcard's")
    return data, _saved(path, state, len(data), hashlib.sha256(data).hexdigest())


def _put_database(archive: ZipFile, path: PurePosixPath, file: Path, copy: Path) -> Saved:
    if file.is_symlink() or not file.is_file():
        raise BackupError(f"{path}: a link")
    if not is_database(file):
        raise BackupError(f"{path}: it is damaged")
    try:
        version = copy_database(file, copy)
        with copy.open("rb") as reading:
            digest = hashlib.file_digest(reading, "sha256").hexdigest()
            reading.seek(0)
            with archive.open(_member(f"{FILES}{path}"), "w", force_zip64=True) as writing:
                shutil.copyfileobj(reading, writing, 1 << 20)
        size = copy.stat().st_size
    finally:
        with suppress(FileNotFoundError):
            copy.unlink()
    return replace(_saved(path, file.stat(), size, digest), store=version)


def _saved(path: PurePosixPath, state: os.stat_result, size: int, digest: str) -> Saved:
    return Saved(
        str(path), size, digest, state.st_mode & 0o777, _user(state.st_uid), _group(state.st_gid)
    )


def _member(name: str) -> ZipInfo:
    """It has no time of its own, which a machine without a clock could not say."""
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    return info


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return ""
