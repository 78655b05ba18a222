"""Saves what a machine keeps into one file, while it runs."""

from __future__ import annotations

import hashlib
import os
import pwd
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from controller.install.backup.manifest import DECKS, MANIFEST, BackupError, Locked, Manifest, Saved
from controller.install.backup.places import files
from controller.storage.copying import copy_database, is_database
from controller.storage.database import DatabaseError
from controller.storage.passphrase import lock
from controller.table.deck_file import names_cards

MOST_PLAIN = 16 << 20
"""Bytes of a file that is no database."""


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
    is told each file. With a passphrase the decks are in it, locked. Raises BackupError and
    PassphraseError."""
    part = target.with_name(f"{target.name}.part")
    try:
        with tempfile.TemporaryDirectory(prefix=".cutcard-", dir=target.parent) as folder:
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            with ZipFile(part, "w", ZIP_DEFLATED) as archive:
                made = _fill(archive, root, Path(folder) / "copy", passphrase, tell)
                if not made.files and not made.decks:
                    raise BackupError(f"{root}: there is nothing of cutcard's to be saved")
                made = msgspec.structs.replace(made, cutcard=cutcard, made_ms=now_ms, host=host)
                archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(made)))
            _sync(part)
            part.replace(target)
            _sync(target.parent)
    except (OSError, DatabaseError) as error:
        raise BackupError(str(error)) from None
    finally:
        with suppress(OSError):
            part.unlink()
    return made


def _fill(
    archive: ZipFile, root: Path, copy: Path, passphrase: str | None, tell: Callable[[str], None]
) -> Manifest:
    saved: list[Saved] = []
    decks: dict[str, bytes] = {}
    for path, file in files(root):
        if is_database(file):
            version = copy_database(file, copy)
            saved.append(_put(archive, path, copy, file, version))
            copy.unlink()
        elif names_cards((data := _plain(file)).decode(errors="replace")):
            decks[str(path)] = data
            continue
        else:
            saved.append(_put(archive, path, file, file, None))
        tell(str(path))
    if passphrase is None or not decks:
        return Manifest("", 0, "", tuple(saved), without=tuple(decks))
    archive.writestr(DECKS, lock(msgspec.msgpack.encode(Locked(decks)), passphrase))
    return Manifest("", 0, "", tuple(saved), decks=tuple(decks))


def _plain(file: Path) -> bytes:
    if file.stat().st_size > MOST_PLAIN:
        raise BackupError(f"{file}: larger than 16 MiB, this is none of cutcard's files")
    return file.read_bytes()


def _put(
    archive: ZipFile, path: PurePosixPath, content: Path, file: Path, version: int | None
) -> Saved:
    """Writes a file's content; what belongs to the file itself is that of `file`."""
    state = file.stat()
    with content.open("rb") as reading:
        digest = hashlib.file_digest(reading, "sha256").hexdigest()
    size = content.stat().st_size
    saved = Saved(str(path), size, digest, state.st_mode & 0o777, _name(state.st_uid), version)
    archive.write(content, saved.member)
    return saved


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
