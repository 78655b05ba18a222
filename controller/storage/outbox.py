"""What has been said and not yet been acknowledged by the broker."""

from __future__ import annotations

from itertools import islice
from typing import Protocol

from msgspec import Struct

from controller.contract.messages import Message


class Pending(Struct, frozen=True):
    """A message that waits; `key` ascends in the order of putting, `at_s` is when it was put."""

    key: int
    at_s: float
    message: Message


class Outbox(Protocol):
    """Messages of QoS 1 in the order in which they are to be sent.

    `dropped` counts those that were given up because there were too many.
    """

    dropped: int

    def put(self, message: Message, at_s: float) -> None:
        """Append. A retained message takes the place of an older one for the same topic."""

    def after(self, key: int, most: int) -> list[Pending]:
        """Up to `most` of those with a greater key, oldest first."""

    def done(self, key: int) -> None:
        """Forget one; a key that is no longer there is no error."""

    def holds(self, topic: str) -> bool:
        """Whether a retained message for this topic waits."""

    def __len__(self) -> int: ...


class MemoryOutbox:
    """An outbox that dies with the process.

    Beyond `limit` messages the oldest is given up and counted in `dropped`.
    """

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._last_key = 0
        self._waiting: dict[int, Pending] = {}
        self._retained: dict[str, int] = {}
        self.dropped = 0

    def put(self, message: Message, at_s: float) -> None:
        """Append; see `Outbox`."""
        self._last_key += 1
        if message.retain:
            self._forget(self._retained.get(message.topic, 0))
            self._retained[message.topic] = self._last_key
        self._waiting[self._last_key] = Pending(self._last_key, at_s, message)
        if len(self._waiting) > self._limit:
            self._forget(next(iter(self._waiting)))
            self.dropped += 1

    def after(self, key: int, most: int) -> list[Pending]:
        """Up to `most` of those with a greater key, oldest first."""
        if key >= self._last_key:
            return []
        return list(islice((each for each in self._waiting.values() if each.key > key), most))

    def done(self, key: int) -> None:
        """Forget one; a key that is no longer there is no error."""
        self._forget(key)

    def holds(self, topic: str) -> bool:
        """Whether a retained message for this topic waits."""
        return topic in self._retained

    def __len__(self) -> int:
        return len(self._waiting)

    def _forget(self, key: int) -> None:
        gone = self._waiting.pop(key, None)
        if gone and gone.message.retain and self._retained.get(gone.message.topic) == key:
            del self._retained[gone.message.topic]
