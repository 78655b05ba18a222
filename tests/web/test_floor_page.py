"""The floor page in a real browser: who holds it, what it shows, and who may ask."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Page, expect

from controller.contract.messages import FLOOR_COMMANDS
from controller.people.staff import Role
from display.web.serving.access.who import COOKIE
from display.web.serving.body import MAX_BODY
from tests.room.test_hand_timeline import start
from tests.waiting import PATIENCE_S
from tests.web.floor_page import act, card, opened, owner, tells, three
from tests.web.hall import Hall, ours


def test_who_is_signed_in_is_asked_nothing(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.reload()
    expect(phone.locator("#who")).to_have_text("Ann")
    expect(phone.locator("#summary")).to_have_text("No open alerts")
    expect(phone.locator("#ask")).to_be_hidden()
    assert "A locked phone gets no alert" in phone.inner_text("#summary-more")


@pytest.mark.parametrize(("role", "may"), [("floor", True), ("viewer", False)])
def test_who_is_signed_in_sees_what_that_role_may(
    phone: Page, hall: Hall, role: Role, may: bool
) -> None:
    three(hall)
    hall.alert("T1", 5, "Card shown", priority=3)
    opened(phone, hall, "Cleo", role=role)
    expect(phone.get_by_test_id("alert")).to_have_count(4)
    assert bool(phone.locator("[data-act]:visible").count()) is may
    assert phone.get_by_text("View only").first.is_visible() is not may
    card(phone, "T1/1").locator(".open").click()
    expect(phone.locator("#opened h3").first).to_have_text("Ruling: redeal the flop")
    assert bool(phone.locator("#opened [data-act]:visible").count()) is may
    phone.click("#opened-close")
    for tab in ("tables", "history", "numbers", "duty"):
        phone.click(f"[data-to={tab}]")
        assert may or phone.locator("[data-panel]:visible [data-act]:visible").count() == 0
    assert phone.locator("#new-section").is_visible() is may
    assert phone.locator("#off-duty").is_visible() is may
    phone.click("[data-to=alerts]")
    if may:
        act(phone, "T1/1", "take").click()
        hall.until(lambda: [each.owner for each in hall.room.view().shift.alerts].count("Cleo"))


def test_who_is_signed_out_meanwhile_signs_in_and_comes_back_here(phone: Page, hall: Hall) -> None:
    opened(phone, hall, language="de")
    assert hall.get(lambda: hall.door.store.sign_out_all("Ann")) == 1
    phone.wait_for_url("**/login?to=*")
    hall.sign_in(phone)
    phone.goto(f"{hall.url}floor")
    hall.alert("T1", 1, "Four-card flop")
    expect(act(phone, "T1/1", "take")).to_be_visible()
    phone.context.clear_cookies()
    act(phone, "T1/1", "take").click()
    phone.wait_for_url(f"{hall.url}login?to=%2Ffloor")
    assert hall.room.view().shift.alerts[0].owner == ""


def test_somebody_else_signs_in_on_the_same_phone(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.click("[data-to=duty]")
    phone.click("#someone-else")
    phone.wait_for_url(f"{hall.url}login?to=%2Ffloor")


def test_the_worst_comes_first_and_then_the_oldest(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    three(hall)
    expect(phone.get_by_test_id("alert")).to_have_count(3)
    assert phone.locator(".card .table").all_inner_texts() == ["Table T2", "Table T1", "Table T3"]
    assert phone.locator(".card .badge").all_inner_texts() == ["STOP", "FIX", "QUESTION"]
    assert card(phone, "T3/9").locator(".title").inner_text() == "No burn card, seats 3, 5"
    assert card(phone, "T1/1").get_by_test_id("age").inner_text() == "1 min"
    assert owner(phone, "T1/1").inner_text() == "Nobody has it"
    said = card(phone, "T2/4").locator(".says").inner_text()
    assert said == "The book is silent. Advice: redeal the flop"
    expect(phone.locator("#summary")).to_have_text("3 open alerts")
    expect(phone.locator("#summary-more")).to_have_text("1 stops play · 3 not taken")
    assert phone.title() == "(3) Floor"


def test_an_alert_opens_to_its_ruling_its_rules_and_the_hand(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    tells(hall, "T1", 1, start(12))
    opened(phone, hall)
    card(phone, "T1/1").locator(".open").tap()
    panel = phone.locator("#opened")
    expect(panel.locator("#opened-title")).to_be_focused()
    expect(panel.locator("h3").first).to_have_text("Ruling: redeal the flop")
    expect(panel).to_contain_text("Only until someone acts")
    expect(panel).to_contain_text("House rules: RR7-HE-4, HPT-PREC-01")
    expect(panel).to_contain_text("House tournament rules are used together with Robert's Rules")
    expect(panel.locator(".steps li")).to_have_count(4)
    expect(panel.locator("#timeline")).to_contain_text("Seat 1 5,000 button")
    expect(panel.locator("#opened-next")).to_contain_text("Calls everyone in")
    hall.do(lambda: hall.tables["T1"].closes(1))
    expect(panel.locator(".owner")).to_have_text("closed in the meantime")
    expect(panel.locator("[data-act]:visible")).to_have_count(0)
    hall.alert("T2", 4, "Four-card flop")
    phone.click("#opened-close")
    card(phone, "T2/4").locator(".open").tap()
    expect(panel.locator("#timeline")).to_have_text("Nothing is known of this hand.")


def test_a_silent_book_comes_with_advice(phone: Page, hall: Hall) -> None:
    three(hall)
    opened(phone, hall)
    card(phone, "T2/4").locator(".open").tap()
    expect(phone.locator("#opened h3").nth(0)).to_have_text("Ruling: the floor decides")
    expect(phone.locator("#opened h3").nth(1)).to_have_text("Advice: redeal the flop")


def test_alerts_are_announced_and_the_focus_stays(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Burned too soon", priority=2)
    opened(phone, hall)
    act(phone, "T1/1", "more").focus()
    hall.alert("T3", 9, "No burn card", seats=(3,))
    expect(phone.locator("#announce")).to_have_text("Table T3: No burn card, seat 3.")
    assert phone.locator("#announce").get_attribute("role") == "status"
    assert phone.locator(".card .table").all_inner_texts() == ["Table T3", "Table T1"]
    expect(act(phone, "T1/1", "more")).to_be_focused()
    hall.alert("T1", 1, "Burned too soon", age_s=90)  # more serious now: it moves up
    expect(phone.locator(".card .table").first).to_have_text("Table T1")
    expect(act(phone, "T1/1", "more")).to_be_focused()


def test_nothing_moves_under_a_thumb(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Burned too soon", priority=2)
    opened(phone, hall)
    expect(phone.locator("body:not([data-settling]) .card")).to_be_visible()
    box = act(phone, "T1/1", "take").bounding_box()
    assert box is not None
    phone.mouse.move(box["x"] + 40, box["y"] + 20)
    phone.evaluate(SLIDES)
    phone.mouse.down()
    hall.alert("T2", 2, "Four-card flop")
    expect(phone.locator("#announce")).to_contain_text("Table T2")
    assert phone.get_by_test_id("alert").count() == 1
    phone.mouse.up()
    expect(phone.get_by_test_id("alert")).to_have_count(2)
    assert phone.evaluate("slides")
    hall.until(lambda: hall.room.view().shift.alerts[1].owner == "Ann")


def test_the_first_touch_allows_the_sound_and_moves_nothing_under_it(
    phone: Page, hall: Hall
) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    expect(phone.locator("#allow-sound")).to_be_visible()
    box = act(phone, "T1/1", "take").bounding_box()
    assert box is not None
    phone.mouse.move(box["x"] + 40, box["y"] + 20)
    phone.mouse.down()
    phone.wait_for_timeout(500)
    assert phone.locator("#allow-sound").is_visible()
    phone.mouse.up()
    expect(phone.locator("#allow-sound")).to_be_hidden()
    expect(owner(phone, "T1/1")).to_contain_text("You have it")


SLIDES = """() => {
  window.slides = 0;
  new MutationObserver(() => (slides += document.body.hasAttribute("data-settling")))
    .observe(document.body, { attributeFilter: ["data-settling"] });
}"""


def test_no_act_is_hit_that_has_just_slid_to_where_another_was(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    opened(phone, hall)
    take = act(phone, "T1/1", "take")
    expect(take).to_be_visible()
    phone.evaluate(SLIDES)
    before = take.bounding_box()
    hall.do(hall.tables["T1"].lost)
    expect(card(phone, "T1/1").locator(".level")).to_be_visible()
    assert take.bounding_box() != before
    assert phone.evaluate("slides") == 1
    expect(phone.locator("body[data-settling]")).to_have_count(0)
    hall.do(hall.tables["T1"].ready)
    hall.until(lambda: phone.evaluate("slides") == 2)


def test_words_from_a_table_and_names_are_text_and_nothing_is_inline(
    phone: Page, other: Page, hall: Hall
) -> None:
    faults: list[str] = []
    for page in (phone, other):
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
    markup = "<img src=x onerror=alert(1)>"
    hall.alert("T1", 1, markup)
    opened(phone, hall, markup)
    expect(card(phone, "T1/1").locator(".title")).to_have_text(markup)
    act(phone, "T1/1", "take").tap()
    opened(other, hall, "Bo")
    expect(owner(other, "T1/1")).to_contain_text(markup)
    for page in (phone, other):
        card(page, "T1/1").locator(".open").tap()
        page.click("#opened-close")
        for tab in ("history", "numbers", "tables", "duty"):
            page.click(f"[data-to={tab}]")
        assert page.locator("img").count() == 0
    usual = ("me.json", "404", "AudioContext")
    assert [each for each in faults if not any(word in each for word in usual)] == []


def test_the_page_speaks_four_languages(phone: Page, hall: Hall) -> None:
    three(hall)
    opened(phone, hall)
    for language, take in (("de", "Übernehmen"), ("es", "Tomar"), ("fr", "Prendre")):
        opened(phone, hall, language=language)
        expect(act(phone, "T2/4", "take")).to_have_text(take)
        assert phone.evaluate("document.documentElement.lang") == language


def post(hall: Hall, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    """Status and answer of a POST that says of itself what a page of ours would."""
    cookie = {"Cookie": f"{COOKIE}={hall.cookie()}"}
    given = (
        ours(hall.url) | cookie | {key.replace("_", "-"): value for key, value in headers.items()}
    )
    sent = {key: value for key, value in given.items() if value}
    request = urllib.request.Request(hall.url + path, body, sent)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:  # noqa: S310
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
    phone.click("#about >> text=Floor")
    expect(phone.locator("h1")).to_contain_text("Floor")
