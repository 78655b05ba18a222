"""A journal that a newer version wrote, or that is none, is left alone, and the table says so: to
whoever started it, and at the dealer's screen for as long as its service is up."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.table.felt import write_table
from tests.waiting import PATIENCE_S, answers, wait_until

NEWER = "it was written by a newer version of cutcard"
FOREIGN = "it is another program's"
STATEMENTS = {NEWER: "PRAGMA user_version=99", FOREIGN: "CREATE TABLE notes(text TEXT)"}


@pytest.fixture(params=[NEWER, FOREIGN])
def words(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def journal(tmp_path: Path, words: str) -> Path:
    write_table(tmp_path, "roberts")
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as file:
        file.execute(STATEMENTS[words])
        file.commit()
    return path


@contextmanager
def a_table(folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    arguments = ["table", "--config", str(folder / "table.toml")]
    with subprocess.Popen(
        [sys.executable, "-m", "controller", *arguments],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_ends_at_once_and_is_not_to_be_begun_again(
    tmp_path: Path, journal: Path, words: str
) -> None:
    before = journal.read_bytes()
    with a_table(tmp_path, NOTIFY_SOCKET="") as process:
        _, said = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 2
    assert said.endswith(f"cutcard table: {journal}: {words}\n")
    assert journal.read_bytes() == before


def test_a_service_stays_and_its_screens_say_why(tmp_path: Path, journal: Path, words: str) -> None:
    before = journal.read_bytes()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        with a_table(tmp_path, NOTIFY_SOCKET=str(tmp_path / "notify")) as process:
            assert systemd.recv(400) == b"READY=1"
            assert systemd.recv(400) == f"STATUS=refused: {journal}: {words}".encode()
            why = "newer" if words == NEWER else "foreign"
            assert told(tmp_path / "dealer.sock") == {"kind": "refused", "why": why}
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 2
            assert systemd.recv(400) == b"STOPPING=1"
    assert journal.read_bytes() == before


def told(path: Path) -> dict[str, Any]:
    """What a dealer's screen is told."""
    wait_until(lambda: answers(path))
    with socket.socket(socket.AF_UNIX) as screen, screen.makefile("rb") as lines:
        screen.settimeout(PATIENCE_S)
        screen.connect(str(path))
        line: dict[str, Any] = json.loads(lines.readline())
    return line
