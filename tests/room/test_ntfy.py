"""Messages to telephones, taken by a small server that is real."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from email.header import decode_header
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from controller.room import ntfy as subject
from controller.room.ntfy import MAX_WAITING, Ntfy, Push
from tests import waiting


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        self.taken: list[tuple[str, dict[str, str], str]] = []
        self.answer = 200
        self.hold = threading.Event()
        self.hold.set()
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/floor"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.server.taken.append((self.path, dict(self.headers), body))
        self.server.hold.wait(waiting.PATIENCE_S)
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.hold.set()
    server.shutdown()
    thread.join()
    server.server_close()


async def until(ntfy: Ntfy, sent: int = 0, failed: int = 0) -> None:
    await waiting.until(lambda: (ntfy.pushes.sent, ntfy.pushes.failed) == (sent, failed))


def test_it_says_title_and_table_and_how_urgent(server: Server) -> None:
    async def act() -> None:
        ntfy = Ntfy(server.url, "secret")
        running = asyncio.create_task(ntfy.run())
        ntfy.push(Push("Table T1: Four-card flop", "Table T1: Four-card flop", 1))
        ntfy.push(Push("Tisch Süd: Falsche Karte", "Tisch Süd", 2))
        await until(ntfy, sent=2)
        running.cancel()

    asyncio.run(act())
    (path, first, body), (_, second, _) = server.taken
    assert (path, body) == ("/floor", "Table T1: Four-card flop")
    assert first["Title"] == "Table T1: Four-card flop"
    assert (first["Priority"], second["Priority"]) == ("urgent", "high")
    assert first["Authorization"] == "Bearer secret"
    ((raw, charset),) = decode_header(second["Title"])
    assert isinstance(raw, bytes)
    assert raw.decode(charset or "ascii") == "Tisch Süd: Falsche Karte"


def test_what_is_not_taken_is_counted_with_the_reason(server: Server) -> None:
    server.answer = 403
    told = 0

    def changed() -> None:
        nonlocal told
        told += 1

    async def act() -> None:
        ntfy = Ntfy(server.url, changed=changed)
        running = asyncio.create_task(ntfy.run())
        ntfy.push(Push("a", "a", 1))
        await until(ntfy, failed=1)
        assert ntfy.pushes.fault == "127.0.0.1 answers 403"
        server.answer = 200
        ntfy.push(Push("a", "a", 1))
        await until(ntfy, sent=1, failed=1)
        assert ntfy.pushes.fault == ""
        running.cancel()

    asyncio.run(act())
    assert told == 2


def test_a_server_that_is_not_there_holds_nobody_up(unused_port: int) -> None:
    async def act() -> None:
        ntfy = Ntfy(f"http://127.0.0.1:{unused_port}/floor")
        running = asyncio.create_task(ntfy.run())
        ntfy.push(Push("a", "a", 1))
        await until(ntfy, failed=1)
        assert ntfy.pushes.fault.startswith("127.0.0.1: ")
        assert "secret" not in ntfy.pushes.fault
        running.cancel()

    asyncio.run(act())


def test_a_server_that_hangs_holds_nobody_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "TIMEOUT_S", 0.2)
    server.hold.clear()

    async def act() -> None:
        ntfy = Ntfy(server.url)
        running = asyncio.create_task(ntfy.run())
        for _ in range(MAX_WAITING + 10):
            ntfy.push(Push("a", "a", 1))
        assert ntfy.pushes.dropped == 10
        await asyncio.sleep(0)
        await until(ntfy, failed=1)
        running.cancel()

    asyncio.run(act())
