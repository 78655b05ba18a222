"""Whose an alert is: taken, taken over, given back, handed over, put aside, escalated."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from controller.contract.observations import Coming
from tests.web.floor_page import (
    act,
    card,
    does,
    on_duty,
    opened,
    owner,
    refusal,
    shut,
    tap,
    three,
)
from tests.web.hall import Hall


def test_taking_is_one_tap_tells_the_table_and_does_not_resolve(
    phone: Page, other: Page, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    hall.do(lambda: hall.tables["T1"].show(floor="called"))
    opened(phone, hall)
    opened(other, hall, "Bo")
    expect(owner(other, "T1/1")).to_have_text("Nobody has it")
    act(phone, "T1/1", "take").tap()
    expect(owner(phone, "T1/1")).to_contain_text("You have it; the table knows you are coming")
    expect(owner(other, "T1/1")).to_contain_text("Ann has it and is coming")
    assert isinstance(hall.tables["T1"].taken[0], Coming)
    expect(phone.locator("#summary-more")).to_have_text("1 stops play")
    expect(card(phone, "T1/1")).to_have_attribute("data-state", "taken")
    expect(act(phone, "T1/1", "rule")).to_be_enabled()


def test_of_two_at_once_the_second_is_told_who_has_it_and_may_take_over(
    phone: Page, other: Page, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    opened(other, hall, "Bo")
    expect(act(other, "T1/1", "take")).to_be_visible()

    def first(route: Route) -> None:
        act(phone, "T1/1", "take").tap()
        hall.until(lambda: hall.room.view().shift.alerts[0].owner)
        route.continue_()

    other.route("**/alerts/take", first)
    act(other, "T1/1", "take").tap()
    expect(refusal(other, "T1/1")).to_contain_text("Ann has it")
    other.unroute("**/alerts/take")
    refusal(other, "T1/1").get_by_text("Take it over").tap()
    expect(owner(other, "T1/1")).to_contain_text("You have it")
    expect(owner(phone, "T1/1")).to_contain_text("Bo has it")
    expect(refusal(other, "T1/1")).to_be_hidden()
    act(phone, "T1/1", "take-over").tap()
    expect(owner(other, "T1/1")).to_contain_text("Ann has it")


def test_it_is_given_back_and_handed_over(phone: Page, other: Page, hall: Hall) -> None:
    on_duty(hall, "Ann")
    on_duty(hall, "Bo")
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    opened(other, hall, "Bo")
    act(phone, "T1/1", "take").tap()
    tap(phone, "T1/1", "give-back")
    shut(phone)
    expect(owner(other, "T1/1")).to_have_text("Nobody has it · Ann is coming")
    tap(phone, "T1/1", "hand-over")
    assert phone.locator("#ask-choices button").all_inner_texts() == ["Bo"]
    phone.click("#ask-choices >> text=Bo")
    shut(phone)
    expect(owner(other, "T1/1")).to_contain_text("You have it")
    expect(owner(phone, "T1/1")).to_contain_text("Bo has it")
    does(hall, "Bo", "duty", on=False)
    expect(owner(phone, "T1/1")).to_have_text("Bo had it and went off duty")
    expect(act(phone, "T1/1", "take")).to_be_visible()


def test_what_can_wait_is_put_aside_with_a_reason_and_what_stops_a_table_never(
    phone: Page, hall: Hall
) -> None:
    three(hall)
    opened(phone, hall)
    act(phone, "T2/4", "more").click()
    assert phone.locator("#opened [data-act=shelve]").count() == 0
    assert phone.locator("#opened [data-act=mute]").count() == 0
    shut(phone)
    tap(phone, "T1/1", "shelve")
    expect(phone.locator("#ask-text")).to_contain_text("Times left: 2")
    phone.click("#ask-choices >> text=Snooze with this reason")
    expect(phone.locator("#ask")).to_be_visible()
    phone.locator("#ask-fields input[value='5']").check()
    phone.click("#ask-choices >> text=After this hand")
    shut(phone)
    expect(card(phone, "T1/1")).to_have_count(0)
    phone.click("#shelved > button")
    expect(owner(phone, "T1/1")).to_have_text("Snoozed by Ann (After this hand), back in 4 min")
    act(phone, "T1/1", "unshelve").click()
    expect(phone.locator("#alerts > .card[data-key='T1/1']")).to_be_visible()
    expect(phone.locator("#shelved")).to_be_hidden()


def test_nobody_takes_it_and_the_others_are_called_too(
    phone: Page, other: Page, hall: Hall
) -> None:
    does(hall, "Ann", "section", name="A", tables=["T1"])
    does(hall, "Ann", "section", name="B", tables=["T2"])
    on_duty(hall, "Ann", "A")
    on_duty(hall, "Bo", "B")
    opened(phone, hall)
    opened(other, hall, "Bo")
    hall.alert("T1", 1, "Four-card flop")
    expect(card(phone, "T1/1")).to_be_visible()
    expect(other.locator("#elsewhere > button")).to_have_text("Other sections: 1")
    expect(other.get_by_test_id("alert")).to_have_count(0)
    other.click("#elsewhere > button")
    expect(card(other, "T1/1")).to_be_visible()
    assert other.evaluate("document.body.dataset.played") is None
    hall.alert("T1", 2, "First card to the wrong seat", age_s=45)
    expect(other.locator("#alerts .card .level")).to_have_text(
        "Calls everyone: nobody has taken it"
    )
    expect(other.locator("body")).to_have_attribute("data-played", "1")
    hall.alert("T1", 3, "Card shown", age_s=75)
    level = card(other, "T1/3").locator(".level")
    expect(level).to_have_text(re.compile("Calls the directors too|New while this page was away"))
    if other.locator("#missed").is_visible():  # a machine with other work kept the page waiting
        other.click('[data-act="missed-read"]')
    expect(level).to_have_text("Calls the directors too: nobody has taken it")
    act(phone, "T1/3", "take").tap()
    expect(card(other, "T1/3").locator(".level")).to_be_hidden()
