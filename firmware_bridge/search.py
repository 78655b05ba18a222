"""Where to look for a device: at its own name first, then wherever one has come up.

A board that was unplugged may come back under another name, and two may have swapped theirs.
What was found to be another device is not asked again until it has been plugged anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from glob import glob
from math import inf
from os.path import realpath
from pathlib import Path

PATTERNS = ("/dev/serial/by-id/*", "/dev/ttyACM*")
SILENT_FOR_S = 5.0
"""A port where nothing answered is left alone for so long."""

Identity = tuple[int, int, int]


def serial_ports() -> list[str]:
    """Return the names under which a board on USB can come up, as they are now."""
    return [path for pattern in PATTERNS for path in sorted(glob(pattern))]  # noqa: PTH207


def every_port(dev: str = "/dev") -> list[str]:
    """Return a name for each serial port that a device may be at, as they are now.

    A name that tells the device comes before one that tells its socket, and that before a number
    that changes. Where a port on USB has no name of its own, two devices share one, and which of
    them it leads to changes: then they go by their sockets.
    """
    devices, sockets = f"{dev}/serial/by-id/*", f"{dev}/serial/by-path/*"
    numbers = [f"{dev}/ttyACM*", f"{dev}/ttyUSB*"]
    told = {realpath(path) for path in glob(devices)}  # noqa: PTH207
    if not all(realpath(path) in told for pattern in numbers for path in glob(pattern)):  # noqa: PTH207
        devices, sockets = sockets, devices
    return ports_at([devices, sockets, f"{dev}/serial0", *numbers])


def ports_at(patterns: Iterable[str]) -> list[str]:
    """Return a name for each port at these patterns; of two names that of the earlier one."""
    names: dict[str, str] = {}
    for pattern in patterns:
        for path in sorted(glob(pattern)):  # noqa: PTH207
            names.setdefault(realpath(path), path)
    return list(names.values())


def _identity(path: str) -> Identity | None:
    """Return what tells this port from a later one of the same name; None if there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_rdev, found.st_ino, found.st_ctime_ns


class Search:
    """The ports of one table, shared by its links, which go by their own port's name.

    `candidates` gives the names there are at present, `clock` seconds.
    """

    def __init__(self, candidates: Callable[[], Iterable[str]], clock: Callable[[], float]) -> None:
        self._candidates = candidates
        self._clock = clock
        self._open: dict[str, str] = {}
        self._tried: dict[str, str] = {}
        self._refused: dict[tuple[str, str], tuple[Identity | None, float]] = {}

    def opened(self, link: str, path: str) -> None:
        """The link has this port open now."""
        self._open[link] = realpath(path)
        self._tried.pop(link, None)

    def closed(self, link: str) -> None:
        """The link has no port open."""
        self._open.pop(link, None)

    def refuse(self, link: str, path: str, *, silent: bool = False) -> None:
        """The link's device is not there; if it was merely `silent`, it may be later."""
        until = self._clock() + SILENT_FOR_S if silent else inf
        self._refused[link, realpath(path)] = (_identity(path), until)

    def next(self, link: str, device: str) -> str | None:
        """Return the port to open for the link whose device has the id `device`.

        Without an id only its own name is tried. One that was given out and then not `opened` can't
        be. None if there is nothing to try now.
        """
        tried = self._tried.pop(link, None)
        if tried is not None:
            self.refuse(link, tried, silent=True)
        if _identity(link) is not None and self._is_free(link, link):
            return link
        found = self.elsewhere(link, device)
        if found is None:
            return None if self._is_refused(link, link) else link
        self._tried[link] = found
        return found

    def elsewhere(self, link: str, device: str) -> str | None:
        """Return another port where the device may be, the likeliest first."""
        if not device:
            return None
        mine = realpath(link)
        free = [
            path
            for path in self._candidates()
            if realpath(path) != mine and self._is_free(link, path)
        ]
        return min(
            free,
            key=lambda path: (
                device.lower() not in path.lower(),
                self._refused.get((link, realpath(path)), (None,))[0] == _identity(path),
            ),
            default=None,
        )

    def _is_free(self, link: str, path: str) -> bool:
        taken = (port for other, port in self._open.items() if other != link)
        return realpath(path) not in taken and not self._is_refused(link, path)

    def _is_refused(self, link: str, path: str) -> bool:
        identity, until = self._refused.get((link, realpath(path)), (None, -inf))
        return self._clock() < until and identity == _identity(path)
