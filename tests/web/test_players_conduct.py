"""The players' page: warnings and penalties, purchases, several out in one hand, a card drawn."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.room.away import Overdue
from controller.room.incidents import Incident
from controller.room.known import Known
from controller.room.register import Register
from controller.room.seating import ProposedOut
from tests.web.clockroom import ClockRoom
from tests.web.desk_page import field
from tests.web.players_page import (
    answers,
    opened,
    register,
    row,
    seated,
    tapped,
    undo,
)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def given(room: ClockRoom) -> list[tuple[str, str, int, str]]:
    conduct = room.room.view().conduct
    return [(one.name, one.given, one.amount, one.over) for one in conduct.given]


def players(room: ClockRoom) -> Register:
    return room.room.view().register


def test_the_floor_warns_and_penalises_and_no_more(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob")
    opened(page, room, role="floor")
    row(page, "Ann Lee").locator("button").click()
    expect(page.locator("dialog .text")).to_have_text("Nothing yet.")
    expect(page.get_by_test_id("conduct-disqualify")).to_have_count(0)
    page.get_by_test_id("conduct-warn").click()
    field(page, "reason").fill("phone at the table")
    page.get_by_test_id("warn-do").click()
    answers(page, "Ann Lee is warned")

    row(page, "Ann Lee").locator("button").click()
    expect(page.locator("dialog .lines")).to_contain_text("phone at the table")
    expect(page.locator("dialog .live")).to_have_text("The next step is: Penalty, hands: 1")
    page.get_by_test_id("conduct-penalise").click()
    expect(field(page, "unit")).to_have_value("hands")
    page.get_by_test_id("penalise-do").click()
    answers(page, "Ann Lee has a penalty")
    expect(row(page, "Ann Lee")).to_contain_text("penalty")
    assert given(room) == [("Ann Lee", "warning", 0, ""), ("Ann Lee", "hands", 1, "")]
    undo(page)
    expect(row(page, "Ann Lee")).to_contain_text("seated")
    assert given(room)[1] == ("Ann Lee", "hands", 1, "pardoned")


def test_the_director_disqualifies(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob", "Cleo")
    opened(page, room)
    tapped(page, "Bob", "conduct")
    page.get_by_test_id("conduct-disqualify").click()
    expect(page.locator("dialog .text")).to_contain_text("the chips leave play")
    page.get_by_test_id("disqualify-do").click()
    answers(page, "Bob is disqualified")
    assert register(room)["Bob"][0] == "out"
    assert given(room) == [("Bob", "disqualified", 0, "")]


def test_what_may_be_bought_is_bought_with_one_tap(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob", "Cleo")
    opened(page, room)
    page.get_by_test_id("offers").click()
    field(page, "until").fill("4")
    field(page, "most").fill("1")
    page.get_by_test_id("offer-save").click()
    answers(page, "Saved")
    tapped(page, "Ann Lee", "rebuy")
    answers(page, "Ann Lee: Rebuy")
    assert players(room).by_id["p1"].bought == ("rebuy",)
    undo(page)
    assert players(room).by_id["p1"].bought == ()

    page.get_by_test_id("offers").click()
    expect(page.locator("dialog .lines")).to_contain_text("until level 4, at most 1 each")
    field(page, "what").select_option("re-entry")
    page.get_by_test_id("offer-save").click()
    answers(page, "Saved")
    room.act("bust", entrant="p2")
    expect(row(page, "Bob")).to_have_attribute("data-status", "out")
    tapped(page, "Bob", "re-entry")
    answers(page, "Bob: Re-entry")
    assert register(room)["Bob"][0] == "entered"
    expect(page.get_by_test_id("entered")).to_have_text("4")


def test_all_of_one_hand_are_out_with_one_tap(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob", "Cleo", "Dee")
    seen["proposed"] = (
        ProposedOut("T1", 1, "p1", "Ann Lee", 31, 2_400),
        ProposedOut("T1", 2, "p2", "Bob", 31, 5_000),
    )
    opened(page, room)
    page.get_by_role("button", name="All of this hand out, by their stacks").click()
    answers(page, "Players out: 2")
    finishes = room.room.view().finishes
    assert [(each.place, each.player) for each in finishes] == [(3, "Bob"), (4, "Ann Lee")]


def test_who_has_been_away_too_long_is_said_with_the_rule(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob", "Cleo")
    seen["overdue"] = (Overdue("p2", room.room.view().now_ms - 22 * 60_000, ("HPT-LEAVE-04",)),)
    opened(page, room)
    told = page.get_by_test_id("proposed").locator("li")
    expect(told).to_contain_text("Bob has been away for 22 min (HPT-LEAVE-04): out?")
    told.get_by_role("button", name="Out").click()
    answers(page, "Bob is out")


def test_of_a_forfeited_stack_each_at_the_table_has_a_share(
    page: Page, room: ClockRoom, seen: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """HPT-LEAVE-04: split evenly, the odd chips go to the bank; the director says so first."""
    seated(room, "Ann Lee", "Bob", "Cleo")
    known = Known(chips={"p2": 11_051})
    monkeypatch.setattr("controller.room.event_service.at_tables", lambda _tables: known)
    monkeypatch.setattr("controller.room.seater.Seater.known", lambda _self: known.chips)
    seen["chips"] = known.chips
    seen["overdue"] = (Overdue("p2", room.room.view().now_ms - 22 * 60_000, ("HPT-LEAVE-04",)),)
    opened(page, room)
    told = page.get_by_test_id("proposed").locator("li")
    expect(told).to_contain_text("5,525 to each of 2 at the table, 1 to the bank")
    expect(told.get_by_role("button")).to_have_text(["Out, chips shared", "Out, chips to the bank"])
    told.get_by_role("button").first.click()
    answers(page, "Bob is out: 5,525 to each of 2 at the table, 1 to the bank")
    (share,) = room.room.view().shared.given
    assert (share.each, share.odd, share.to) == (5_525, 1, ("p1", "p3"))
    undo(page)
    assert room.room.view().shared.given == ()
    told.get_by_role("button").last.click()
    answers(page, "Bob is out")
    view = room.room.view()
    assert (view.shared.given, view.register.chips_out) == ((), 11_051)


def test_a_drawn_card_is_a_seat(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee")
    room.act("enter", name="Bob")
    opened(page, room)
    tapped(page, "Bob", "card")
    field(page, "card").fill("9X")
    page.get_by_test_id("card-save").click()
    expect(page.locator("dialog .refusal")).to_contain_text("not in the drawing deck")
    field(page, "card").fill("5S")
    page.get_by_test_id("card-save").click()
    answers(page, "Bob sits where the card 5s says")
    assert register(room)["Bob"] == ("seated", "T1/5")


def test_what_tables_saw_stands_beside_what_was_given(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob")

    def saw(finding: int, hand: int, code: str = "out-of-turn") -> Incident:
        return Incident(
            player="p2",
            name="Bob",
            code=code,
            wall_ms=finding,
            table="T1",
            seat=2,
            hand=hand,
            session="s",
            finding=finding,
            outcome="binding",
        )

    seen["seen"] = (saw(1, 12), saw(2, 30, "clock-expired"), saw(3, 31))
    room.act("warn", player="p2")
    opened(page, room, role="floor")
    row(page, "Bob").locator("button").click()
    lines = page.locator("dialog .lines")
    expect(lines).to_contain_text("Action out of turn ×2")
    expect(lines).to_contain_text("last: table T1, hand 31")
    expect(lines).to_contain_text("Time is up ×1")
    expect(lines).to_contain_text("Warning")
    with room.client("floor", "Flo") as client:
        rows = list(csv.reader(io.StringIO(client.get("conduct.csv").text)))
        at_table = client.get("players/at/T1").json()
    assert [each[3] for each in rows[1:]] == ["finding", "finding", "finding", "warning"]
    assert rows[1][1:] == [
        "Bob",
        "p2",
        "finding",
        "",
        "out-of-turn",
        "",
        "T1",
        "2",
        "12",
        "",
        "binding",
    ]
    assert [each["name"] for each in at_table["players"]] == ["Ann Lee", "Bob"]
    assert [each["given"] for each in at_table["steps"]][:2] == ["warning", "hands"]


def test_a_book_of_minutes_gives_minutes(page: Page, room: ClockRoom, seen: dict[str, Any]) -> None:
    """NL10-HR-22."""
    seated(room, "Ann Lee", "Bob")
    seen["in_minutes"] = frozenset({"T1"})
    room.act("warn", player="p2")
    opened(page, room, role="floor")
    row(page, "Bob").locator("button").click()
    expect(page.locator("dialog .live")).to_have_text("The next step is: Penalty, minutes: 10")
