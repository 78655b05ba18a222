"""The dealer's place at the table: pictures come in, what a dealer enters goes out.

Speaks to the socket of `cutcard table` as the dealer's screen does, a JSON object a line.
"""

from __future__ import annotations

import asyncio
import fcntl
import sys
import termios
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller.contract.view import TableView

RETRY_S = 0.1
LONGEST_LINE = 256 * 1024


class _Shown(Struct, frozen=True, tag_field="kind", tag="view"):
    view: TableView


_decode = msgspec.json.Decoder(_Shown).decode


class UnseenScreen:
    """A screen without a picture. `view` is the last that the table showed."""

    def __init__(self, path: Path, view: TableView) -> None:
        """`view` stands until the table has shown one."""
        self._path = path
        self._writer: asyncio.StreamWriter | None = None
        self._unsent: list[bytes] = []
        self.view = view
        self.is_connected = False

    def enter(self, **fields: Any) -> None:  # noqa: ANN401 - the fields of an observation
        """Enters something; while the table is away it waits for it."""
        self._unsent.append(msgspec.json.encode(fields) + b"\n")
        self._flush()

    @property
    def unread(self) -> int:
        """The bytes that were entered and that the table has yet to read."""
        unsent = sum(map(len, self._unsent))
        if self._writer is None:
            return unsent
        socket = self._writer.get_extra_info("socket")
        answer = fcntl.ioctl(socket.fileno(), termios.TIOCOUTQ, bytes(4))
        return unsent + int.from_bytes(answer, sys.byteorder)

    async def run(self) -> None:
        """Stays connected until cancelled."""
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(self._path, limit=LONGEST_LINE)
            except OSError:
                await asyncio.sleep(RETRY_S)
                continue
            try:
                await self._serve(reader, writer)
            finally:
                self.is_connected, self._writer = False, None
                writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                self.view = _decode(line).view
                self.is_connected, self._writer = True, writer
                self._flush()
        except ConnectionError:
            return

    def _flush(self) -> None:
        if self._writer is not None:
            self._writer.writelines(self._unsent)
            self._unsent.clear()
