"""The browsers of the tests: Chromium as people have it, and the same engine without a desktop,
which takes less than half the time of a processor."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright import async_api
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.waiting import PATIENCE_S

expect.set_options(timeout=PATIENCE_S * 1_000)
async_api.expect.set_options(timeout=PATIENCE_S * 1_000)

DESKTOP = Path("/usr/bin/chromium")
_SHELL = Path("/usr/bin/chromium-headless-shell")
CHROMIUM = _SHELL if _SHELL.exists() else DESKTOP
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",
]


@contextmanager
def launched(program: Path = CHROMIUM, *flags: str) -> Iterator[Browser]:
    """A browser of its own. Skips the test where there is none. While it is there, no other test
    can run an asyncio loop."""
    with sync_playwright() as playwright:
        browser = _launch(playwright, program, *flags)
        yield browser
        browser.close()


def _launch(playwright: Playwright, program: Path, *flags: str) -> Browser:
    if not program.exists():
        pytest.skip(f"{program.name} not installed")
    return playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])


class Parked:
    """One browser for all tests of a process, since launching one takes longer than most of them.
    It has a loop that never ends, which nobody may see while it is parked."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._browser: Browser | None = None
        self._playwright: Playwright | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def driven(self) -> Iterator[Browser]:
        """The browser for one test; another one where it was lost."""
        asyncio._set_running_loop(self._loop)
        try:
            if self._playwright is None:
                self._playwright = self._stack.enter_context(sync_playwright())
            if self._browser is None or not self._browser.is_connected():
                self._browser = _launch(self._playwright, CHROMIUM)
            yield self._browser
            for context in self._browser.contexts:
                context.close()
        finally:
            self._loop = asyncio._get_running_loop()
            asyncio._set_running_loop(None)

    def close(self) -> None:
        """It is needed no more."""
        asyncio._set_running_loop(self._loop)
        if self._browser is not None:
            self._browser.close()
        self._stack.close()
