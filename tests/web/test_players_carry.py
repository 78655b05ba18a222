"""The players' page: whose chips are carried, as a task for staff, and when a short table halts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.room.balance import ProposedBreak
from tests.web.clockroom import ClockRoom
from tests.web.desk_page import field
from tests.web.players_page import answers, opened, seated, undo


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def test_of_who_is_away_as_his_table_breaks_staff_carry_the_chips(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """TDA24-RP16."""
    seated(room, "Ann", "Bob", "Cleo")
    room.act("start")
    room.act("mark", player="p2", status="absent")
    room.act("penalise", player="p3", unit="hands", amount=1)
    seen["chips"] = {"p1": 9_000, "p2": 12_300}
    seen["to_break"] = ProposedBreak(("T1",), ("T2",), False, 3, ("RR7-T-13",))
    opened(page, room)
    moves = page.get_by_test_id("moves")
    expect(moves).to_contain_text("Away: Bob (12,300), Cleo. Staff carry their chips.")
    page.get_by_role("button", name="Draw…", exact=True).click()
    page.get_by_test_id("redraw-do").click()
    answers(page, "Players drawn: 3")
    seen["to_break"] = None
    room.act("tournament", name="Friday")
    at = {each.id: each.at for each in room.room.view().register.players}
    bob, cleo = at["p2"], at["p3"]
    assert bob is not None
    assert cleo is not None
    tasks = moves.locator("li[data-carry]")
    expect(tasks).to_have_count(2)
    expect(tasks.first).to_contain_text(
        f"Bob is away: staff carry 12,300 from T1, seat 2 to T2, seat {bob.seat}"
    )
    expect(tasks.last).to_contain_text(
        f"Cleo is away: staff carry the chips from T1, seat 3 to T2, seat {cleo.seat}"
    )
    room.act("mark", player="p2", status="seated")
    expect(tasks).to_have_count(1)
    expect(moves).to_contain_text("Bob")


def test_when_a_short_table_halts_is_set_beside_the_difference(page: Page, room: ClockRoom) -> None:
    """TDA24-11D2."""
    seated(room, "Ann", "Bob")
    opened(page, room)
    page.get_by_role("button", name="Tables", exact=True).click()
    page.get_by_test_id("even").click()
    field(page, "gap").fill("3")
    field(page, "halt").fill("1")
    page.get_by_test_id("even-save").click()
    expect(page.locator("dialog .refusal")).to_contain_text("from 2 players on")
    field(page, "halt").fill("0")
    page.get_by_test_id("even-save").click()
    answers(page, "Saved")
    register = room.room.view().register
    assert (register.gap, register.halt) == (3, 0)
    undo(page)
    register = room.room.view().register
    assert (register.gap, register.halt) == (None, None)
    page.get_by_test_id("even").click()
    field(page, "halt").fill("4")
    page.get_by_test_id("even-save").click()
    answers(page, "Saved")
    page.get_by_test_id("even").click()
    expect(field(page, "gap")).to_have_value("")
    expect(field(page, "halt")).to_have_value("4")
