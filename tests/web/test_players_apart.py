"""The players' page: who is kept apart in draws."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.clockroom import ClockRoom
from tests.web.desk_page import field
from tests.web.players_page import answers, opened, tapped, undo

NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def groups(room: ClockRoom) -> list[list[str]]:
    register = room.room.view().register
    return [[register.by_id[each].name for each in group] for group in register.apart]


def keep_apart(page: Page, name: str, other: str) -> None:
    tapped(page, name, "apart")
    field(page, "other").fill(other)
    page.get_by_test_id("apart-do").click()


def test_two_are_kept_apart_and_may_be_together_again(page: Page, room: ClockRoom) -> None:
    """HPT-SEAT-06 keeps those apart who deal, a house those who live together."""
    for name in NAMES:
        room.act("enter", name=name)
    opened(page, room)
    keep_apart(page, "Ann", "nobody")
    expect(page.locator("dialog .refusal")).to_contain_text("Choose somebody from the list")
    page.click("dialog .cancel")
    keep_apart(page, "Ann", "Bob")
    answers(page, "Ann, Bob are not drawn to one table")
    assert groups(room) == [["Ann", "Bob"]]
    undo(page)
    assert groups(room) == []
    keep_apart(page, "Ann", "Bob")
    answers(page, "Ann, Bob are not drawn to one table")
    keep_apart(page, "Dan", "Ann")
    answers(page, "Dan, Ann are not drawn to one table")

    tapped(page, "Bob", "apart")
    expect(page.locator("dialog .choices button")).to_have_text(
        ["Keep them apart", "Together again: Ann, Bob"]
    )
    page.locator("dialog .choices button").last.click()
    answers(page, "Ann, Bob may be drawn to one table again")
    assert groups(room) == [["Ann", "Dan"]]
    undo(page)
    assert groups(room) == [["Ann", "Dan"], ["Ann", "Bob"]]

    room.act("tables", tables=[{"table": f"T{n}", "seats": 2} for n in (1, 2, 3)])
    page.get_by_role("button", name="Tables", exact=True).click()
    page.get_by_test_id("draw").click()
    expect(page.locator("dialog .lines")).to_contain_text("Ann, Dan")
    page.get_by_test_id("draw-do").click()
    answers(page, "Seats drawn for 4 players")
    sits = {each.name: each.at.table for each in room.room.view().register.players if each.at}
    assert sits["Ann"] not in {sits["Bob"], sits["Dan"]}
