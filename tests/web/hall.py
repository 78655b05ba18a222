"""A room that runs in a thread, with tables that speak to it over a real broker."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

import httpx
from playwright.sync_api import Page

from controller.broker.own import RunningBroker
from controller.contract.events import Basis, Blinds, Priority, RulingText
from controller.contract.messages import Dismissed
from controller.people.door import Door, In
from controller.people.staff import Person, Role
from controller.process.child import JOIN_CODE_VARIABLE
from controller.room.structure import Entry, Structure
from display.web.command import RoomOptions, Served, serve
from display.web.serving.access.who import COOKIE
from tests.commands.fake_table import FLOP, SITE, FakeTable
from tests.waiting import PATIENCE_S, wait_until

CODE = "a code that only the tests know"
JOIN = {JOIN_CODE_VARIABLE: CODE}
"""The environment of a room process that lets in who has the code."""
KEPT = "no PIN"
EVENING = Structure("evening", (Entry(1_200_000, Blinds(100, 200)),))
T = TypeVar("T")


def ours(url: str) -> dict[str, str]:
    """What a page of the room at `url` says of itself."""
    return {"Origin": url.rstrip("/"), "X-Requested-With": "cutcard"}


def joined(url: str) -> dict[str, str]:
    """Signs in at a room process that was started with `JOIN`; the headers of its admin's page."""
    body = json.dumps({"code": CODE}).encode()
    request = urllib.request.Request(f"{url}join", body, ours(url))  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
        return ours(url) | {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}


TRUST = ssl.create_default_context()
"""One for all clients, most of which never need it: it takes longer to make than they do."""


class Entrance:
    """The door of a room in a thread: lets people in with the role that they are to have. `url` is
    where the pages are."""

    url: str
    door: Door
    _loop: asyncio.AbstractEventLoop

    def get(self, ask: Callable[[], T]) -> T:
        """What it is, asked on the room's loop."""

        async def answer() -> T:
            return ask()

        return asyncio.run_coroutine_threadsafe(answer(), self._loop).result(PATIENCE_S)

    def cookie(self, role: Role = "floor", name: str = "Ann", kept: str = KEPT) -> str:
        """What the browser of somebody who is signed in has kept."""

        def let_in() -> In:
            if self.door.store.person(name) is None:
                self.door.store.add(Person(name, role, kept))
            if self.door.store.known(name).role != role:
                self.door.store.set_role(name, role)
            joined = self.door.join(self.door.invite(name), "127.0.0.1", None)
            assert isinstance(joined, In)
            return joined

        return self.get(let_in).cookie

    def sign_in(
        self, browser: Page | httpx.Client, role: Role = "floor", name: str = "Ann"
    ) -> None:
        """Signs somebody in on a browser; a client also says what our pages say."""
        cookie = self.cookie(role, name)
        if isinstance(browser, httpx.Client):
            browser.cookies.set(COOKIE, cookie)
            browser.headers.update(ours(self.url))
        else:
            kept = {"name": COOKIE, "value": cookie, "url": self.url}
            browser.context.add_cookies([{**kept, "httpOnly": True, "sameSite": "Strict"}])  # type: ignore[typeddict-item]

    def client(self, role: Role | None = None, name: str = "Ann", **more: str) -> httpx.Client:
        """A program at the room, signed in with a role; without one a stranger that says what
        our pages say. `more` are headers."""
        client = httpx.Client(
            base_url=self.url, headers=ours(self.url), timeout=PATIENCE_S, verify=TRUST
        )
        if role is not None:
            self.sign_in(client, role, name)
        client.headers.update({key.replace("_", "-"): value for key, value in more.items()})
        return client


class Hall(Entrance):
    """The room; `url` is where its pages are. `options` are those of the room that differ."""

    def __init__(
        self,
        broker: RunningBroker,
        evening: Structure,
        tables: Sequence[str],
        **options: Any,  # noqa: ANN401 - fields of RoomOptions
    ) -> None:
        self.url = ""
        self._broker = broker
        self.evening = evening
        self._names = tables
        self._options = options
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.tables = {id_: FakeTable(self._broker.tables[id_], id_) for id_ in self._names}
        for table in self.tables.values():
            table.start()
        options = RoomOptions(
            self._broker.room,
            self.evening,
            **{
                "site": SITE,
                "start": True,
                "tell_tables": False,  # what tables take is what the floor decides
                **self._options,
            },
        )
        await serve(options, self._stop, self._ready)
        for table in self.tables.values():
            await table.client.close()

    def _ready(self, served: Served) -> None:
        self.url, self.room, self.door, self.setup = (
            served.url,
            served.room,
            served.door,
            served.setup,
        )
        self._up.set()

    def start(self) -> None:
        """Returns once all tables are heard."""
        names = set(self._names)
        self._thread.start()
        assert self._up.wait(PATIENCE_S)
        self.until(lambda: {each.id for each in self.room.view().tables if each.live} >= names)

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def wait_for(self, act: Callable[[], Coroutine[None, None, None]]) -> None:
        """Does it on the room's loop, to its end."""
        asyncio.run_coroutine_threadsafe(act(), self._loop).result(PATIENCE_S)

    def do(self, act: Callable[[], None]) -> None:
        """Does it on the room's loop, and waits until it is done."""
        self.get(act)

    def alert(
        self,
        table: str,
        number: int,
        title: str,
        *,
        age_s: int = 5,
        priority: Priority = 1,
        basis: Basis = "seen",
        seats: tuple[int, ...] = (),
        ruling: RulingText = FLOP,
        dismissed: Dismissed | None = None,
    ) -> None:
        """A table raises an alert, of so many seconds ago."""
        raised = partial(
            self.tables[table].alert,
            number,
            title,
            at=time.time_ns() // 1_000_000 - age_s * 1_000,
            priority=priority,
            basis=basis,
            seats=seats,
            ruling=ruling,
            dismissed=dismissed,
        )
        self.do(raised)

    def until(self, condition: Callable[[], object]) -> None:
        wait_until(condition)
