"""Where a command of this machine finds the room, and who asks."""

from __future__ import annotations

import getpass
import os
from pathlib import Path

from controller.room.settings import SERVICE_STATE


def store_of(store: Path | None, config_file: Path | None) -> Path | None:
    """The room's store: the one that was given, or where no settings were given that of the room
    that systemd starts, for whoever may write there; None where the settings have it."""
    if store is None and config_file is None and os.access(SERVICE_STATE, os.W_OK | os.X_OK):
        return SERVICE_STATE / "room.sqlite"
    return store


def user() -> str:
    """The user of this machine, or the number of one without a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
