"""A room keeps its history while it runs, and says so."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from controller.archive.opening import open_archive
from controller.archive.running import HistoryOptions
from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from controller.files.settings import config_dir
from controller.room.structure import load_structure
from display.web.command import RoomOptions, serve
from tests.archive.halls import SITE, TellingTable
from tests.archive.nights import a_hand, told
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    with start_broker(SITE, ["T1"], kind="mosquitto") as running:
        yield running


def health(url: str) -> dict[str, Any]:
    try:
        with urlopen(f"{url}healthz") as answer:  # noqa: S310 - a page of our own
            found: dict[str, Any] = json.load(answer)
    except HTTPError as error:
        found = json.load(error)
    return found


async def health_once(url: str, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """What the room says of itself once that holds."""
    ends = time.monotonic() + PATIENCE_S
    while not holds(now := await asyncio.to_thread(health, url)):
        assert time.monotonic() < ends, now
        await asyncio.sleep(0.05)
    return now


async def a_room(
    broker: RunningBroker, store: Path, hear: Callable[[str, TellingTable], Awaitable[None]]
) -> None:
    stop, urls = asyncio.Event(), list[str]()
    options = RoomOptions(
        broker.room,
        load_structure(config_dir() / "blinds" / "standard.toml"),
        site=SITE,
        tell_tables=False,
        history=HistoryOptions(str(store)),
    )
    running = asyncio.create_task(serve(options, stop, lambda served: urls.append(served.url)))
    await until(lambda: urls)
    table = TellingTable(broker.tables["T1"], "T1")
    table.start()
    try:
        await hear(urls[0], table)
    finally:
        await table.close()
        stop.set()
        await running


def test_it_keeps_what_its_tables_say(broker: RunningBroker, tmp_path: Path) -> None:
    store = tmp_path / secrets.token_hex(4) / "history.sqlite"
    night = told([a_hand(1), a_hand(2, finding=1)])

    async def hear(url: str, table: TellingTable) -> None:
        table.say(night)
        now = await health_once(url, lambda now: now["history"]["kept"] == len(night))
        assert now["history"]["fault"] == ""
        assert now["ok"]
        reader = open_archive(store, read_only=True)
        record = reader.hand("T1", 2)
        reader.close()
        assert record is not None
        assert record.whole
        assert record.hand.findings[0].by == "Bob"

    asyncio.run(a_room(broker, store, hear))


def test_it_says_that_it_can_not_and_the_clock_goes_on(
    broker: RunningBroker, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    store = tmp_path / "file" / "history.sqlite"

    async def hear(url: str, table: TellingTable) -> None:
        table.say(told([a_hand(1)]))
        now = await health_once(
            url, lambda now: now["history"]["fault"] and now["history"]["lacks"]["waiting"]
        )
        assert now["history"]["lacks"]["waiting"]
        assert any(fault.startswith("the history can't be saved: ") for fault in now["faults"])
        assert now["ticks"]
        assert now["ok"]

    asyncio.run(a_room(broker, store, hear))


def test_a_damaged_one_is_set_aside_with_a_notice(broker: RunningBroker, tmp_path: Path) -> None:
    store = tmp_path / "history.sqlite"
    store.write_bytes(b"\xa5" * 9_000)
    night = told([a_hand(1), a_hand(2)])

    async def hear(url: str, table: TellingTable) -> None:
        table.say(night)
        now = await health_once(url, lambda now: now["history"]["kept"] == len(night))
        assert now["ok"]
        assert now["history"]["fault"] == ""
        assert now["history"]["damaged"] == f"{store}.bad-1"
        assert now["faults"] == [f"the history was damaged; it is now {store}.bad-1"]

    asyncio.run(a_room(broker, store, hear))
    assert Path(f"{store}.bad-1").read_bytes() == b"\xa5" * 9_000
    with closing(open_archive(store, read_only=True)) as archive:
        assert archive.hand("T1", 2) is not None
