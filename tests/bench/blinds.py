"""The blinds screen in a browser: how busy a running level keeps the machine.

Room and Chromium are processes; of the browser all of them are counted, with its drawing, which is
done without a graphics card here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from controller.broker.ports import LOOPBACK
from tests.bench.figures import Figure
from tests.bench.screen import busy, ending

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1920,1080",
    "--autoplay-policy=no-user-gesture-required",
)
_STARTED_S = 8.0


def missing() -> str:
    """What is not installed that it needs; empty if nothing is."""
    return "" if _browser() else "Chromium (Debian's package chromium)"


def measure(rounds: int, seconds: float = 60.0, started_s: float = _STARTED_S) -> list[Figure]:
    """So many runs of a minute each; their median."""
    shares = [_share(seconds, started_s) for _ in range(rounds)]
    return [Figure("blinds screen in Chromium, 1080p: one core busy", median(shares), "%", 15)]


def _browser() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def _share(seconds: float, started_s: float) -> float:
    with TemporaryDirectory(prefix="cutcard") as folder, _room(Path(folder)) as url:
        command = [_browser() or "", *FLAGS, f"--user-data-dir={folder}/profile", f"{url}screen"]
        browser = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        with ending(browser):
            time.sleep(started_s)
            began, used = time.monotonic(), _busy(browser.pid)
            time.sleep(seconds)
            return 100 * (_busy(browser.pid) - used) / (time.monotonic() - began)


@contextmanager
def _room(folder: Path) -> Iterator[str]:
    words = ("room", "--web-port", "0", "--broker", f"{LOOPBACK}:1", "--start", "--json")
    room = subprocess.Popen(
        (sys.executable, "-m", "controller", *words, "--store", str(folder / "room.sqlite")),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert room.stdout is not None
    with ending(room), room.stdout:
        yield json.loads(room.stdout.readline())["url"]


def _busy(session: int) -> float:
    """Seconds of processor time of all processes of a session."""
    total = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == session:
                total += busy(int(folder.name))
        except (OSError, ValueError):
            continue  # it has just ended
    return total
