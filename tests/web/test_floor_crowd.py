"""Many alerts, many tables, a long shift: the floor page groups, finds, tells and counts."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from playwright.sync_api import Page, Route, expect

from display.web.floor import floor
from tests.web.floor_page import act, card, on_duty, opened, three
from tests.web.hall import Hall

TYPED = """() => {
  const box = document.getElementById("table-search");
  const made = new MutationObserver(() => {});
  made.observe(document.body, { childList: true, subtree: true });
  for (const text of ["h", "h1", "h12", ""]) {
    box.value = text;
    box.dispatchEvent(new Event("input"));
  }
  const rows = made.takeRecords().flatMap((record) => [...record.addedNodes]);
  return rows.filter((node) => node.matches?.(".row")).length;
}"""


def test_in_a_flood_alerts_stand_by_table_and_cause_but_never_what_stops_one(
    phone: Page, hall: Hall
) -> None:
    opened(phone, hall)
    for number in range(1, 10):
        hall.alert("T1", number, "Burned too soon", priority=2)
    hall.alert("T1", 20, "Four-card flop")
    hall.alert("T2", 3, "No burn card", priority=2)
    group = phone.get_by_test_id("group")
    expect(group).to_contain_text("Table T1: Burned too soon × 9")
    expect(phone.get_by_test_id("alert")).to_have_count(2)
    expect(card(phone, "T1/20")).to_be_visible()
    expect(phone.locator("#summary")).to_have_text("11 open alerts")
    group.get_by_role("button").tap()
    expect(phone.get_by_test_id("alert")).to_have_count(11)
    act(phone, "T1/5", "take").tap()
    expect(card(phone, "T1/5")).to_have_attribute("data-mine", "")
    group.get_by_role("button").tap()
    expect(phone.get_by_test_id("alert")).to_have_count(2)


def test_the_history_of_the_shift_is_told_for_all_for_me_and_for_a_table(
    phone: Page, hall: Hall
) -> None:
    three(hall)
    opened(phone, hall)
    act(phone, "T2/4", "take").tap()
    phone.click("[data-to=history]")
    lines = phone.locator("#history-list li")
    expect(lines).to_have_count(5)
    expect(lines.first).to_contain_text("Table T2")
    expect(lines.first).to_contain_text("Ann")
    expect(lines.nth(1)).to_contain_text("Table T2 · Four-card flop")
    expect(lines.nth(1)).to_contain_text("Ann: taken")
    phone.click("[data-filter=mine]")
    expect(lines).to_have_count(2)
    phone.click("[data-filter=table]")
    phone.fill("#history-table", "t3")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text("No burn card")
    hall.do(lambda: hall.tables["T3"].closes(9))
    expect(lines).to_have_count(2)


def test_numbers_stand_beside_those_of_a_well_run_floor(phone: Page, hall: Hall) -> None:
    three(hall)
    hall.alert("T1", 5, "Card shown", priority=3)
    opened(phone, hall)
    expect(phone.get_by_test_id("alert")).to_have_count(4)
    act(phone, "T2/4", "take").tap()
    phone.click("[data-to=numbers]")
    stats = phone.get_by_test_id("stats")
    expect(stats.locator(".share b")).to_have_text(["25 %", "50 %", "25 %"])
    expect(stats.locator(".aim-said").first).to_have_text("1 raised; about 5 % in a well-run room")
    bar = stats.locator(".bar").nth(1)
    width = bar.evaluate("(it) => it.offsetWidth / it.parentNode.clientWidth")
    assert 0.48 < width < 0.52
    expect(stats).to_contain_text("Time to take")
    expect(stats.locator("#figures dd").nth(1)).to_contain_text("half within")


def crowded(hall: Hall, tables: int) -> dict[str, Any]:
    """The hall's picture as if it had so many tables."""
    picture: dict[str, Any] = json.loads(msgspec.json.encode(floor(hall.room.view())))
    (first, *_) = picture["tables"]
    picture["tables"] = [first | {"id": f"H{n}"} for n in range(tables)]
    return picture


def test_a_thousand_tables_are_found_by_typing_and_do_not_slow_the_page(
    phone: Page, hall: Hall
) -> None:
    three(hall)
    on_duty(hall, "Ann")
    hall.until(lambda: len(hall.room.view().shift.alerts) == 3)
    picture = crowded(hall, 1_000)

    def stream(route: Route) -> None:
        now_ms = picture["now_ms"]
        body = "".join(
            f"data: {json.dumps(picture | {'now_ms': now_ms + n})}\n\n" for n in range(20)
        )
        route.fulfill(content_type="text/event-stream", body=f"retry: 60000\n\n{body}")

    phone.route("**/floor/events", stream)
    opened(phone, hall)
    expect(phone.get_by_test_id("alert")).to_have_count(3)
    phone.click("[data-to=tables]")
    expect(phone.locator("#tables .row")).to_have_count(60)
    expect(phone.locator("#tables .more")).to_have_text("940 more: type to find them")
    phone.fill("#table-search", "h777")
    expect(phone.locator("#tables .row")).to_have_count(1)
    expect(phone.locator("#tables .row b")).to_have_text("H777")
    assert phone.evaluate("document.querySelectorAll('body *').length") < 600
    made = phone.evaluate(TYPED)
    assert 60 < made <= 4 * 60  # of 1,000 tables
