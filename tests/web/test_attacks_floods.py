"""Too much, too often, too slow."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import httpx
import pytest

from display.web.serving.access.rates import STREAMS_OF_ONE
from display.web.serving.body import MAX_ACT, MAX_BODY
from display.web.serving.listener import FIRST_BYTE_S
from tests.waiting import PATIENCE_S
from tests.web.hall import Hall


@contextmanager
def connected(hall: Hall) -> Iterator[socket.socket]:
    at = urlsplit(hall.url)
    with closing(
        socket.create_connection((at.hostname, at.port), timeout=PATIENCE_S)
    ) as connection:
        yield connection


def head(hall: Hall, path: str, length: int, cookie: str = "") -> bytes:
    lines = [
        f"POST /{path} HTTP/1.1",
        f"Host: {urlsplit(hall.url).netloc}",
        f"Origin: {hall.url.rstrip('/')}",
        "X-Requested-With: cutcard",
        f"Content-Length: {length}",
        f"Cookie: cutcard={cookie}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def rest(connection: socket.socket) -> bytes:
    said = b""
    while part := connection.recv(4096):
        said += part
    return said


@pytest.mark.parametrize(
    ("path", "most"),
    [("login", MAX_BODY), ("join", MAX_BODY), ("people/add", MAX_BODY), ("clock/pause", MAX_ACT)],
)
def test_a_body_that_is_too_long_is_not_read(one_hall: Hall, path: str, most: int) -> None:
    with one_hall.client("admin", "Ada") as client:
        assert client.post(path, content=b" " * (most + 1)).status_code == 413
    with connected(one_hall) as connection:
        connection.sendall(head(one_hall, path, 10**12, one_hall.cookie("admin", "Ada")))
        with pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):
            pour(connection)


def pour(connection: socket.socket) -> None:
    for _ in range(10_000):
        connection.sendall(b" " * 65_536)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 4_000, b'{"name":1,"pin":2}', b'{"name":"A"}',
     b'{"name":"A","pin":"1","role":"admin"}'],
)  # fmt: skip
def test_what_is_no_such_body_is_refused(one_hall: Hall, body: bytes) -> None:
    with one_hall.client("admin", "Ada") as client:
        assert client.post("login", content=body).status_code == 400


def test_a_body_that_trickles_is_waited_for_only_so_long(
    fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("display.web.serving.access.bodies.BODY_S", 0.5)
    began = time.monotonic()
    with connected(fresh_hall) as connection:
        connection.sendall(head(fresh_hall, "login", 100) + b"{")
        said = rest(connection)
    assert said.startswith(b"HTTP/1.1 408")
    assert time.monotonic() - began > 0.4


@pytest.mark.parametrize(
    ("sent", "limit"),
    [(b"", "listener.FIRST_BYTE_S"), (b"GET /blinds HTTP/1.1\r\nHost: local", "server.HEAD_S")],
)
def test_half_a_request_is_waited_for_only_so_long(
    fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch, sent: bytes, limit: str
) -> None:
    monkeypatch.setattr(f"display.web.serving.{limit}", 0.5)
    began = time.monotonic()
    with connected(fresh_hall) as connection:
        connection.sendall(sent)
        assert rest(connection) == b""
    assert 0.4 < time.monotonic() - began < FIRST_BYTE_S


def test_who_has_asked_once_may_be_silent_for_longer(
    fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("display.web.serving.listener.FIRST_BYTE_S", 2.0)
    with closing(HTTPConnection(urlsplit(fresh_hall.url).netloc, timeout=PATIENCE_S)) as client:
        client.connect()
        client.auto_open = 0
        client.request("GET", "/screen")
        assert client.getresponse().read()
        time.sleep(2.5)
        client.request("GET", "/screen")
        assert client.getresponse().read()


def test_a_stream_is_no_half_request(fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("display.web.serving.server.HEAD_S", 0.5)
    with fresh_hall.client() as client, client.stream("GET", "screen/events") as stream:
        began, lines = time.monotonic(), stream.iter_lines()
        while time.monotonic() - began < 2:
            next(lines)


def opens(client: httpx.Client) -> bool:
    with client.stream("GET", "floor/events") as stream:
        return stream.status_code == 200


def test_one_person_has_so_many_streams_and_gets_them_back(one_hall: Hall) -> None:
    with one_hall.client("viewer", "Vic") as client:
        with ExitStack() as stack:
            for _ in range(STREAMS_OF_ONE):
                stream = stack.enter_context(client.stream("GET", "floor/events"))
                assert stream.status_code == 200
            assert client.get("floor/events").status_code == 429
            with one_hall.client("viewer", "Viv") as other:
                assert opens(other)
        one_hall.until(lambda: opens(client))


def test_one_address_of_strangers_has_so_many(
    fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("display.web.serving.access.rates.STREAMS_OF_ADDRESS", 3)
    with fresh_hall.client() as client, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(client.stream("GET", "screen/events"))
        assert client.get("screen/events").status_code == 429
        with fresh_hall.client("viewer", "Vic") as staff:
            assert opens(staff)


def test_who_asks_too_often_is_asked_to_wait(
    fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh_hall.door, "ticks", lambda: 1_000.0)  # all at once
    with fresh_hall.client("director", "Dora") as client:
        answers = [client.post("clock/nonsense", json={}).status_code for _ in range(45)]
    assert answers == [409] * 40 + [429] * 5
    with fresh_hall.client("director", "Dan") as other:
        assert other.post("clock/nonsense", json={}).status_code == 409


def test_strangers_that_ask_too_often_are_asked_to_wait(fresh_hall: Hall) -> None:
    with fresh_hall.client() as client:
        answers: list[int] = []
        while len(answers) < 400 and 429 not in answers:
            answers.append(client.post("join", content=b"").status_code)
    assert answers[:15] == [400] * 15
    assert answers[-1] == 429


def test_two_lengths_or_a_length_and_chunks_are_no_request(one_hall: Hall) -> None:
    for more in (b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"):
        with connected(one_hall) as connection:
            sent = head(one_hall, "login", 3).replace(b"Content-Length", more + b"Content-Length")
            connection.sendall(sent + b"0\r\n\r\nGET /people.json HTTP/1.1\r\n\r\n")
            said = connection.recv(4096)
        assert said.startswith((b"HTTP/1.1 400", b"HTTP/1.1 411")), said
        assert b" 200 " not in said


def test_after_all_that_the_room_still_answers(one_hall: Hall) -> None:
    assert httpx.get(f"{one_hall.url}screen", timeout=PATIENCE_S).status_code == 200
