"""Two rooms of one site as processes, of which one stands by."""

from __future__ import annotations

import json
import subprocess
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from controller.broker.own import RunningBroker
from tests.waiting import PATIENCE_S, wait_until
from tests.web.hall import joined, ours
from tests.web.room_process import begun

WHOLE = "all that the other room has is here"


class Room:
    """One of the two as a process; `url` once it leads."""

    def __init__(self, broker: RunningBroker, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        config = folder / "room.toml"
        config.write_text("[room]\nstand_by = true\n")
        self.said: list[str] = []
        self.url = ""
        self.process = begun(
            broker, folder / "room.sqlite", "--config", str(config), stderr=subprocess.PIPE
        )
        self._hearing = []
        for pipe, take in ((self.process.stdout, self._ready), (self.process.stderr, self._say)):
            assert pipe is not None
            hears = threading.Thread(target=_each, args=(pipe, take))
            hears.start()
            self._hearing.append(hears)

    def _ready(self, line: str) -> None:
        self.url = json.loads(line)["url"]

    def _say(self, line: str) -> None:
        self.said.append(line)

    def leads(self) -> None:
        """Waits until it does."""
        self._wait(lambda: bool(self.url))

    def has_all(self) -> None:
        """Waits until it stands by, with all that the other has."""
        self._wait(lambda: any(WHOLE in line for line in self.said))

    def _wait(self, holds: Callable[[], bool]) -> None:
        try:
            wait_until(holds)
        except AssertionError:
            raise AssertionError("\n".join(self.said)) from None

    def kill(self) -> None:
        """Without a word."""
        self.process.kill()
        self.process.wait()
        for each in self._hearing:
            each.join()


def _each(pipe: IO[str], take: Callable[[str], None]) -> None:
    with pipe:
        for line in pipe:
            take(line.rstrip("\n"))


class Client:
    """A page of whichever room leads, with the cookie of the first one."""

    def __init__(self, room: Room) -> None:
        room.leads()
        self._cookie = joined(room.url)["Cookie"]
        self.room = room

    def ask(self, path: str, fields: dict[str, object] | None = None) -> Any:  # noqa: ANN401
        """A page's JSON, or the answer to an act."""
        url = self.room.url
        body = None if fields is None else json.dumps(fields).encode()
        headers = {**ours(url), "Cookie": self._cookie}
        request = urllib.request.Request(f"{url}{path}", body, headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return json.load(answer)

    def names(self) -> set[str]:
        """Those of the register."""
        return {each["name"] for each in self.ask("players.json")["players"]}
