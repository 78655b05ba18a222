"""The table's sockets end with the table, whoever is still there."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.base_events import Server
from pathlib import Path

import pytest

from controller.table.unix_socket import served
from tests.waiting import PATIENCE_S


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Server.wait_closed` as from Python 3.12 on, on any version: until all have gone away."""

    async def wait_closed(self: Server) -> None:
        while self._active_count:  # type: ignore[attr-defined] # noqa: ASYNC110
            await asyncio.sleep(0.01)

    monkeypatch.setattr(Server, "wait_closed", wait_closed)


@pytest.mark.parametrize("unread", [0, 10_000_000])
def test_it_ends_while_somebody_is_there(unread: int, tmp_path: Path) -> None:
    """Whether he reads what he is told, or has stopped to."""
    asyncio.run(_ends(tmp_path / "socket", unread))


async def _ends(path: Path, unread: int) -> None:
    there, gone = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(unread))
        there.set()
        try:
            await reader.read()
        finally:
            writer.close()
            async with asyncio.timeout(PATIENCE_S):
                with contextlib.suppress(ConnectionError):
                    await writer.wait_closed()
            gone.set()

    async with asyncio.timeout(PATIENCE_S):
        async with served(path, serve, limit=100):
            _, theirs = await asyncio.open_unix_connection(path, limit=100)
            await there.wait()
        assert not path.exists()  # noqa: ASYNC240
        await gone.wait()
    theirs.transport.abort()
