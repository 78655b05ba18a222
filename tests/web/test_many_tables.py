"""The floor's stream in a room of many tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

import pytest

from controller.broker import start_broker
from controller.events import Blinds
from controller.messages import TABLE_STATE, RoomClock, State
from controller.mqtt import Incoming
from controller.room.structure import Entry, Structure
from controller.room.tables import TableSeen
from controller.room.view import RoomView
from display.web.floor import MANY_TABLES, floor, floor_in_between
from tests.commands.fake_table import SITE
from tests.web.hall import Hall

EVENING = Structure("Sunday", (Entry(60_000, Blinds(25, 50)),))
CLOCK = RoomClock(0, 1, False, None, None, False, 60_000)


@pytest.fixture
def hall() -> Iterator[Hall]:
    with start_broker(SITE, ["T1"]) as broker:
        hall = Hall(broker, EVENING, ["T1"])
        hall.start()
        yield hall
        hall.stop()


@pytest.mark.parametrize(("count", "told"), [(MANY_TABLES - 1, True), (MANY_TABLES, False)])
def test_many_tables_are_not_told_with_every_change(count: int, told: bool) -> None:
    tables = tuple(TableSeen(f"T{n}") for n in range(count))
    view = RoomView("hall", "Standard", 1_000, CLOCK, tables, (), heard=True, banner="")
    assert len(floor(view).tables or ()) == count
    between = floor_in_between(view)
    assert (between.tables is not None) is told
    assert between.lost == floor(view).lost


def pictures(hall: Hall) -> Iterator[dict[str, object]]:
    with hall.client("viewer") as client, client.stream("GET", "floor/events") as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line[6:])


def test_a_page_is_told_all_tables_first_and_then_what_changes(hall: Hall) -> None:
    def many() -> None:
        for n in range(MANY_TABLES):
            said = TABLE_STATE.message(SITE, f"M{n}", payload=State("ready", "s", "1"))
            hall.room.received(Incoming(said.topic, said.payload, False))

    hall.do(many)
    hall.until(lambda: len(hall.room.view().tables) >= MANY_TABLES)
    first, second = islice(pictures(hall), 2)
    assert isinstance(first["tables"], list)
    assert len(first["tables"]) >= MANY_TABLES
    assert second["tables"] is None
