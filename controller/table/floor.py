"""A floorperson at the table: signed in by PIN or badge, without any network.

A sign-in holds for a minute after the last thing that was decided. PINs are kept as argon2
hashes; whoever guesses is made to wait, longer each time.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from controller.table.toml_file import ConfigError, read_text

FLOOR_CREDENTIAL = "cutcard.floor"
HOLDS_S = 60.0
"""How long a sign-in holds after the last use of it."""
TRIES = 3
"""So many wrong PINs in a row cost nothing but the try."""
FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 900.0
SHORTEST_PIN, LONGEST_PIN = 4, 12

if TYPE_CHECKING:
    from argon2 import PasswordHasher

Refusal = Literal["wrong", "wait", "nobody"]

_NAME = re.compile(r"[^\x00-\x1f\"\\]{1,40}")
MOST_PEOPLE = 12


@cache
def _hasher() -> PasswordHasher:
    """A hash takes a tenth of a second on a desktop, and memory that a Pi has."""
    from argon2 import PasswordHasher  # noqa: PLC0415 - not before the table is ready

    return PasswordHasher(time_cost=4, memory_cost=16 * 1024, parallelism=1)


@cache
def _nobody() -> str:
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
    """Whether somebody may be called so in the file of people."""
    return _NAME.fullmatch(name) is not None and name == name.strip() and name.isprintable()


def read_people(path: Path) -> dict[str, str]:
    """Name → hashed PIN, from a file of `"NAME" = "HASH"` lines. Raises ConfigError."""
    try:
        people = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None
    for name, kept in people.items():
        if not is_name(name):
            raise ConfigError(f"{path}: {name[:40]!r} is no name")
        if not isinstance(kept, str) or not kept.startswith("$argon2"):
            raise ConfigError(
                f"{path}: {name}: no hashed PIN here; `cutcard floor add {name}` makes one"
            )
    if len(people) > MOST_PEOPLE:
        raise ConfigError(f"{path}: more than {MOST_PEOPLE} people")
    return people


class FloorDesk:
    """Who from the floor is at the table. Times are seconds on any one scale."""

    def __init__(self, people: Mapping[str, str]) -> None:
        self._people = dict(people)
        self._person: str | None = None
        self._until = -inf
        self._wrong = 0
        self._wait_until = -inf
        self.refused = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Who may sign in by PIN."""
        return tuple(self._people)

    @property
    def wrong(self) -> int:
        """How many wrong PINs there have been since the last right one."""
        return self._wrong

    def person(self, now: float) -> str | None:
        """Who is signed in at this moment."""
        return self._person if now < self._until else None

    def wait(self, now: float) -> float:
        """How many seconds nobody may try a PIN."""
        return max(0.0, self._wait_until - now)

    def check(self, name: str, now: float) -> Callable[[str], bool] | Refusal:
        """What tells whether a PIN is this person's, to be called outside the loop and its
        answer given to `checked`; or why no PIN is looked at."""
        if self.wait(now):
            self.refused += 1
            return "wait"
        if not self._people:
            return "nobody"
        # An unknown name takes as long as a known one.
        kept = self._people.get(name)
        return lambda pin: is_pin(kept or _nobody(), pin) and kept is not None

    def checked(self, name: str, *, right: bool, now: float) -> Refusal | None:
        """Signs in whose PIN was right; else counts, and lets the next try wait."""
        if right:
            self._wrong = 0
            self._sign_in(name, now)
            return None
        self.refused += 1
        self._wrong += 1
        if self._wrong >= TRIES:
            wait = FIRST_WAIT_S * 2 ** (self._wrong - TRIES)
            self._wait_until = now + min(wait, LONGEST_WAIT_S)
        return "wrong"

    def badge(self, name: str, now: float) -> None:
        """A badge lies on an antenna: its owner is there."""
        self._sign_in(name, now)

    def used(self, now: float) -> None:
        """Something was decided: the sign-in holds on."""
        if self.person(now) is not None:
            self._until = now + HOLDS_S

    def sign_out(self) -> None:
        """Nobody from the floor is there."""
        self._person = None

    def _sign_in(self, name: str, now: float) -> None:
        self._person, self._until = name, now + HOLDS_S
