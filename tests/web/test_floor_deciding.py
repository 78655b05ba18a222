"""What is decided on the floor page, and what the table says to it; tables that judge."""

from __future__ import annotations

from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from controller.contract.events import Closed
from controller.contract.messages import Dismissed
from controller.contract.observations import FloorDismiss, FloorMisdeal, FloorRuling
from tests.commands.fake_table import FLOP
from tests.web.floor_page import (
    act,
    behind,
    card,
    opened,
    owner,
    post,
    refusal,
    shut,
    tap,
    tells,
    three,
)
from tests.web.hall import Hall


def closes(hall: Hall, table: str, number: int, how: str = "ruled") -> None:
    tells(hall, table, 1, Closed(t=9.0, hand=12, id=number, how=how))  # type: ignore[arg-type]
    hall.do(lambda: hall.tables[table].closes(number))


def test_the_books_answer_is_one_tap_confirmed_amended_and_closed_everywhere(
    phone: Page, other: Page, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    opened(other, hall, "Bo")
    expect(act(phone, "T1/1", "rule")).to_have_text("Rule: redeal the flop")
    act(phone, "T1/1", "rule").tap()
    said = "Ruled: redeal the flop, by Ann. Open until it is fixed."
    expect(owner(phone, "T1/1")).to_have_text(said)
    expect(owner(other, "T1/1")).to_have_text(said)
    (taken,) = hall.tables["T1"].taken
    assert isinstance(taken, FloorRuling)
    assert (taken.by, taken.finding, taken.outcome) == ("Ann", 1, "redeal-flop")
    card(phone, "T1/1").locator(".open").click()
    expect(phone.locator("#opened-given")).to_have_text(
        "Rule: redeal the flop, Ann — confirmed by the table"
    )
    shut(phone)

    closes(hall, "T1", 1)
    said = "Ruled: redeal the flop, by Ann. Closed; can be changed until the next riffle."
    expect(owner(phone, "T1/1")).to_have_text(said)
    expect(phone.locator("#summary")).to_have_text("No open alerts")
    expect(owner(other, "T1/1")).to_have_text(said)
    act(other, "T1/1", "amend").tap()
    hall.alert("T1", 1, "Four-card flop")
    other.click("#ask-choices >> text=it stands")
    expect(owner(phone, "T1/1")).to_contain_text("Ruled: it stands, by Bo.")
    closes(hall, "T1", 1)
    hall.do(lambda: hall.tables["T1"].show(hand=13))
    for page in (phone, other):
        expect(card(page, "T1/1")).to_have_count(0)


def test_of_two_rulings_at_once_the_second_hears_of_the_first_and_may_change_it(
    phone: Page, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    about = {"session": "s-T1", "hand": 12, "finding": 1, "outcome": "stands"}

    def first(route: Route) -> None:
        if hall.room.view().shift.alerts[0].made is None:
            post(hall, "Bo", "floor/T1/ruling", about)
            hall.until(lambda: hall.room.view().shift.alerts[0].made)
        route.continue_()

    phone.route("**/floor/T1/ruling", first)
    act(phone, "T1/1", "rule").tap()
    expect(refusal(phone, "T1/1")).to_contain_text("Bo has already ruled")
    refusal(phone, "T1/1").get_by_role("button").tap()
    phone.click("#ask-choices >> text=hand is dead")
    expect(owner(phone, "T1/1")).to_contain_text("Ruled: hand is dead, by Ann.")


def test_another_outcome_a_dismissal_with_reason_and_a_misdeal(phone: Page, hall: Hall) -> None:
    three(hall)
    opened(phone, hall)
    tap(phone, "T1/1", "other")
    choices = phone.locator("#ask-choices button").all_inner_texts()
    assert "redeal the flop" not in choices
    assert "misdeal" not in choices
    assert "hand is dead" in choices
    phone.fill("#ask-fields input", "seen by both players")
    phone.click("#ask-choices >> text=fix the burn")
    expect(phone.locator("#opened .owner")).to_contain_text("Ruled: fix the burn, by Ann")
    shut(phone)

    tap(phone, "T3/9", "dismiss")
    phone.click("text=Dismiss with this reason")
    expect(phone.locator("#ask")).to_be_visible()
    phone.fill("#ask-fields input", "wet felt")
    phone.click("text=Dismiss with this reason")
    shut(phone)
    expect(card(phone, "T3/9")).to_have_count(0)
    (dismissed,) = hall.tables["T3"].taken
    assert isinstance(dismissed, FloorDismiss)
    assert (dismissed.finding, dismissed.reason, dismissed.by) == (9, "wet felt", "Ann")

    tap(phone, "T2/4", "misdeal")
    phone.click("#ask-cancel")
    assert hall.tables["T2"].taken == []
    behind(phone, "misdeal").click()
    phone.click("text=Yes, misdeal")
    shut(phone)
    expect(card(phone, "T2/4")).to_have_count(0)
    assert isinstance(hall.tables["T2"].taken[0], FloorMisdeal)


def test_a_misdeal_that_the_book_wants_is_confirmed_too(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "First card to the wrong seat", ruling=replace(FLOP, outcome="misdeal"))
    opened(phone, hall)
    act(phone, "T1/1", "rule").tap()
    assert hall.tables["T1"].taken == []
    phone.click("text=Yes, misdeal")
    expect(phone.locator("#summary")).to_have_text("No open alerts")
    assert isinstance(hall.tables["T1"].taken[0], FloorMisdeal)


def test_what_the_table_refuses_is_said_where_it_was_tapped(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(card(phone, "T1/1")).to_be_visible()
    hall.do(lambda: setattr(hall.tables["T1"], "session", "s-new"))
    act(phone, "T1/1", "rule").tap()
    expect(card(phone, "T1/1").locator(".given")).to_have_text(
        "Rule: redeal the flop, Ann — refused: the table has restarted since this was decided"
    )
    assert hall.tables["T1"].taken == []


def test_a_table_that_does_not_answer_is_said(phone: Page, hall: Hall) -> None:
    hall.tables["T1"].silent = True
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    act(phone, "T1/1", "rule").tap()
    line = card(phone, "T1/1").locator(".given")
    expect(line).to_have_text("Rule: redeal the flop, Ann — sent…")
    expect(line).to_contain_text("unanswered: no answer")


def test_a_dialog_about_what_was_closed_meanwhile_goes(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    tap(phone, "T1/1", "misdeal")
    expect(phone.locator("#ask")).to_be_visible()
    hall.do(lambda: hall.tables["T1"].closes(1))
    expect(phone.locator("#ask")).to_be_hidden()
    shut(phone)
    expect(phone.locator(".refusal[data-place=list]")).to_have_text(
        "Table T1: closed in the meantime"
    )


def test_what_the_dealer_dismissed_comes_last_and_can_only_be_closed(
    phone: Page, hall: Hall
) -> None:
    said = Dismissed(11, reason="floor-decided")
    hall.alert("T1", 2, "Four-card flop", age_s=200, dismissed=said)
    hall.alert("T2", 4, "Four-card flop", age_s=20)
    opened(phone, hall)
    expect(phone.get_by_test_id("alert")).to_have_count(2)
    expect(phone.get_by_test_id("alert").last).to_have_attribute("data-key", "T1/2")
    expect(owner(phone, "T1/2")).to_have_text("Dismissed by the dealer in hand 11: Floor ruled")
    expect(card(phone, "T1/2").locator("[data-act]:visible")).to_have_text(["Close"])
    act(phone, "T1/2", "close").click()
    expect(card(phone, "T1/2")).to_have_count(0)
    assert hall.tables["T1"].taken == [FloorDismiss(kind="floor", t=7.0, by="Ann", finding=2)]
