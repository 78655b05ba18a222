"""What has been said and not yet been acknowledged by the broker."""

from __future__ import annotations

from itertools import islice
from typing import Protocol

from msgspec import Struct

from controller.contract.messages import Message, goes_first


class Pending(Struct, frozen=True):
    """A message that waits; `key` ascends in the order of putting, `at_s` is when it was put."""

    key: int
    at_s: float
    message: Message


class Outbox(Protocol):
    """Messages of QoS 1, to be sent in the order in which they were put, but that of a topic that
    `goes_first` overtakes all others.

    `dropped` counts those that were given up because there were too many.
    """

    dropped: int

    def put(self, message: Message, at_s: float) -> None:
        """Append. A retained message takes the place of an older one for the same topic."""

    def take(self, most: int) -> list[Pending]:
        """Up to `most` of those that were not taken yet, in the order of sending."""

    def rewind(self) -> None:
        """All that waits is to be taken again."""

    def done(self, key: int) -> None:
        """Forget one; a key that is no longer there is no error."""

    def holds(self, topic: str) -> bool:
        """Whether a retained message for this topic waits."""

    def __len__(self) -> int: ...


class _Lane:
    """Messages that wait, the oldest first, and up to which of them was taken."""

    def __init__(self) -> None:
        self.waiting: dict[int, Pending] = {}
        self.taken = 0

    def take(self, most: int) -> list[Pending]:
        untaken = (each for each in self.waiting.values() if each.key > self.taken)
        found = list(islice(untaken, most))
        if found:
            self.taken = found[-1].key
        return found


class MemoryOutbox:
    """An outbox that dies with the process.

    Beyond `limit` messages the oldest is given up and counted in `dropped`: none that goes first,
    while there is another.
    """

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._last_key = 0
        self._first = _Lane()
        self._others = _Lane()
        self._retained: dict[str, int] = {}
        self.dropped = 0

    def put(self, message: Message, at_s: float) -> None:
        """Append; see `Outbox`."""
        self._last_key += 1
        if message.retain:
            self._forget(self._retained.get(message.topic, 0))
            self._retained[message.topic] = self._last_key
        lane = self._first if goes_first(message.topic) else self._others
        lane.waiting[self._last_key] = Pending(self._last_key, at_s, message)
        if len(self) > self._limit:
            self._forget(next(iter(self._others.waiting or self._first.waiting)))
            self.dropped += 1

    def take(self, most: int) -> list[Pending]:
        """Up to `most` of those that were not taken yet; see `Outbox`."""
        found = self._first.take(most)
        return found + self._others.take(most - len(found))

    def rewind(self) -> None:
        """All that waits is to be taken again."""
        self._first.taken = self._others.taken = 0

    def done(self, key: int) -> None:
        """Forget one; a key that is no longer there is no error."""
        self._forget(key)

    def holds(self, topic: str) -> bool:
        """Whether a retained message for this topic waits."""
        return topic in self._retained

    def __len__(self) -> int:
        return len(self._first.waiting) + len(self._others.waiting)

    def _forget(self, key: int) -> None:
        gone = self._first.waiting.pop(key, None) or self._others.waiting.pop(key, None)
        if gone and gone.message.retain and self._retained.get(gone.message.topic) == key:
            del self._retained[gone.message.topic]
