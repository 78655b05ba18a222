"""Rooms on a network: one who answers as avahi does, at an address of this machine."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from controller.broker.ports import LOOPBACK, free_port
from controller.install.pair.finding import rooms
from controller.pairing.mdns import Found
from tests.pairing.test_mdns import answer


@contextmanager
def answering(say: Callable[[int], list[bytes]]) -> Iterator[int]:
    """At this port somebody says that to the question of this number."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        ours.bind((LOOPBACK, 0))

        def run() -> None:
            with suppress(OSError):
                while True:
                    asked, whom = ours.recvfrom(9_000)
                    if not asked:
                        return
                    for each in say(struct.unpack_from("!H", asked)[0]):
                        ours.sendto(each, whom)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield ours.getsockname()[1]
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", ours.getsockname())
            thread.join()


def test_all_rooms_that_answer_are_found_each_once() -> None:
    def say(number: int) -> list[bytes]:
        both = [answer(number, "room.local"), answer(number, "other.local", 9_000)]
        return [b"", b"noise", answer(number ^ 1, "liar.local"), *both, *both]

    with answering(say) as port:
        found = rooms(1.5, group=LOOPBACK, port=port)
    assert set(found) == {
        Found("room.local", 8884, "10.0.0.9"),
        Found("other.local", 9_000, "10.0.0.9"),
    }
    assert len(found) == 2


def test_a_question_that_was_lost_is_asked_again() -> None:
    asked: list[int] = []

    def say(number: int) -> list[bytes]:
        asked.append(number)
        return [answer(number)] if len(asked) == 2 else []

    with answering(say) as port:
        assert len(rooms(2.5, group=LOOPBACK, port=port)) == 1


def test_without_an_answer_there_is_no_room() -> None:
    assert rooms(0.1, group=LOOPBACK, port=free_port()) == ()
