"""An hour of a real room with a real broker and screens in a real browser, in which programs,
networks and machines fail again and again: at each moment everybody shows the true time."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from controller.broker.own import find_mosquitto
from tests.web.chromium import CHROMIUM, FLAGS
from tests.web.hour import EVENING, HOUR, SECOND, Hour, befalls
from tests.web.stepped_hall import SteppedHall
from tests.web.watchers import BEGAN, Course

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or not CHROMIUM.exists(), reason="mosquitto or chromium not installed"
)


async def an_hour(folder: Path, chance: random.Random, *, shuffled: bool = False) -> int:
    """In the usual order, or in one by chance. Returns how many levels were seen to end."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        hall = SteppedHall(folder, EVENING, chromium)
        try:
            await hall.begin()
            await hall.step(370)
            hall.act("start")
            hall.goes(Course(hall.ends, hall.now))
            await hall.step(200)
            hour = Hour(hall, chance)
            coming = befalls(hour)
            if shuffled:
                chance.shuffle(coming)
            for befall in coming:
                await hour.passes(20 * SECOND)
                await befall()
            await hour.passes(max(0, BEGAN + HOUR - hall.now))
            assert hall.moments > 1_000
            return hour.changes
        finally:
            await hall.end()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_everybody_shows_the_true_time_for_an_hour(tmp_path: Path) -> None:
    assert asyncio.run(an_hour(tmp_path, random.Random(1))) >= 2
