"""Whether a room that was started is well, asked of real rooms."""

from __future__ import annotations

import socket
import threading
from itertools import count
from urllib.parse import urlsplit

import pytest

from controller.broker.own import start_broker
from controller.install.setup.health import trouble
from tests.web.test_room_command import room


def place(url: str) -> str:
    return urlsplit(url).netloc


def test_a_room_that_reaches_its_broker_is_well() -> None:
    with start_broker("hall", ["T1"]) as broker, room(endpoint=broker.room) as (url, _):
        assert trouble(place(url)) == ""


def test_one_that_does_not_is_waited_for_and_says_so() -> None:
    waits: list[float] = []
    seconds = count()
    with room() as (url, _):
        said = trouble(
            place(url), patience_s=3.0, clock=lambda: float(next(seconds)), sleep=waits.append
        )
    assert said == "it does not reach its broker"
    assert len(waits) == 2


def test_where_nobody_listens_that_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert trouble(f"127.0.0.1:{port}", patience_s=0.0).startswith("its pages don't answer: ")


@pytest.mark.parametrize("answer", [b"HTTP/1.0 200 OK\r\n\r\nhello", b"SSH-2.0-x\r\n"])
def test_another_program_on_that_port_is_one(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            there, _ = listening.accept()
            with there:
                there.recv(1000)
                there.sendall(answer)

        serving = threading.Thread(target=serve)
        serving.start()
        said = trouble(f"127.0.0.1:{listening.getsockname()[1]}", patience_s=0.0)
        serving.join()
    assert said.startswith("another program answers at 127.0.0.1:")
