"""The streams of pictures for the pages that follow the room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from msgspec import Struct
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from controller.room.view import RoomView
from display.web.followers import Followers
from display.web.room import Event
from display.web.shared import Shared

MAX_STREAMS = 500
_BEAT_S = 1.0
_LEAST_S = 0.05
_WHOLE_S = 3.0

_ANEW_S = 30.0
"""What has not changed is sent again after as long: a page may have passed something over."""

Show = Callable[[RoomView], Struct]
Of = Callable[[RoomView], tuple[object, ...]]


class Streams:
    """All streams of an event but those of phones; they end when it is closed. `followers` are the
    whole room's."""

    def __init__(self, room: Event, followers: Followers) -> None:
        self._room = room
        self._shared = Shared()
        self._followers = followers

    def answer(self, show: Show, in_between: Show | None = None) -> Response:
        """One more page follows the room; `in_between` is shown of the pictures that come sooner
        than `_WHOLE_S` after a whole one. The same functions are drawn up once for all pages."""
        if self._followers.pages >= MAX_STREAMS:
            return PlainTextResponse("too many screens", status_code=503)
        told = self._stream(show, in_between or show)
        return StreamingResponse(told, media_type="text/event-stream")

    def changes(self, show: Show, of: Of, beat: Show) -> Response:
        """One more page follows a part of the room that is large and changes seldom: it is sent
        when what `of` gives is another, and in between there is `beat` each second."""
        if self._followers.pages >= MAX_STREAMS:
            return PlainTextResponse("too many screens", status_code=503)
        return StreamingResponse(self._seldom(show, of, beat), media_type="text/event-stream")

    async def _seldom(self, show: Show, of: Of, beat: Show) -> AsyncIterator[bytes]:
        room, seconds = self._room, asyncio.get_running_loop().time
        self._followers.pages += 1
        try:
            yield b"retry: 1000\n\n"
            next_s = whole_s = beat_s = 0.0
            shown: tuple[object, ...] | None = None
            while not room.closed:
                turn, now_s, now = room.turn, seconds(), of(room.view())
                if now != shown or now_s >= whole_s:
                    shown, whole_s, beat_s = now, now_s + _ANEW_S, now_s + _BEAT_S
                    yield b"data: " + self._shared.encoded(room, show, now_s) + b"\n\n"
                elif now_s >= beat_s:
                    beat_s = now_s + _BEAT_S
                    yield b"data: " + self._shared.encoded(room, beat, now_s) + b"\n\n"
                next_s = await self._turned(turn, max(0.0, beat_s - seconds()), next_s)
        finally:
            self._followers.pages -= 1

    async def _stream(self, show: Show, in_between: Show) -> AsyncIterator[bytes]:
        """The whole picture at every change, and every second so that silence means trouble."""
        room, seconds = self._room, asyncio.get_running_loop().time
        self._followers.pages += 1
        try:
            yield b"retry: 1000\n\n"
            next_s = whole_s = 0.0
            while not room.closed:
                turn, now_s = room.turn, seconds()
                is_whole = now_s >= whole_s
                whole_s = now_s + _WHOLE_S if is_whole else whole_s
                told = self._shared.encoded(room, show if is_whole else in_between, now_s)
                yield b"data: " + told + b"\n\n"
                next_s = await self._turned(turn, _BEAT_S, next_s)
        finally:
            self._followers.pages -= 1

    async def _turned(self, turn: int, within_s: float, next_s: float) -> float:
        """Wait for the next change, not before `next_s`, or as long as that; returns when the one
        after it may be shown."""
        room, seconds = self._room, asyncio.get_running_loop().time
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while room.turn == turn and not room.closed:
                    await room.changed()
            await asyncio.sleep(max(0.0, next_s - seconds()))
            return seconds() + _LEAST_S
        return next_s
