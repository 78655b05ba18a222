"""`python -m tests.campaign.child COMMAND …`: a `cutcard` command with a control page beneath it.

Only what lies below the product is changed: the clock that Python reads, and SQLite's COMMIT. The
monotonic clock is left alone, as by settimeofday(2).
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.campaign.control import VARIABLE, Control, Point


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _with_clock(control: Control) -> None:
    seconds, nanoseconds = time.time, time.time_ns
    time.time = lambda: seconds() + control.ahead_ns / 1e9
    time.time_ns = lambda: nanoseconds() + control.ahead_ns


def _with_commits(control: Control) -> None:
    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401
            if sql != "COMMIT":
                return super().execute(sql, *values)
            if control.commit_ms:
                time.sleep(control.commit_ms / 1e3)
            _at("before-commit")
            done = super().execute(sql, *values)
            _at("after-commit")
            return done

    def _at(point: Point) -> None:
        if control.is_due(point):
            _end()

    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def connected(*args: Any, **more: Any) -> sqlite3.Connection:  # noqa: ANN401
        return connect(*args, **{"factory": Connection, **more})

    sqlite3.connect = connected  # type: ignore[assignment]


def _with_keys(control: Control) -> None:
    """Files of keys are few, so that an exact point among their operations is soon reached."""
    busy = False

    def heard(event: str, args: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or event not in ("open", "os.rename", "os.remove"):
            return
        if "/keys" in str(args[0]):
            busy = True
            if control.is_due("key-file"):
                _end()
            busy = False

    sys.addaudithook(heard)


def main() -> int:
    """Runs the command as `cutcard` would."""
    control = Control.at(os.environ[VARIABLE])
    _with_clock(control)
    _with_commits(control)
    _with_keys(control)
    from controller.__main__ import main as cutcard

    return cutcard(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
