"""Forty of a hundred tables are lost: the floor's page and the desk say so once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from controller.broker.own import start_broker
from controller.contract.messages import DeadButton
from controller.room.alerts import RoomAlert
from controller.room.levels import TableLevel
from controller.room.tables import TableSeen
from controller.room.view import RoomView
from display.web.desk import desk
from display.web.floor import floor
from tests.commands.fake_table import SITE
from tests.web import desk_page
from tests.web.floor_page import act, card, opened
from tests.web.hall import EVENING, Hall

NAMES = tuple(f"{n}" for n in range(1, 101))
LOST = NAMES[:40]
LISTED = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"


@pytest.fixture(scope="module")
def hall() -> Iterator[Hall]:
    with start_broker(SITE, ["T1"]) as broker:
        hall = Hall(broker, EVENING, [])
        hall.start()
        yield hall
        hall.stop()


def lost(room: RoomView, count: int, owner: str = "") -> RoomView:
    """The room with so many of its tables lost, the third of them `owner`'s to look after."""
    now_ms = room.now_ms
    alerts = tuple(
        RoomAlert(
            key=f"{name}/lost",
            table=name,
            kind="lost",
            at=now_ms - 125_000,
            priority=2,
            code="lost",
            owner=owner if number == 2 else "",
            taken_ms=now_ms if owner and number == 2 else None,
        )
        for number, name in enumerate(LOST[:count])
    )
    stop = RoomAlert(
        key="77/1", table="77", kind="finding", at=now_ms, priority=1, title="Four-card flop"
    )
    tables = tuple(
        TableSeen(name, "lost" if name in LOST[:count] else "ready", name not in LOST[:count])
        for name in NAMES
    )
    return replace(room, tables=tables, shift=replace(room.shift, alerts=(stop, *alerts)))


def streams(page: Page, path: str, picture: msgspec.Struct) -> None:
    """The page is told this again and again."""
    told: dict[str, Any] = json.loads(msgspec.json.encode(picture))

    def stream(route: Route) -> None:
        data = (json.dumps(told | {"now_ms": told["now_ms"] + n}) for n in range(3))
        body = "".join(f"data: {each}\n\n" for each in data)
        route.fulfill(content_type="text/event-stream", body=f"retry: 500\n\n{body}")

    page.route(re.compile(rf"/{path}/events(\?|$)"), stream)


def test_the_floors_page_has_one_line_and_one_card_for_all_that_are_lost(
    phone: Page, hall: Hall
) -> None:
    streams(phone, "floor", floor(lost(hall.room.view(), 40)))
    opened(phone, hall)
    expect(phone.locator("#troubles li").first).to_contain_text(
        f"40 tables offline: {LISTED} and 28 more."
    )
    group = phone.get_by_test_id("group")
    expect(group).to_have_text(f"40 tables offline: {LISTED} and 28 more. Since 2 min")
    expect(phone.get_by_test_id("alert")).to_have_count(1)  # what stops a table stands alone
    expect(card(phone, "77/1")).to_be_visible()
    expect(phone.locator("#summary")).to_have_text("41 open alerts")
    group.get_by_role("button").tap()
    expect(phone.get_by_test_id("alert")).to_have_count(41)
    expect(act(phone, "40/lost", "take")).to_be_visible()
    group.get_by_role("button").tap()
    expect(phone.get_by_test_id("alert")).to_have_count(1)


def test_whoever_looks_after_a_lost_table_has_it_beside_the_others(phone: Page, hall: Hall) -> None:
    streams(phone, "floor", floor(lost(hall.room.view(), 40, owner="Ann")))
    opened(phone, hall)
    expect(phone.get_by_test_id("group")).to_contain_text("39 tables offline: 1, 2, 4, 5")
    expect(card(phone, "3/lost")).to_have_attribute("data-mine", "")


def test_a_few_lost_tables_are_cards_of_their_own(phone: Page, hall: Hall) -> None:
    streams(phone, "floor", floor(lost(hall.room.view(), 3)))
    opened(phone, hall)
    expect(phone.get_by_test_id("alert")).to_have_count(4)
    expect(phone.get_by_test_id("group")).to_have_count(0)
    expect(phone.locator("#troubles li").first).to_contain_text("3 tables offline: 1, 2, 3.")


def levels(**of_some: Any) -> tuple[TableLevel, ...]:  # noqa: ANN401 - fields of a level
    return tuple(
        TableLevel(name, "old", None, True, True, **(of_some if name in LOST else {}))
        for name in NAMES
    )


@pytest.mark.parametrize(
    ("of_some", "said"),
    [
        ({"unanswered": True}, f"40 tables are not answering: {LISTED} and 28 more"),
        ({"trouble": "not now"}, f"Tables {LISTED} and 28 more: not now"),
    ],
    ids=["unanswered", "refused"],
)
def test_the_desk_says_once_what_many_tables_have_in_common(
    phone: Page, hall: Hall, of_some: dict[str, Any], said: str
) -> None:
    room = replace(
        hall.room.view(),
        levels=levels(**of_some),
        old_level=NAMES,
        playing=NAMES,
        state="holding",
        dead_buttons=tuple(DeadButton(name, 4) for name in NAMES[:20]),
    )
    streams(phone, "clock", desk(room, "en"))
    desk_page.opened(phone, hall)
    lines = phone.locator("#troubles li[data-kind=late]")
    places = " · ".join(f"Table {name}, seat 4" for name in NAMES[:5])
    expect(lines).to_have_text(
        [
            f"Hand in progress at {LISTED} and 88 more",
            f"Old level until the next hand: {LISTED} and 88 more",
            said,
            f"Dead buttons: {places} and 15 more",
        ]
    )


def test_the_desk_names_one_table_as_before(phone: Page, hall: Hall) -> None:
    one = (
        TableLevel("7", "waiting", None, False, True, unanswered=True),
        TableLevel("8", "waiting", None, False, True, trouble="not now"),
    )
    room = replace(hall.room.view(), levels=one, dead_buttons=(DeadButton("9", 4),))
    streams(phone, "clock", desk(room, "en"))
    desk_page.opened(phone, hall)
    expect(phone.locator("#troubles li[data-kind=late]")).to_have_text(
        ["Table 7 is not answering", "Table 8: not now", "Dead button at table 9, seat 4"]
    )
