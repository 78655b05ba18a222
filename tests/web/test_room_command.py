"""`cutcard room` as a process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from controller.broker.client import PASSWORD_VARIABLE, Endpoint
from controller.broker.own import start_broker
from controller.broker.ports import LOOPBACK, free_port
from tests.waiting import PATIENCE_S, wait_until


@contextmanager
def room(
    *arguments: str, endpoint: Endpoint | None = None, start: bool = True
) -> Iterator[tuple[str, int]]:
    """A running room with a store of its own: its address and process id."""
    arguments = (*arguments, "--start") if start else arguments
    at = endpoint or Endpoint(LOOPBACK, 1)
    words = f"--site hall --web-port 0 --broker {at.host}:{at.port} --user {at.user}".split()
    with (
        tempfile.TemporaryDirectory() as state,
        subprocess.Popen(
            [sys.executable, "-m", "display.web.command", *words, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {PASSWORD_VARIABLE: at.password or "", "XDG_STATE_HOME": state},
        ) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            yield found[0], process.pid
        finally:
            process.kill()


def gone(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_an_answer_does_not_wait_for_the_browsers_acknowledgement() -> None:
    """Which a connection that goes on gets 40 ms late: for each file of a page."""
    with room() as (url, _), httpx.Client(base_url=url, timeout=PATIENCE_S) as client:

        def took() -> float:
            began = time.monotonic()
            assert client.get("healthz").status_code == 200
            return time.monotonic() - began

        took()
        wait_until(lambda: took() < 0.03)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_open_streams(number: signal.Signals) -> None:
    with (
        start_broker("hall", ["T1"]) as broker,
        room(endpoint=broker.room) as (url, pid),
        ExitStack() as stack,
    ):
        streams = [
            stack.enter_context(urllib.request.urlopen(f"{url}screen/events", timeout=PATIENCE_S))  # noqa: S310
            for _ in range(5)
        ]
        assert {stream.readline() for stream in streams} == {b"retry: 1000\n"}
        os.kill(pid, number)
        wait_until(lambda: gone(pid))
        for stream in streams:
            assert stream.read().endswith(b"}\n\n")  # closed, not torn off


def test_a_killed_room_is_said_on_the_wall_and_a_new_one_is_found(page: Page) -> None:
    port = str(free_port())
    with room("--web-port", port) as (url, pid):
        page.goto(f"{url}screen")
        expect(page.locator("#level")).to_have_text("Level 1")
        os.kill(pid, signal.SIGKILL)
        expect(page.locator("#stale")).to_contain_text("No network")
        assert re.fullmatch(r"\d\d:\d\d", page.inner_text("#clock"))
    with room("--web-port", port):
        expect(page.locator("#stale")).not_to_contain_text("No network")


def test_a_room_that_hangs_is_said_too(page: Page) -> None:
    with room() as (url, pid):
        page.goto(f"{url}screen")
        expect(page.locator("#level")).to_have_text("Level 1")
        os.kill(pid, signal.SIGSTOP)
        expect(page.locator("#stale")).to_contain_text("No network")
        os.kill(pid, signal.SIGCONT)
        expect(page.locator("#stale")).not_to_contain_text("No network")


def test_the_clock_stands_until_it_is_started(page: Page) -> None:
    with room(start=False) as (url, _pid):
        page.goto(f"{url}screen")
        expect(page.locator("#state")).to_be_visible()
        assert page.inner_text("#clock") == "20:00"
