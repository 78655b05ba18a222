"""The stores of a room by the names under which the one that stands by for it knows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from controller.files.whole_file import write_whole
from controller.room.event_stores import EventStores
from controller.room.store import BEAT_SUFFIX
from controller.storage.image import put

ROOM, PEOPLE = "room", "people"
_EVENT = "event."
_BEFORE = ".before"


class RoomFiles:
    """`room` is a room's store, with those of its further events beside it, `people` that of its
    people."""

    def __init__(self, room: Path, people: Path) -> None:
        self._room = room
        self._people = people
        self._events = EventStores(room)

    def there(self) -> Mapping[str, Path]:
        """All of them that there are, or may be."""
        events = (f"{_EVENT}{each}" for each in self._events.ids())
        return {name: self._path(name) for name in (ROOM, PEOPLE, *events)}

    def beat(self, name: str) -> bytes:
        """When a room was last there with a store, as it is kept beside it; empty where there is
        none."""
        try:
            return _beside(self._path(name), BEAT_SUFFIX).read_bytes()
        except OSError:
            return b""

    def put(
        self,
        images: Mapping[str, bytes],
        beats: Mapping[str, bytes],
        named: Collection[str] | None,
    ) -> None:
        """These are the stores now; what was here before is kept beside them until the next time,
        as are the events that are not `named`, where it is known which there are. Nobody may have
        them open. Raises OSError."""
        for name, path in self.there().items():
            is_closed = name.startswith(_EVENT) and named is not None and name not in named
            if name in images or is_closed:
                for ending in ("", "-wal", "-shm", BEAT_SUFFIX):
                    file, before = _beside(path, ending), _beside(path, f"{_BEFORE}{ending}")
                    before.unlink(missing_ok=True)
                    if file.exists():
                        file.replace(before)
        for name, image in images.items():
            path = self._path(name)
            put(path, image)
            if beats.get(name):
                write_whole(_beside(path, BEAT_SUFFIX), beats[name])

    def _path(self, name: str) -> Path:
        if name.startswith(_EVENT):
            return self._events.file(name.removeprefix(_EVENT))
        return self._people if name == PEOPLE else self._room


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}")
