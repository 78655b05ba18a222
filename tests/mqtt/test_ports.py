"""A free port is one that nobody is given by chance before somebody listens at it."""

from __future__ import annotations

import socket

from controller.broker import ports


def test_whoever_connects_is_given_another_one() -> None:
    first, last = map(int, ports._GIVEN_AWAY.read_text().split())
    found = {ports.free_port() for _ in range(50)}
    assert len(found) > 40
    assert not found & set(range(first, last + 1))
    with socket.create_server((ports.LOOPBACK, found.pop())) as server:
        assert server.fileno() > 0
