"""The network between a client and the broker: it can be slow, dead without a word, or cut."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from controller.broker.ports import LOOPBACK

_CHUNK = 65536


class Network:
    """Takes connections on `port` and passes them on to the broker's."""

    def __init__(self, to: int) -> None:
        self.delay_s = 0.0
        self.port = 0
        self._to = to
        self._alive = asyncio.Event()
        self._alive.set()
        self._cut = False
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listens."""
        self._server = await asyncio.start_server(self._serve, LOOPBACK, 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """All connections end, and new ones too."""
        self._cut = True
        self.drop()

    def drop(self) -> None:
        """All connections end, with whatever is on its way."""
        for writer in list(self._writers):
            writer.transport.abort()

    def die(self) -> None:
        """Nothing passes, and no connection ends."""
        self._alive.clear()

    def heal(self) -> None:
        """All is well; connections that stood still have broken."""
        if not self._alive.is_set():
            self.drop()
        self._cut, self.delay_s = False, 0.0
        self._alive.set()

    async def close(self) -> None:
        """Ends."""
        self.cut()
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection(LOOPBACK, self._to)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, far_writer}
        self._writers |= both
        tasks = {
            asyncio.create_task(self._pump(reader, far_writer)),
            asyncio.create_task(self._pump(far_reader, writer)),
        }
        self._tasks |= tasks
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks -= tasks
        for each in both:
            each.transport.abort()
        self._writers -= both

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while chunk := await reader.read(_CHUNK):
                await self._alive.wait()
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                writer.write(chunk)
                await writer.drain()
