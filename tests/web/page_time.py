"""A page whose time stands until the test lets it pass; what the room says comes all the same."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.waiting import wait_until

_STEPPED = Path(__file__).parent / "stepped_page.js"
_GRAIN_MS = 100


def stands(page: Page) -> None:
    """For a page that is not open yet."""
    page.add_init_script(path=_STEPPED)


def passes(page: Page, ms: int) -> None:
    """So much of the page's time."""
    page.evaluate(f"stepped.pass({ms}, {_GRAIN_MS})")


def skips(page: Page, ms: int) -> None:
    """The page's clock moves, its machine's does not, and nothing of the page is done."""
    page.evaluate(f"stepped.skip({ms}, 0)")


def hears_nothing(page: Page) -> None:
    """From now on, whatever the room says."""
    page.evaluate("stepped.deaf = true")


def hears_again(page: Page) -> None:
    """What it says from now on."""
    page.evaluate("stepped.deaf = false")


def hears(page: Page, messages: int = 1) -> int:
    """Waits until the page has shown so many more; returns the room's time of the last one."""
    before = page.evaluate("stepped.heardSoFar()")[0]
    wait_until(lambda: page.evaluate("stepped.heardSoFar()")[0] >= before + messages)
    return int(page.evaluate("stepped.heardSoFar()")[1])
