"""What the dealer has chosen, kept over a restart: the language of the screen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

NAME = "screen.json"
_MOST_BYTES = 4096


class Chosen(Struct, frozen=True):
    """The language somebody chose, in place of the one that was set up then."""

    language: str
    instead_of: str


class Kept:
    """Remembers what is chosen in `file`; without one nothing outlives the program.

    `set_up` is the language that the screen was started with: where that is another than when
    somebody chose, the choice is forgotten.
    """

    def __init__(self, file: Path | None, set_up: str) -> None:
        self._file = file
        self._set_up = set_up

    @property
    def language(self) -> str:
        """The language to begin with. What can't be read is as if nothing had been chosen."""
        if self._file is None:
            return self._set_up
        try:
            with self._file.open("rb") as file:
                chosen = msgspec.json.decode(file.read(_MOST_BYTES), type=Chosen)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return self._set_up
        return chosen.language if chosen.instead_of == self._set_up else self._set_up

    def choose(self, language: str) -> str:
        """Keep a language, whole or not at all; return why that could not be, or nothing."""
        if self._file is None:
            return ""
        beside = self._file.with_suffix(".new")
        try:
            beside.write_bytes(msgspec.json.encode(Chosen(language, self._set_up)))
            beside.replace(self._file)
        except OSError as error:
            return f"{self._file}: {error.strerror}"
        return ""


def place(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The file in the folder that systemd gives the screen; elsewhere there is none."""
    folder = environment.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(folder) / NAME if folder else None
