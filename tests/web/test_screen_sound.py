"""The blinds screen is heard at one minute and at the change of level."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tests.waiting import wait_until
from tests.web.chromium import DESKTOP, FLAGS, launched
from tests.web.showroom import LARGE, RUNS, STANDS, ShowRoom, runs, view

COUNT = """
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) {
  window.tones.push(Math.round(this.frequency.value));
  return start.call(this, when);
};
"""
TEST, MINUTE, CHANGE = [660], [880, 880], [523, 659, 784]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """As a kiosk has it: sound without a tap."""
    with launched(DESKTOP, "--autoplay-policy=no-user-gesture-required") as browser:
        yield browser


@pytest.fixture
def screen(page: Page, showroom: ShowRoom) -> Page:
    page.add_init_script(COUNT)
    page.goto(f"{showroom.url}screen")
    expect(page.get_by_test_id("level")).to_have_text("Level 7")
    return page


def tones(page: Page) -> list[int]:
    found: list[int] = page.evaluate("window.tones.splice(0)")
    return found


def heard(page: Page, wanted: list[int]) -> None:
    """It is heard, and nothing else."""
    wait_until(lambda: page.evaluate("window.tones.length") >= len(wanted))
    page.wait_for_timeout(200)
    assert tones(page) == wanted


def test_it_tries_itself_at_the_start_without_a_tap(screen: Page) -> None:
    heard(screen, TEST)
    expect(screen.get_by_test_id("hint")).to_be_hidden()


def test_one_minute_and_the_change_of_level_are_heard_once_each(
    screen: Page, showroom: ShowRoom
) -> None:
    heard(screen, TEST)
    showroom.show(view(replace(runs(61_000), revision=6)))
    heard(screen, MINUTE)
    ends = replace(runs(1_000), revision=7)
    showroom.show(view(ends, "last-minute"))
    expect(screen.get_by_test_id("clock")).to_have_text("00:00")
    after = replace(runs(20 * 60_000, LARGE), index=1, level=8, revision=8)
    showroom.show(view(after))
    expect(screen.get_by_test_id("level")).to_have_text("Level 8")
    heard(screen, CHANGE)


def test_what_is_moved_while_the_clock_stands_is_not_heard(
    screen: Page, showroom: ShowRoom
) -> None:
    heard(screen, TEST)
    showroom.show(view(replace(STANDS, revision=6), "paused"))
    expect(screen.get_by_test_id("state")).to_be_visible()
    there = replace(STANDS, index=1, level=9, remaining_ms=30_000, revision=7)
    showroom.show(view(there, "paused"))
    expect(screen.get_by_test_id("level")).to_have_text("Level 9")
    showroom.show(view(replace(RUNS, index=1, level=9, revision=8, remaining_ms=30_000), "paused"))
    screen.wait_for_timeout(300)
    assert tones(screen) == []


def test_the_sound_can_be_off(page: Page, showroom: ShowRoom) -> None:
    page.add_init_script(COUNT)
    page.goto(f"{showroom.url}screen?sound=off")
    showroom.show(view(replace(runs(60_500), revision=6)))
    expect(page.locator("body")).to_have_attribute("data-state", "last-minute")
    page.wait_for_timeout(300)
    assert tones(page) == []
    expect(page.get_by_test_id("hint")).to_be_hidden()


def test_a_browser_that_asks_for_a_tap_says_so(showroom: ShowRoom, browser: Browser) -> None:
    strict = browser.browser_type.launch(executable_path=DESKTOP, args=FLAGS)
    page = strict.new_page()
    page.add_init_script(COUNT)
    page.goto(f"{showroom.url}screen")
    expect(page.get_by_test_id("hint")).to_have_text("Tap for sound")
    assert tones(page) == []
    page.mouse.click(300, 300)
    expect(page.get_by_test_id("hint")).to_be_hidden()
    heard(page, TEST)
    strict.close()


def test_the_bar_tries_the_sound(screen: Page) -> None:
    heard(screen, TEST)
    screen.mouse.move(100, 100)
    screen.mouse.move(200, 200)
    screen.get_by_role("button", name="Sound").click()
    heard(screen, CHANGE)
