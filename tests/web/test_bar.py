"""The header in a real browser: under one thumb on a phone, in a row on a laptop, and not at all on
the wall."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.room.pages import PAGES
from tests.web.floor_page import act, card, opened, three
from tests.web.hall import Hall

BOXES = "links => links.map(a => a.getBoundingClientRect())"
LAID_OUT = """() => [false, true].map((hidden) => {
  document.getElementById("controls").hidden = hidden;
  return [...document.querySelectorAll("body > :not(#controls)")]
    .map((each) => JSON.stringify(each.getBoundingClientRect()));
})"""
CLICKED = """() => {
  window.clicked = [];
  document.addEventListener("click", ({ target }) => {
    clicked.push(target.closest("#ways") ? "ways" : target.outerHTML);
  }, true);
}"""
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize(
    ("path", "language"),
    [("/", "en"), *((path, "fr") for name, path in PAGES.items() if name != "screen")],
)
def test_on_a_phone_the_links_come_up_under_the_thumb(
    phone: Page, one_hall: Hall, path: str, language: str
) -> None:
    one_hall.sign_in(phone, "admin", "Ada")
    phone.goto(f"{one_hall.url}{path[1:]}?lang={language}")
    ways = phone.locator("#ways")
    expect(ways).to_be_hidden()
    assert not phone.evaluate(SIDEWAYS)
    phone.tap("#bar > button")
    expect(ways).to_be_visible()
    boxes = ways.locator("a").evaluate_all(BOXES)
    assert len(boxes) == len(PAGES)
    for box in boxes:
        assert box["height"] >= 48
        assert box["top"] > 844 / 2
        assert box["left"] >= 0
        assert box["right"] <= 390
        assert box["bottom"] <= 844
    phone.touchscreen.tap(195, 200)  # beside it
    expect(ways).to_be_hidden()
    phone.tap("#bar > button")
    ways.locator("a[href^='/statistics']").tap()
    phone.wait_for_url(f"{one_hall.url}statistics?lang={language}")


def test_it_takes_little_of_the_floors_phone_and_a_tap_beside_it_acts_on_nothing(
    phone: Page, hall: Hall
) -> None:
    three(hall)
    opened(phone, hall)
    bar = phone.locator("#bar").bounding_box()
    assert bar is not None
    assert bar["height"] <= 52
    first = card(phone, "T2/4").bounding_box()
    assert first is not None
    assert first["y"] + first["height"] < 844  # the worst of them is to be seen whole
    take = act(phone, "T2/4", "take")
    phone.evaluate("scrollTo(0, 250)")
    under = take.bounding_box()
    assert under is not None
    assert 60 < under["y"] < 400
    phone.evaluate(CLICKED)
    phone.evaluate("document.getElementById('ways').showPopover()")
    phone.touchscreen.tap(under["x"] + 20, under["y"] + 20)
    expect(phone.locator("#ways")).to_be_hidden()
    phone.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert phone.evaluate("clicked") == ["ways"]


# The languages with the longest words.
@pytest.mark.parametrize("language", ["de", "fr"])
def test_on_a_laptop_they_stand_in_one_row(page: Page, one_hall: Hall, language: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    one_hall.sign_in(page, "admin", "A person with quite a long name indeed")
    for path in PAGES.values():
        if path == "/screen":
            continue
        page.goto(f"{one_hall.url}{path[1:]}?lang={language}")
        expect(page.locator("#bar > button")).to_be_hidden()
        page.evaluate("document.fonts.ready")  # a page that is there sooner has a wider one
        boxes = page.locator("#ways a").evaluate_all(BOXES)
        assert len(boxes) == len(PAGES)
        assert len({box["top"] for box in boxes}) == 1
        assert not page.evaluate(SIDEWAYS)
        assert page.locator("#ways [aria-current]").count() == 1


def test_the_wall_has_no_header_and_a_way_back_for_who_moves_a_mouse(
    page: Page, one_hall: Hall
) -> None:
    one_hall.sign_in(page, "viewer", "Vic")
    page.goto(f"{one_hall.url}screen")
    expect(page.get_by_test_id("level")).to_have_text("Level 1")
    assert page.locator("#bar, #ways").count() == 0
    back = page.get_by_role("link", name="Room")
    expect(back).to_have_count(0)
    page.mouse.move(100, 100)
    page.mouse.move(300, 300)
    expect(back).to_be_visible()
    with_bar, without = page.evaluate(LAID_OUT)
    assert with_bar == without
    page.mouse.move(100, 100)
    back.click()
    page.wait_for_url(one_hall.url)


def test_the_bar_of_the_wall_fits_a_phone(phone: Page, one_hall: Hall) -> None:
    phone.goto(f"{one_hall.url}screen?lang=de")
    expect(phone.get_by_test_id("level")).to_have_text("Level 1")
    phone.touchscreen.tap(195, 300)
    for each in phone.locator("#controls > *").all():
        expect(each).to_be_visible()
        box = each.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_a_player_sees_two_links_and_no_sign_in(phone: Page, one_hall: Hall) -> None:
    phone.goto(f"{one_hall.url}pocket")
    phone.tap("#bar > button")
    assert phone.locator("#bar a:visible").all_inner_texts() == ["Wall clock", "Pocket clock"]
