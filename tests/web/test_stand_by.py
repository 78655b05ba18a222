"""Two rooms of one site at a real broker: one is killed in the middle of its work, and the other
has all that it had."""

from __future__ import annotations

import asyncio
import signal
import threading
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from controller.files.settings import config_dir
from controller.room.structure import load_structure
from controller.stand_by.leading import Leading
from display.web.command import RoomOptions, serve
from tests.commands.fake_table import SITE
from tests.waiting import PATIENCE_S, wait_until
from tests.web.two_rooms import Client, Room

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


@pytest.fixture(scope="module")
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, ["T1"], kind="mosquitto") as broker:
        yield broker


@pytest.fixture
def rooms() -> Iterator[list[Room]]:
    begun: list[Room] = []
    yield begun
    for each in begun:
        each.kill()


@pytest.fixture
def pair(broker: RunningBroker, tmp_path: Path, rooms: list[Room]) -> tuple[Room, Room, Client]:
    """One leads, with a clock that runs and a page; the other stands by."""
    first = Room(broker, tmp_path / "a")
    rooms.append(first)
    client = Client(first)
    client.ask("clock/start", {})
    second = Room(broker, tmp_path / "b")
    rooms.append(second)
    second.has_all()
    return first, second, client


def test_killed_under_load_the_other_room_has_all_of_it(
    broker: RunningBroker, tmp_path: Path, rooms: list[Room], pair: tuple[Room, Room, Client]
) -> None:
    first, second, client = pair
    client.ask("events", {"id": "turbo", "name": "Turbo"})
    answered: list[str] = []

    def enter() -> None:
        for number in range(10_000):
            try:
                client.ask("players/enter", {"name": f"Player {number}"})
            except (OSError, urllib.error.URLError):
                return
            answered.append(f"Player {number}")

    entering = threading.Thread(target=enter)
    entering.start()
    wait_until(lambda: len(answered) > 30)
    first.kill()
    entering.join()
    second.leads()
    client.room = second
    assert set(answered) <= client.names()
    assert client.ask("clock.json")["state"] == "running"

    again = Room(broker, tmp_path / "a")
    rooms.append(again)
    again.has_all()
    client.ask("players/enter", {"name": "Later"})
    second.kill()
    again.leads()
    client.room = again
    assert {"Later", *answered} <= client.names()
    assert client.ask("event/turbo/clock.json")["state"] == "ready"

    again.kill()
    alone = Room(broker, tmp_path / "a")
    rooms.append(alone)
    alone.leads()
    client.room = alone
    assert {"Later", *answered} <= client.names()
    assert client.ask("event/turbo/clock.json")["state"] == "ready"


def test_one_that_stood_still_ends_when_it_hears_that_its_place_is_taken(
    pair: tuple[Room, Room, Client],
) -> None:
    first, second, client = pair
    first.process.send_signal(signal.SIGSTOP)
    second.leads()
    first.process.send_signal(signal.SIGCONT)
    assert first.process.wait(PATIENCE_S) == 0
    wait_until(lambda: any("leads in this one's place" in line for line in first.said))
    client.room = second
    assert client.ask("clock.json")["state"] == "running"


def test_a_bug_in_telling_the_other_room_is_loud(
    broker: RunningBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(_leading: Leading) -> None:
        raise RuntimeError("of this test")

    monkeypatch.setattr(Leading, "tick", bug)
    options = RoomOptions(
        broker.room,
        load_structure(config_dir() / "blinds" / "standard.toml"),
        site=SITE,
        store=tmp_path / "room.sqlite",
        stand_by=True,
    )

    async def room() -> None:
        async with asyncio.timeout(PATIENCE_S):
            await serve(options, asyncio.Event())

    with pytest.raises(RuntimeError, match="of this test"):
        asyncio.run(room())
