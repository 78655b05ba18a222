"""Where the program keeps what outlives a machine, and which of it is saved.

What is not: sockets and keys of the hand in play (`/run`), SQLite's logs (they are in the copies),
when a room was last there, files that were set aside because they are damaged, and captures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct

_ASIDE = re.compile(r"\.(bad-\d+.*|new|part|beat|[a-z]+-journal)$|-(wal|shm)$")


class Place(Struct, frozen=True):
    """A folder, of which files are saved whose names fit one of `patterns`, `/` for folders in it.
    Folders that are made anew have `folder_mode` and are `owner`'s, where there is such a user."""

    folder: PurePosixPath
    patterns: tuple[str, ...]
    owner: str = "root"
    folder_mode: int = 0o755

    @property
    def is_state(self) -> bool:
        """Whether it is a service's own."""
        return self.folder.is_relative_to("/var/lib")

    def has(self, name: str) -> bool:
        """Whether a file is saved whose name within the folder this is."""
        is_aside = self.is_state and _ASIDE.search(name) is not None
        return not is_aside and any(re.fullmatch(each, name) for each in self.patterns)


_NAME = r"[^./\x00-\x1f][^/\x00-\x1f]{0,200}"
TABLE_STATE = PurePosixPath("/var/lib/cutcard")
ROOM_STATE = PurePosixPath("/var/lib/cutcard-room")
CREDENTIALS = PurePosixPath("/etc/credstore")
PLACES = (
    Place(PurePosixPath("/etc/cutcard"), (rf"({_NAME}/){{0,8}}{_NAME}",)),
    Place(CREDENTIALS, (rf"cutcard\.{_NAME}",), folder_mode=0o700),
    Place(TABLE_STATE, (r"journal\.sqlite", r"floor-guesses\.json"), "cutcard", 0o700),
    Place(
        ROOM_STATE,
        (
            r"(room|people|history)\.sqlite",
            rf"room\.sqlite\.events/{_NAME}\.sqlite(\.closed-\d+)?",
            rf"https/{_NAME}",
        ),
        folder_mode=0o700,
    ),
    Place(PurePosixPath("/var/lib/cutcard-broker"), (r"logins\.json",), "mosquitto", 0o700),
    Place(PurePosixPath("/var/lib/cutcard-dealer"), (r"screen\.json",), "cutcard", 0o700),
)


def place_of(path: PurePosixPath) -> Place | None:
    """The place in which a file would be saved; None for any other."""
    for place in PLACES:
        if path.is_relative_to(place.folder) and ".." not in path.parts:
            return place if place.has(str(path.relative_to(place.folder))) else None
    return None


def is_deck(path: PurePosixPath) -> bool:
    """Whether a file is a deck by its name alone."""
    return path.parent == CREDENTIALS and path.name.startswith("cutcard.deck")


def files(root: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """What is there to be saved under a root, with where it is now: files, and links, which are
    not followed but for the folders themselves, as systemd makes them. Raises OSError."""
    for place in PLACES:
        folder = under(root, place.folder)
        if not folder.is_dir():
            continue
        base = folder.resolve()
        for each in sorted(base.rglob("*")):
            name = each.relative_to(base).as_posix()
            if (each.is_symlink() or not each.is_dir()) and place.has(name):
                yield place.folder / name, each


def under(root: Path, path: PurePosixPath) -> Path:
    """Where a file of the machine is, of which `root` is the root."""
    return root / path.relative_to("/")
