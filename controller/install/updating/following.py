"""A table takes the version that its room offers: it believes who signed it, not who offers it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import quote

import msgspec

from controller.files.summed import copy_summed
from controller.files.toml_file import ConfigError
from controller.install.updating.kept import Kept
from controller.install.updating.machine import TABLE, Machine
from controller.room.offered import Offered
from controller.table.config import load_table_config

_PORT = 8080
_ANSWER_S = 10.0
_PIECE = 1 << 20
_MOST_BYTES = 2 << 30


class FollowError(Exception):
    """The room can't be followed now; one line says why."""


def table_and_room(file: Path = TABLE) -> tuple[str, str | None]:
    """A table's name, and the address of its room's pages by its settings, None where they name
    no broker. Raises FollowError."""
    try:
        config = load_table_config(file)
    except ConfigError as error:
        raise FollowError(str(error)) from None
    broker = config.broker
    if broker is None:
        return config.table.id, None
    host = f"[{broker.host}]" if ":" in broker.host else broker.host
    return config.table.id, f"http://{host}:{_PORT}/"


class Following:
    """One table's look at its room, whose pages are at `room`, an address by http or https."""

    def __init__(self, room: str, machine: Machine, kept: Kept, table: str) -> None:
        self._room = room if room.endswith("/") else f"{room}/"
        self._machine = machine
        self._kept = kept
        self._table = table

    def what_comes(self) -> Offered | None:
        """A version for this machine that is newer than its own, and has not failed here before.
        Raises FollowError."""
        made_for = self._machine.made_for().replace(" ", "-")
        try:
            with self._ask(f"updates/{made_for}.json") as answer:
                coming = msgspec.json.decode(answer.read(_PIECE), type=Offered)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise FollowError(f"{self._room}: {error}") from None
        except msgspec.MsgspecError:
            raise FollowError(f"{self._room}: no room answers there") from None
        here, last = self._machine.installed().get("cutcard"), self._kept.last
        failed = last is not None and last.how == "undone" and last.to == coming.version
        if not here or failed or not self._machine.is_newer(coming.version, here):
            return None
        return coming

    @contextmanager
    def turn(self) -> Iterator[str]:
        """A context with this table's turn, given back after it; empty if it has it, else the table
        that has. Raises FollowError."""
        table = quote(self._table, safe="")
        try:
            with self._ask(f"updates/turn/{table}", b""):
                pass
        except urllib.error.HTTPError as error:
            if error.code != 409:
                raise FollowError(f"{self._room}: {error}") from None
            with suppress(ValueError):
                yield str(json.loads(error.read(_PIECE)).get("error", "another table"))
                return
            yield "another table"
            return
        try:
            yield ""
        finally:
            with (
                suppress(FollowError, urllib.error.HTTPError),
                self._ask(f"updates/over/{table}", b""),
            ):
                pass

    def fetch(self, coming: Offered) -> Path:
        """The bundle, as the room has it. Raises FollowError and OSError."""
        made_for = self._machine.made_for().replace(" ", "-")
        file = self._kept.folder / "coming.zip"
        if not 0 < coming.bytes < _MOST_BYTES:
            raise FollowError(f"{self._room}: a bundle of {coming.bytes} bytes is none")
        try:
            with self._ask(f"updates/{made_for}.zip") as answer, file.open("wb") as writing:
                copied = copy_summed(answer, writing, coming.bytes)
        except urllib.error.HTTPError as error:
            raise FollowError(f"{self._room}: {error}") from None
        except TimeoutError:
            raise FollowError(f"{self._room}: it stopped in the middle of the bundle") from None
        if copied != (coming.bytes, coming.sha256):
            raise FollowError(f"{self._room}: the bundle came damaged")
        return file

    def _ask(self, path: str, body: bytes | None = None) -> HTTPResponse:
        origin = self._room.removesuffix("/")
        headers = {"Origin": origin, "X-Requested-With": "cutcard"}
        request = urllib.request.Request(self._room + path, body, headers)  # noqa: S310 - see room
        try:
            answer: HTTPResponse = urllib.request.urlopen(request, timeout=_ANSWER_S)  # noqa: S310
        except urllib.error.HTTPError:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise FollowError(f"no room at {self._room}: {reason}") from None
        return answer
