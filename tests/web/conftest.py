from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from controller.broker import start_broker
from controller.events import Blinds
from controller.room.structure import Entry, Structure
from tests.commands.fake_table import SITE
from tests.web.hall import Hall
from tests.web.showroom import ShowRoom

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


# Not for the session: while playwright is there, no other test can run an asyncio loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("chromium not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    yield page
    page.close()


@pytest.fixture
def showroom() -> Iterator[ShowRoom]:
    room = ShowRoom()
    room.start()
    yield room
    room.stop()


EVENING = Structure("evening", (Entry(1_200_000, Blinds(100, 200)),))


@contextmanager
def opened_hall() -> Iterator[Hall]:
    with start_broker(SITE, ["T1"]) as broker:
        hall = Hall(broker, EVENING, ["T1"])
        hall.start()
        yield hall
        hall.stop()


@pytest.fixture
def fresh_hall() -> Iterator[Hall]:
    """A room of its own, whose door has seen nobody yet."""
    with opened_hall() as hall:
        yield hall


@pytest.fixture(scope="module")
def one_hall() -> Iterator[Hall]:
    """One room for all tests of a file."""
    with opened_hall() as hall:
        yield hall
