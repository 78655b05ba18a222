"""Hundreds of phones at real sockets, and what they leave to the wall."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from controller.contract.messages import RoomTournament
from controller.room.view import RoomView
from display.web import phones
from display.web.followers import Followers
from display.web.pocket import Pocket, PocketView, pocket, words_of
from display.web.serving.access.who import COOKIE
from display.web.serving.listener import MOST_CONNECTIONS, MOST_OF_ADDRESS, VANISHED_MS, Listener
from display.web.serving.streams import MAX_STREAMS
from tests.waiting import PATIENCE_S
from tests.web.clockroom import ClockRoom, clock_room
from tests.web.hall import JOIN, joined
from tests.web.test_pocket import ROOM

Heard = dict[str, Any]


@pytest.fixture
def hall() -> Iterator[ClockRoom]:
    with clock_room() as running:
        yield running


class Stream:
    """One stream of the room's, as a browser has it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.status = 0

    async def ask(self, path: str, **headers: str) -> None:
        lines = [f"GET /{path} HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items())]
        self._writer.write("\r\n".join([*lines, "", ""]).encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        self.status = int(head.split()[1])

    async def raw(self) -> bytes:
        """The next message as it came."""
        while True:
            line = await asyncio.wait_for(self._reader.readline(), PATIENCE_S)
            assert line, "the room hung up"
            if line.startswith(b"data: "):
                return line

    async def next(self) -> Heard:
        heard: Heard = json.loads((await self.raw())[6:])
        return heard

    async def whole(self) -> Heard:
        """The next one that tells everything."""
        while (heard := await self.next())["told"] is None:
            pass
        return heard

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def ended(self) -> None:
        """Returns once the room has hung up."""
        while await asyncio.wait_for(self._reader.readline(), PATIENCE_S):
            pass


class Streams:
    """All streams that one test opens; they are closed at its end. `cookie` is of who is signed
    in; phones have none."""

    def __init__(self, url: str, cookie: str = "") -> None:
        self._there = urlsplit(url)
        self._cookie = cookie
        self._opened: list[Stream] = []

    async def open(self, path: str) -> Stream:
        made = Stream(*await asyncio.open_connection(self._there.hostname, self._there.port))
        self._opened.append(made)
        is_phone = path.startswith("pocket")
        await made.ask(
            path, Host=self._there.netloc, **{} if is_phone else {"Cookie": self._cookie}
        )
        return made

    async def open_many(self, path: str, count: int) -> list[Stream]:
        """So many, a few at a time: the room hangs up on who says nothing for three seconds."""
        made: list[Stream] = []
        while len(made) < count:
            made += await asyncio.gather(*(self.open(path) for _ in range(25)))
        return made

    async def __aenter__(self) -> Streams:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(each.close() for each in self._opened))


def test_it_speaks_at_changes_and_at_each_beat_and_not_for_tables(hall: ClockRoom) -> None:
    async def run() -> None:
        async with Streams(hall.url) as streams:
            phone = await streams.open("pocket/events?lang=de")
            first = await phone.next()
            assert first["told"]["heading"] == "Level 1"
            assert first["told"]["word"] == "Läuft"
            hall.call(hall.room._changes.now)  # something of the tables', which no phone shows
            beat = await phone.next()
            assert beat["told"] is None
            assert beat["now_ms"] - first["now_ms"] > 1_500
            hall.act("pause")
            assert (await phone.next())["told"]["state"] == "paused"

    asyncio.run(run())


def test_three_hundred_phones_do_not_disturb_the_wall(
    hall: ClockRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[PocketView | None] = []
    event = phones._event

    def counted(message: Pocket) -> bytes:
        if message.told is not None:
            made.append(message.told)
        return event(message)

    monkeypatch.setattr(phones, "_event", counted)

    async def run() -> None:
        async with Streams(hall.url, f"{COOKIE}={hall.cookie('viewer')}") as streams:
            wall = await streams.open("clock/events")
            said = [await wall.next()]

            async def watch() -> None:
                while said[-1]["state"] != "paused":
                    said.append(await wall.next())

            watching = asyncio.create_task(watch())
            many = await streams.open_many("pocket/events", 300)
            assert {each.status for each in many} == {200}
            firsts = await asyncio.gather(*(each.whole() for each in many))
            assert {each["told"]["state"] for each in firsts} == {"running"}
            beats = await asyncio.gather(*(each.next() for each in many))
            assert {each["told"] for each in beats} == {None}
            made.clear()
            hall.act("pause")
            told = await asyncio.gather(*(each.whole() for each in many))
            assert {each["told"]["state"] for each in told} == {"paused"}
            assert {each["now_ms"] for each in told} == {told[0]["now_ms"]}
            assert len(made) == 1  # put together and encoded once for all of them
            await watching
            assert len(said) > 2  # the wall was told all the while

    asyncio.run(run())


def test_phones_take_no_other_pages_place(hall: ClockRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "MAX_PHONES", 3)
    monkeypatch.setattr("display.web.serving.streams.MAX_STREAMS", 2)

    async def run() -> None:
        async with Streams(hall.url, f"{COOKIE}={hall.cookie('viewer')}") as streams:
            pockets = [await streams.open("pocket/events") for _ in range(3)]
            for each in pockets:
                await each.next()
            refused = await streams.open("pocket/events")
            assert refused.status == 503
            walls = [await streams.open(f"{name}/events") for name in ("clock", "floor")]
            for each in walls:
                assert each.status == 200
                await each.next()
            assert (await streams.open("clock/events")).status == 503
            await pockets.pop().close()
            for _ in range(300):
                again = await streams.open("pocket/events")
                if again.status == 200:
                    break
                await again.close()
                await asyncio.sleep(0.1)
            assert again.status == 200

    asyncio.run(run())


def test_there_are_connections_for_all_of_them() -> None:
    assert MOST_CONNECTIONS > MAX_STREAMS + phones.MAX_PHONES
    assert MOST_OF_ADDRESS > phones.MAX_PHONES


class Changing:
    """A room whose tournament has another name with every change."""

    def __init__(self) -> None:
        self.closed = False
        self.number = 0
        self._moved = asyncio.Event()

    def view(self) -> RoomView:
        about = RoomTournament(name=str(self.number))
        return replace(ROOM, now_ms=1_000 * self.number, tournament=about)

    async def changed(self) -> None:
        await self._moved.wait()

    def change(self, *, closed: bool = False) -> None:
        self.number, self.closed = self.number + 1, closed
        self._moved.set()
        self._moved = asyncio.Event()


def test_a_phone_that_reads_late_is_told_what_is_true_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "LEAST_S", 0)

    async def run() -> None:
        room = Changing()
        both = phones.Phones(
            room, lambda view, language: pocket(view, words_of(language)), Followers()
        )
        late, quick = both.stream("en"), both.stream("en")
        for each in (late, quick):
            assert (await anext(each)).startswith(b"retry")
            assert b'"name":"0"' in await anext(each)
        for number in range(1, 6):
            following = asyncio.ensure_future(anext(quick))
            await asyncio.sleep(0.01)
            room.change()
            assert b'"name":"%d"' % number in await following
        assert b'"name":"5"' in await anext(late)
        room.change(closed=True)
        assert [each async for each in late] == []
        assert both.count == 1
        await quick.aclose()
        assert both.count == 0

    asyncio.run(run())


def test_all_events_share_the_places(hall: ClockRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "MAX_PHONES", 1)
    monkeypatch.setattr("display.web.serving.streams.MAX_STREAMS", 1)
    with hall.client("director") as director:
        assert director.post("/events", json={"id": "turbo", "name": "Turbo"}).status_code == 200

    async def run() -> None:
        async with Streams(hall.url, f"{COOKIE}={hall.cookie('viewer')}") as streams:
            for path in ("clock/events", "pocket/events"):
                taken = await streams.open(f"event/turbo/{path}")
                assert taken.status == 200
                await taken.next()
                for each in (path, f"event/turbo/{path}"):
                    assert (await streams.open(each)).status == 503

    asyncio.run(run())


def test_more_phones_than_files_that_are_usual(tmp_path: Path) -> None:
    words = f"{sys.executable} -m display.web.command --json --web-port 0 --broker 127.0.0.1:1"
    with subprocess.Popen(
        ["/bin/sh", "-c", f"ulimit -Sn 100; exec {words}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | JOIN | {"XDG_STATE_HOME": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]

        async def run() -> None:
            async with Streams(url, joined(url)["Cookie"]) as streams:
                many = await streams.open_many("pocket/events", 150)
                await asyncio.gather(*(each.next() for each in many))
                wall = await streams.open("clock/events")
                await wall.raw()

        try:
            asyncio.run(run())
        finally:
            process.kill()


def test_the_place_of_a_phone_that_vanishes_is_free_after_a_while() -> None:
    async def accepted_ms() -> int:
        with Listener("127.0.0.1", 0) as own, socket.create_connection(own.getsockname()):
            taken, _ = own.accept()
            with taken:
                return taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    assert asyncio.run(accepted_ms()) == VANISHED_MS


def test_streams_end_with_the_room(hall: ClockRoom) -> None:
    async def run() -> None:
        async with Streams(hall.url) as streams:
            phone = await streams.open("pocket/events")
            await phone.next()
            hall.call(hall.room.close)
            await phone.ended()

    asyncio.run(run())
