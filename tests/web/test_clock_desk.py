"""The clock's desk in a real browser: what each control does, over a real broker."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from controller.broker.own import RunningBroker, start_broker
from controller.broker.ports import free_port
from controller.room.faults import RoomFaults
from tests.commands.fake_table import SITE
from tests.web.desk_page import BY, EVENING, MINUTE, anew, field, opened, part, seconds, shows, view
from tests.web.hall import Hall
from tests.web.page_time import passes, stands

PHONE, LAPTOP = (390, 844), (1280, 800)


@pytest.fixture
def hall(shared: Hall) -> Hall:
    return anew(shared)


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, ["T1"]) as running:
        yield running


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]})
    yield context.new_page()
    context.close()


def started(hall: Hall) -> None:
    hall.do(lambda: hall.room.act("start", BY))
    hall.until(lambda: view(hall).state == "running")


def test_the_one_big_button_starts_pauses_and_resumes(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    shows(phone, "ready")
    expect(phone.get_by_test_id("level")).to_have_text("Level 1 of 4")
    assert phone.get_by_test_id("blinds").inner_text() == "25 / 50"
    phone.get_by_test_id("start").tap()
    shows(phone, "running")
    expect(phone.locator("#answer")).to_have_text("Done: started")
    expect(phone.get_by_test_id("pause")).to_have_text("Pause")
    phone.fill("#why-input", "fire alarm")
    phone.get_by_test_id("pause").tap()
    shows(phone, "paused")
    expect(phone.locator("#why-said")).to_have_text("Reason: fire alarm")
    assert (view(hall).clock.why, view(hall).history[-1].actor) == ("fire alarm", "Ann")
    phone.get_by_test_id("resume").tap()
    shows(phone, "running")
    assert phone.locator("#why-input").input_value() == ""


def test_two_quick_taps_do_not_undo_each_other(phone: Page, hall: Hall) -> None:
    started(hall)
    opened(phone, hall)
    shows(phone, "running")
    phone.locator("#main").evaluate("(button) => [button.click(), button.click()]")
    shows(phone, "paused")
    phone.wait_for_timeout(300)
    assert [each.name for each in view(hall).history][-2:] == ["start", "pause"]


def test_time_is_added_and_taken_away(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.get_by_test_id("add").tap()
    phone.get_by_test_id("add").tap()
    phone.locator("[data-by='5'] >> nth=0").tap()
    phone.get_by_test_id("take").tap()
    hall.until(lambda: view(hall).left_ms == 26 * MINUTE)
    expect(phone.locator("#answer")).to_have_text("01:00 taken off")
    expect(phone.get_by_test_id("clock")).to_have_text("26:00")
    phone.get_by_test_id("time").tap()
    field(phone, "count").fill("2,5")
    phone.get_by_test_id("time-take").tap()
    hall.until(lambda: view(hall).left_ms == 23.5 * MINUTE)
    phone.get_by_test_id("time").tap()
    field(phone, "count").fill("soon")
    phone.get_by_test_id("time-add").tap()
    expect(phone.locator("dialog .refusal")).to_contain_text("Minutes as a number")
    assert field(phone, "count").input_value() == "soon"


def test_next_and_back_are_asked_about_once_time_was_played(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.get_by_test_id("next").tap()  # nothing was played, nothing is lost
    hall.until(lambda: view(hall).clock.index == 1)
    phone.get_by_test_id("start").tap()
    shows(phone, "running")
    phone.get_by_test_id("next").tap()
    sure = phone.get_by_test_id("sure")
    expect(sure).to_contain_text("Go to Break, 10 min?")
    expect(sure).to_contain_text(
        re.compile(r"Level 2 still has (20:00|19:5\d), which will be lost")
    )
    phone.click("dialog .cancel")
    assert view(hall).clock.index == 1
    phone.get_by_test_id("next").tap()
    phone.get_by_test_id("yes").tap()
    shows(phone, "break")
    assert phone.get_by_test_id("blinds").inner_text() == "100 / 200"
    phone.get_by_test_id("back").tap()
    phone.get_by_test_id("yes").tap()
    shows(phone, "running")
    assert view(hall).clock.index == 1


def test_a_break_now_and_its_end(phone: Page, hall: Hall) -> None:
    started(hall)
    opened(phone, hall)
    phone.get_by_test_id("break").tap()
    field(phone, "count").fill("12")
    phone.get_by_test_id("break-call").tap()
    shows(phone, "break")
    assert view(hall).clock.duration_ms == 12 * MINUTE
    expect(phone.get_by_test_id("break")).to_be_disabled()
    expect(phone.get_by_test_id("next")).to_have_text("End the break")
    phone.get_by_test_id("next").tap()
    expect(phone.get_by_test_id("sure")).to_contain_text("Level 1 resumes with")
    phone.get_by_test_id("yes").tap()
    shows(phone, "running")
    assert view(hall).clock.index == 0


def test_a_break_that_waits_for_hands_names_the_tables_and_can_begin(
    phone: Page, broker: RunningBroker
) -> None:
    hall = Hall(broker, EVENING, ["T1"], hold_for_hands=True)
    hall.start()
    try:
        opened(phone, hall)
        expect(phone.locator("#troubles")).to_have_text("Old level until the next hand: T1")
        hall.do(lambda: hall.room.act("break", {**BY, "duration_ms": 10 * MINUTE}))
        shows(phone, "holding")
        expect(phone.locator("#troubles")).to_contain_text("Hand in progress at T1")
        expect(phone.get_by_test_id("resume")).to_have_text("Start the break now")
        phone.get_by_test_id("resume").tap()
        shows(phone, "break")
    finally:
        hall.stop()


def test_rules_are_ticked(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.locator("#hold_for_hands").tap()
    hall.until(lambda: view(hall).hold_for_hands)
    phone.locator("#pause_on_dispute").tap()
    hall.until(lambda: view(hall).pause_on_dispute)
    hall.do(lambda: hall.room.act("rules", {**BY, "hold_for_hands": False}))
    expect(phone.locator("#hold_for_hands")).not_to_be_checked()


def held(page: Page, name: str, meanwhile: Callable[[], object]) -> None:
    box = page.get_by_test_id(name).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    meanwhile()
    page.mouse.up()


def test_end_and_reset_want_a_button_held(laptop: Page, hall: Hall) -> None:
    started(hall)
    opened(laptop, hall)
    expect(laptop.get_by_test_id("reset")).to_be_disabled()
    laptop.get_by_test_id("end").click()
    laptop.get_by_test_id("end-hold").click()
    held(laptop, "end-hold", lambda: laptop.wait_for_timeout(300))
    assert view(hall).state == "running"
    held(laptop, "end-hold", lambda: shows(laptop, "ended"))
    expect(laptop.get_by_test_id("add")).to_be_disabled()
    laptop.get_by_test_id("reopen").click()
    shows(laptop, "paused")
    laptop.get_by_test_id("reset").click()
    laptop.get_by_test_id("reset-hold").focus()
    laptop.keyboard.down(" ")
    shows(laptop, "ready")
    laptop.keyboard.up(" ")
    expect(laptop.locator("dialog")).to_have_count(0)


# keyboard


def test_the_keyboard_does_it_all(laptop: Page, hall: Hall) -> None:
    started(hall)
    opened(laptop, hall)
    shows(laptop, "running")
    expect(laptop.locator("#main[data-settling]")).to_have_count(0)
    laptop.keyboard.press(" ")
    shows(laptop, "paused")
    expect(laptop.locator("#main[data-settling]")).to_have_count(0)
    laptop.keyboard.press(" ")
    shows(laptop, "running")
    laptop.keyboard.press("+")
    hall.until(lambda: view(hall).clock.duration_ms == 21 * MINUTE)
    laptop.keyboard.press("-")
    laptop.keyboard.press("-")
    hall.until(lambda: view(hall).left_ms <= 19 * MINUTE)
    laptop.keyboard.press("ArrowRight")
    laptop.keyboard.press("Enter")
    expect(laptop.get_by_test_id("level")).to_have_text("Level 2 of 4")
    expect(laptop.locator("dialog")).to_have_count(0)
    laptop.keyboard.press("ArrowLeft")
    laptop.keyboard.press("Enter")
    expect(laptop.get_by_test_id("level")).to_have_text("Level 1 of 4")
    expect(laptop.locator("dialog")).to_have_count(0)
    laptop.keyboard.press("b")
    field(laptop, "count").fill("7")
    laptop.keyboard.press("Enter")
    shows(laptop, "break")
    expect(laptop.locator("dialog")).to_have_count(0)
    laptop.keyboard.press("n")
    laptop.keyboard.type("B n + space are letters here")
    laptop.keyboard.press("Enter")
    hall.until(lambda: view(hall).tournament.notices)
    assert view(hall).tournament.notices[0].text == "B n + space are letters here"
    expect(laptop.locator("dialog")).to_have_count(0)
    laptop.keyboard.press("?")
    expect(laptop.get_by_test_id("keys")).to_contain_text("start, pause, resume")
    laptop.keyboard.press("Escape")
    laptop.keyboard.press("w")
    expect(laptop.locator("main")).to_be_hidden()
    laptop.keyboard.press("Escape")
    expect(laptop.locator("main")).to_be_visible()


def test_space_is_for_the_clock_after_a_click_and_for_what_the_keyboard_chose(
    laptop: Page, hall: Hall
) -> None:
    started(hall)
    opened(laptop, hall)
    laptop.get_by_test_id("add").click()
    hall.until(lambda: view(hall).clock.duration_ms == 21 * MINUTE)
    laptop.keyboard.press(" ")
    shows(laptop, "paused")
    laptop.locator("#why-said").wait_for(state="hidden")
    laptop.keyboard.press("Tab")
    while laptop.evaluate("document.activeElement.dataset.testid") != "add":
        laptop.keyboard.press("Tab")
    assert laptop.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "4px"
    laptop.keyboard.press(" ")
    hall.until(lambda: view(hall).clock.duration_ms == 22 * MINUTE)
    assert view(hall).state == "paused"


def test_space_in_a_field_is_a_blank(laptop: Page, hall: Hall) -> None:
    started(hall)
    opened(laptop, hall)
    laptop.click("#why-input")
    laptop.keyboard.type("a b n?")
    assert laptop.locator("#why-input").input_value() == "a b n?"
    assert view(hall).state == "running"
    assert laptop.locator("dialog").count() == 0


def test_watching_shows_the_clock_alone_and_controls_after_a_tap(laptop: Page, hall: Hall) -> None:
    started(hall)
    opened(laptop, hall)
    laptop.click("#watch")
    expect(laptop.locator("main")).to_be_hidden()
    expect(laptop.locator("#watch-bar")).to_be_hidden()
    box = laptop.get_by_test_id("clock").bounding_box()
    assert box is not None
    assert box["height"] > 300
    laptop.mouse.click(600, 200)
    laptop.click("#watch-main")
    shows(laptop, "paused")
    laptop.click("#unwatch")
    expect(laptop.locator("main")).to_be_visible()


# two desks, refusals


def test_two_desks_see_the_same(phone: Page, laptop: Page, hall: Hall) -> None:
    opened(phone, hall)
    opened(laptop, hall, "Bob")
    phone.get_by_test_id("start").tap()
    expect(laptop.get_by_test_id("state")).to_have_attribute("data-state", "running")
    expect(laptop.locator("#last")).to_have_text(re.compile(r"^\d\d:\d\d · Ann started the clock$"))
    laptop.get_by_test_id("pause").click()
    expect(phone.get_by_test_id("state")).to_have_attribute("data-state", "paused")
    part(phone, "log")
    expect(phone.get_by_test_id("history").locator("li").first).to_contain_text("Bob")


def test_what_was_decided_on_another_clock_is_refused_and_nothing_typed_is_lost(
    phone: Page, hall: Hall
) -> None:
    started(hall)
    opened(phone, hall)
    phone.get_by_test_id("break").tap()
    field(phone, "count").fill("17")
    hall.do(lambda: hall.room.act("pause", BY))
    expect(phone.locator("dialog .live")).to_contain_text("Now: paused, Level 1")
    phone.get_by_test_id("break-call").tap()
    expect(phone.locator("dialog .refusal")).to_have_text(
        "the clock has changed in the meantime; look again"
    )
    assert field(phone, "count").input_value() == "17"
    assert view(hall).history[-1].refused
    phone.get_by_test_id("break-call").tap()
    shows(phone, "break")
    assert view(hall).clock.duration_ms == 17 * MINUTE


def test_what_is_refused_says_why_until_it_is_put_away(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    hall.do(lambda: hall.room.act("time", {**BY, "by_ms": -18 * MINUTE}))
    expect(phone.get_by_test_id("clock")).to_have_text("02:00")
    phone.locator("[data-by='-5'] >> nth=0").tap()
    refused = phone.get_by_test_id("refused")
    expect(refused).to_contain_text("Refused: only 02:00 is left; go to the next level instead")
    assert refused.get_attribute("role") == "alert"
    assert phone.locator("#answer").get_attribute("role") == "status"
    phone.click("#refused-close")
    expect(refused).to_be_hidden()


def test_words_of_people_are_text_and_nothing_is_inline(phone: Page, hall: Hall) -> None:
    faults: list[str] = []
    phone.on("pageerror", lambda error: faults.append(str(error)))
    phone.on("console", lambda message: faults.append(message.text))
    hall.do(lambda: hall.room.act("notice", {**BY, "text": "<img src=x onerror=alert(1)>"}))
    opened(phone, hall)
    part(phone, "game")
    expect(phone.locator("#notices")).to_contain_text("<img src=x onerror=alert(1)>")
    assert phone.locator("img").count() == 0
    assert faults == []


# the room away, and its question


def test_a_room_that_was_away_is_said_and_asks(
    phone: Page, broker: RunningBroker, tmp_path: Path
) -> None:
    options = {"store": tmp_path / "room.sqlite", "web_port": free_port()}
    first = Hall(broker, EVENING, [], **options)
    first.start()
    stands(phone)
    opened(phone, first)
    shows(phone, "running")
    first.stop()
    gone = time.monotonic()
    before = seconds(phone)
    passes(phone, 5_000)
    expect(phone.locator("#offline")).to_be_visible()
    phone.get_by_test_id("add").tap()
    expect(phone.get_by_test_id("refused")).to_contain_text("Not sent: no connection")
    passes(phone, 1_000)
    assert phone.inner_text("#offline-age") == "00:06"
    assert before - seconds(phone) == 6
    time.sleep(max(0.0, gone + 5.3 - time.monotonic()))  # the room asks after five
    second = Hall(broker, EVENING, [], **options)
    second.start()
    try:
        shows(phone, "question")
        expect(phone.locator("#offline")).to_be_hidden()
        expect(phone.locator("#question-why")).to_contain_text("The room's program was down.")
        expect(phone.locator("#main")).to_be_hidden()
        given = phone.get_by_test_id("answer-catch-up").inner_text()
        assert re.search(r"Catch up\s+Level 1, 1[89]:\d\d left", given)
        assert re.search(
            r"Level 1, stopped at (20:00|19:\d\d)", phone.get_by_test_id("answer-stay").inner_text()
        )
        phone.get_by_test_id("answer-catch-up").tap()
        shows(phone, "running")
        expect(phone.locator("#answer")).to_have_text("Done: the clock has caught up")
    finally:
        second.stop()


@pytest.mark.parametrize("choice", ["resume", "catch-up", "stay"])
def test_each_answer_is_sent_as_what_it_is(phone: Page, hall: Hall, choice: str) -> None:
    started(hall)
    asked: list[dict[str, Any]] = []

    def asking(route: Route) -> None:
        picture = json.loads(phone.request.get(f"{hall.url}clock.json").text())
        now = picture["now_ms"]
        question = {
            "cause": "power",
            "stopped_ms": now - 25 * MINUTE,
            "back_ms": now,
            "deadline_ms": now - 5 * MINUTE,
        }
        picture["state"] = "question"
        picture["clock"] |= {"state": "question", "deadline_ms": None, "question": question}
        picture["catch_up"] = {"index": 1, "level": 2, "on_break": False, "left_ms": 15 * MINUTE}
        body = f"retry: 60000\n\ndata: {json.dumps(picture)}\n\n"
        route.fulfill(content_type="text/event-stream", body=body)

    def take(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        route.fulfill(json={"accepted": True, "state": "running", "revision": 9})

    phone.route("**/clock/events?*", asking)
    phone.route("**/clock/answer", take)
    opened(phone, hall)
    shows(phone, "question")
    expect(phone.locator("#question-why")).to_contain_text("The machine was off.")
    expect(phone.locator("#question-why")).to_contain_text("stopped for 25:00")
    expect(phone.get_by_test_id("answer-catch-up")).to_contain_text("Level 2, 15:00 left")
    expect(phone.get_by_test_id("next")).to_be_disabled()
    names = {"resume": "answer-resume", "catch-up": "answer-catch-up", "stay": "answer-stay"}
    phone.get_by_test_id(names[choice]).tap()
    expect(phone.locator("#answer")).to_be_visible()
    assert asked == [{"choice": choice, "revision": view(hall).clock.revision}]


def test_faults_another_room_and_a_lost_broker_are_said(
    phone: Page, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = "the clock can't be saved: disk is full"
    monkeypatch.setattr(RoomFaults, "now", lambda _: (fault,))
    opened(phone, hall)
    expect(phone.locator("#troubles [data-kind=fault]")).to_have_text(fault)
    hall.do(lambda: hall.room.link(False))
    expect(phone.locator("#offline-what")).to_have_text("No connection to the tables")
    hall.do(lambda: hall.room.link(True))
    expect(phone.locator("#offline")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Starten"), ("es", "Empezar"), ("fr", "Démarrer")]
)
def test_the_page_speaks_the_language_in_its_address(
    phone: Page, hall: Hall, language: str, said: str
) -> None:
    opened(phone, hall, query=f"?lang={language}")
    expect(phone.get_by_test_id("start")).to_have_text(said)
    assert phone.evaluate("document.documentElement.lang") == language
    phone.goto(f"{hall.url}clock?lang=xx")
    expect(phone.get_by_test_id("start")).to_have_text("Start")


def test_the_index_leads_to_the_desk(phone: Page, hall: Hall) -> None:
    hall.sign_in(phone, "viewer")
    phone.goto(hall.url)
    phone.click("#about >> text=Clock desk")
    expect(phone.get_by_test_id("state")).to_have_text("ready")
