"""What a tester with a ruler finds on the floor page, on telephones and a tablet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.floor_page import act, behind, does, on_duty, opened, three
from tests.web.hall import Hall

MEASURES = (Path(__file__).parent / "measures.js").read_text()
SIDEWAYS = """() => [...document.querySelectorAll("html, dialog[open], .scroll")]
  .filter((it) => it.scrollWidth > it.clientWidth)
  .flatMap((it) => [it, ...it.querySelectorAll("*")])
  .filter((it) => it.scrollWidth > it.clientWidth || it.getBoundingClientRect().right > innerWidth)
  .map((it) => `${it.tagName}#${it.id}.${it.className} ${it.textContent.slice(0, 40)}`)
  .slice(0, 9)"""


def touched(page: Page) -> list[str]:
    """What is smaller than a thumb needs, or sticks out."""
    return [
        str(each)
        for each in page.evaluate(
            """() => [...document.querySelectorAll("button, input, textarea")]
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


def look(page: Page) -> None:
    assert (touched(page), faint(page)) == ([], [])
    assert page.evaluate(SIDEWAYS) == []


def everywhere(page: Page) -> None:
    """Looks at every part of the page, and at what it asks."""
    look(page)
    for tab in ("tables", "history", "numbers", "duty"):
        page.click(f"[data-to={tab}]")
        look(page)
    page.click("[data-act=shift]")
    look(page)
    page.click("#ask-cancel")
    page.click("[data-to=alerts]")
    for name in ("other", "dismiss"):
        act(page, "T1/1", "more").click()
        look(page)
        behind(page, name).click()
        look(page)
        page.click("#ask-cancel")
        page.click("#opened-close")


def busy(hall: Hall) -> None:
    """An evening with something of everything."""
    three(hall)
    hall.alert("T3", 5, "Card shown", priority=3)
    on_duty(hall, "Ann")
    does(hall, "Bo", "note", text="Seat 4 acts out of turn.")


@pytest.mark.parametrize(
    ("size", "language"), [((360, 640), "en"), ((390, 844), "de"), ((800, 1200), "fr")]
)
def test_every_text_is_clear_and_every_button_fits_a_thumb(
    phone: Page, hall: Hall, size: tuple[int, int], language: str
) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    busy(hall)
    opened(phone, hall, language=language)
    expect(phone.get_by_test_id("alert")).to_have_count(4)
    everywhere(phone)
    act(phone, "T2/4", "take").click()
    act(phone, "T1/1", "rule").click()
    expect(phone.locator(".card[data-state=ruled]")).to_be_visible()
    hall.do(hall.tables["T3"].lost)
    hall.do(lambda: setattr(hall.tables["T2"], "session", "s-new"))
    act(phone, "T2/4", "rule").click()
    expect(phone.locator(".given[data-status=refused]")).to_be_visible()
    look(phone)
    hall.do(lambda: hall.room.link(False))
    expect(phone.get_by_test_id("offline")).to_be_visible()
    look(phone)


def test_a_narrow_phone_and_text_twice_as_large_need_no_sideways_scrolling(
    phone: Page, hall: Hall
) -> None:
    phone.set_viewport_size({"width": 320, "height": 568})
    busy(hall)
    opened(phone, hall, language="de")
    expect(phone.get_by_test_id("alert")).to_have_count(4)
    everywhere(phone)
    phone.set_viewport_size({"width": 390, "height": 844})
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    everywhere(phone)


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_taking_the_first_is_in_reach_of_the_thumb(
    phone: Page, hall: Hall, size: tuple[int, int]
) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    three(hall)
    opened(phone, hall)
    for name in ("take", "more"):
        box = act(phone, "T2/4", name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] / 2 > size[1] / 2
    act(phone, "T2/4", "more").tap()
    for button in phone.locator("#opened > .acts button").all():
        box = button.bounding_box()
        assert box is not None
        assert size[1] / 2 < box["y"] < size[1] - box["height"]
