"""The browsers of the tests: Chromium as people have it, and the same engine without a desktop,
which takes less than half the time of a processor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright import async_api
from playwright.sync_api import Browser, expect, sync_playwright

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
    """A browser of its own. Skips the test where there is none."""
    if not program.exists():
        pytest.skip(f"{program.name} not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])
        yield browser
        browser.close()
