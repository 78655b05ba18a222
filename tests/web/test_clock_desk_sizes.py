"""The clock's desk with a ruler: everything fits a thumb, is clear, and never leaves the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from controller.broker.own import RunningBroker, start_broker
from tests.commands.fake_table import SITE
from tests.web.desk_page import BY, EVENING, MINUTE, entry, opened, part, shows
from tests.web.hall import Hall

MEASURES = (Path(__file__).parent / "measures.js").read_text()
LONG = replace(EVENING, name="The long Friday evening of the Kasino am Hauptbahnhof, deep stack")


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, ["T1"]) as running:
        yield running


@pytest.fixture
def hall(broker: RunningBroker) -> Iterator[Hall]:
    hall = Hall(broker, LONG, ["T1"], hold_for_hands=True)
    hall.start()
    yield hall
    hall.stop()


def troubles(page: Page) -> list[str]:
    """What is too small for a thumb, too faint, or off the screen."""
    small = page.evaluate(
        """() => {
          const dialogs = document.querySelectorAll("dialog");
          const top = dialogs[dialogs.length - 1] || document;
          return [...top.querySelectorAll("button, a, input, select, textarea")]
            .filter((each) => each.getClientRects().length)
            .map((each) => [each.textContent || each.id || each.name, each.getBoundingClientRect()])
            .filter(([, r]) => r.width < 44 || r.height < 44 || r.left < 0 || r.right > innerWidth)
            .map(([name, r]) => `${name} ${r.width}x${r.height} at ${r.left}`);
        }"""
    )
    texts: list[dict[str, Any]] = page.evaluate(MEASURES)
    assert len(texts) > 8
    # What a dialog covers is behind its veil.
    faint = [f"{t['text']} {t['contrast']:.1f}" for t in texts if t["contrast"] < 7]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*small, *faint, *([f"scrolls by {wide}"] if wide > 0 else [])]


@pytest.mark.parametrize(
    ("size", "language"), [((360, 640), "de"), ((390, 844), "en"), ((1280, 800), "de")]
)
def test_every_part_and_dialog_is_clear_and_fits_a_thumb(
    browser: Browser, hall: Hall, size: tuple[int, int], language: str
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 1000
    )
    page = context.new_page()
    hall.do(lambda: hall.room.act("notice", {**BY, "text": "Dinner " * 20}))
    opened(page, hall, "Maximiliane Oberhuber-Schmidt", f"?lang={language}")
    for name in ("clock", "levels", "game", "log"):
        part(page, name)
        assert troubles(page) == [], name
    part(page, "clock")
    for button in ("time", "break", "next", "end"):
        page.get_by_test_id(button).click()
        assert troubles(page) == [], button
        page.click("dialog .cancel")
    part(page, "levels")
    entry(page, 3).click()
    assert troubles(page) == []
    page.get_by_test_id("insert-level").click()
    assert troubles(page) == []
    page.click("dialog .cancel")
    part(page, "game")
    for button in ("notice", "edit"):
        page.get_by_test_id(button).click()
        assert troubles(page) == [], button
        page.click("dialog .cancel")
    part(page, "clock")
    hall.do(lambda: hall.room.act("break", {**BY, "duration_ms": 10 * MINUTE}))
    shows(page, "holding")
    assert troubles(page) == []
    hall.do(lambda: hall.room.act("pause", {**BY, "reason": "word " * 30}))
    shows(page, "paused")
    hall.do(lambda: hall.room.act("time", {**BY, "by_ms": -9 * MINUTE}))
    expect(page.get_by_test_id("clock")).to_have_text("01:00")
    page.locator("[data-by='-5'] >> nth=0").click()
    expect(page.get_by_test_id("refused")).to_be_visible()
    assert troubles(page) == []
    hall.do(lambda: hall.room.act("reset", BY))
    shows(page, "ready")
    part(page, "levels")
    page.get_by_test_id("choose").click()
    assert troubles(page) == []
    page.get_by_test_id("fit").click()
    assert troubles(page) == []
    context.close()


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_the_clock_stays_on_top_and_the_big_button_within_reach(
    browser: Browser, hall: Hall, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page = opened(context.new_page(), hall)
    for name in ("clock", "time", "break"):
        box = page.get_by_test_id(name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1], name
    part(page, "levels")
    page.mouse.wheel(0, 2_000)
    for name in ("state", "level", "clock", "blinds"):
        box = page.get_by_test_id(name).bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 200, name
    context.close()
