"""What is announced goes before notices, and counts down where it has a deadline."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from controller.files.settings import config_dir
from display.wall.words import load
from display.web.announcements import Line
from display.web.screen import screen
from tests.web.looks import opened, troubles
from tests.web.showroom import ShowRoom, now_ms, scenes


def test_announcements_come_first_and_count(page: Page, showroom: ShowRoom) -> None:
    size = (1920, 1080)
    shown = screen(scenes()["running"], load("en", config_dir()))
    lines = (
        Line("Seat 4 at table 3 is on the clock", deadline_ms=now_ms() + 25_000),
        Line("Nobody sees this any more", deadline_ms=now_ms() - 1),
    )
    told = msgspec.json.encode(replace(shown, announcements=lines)).decode()
    page.route(
        "**/screen/events",
        lambda route: route.fulfill(content_type="text/event-stream", body=f"data: {told}\n\n"),
    )
    opened(page, showroom, size, "?sound=off")
    line = page.get_by_test_id("announcements").locator(".page:visible")
    expect(line).to_contain_text("Seat 4 at table 3 is on the clock")
    first = line.inner_text()
    expect(line).not_to_have_text(first)
    assert "00:" in first
    assert troubles(page, size) == []
