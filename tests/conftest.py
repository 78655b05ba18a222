"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import platform
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import settings

from controller.library.books import Library, open_library

if TYPE_CHECKING:
    from tests.web.chromium import Parked

# No test draws on a screen or makes a sound; those that want a real window say so themselves.
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

# How long an example takes is the machine's affair.
settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")

CONFIG = Path(__file__).resolve().parent.parent / "config"

# CI on x86-64 has every part that a test needs, so there a skipped test is a failed one.
SKIPS_FAIL = "CI" in os.environ and platform.machine() == "x86_64"
REFUSED = "this machine refuses:"
"""How the reason of a skip begins where no part is missing, but a right that only root or a machine
outside a container has; then comes what was said."""


def pytest_configure() -> None:
    """Whoever runs the tests in the background may have Ctrl-C ignored, and so would every command
    that they start; some press it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first: one process has them all while the others go through the rest, and at the
    end none is left that everybody has to wait for. The others are mixed by their files, always in
    one order: some wait most of the time and some compute, and at any time there are to be both."""

    def place(item: pytest.Item) -> tuple[bool, int]:
        file, _, _ = item.nodeid.partition("::")
        return item.get_closest_marker("long") is None, crc32(file.encode())

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """All the tests themselves stay to the end: nobody has to look through them for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turns a skip into a failure where nothing may be missing."""
    report = yield
    refused = report.skipped and REFUSED in str(report.longrepr)
    if SKIPS_FAIL and report.skipped and not (refused or hasattr(report, "wasxfail")):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """pytest's own, whose name has the test's no more: there are sockets in it, which can't have a
    path of more than 107 bytes (unix(7)), and whoever runs this may have a long name."""
    return tmp_path_factory.mktemp("t")


@pytest.fixture(scope="session")
def parked() -> Iterator[Parked]:
    """The browser of all tests that need no other one."""
    from tests.web.chromium import Parked

    parked = Parked()
    yield parked
    parked.close()


@pytest.fixture(scope="session")
def library() -> Library:
    """The project's own rule books."""
    return open_library(CONFIG)
