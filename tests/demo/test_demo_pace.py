"""A table that stands still for a moment is waited for: what it finds at once has no order."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest
from msgspec.json import encode

from controller.contract.view import TableView
from controller.demo.pace import BACK_S, LOOK_S, Pace
from controller.demo.screen import UnseenScreen
from controller.demo.table import BUTTONS, ZONES
from firmware_bridge.virtual.table import VirtualTable
from tests.waiting import wait_until


class Standing:
    """A table that is behind, or away, for so many looks."""

    def __init__(self, behind: int = 0, away: int = 0) -> None:
        self.behind, self.away = behind, away
        self.slept: list[float] = []

    @property
    def is_watched(self) -> bool:
        return not self.away

    @property
    def is_behind(self) -> bool:
        return self.behind > 0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def look(self, seconds: float) -> None:
        assert seconds == LOOK_S
        self.behind, self.away = max(self.behind - 1, 0), max(self.away - 1, 0)


@pytest.mark.parametrize(
    ("behind", "away", "slept"),
    [(0, 0, [1.6]), (1, 0, [1.6]), (9, 0, [1.6, 1.6]), (0, 9, [1.6, BACK_S])],
    ids=["at rest", "it has just been told", "it stood still", "it was away"],
)
def test_the_next_thing_comes_a_pause_after_the_table_looks(
    behind: int, away: int, slept: list[float]
) -> None:
    table = Standing(behind, away)
    asyncio.run(Pace(table, table.sleep, table.look).pause(1.6))
    assert table.slept == slept


def test_a_port_knows_what_nobody_has_read() -> None:
    virtual = VirtualTable(ZONES, BUTTONS, clock=lambda: 0.0)
    assert virtual.unread == 0
    virtual.press(3, "check")
    virtual.disturb(b"xyz")
    wait_until(lambda: virtual.unread > 3)  # a pty hands on what is written in its own time
    port = os.open(virtual.port, os.O_RDONLY | os.O_NOCTTY)
    read = b""
    while not read.endswith(b"xyz"):
        read += os.read(port, 4096)
    assert virtual.unread == 0
    virtual.disturb(read)
    wait_until(lambda: virtual.unread == len(read))
    os.close(port)
    virtual.unplug()
    assert virtual.unread == 0


def test_the_screen_knows_what_the_table_has_not_read(tmp_path: Path) -> None:
    view = TableView(table="T1", rulebook="uk-tda")

    async def run(door: socket.socket) -> None:
        screen = UnseenScreen(tmp_path / "dealer.sock", view)
        screen.enter(kind="riffle")
        assert screen.unread > 0
        shown = asyncio.create_task(screen.run())
        table, _ = await asyncio.get_running_loop().sock_accept(door)
        with table:
            table.sendall(b'{"kind":"view","view":' + encode(view) + b"}\n")
            while not screen.is_connected:  # noqa: ASYNC110 - a socket brings it about
                await asyncio.sleep(0.01)
            assert screen.unread > 0
            assert table.recv(4096) == b'{"kind":"riffle"}\n'
            assert screen.unread == 0
            shown.cancel()
            await asyncio.wait([shown])

    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "dealer.sock"))
        door.listen()
        door.setblocking(False)
        asyncio.run(run(door))
