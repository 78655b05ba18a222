"""The floor page while its room is killed and begins anew: what was taken is still taken."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from controller.broker.own import RunningBroker, find_mosquitto
from controller.broker.ports import free_port
from tests.commands.fake_table import FakeTable
from tests.waiting import PATIENCE_S
from tests.web.floor_page import act, card, owner
from tests.web.hall import CODE
from tests.web.room_process import room

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


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
        asyncio.run_coroutine_threadsafe(made.client.close(), loop).result(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()


def test_a_killed_room_comes_back_with_what_was_taken_and_tells_what_was_missed(
    phone: Page, broker: RunningBroker, tmp_path: Path
) -> None:
    store, port = tmp_path / "room.sqlite", free_port()
    with table(broker) as (there, loop):

        def alert(number: int) -> None:
            now_ms = time.time_ns() // 1_000_000
            loop.call_soon_threadsafe(lambda: there.alert(number, "Four-card flop", at=now_ms))

        with room(broker, store, port=port) as (url, _):
            alert(1)
            phone.goto(f"{url}join?{urlencode({'code': CODE, 'to': '/floor'})}")
            act(phone, "T1/1", "take").tap()
            expect(owner(phone, "T1/1")).to_contain_text("You have it")
        expect(phone.locator("#offline-what")).to_contain_text("No connection")
        alert(2)
        with room(broker, store, port=port):
            expect(phone.get_by_test_id("offline")).to_be_hidden()
            expect(owner(phone, "T1/1")).to_contain_text("You have it")
            expect(card(phone, "T1/2")).to_be_visible()
            expect(phone.get_by_test_id("missed")).to_contain_text("Table T1 · Four-card flop")
            act(phone, "T1/1", "rule").tap()
            expect(owner(phone, "T1/1")).to_contain_text("Ruled: redeal the flop, by Demo")
