"""The floor page while its room is killed and begins anew: what was taken is still taken."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from controller.broker import RunningBroker, find_mosquitto, free_port
from tests.commands.fake_table import SITE, FakeTable
from tests.web.floor_page import act, card, owner
from tests.web.hall import CODE, JOIN

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


@contextmanager
def room(broker: RunningBroker, store: Path, port: int) -> Iterator[str]:
    """A room of its own process, killed at the end."""
    at = broker.room
    words = ["--json", "--site", SITE, "--web-port", str(port), "--store", str(store)]
    words += ["--broker", f"{at.host}:{at.port}", "--user", str(at.user)]
    with subprocess.Popen(
        [sys.executable, "-m", "display.web.command", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | JOIN | {"CUTCARD_MQTT_PASSWORD": str(at.password)},
    ) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


@contextmanager
def table(broker: RunningBroker) -> Iterator[tuple[FakeTable, asyncio.AbstractEventLoop]]:
    """A table that lives while rooms come and go."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    made = FakeTable(broker.tables["T1"], "T1")
    loop.call_soon_threadsafe(made.start)
    try:
        yield made, loop
    finally:
        asyncio.run_coroutine_threadsafe(made.client.close(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


def test_a_killed_room_comes_back_with_what_was_taken_and_tells_what_was_missed(
    phone: Page, broker: RunningBroker, tmp_path: Path
) -> None:
    store, port = tmp_path / "room.sqlite", free_port()
    with table(broker) as (there, loop):

        def alert(number: int) -> None:
            now_ms = time.time_ns() // 1_000_000
            loop.call_soon_threadsafe(lambda: there.alert(number, "Four-card flop", at=now_ms))

        with room(broker, store, port) as url:
            alert(1)
            phone.goto(f"{url}join?{urlencode({'code': CODE, 'to': '/floor'})}")
            act(phone, "T1/1", "take").tap()
            expect(owner(phone, "T1/1")).to_contain_text("You have it")
        expect(phone.locator("#offline-what")).to_contain_text("No connection", timeout=6_000)
        alert(2)
        with room(broker, store, port):
            expect(phone.get_by_test_id("offline")).to_be_hidden(timeout=15_000)
            expect(owner(phone, "T1/1")).to_contain_text("You have it")
            expect(card(phone, "T1/2")).to_be_visible()
            expect(phone.get_by_test_id("missed")).to_contain_text("Table T1 · Four-card flop")
            act(phone, "T1/1", "rule").tap()
            expect(owner(phone, "T1/1")).to_contain_text("Ruled: redeal the flop, by Demo")
