"""The blinds screen when messages are late, old, or do not come."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests.web.page_time import hears, passes, skips, stands
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


@pytest.fixture
def standing(page: Page, showroom: ShowRoom) -> Page:
    """The same, and its time stands until the test lets it pass."""
    stands(page)
    page.goto(f"{showroom.url}screen?sound=off")
    expect(page.get_by_test_id("level")).to_have_text("Level 7")
    return page


def test_a_room_that_is_gone_is_said_within_five_seconds_and_found_again(
    standing: Page, showroom: ShowRoom
) -> None:
    stale = standing.get_by_test_id("stale")
    showroom.stop()
    passes(standing, 3_400)
    expect(stale).to_be_hidden()
    first = seconds(standing)
    passes(standing, 1_600)
    assert stale.inner_text() == "No network 00:05, clock keeps running"
    assert first - seconds(standing) in (1, 2)
    showroom.start(showroom.port)
    expect(stale).to_be_hidden()


@pytest.mark.parametrize(
    ("revision", "behind_ms"), [(RUNS.revision - 1, 0), (RUNS.revision, 60_000)]
)
def test_an_older_message_does_not_overwrite_a_running_clock(
    standing: Page, showroom: ShowRoom, revision: int, behind_ms: int
) -> None:
    running = showroom.view()
    old = replace(RUNS, revision=revision, level=3, remaining_ms=1_000)
    showroom.show(view(old, "paused", now_ms=running.now_ms - behind_ms), frozen=True)
    for _ in range(3):
        hears(standing)
        passes(standing, 1_000)
    assert standing.get_by_test_id("level").inner_text() == "Level 7"
    assert 11 * 60 < seconds(standing) < 12 * 60
    showroom.show(running)
    hears(standing)
    showroom.show(replace(running, clock=replace(old, revision=RUNS.revision + 1), state="paused"))
    expect(standing.get_by_test_id("level")).to_have_text("Level 3")


def test_a_room_that_stands_by_is_not_believed_at_once(standing: Page, showroom: ShowRoom) -> None:
    level = standing.get_by_test_id("level")
    own = replace(RUNS, lineage="l2", session="s2", revision=99, level=2, remaining_ms=5_000)
    showroom.show(view(own, "paused", stands_by=True))
    for _ in range(2):
        hears(standing)
        passes(standing, 1_400)
    hears(standing)
    assert level.inner_text() == "Level 7"
    passes(standing, 300)
    expect(level).to_have_text("Level 2")


def test_another_room_that_leads_is_followed_at_once(screen: Page, showroom: ShowRoom) -> None:
    led = replace(runs(30_000), lineage="l2", session="s2", revision=RUNS.revision + 1, level=9)
    hour_ms = 3_600_000
    ahead = replace(led, deadline_ms=(led.deadline_ms or 0) + hour_ms)
    showroom.show(view(ahead, now_ms=showroom.view().now_ms + hour_ms))
    expect(screen.get_by_test_id("level")).to_have_text("Level 9")
    assert seconds(screen) <= 30


@pytest.mark.parametrize("by_ms", [-3_600_000, -300_000, 3_600_000])
def test_a_machine_that_slept_is_right_with_the_next_message(
    standing: Page, showroom: ShowRoom, by_ms: int
) -> None:
    """Its clock stood while the room's went on, or has counted what the room's has not."""
    hears(standing, 3)
    skips(standing, by_ms)
    passes(standing, 100)
    told = hears(standing, 2)
    wanted = ((showroom.shown.clock.deadline_ms or 0) - told) / 1_000
    assert abs(seconds(standing) - wanted) <= 1.2
    expect(standing.get_by_test_id("stale")).to_be_hidden()


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
    expect(screen.locator("html")).not_to_have_class("kept")
    expect(screen.get_by_test_id("level")).to_have_text("Level 7")


def test_a_long_outage_loads_the_page_anew(screen: Page) -> None:
    screen.evaluate(
        """() => {
      document.documentElement.className = "kept";
      const real = performance.now.bind(performance);
      setTimeout(() => { performance.now = () => real() + 90000; }, 0);
    }"""
    )
    expect(screen.locator("html")).not_to_have_class("kept")
    expect(screen.get_by_test_id("level")).to_have_text("Level 7")
