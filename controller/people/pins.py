"""PINs and the names that go with them: how they are kept, judged, and guessed at ever more slowly.

A PIN is kept as an argon2 hash (RFC 9106) and never shown.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

TRIES = 3
"""So many wrong PINs in a row cost nothing but the try."""
FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 900.0
SHORTEST_PIN, LONGEST_PIN = 4, 12

if TYPE_CHECKING:
    from argon2 import PasswordHasher

_NAME = re.compile(r"[^\x00-\x1f\"\\]{1,40}")


@cache
def _hasher() -> PasswordHasher:
    """A hash takes a tenth of a second on a desktop, and memory that a Pi has."""
    from argon2 import PasswordHasher  # noqa: PLC0415 - not before the table is ready

    return PasswordHasher(time_cost=4, memory_cost=16 * 1024, parallelism=1)


@cache
def nobody() -> str:
    """What is kept of nobody's PIN, so that an unknown name takes as long as a known one."""
    return _hasher().hash("no such person")


def hashed(pin: str) -> str:
    """A PIN as it is kept. Raises ValueError for one that is none: 4 to 12 digits."""
    if not (pin.isdecimal() and pin.isascii() and SHORTEST_PIN <= len(pin) <= LONGEST_PIN):
        raise ValueError(f"a PIN has {SHORTEST_PIN} to {LONGEST_PIN} digits")
    return _hasher().hash(pin)


def is_pin(kept: str, pin: str) -> bool:
    """Whether this is the PIN; it takes a tenth of a second, so not in the loop."""
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415

    try:
        return _hasher().verify(kept, pin)
    except (VerificationError, InvalidHashError):
        return False


def is_name(name: str) -> bool:
    """Whether somebody may be called so."""
    return _NAME.fullmatch(name) is not None and name == name.strip() and name.isprintable()


def wait_after(wrong: int, tries: int = TRIES) -> float:
    """How many seconds nobody may try a PIN after so many wrong ones in a row."""
    if wrong < tries:
        return 0.0
    return min(FIRST_WAIT_S * 2.0 ** min(wrong - tries, 30), LONGEST_WAIT_S)


def wait_left(wrong: int, until: float, now: float, tries: int = TRIES) -> float:
    """What a restart leaves of the wait after so many wrong ones, which was to end at `until`.

    Both are seconds on one scale, which may have begun anew since then: then it is the whole wait
    once more. It is never shorter than what was left, and never longer than the whole.
    """
    return min(max(0.0, until - now), wait_after(wrong, tries))
