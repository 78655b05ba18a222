"""What the services tell systemd, over a real datagram socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from controller.process.notify import Notifier
from tests.waiting import PATIENCE_S


@pytest.fixture
def listener() -> Generator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.settimeout(PATIENCE_S)
        yield sock


@pytest.mark.parametrize("abstract", [False, True])
def test_what_is_said(listener: socket.socket, tmp_path: Path, abstract: bool) -> None:
    address = f"@cutcard-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    listener.bind(address.replace("@", "\0", 1))
    notifier = Notifier({"NOTIFY_SOCKET": address})
    assert notifier.ready()
    assert notifier.alive()
    assert notifier.stopping()
    assert notifier.status("hand 7\nand more")
    assert notifier.status("")
    assert [listener.recv(300) for _ in range(5)] == [
        b"READY=1",
        b"WATCHDOG=1",
        b"STOPPING=1",
        b"STATUS=hand 7",
        b"STATUS=",
    ]


def test_a_long_status_is_cut(listener: socket.socket, tmp_path: Path) -> None:
    listener.bind(str(tmp_path / "notify"))
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")}).status("x" * 1000)
    assert len(listener.recv(2000)) == len("STATUS=") + 200


def test_nobody_listens(tmp_path: Path) -> None:
    assert not Notifier({}).ready()
    assert not Notifier({"NOTIFY_SOCKET": str(tmp_path / "none")}).ready()


def test_a_supervisor_that_reads_nothing_does_not_stop_us(
    listener: socket.socket, tmp_path: Path
) -> None:
    listener.bind(str(tmp_path / "notify"))
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    assert not all(notifier.alive() for _ in range(10_000))


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "10000000"}, 5.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}, 5.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_half_the_watchdogs_time(environment: dict[str, str], seconds: float | None) -> None:
    assert Notifier(environment).keepalive_s == seconds
