"""The stream of pictures for hundreds of phones: put together and encoded once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Protocol

import msgspec

from controller.room.view import RoomView
from display.web.followers import Followers
from display.web.pocket import Pocket, PocketView, pulse

MAX_PHONES = 500
"""Streams at the same time. They take no other page's place, nor does another page theirs."""
BEAT_S = 2.0
"""A page says after 3.5 s of silence that there is some: one beat may come late."""
LEAST_S = 0.1
FRESH_MS = 250


class Room(Protocol):
    """What phones need of the room."""

    @property
    def closed(self) -> bool:
        """Whether the room has ended."""

    def view(self) -> RoomView:
        """The room at this moment."""

    def changed(self) -> Awaitable[None]:
        """Return at the next change, or when the room is closed."""


class Phones:
    """All phones that follow an event. `show` is what one is shown, in a language; `followers` are
    the whole room's.

    What a phone shows is sent when it has changed; each beat has the time alone. One that reads
    slowly gets what is true when it has read, and nobody waits for it.
    """

    def __init__(
        self, room: Room, show: Callable[[RoomView, str], Pocket], followers: Followers
    ) -> None:
        self._room = room
        self._followers = followers
        self._show = show
        self._channels: dict[str, _Channel] = {}
        self._woken = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self.count = 0

    @property
    def full(self) -> bool:
        """Whether there is no place for another one."""
        return self._followers.phones >= MAX_PHONES

    async def stream(self, language: str) -> AsyncGenerator[bytes, None]:
        """Server-sent events for one phone, until the room is closed."""
        self.count += 1
        self._followers.phones += 1
        try:
            yield b"retry: 1000\n\n"
            channel = self._joined(language)
            seen = channel.version
            yield channel.whole
            if self._pump is None or self._pump.done():
                self._pump = asyncio.create_task(self._run(), name="phones")
            while True:
                if seen == channel.version:
                    await self._woken.wait()
                if self._pump.done():
                    return
                known, seen = seen, channel.version
                yield channel.pulse if known == seen else channel.whole
        finally:
            self.count -= 1
            self._followers.phones -= 1

    def _joined(self, language: str) -> _Channel:
        """What a phone that comes begins with; those that come together begin with the same."""
        view = self._room.view()
        channel = self._channels.setdefault(language, _Channel())
        if view.now_ms - channel.made_ms > FRESH_MS and channel.take(
            self._show(view, language), anew=True
        ):
            self._wake()
        return channel

    async def _run(self) -> None:
        """Look at every change and at every beat, for as long as there is a phone."""
        loop = asyncio.get_running_loop()
        due = loop.time() + BEAT_S
        try:
            while self.count and not self._room.closed:
                changed = asyncio.ensure_future(self._room.changed())
                view = self._room.view()
                news = [
                    channel.take(self._show(view, language))
                    for language, channel in self._channels.items()
                ]
                if any(news) or loop.time() >= due:
                    due = loop.time() + BEAT_S
                    self._wake()
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(due):
                        await changed
                    await asyncio.sleep(LEAST_S)
        finally:
            self._wake()

    def _wake(self) -> None:
        self._woken.set()
        self._woken = asyncio.Event()


class _Channel:
    """What phones of one language are sent: `whole` begins, `pulse` is for who knows it."""

    def __init__(self) -> None:
        self.version = 0
        self.whole = self.pulse = b""
        self.made_ms = -2 * FRESH_MS
        self._told: PocketView | None = None

    def take(self, message: Pocket, *, anew: bool = False) -> bool:
        """Whether something else is told now; `anew`: the whole has to have this moment's time."""
        changed = message.told != self._told
        if changed or anew:
            self.whole, self.made_ms, self._told = _event(message), message.now_ms, message.told
        self.pulse = _event(pulse(message))
        self.version += changed
        return changed


def _event(message: Pocket) -> bytes:
    return b"data: " + msgspec.json.encode(message) + b"\n\n"
