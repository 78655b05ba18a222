"""An hour of a real room with a real broker and screens in a real browser, in which programs,
networks and machines fail again and again: at each moment everybody shows the true time."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from controller.broker import find_mosquitto
from controller.events import Blinds
from controller.room.structure import Entry, Structure
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.stepped_hall import BEGAN, Course, SteppedHall

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or not CHROMIUM.exists(), reason="mosquitto or chromium not installed"
)
SECOND = 1_000
MINUTE = 60_000
HOUR = 60 * MINUTE
EVENING = Structure(
    "evening",
    (
        Entry(11 * MINUTE, Blinds(25, 50)),
        Entry(13 * MINUTE, Blinds(50, 100, 100)),
        Entry(6 * MINUTE, None),
        Entry(12 * MINUTE, Blinds(100, 200, 200)),
        Entry(15 * MINUTE, Blinds(200, 400, 400)),
        Entry(30 * MINUTE, Blinds(400, 800, 800)),
    ),
)


class Hour:
    """What befalls the hall, each a coroutine that leaves everything as it should be."""

    def __init__(self, hall: SteppedHall, chance: random.Random) -> None:
        self.hall = hall
        self.chance = chance
        self.changes = 0

    async def passes(self, ms: int) -> None:
        """Time passes in steps; a level's end is looked at closely."""
        hall, until = self.hall, self.hall.now + ms
        while hall.now < until:
            to_end = until if hall.course.stands is not None else hall.course.left(hall.now)
            if to_end <= 300:
                await self.level_ends(to_end)
            else:
                step = self.chance.randrange(700, 2_500)
                await hall.step(max(1, min(step, until - hall.now, to_end - 300)))

    async def level_ends(self, to_end: int) -> None:
        hall = self.hall
        end = hall.now + to_end
        name = hall.names[hall.course.index(end)]
        blinds = EVENING.entries[hall.course.index(end)].blinds
        seen: dict[str, int] = {}
        while hall.now < end + 500:
            await hall.step(min(100, end - hall.now) if hall.now < end else 100)
            if hall.now == end and blinds is not None:
                await hall.until(lambda: hall.levels()[-1:] == [blinds])
            for watcher in (*hall.screens, hall.wall):
                if watcher.shown.level == name:
                    seen.setdefault(watcher.name, hall.now - end)
        assert len(seen) == 3
        assert all(0 <= late <= 200 for late in seen.values()), seen
        self.changes += 1


async def an_hour(folder: Path) -> None:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        hall = SteppedHall(folder, EVENING, chromium)
        try:
            await hall.begin()
            hall.act("start")
            hall.goes(Course(hall.ends, hall.now))
            await hall.step(200)
            hour = Hour(hall, random.Random(1))
            t=time.monotonic()
            await hour.passes(HOUR)
            print(hall.moments, time.monotonic()-t)
        finally:
            await hall.end()


def test_everybody_shows_the_true_time_for_an_hour(tmp_path: Path) -> None:
    asyncio.run(an_hour(tmp_path))
