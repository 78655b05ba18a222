"""How the blinds screen makes do with the room it has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from controller.contract.messages import WallAlert
from controller.room.view import ScreenSetup
from tests.waiting import wait_until
from tests.web.looks import heard, opened, show, troubles
from tests.web.showroom import ShowRoom, scenes


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_longer_words_fit_too(page: Page, showroom: ShowRoom, language: str) -> None:
    size = (1920, 1080)
    opened(page, showroom, size, f"?lang={language}")
    found = {}
    for scene in ("large", "holding", "question", "last-level"):
        show(page, showroom, scene)
        found[scene] = troubles(page, size)
    assert {scene: told for scene, told in found.items() if told} == {}


def test_a_larger_screen_is_told_by_the_room_or_in_the_address(
    page: Page, showroom: ShowRoom
) -> None:
    size = (1920, 1080)
    opened(page, showroom, size)
    show(page, showroom, "running", screen=ScreenSetup(diagonal_inches=65.0))
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
        heard(page)
        seen += page.locator("#pager .page:visible").all_inner_texts()
        page.clock.run_for(7_800)
    assert "Late registration is over" in seen
    assert "Friday Deepstack" in seen
    assert any(text.startswith("Prizes: 1. 5,000 €") for text in seen)
    assert "Dinner break after level 8, the" in seen
    assert "kitchen is open until ten o'clock" in seen


def test_the_picture_follows_the_screen(page: Page, showroom: ShowRoom) -> None:
    opened(page, showroom, (1920, 1080))
    for size in ((1024, 768), (1080, 1920), (640, 360), (1920, 1080)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        wait_until(lambda size=size: troubles(page, size) == [])  # type: ignore[misc]
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight")


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)], ids=["wide", "tall"])
@pytest.mark.parametrize("scene", ["paused", "ended"])
def test_so_may_the_reason_why_the_clock_stands(
    page: Page, showroom: ShowRoom, scene: str, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    clock = replace(scenes()[scene].clock, why="Word " * 39 + "last")
    show(page, showroom, scene, clock=clock)
    assert troubles(page, size) == []
    shown = page.locator("#said").inner_text()
    assert shown.startswith("Word Word")
    assert shown.endswith(" …")


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
    alerts = (WallAlert("finding", (bad,), 1, bad),)
    about = replace(shown.tournament, name=bad, alerts=alerts)
    showroom.show(replace(shown, tournament=about))
    expect(page.get_by_test_id("alerts")).to_contain_text(bad)
    assert page.locator("img").count() == 2
