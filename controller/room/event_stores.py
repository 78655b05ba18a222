"""Where the events beside a room's first one are kept: each has a store of its own in a folder
beside the room's."""

from __future__ import annotations

from pathlib import Path

from controller.contract.messages import is_event_id
from controller.room.room_time import Beat
from controller.room.store import BEAT_SUFFIX, RoomStore, read_beat

_SUFFIX = ".sqlite"


class EventStores:
    """`folder` is that beside the store of a room; it may not be there yet."""

    def __init__(self, room: Path) -> None:
        self.folder = room.with_name(f"{room.name}.events")

    def ids(self) -> tuple[str, ...]:
        """The events that are kept."""
        found = sorted(each.name.removesuffix(_SUFFIX) for each in self._files())
        return tuple(each for each in found if is_event_id(each))

    def open(self, event: str) -> RoomStore:
        """The store of an event, which may be new. Raises StoreError."""
        return RoomStore.open(self.file(event))

    def file(self, event: str) -> Path:
        """Where an event is kept, or would be."""
        return self.folder / f"{event}{_SUFFIX}"

    def discard(self, event: str) -> None:
        """Remove a file that was begun just now, and has nothing in it yet."""
        for each in self.folder.glob(f"{event}{_SUFFIX}*"):
            if ".closed-" not in each.name:
                each.unlink(missing_ok=True)

    def set_aside(self, event: str) -> Path:
        """Put the file of an event that is closed out of the way; returns where it is now.
        Raises OSError."""
        file = self.file(event)
        number = 1
        while (aside := file.with_name(f"{file.name}.closed-{number}")).exists():
            number += 1
        file.rename(aside)
        beat = file.with_name(file.name + BEAT_SUFFIX)
        if beat.exists():
            beat.rename(aside.with_name(aside.name + BEAT_SUFFIX))
        return aside

    @property
    def last_beat(self) -> Beat | None:
        """When a room was last there with one of these events."""
        beats = [read_beat(each.with_name(each.name + BEAT_SUFFIX)) for each in self._files()]
        known = [each for each in beats if each is not None]
        return max(known, key=lambda each: each.room_ms, default=None)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_SUFFIX}"))
