from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from controller.broker import RunningBroker, start_broker
from tests.commands.fake_table import SITE
from tests.web.floor_page import EVENING, TABLES
from tests.web.hall import Hall

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
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, TABLES) as running:
        yield running


@pytest.fixture
def hall(broker: RunningBroker) -> Iterator[Hall]:
    hall = Hall(broker, EVENING, TABLES)
    hall.start()
    yield hall
    hall.stop()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A second one."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    yield context.new_page()
    context.close()
