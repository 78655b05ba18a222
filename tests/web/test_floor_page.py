"""The floor page in a real browser, with tables that judge what it sends, over a real broker."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, Page, expect

from controller.broker import RunningBroker, start_broker
from controller.events import Blinds
from controller.messages import FLOOR_COMMANDS, Dismissed
from controller.observations import Coming, FloorDismiss, FloorMisdeal, FloorRuling
from controller.room.structure import Entry, Structure
from display.web.access import COOKIE
from display.web.body import MAX_BODY
from tests.commands.fake_table import FLOP, SILENT, SITE
from tests.web.hall import Hall, ours

EVENING = Structure("evening", (Entry(1_200_000, Blinds(100, 200)),))
PHONE, DESK = (390, 844), (1280, 800)
TABLES = ("T1", "T2", "T3")
MEASURES = (Path(__file__).parent / "measures.js").read_text()


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, TABLES) as running:
        yield running


@pytest.fixture
def hall(broker: RunningBroker) -> Iterator[Hall]:
    hall = Hall(broker, EVENING, TABLES)
    hall.start()
    yield hall
    hall.stop()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def opened(page: Page, hall: Hall, name: str = "Ann") -> Page:
    hall.sign_in(page, "floor", name)
    page.goto(f"{hall.url}floor")
    expect(page.locator("#who")).to_have_text(name)
    page.evaluate("document.fonts.ready")
    return page


def card(page: Page, table: str) -> Locator:
    return page.locator(f".card[aria-label^='Table {table}:']")


def act(page: Page, table: str, name: str) -> Locator:
    return card(page, table).locator(f"[data-act={name}]")


def three(hall: Hall) -> None:
    hall.alert("T1", 1, "Burned too soon", age_s=70, priority=2)
    hall.alert("T2", 4, "Four-card flop", age_s=20, ruling=SILENT)
    hall.alert("T3", 9, "No burn card", age_s=40, seats=(3, 5), priority=2, basis="unseen")


def test_who_is_signed_in_is_asked_nothing(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.reload()
    expect(phone.locator("#who")).to_have_text("Ann")
    expect(phone.locator("#ask")).to_be_hidden()
    assert "sent under your name" in phone.inner_text("footer")


def test_who_only_looks_has_nothing_to_press(phone: Page, hall: Hall) -> None:
    hall.sign_in(phone, "viewer", "Vic")
    hall.alert("T1", 1, "Four-card flop")
    phone.goto(f"{hall.url}floor")
    expect(phone.locator("#who")).to_have_text("Vic")
    expect(card(phone, "T1")).to_be_visible()
    assert phone.locator("[data-act]:visible").count() == 0


def test_the_worst_comes_first_and_then_the_oldest(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    expect(phone.locator("#none")).to_contain_text("No open alerts")
    three(hall)
    expect(phone.locator(".card")).to_have_count(3)
    assert phone.locator(".card .table").all_inner_texts() == ["Table T2", "Table T1", "Table T3"]
    assert phone.locator(".badge").all_inner_texts() == ["STOP", "PUT RIGHT", "QUESTION"]
    assert card(phone, "T3").locator(".title").inner_text() == "No burn card, seats 3, 5"
    assert card(phone, "T1").locator(".age").inner_text() == "1 min"
    assert card(phone, "T1").locator(".until").inner_text() == "Only until someone acts"
    said = card(phone, "T2").locator(".advisory").inner_text()
    assert "Advice: redeal flop" in said
    assert "House rules: RR7-HE-4, HPT-PREC-01" in said
    assert "Deal a new flop." in said
    assert "floor decides" in card(phone, "T2").locator(".says").inner_text()
    assert phone.title() == "(3) Floor"


def test_the_books_answer_is_one_tap_and_the_table_confirms_it(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(act(phone, "T1", "first")).to_have_text("Rule: redeal flop")
    act(phone, "T1", "first").tap()
    line = card(phone, "T1").locator(".given")
    expect(line).to_have_text("Rule: redeal flop, by Ann — confirmed by the table")
    expect(card(phone, "T1").locator(".state")).to_have_text(
        "Ruled: redeal flop, by Ann. Until it is put right."
    )
    (taken,) = hall.tables["T1"].taken
    assert isinstance(taken, FloorRuling)
    assert (taken.by, taken.finding, taken.outcome) == ("Ann", 1, "redeal-flop")
    expect(act(phone, "T1", "first")).to_be_hidden()
    hall.do(lambda: hall.tables["T1"].closes(1))
    expect(phone.locator("#none")).to_be_visible()
    expect(phone.locator("#given")).to_contain_text("Table T1. Rule: redeal flop, by Ann")


def test_coming_is_not_resolved_and_every_phone_sees_who_comes(
    phone: Page, browser: Browser, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop", age_s=60)
    opened(phone, hall)
    expect(card(phone, "T1").locator(".state")).to_have_text("Nobody is coming yet")
    act(phone, "T1", "coming").tap()
    expect(card(phone, "T1").locator(".state")).to_have_text("Ann is coming")
    expect(act(phone, "T1", "coming")).to_be_hidden()
    expect(act(phone, "T1", "first")).to_be_enabled()
    assert isinstance(hall.tables["T1"].taken[0], Coming)
    context = browser.new_context()
    other = opened(context.new_page(), hall, "Bo")
    expect(card(other, "T1").locator(".state")).to_have_text("Ann is coming")
    context.close()
    hall.do(lambda: hall.tables["T1"].show(hand=13, floor="coming"))
    expect(card(phone, "T1").locator(".state")).to_have_text("Floor is coming")


def test_another_outcome_a_dismissal_with_reason_and_a_misdeal(phone: Page, hall: Hall) -> None:
    three(hall)
    opened(phone, hall)
    act(phone, "T1", "other").tap()
    choices = phone.locator("#ask-choices button").all_inner_texts()
    assert "redeal flop" not in choices
    assert "misdeal" not in choices
    assert "dead hand" in choices
    phone.click("#ask-choices >> text=correct burn")
    expect(card(phone, "T1").locator(".state")).to_contain_text("Ruled: correct burn, by Ann")

    act(phone, "T3", "dismiss").tap()
    phone.click("text=Dismiss with this reason")
    expect(phone.locator("#ask")).to_be_visible()
    phone.fill("#ask-input", "wet felt")
    phone.click("text=Dismiss with this reason")
    expect(card(phone, "T3")).to_have_count(0)
    (dismissed,) = hall.tables["T3"].taken
    assert isinstance(dismissed, FloorDismiss)
    assert (dismissed.finding, dismissed.reason, dismissed.by) == (9, "wet felt", "Ann")

    act(phone, "T2", "misdeal").tap()
    phone.click("#ask-cancel")
    assert hall.tables["T2"].taken == []
    act(phone, "T2", "misdeal").tap()
    phone.click("text=Yes, misdeal")
    expect(card(phone, "T2")).to_have_count(0)
    assert isinstance(hall.tables["T2"].taken[0], FloorMisdeal)


def test_a_misdeal_that_the_book_wants_is_confirmed_too(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "First card to the wrong seat", ruling=replace(FLOP, outcome="misdeal"))
    opened(phone, hall)
    expect(act(phone, "T1", "misdeal")).to_be_hidden()
    act(phone, "T1", "first").tap()
    assert hall.tables["T1"].taken == []
    phone.click("text=Yes, misdeal")
    expect(phone.locator("#none")).to_be_visible()
    assert isinstance(hall.tables["T1"].taken[0], FloorMisdeal)


def test_what_the_table_refuses_is_said_with_its_reason(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(card(phone, "T1")).to_be_visible()
    hall.do(lambda: setattr(hall.tables["T1"], "session", "s-new"))
    act(phone, "T1", "first").tap()
    line = card(phone, "T1").locator(".given")
    expect(line).to_contain_text("refused: the table has begun anew since this was decided")
    assert line.get_attribute("data-status") == "refused"
    assert hall.tables["T1"].taken == []


def test_a_table_that_does_not_answer_is_said(phone: Page, hall: Hall) -> None:
    hall.tables["T1"].silent = True
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    act(phone, "T1", "coming").tap()
    line = card(phone, "T1").locator(".given")
    expect(line).to_have_text("Coming, by Ann — sent…")
    expect(line).to_contain_text("not answered: no answer from table T1", timeout=8_000)


def test_a_dialog_about_what_was_closed_meanwhile_goes(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    act(phone, "T1", "misdeal").tap()
    expect(phone.locator("#ask")).to_be_visible()
    hall.do(lambda: hall.tables["T1"].closes(1))
    expect(phone.locator("#ask")).to_be_hidden()
    expect(phone.locator("#given")).to_contain_text("closed meanwhile")


def test_a_lost_table_is_stale_and_cannot_be_told_anything(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    hall.do(hall.tables["T1"].lost)
    expect(phone.locator("#lost")).to_contain_text("table T1")
    expect(card(phone, "T1").locator(".state")).to_have_text("Table is not heard: this may be old")
    expect(act(phone, "T1", "first")).to_be_disabled()


def test_a_lost_room_is_said_within_five_seconds(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(act(phone, "T1", "first")).to_be_enabled()
    began = time.monotonic()
    hall.stop()
    expect(phone.locator("#offline-what")).to_have_text(
        "No connection: alerts do not arrive", timeout=7_000
    )
    assert time.monotonic() - began < 7  # the room itself may take two to end
    expect(act(phone, "T1", "first")).to_be_disabled()


def test_what_came_while_the_tables_could_not_be_heard_is_marked(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(card(phone, "T1")).to_be_visible()
    hall.do(lambda: hall.room.link(False))
    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.locator("#offline-what")).to_have_text("The tables cannot be heard")
    hall.alert("T2", 2, "No burn card", priority=2)
    hall.do(lambda: hall.tables["T1"].closes(1))
    hall.until(lambda: [each.table for each in hall.room.view().alerts] == ["T2"])
    hall.do(lambda: hall.room.link(True))
    expect(phone.locator("#offline")).to_be_hidden()
    expect(phone.locator(".card .table")).to_have_text("Table T2")
    hall.do(hall.tables["T2"].ready)
    expect(card(phone, "T2").locator(".state")).to_have_text("New while this page was away")


def test_alerts_are_announced(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    hall.alert("T3", 9, "No burn card", seats=(3,), priority=2)
    expect(phone.locator("#announce")).to_have_text("Table T3: No burn card, Seat 3.")
    assert phone.locator("#announce").get_attribute("role") == "status"
    assert phone.locator("#given").get_attribute("role") == "status"


def test_words_from_a_table_are_text_and_nothing_is_inline(phone: Page, hall: Hall) -> None:
    faults: list[str] = []
    phone.on("pageerror", lambda error: faults.append(str(error)))
    phone.on("console", lambda message: faults.append(message.text))
    hall.alert("T1", 1, "<img src=x onerror=alert(1)>")
    opened(phone, hall)
    expect(card(phone, "T1").locator(".title")).to_have_text("<img src=x onerror=alert(1)>")
    assert phone.locator("img").count() == 0
    assert faults == []


def touched(page: Page) -> list[str]:
    """Buttons that are smaller than a thumb needs, or stick out."""
    return [
        str(each)
        for each in page.evaluate(
            """() => [...document.querySelectorAll("button, input")]
            .filter((b) => b.getClientRects().length)
            .map((b) => [b.textContent || b.id, b.getBoundingClientRect()])
            .filter(([, r]) => r.width < 44 || r.height < 44 || r.left < 0 || r.right > innerWidth)
            .map(([name, r]) => `${name} ${r.width}x${r.height}`)"""
        )
    ]


def faint(page: Page) -> list[str]:
    texts: list[dict[str, Any]] = page.evaluate(MEASURES)
    assert len(texts) > 3
    return [f"{t['text']} {t['contrast']:.1f}" for t in texts if t["contrast"] < 7]


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_every_text_is_clear_and_every_button_fits_a_thumb(
    phone: Page, hall: Hall, size: tuple[int, int]
) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    three(hall)
    opened(phone, hall)

    def look() -> None:
        assert (touched(phone), faint(phone)) == ([], [])
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

    expect(phone.locator(".card")).to_have_count(3)
    look()
    for name in ("other", "dismiss", "misdeal"):
        act(phone, "T2", name).click()
        look()
        phone.click("#ask-cancel")
    act(phone, "T2", "coming").click()
    expect(card(phone, "T2").locator(".state")).to_have_text("Ann is coming")
    act(phone, "T1", "first").click()
    expect(card(phone, "T1").locator(".state")).to_contain_text("Ruled")
    look()
    hall.do(hall.tables["T3"].lost)
    hall.do(lambda: setattr(hall.tables["T2"], "session", "s-new"))
    act(phone, "T2", "first").click()
    expect(card(phone, "T2").locator(".given[data-status=refused]")).to_be_visible()
    look()
    hall.do(lambda: hall.room.link(False))
    expect(phone.locator("#offline")).to_be_visible()
    look()


def post(hall: Hall, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    """Status and answer of a POST that says of itself what a page of ours would."""
    cookie = {"Cookie": f"{COOKIE}={hall.cookie()}"}
    given = (
        ours(hall.url) | cookie | {key.replace("_", "-"): value for key, value in headers.items()}
    )
    sent = {key: value for key, value in given.items() if value}
    request = urllib.request.Request(hall.url + path, body, sent)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=5) as response:  # noqa: S310
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_only_our_own_pages_can_decide_and_only_sound_things(hall: Hall) -> None:
    fields = {"actor": "Ann", "session": "s-T1", "hand": 12}
    body = json.dumps(fields).encode()
    coming = "floor/T1/coming"
    assert post(hall, coming, body, Origin="http://elsewhere")[0] == 403
    assert post(hall, coming, body, Origin="")[0] == 403
    assert post(hall, coming, body, Origin="null")[0] == 403
    assert post(hall, coming, body, X_Requested_With="")[0] == 403
    assert post(hall, coming, body, X_Requested_With="XMLHttpRequest")[0] == 403
    assert post(hall, coming, b" " * (MAX_BODY + 1))[0] == 413
    for rubbish in (b"", b"{", b"[]", b"\xff", b"[" * 4_000):
        assert post(hall, coming, rubbish)[0] == 400
    assert "no field 'role'" in post(hall, coming, json.dumps({**fields, "role": "x"}).encode())[1]
    assert post(hall, "floor/T9/coming", body)[0] == 409
    for name in ("level", "seats", "pause", "nonsense"):
        assert name not in FLOOR_COMMANDS
        assert post(hall, f"floor/T1/{name}", body)[0] == 404
    assert hall.tables["T1"].verdicts == []
    status, answer = post(hall, coming, body)
    assert status == 202
    hall.until(lambda: hall.tables["T1"].taken)
    assert list(hall.tables["T1"].ids) == [json.loads(answer)["id"]]


def test_the_index_leads_to_the_floor(phone: Page, hall: Hall) -> None:
    hall.sign_in(phone)
    phone.goto(hall.url)
    phone.click("nav >> text=Floor")
    expect(phone.locator("h1")).to_contain_text("Floor")


def test_what_the_dealer_dismissed_comes_last_and_can_only_be_closed(
    phone: Page, hall: Hall
) -> None:
    said = Dismissed(11, reason="put right already")
    hall.alert("T1", 2, "Four-card flop", age_s=200, dismissed=said)
    hall.alert("T2", 4, "Four-card flop", age_s=20)
    opened(phone, hall)
    expect(phone.locator(".card")).to_have_count(2)
    expect(phone.locator(".card").last).to_have_attribute("aria-label", "Table T1: Four-card flop")
    expect(card(phone, "T1").locator(".state")).to_have_text(
        "Dismissed by the dealer in hand 11: put right already"
    )
    expect(card(phone, "T1").locator("[data-act]:visible")).to_have_text(["Close"])
    act(phone, "T1", "close").click()
    expect(card(phone, "T1")).to_have_count(0)
    assert hall.tables["T1"].taken == [FloorDismiss(kind="floor", t=7.0, by="Ann", finding=2)]
