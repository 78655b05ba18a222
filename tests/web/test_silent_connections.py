"""Who connects and says nothing takes nobody's place: real sockets at the room's own process."""

from __future__ import annotations

import asyncio
import selectors
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from controller.people.nets import net_of
from controller.process.child import allow_files
from display.web.serving import listener
from tests.waiting import PATIENCE_S, wait_until
from tests.web.hall import Hall
from tests.web.https_room import a_safe_room, certify

MANY = 1_300
FROM = [f"127.0.0.{number}" for number in range(2, 6)]
FIRST_BYTE_S = 3.0
UNLIMITED_S = 10.0
"""What they would stay for without the limit, at least; a machine with other work ends some late,
but not most of them."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, Any], Path]]:
    """What the process has said, and the folder with its authority."""
    folder = tmp_path_factory.mktemp("silent")
    certify(folder)
    with a_safe_room(folder) as said:
        yield said, folder


class Silent:
    """Connections on which nothing more is said once they are open."""

    def __init__(self) -> None:
        self._ends = selectors.DefaultSelector()
        self.lasted: list[float] = []
        """For how many seconds each was there that the room has ended."""

    def open(self, url: str, count: int, *sources: str, say: bytes = b"") -> None:
        at = urlsplit(url)
        for number in range(count):
            each = socket.socket()
            each.bind((sources[number % len(sources)], 0))
            each.connect((at.hostname, at.port))
            each.sendall(say)
            each.setblocking(False)
            self._ends.register(each, selectors.EVENT_READ, time.monotonic())

    @property
    def count(self) -> int:
        """How many are there still."""
        for key, _ in self._ends.select(0.05):
            end = key.fileobj
            assert isinstance(end, socket.socket)
            self._ends.unregister(end)
            self.lasted.append(time.monotonic() - key.data)
            end.close()
        return len(self._ends.get_map())

    def close(self) -> None:
        for key in list(self._ends.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._ends.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    silent = Silent()
    yield silent
    silent.close()


def test_pages_load_beside_1300_silent_connections_which_end_after_three_seconds(
    room: tuple[dict[str, Any], Path], silent: Silent
) -> None:
    said, folder = room
    allow_files(4 * MANY)
    trusted = ssl.create_default_context(cafile=str(folder / "ca.crt"))
    for url, path in ((said["url"], "screen"), (said["safe_url"], "login")):
        silent.lasted.clear()
        silent.open(url, MANY, *FROM)
        for _ in range(3):
            page = httpx.get(f"{url}{path}", verify=trusted, timeout=PATIENCE_S)
            assert page.status_code == 200
        wait_until(lambda: not silent.count)
        assert len(silent.lasted) == MANY
        assert max(silent.lasted) > FIRST_BYTE_S - 0.1
        assert median(silent.lasted) < UNLIMITED_S


@pytest.fixture
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six places, three of them for one address, and time to take them."""
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 6)
    monkeypatch.setattr(listener, "MOST_OF_ADDRESS", 3)
    monkeypatch.setattr(listener, "FIRST_BYTE_S", PATIENCE_S)


def from_address(hall: Hall, source: str) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=source)
    return httpx.Client(base_url=hall.url, transport=transport, timeout=PATIENCE_S)


def gets_in(hall: Hall, source: str) -> bool:
    with from_address(hall, source) as client:
        try:
            return client.get("screen").status_code == 200
        except (httpx.RemoteProtocolError, httpx.ReadError):  # hung up
            return False


def stream(stack: ExitStack, hall: Hall, source: str) -> httpx.Response:
    client = stack.enter_context(from_address(hall, source))
    found = stack.enter_context(client.stream("GET", "screen/events"))
    assert found.status_code == 200
    return found


@pytest.mark.usefixtures("few_places")
def test_one_address_has_so_many_and_gets_them_back(fresh_hall: Hall) -> None:
    with ExitStack() as stack:
        for _ in range(3):
            stream(stack, fresh_hall, FROM[0])
        assert not gets_in(fresh_hall, FROM[0])
        assert gets_in(fresh_hall, FROM[1])
    fresh_hall.until(lambda: gets_in(fresh_hall, FROM[0]))


@pytest.mark.usefixtures("few_places")
def test_all_together_have_so_many(fresh_hall: Hall) -> None:
    with ExitStack() as stack:
        for source in (FROM[0], FROM[1]):
            for _ in range(3):
                stream(stack, fresh_hall, source)
        assert not gets_in(fresh_hall, FROM[2])
    fresh_hall.until(lambda: gets_in(fresh_hall, FROM[2]))


@pytest.mark.usefixtures("few_places")
@pytest.mark.parametrize(
    ("sent", "source"), [(b"", FROM[0]), (b"GET /blinds HTTP/1.1\r\nHost: local", FROM[2])]
)
def test_who_asks_for_nothing_makes_room_and_who_follows_the_room_stays(
    fresh_hall: Hall, silent: Silent, sent: bytes, source: str
) -> None:
    with ExitStack() as stack:
        followed = [stream(stack, fresh_hall, each) for each in FROM[:2]]
        silent.open(fresh_hall.url, 4, *FROM[:2], say=sent)
        assert gets_in(fresh_hall, source)
        fresh_hall.until(lambda: silent.count == 3)
        for each in followed:
            told = (line for line in each.iter_lines() if line.startswith("data:"))
            assert [next(told) for _ in range(2)]


@pytest.mark.usefixtures("few_places")
def test_who_has_asked_before_makes_room_as_well(fresh_hall: Hall, silent: Silent) -> None:
    with from_address(fresh_hall, FROM[0]) as client:
        assert client.get("screen").status_code == 200
        silent.open(fresh_hall.url, 2, FROM[0])
        assert gets_in(fresh_hall, FROM[0])
        assert silent.count == 2  # they came later
        assert client.get("screen").status_code == 200  # on a new connection


def test_of_ipv6_a_64_is_one_address() -> None:
    assert net_of("2001:db8::1") == net_of("2001:db8::2:3") != net_of("2001:db8:0:1::1")
    assert net_of("fe80::1%eth0") == net_of("fe80::2")
    assert net_of("::ffff:10.0.0.9") == net_of("10.0.0.9") != net_of("10.0.0.8")


def test_what_is_not_read_yet_was_said_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "FIRST_BYTE_S", 0.05)

    async def late() -> None:
        with (
            listener.Listener("127.0.0.1", 0) as listening,
            socket.create_connection(listening.getsockname()) as client,
        ):
            client.sendall(b"G")
            taken, _ = listening.accept()
            await asyncio.sleep(0.3)  # the room is busy with others
            client.setblocking(False)
            with pytest.raises(BlockingIOError):
                client.recv(1)
            assert taken.recv(1) == b"G"
            await asyncio.sleep(0.3)
            assert client.recv(1) == b""
            taken.close()

    asyncio.run(late())
