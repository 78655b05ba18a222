"""The room that leads: it sends what becomes of its stores to the one that stands by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from controller.broker.client import Incoming
from controller.contract.messages import ROOM_TIME, Message, MessageError
from controller.contract.stand_by import (
    PAGE,
    STAND_BY_HERE,
    STAND_BY_PART,
    STAND_BY_STORES,
    STAND_BY_TAKEN,
    Part,
    Run,
    Stores,
)
from controller.storage.database import DatabaseError
from controller.storage.image import Images, differences

THERE_S = 5.0
"""One that stands by is there for so long after it has said so."""
MOST_BYTES = 32 * PAGE
"""Of a store in one message."""


class Files(Protocol):
    """Where a room's stores are."""

    def there(self) -> Mapping[str, Path]:
        """All of them that there are, by their names."""

    def beat(self, name: str) -> bytes:
        """When a room was last there with a store."""


class _Store:
    """One of them as it was sent last."""

    def __init__(self, path: Path) -> None:
        self.images = Images(path)
        self.number = 0
        self.image = b""


class Leading:
    """Sends nothing while nobody stands by. `session` is that of the room, which leads in the place
    of the one `before`, if there was one; `now_s` never goes back. `ended` is told when another has
    taken this room's place, or began to lead when this one did and goes on. `fault` is why a store
    can't be read, and empty while they can."""

    def __init__(
        self,
        site: str,
        session: str,
        files: Files,
        *,
        publish: Callable[[Message], None],
        now_s: Callable[[], float],
        before: str,
        ended: Callable[[], None],
    ) -> None:
        self._site = site
        self._before = before
        self._session = session
        self._files = files
        self._publish = publish
        self._now_s = now_s
        self._ended = ended
        self._stores: dict[str, _Store] = {}
        self._wanted: set[str] = set()
        self._heard_s: float | None = None
        self.fault = ""
        self.malformed = 0
        self.filters = (STAND_BY_HERE.filter(site), STAND_BY_TAKEN.filter(site))

    @property
    def is_followed(self) -> bool:
        """Whether another room stands by."""
        return self._heard_s is not None and self._now_s() - self._heard_s <= THERE_S

    def received(self, incoming: Incoming) -> bool:
        """Take in what another room has said of this; False for what is of something else. What
        can't be used is counted in `malformed`."""
        try:
            return self._take(incoming.topic, incoming.payload)
        except MessageError:
            if incoming.topic == ROOM_TIME.name(self._site):
                return False  # which the room hears as well
            self.malformed += 1
            return True

    def _take(self, topic: str, payload: bytes) -> bool:
        if topic == STAND_BY_TAKEN.name(self._site):
            if payload and STAND_BY_TAKEN.decode(payload).value.before == self._session:
                self._ended()
            return True
        if topic == ROOM_TIME.name(self._site):
            other = ROOM_TIME.decode(payload).value.session
            if other < self._session and other != self._before:
                self._ended()  # both have begun to lead, and heard nothing of each other
            return False
        if topic != STAND_BY_HERE.name(self._site):
            return False
        here = STAND_BY_HERE.decode(payload).value
        if here.session != self._session:
            self._heard_s = self._now_s()
            self._wanted.update(here.wants)
        return True

    def tick(self) -> None:
        """Once a second: what has changed, what is asked for, and what there is."""
        self.look()
        if not self.is_followed:
            return
        wanted, self._wanted = self._wanted, set()
        sent = {name: store for name, store in self._stores.items() if store.number}
        for name, store in sent.items():
            if name in wanted:
                self._send(name, store, store.image, whole=True)
        numbers = {name: store.number for name, store in sent.items()}
        beats = {name: beat for name in numbers if (beat := self._files.beat(name))}
        said = Stores(self._session, numbers, beats)
        self._publish(STAND_BY_STORES.message(self._site, payload=said))

    def look(self) -> bool:
        """Send what has been committed since the last look; whether anything was. What is answered
        only once the broker has this is not lost with this process."""
        if not self.is_followed:
            self.close()
            return False
        is_news = False
        there = self._files.there()
        for name in [name for name in self._stores if name not in there]:
            self._stores.pop(name).images.close()
        self.fault = ""
        for name, path in there.items():
            store = self._stores.setdefault(name, _Store(path))
            try:
                image = store.images.latest()
            except DatabaseError as error:
                self.fault = str(error)
                continue
            if image is not None and image != store.image:
                store.number += 1
                self._send(name, store, image, whole=store.number == 1)
                store.image = image
                is_news = True
        return is_news

    def close(self) -> None:
        """Let go of all stores."""
        for each in self._stores.values():
            each.images.close()
        self._stores.clear()

    def _send(self, name: str, store: _Store, image: bytes, *, whole: bool) -> None:
        """`image` in the place of what was sent before."""
        parts = list(_parts(differences(b"" if whole else store.image, image)))
        told = hashlib.sha256(image).hexdigest()
        for at, runs in enumerate(parts):
            part = Part(
                session=self._session,
                store=name,
                number=store.number,
                part=at,
                parts=len(parts),
                whole=whole,
                size=len(image),
                sha256=told,
                runs=runs,
            )
            self._publish(STAND_BY_PART.message(self._site, payload=part))


def _parts(runs: Iterator[tuple[int, bytes]]) -> Iterator[tuple[Run, ...]]:
    """So many as go into one message, at least one."""
    ready: list[Run] = []
    size = 0
    for first, data in runs:
        for begin in range(0, len(data), MOST_BYTES):
            piece = data[begin : begin + MOST_BYTES]
            if ready and size + len(piece) > MOST_BYTES:
                yield tuple(ready)
                ready, size = [], 0
            ready.append(Run(first + begin // PAGE, piece))
            size += len(piece)
    yield tuple(ready)
