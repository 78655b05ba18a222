"""The bar of the blinds screen, its addresses, languages and themes."""

from __future__ import annotations

import urllib.request

import pytest
from playwright.sync_api import Page, expect

from controller.files.settings import config_dir, themes
from tests.waiting import PATIENCE_S
from tests.web.showroom import ShowRoom, scenes


@pytest.fixture
def screen(page: Page, showroom: ShowRoom) -> Page:
    page.goto(f"{showroom.url}screen?sound=off")
    expect(page.get_by_test_id("level")).to_have_text("Level 7")
    return page


def test_the_bar_hides_and_the_cursor_with_it(screen: Page) -> None:
    cursor = "getComputedStyle(document.body).cursor"
    bar = screen.locator("#controls")
    expect(bar).to_be_hidden()
    assert screen.evaluate(cursor) == "none"
    screen.mouse.move(100, 100)
    screen.mouse.move(300, 300)
    expect(bar).to_be_visible()
    assert screen.evaluate(cursor) == "default"
    expect(bar).to_be_hidden()
    assert screen.evaluate(cursor) == "none"


def test_another_theme_and_language_stay_in_the_address(screen: Page) -> None:
    screen.mouse.move(100, 100)
    screen.mouse.move(300, 300)
    screen.get_by_role("button", name="Theme").click()
    assert screen.locator("html").get_attribute("data-theme") == "high-contrast"
    screen.get_by_role("button", name="Language").click()
    expect(screen.get_by_test_id("players")).to_contain_text("Jugadores")
    screen.reload()
    expect(screen.get_by_test_id("players")).to_contain_text("Jugadores")
    assert screen.locator("html").get_attribute("data-theme") == "high-contrast"
    assert screen.locator("html").get_attribute("lang") == "es"


def test_the_whole_screen_is_taken_and_given_back(screen: Page) -> None:
    for taken in (True, False):
        screen.mouse.move(100, 100)
        screen.mouse.move(300, 300)
        screen.get_by_role("button", name="Full screen").click()
        expect(screen.locator(":root:fullscreen")).to_have_count(int(taken))


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "ANGEHALTEN"), ("es", "EN PAUSA"), ("fr", "ARRÊTÉ"), ("xx", "PAUSED")],
)
def test_the_language_of_the_address(
    page: Page, showroom: ShowRoom, language: str, said: str
) -> None:
    showroom.show(scenes()["paused"])
    page.goto(f"{showroom.url}screen?lang={language}")
    expect(page.get_by_test_id("state")).to_have_text(said)


def test_the_old_address_leads_here_with_its_query(page: Page, showroom: ShowRoom) -> None:
    page.goto(f"{showroom.url}blinds?lang=de&sound=off")
    assert page.url == f"{showroom.url}screen?lang=de&sound=off"
    expect(page.get_by_test_id("players")).to_contain_text("Spieler")


def test_the_local_time_is_the_rooms(page: Page, showroom: ShowRoom) -> None:
    page.goto(f"{showroom.url}screen?sound=off")
    expect(page.get_by_test_id("local-time")).to_have_text("23:13")  # 22:13:20 and an hour


def test_a_house_without_a_page_for_phones_shows_no_code(page: Page, showroom: ShowRoom) -> None:
    page.route("**/pocket.svg", lambda route: route.fulfill(status=404))
    showroom.show(scenes()["break"])
    page.goto(f"{showroom.url}screen?sound=off")
    expect(page.get_by_test_id("state")).to_have_text("BREAK")
    page.wait_for_timeout(300)
    expect(page.locator("#pocket")).to_be_hidden()


def test_every_theme_is_in_the_style_sheet(showroom: ShowRoom) -> None:
    with urllib.request.urlopen(f"{showroom.url}themes.css", timeout=PATIENCE_S) as answer:  # noqa: S310
        css = answer.read().decode()
        assert answer.headers["content-type"].startswith("text/css")
    for name in themes(config_dir()):
        assert f':root[data-theme="{name}"] {{' in css
