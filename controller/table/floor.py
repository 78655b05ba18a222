"""A floorperson at the table: signed in by PIN or badge, without any network.

A sign-in holds for a minute after the last thing that was decided. PINs are kept as argon2
hashes; whoever guesses is made to wait, longer each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from controller.files.toml_file import ConfigError, read_toml
from controller.files.whole_file import write_whole
from controller.people.pins import TRIES, is_name, is_pin, nobody, wait_after, wait_left

FLOOR_CREDENTIAL = "cutcard.floor"
HOLDS_S = 60.0
"""How long a sign-in holds after the last use of it."""
Refusal = Literal["wrong", "wait", "nobody"]

MOST_PEOPLE = 12


def read_people(path: Path) -> dict[str, str]:
    """Name → hashed PIN, from a file of `"NAME" = "HASH"` lines. Raises ConfigError."""
    people = read_toml(path, may_quote=True)
    for name, kept in people.items():
        if not is_name(name):
            raise ConfigError(f"{path}: {name[:40]!r} is not a valid name")
        if not isinstance(kept, str) or not kept.startswith("$argon2"):
            raise ConfigError(
                f"{path}: {name}: no hashed PIN; `cutcard floor add {name}` makes one"
            )
    if len(people) > MOST_PEOPLE:
        raise ConfigError(f"{path}: more than {MOST_PEOPLE} people")
    return people


class Guesses(Struct, frozen=True, forbid_unknown_fields=True):
    """So many wrong PINs in a row, and until when none is looked at, in the table's time."""

    wrong: Annotated[int, Meta(ge=0)] = 0
    until: float = 0.0


def read_guesses(file: Path) -> Guesses:
    """What was kept of them; none where there is no file. What can't be read counts as so many
    that the next one waits, so that damaging it gains nothing."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Guesses)
    except FileNotFoundError:
        return Guesses()
    except (OSError, msgspec.MsgspecError):
        return Guesses(TRIES, inf)


def write_guesses(file: Path, guesses: Guesses) -> None:
    """Keeps them. Raises OSError."""
    write_whole(file, msgspec.json.encode(guesses).decode())


class FloorLogin:
    """Who from the floor is at the table. Times are seconds on any one scale."""

    def __init__(self, people: Mapping[str, str]) -> None:
        self._people = dict(people)
        self._person: str | None = None
        self._until = -inf
        self._guesses = Guesses()
        self.refused = 0

    def go_on(self, before: Guesses, now: float) -> None:
        """After a restart the wait goes on, on a scale that may have begun anew."""
        self._guesses = Guesses(before.wrong, now + wait_left(before.wrong, before.until, now))

    @property
    def names(self) -> tuple[str, ...]:
        """Who may sign in by PIN."""
        return tuple(self._people)

    @property
    def wrong(self) -> int:
        """How many wrong PINs there have been since the last right one."""
        return self._guesses.wrong

    def person(self, now: float) -> str | None:
        """Who is signed in at this moment."""
        return self._person if now < self._until else None

    def wait(self, now: float) -> float:
        """How many seconds nobody may try a PIN."""
        return max(0.0, self._guesses.until - now)

    def if_wrong(self, now: float) -> Guesses:
        """What is kept before a PIN is looked at, so that a restart in between is no new try."""
        wrong = self._guesses.wrong + 1
        return Guesses(wrong, now + wait_after(wrong))

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
        return lambda pin: is_pin(kept or nobody(), pin) and kept is not None

    def checked(self, name: str, *, right: bool, now: float) -> Refusal | None:
        """Signs in whose PIN was right; else counts, and lets the next try wait."""
        if right:
            self._guesses = Guesses()
            self._sign_in(name, now)
            return None
        self.refused += 1
        self._guesses = self.if_wrong(now)
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
