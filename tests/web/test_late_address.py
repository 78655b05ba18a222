"""A room that systemd starts before its machine has the address of its pages."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from pathlib import Path

import pytest

from controller.broker.client import Endpoint
from controller.files.settings import config_dir
from controller.process.notify import Notifier
from controller.room.structure import load_structure
from display.web import command
from display.web.command import RoomError, RoomOptions, serve
from display.web.serving.listener import Listener, has_address
from tests.waiting import PATIENCE_S

ELSEWHERE = "203.0.113.7"
"""For documentation (RFC 5737): no machine's."""


def options(host: str) -> RoomOptions:
    structure = load_structure(config_dir() / "blinds" / "standard.toml")
    return RoomOptions(Endpoint("127.0.0.1", 1), structure, site="hall", web_host=host)


def said(supervisor: socket.socket) -> list[bytes]:
    lines: list[bytes] = []
    while True:
        try:
            lines.append(supervisor.recv(100))
        except BlockingIOError:
            return lines


def test_an_address_of_this_machine_is_told_from_one_of_another() -> None:
    assert has_address("127.0.0.1")
    assert has_address("0.0.0.0")  # noqa: S104
    assert not has_address(ELSEWHERE)
    assert not has_address("no-such-name.invalid")


def test_its_pages_are_there_once_the_machine_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has = iter((False, False, True))
    monkeypatch.setattr(command, "has_address", lambda _host: next(has))
    supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    supervisor.bind(str(tmp_path / "notify"))
    supervisor.setblocking(False)
    before: list[bytes] = []

    async def room() -> None:
        stop = asyncio.Event()
        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})

        def ready(_served: object) -> None:
            before.extend(said(supervisor))
            stop.set()

        async with asyncio.timeout(PATIENCE_S):
            await serve(options("127.0.0.1"), stop, ready, notifier)

    with supervisor:
        asyncio.run(room())
    assert before == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    told = capsys.readouterr().err
    assert told.count("waits for 127.0.0.1, an address that this machine does not have yet") == 1


def test_while_it_waits_it_can_be_stopped(tmp_path: Path) -> None:
    supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    supervisor.bind(str(tmp_path / "notify"))

    async def room() -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.2, stop.set)
        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        async with asyncio.timeout(PATIENCE_S):
            await serve(options(ELSEWHERE), stop, notifier=notifier)

    with supervisor:
        asyncio.run(room())


def test_in_a_terminal_it_says_so_and_ends() -> None:
    with pytest.raises(RoomError, match=f"on {ELSEWHERE}: .*; give another"):
        asyncio.run(serve(options(ELSEWHERE), asyncio.Event()))


def test_a_port_that_is_taken_is_no_late_address() -> None:
    with Listener("127.0.0.1", 0) as taken:
        with pytest.raises(OSError, match=os.strerror(errno.EADDRINUSE)):
            Listener("127.0.0.1", taken.getsockname()[1])
        assert has_address("127.0.0.1")
