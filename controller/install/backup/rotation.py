"""Backups that are made again and again: each has a name of its own, and the oldest go."""

from __future__ import annotations

import re
import time
from pathlib import Path

import msgspec

from controller.files.whole_file import write_whole
from controller.install.backup.places import ROOM_STATE, under
from controller.room.last_backup import NAME, LastBackup

_NAME = re.compile(r"cutcard-.{1,80}-\d{8}-\d{6}\.zip")


def fresh_name(host: str, now_s: float) -> str:
    """By which backups sort as they were made."""
    return f"cutcard-{host}-{time.strftime('%Y%m%d-%H%M%S', time.localtime(now_s))}.zip"


def forget_oldest(folder: Path, host: str, keep: int) -> list[Path]:
    """Of this host's backups in a folder the newest `keep` stay; returns those that went. Raises
    OSError."""
    own = (each for each in folder.glob(f"cutcard-{host}-*.zip") if _NAME.fullmatch(each.name))
    gone = sorted(own)[:-keep]
    for each in gone:
        each.unlink()
    return gone


def say_last(root: Path, last: LastBackup) -> None:
    """Where the machine has a room its pages say so. Raises OSError."""
    folder = under(root, ROOM_STATE)
    if folder.is_dir():
        file = folder.resolve() / NAME
        write_whole(file, msgspec.json.encode(last).decode())
        file.chmod(0o644)
