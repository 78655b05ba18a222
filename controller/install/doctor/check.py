"""What the doctor says of one thing, and how a part of the table is looked over."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

Status = Literal["ok", "warn", "fail", "skipped", "refused"]
_BARE = re.compile(r"cutcard doctor(?=$| --(?!config))")


class Check(Struct, frozen=True):
    """One thing that was looked at.

    `found` is what there is, in plain words; `todo` is one sentence with the command to type, and
    never empty for what failed. `skipped` could not be tried, `refused` may not be tried now.
    """

    name: str
    status: Status
    found: str
    todo: str = ""
    part: str = ""


class Probe(Struct, frozen=True):
    """One check that has not been made yet. `look` may block for a while."""

    name: str
    look: Callable[[], Sequence[Check]]


def named(check: Check, config: Path | None) -> Check:
    """The check with the settings in use in each command of the doctor's that is to be typed, so
    that it finds the same table; unless the command names settings itself."""
    if config is None:
        return check
    given = f"cutcard doctor --config {shlex.quote(str(config))}"
    return structs.replace(check, todo=_BARE.sub(lambda _: given, check.todo))


def ok(name: str, found: str) -> Check:
    """All is well."""
    return Check(name, "ok", found)


def warn(name: str, found: str, todo: str) -> Check:
    """It works, and may not tomorrow."""
    return Check(name, "warn", found, todo)


def fail(name: str, found: str, todo: str) -> Check:
    """It does not work."""
    return Check(name, "fail", found, todo)


def skipped(name: str, found: str, todo: str = "") -> Check:
    """It could not be tried; `found` says why."""
    return Check(name, "skipped", found, todo)


def refused(name: str, reason: str) -> Check:
    """It may not be tried now."""
    return Check(name, "refused", reason, "Try again when the hand is over.")
