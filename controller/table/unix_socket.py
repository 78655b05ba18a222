"""A Unix socket that is its owner's alone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def served(
    path: Path,
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    *,
    limit: int,
) -> AsyncIterator[None]:
    """A context in which `serve` gets whoever comes to `path`, with lines of `limit` bytes at most.
    Those who are there as it ends are cut off. Raises OSError where the socket can't be made."""
    there = set[asyncio.StreamWriter]()

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there.add(writer)
        try:
            await serve(reader, writer)
        finally:
            there.discard(writer)

    _remove(path)
    mask = os.umask(0o177)
    try:
        server = await asyncio.start_unix_server(serve_one, path, limit=limit)
    finally:
        os.umask(mask)
    try:
        yield
    finally:
        server.close()  # `async with server` waits for all to go away, from Python 3.12 on
        for writer in there:
            writer.transport.abort()  # who does not read any more would never let go
        _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
