"""What a client and its broker say to each other, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

from controller.broker.ports import LOOPBACK

PUBLISH, PUBACK, SUBSCRIBE = 3, 4, 8


def packets(stream: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and body of each whole packet (MQTT 5, 2.1)."""
    at = 0
    while at < len(stream):
        kind, size, shift, begin = stream[at] >> 4, 0, 0, at + 1
        while begin < len(stream):
            size |= (stream[begin] & 0x7F) << shift
            shift, begin = shift + 7, begin + 1
            if not stream[begin - 1] & 0x80:
                break
        if begin + size > len(stream):
            return
        yield kind, stream[begin : begin + size]
        at = begin + size


class Relay:
    """Stands between a client and its broker and keeps what both say."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.said, self.heard = bytearray(), bytearray()
        self._ended = asyncio.Event()

    def acknowledged(self) -> list[int]:
        """Packet identifiers in the order in which the client has acknowledged them."""
        return [
            int.from_bytes(body[:2]) for kind, body in packets(bytes(self.said)) if kind == PUBACK
        ]

    def delivered(self) -> list[int]:
        """Packet identifiers of QoS 1 in the order in which the broker has sent them."""
        mids = []
        for kind, body in packets(bytes(self.heard)):
            if kind == PUBLISH:
                after = 2 + int.from_bytes(body[:2])
                mids.append(int.from_bytes(body[after : after + 2]))
        return mids

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, kept: bytearray
    ) -> None:
        with suppress(ConnectionError):
            while piece := await source.read(4096):
                kept += piece
                sink.write(piece)
        sink.close()
        with suppress(ConnectionError):
            await sink.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection(LOOPBACK, self._port)
        await asyncio.gather(
            self._pass(reader, forth, self.said), self._pass(back, writer, self.heard)
        )
        self._ended.set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        async with await asyncio.start_server(self._serve, LOOPBACK, 0) as server:
            yield server.sockets[0].getsockname()[1]
            await self._ended.wait()
