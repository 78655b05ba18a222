"""The page of the rules in a browser: found as one types, and what an action amounts to."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from controller.contract.events import RulingText
from controller.files.settings import config_dir
from controller.library.languages import languages
from tests.commands.fake_table import FLOP
from tests.web.floor_page import act, opened
from tests.web.hall import Hall
from tests.web.past import Past
from tests.web.showroom import runs, view

WIDTHS = (360, 1280)


@pytest.fixture(scope="module")
def room() -> Iterator[Past]:
    with Past(None) as running:
        yield running


@pytest.fixture
def page(page: Page, room: Past) -> Page:
    """Of somebody who may only look."""
    room.sign_in(page, "viewer", "Vic")
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


def at(page: Page, room: Past, asked: str = "") -> Page:
    page.goto(f"{room.url}/rules{asked}")
    expect(page.get_by_test_id("said")).not_to_be_empty()
    return page


def ids(page: Page) -> list[str]:
    return [str(each) for each in page.locator("#rules h3 a").all_inner_texts()]


def rule(page: Page, name: str) -> Locator:
    return page.locator(f"#rules > [data-id='{name}']")


def said(page: Page) -> Locator:
    return page.get_by_test_id("said")


def amounts(page: Page) -> Locator:
    return page.get_by_test_id("amounts-to")


def troubles_of(page: Page) -> list[str]:
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text))
    return found


def test_rules_are_found_as_one_types_and_the_address_says_what_was_asked(
    page: Page, room: Past
) -> None:
    troubles = troubles_of(page)
    at(page, room)
    expect(said(page)).to_contain_text("Type what it is about")
    page.locator("#q").press_sequentially("string be")
    expect(rule(page, "UK-50")).to_be_visible()
    page.wait_for_url(re.compile(r"/rules\?q=string\+be$"))
    page.select_option("#in-book", "tda-2009")
    page.wait_for_url(re.compile(r"&book=tda-2009$"))
    expect(rule(page, "UK-50")).to_have_count(0)
    page.reload()
    expect(page.locator("#q")).to_have_value("string be")
    expect(page.locator("#in-book")).to_have_value("tda-2009")
    expect(rule(page, "TDA09-36")).to_be_visible()
    assert all(each.startswith("TDA09-") for each in ids(page))
    assert troubles == []


def test_a_rule_says_where_it_stands_who_differs_and_what_rests_on_it(
    page: Page, room: Past
) -> None:
    at(page, room, "?q=UK-35")
    found = rule(page, "UK-35")
    expect(found).to_contain_text("UK TDA")
    expect(found).to_contain_text("Dealing Rules, 35")
    expect(found).to_contain_text("The table takes care of it")
    expect(found.get_by_role("link", name="RR7-HE-3", exact=True)).to_be_visible()
    found.get_by_role("link", name="TDA09-28").click()
    expect(rule(page, "TDA09-28")).to_be_visible()
    assert ids(page) == ["TDA09-28"]
    page.go_back()
    expect(rule(page, "UK-35")).to_be_visible()
    found.get_by_role("link", name="Four-card flop").click()
    expect(said(page)).to_have_text(re.compile(r"^Four-card flop: \d+ rules behind it$"))
    assert {"UK-35", "TDA09-28", "RRP-HE-3", "NL10-MIS-06"} <= set(ids(page))


def test_from_what_the_dealer_sees_one_comes_to_its_rules_and_back(page: Page, room: Past) -> None:
    at(page, room, "?q=UK-50")
    told = rule(page, "UK-50").get_by_role("link", name="One motion")
    told.click()
    expect(said(page)).to_contain_text("behind it")
    expect(rule(page, "UK-50")).to_be_visible()
    assert len(ids(page)) > 1


def test_who_looks_up_a_rule_of_another_book_looks_in_all(page: Page, room: Past) -> None:
    at(page, room, "?q=UK-35&book=uk-tda")
    rule(page, "UK-35").get_by_role("link", name="TDA09-28").click()
    expect(rule(page, "TDA09-28")).to_be_visible()
    expect(page.locator("#in-book")).to_have_value("")


def test_many_rules_are_shown_in_part_and_the_rest_is_counted(page: Page, room: Past) -> None:
    at(page, room, "?book=uk-tda")
    expect(said(page)).to_have_text("145 rules")
    expect(page.get_by_test_id("rule")).to_have_count(40)
    expect(page.get_by_test_id("more")).to_contain_text("105 more.")
    page.fill("#q", "UK-42A")
    expect(said(page)).to_have_text("1 rule")
    expect(page.get_by_test_id("more")).to_be_hidden()


@pytest.mark.parametrize("nonsense", ["xylophone", "!!!", '"*"', "<img>zzq</img>"])
def test_where_nothing_is_found_it_is_said(page: Page, room: Past, nonsense: str) -> None:
    troubles = troubles_of(page)
    at(page, room)
    page.fill("#q", nonsense)
    expect(said(page)).to_contain_text("No rule has these words")
    assert ids(page) == []
    page.fill("#q", "")
    expect(said(page)).to_contain_text("Type what it is about")
    assert troubles == []


def test_a_book_that_nobody_has_checked_is_marked(page: Page, room: Past) -> None:
    for language in languages(config_dir()):
        at(page, room, f"?q=string&book=tda-2024&lang={language}")
        expect(page.locator("#rules .unverified").first).to_be_visible()
        marks = {str(each) for each in page.locator("#rules .unverified").all_inner_texts()}
        assert len(marks) == 1
        assert "TDA 2024 (" in marks.pop()
        assert page.locator("#rules .unverified").count() == len(ids(page))
    at(page, room, "?q=UK-50")
    expect(rule(page, "UK-50")).to_be_visible()
    assert page.locator("#rules .unverified").count() == 0


def test_a_later_question_is_not_answered_with_an_earlier_ones_rules(
    page: Page, room: Past
) -> None:
    held: list[Route] = []
    at(page, room)
    page.route("**/rules.json?q=UK-50*", lambda route: held.extend([route]))
    with page.expect_request("**/rules.json?q=UK-50*"):
        page.fill("#q", "UK-50")
    page.fill("#q", "UK-35")
    expect(rule(page, "UK-35")).to_be_visible()
    with page.expect_response("**/rules.json?q=UK-50*"):
        held[0].continue_()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert ids(page) == ["UK-35"]


def test_what_cant_be_asked_is_said(page: Page, room: Past) -> None:
    at(page, room)
    page.route("**/rules.json*", lambda route: route.abort())
    page.fill("#q", "flop")
    expect(said(page)).to_contain_text("No connection to the room")
    page.unroute("**/rules.json*")
    page.press("#q", "Enter")
    expect(said(page)).to_contain_text("rules")


def test_an_action_is_judged_with_a_few_taps(page: Page, room: Past) -> None:
    troubles = troubles_of(page)
    at(page, room, "#amounts")
    page.fill("#big", "500")
    page.fill("#facing", "1100")
    page.fill("#raised-by", "600")
    page.get_by_role("button", name="Add a chip of 1000 to: Chips pushed in").click()
    for _ in range(5):
        page.get_by_role("button", name="Add a chip of 100 to: Chips pushed in").click()
    expect(page.locator("#chips")).to_have_value("1000,5x100")
    page.get_by_test_id("judge").click()
    expect(amounts(page).get_by_role("heading")).to_have_text("Raise to 1,700.")
    expect(amounts(page)).to_contain_text("made up to the least")
    expect(amounts(page)).to_contain_text("a raise to 2,300 or more")
    expect(amounts(page)).to_contain_text("By UK TDA")
    page.fill("#chips", "1000,3x100")
    expect(amounts(page)).to_be_hidden()  # it was the answer to another question
    page.keyboard.press("Enter")
    expect(amounts(page).get_by_role("heading")).to_have_text("Call 1,100.")
    amounts(page).get_by_role("link", name="UK-42A").click()
    expect(rule(page, "UK-42A")).to_be_visible()
    expect(page.locator("#chips")).to_have_value("1000,3x100")
    assert troubles == []


def test_words_ticks_and_what_the_book_leaves_open(page: Page, room: Past) -> None:
    at(page, room, "#amounts")
    page.fill("#big", "500")
    page.select_option("#word", "bet")
    page.fill("#amount", "5")
    page.check("#unclear")
    page.get_by_test_id("judge").click()
    expect(amounts(page)).to_contain_text("Ask the player: bet 500 or bet 5,000?")
    page.select_option("#word", "all-in")
    page.fill("#amount", "")
    page.uncheck("#unclear")
    page.click("summary")
    page.fill("#stack", "5 200")
    page.get_by_test_id("judge").click()
    expect(amounts(page)).to_contain_text("All-in, 5,200 in all.")


def test_the_book_is_the_one_that_was_chosen_last_and_where_it_is_silent_that_is_said(
    page: Page, room: Past
) -> None:
    at(page, room, "#amounts")
    expect(page.locator("#book")).to_have_value("uk-tda")
    page.select_option("#book", "tda-2009")
    page.reload()
    expect(page.locator("#book")).to_have_value("tda-2009")
    page.fill("#big", "100")
    page.fill("#facing", "1000")
    page.fill("#chips", "500")
    page.get_by_test_id("judge").click()
    expect(amounts(page)).to_contain_text("The book is silent.")
    expect(amounts(page)).to_contain_text("Robert's Rules of Poker would say: Call 1,000.")
    for name in ("TDA09-01", "RR7-NL-10"):
        expect(amounts(page).get_by_role("link", name=name)).to_be_visible()


def test_the_big_blind_is_the_one_that_is_played(page: Page, room: Past) -> None:
    blinds = view(runs()).clock.blinds
    assert blinds is not None
    at(page, room)
    expect(page.locator("#big")).to_have_value(str(blinds.big))


def test_what_is_wrong_is_said_beside_its_field(page: Page, room: Past) -> None:
    at(page, room, "#amounts")
    page.fill("#big", "")
    page.fill("#then", "10y")
    page.click("summary")
    page.fill("#own", "much")
    page.click("summary")
    page.get_by_test_id("judge").click()
    for field, words in (
        ("big", "The big blind is missing."),
        ("then", "'10y' are not chips: write 1000, or 5x100"),
        ("own", "'much' is not a number of chips."),
    ):
        expect(page.locator(f"#fault-{field}")).to_contain_text(words)
        assert page.get_attribute(f"#{field}", "aria-describedby") == f"fault-{field}"
        expect(page.locator(f"#fault-{field}")).to_be_visible()  # what hid it is open
    expect(page.locator("#big")).to_be_focused()
    expect(amounts(page)).to_be_hidden()
    for field in ("then", "own"):
        page.fill(f"#{field}", "")
    page.fill("#big", "100")
    page.get_by_test_id("judge").click()
    expect(amounts(page)).to_be_visible()
    assert page.locator("[aria-invalid]").count() == 0


def test_on_a_phone_one_part_is_seen_at_a_time(page: Page, room: Past) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    at(page, room)
    expect(page.locator("#bet-form")).to_be_hidden()
    page.click("#parts a[href='#amounts']")
    expect(page.locator("#bet-form")).to_be_visible()
    expect(page.locator("#q")).to_be_hidden()
    expect(page.get_by_test_id("judge")).to_be_in_viewport()
    page.fill("#big", "100")
    page.fill("#chips", "25")
    page.get_by_test_id("judge").click()
    expect(amounts(page).get_by_role("heading")).to_be_in_viewport()
    amounts(page).get_by_role("link").first.click()
    expect(page.locator("#rules h3").first).to_be_in_viewport()
    page.go_back()
    expect(page.locator("#chips")).to_have_value("25")
    expect(page.locator("#bet-form")).to_be_visible()


SMALL = """() => [...document.querySelectorAll("main :is(a,button,select,summary,label,input)")]
  .filter((each) => each.getClientRects().length && each.type !== "checkbox")
  .filter((each) => each.tagName !== "LABEL" || each.querySelector("input"))
  .filter((each) => each.getBoundingClientRect().height < 44)
  .map((each) => each.outerHTML.slice(0, 80))"""
NAMELESS = """() => [...document.querySelectorAll("main :is(input, select)")]
  .filter((each) => !each.labels.length).map((each) => each.id)"""


@pytest.mark.parametrize("language", languages(config_dir()))
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_and_can_be_tapped_in_every_language(
    page: Page, room: Past, language: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    for asked in (f"?lang={language}&q=four-card-flop", f"?lang={language}&q=UK-35#amounts"):
        at(page, room, asked)
        page.evaluate("document.fonts.ready")
        expect(rule(page, "UK-35")).to_be_attached()
        page.locator("summary").evaluate("(each) => each.parentElement.setAttribute('open', '')")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL) == []
        assert page.evaluate(NAMELESS) == []
        href = page.locator("#rules h3 a").first.get_attribute("href")
        assert href is not None
        assert href.endswith(f"&lang={language}")


def test_from_an_alert_one_comes_to_the_rules_that_it_cites_and_loses_nothing(
    phone: Page, hall: Hall
) -> None:
    cites = ("UK-35", "TDA09-28", "HOUSE-1")
    ruling = RulingText("uk-tda", "redeal-flop", cites, FLOP.steps)
    hall.alert("T1", 1, "Four-card flop", ruling=ruling)
    opened(phone, hall)
    act(phone, "T1/1", "more").click()
    link = phone.locator("#opened .source a")
    expect(link).to_have_text("UK TDA: UK-35, TDA09-28, HOUSE-1")
    with phone.context.expect_page() as other:
        link.click()
    rules = other.value
    expect(rule(rules, "UK-35")).to_be_visible()
    assert sorted(ids(rules)) == ["TDA09-28", "UK-35"]
    expect(rules.get_by_test_id("unknown")).to_have_text("In none of our books: HOUSE-1")
    expect(phone.locator("#opened")).to_be_visible()
