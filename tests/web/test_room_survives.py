"""`cutcard room` with a real mosquitto, killed in mid-level, and with a store that is damaged."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from controller.broker.client import MqttClient
from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from controller.contract.messages import ROOM_CLOCK, RoomClock
from controller.room.clock import SHORT_MS
from tests.waiting import PATIENCE_S, wait_until
from tests.web.hall import joined
from tests.web.room_process import room

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")
SITE = "hall"


@pytest.fixture(scope="module")
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, ["T1"], kind="mosquitto") as broker:
        yield broker


@cache
def let_in(url: str) -> dict[str, str]:
    return joined(url)


def picture(url: str) -> dict[str, Any]:
    request = urllib.request.Request(f"{url}clock.json", headers=let_in(url))  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
        found: dict[str, Any] = json.load(answer)
    return found


def act(url: str, name: str, **fields: object) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310
        f"{url}clock/{name}",
        json.dumps(fields).encode(),
        let_in(url),
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
        found: dict[str, Any] = json.load(answer)
    return found


def clock_at(broker: RunningBroker) -> RoomClock | None:
    """What the broker has kept of the clock."""

    async def ask() -> RoomClock | None:
        heard: asyncio.Future[RoomClock] = asyncio.get_running_loop().create_future()
        client = MqttClient(broker.screen, "test-screen")
        client.subscribe(ROOM_CLOCK.filter(SITE))
        client.start(lambda each: heard.set_result(ROOM_CLOCK.decode(each.payload).value))
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await heard
        except TimeoutError:
            return None
        finally:
            await client.close()

    return asyncio.run(ask())


def test_killed_in_mid_level_it_comes_back_as_it_was(broker: RunningBroker, tmp_path: Path) -> None:
    """Unless the machine is so slow that the room is away for long; then once more."""
    stores = (tmp_path / f"room-{n}.sqlite" for n in range(4))
    assert any(comes_back_as_it_was(broker, store) for store in stores)


def comes_back_as_it_was(broker: RunningBroker, store: Path) -> bool:
    """False if it was not there for longer than the room takes for a moment."""
    with room(broker, store) as (url, pid):
        act(url, "start")
        act(url, "go", index=3)
        act(url, "time", by_ms=-600_000)
        act(url, "notice", text="Tea at nine")
        deadline = picture(url)["clock"]["deadline_ms"]
        wait_until(lambda: (kept := clock_at(broker)) is not None and kept.deadline_ms == deadline)
        killed = time.monotonic()
        os.kill(pid, signal.SIGKILL)
    with room(broker, store) as (url, _pid):
        here = picture(url)
        if here["state"] == "question":
            assert time.monotonic() - killed > SHORT_MS / 1000
            return False
        assert (here["state"], here["clock"]["deadline_ms"]) == ("running", deadline)
        assert (here["clock"]["level"], here["clock"]["index"]) == (4, 3)
        assert here["tournament"]["notices"][0]["text"] == "Tea at nine"
        did = [each["text"].partition(" ")[2] for each in here["history"]]
        assert did == [
            "started the clock",
            "moved the clock to level 4",
            "took 10:00 off level 4",
            "put up a notice: Tea at nine",
        ]
        kept = clock_at(broker)
        assert kept is not None
        assert kept.deadline_ms == deadline
        return True


def test_away_for_longer_it_asks_and_never_tells_the_tables_otherwise(
    broker: RunningBroker, tmp_path: Path
) -> None:
    store = tmp_path / "room.sqlite"
    began = time.monotonic()
    with room(broker, store, "--start") as (url, pid):
        deadline = picture(url)["clock"]["deadline_ms"]
        wait_until(lambda: (kept := clock_at(broker)) is not None and kept.deadline_ms == deadline)
        os.kill(pid, signal.SIGKILL)
        killed = time.monotonic()
    time.sleep(5.5)
    ran = killed - began
    with room(broker, store) as (url, _pid):
        least = time.monotonic() - killed
        here = picture(url)
        most = time.monotonic() - killed
        assert here["state"] == "question"
        assert here["clock"]["question"]["cause"] == "restart"
        stood, caught = here["left_ms"], here["catch_up"]["left_ms"]
        assert 0 <= 1_200_000 - stood <= ran * 1_000
        # It was alive for up to a second after it has last said so.
        assert least * 1_000 - 500 <= stood - caught <= (ran + most) * 1_000
        wait_until(lambda: (kept := clock_at(broker)) is not None and kept.state == "question")
        assert act(url, "answer", choice="catch-up")["state"] == "running"
        assert caught - 60_000 < picture(url)["left_ms"] <= caught


@pytest.mark.parametrize("store_is", ["damaged", "gone"])
def test_without_its_store_it_goes_on_with_what_the_broker_has_kept(
    broker: RunningBroker, tmp_path: Path, store_is: str
) -> None:
    store = tmp_path / "room.sqlite"
    with room(broker, store, "--start") as (url, pid):
        act(url, "go", index=2)
        deadline = picture(url)["clock"]["deadline_ms"]
        wait_until(lambda: (kept := clock_at(broker)) is not None and kept.deadline_ms == deadline)
        os.kill(pid, signal.SIGKILL)
    if store_is == "damaged":
        for file in (store, store.with_name("room.sqlite-wal")):
            file.write_bytes(b"\xa5" * 9_000)
    else:
        for file in tmp_path.iterdir():
            file.unlink()
    with room(broker, store) as (url, _pid):
        wait_until(lambda: picture(url)["state"] == "question")
        here = picture(url)
        assert (here["clock"]["level"], here["clock"]["question"]["cause"]) == (3, "recovered")
        assert here["clock"]["question"]["deadline_ms"] == deadline
        assert any("damaged" in fault for fault in here["faults"]) == (store_is == "damaged")
    assert store.with_name("room.sqlite.bad-1").exists() == (store_is == "damaged")


def test_a_second_room_stands_by_and_shows_the_clock_of_the_first(
    broker: RunningBroker, tmp_path: Path
) -> None:
    with room(broker, tmp_path / "a.sqlite", "--start") as (first, _pid):
        act(first, "go", index=3)
        wait_until(lambda: (kept := clock_at(broker)) is not None and kept.level == 4)
        with room(broker, tmp_path / "b.sqlite") as (second, _):
            wait_until(lambda: picture(second)["stands_by"])
            wait_until(lambda: picture(second)["clock"]["level"] == 4)
            asked = time.monotonic()
            one, two = picture(first), picture(second)
            took_ms = (time.monotonic() - asked) * 1_000
            assert abs(one["left_ms"] - two["left_ms"]) < 500 + took_ms
            with pytest.raises(urllib.error.HTTPError) as caught:
                act(second, "next")
            with caught.value as refused:
                assert "another room is in charge" in json.load(refused)["error"]


def test_two_rooms_cannot_have_one_store(broker: RunningBroker, tmp_path: Path) -> None:
    store = tmp_path / "room.sqlite"
    with room(broker, store):
        ended = subprocess.run(
            [sys.executable, "-m", "display.web.command", "--web-port", "0", "--store", str(store)],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert ended.returncode == 2
    assert "another room has it open" in ended.stderr
    assert ended.stderr.count("\n") == 1
