"""The machine's own name and time zone, as they are now."""

from __future__ import annotations

import os
import socket
import time
import zoneinfo
from pathlib import Path, PurePosixPath

from controller.install.backup.places import under
from controller.install.setup.machine_plan import (
    HOST_NAME,
    HOSTS,
    MULTICAST_NAMES,
    ZONE_LINK,
    ZONE_NAME,
    Machine,
)
from controller.install.setup.services import Systemd

CONSOLE = "/dev/tty1"
"""Where the units of our screens end the login."""
_FOLDER = "/zoneinfo/"


class NotThereError(Exception):
    """There is nothing to be set up; one line says what is missing."""


def machine_now(root: Path, systemd: Systemd) -> Machine:
    """What the files below a root say. Raises OSError, ServicesError."""
    zone_name = text_of(root, ZONE_NAME)
    return Machine(
        is_live=systemd.is_live,
        host_name=(text_of(root, HOST_NAME) or "").strip().partition(".")[0],
        called=socket.gethostname().partition(".")[0] if systemd.is_live else None,
        hosts=text_of(root, HOSTS) or "",
        zone=_zone(under(root, ZONE_LINK)),
        zone_name=None if zone_name is None else zone_name.strip(),
        multicast=systemd.unit(MULTICAST_NAMES),
        on_console=_terminal() == CONSOLE,
    )


def text_of(root: Path, path: PurePosixPath) -> str | None:
    """The text of a file; None where there is none. Raises OSError."""
    try:
        return under(root, path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def changed_at(root: Path, *paths: PurePosixPath) -> float:
    """When the latest of these files was changed, in seconds of the wall clock; those of a time to
    come don't count: the clock was another one. Raises OSError."""
    now = time.time()
    files = [under(root, each) for each in paths]
    times = [each.stat().st_mtime for each in files if each.exists()]
    return max((each for each in times if each <= now), default=0.0)


def zones() -> set[str]:
    """The time zones that there are; none where their files are not installed."""
    return {each for each in zoneinfo.available_timezones() if not each.startswith("posix")}


def _terminal() -> str:
    return os.ttyname(0) if os.isatty(0) else ""


def _zone(link: Path) -> str:
    target = str(link.readlink()) if link.is_symlink() else ""
    return target.partition(_FOLDER)[2] or "Etc/UTC"
