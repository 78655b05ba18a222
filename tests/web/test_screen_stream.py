"""The blinds screen when messages are late, old, or do not come."""

from __future__ import annotations

import re
import time

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests.web.showroom import RUNS, ShowRoom, runs, view


def seconds(page: Page) -> int:
    """The clock as it stands on the wall, in seconds."""
    total = 0
    for part in page.get_by_test_id("clock").inner_text().split(":"):
        total = total * 60 + int(part)
    return total


@pytest.fixture
def screen(page: Page, showroom: ShowRoom) -> Page:
    page.goto(f"{showroom.url}screen?sound=off")
    expect(page.get_by_test_id("level")).to_have_text("Level 7")
    return page


def test_a_room_that_is_gone_is_said_within_five_seconds_and_found_again(
    screen: Page, showroom: ShowRoom
) -> None:
    showroom.stop()
    began = time.monotonic()
    expect(screen.get_by_test_id("stale")).to_be_visible(timeout=5_000)
    assert time.monotonic() - began < 5
    said = screen.get_by_test_id("stale").inner_text()
    assert re.fullmatch("No network 00:0[4-6], clock keeps running", said)
    first = seconds(screen)
    screen.wait_for_timeout(1_300)
    assert seconds(screen) < first
    showroom.start(showroom.port)
    expect(screen.get_by_test_id("stale")).to_be_hidden(timeout=8_000)


@pytest.mark.parametrize(
    ("revision", "behind_ms"), [(RUNS.revision - 1, 0), (RUNS.revision, 60_000)]
)
def test_an_older_message_does_not_overwrite_a_running_clock(
    screen: Page, showroom: ShowRoom, revision: int, behind_ms: int
) -> None:
    running = showroom.view()
    old = replace(RUNS, revision=revision, level=3, remaining_ms=1_000)
    showroom.show(view(old, "paused", now_ms=running.now_ms - behind_ms), frozen=True)
    screen.wait_for_timeout(2_500)
    assert screen.get_by_test_id("level").inner_text() == "Level 7"
    assert 11 * 60 < seconds(screen) < 12 * 60
    showroom.show(running)
    screen.wait_for_timeout(300)
    showroom.show(replace(running, clock=replace(old, revision=RUNS.revision + 1), state="paused"))
    expect(screen.get_by_test_id("level")).to_have_text("Level 3")


def test_a_room_that_stands_by_is_not_believed_at_once(screen: Page, showroom: ShowRoom) -> None:
    own = replace(RUNS, lineage="l2", session="s2", revision=99, level=2, remaining_ms=5_000)
    began = time.monotonic()
    showroom.show(view(own, "paused", stands_by=True))
    screen.wait_for_timeout(1_500)
    assert screen.get_by_test_id("level").inner_text() == "Level 7"
    expect(screen.get_by_test_id("level")).to_have_text("Level 2", timeout=5_000)
    assert time.monotonic() - began > 2.5


def test_another_room_that_leads_is_followed_at_once(screen: Page, showroom: ShowRoom) -> None:
    led = replace(runs(30_000), lineage="l2", session="s2", revision=RUNS.revision + 1, level=9)
    hour_ms = 3_600_000
    ahead = replace(led, deadline_ms=(led.deadline_ms or 0) + hour_ms)
    showroom.show(view(ahead, now_ms=showroom.view().now_ms + hour_ms))
    expect(screen.get_by_test_id("level")).to_have_text("Level 9")
    assert 25 <= seconds(screen) <= 30


@pytest.mark.parametrize("by_ms", [-3_600_000, -300_000, 3_600_000])
def test_a_machine_that_slept_is_right_within_two_seconds(
    screen: Page, showroom: ShowRoom, by_ms: int
) -> None:
    """Its clock stood while the room's went on, or has counted what the room's has not."""
    skip = """(by) => {
      const real = performance.now.bind(performance);
      const start = real();
      performance.now = () => Math.max(0, real() + by);
    }"""

    def is_right() -> bool:
        wanted = ((showroom.shown.clock.deadline_ms or 0) - showroom.view().now_ms) / 1_000
        return abs(seconds(screen) - wanted) <= 1.2

    screen.evaluate(skip, by_ms)
    screen.wait_for_timeout(1_500)
    late = time.monotonic() + 2.5  # on a machine that has other things to do
    while not is_right():
        assert time.monotonic() < late
        screen.wait_for_timeout(100)
    expect(screen.get_by_test_id("stale")).to_be_hidden()


BURST = """async () => {
  const streams = [];
  window.EventSource = class {
    constructor() { streams.push(this); }
    close() {}
  };
  const { follow } = await import("/static/live.js");
  const real = performance.now.bind(performance);
  let skipped = 0;
  performance.now = () => real() + skipped;
  const room = follow("/nowhere", { message() {}, tick() {} });
  const stream = streams.at(-1);
  const began = performance.now();
  const say = (now_ms) => stream.onmessage({ data: JSON.stringify({ now_ms }) });
  say(1e6);
  skipped = 9000;
  const off = [];
  for (const second of [1, 2, 3, 4, 5, 6]) {
    say(1e6 + 1000 * second);
    off.push(Math.round(room.now() - 1e6 - (performance.now() - began)));
  }
  stream.onmessage({ data: "{what is this" });
  return off;
}"""


def test_a_burst_of_late_messages_does_not_put_the_clock_back(screen: Page) -> None:
    """What a network has held up for nine seconds comes all at once."""
    assert {abs(off) <= 5 for off in screen.evaluate(BURST)} == {True}


def test_a_new_version_of_the_program_loads_the_page_anew(screen: Page, showroom: ShowRoom) -> None:
    screen.evaluate("document.documentElement.className = 'kept'")
    showroom.show(replace(showroom.view(), version="2"))
    expect(screen.get_by_test_id("level")).to_have_text("Level 7")
    expect(screen.locator("html")).not_to_have_class("kept", timeout=5_000)
    expect(screen.get_by_test_id("level")).to_have_text("Level 7")


def test_a_long_outage_loads_the_page_anew(screen: Page) -> None:
    screen.evaluate(
        """() => {
      document.documentElement.className = "kept";
      const real = performance.now.bind(performance);
      setTimeout(() => { performance.now = () => real() + 90000; }, 0);
    }"""
    )
    expect(screen.locator("html")).not_to_have_class("kept", timeout=5_000)
    expect(screen.get_by_test_id("level")).to_have_text("Level 7")
