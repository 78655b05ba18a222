"""A web server that is to end does so, whatever is still asked of it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import Receive, Scope, Send

from display.web.serving.listener import Listener
from display.web.serving.server import Server
from tests.waiting import PATIENCE_S


async def endless(_scope: Scope, _receive: Receive, send: Send) -> None:
    """An answer that does not end, even if it is asked to."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x", "more_body": True})
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(PATIENCE_S)
    await asyncio.sleep(PATIENCE_S)


def test_no_connection_is_left_open() -> None:
    async def run() -> None:
        listener = Listener("127.0.0.1", 0)
        server = Server(endless, listener)
        answering = asyncio.create_task(server.answer())
        await server.up
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        server.should_exit = True
        await answering
        assert not server.server_state.connections
        with suppress(ConnectionResetError):
            async with asyncio.timeout(PATIENCE_S):
                await reader.read()
        writer.close()

    asyncio.run(run())
