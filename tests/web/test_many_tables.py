"""The floor's stream and its page in a room of many tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Page, expect

from controller.broker.client import Incoming
from controller.contract.messages import TABLE_STATE, RoomClock, State
from controller.contract.sight import Silence
from controller.room.tables import TableSeen
from controller.room.view import RoomView
from controller.table.commands import Accepted
from display.web.floor import MANY_TABLES, floor, floor_in_between
from tests.commands.fake_table import SITE
from tests.web.floor_page import act, opened
from tests.web.hall import Hall

CLOCK = RoomClock(0, 1, False, None, None, False, 60_000)


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


@pytest.fixture
def big_hall(fresh_hall: Hall) -> Hall:
    """One with a hundred tables more."""

    def many() -> None:
        for n in range(MANY_TABLES):
            said = TABLE_STATE.message(SITE, f"M{n}", payload=State("ready", "s", "1"))
            fresh_hall.room.received(Incoming(said.topic, said.payload, False))

    fresh_hall.do(many)
    fresh_hall.until(lambda: len(fresh_hall.room.view().tables) > MANY_TABLES)
    return fresh_hall


def test_a_page_is_told_all_tables_first_and_then_what_changes(big_hall: Hall) -> None:
    first, second = islice(pictures(big_hall), 2)
    assert isinstance(first["tables"], list)
    assert len(first["tables"]) > MANY_TABLES
    assert second["tables"] is None


def test_the_page_keeps_the_tables_while_only_the_rest_is_told(phone: Page, big_hall: Hall) -> None:
    errors: list[str] = []
    phone.on("pageerror", lambda error: errors.append(str(error)))
    opened(phone, big_hall)
    phone.click("[data-to=tables]")
    expect(phone.locator("#tables .more")).to_have_text("41 more: type to find them")
    big_hall.alert("T1", 1, "Four-card flop")  # what comes now comes without them
    phone.fill("#table-search", "T1")
    expect(phone.locator("#tables .row em")).to_have_text("Stop")
    phone.click("[data-to=alerts]")
    expect(act(phone, "T1/1", "take")).to_be_visible()
    phone.click("[data-to=duty]")
    phone.click("#new-section")
    phone.fill("#ask-fields input", "Front")
    assert phone.locator("#ask-fields input[type=checkbox]").count() == MANY_TABLES + 1
    phone.click("#ask-cancel")
    assert errors == []


def test_a_mute_is_ended_in_the_hand_that_runs_though_it_was_told_later(
    phone: Page, big_hall: Hall
) -> None:
    table = big_hall.tables["T1"]
    big_hall.do(lambda: table.show(silent=(Silence("burn-premature", None, 14),)))
    opened(phone, big_hall)
    phone.click("[data-to=tables]")
    mute = phone.locator("#mutes .row")
    expect(mute).to_contain_text("hands left: 3")
    phone.fill("#table-search", "T1")
    expect(phone.locator("#tables .row")).to_contain_text("Hand 12")
    big_hall.do(lambda: table.show(hand=13))
    expect(mute).to_contain_text("hands left: 2")
    expect(phone.locator("#tables .row")).to_contain_text("Hand 13")
    mute.get_by_role("button").tap()
    big_hall.until(lambda: table.verdicts)
    assert isinstance(table.verdicts[0], Accepted)
