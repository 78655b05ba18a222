"""Backups that are made again and again: each has a name of its own, and the oldest go."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import msgspec

from controller.install.backup.places import ROOM_STATE, under
from controller.room.last_backup import NAME, LastBackup


def fresh_name(host: str, now_s: float) -> str:
    """By which backups sort as they were made."""
    return f"cutcard-{host}-{time.strftime('%Y%m%d-%H%M%S', time.localtime(now_s))}.zip"


def forget_oldest(folder: Path, host: str, keep: int, made: Path) -> list[Path]:
    """Of this host's backups in a folder the newest `keep` stay, and the one that was `made` now
    whatever the clock says; returns those that went. Raises OSError."""
    name = re.compile(rf"cutcard-{re.escape(host)}-\d{{8}}-\d{{6}}\.zip")
    own = sorted(each for each in folder.iterdir() if name.fullmatch(each.name))
    gone = [each for each in own[:-keep] if each.name != made.name]
    for each in gone:
        each.unlink()
    return gone


def is_on_another_disk(folder: Path) -> bool:
    """Whether a folder is not on the disk of the system itself. Raises OSError."""
    return folder.stat().st_dev != Path("/").stat().st_dev


def say_last(root: Path, last: LastBackup) -> None:
    """Where the machine has a room its pages say so. Raises OSError."""
    folder = under(root, ROOM_STATE)
    if not folder.is_dir():
        return
    fresh = folder.resolve() / f"{NAME}.new"
    fresh.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(fresh, flags, 0o600), "wb") as writing:
        writing.write(msgspec.json.encode(last))
        os.fchmod(writing.fileno(), 0o644)  # its reader is the room's own user
    fresh.replace(fresh.with_name(NAME))
