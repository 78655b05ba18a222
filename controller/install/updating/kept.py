"""What a machine keeps to go back a version, and a room for its tables.

In `/var/lib/cutcard-update`: the packages of this version and of the one before,
`before-VERSION.zip` with the data as it was then, `last.json`, while services are stopped for it
`stopped.json`, and in `bundles` what the tables may have. `install` puts the packages there too.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from controller.files.whole_file import write_whole
from controller.room.offered import BUNDLES, Offered

T = TypeVar("T", bound=Struct)

FOLDER = BUNDLES.parent
_LAST = "last.json"
_STOPPED = "stopped.json"
_MOST_BYTES = 10_000


class Last(Struct, frozen=True):
    """The last update: from which version to which, as packages are counted, and the backup from
    before. `how`: `begun` while it is under way, or cut short, and `returning` if that is on the
    way back, on which the data comes back too or not (`with_data`); `undone` if it has been rolled
    back, by itself or by hand, and `why`."""

    since: str
    to: str
    how: Literal["begun", "done", "undone"]
    backup: str
    why: str = ""
    returning: bool = False
    with_data: bool = True


class Stopped(Struct, frozen=True):
    """The services that an update or a rollback has stopped, and in which run of the machine: the
    next one has started by itself what it starts."""

    units: tuple[str, ...] = ()
    boot: str = ""


class Kept:
    """The folder of one machine."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    @property
    def last(self) -> Last | None:
        """The last update, if there was one."""
        return self._read(_LAST, Last)

    def say(self, last: Last) -> None:
        """Raises OSError."""
        self._write(_LAST, last)

    def forget_last(self) -> None:
        """There was none. Raises OSError."""
        (self.folder / _LAST).unlink(missing_ok=True)

    @property
    def stopped(self) -> Stopped:
        """What is stopped, until it runs again."""
        return self._read(_STOPPED, Stopped) or Stopped()

    def say_stopped(self, units: Collection[str], boot: str = "") -> None:
        """Raises OSError."""
        if units:
            self._write(_STOPPED, Stopped(tuple(units), boot))
        else:
            (self.folder / _STOPPED).unlink(missing_ok=True)

    def backup(self, version: str) -> Path:
        """Where the data goes that this version leaves."""
        return self.folder / f"before-{version}.zip"

    def packages(self, version: str) -> list[Path]:
        """The packages of a version that are kept."""
        return sorted((self.folder / "versions" / version).glob("*.deb"))

    def keep(self, version: str, packages: Collection[Path]) -> None:
        """Keeps a version's packages. Raises OSError."""
        folder = self.folder / "versions" / version
        folder.mkdir(parents=True, exist_ok=True)
        for each in packages:
            part = folder / f"{each.name}.part"
            shutil.copyfile(each, part)
            part.replace(folder / each.name)

    def forget_all_but(self, versions: Collection[str]) -> None:
        """Of packages and data, what no way leads back to. Raises OSError."""
        for each in (self.folder / "versions").glob("*"):
            if each.name not in versions:
                shutil.rmtree(each)
        backups = {self.backup(version).name for version in versions}
        for each in self.folder.glob("before-*.zip"):
            if each.name not in backups:
                each.unlink()

    def offer(self, bundle: Path, offered: Offered, made_for: str) -> None:
        """Puts a bundle where the room's pages give it to the tables. Raises OSError."""
        folder = self.folder / BUNDLES.name
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        part = folder / f"{made_for}.zip.part"
        shutil.copyfile(bundle, part)
        part.chmod(0o644)
        part.replace(folder / f"{made_for}.zip")
        file = folder / f"{made_for}.json"
        write_whole(file, msgspec.json.encode(offered))
        file.chmod(0o644)

    def _read(self, name: str, kind: type[T]) -> T | None:
        try:
            with (self.folder / name).open("rb") as file:
                return msgspec.json.decode(file.read(_MOST_BYTES), type=kind)
        except (OSError, msgspec.MsgspecError):
            return None

    def _write(self, name: str, value: Struct) -> None:
        self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        write_whole(self.folder / name, msgspec.json.encode(value))
