"""Every state at every size: all of it is on the screen, large, clear and apart."""

from __future__ import annotations

from math import hypot
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from controller.room.view import Screen
from controller.settings import config_dir
from display.wall.theme import themes
from tests.web.showroom import ShowRoom, scenes

MEASURES = (Path(__file__).parent / "measures.js").read_text()
# Looked for at every frame: a page that shows a message is laid out for it.
SHOWN = """([note, code]) => document.getElementById("note").textContent === note
  && document.getElementById("pocket").hidden === !code"""
CODE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7h-7z"/></svg>'
SIZES = [(1920, 1080), (1080, 1920), (1280, 720), (1024, 768), (3840, 2160)]
LOUD_MM, PLAIN_MM, POCKET_MM = 64.0, 47.0, 150.0
LOUD = {"clock", "blinds", "word"}
SMALL = {"hint", "note"}
"""What is for whoever stands before the screen."""


def opened(page: Page, room: ShowRoom, size: tuple[int, int], query: str = "") -> Page:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.route(
        "**/pocket.svg", lambda route: route.fulfill(content_type="image/svg+xml", body=CODE)
    )
    page.goto(f"{room.url}screen{query}")
    page.wait_for_function("document.getElementById('level').textContent")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(150)
    return page


def show(page: Page, room: ShowRoom, scene: str, **rest: Any) -> None:  # noqa: ANN401
    """The page shows it, laid out."""
    shown = replace(scenes()[scene], banner=f"{scene} {len(rest)}", **rest)
    room.show(shown)
    code = shown.state in ("ready", "break", "holding")
    page.wait_for_function(SHOWN, arg=[shown.banner, code])


def boxes(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(MEASURES)
    return found


def troubles(page: Page, size: tuple[int, int], inches: float = 55.0) -> list[str]:
    """What is too small, too faint, not whole or over something else."""
    per_mm = hypot(*size) / (inches * 25.4)
    texts = boxes(page)
    found = []
    for text in texts:
        name, mm = text["id"], text["capital"] / per_mm
        if name not in SMALL and mm < (LOUD_MM if name in LOUD else PLAIN_MM):
            found.append(f"{name} is {mm:.1f} mm high")
        if text["contrast"] < 7:
            found.append(f"{name} has contrast {text['contrast']:.1f}")
        if text["left"] < -1 or text["right"] > size[0] + 1 or text["clipped"]:
            found.append(f"{name} is cut off: {text['text']}")
        if text["top"] < 0 or text["bottom"] > size[1]:
            found.append(f"{name} leaves the screen: {text['text']}")
    for number, one in enumerate(texts):
        found += [
            f"{one['id']} and {other['id']} overlap: {one['text']}, {other['text']}"
            for other in texts[number + 1 :]
            if _overlap(one, other)
        ]
    pocket = page.locator("#pocket").bounding_box()
    if pocket is not None:
        if pocket["width"] * 0.9 / per_mm < POCKET_MM:
            found.append(f"the code is {pocket['width'] * 0.9 / per_mm:.0f} mm wide")
        code = {
            "left": pocket["x"],
            "right": pocket["x"] + pocket["width"],
            "top": pocket["y"],
            "bottom": pocket["y"] + pocket["height"],
        }
        found += [f"the code lies over {text['id']}" for text in texts if _overlap(code, text)]
    return found


def _overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > 1 and down > 1)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_state_is_large_clear_and_whole(
    page: Page, showroom: ShowRoom, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    found = {}
    for scene in scenes():
        show(page, showroom, scene)
        found[scene] = troubles(page, size)
        if scene in ("large", "alert", "break"):
            showroom.show(replace(showroom.shown, heard=False))
            expect(page.get_by_test_id("stale")).to_be_visible()
            page.wait_for_timeout(200)
            found[f"{scene}, stale"] = troubles(page, size)
    assert {scene: told for scene, told in found.items() if told} == {}


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_longer_words_fit_too(page: Page, showroom: ShowRoom, language: str) -> None:
    size = (1920, 1080)
    opened(page, showroom, size, f"?lang={language}")
    found = {}
    for scene in ("large", "holding", "question", "last-level"):
        show(page, showroom, scene)
        found[scene] = troubles(page, size)
    assert {scene: told for scene, told in found.items() if told} == {}


@pytest.mark.parametrize("theme", themes(config_dir()))
def test_every_theme_is_clear_in_every_state(page: Page, showroom: ShowRoom, theme: str) -> None:
    opened(page, showroom, (1920, 1080), f"?theme={theme}")
    found = {}
    for scene in ("running", "alert", "break", "ready", "paused", "last-level", "ended"):
        show(page, showroom, scene, heard=scene != "running")
        faint = [text["id"] for text in boxes(page) if text["contrast"] < 7]
        found[scene] = faint
        assert boxes(page)
    assert {scene: faint for scene, faint in found.items() if faint} == {}
    assert page.locator("html").get_attribute("data-theme") == theme


def test_a_larger_screen_is_told_by_the_room_or_in_the_address(
    page: Page, showroom: ShowRoom
) -> None:
    size = (1920, 1080)
    opened(page, showroom, size)
    show(page, showroom, "running", screen=Screen(diagonal_inches=65.0))
    assert troubles(page, size, 65.0) == []
    large = page.locator("#level").bounding_box()
    opened(page, showroom, size, "?diagonal=60")
    show(page, showroom, "running")
    assert troubles(page, size, 60.0) == []
    larger = page.locator("#level").bounding_box()
    assert large is not None
    assert larger is not None
    assert larger["height"] > large["height"]


def test_what_has_no_room_comes_within_its_turn(page: Page, showroom: ShowRoom) -> None:
    page.clock.install()
    opened(page, showroom, (1920, 1080))
    page.clock.run_for(300)
    expect(page.get_by_test_id("level")).to_have_text("Level 7")
    seen = []
    for _ in range(6):
        page.clock.run_for(300)
        seen += page.locator("#pager .page:visible").all_inner_texts()
        page.clock.run_for(7_800)
    assert "Late registration is over" in seen
    assert "Friday Deepstack" in seen
    assert any(text.startswith("1. 5,000 €") for text in seen)
    assert "Dinner break after level 8, the" in seen
    assert "kitchen is open until ten o'clock" in seen


def test_the_picture_follows_the_screen(page: Page, showroom: ShowRoom) -> None:
    opened(page, showroom, (1920, 1080))
    for size in ((1024, 768), (1080, 1920), (640, 360), (1920, 1080)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(250)
        assert troubles(page, size) == []
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight")


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)], ids=["wide", "tall"])
def test_words_from_elsewhere_may_be_as_long_as_they_like(
    page: Page, showroom: ShowRoom, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    shown = scenes()["running"]
    about = replace(
        shown.tournament,
        name="W" * 200,
        notices=tuple(replace(shown.tournament.notices[0], text="M" * 200) for _ in range(10)),
        prizes=tuple(f"{number} € and a very long description of it" for number in range(100)),
    )
    clock = replace(shown.clock, why="Word " * 40)
    show(page, showroom, "running", tournament=about, clock=clock)
    assert troubles(page, size) == []


def test_words_from_elsewhere_are_text_and_nothing_else(page: Page, showroom: ShowRoom) -> None:
    opened(page, showroom, (1920, 1080))
    shown = scenes()["alert"]
    bad = "<img src=x onerror=alert(1)>"
    alerts = tuple(replace(each, title=bad) for each in shown.alerts)
    showroom.show(replace(shown, alerts=alerts, tournament=replace(shown.tournament, name=bad)))
    expect(page.locator("#alert")).to_contain_text(bad)
    assert page.locator("img").count() == 2
