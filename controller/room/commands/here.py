"""Where a command of this machine finds the room, and who asks."""

from __future__ import annotations

import getpass
import os
from pathlib import Path

from controller.room.settings import SERVICE_STATE, RoomConfig, load_room_config


def room_here(config_file: Path | None, store: Path | None = None) -> RoomConfig:
    """The settings of this machine's room. Where neither they nor `store` say where its store is,
    it is that of the room that systemd starts, for whoever may write there. Raises ConfigError."""
    environment = dict(os.environ)
    if os.access(SERVICE_STATE, os.W_OK | os.X_OK):
        environment.setdefault("STATE_DIRECTORY", str(SERVICE_STATE))
    return load_room_config(config_file, environment, store=store)


def user() -> str:
    """The user of this machine, or the number of one without a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
