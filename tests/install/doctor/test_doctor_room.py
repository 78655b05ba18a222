"""The doctor and the room's pages: real sockets that answer, refuse or keep silent."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from controller.broker.ports import LOOPBACK, free_port
from controller.install.doctor import network, pages
from controller.install.doctor.check import Check
from controller.install.doctor.system import System
from tests.install.doctor.at_the_table import checks, doctor, of

WIFI = {
    "proc/net/route": "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
    "wlan0\t0000007F\t00000000\t0001\t0\t0\t600\t000000FF\n",
    "sys/class/net/wlan0/wireless/status": "0\n",
}
ARP = "IP address HW type Flags HW address Mask Device\n127.0.0.1 0x1 0x2 b8:27 * wlan0\n"


class NoPing(System):
    """A machine whose files were made up, and which has no ping."""

    def output(self, *_command: str) -> str | None:
        return None


def on_wifi(folder: Path, arp: str = "") -> System:
    for name, text in {**WIFI, "proc/net/arp": arp}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return NoPing(folder)


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A port that drops what comes: its queue is full, and nobody takes anything out of it. Nobody
    waits long for it."""
    monkeypatch.setattr(network, "CONNECT_S", 0.3)
    monkeypatch.setattr(pages, "ANSWER_S", 0.3)
    with socket.socket() as deaf:
        deaf.bind((LOOPBACK, 0))
        deaf.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(deaf.getsockname())
        yield deaf.getsockname()[1]
        for each in waiting:
            each.close()


@contextmanager
def serving(answers: Mapping[str, tuple[int, object]]) -> Iterator[str]:
    """Pages that answer with these; their address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, value = answers.get(self.path, (404, {"error": "nothing"}))
            body = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with HTTPServer((LOOPBACK, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def looked(system: System, address: str) -> list[Check]:
    return pages.judge(address, pages.look(system, address))


def test_nobody_listens(tmp_path: Path) -> None:
    port = free_port()
    assert network.reach(on_wifi(tmp_path), LOOPBACK, port).trouble == "refused"
    (check,) = looked(on_wifi(tmp_path), f"http://{LOOPBACK}:{port}/")
    assert check.status == "warn"
    assert "nothing is listening there" in check.found


def test_what_is_sent_is_dropped(tmp_path: Path, silent: int) -> None:
    seen = network.reach(on_wifi(tmp_path), LOOPBACK, silent)
    assert (seen.trouble, seen.wireless, seen.is_near, seen.answers) == (
        "no answer", "wlan0", True, "",
    )  # fmt: skip
    (check,) = looked(on_wifi(tmp_path), f"http://{LOOPBACK}:{silent}/")
    assert check.status == "warn"
    assert "this machine's own network" in check.found
    assert "turn off “client isolation”" in check.todo


def test_it_is_there_and_what_is_sent_is_dropped(tmp_path: Path, silent: int) -> None:
    seen = network.reach(on_wifi(tmp_path, ARP), LOOPBACK, silent)
    assert seen.answers == "ARP"
    (check,) = looked(on_wifi(tmp_path, ARP), f"http://{LOOPBACK}:{silent}/")
    assert "it answers ARP" in check.found
    assert "turn off “client isolation”" in check.todo


def test_a_machine_that_answers_a_ping(tmp_path: Path, silent: int) -> None:
    class Pings(NoPing):
        def output(self, *command: str) -> str | None:
            assert command[0] == "ping"
            return ""

    on_wifi(tmp_path)
    assert network.reach(Pings(tmp_path), LOOPBACK, silent).answers == "ping"


def test_a_room_and_the_phones_of_its_players() -> None:
    answers: dict[str, tuple[int, object]] = {"/healthz": (200, {"ok": True, "clock": "running"})}
    with serving(answers) as address:
        answers["/pocket.json"] = (200, {"address": f"{address}pocket"})
        there, phones = looked(System(), address)
        assert (there.status, phones.status) == ("ok", "skipped")
        assert f"open {address}healthz" in phones.todo
        answers["/pocket.json"] = (200, {"address": f"http://{LOOPBACK}:{free_port()}/pocket"})
        _, phones = looked(System(), address)
        assert (phones.status, "nothing is listening" in phones.found) == ("warn", True)
        answers["/pocket.json"] = (404, {"error": "the pages are for this machine only"})
        answers["/healthz"] = (503, {"ok": False, "clock": "running"})
        there, phones = looked(System(), address)
        assert (there.status, phones.status) == ("warn", "skipped")
        assert phones.found == "the pages are for this machine only"


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b"\xff", b'{"ok": 1}'])
def test_somebody_else_answers_there(answer: bytes) -> None:
    with serving({"/healthz": (200, answer)}) as address:
        (check,) = looked(System(), address)
    assert (check.status, "it is not a room" in check.found) == ("warn", True)


def test_a_room_that_is_not_known_by_that_name_says_so() -> None:
    words = "this room is not known by that name; add it to [web] names"
    with serving({"/healthz": (421, {"error": words})}) as address:
        (check,) = looked(System(), address)
    assert (check.status, words in check.found) == ("warn", True)


def test_the_command_looks_where_it_is_told() -> None:
    answers = {"/healthz": (200, {"ok": True, "clock": "running"})}
    with serving(answers) as address:
        found = asyncio.run(checks("--only", "room", "--room", address))
    assert of(found, "pages")["status"] == "ok"
    assert {each["part"] for each in found} == {"room"}


def test_what_is_no_address_is_told_in_one_line() -> None:
    status, out, err = asyncio.run(doctor("--only", "room", "--room", "clock.lan"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "'clock.lan' is not an address such as http://room:8080/" in err
