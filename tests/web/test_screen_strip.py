"""The strip of the blinds screen in a browser: kept for what comes and goes, and whole."""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil, floor

import pytest
from msgspec.structs import replace
from playwright.sync_api import FloatRect, Page, expect

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.contract.messages import Notice, RoomTournament, WallAlert
from controller.room.alerts import AlertKind, RoomAlert
from controller.room.view import RoomView
from controller.room.walls import WallsTell, for_walls
from tests.web.looks import SHOWN, opened, show, troubles
from tests.web.showroom import ABOUT, ShowRoom, now_ms, scenes

SIZES = [(1920, 1080), (3840, 2160), (1280, 720), (1024, 768), (1080, 1920)]
SHAPES = [(1920, 1080), (1024, 768), (1080, 1920)]
CHOICES: tuple[WallsTell, ...] = ("none", "calls", "all")
KINDS: tuple[AlertKind, ...] = ("finding", "call", "lost", "finding")
TITLES = ("Four-card flop", "", "", "Premature turn")
CLOCK = """() => {
  const { x, width, height } = document.getElementById("clock").getBoundingClientRect();
  return [getComputedStyle(document.getElementById("clock")).fontSize, x, width, height].join(" ");
}"""


def alerts(count: int, tells: WallsTell) -> tuple[WallAlert, ...]:
    """What walls are told of so many alerts at as many tables."""
    found = (
        RoomAlert(
            key=f"{n}", table=f"{n}", kind=KINDS[n % 4], at=n, priority=1, title=TITLES[n % 4]
        )
        for n in range(1, count + 1)
    )
    return for_walls(found, tells)


def said(page: Page) -> list[str]:
    """What is in the strip now."""
    return page.locator("#pager .page:visible, #stale:visible").all_inner_texts()


def rooms() -> Iterator[tuple[str, RoomView]]:
    """Rooms of the same clock with nothing, one thing, three and forty in the strip."""
    shown = scenes()["bare"]
    for about in (RoomTournament(), ABOUT):
        kind = "loud" if about.notices else "bare"
        for tells in CHOICES:
            for count in (0, 1, 3, 40):
                told = replace(about, alerts=alerts(count, tells))
                old = tuple(f"{n}" for n in range(1, count + 1))
                yield kind, replace(shown, tournament=told, old_level=old)
        yield kind, replace(shown, tournament=about, heard=False)
        many = tuple(Notice(n, f"Notice {n}: {'more of it ' * 9}") for n in range(10))
        yield kind, replace(shown, tournament=replace(about, notices=many))


@pytest.mark.parametrize("size", SHAPES, ids=str)
def test_the_clock_is_as_large_whatever_is_in_the_strip(
    page: Page, showroom: ShowRoom, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    found: dict[str, set[str]] = {}
    seen: set[str] = set()
    for number, (kind, room) in enumerate(rooms()):
        showroom.show(replace(room, now_ms=now_ms(), banner=f"{number}"))
        page.evaluate(SHOWN, [f"{number}", False])
        found.setdefault(kind, set()).add(page.evaluate(CLOCK))
        seen.update(said(page))
        assert troubles(page, size) == []
    assert {kind: len(places) for kind, places in found.items()} == {"bare": 1, "loud": 1}
    assert any(text.startswith("Floor to tables 1, 3") for text in seen)
    assert len(seen) > 8


@pytest.mark.parametrize("size", SHAPES, ids=str)
def test_a_lost_room_is_said_in_the_strip_and_the_clock_stays_as_large(
    page: Page, showroom: ShowRoom, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    show(page, showroom, "alert")
    before = page.evaluate(CLOCK)
    assert said(page) != []
    showroom.stop()
    expect(page.get_by_test_id("stale")).to_be_visible(timeout=30_000)
    (only,) = said(page)
    assert re.fullmatch(r"No network 00:\d\d,\sclock keeps running", only)
    assert page.evaluate(CLOCK) == before
    assert troubles(page, size) == []


@pytest.mark.parametrize("size", SHAPES, ids=str)
def test_every_page_begins_with_its_label(
    page: Page, showroom: ShowRoom, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    about = RoomTournament(
        prizes=tuple(f"{1_000 - n:,} € and a seat in the spring" for n in range(12)),
        notices=(Notice(1, f"Dinner: {' '.join(['the kitchen is open until ten'] * 6)}"),),
    )
    show(page, showroom, "running", tournament=about)
    for id, label in (("prizes", "Prizes: "), ("notices", "Dinner: ")):
        pages = page.get_by_test_id(id).locator(".page").all_text_contents()
        assert len(pages) > 1, id
        assert {text.startswith(label) for text in pages} == {True}, pages
    whole = " ".join(
        text.replace("\n", " ").removeprefix("Dinner: ")
        for text in page.get_by_test_id("notices").locator(".page").all_text_contents()
    )
    assert f"Dinner: {whole}" == about.notices[0].text
    assert troubles(page, size) == []


@pytest.mark.parametrize("size", SHAPES, ids=str)
@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_forty_tables_are_one_page_in_every_language(
    page: Page, showroom: ShowRoom, size: tuple[int, int], language: str
) -> None:
    opened(page, showroom, size, f"?lang={language}")
    tables = tuple(f"{n}" for n in range(1, 41))
    told = (WallAlert("call", tables[:30], 40), WallAlert("lost", tables[:30], 40))
    show(page, showroom, "running", old_level=tables, tournament=RoomTournament(alerts=told))
    calls, lost = page.get_by_test_id("alerts").locator(".page").all_text_contents()
    (old,) = page.get_by_test_id("old-level").locator(".page").all_text_contents()
    assert lost.startswith("40 ")
    assert lost.endswith(" …")
    named = [int(each) for each in re.findall("[0-9]+", lost)]
    assert named == [40, *range(1, len(named))]
    assert len(named) > 2, lost
    for text in (calls, old):
        *named, others = map(int, re.findall("[0-9]+", text))
        assert named == list(range(1, len(named) + 1))
        assert len(named) + others == 40
        assert len(named) >= (1 if size == (1024, 768) else 2), text


def test_alerts_and_the_rest_take_turns_where_there_is_no_room_for_both(
    page: Page, showroom: ShowRoom
) -> None:
    page.clock.install()
    opened(page, showroom, (1920, 1080))
    page.clock.run_for(300)
    flop = WallAlert("finding", ("8",), 1, "Four-card flop")
    about = RoomTournament(
        notices=(Notice(1, "Late registration is over"), Notice(2, "Dinner is served")),
    )
    running = scenes()["bare"]
    showroom.show(replace(running, tournament=about))
    _until_said(page, ["Late registration is over"])
    calls = (WallAlert("call", ("8",), 1), flop)
    about_calls = replace(about, alerts=calls)
    showroom.show(replace(running, now_ms=now_ms(), tournament=about_calls))
    _until_said(page, ["Floor to table 8"])  # at once, and not at its turn
    for wanted in [
        ["Floor to table 8"],
        ["Late registration is over"],
        ["Four-card flop: table 8"],
        ["Dinner is served"],
        ["Floor to table 8"],
        ["Late registration is over"],
    ]:
        _until_said(page, wanted)
        page.clock.run_for(8_050)
    page.clock.run_for(8_050)
    _until_said(page, ["Dinner is served"])
    more = (WallAlert("call", ("8", "9"), 2), flop)
    showroom.show(replace(running, now_ms=now_ms(), tournament=replace(about, alerts=more)))
    _until_said(page, ["Floor to tables 8, 9"])  # what is new in them too
    alone = RoomTournament(alerts=calls[:1])
    showroom.show(replace(running, now_ms=now_ms(), tournament=alone))
    _until_said(page, ["Floor to table 8"])
    page.clock.run_for(8_050)
    _until_said(page, ["Floor to table 8"])


def _until_said(page: Page, texts: list[str]) -> None:
    _until(page, lambda now: now == texts)


def _until(page: Page, wanted: Callable[[list[str]], bool]) -> None:
    """A message is on its way; the page's own time all but stands until it has come."""
    for _ in range(500):
        page.clock.run_for(1)
        if wanted(said(page)):
            return
        time.sleep(0.01)
    pytest.fail(f"the strip has {said(page)}")


def test_a_tall_screen_has_alerts_above_the_rest_all_the_time(
    page: Page, showroom: ShowRoom
) -> None:
    page.clock.install()
    opened(page, showroom, (1080, 1920))
    page.clock.run_for(300)
    about = RoomTournament(
        notices=(Notice(1, "Late registration is over"), Notice(2, "Dinner is served")),
        alerts=(WallAlert("call", ("3", "8", "12"), 12), WallAlert("call", ("4",), 1)),
        prizes=tuple(f"{1_000 - n:,} € and a seat" for n in range(6)),
    )
    showroom.show(replace(scenes()["running"], old_level=(), tournament=about))
    calls = ["Floor to tables 3,\n8, 12 and 9 more", "Floor to table 4"]
    for turn in range(4):
        _until(page, partial(_stands_first, calls[turn % 2]))
        page.clock.run_for(8_050)


def _stands_first(call: str, texts: list[str]) -> bool:
    return texts[:1] == [call] and len(texts) > 1


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("id", ["alerts", "notices"])
def test_tails_and_accents_are_whole(
    page: Page, showroom: ShowRoom, size: tuple[int, int], id: str
) -> None:
    """The letters of the strip are on the screen from the accents to the tails."""
    opened(page, showroom, size)
    about = {
        "alerts": RoomTournament(alerts=(WallAlert("finding", ("g",), 1, "ÄÉ gjpqy"),)),
        "notices": RoomTournament(notices=(Notice(1, "ÄÉ gjpqy"),)),
    }
    show(page, showroom, "bare", tournament=about[id])
    shown = page.locator("#pager .page:visible", has_text="gjpqy")
    text, strip = shown.inner_text(), shown.bounding_box()
    assert strip is not None
    top, bottom = ceil(strip["y"]), floor(strip["y"] + strip["height"])
    clip = FloatRect(x=0, y=top, width=size[0], height=bottom - top)
    image = pygame.image.load(io.BytesIO(page.screenshot(clip=clip)), "strip.png")
    width, height = image.get_size()
    rows = [
        y
        for y in range(height)
        if any(image.get_at((x, y)) != image.get_at((3, y)) for x in range(width))
    ]
    font = float(page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)"))
    # Barlow Condensed: an accent ends 0.912 of the font size above the line, a tail 0.206 below.
    lines = text.count("\n") + 1
    assert rows[-1] - rows[0] + 1 == pytest.approx((1.06 * lines + 0.058) * font, abs=2)


def test_what_stands_above_the_strip_keeps_its_tails(page: Page, showroom: ShowRoom) -> None:
    opened(page, showroom, (1920, 1080))
    show(page, showroom, "alert")
    gap = page.evaluate(
        """() => {
      const words = document.getElementById("average-part").getBoundingClientRect();
      const strip = document.getElementById("pager").getBoundingClientRect();
      const px = parseFloat(getComputedStyle(document.body).fontSize);
      // The line is in the middle of its box, 0.4 of the font size below the middle.
      return strip.top - ((words.top + words.bottom) / 2 + 0.4 * px + 0.206 * px);
    }"""
    )
    assert gap > 0
