"""The blinds screen in a real browser, fed by a real broker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from controller.broker.own import RunningBroker, start_broker
from controller.contract.events import Blinds
from controller.room.structure import Entry, Structure
from tests.commands.fake_table import SITE
from tests.waiting import wait_until
from tests.web.hall import Hall
from tests.web.page_time import hears, hears_nothing, passes, stands

MINUTE = 60_000

EVENING = Structure(
    "evening",
    (
        Entry(20 * MINUTE, Blinds(100, 200, 200)),
        Entry(20 * MINUTE, Blinds(5_000, 10_000, 10_000)),
        Entry(10 * MINUTE, None),
        Entry(90 * MINUTE, Blinds(100_000, 200_000, 200_000)),
        Entry(50_000, Blinds(200_000, 400_000, 400_000)),
    ),
)


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, ["T1"]) as running:
        yield running


@pytest.fixture
def hall(broker: RunningBroker) -> Iterator[Hall]:
    hall = Hall(broker, EVENING, ["T1"])
    hall.start()
    yield hall
    hall.stop()


BY = {"actor": "Ann"}
MEASURES = (Path(__file__).parent / "measures.js").read_text()


def seconds(page: Page) -> int:
    """The clock as it stands on the wall, in seconds."""
    total = 0
    for part in page.inner_text("#clock").split(":"):
        total = total * 60 + int(part)
    return total


def opened(page: Page, hall: Hall) -> Page:
    page.goto(f"{hall.url}screen")
    expect(page.locator("#level")).to_have_text(re.compile("Level|Break"))
    page.evaluate("document.fonts.ready")
    return page


def test_the_clock_counts_down_by_itself(page: Page, hall: Hall) -> None:
    stands(page)
    opened(page, hall)
    hears_nothing(page)
    first = seconds(page)
    assert 19 * 60 <= first <= 20 * 60
    passes(page, 2_100)
    assert first - seconds(page) in (2, 3)
    assert page.inner_text("#level") == "Level 1"
    assert page.inner_text("#blinds") == "100 / 200"
    assert page.inner_text("#ante") == "200"
    assert page.get_by_test_id("next").inner_text() == "Next 5,000 / 10,000"
    assert page.inner_text("#next-ante-part") == "Ante 10,000"
    assert re.match("Break in (39|40):", page.get_by_test_id("next-break").inner_text())


def test_a_pause_is_a_word_and_the_clock_stands(page: Page, hall: Hall) -> None:
    stands(page)
    opened(page, hall)
    expect(page.locator("#state")).to_be_hidden()
    hall.do(lambda: hall.room.act("pause", BY))
    expect(page.locator("#state")).to_be_visible()
    assert page.inner_text("#state") == "PAUSED"
    first = seconds(page)
    passes(page, 1_300)
    hears(page)
    assert seconds(page) == first
    hall.do(lambda: hall.room.act("resume", BY))
    expect(page.locator("#state")).to_be_hidden()
    passes(page, 1_300)
    assert seconds(page) < first


def test_the_clock_is_the_rooms_whatever_this_machines_says(browser: Browser, hall: Hall) -> None:
    page = browser.new_page()
    page.clock.install(time="2001-01-01")
    page.clock.resume()
    opened(page, hall)

    def is_right() -> bool:
        wanted = (hall.room.view().clock.deadline_ms or 0) - hall.room.view().now_ms
        return abs(seconds(page) - wanted / 1_000) <= 1

    wait_until(is_right)
    page.close()


def test_an_alert_comes_and_goes(page: Page, hall: Hall) -> None:
    opened(page, hall)
    alerts = page.get_by_test_id("alerts").locator(".page")
    hall.alert("T1", 1, "Burn card missing", priority=2)
    hall.until(lambda: hall.room.view().alerts)
    hall.alert("T1", 2, "Four-card flop")
    expect(alerts).to_have_text(["Floor to table T1"])
    for number in (1, 2):
        hall.do(partial(hall.tables["T1"].closes, number))
    expect(alerts).to_have_count(0)


def test_a_lost_server_is_said_and_the_clock_goes_on(page: Page, hall: Hall) -> None:
    stands(page)
    opened(page, hall)
    hall.stop()
    first = seconds(page)
    passes(page, 5_000)
    assert page.inner_text("#stale") == "No network 00:05, clock keeps running"
    assert first - seconds(page) == 5


def test_a_lost_broker_is_said(page: Page, hall: Hall, broker: RunningBroker) -> None:
    opened(page, hall)
    expect(page.locator("#stale")).to_be_hidden()
    broker.stop()
    expect(page.get_by_test_id("unheard")).to_have_text("Tables offline")
    assert seconds(page) > 0


def test_nothing_comes_from_elsewhere_and_no_script_is_inline(page: Page, hall: Hall) -> None:
    asked: list[str] = []
    faults: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.route("**/pocket.svg", lambda route: route.fulfill(status=200))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    response = page.goto(f"{hall.url}screen?sound=off")
    assert response is not None
    assert "default-src 'self'" in (response.header_value("content-security-policy") or "")
    expect(page.locator("#level")).to_have_text("Level 1")
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('600 20px \"Barlow Condensed\"')")
    assert {url.startswith(hall.url) for url in asked} == {True}
    assert any(url.endswith("BarlowCondensed-SemiBold.woff2") for url in asked)
    assert page.evaluate("getComputedStyle(document.body).cursor") == "none"
    assert faults == []


def test_the_index_leads_to_the_wall_and_tells_of_the_tables(page: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(page, hall)
    expect(page.get_by_test_id("alerts").locator(".page")).to_be_visible()
    hall.sign_in(page, "viewer")
    page.goto(hall.url)
    assert page.locator("tbody tr").all_inner_texts() == ["T1\tlive\t12, Flop\t1"]
    page.click("#about >> text=Wall clock")
    expect(page.locator("#level")).to_have_text("Level 1")
