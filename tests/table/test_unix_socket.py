"""The table's sockets end with the table, whoever is still there."""

from __future__ import annotations

import asyncio
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


def test_it_ends_while_somebody_is_there(tmp_path: Path) -> None:
    asyncio.run(_ends(tmp_path / "socket"))


async def _ends(path: Path) -> None:
    there = asyncio.Queue[asyncio.StreamWriter]()

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there.put_nowait(writer)

    async with asyncio.timeout(PATIENCE_S):
        async with served(path, serve, limit=100):
            _, theirs = await asyncio.open_unix_connection(path)
            ours = await there.get()
        assert not path.exists()  # noqa: ASYNC240
        for writer in (ours, theirs):
            writer.close()
            await writer.wait_closed()
