from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from controller.broker.own import RunningBroker, start_broker
from tests.commands.fake_table import SITE
from tests.web import desk_page
from tests.web.chromium import Parked
from tests.web.clockroom import ClockRoom, clock_room
from tests.web.floor_page import TABLES
from tests.web.hall import EVENING, Hall
from tests.web.players_page import emptied, tables_say
from tests.web.showroom import ShowRoom


@pytest.fixture
def browser(parked: Parked) -> Iterator[Browser]:
    with parked.driven() as browser:
        yield browser


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What tables have said to the players' page."""
    return tables_say(monkeypatch)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    yield page
    page.close()


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.fixture
def room() -> Iterator[ClockRoom]:
    """A room that nobody has entered yet."""
    with clock_room() as running:
        yield emptied(running)


@pytest.fixture
def showroom() -> Iterator[ShowRoom]:
    room = ShowRoom()
    room.start()
    yield room
    room.stop()


@contextmanager
def running_hall(broker: RunningBroker, *tables: str) -> Iterator[Hall]:
    hall = Hall(broker, EVENING, tables)
    hall.start()
    yield hall
    hall.stop()


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, TABLES) as running:
        yield running


@pytest.fixture
def hall(broker: RunningBroker) -> Iterator[Hall]:
    """A room with three tables, whose broker is a fixture too."""
    with running_hall(broker, *TABLES) as hall:
        yield hall


@pytest.fixture
def fresh_hall() -> Iterator[Hall]:
    """A room of its own, whose door has seen nobody yet."""
    with start_broker(SITE, ["T1"]) as broker, running_hall(broker, "T1") as hall:
        yield hall


@pytest.fixture(scope="module")
def one_hall() -> Iterator[Hall]:
    """One room for all tests of a file."""
    with start_broker(SITE, ["T1"]) as broker, running_hall(broker, "T1") as hall:
        yield hall


@pytest.fixture(scope="module")
def shared() -> Iterator[Hall]:
    """One room without tables for all tests of a file; its tournament has not begun."""
    with start_broker(SITE, ["T1"]) as broker:
        hall = Hall(broker, desk_page.EVENING, [], start=False)
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
