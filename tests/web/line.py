"""The network between a screen and the room: a line that is cut, or holds what it carries."""

from __future__ import annotations

import asyncio
import re
from typing import Literal, cast

_TOLD = re.compile(rb'"now_ms":(\d+)[,}]')
_LONGEST = 40

Way = Literal["open", "held", "cut"]


class Line:
    """Takes connections at `port` and makes them to port `to` of the room, while there is one.

    `told_ms` is the room's time in the last picture that went to the newest stream; None before
    the first.
    """

    def __init__(self) -> None:
        self.to: int | None = None
        self.way: Way = "open"
        self.trickles = False
        self.told_ms: int | None = None
        self.newest: _Call | None = None
        self.calls: set[_Call] = set()

    async def open(self) -> None:
        """Begin to take connections."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Call(self), "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]

    def set(self, way: Way) -> None:
        """Be cut, hold what comes from now on, or carry it and what was held."""
        self.way = way
        self.trickles = False
        for call in list(self.calls):
            if way == "cut":
                call.hang_up()
            elif way == "open":
                call.release()

    def trickle(self) -> None:
        """Carry the older half of what the room has said while this line holds."""
        self.trickles = True
        for call in self.calls:
            call.trickle()

    def close(self) -> None:
        """End, and all connections with it."""
        self._server.close()
        self.set("cut")


class _Call(asyncio.Protocol):
    """One connection of a screen's; `_Room` is its other end."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._room: asyncio.Transport | None = None
        self._to_room: list[bytes] = []
        self._to_screen: list[bytes] = []
        self._over = False
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._screen = cast(asyncio.Transport, transport)
        self._line.calls.add(self)
        if self._line.way == "cut":
            self.hang_up()
        else:
            self._task = asyncio.get_running_loop().create_task(self._reach())

    async def _reach(self) -> None:
        loop, to = asyncio.get_running_loop(), self._line.to
        try:
            if to is None:
                raise ConnectionRefusedError
            self._room, _ = await loop.create_connection(lambda: _Room(self), "127.0.0.1", to)
        except OSError:
            self.hang_up()
        else:
            self.release()

    def data_received(self, data: bytes) -> None:
        if b"/events HTTP" in data[:200]:
            self._line.newest, self._line.told_ms = self, None
        self._to_room.append(data)
        self.release()

    def told(self, data: bytes) -> None:
        """The room has said something."""
        self._to_screen.append(data)
        self.release()

    def release(self) -> None:
        """Carry what waits, if the line does."""
        if self._line.way != "open" or self._room is None:
            return
        if not self._room.is_closing():
            self._room.writelines(self._to_room)
        self._to_room = []
        self._carry(len(self._to_screen))
        if self._over:
            self._screen.close()
            self._room.close()

    def trickle(self) -> None:
        """Carry the older half of what waits for the screen."""
        self._carry(len(self._to_screen) // 2)

    def _carry(self, count: int) -> None:
        for data in self._to_screen[:count]:
            if not self._screen.is_closing():
                self._screen.write(data)
            self._note(data)
        del self._to_screen[:count]

    def _note(self, data: bytes) -> None:
        text = self._tail + data
        self._tail = text[-_LONGEST:]
        found = _TOLD.findall(text)
        if found and self._line.newest is self:
            self._line.told_ms = int(found[-1])

    def connection_lost(self, _error: Exception | None) -> None:
        self._line.calls.discard(self)
        self.over()

    def over(self) -> None:
        """One end has hung up."""
        self._over = True
        self._says_no_more()
        self.release()

    def _says_no_more(self) -> None:
        if self._line.newest is self and self._line.told_ms is None:
            self._line.told_ms = 0

    def hang_up(self) -> None:
        """Break it off without a word."""
        self._line.calls.discard(self)
        self._says_no_more()
        self._screen.abort()
        if self._room is not None:
            self._room.abort()


class _Room(asyncio.Protocol):
    def __init__(self, call: _Call) -> None:
        self._call = call

    def data_received(self, data: bytes) -> None:
        self._call.told(data)

    def connection_lost(self, _error: Exception | None) -> None:
        self._call.over()
