"""On duty with a phone: sections, notes, handing over, and whom a sound is for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.contract.sight import Silence
from controller.room.shift import Pushes
from display.web.floor import floor
from tests.web.chromium import DESKTOP, launched
from tests.web.floor_page import act, card, does, on_duty, opened, owner, shut, tap
from tests.web.hall import Hall

LATER = """
  const now = performance.now.bind(performance);
  let passed = 0;
  performance.now = () => now() + passed;
  window.later = (ms) => (passed += ms);
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One that keeps a screen on."""
    with launched(DESKTOP) as browser:
        yield browser


def played(page: Page) -> list[int]:
    """The priorities that were heard, the last ones."""
    heard: list[int] = page.evaluate("import('/static/floor/sound.js').then((it) => it.played)")
    return heard


def test_sections_are_tapped_together_and_signing_on_tries_the_sound(
    phone: Page, hall: Hall
) -> None:
    opened(phone, hall)
    phone.click("[data-to=duty]")
    expect(phone.locator("#people")).to_contain_text("Nobody is on duty")
    phone.click("#new-section")
    phone.fill("#ask-fields input", "Front")
    for table in ("T1", "T2"):
        phone.locator(f"#ask-fields input[value={table}]").check()
    phone.click("#ask-choices >> text=Save")
    expect(phone.locator("#sections")).to_contain_text("T1, T2")
    phone.click("[data-to=alerts]")
    phone.click("#off-duty")
    phone.locator("#ask-fields input[value=Front]").check()
    phone.click("#ask-choices .main")
    expect(phone.locator("#ask-title")).to_have_text("Did you hear ten beeps?")
    assert phone.evaluate("import('/static/floor/sound.js').then((it) => it.soundState())") == "on"
    assert played(phone) == [1]
    phone.click("#ask-choices >> text=Again")
    assert played(phone) == [1, 1]
    phone.click("#ask-choices >> text=No")
    phone.click("[data-to=duty]")
    expect(phone.locator(".refusal[data-place=duty]")).to_contain_text("Turn the volume up")
    expect(phone.locator("#my-duty")).to_contain_text("You are on duty: Front")
    (person,) = hall.room.view().shift.people
    assert (person.name, person.tables) == ("Ann", ("T1", "T2"))
    phone.click("[data-act=edit-section]")
    phone.click("text=Remove this section")
    expect(phone.locator("#my-duty")).to_contain_text("all tables")
    phone.click("[data-act=sign-off]")
    expect(phone.locator("#people")).to_contain_text("Nobody is on duty")


def test_the_shift_is_handed_over_with_a_note_that_is_there_until_it_is_read(
    phone: Page, other: Page, hall: Hall
) -> None:
    on_duty(hall, "Ann")
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    opened(other, hall, "Bo")
    act(phone, "T1/1", "take").tap()
    phone.click("[data-to=duty]")
    phone.click("[data-act=shift]")
    phone.fill("textarea", "Seat 4 acts out of turn.")
    phone.fill("#ask-fields input", "Bo")
    phone.click("text=To this name")
    expect(phone.locator("#my-duty")).to_contain_text("You are off duty")
    expect(owner(other, "T1/1")).to_contain_text("You have it")
    note = other.locator(".note")
    expect(note).to_contain_text("Seat 4 acts out of turn.")
    expect(note).to_contain_text("Ann to you")
    assert phone.locator(".note").count() == 0
    note.get_by_role("button").tap()
    expect(note).to_have_count(0)
    phone.click("#new-note")
    phone.fill("textarea", "Chips are counted at two.")
    phone.click("text=For whoever reads it first")
    expect(note).to_contain_text("Chips are counted at two.")


def test_only_what_calls_me_is_heard_by_its_priority_and_what_stops_a_table_again(
    phone: Page, hall: Hall
) -> None:
    does(hall, "Ann", "section", name="A", tables=["T1"])
    does(hall, "Ann", "section", name="B", tables=["T2"])
    on_duty(hall, "Ann", "A")
    on_duty(hall, "Bo", "B")
    phone.add_init_script(LATER)
    opened(phone, hall)
    hall.alert("T2", 1, "Four-card flop")
    hall.until(lambda: hall.room.view().shift.alerts)
    hall.alert("T1", 2, "Burned too soon", priority=2)
    expect(card(phone, "T1/2")).to_be_visible()
    hall.alert("T1", 3, "Card shown", priority=3)
    expect(card(phone, "T1/3")).to_be_visible()
    assert played(phone) == [2, 3]
    hall.alert("T1", 4, "Four-card flop")
    expect(phone.locator("body")).to_have_attribute("data-played", "3")
    phone.evaluate("later(8000)")
    expect(phone.locator("body")).to_have_attribute("data-played", "4")
    assert played(phone) == [2, 3, 1, 1]
    act(phone, "T1/4", "take").tap()
    expect(owner(phone, "T1/4")).to_contain_text("You have it")
    phone.evaluate("later(8000)")
    phone.wait_for_timeout(1_200)
    assert len(played(phone)) == 4


def test_the_page_says_what_it_can_and_that_a_locked_phone_gets_no_alert(
    phone: Page, hall: Hall
) -> None:
    phone.add_init_script("delete Navigator.prototype.vibrate")
    opened(phone, hall)
    phone.click("[data-to=duty]")
    said = phone.locator("#phone")
    expect(said).to_contain_text("A locked phone, or another app in front, gets no alert")
    expect(said).to_contain_text("This browser does not let a page vibrate.")
    expect(said).to_contain_text("Stays on while this page is in front.")
    expect(said).to_contain_text("Off. An ntfy server")
    assert floor(hall.room.view()).pushes == Pushes()


def test_a_test_alert_is_heard_taken_and_closed(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.click("[data-to=duty]")
    with phone.expect_response("**/alerts/test"):
        phone.get_by_test_id("test-alert").click()
    hall.until(lambda: hall.room.view().shift.alerts)
    phone.get_by_test_id("test-alert").click()
    expect(phone.locator(".refusal[data-place=duty]")).to_have_text("a test is already running")
    phone.click("[data-to=alerts]")
    alert = phone.get_by_test_id("alert")
    expect(alert.locator(".title")).to_have_text("Test alert")
    alert.get_by_test_id("take").tap()
    expect(alert.get_by_test_id("owner")).to_contain_text("You have it")
    alert.get_by_test_id("close").tap()
    expect(alert).to_have_count(0)
    assert 1 in played(phone)


def test_a_cause_is_muted_for_some_hands_and_heard_again(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Burned too soon", priority=2)
    opened(phone, hall)
    tap(phone, "T1/1", "mute")
    phone.click("#ask-choices >> text=Misread")
    hall.until(lambda: hall.tables["T1"].taken)
    (muted,) = hall.tables["T1"].taken
    assert (getattr(muted, "code", ""), getattr(muted, "hands", 0)) == ("burn-premature", 5)
    shut(phone)
    silent = (Silence("burn-premature", None, 14), Silence(zone="seat/4"))
    hall.do(lambda: hall.tables["T1"].show(silent=silent))
    phone.click("[data-to=tables]")
    row = phone.locator("#mutes .row").first
    expect(row).to_contain_text("Burned too soon · hands left: 3 · Ann: Misread")
    expect(phone.locator("#mutes .row").last).to_contain_text("seat 4 · ")
    row.get_by_role("button").tap()
    hall.until(lambda: len(hall.tables["T1"].taken) == 2)
    assert getattr(hall.tables["T1"].taken[1], "hands", 0) == 1
