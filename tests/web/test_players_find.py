"""The players' page of a large tournament: a player or a table is found, also on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.clockroom import ClockRoom, clock_room
from tests.web.players_page import emptied, opened, part, rows

TABLES = 34
IN_ORDER = """(found) => found
  .map((each) => [each.getBoundingClientRect(), each.dataset.table])
  .sort(([a], [b]) => a.top - b.top || a.left - b.left)
  .map(([, table]) => table)"""
IN_SIGHT = """(found) => found.filter((each) => {
  const { top, bottom, height } = each.getBoundingClientRect();
  return height > 0 && top >= 0 && bottom <= innerHeight;
}).length"""


@pytest.fixture(scope="module")
def room() -> Iterator[ClockRoom]:
    with clock_room() as running:
        emptied(running)
        names = [str(n) for n in range(1, TABLES)] + ["Finale"]
        running.act("tables", tables=[{"table": each, "seats": 9} for each in names])
        running.act("import", players=[{"name": f"Player {n:03}"} for n in range(1, 301)])
        running.act("draw", seed="seven")
        yield running


def page_of(browser: Browser, room: ClockRoom, width: int, height: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    return opened(context.new_page(), room)


def cards(page: Page) -> Locator:
    return page.locator("#cards article:visible h3")


def in_sight(found: Locator) -> int:
    count: int = found.evaluate_all(IN_SIGHT)
    return count


def test_beside_a_phones_keyboard_those_who_are_found_have_the_room(
    browser: Browser, room: ClockRoom
) -> None:
    page = page_of(browser, room, 390, 500)
    page.locator("#find").tap()
    page.keyboard.type("player 14")
    expect(page.get_by_test_id("found")).to_contain_text("of 300")
    assert in_sight(rows(page)) >= 4
    assert in_sight(page.locator("#find")) == 1
    page.keyboard.type("2")
    expect(rows(page)).to_have_count(1)
    assert in_sight(rows(page)) == in_sight(page.locator("#find")) == 1
    rows(page).first.tap()
    expect(page.locator("dialog h2")).to_have_text("Player 142")
    page.context.close()


@pytest.mark.parametrize("size", [(390, 500), (390, 844), (1280, 800)])
def test_a_table_is_found_by_its_name_or_by_who_sits_there(
    browser: Browser, room: ClockRoom, size: tuple[int, int]
) -> None:
    page = page_of(browser, room, *size)
    part(page, "tables")
    expect(cards(page)).to_have_count(TABLES)
    find = page.get_by_test_id("find-table")
    find.tap()
    page.keyboard.type("finale")
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("Finale")
    assert in_sight(cards(page)) == in_sight(find) == 1

    find.fill("3")
    first = page.locator("#cards article.first")
    expect(first).to_have_attribute("data-table", "3")
    order: list[str] = page.locator("#cards article:visible").evaluate_all(IN_ORDER)
    assert order[0] == "3"
    assert {"13", "30"} <= set(order)
    assert in_sight(first.locator("h3")) == 1

    at = next(each.at for each in room.room.view().register.players if each.name == "Player 077")
    assert at is not None
    find.fill("player 077")
    expect(page.locator("#cards article:visible")).to_have_count(1)
    expect(page.locator("#cards article:visible")).to_have_attribute("data-table", at.table)
    find.fill("nowhere")
    expect(page.locator("#none-tables")).to_have_text("No table matches.")
    find.fill("")
    expect(cards(page)).to_have_count(TABLES)
    expect(page.locator("#cards article").first).to_have_attribute("data-table", "1")
    page.context.close()
