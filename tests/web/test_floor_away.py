"""The floor page without the room, without the broker, and afterwards."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from controller.broker.own import RunningBroker, start_broker
from tests.commands.fake_table import SITE
from tests.web.floor_page import TABLES, act, card, opened, owner
from tests.web.hall import Hall
from tests.web.page_time import passes, stands


def test_a_lost_table_is_stale_and_cannot_be_told_anything(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(act(phone, "T1/1", "rule")).to_be_enabled()
    hall.do(hall.tables["T1"].lost)
    expect(phone.locator("#troubles")).to_contain_text("Offline: table T1")
    expect(card(phone, "T1/1").locator(".level")).to_have_text(
        "Table offline: this may be out of date"
    )
    expect(act(phone, "T1/1", "rule")).to_be_disabled()
    expect(act(phone, "T1/1", "take")).to_be_enabled()


def test_a_lost_room_is_said_within_five_seconds(phone: Page, hall: Hall) -> None:
    stands(phone)
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(act(phone, "T1/1", "take")).to_be_enabled()
    hall.stop()
    passes(phone, 3_400)
    expect(phone.get_by_test_id("offline")).to_be_hidden()
    passes(phone, 1_600)
    expect(phone.get_by_test_id("offline")).to_be_visible()
    expect(phone.locator("#offline-what")).to_have_text("No connection: alerts are not coming in")
    expect(phone.locator("#offline-age")).to_have_text("5 s")
    expect(act(phone, "T1/1", "take")).to_be_disabled()


def test_what_happened_while_the_phone_was_away_is_listed_until_it_is_read(
    phone: Page, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(card(phone, "T1/1")).to_be_visible()
    time.sleep(1)
    address = f"{hall.url}floor"
    phone.goto("about:blank")  # as a phone that was locked
    hall.alert("T2", 2, "No burn card", priority=2)
    hall.do(lambda: hall.tables["T1"].closes(1))
    hall.until(lambda: [each.table for each in hall.room.view().shift.alerts] == ["T2"])
    time.sleep(3)
    phone.goto(address)
    missed = phone.get_by_test_id("missed")
    expect(missed.locator("h2")).to_have_text("2 things happened while this page was away")
    expect(missed.locator("li")).to_have_count(2)
    expect(missed).to_contain_text("Table T2 · No burn card")
    expect(card(phone, "T2/2").locator(".level")).to_have_text("New while this page was away")
    missed.get_by_role("button").tap()
    expect(missed).to_be_hidden()
    expect(card(phone, "T2/2").locator(".level")).to_be_hidden()


def test_a_broker_that_was_killed_is_said_and_the_page_goes_on_with_it(
    phone: Page, hall: Hall, broker: RunningBroker
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    act(phone, "T1/1", "take").tap()
    expect(owner(phone, "T1/1")).to_contain_text("You have it")
    broker.stop()
    expect(phone.locator("#offline-what")).to_have_text("No connection to the tables")
    expect(act(phone, "T1/1", "rule")).to_be_disabled()
    with start_broker(SITE, TABLES, like=broker):
        hall.alert("T1", 1, "Four-card flop")
        for table in hall.tables.values():
            hall.do(table.ready)
            hall.do(table.show)
        expect(phone.get_by_test_id("offline")).to_be_hidden()
        expect(owner(phone, "T1/1")).to_contain_text("You have it")
        act(phone, "T1/1", "rule").tap()
        expect(owner(phone, "T1/1")).to_contain_text("Ruled: redeal the flop, by Ann")
        hall.stop()
