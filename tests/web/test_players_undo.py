"""The players' page: what was done to several players, or for good, is undone with one tap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.room.balance import ProposedBreak
from controller.room.seating import ProposedOut
from tests.web.clockroom import ClockRoom
from tests.web.players_page import (
    answers,
    opened,
    register,
    row,
    seated,
    tapped,
    undo,
)

NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def test_several_out_at_once_are_back_with_one_tap(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, *NAMES)
    before = register(room)
    seen["proposed"] = tuple(
        ProposedOut("T1", n, f"p{n}", NAMES[n - 1], 31, began=1_000 * n) for n in (1, 2)
    )
    opened(page, room)
    page.get_by_role("button", name="All of this hand out, by their stacks").click()
    answers(page, "Players out: 2")
    expect(row(page, "Ann")).to_contain_text("out, place 4")
    undo(page)
    assert register(room) == before


def test_a_disqualification_is_undone(page: Page, room: ClockRoom) -> None:
    seated(room, *NAMES)
    before = register(room)
    opened(page, room)
    tapped(page, "Bob", "conduct")
    page.get_by_test_id("conduct-disqualify").click()
    page.get_by_test_id("disqualify-do").click()
    answers(page, "Bob is disqualified")
    undo(page)
    expect(row(page, "Bob")).not_to_contain_text("out")
    assert register(room) == before
    assert [one.over for one in room.room.view().conduct.given] == ["pardoned"]


def test_a_draw_is_undone_and_says_so(page: Page, room: ClockRoom) -> None:
    room.act("tables", tables=[{"table": "T1", "seats": 9}])
    for name in NAMES:
        room.act("enter", name=name)
    before = register(room)
    opened(page, room)
    page.get_by_test_id("draw").click()
    page.get_by_label("Seed").fill("seven")
    page.get_by_test_id("draw-do").click()
    answers(page, "Seats drawn for 4 players with the seed seven")
    undo(page)
    assert register(room) == before
    expect(page.get_by_test_id("drawn")).to_contain_text("taken back: seed seven")
    expect(page.get_by_test_id("draw")).to_be_enabled()


def test_a_redraw_is_undone(page: Page, room: ClockRoom, seen: dict[str, Any]) -> None:
    seated(room, *NAMES)
    before = {name: at for name, (_, at) in register(room).items()}
    seen["to_break"] = ProposedBreak(("T1",), ("T2",), True, 4, ("TDA24-RP9A",))
    opened(page, room)
    page.get_by_role("button", name="Draw…", exact=True).click()
    page.get_by_test_id("redraw-do").click()
    answers(page, "Players drawn: 4")
    assert {at[:2] for _, at in register(room).values()} == {"T2"}
    undo(page)
    assert {name: at for name, (_, at) in register(room).items()} == before


def test_who_was_withdrawn_is_back_in_his_place(page: Page, room: ClockRoom) -> None:
    seated(room, *NAMES)
    room.act("apart", players=["p2", "p3"])
    before = room.room.view().register
    opened(page, room)
    tapped(page, "Bob", "withdraw")
    page.get_by_test_id("withdraw-do").click()
    answers(page, "Bob withdrawn")
    undo(page)
    now = room.room.view().register
    assert (now.players, now.apart) == (before.players, before.apart)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_clock_that_a_knock_out_ended_is_opened_again(
    browser: Browser, room: ClockRoom, size: tuple[int, int]
) -> None:
    """The undo brings the player back; the clock stays ended until somebody opens it."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = opened(context.new_page(), room)
    seated(room, "Ann", "Bob")
    room.act("start")
    tapped(page, "Bob", "out")
    page.get_by_test_id("out-do").click()
    answers(page, "Bob is out")
    assert room.room.view().state == "ended"
    expect(page.get_by_test_id("ended")).to_be_empty()
    undo(page)
    assert room.room.view().state == "ended"
    expect(page.get_by_test_id("ended")).to_contain_text("2 players left, but the clock ended")
    page.get_by_role("button", name="Reopen the clock").click()
    answers(page, "The clock is reopened, and stopped")
    expect(page.get_by_test_id("ended")).to_be_empty()
    assert room.room.view().state != "ended"
    context.close()
