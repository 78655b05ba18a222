"""A listening socket that lets in only so many at once, and nobody who says nothing.

It counts where connections are accepted, so that those whose TLS has not begun count as well.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections import Counter
from contextlib import suppress
from typing import Any

from controller.people.nets import net_of

FIRST_BYTE_S = 3.0
"""The first byte of the first request is here by then; with TLS the handshake counts."""
UNREAD_S = 0.1
MOST_CONNECTIONS = 1_200
"""More than all streams of pages and of phones together."""
MOST_OF_ADDRESS = 600
"""All phones of a room behind one access point, one proxy or in one /64, and what they load
meanwhile; nobody can have the other half as well."""
VANISHED_MS = 20_000
"""A screen that has acknowledged nothing for so long has left the network: its place is free."""

Peer = Any
"""The address at the other end, as `socket.accept` gives it."""


def has_address(host: str) -> bool:
    """Whether this machine has the address, or one of that name, by now."""
    try:
        Listener(host, 0).close()
    except socket.gaierror:
        return False
    except OSError as error:
        return error.errno != errno.EADDRNOTAVAIL
    return True


class Listener(socket.socket):
    """Where no place is left, the connection goes that has waited longest without a request;
    where none waits, nobody comes in. It accepts while a loop runs."""

    def __init__(self, host: str, port: int) -> None:
        """Listens. Raises OSError."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # By its protocol asyncio knows it for TCP, and sends what is small at once.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._in: dict[Peer, _Connection] = {}
        self._waiting: dict[_Connection, None] = {}
        self._of_net: Counter[str] = Counter()
        try:
            self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED_MS)  # for each
            self.bind((host, port))
            self.listen(128)
        except OSError:
            self.close()
            raise
        self.setblocking(False)

    def accept(self) -> tuple[socket.socket, Peer]:
        """The next connection for which there is a place."""
        while True:
            taken, peer = super().accept()
            net = net_of(peer[0])
            if self._make_place(net):
                connection = _Connection(self, taken, peer, net)
                self._in[peer] = connection
                self._waiting[connection] = None
                self._of_net[net] += 1
                return connection, peer
            taken.close()

    def spoke(self, peer: Peer) -> None:
        """The first byte is here."""
        if (connection := self._in.get(peer)) is not None:
            connection.silent.cancel()

    def asked(self, peer: Peer) -> None:
        """A request is under way: its connection keeps its place."""
        if (connection := self._in.get(peer)) is not None:
            self._waiting.pop(connection, None)

    def answered(self, peer: Peer) -> None:
        """Its connection waits for the next one."""
        if (connection := self._in.get(peer)) is not None:
            self._waiting[connection] = None

    def left(self, connection: _Connection) -> None:
        """The place of a connection is free; it may have been before."""
        if self._in.get(connection.peer) is connection:
            del self._in[connection.peer]
            self._waiting.pop(connection, None)
            self._of_net[connection.net] -= 1
            if not self._of_net[connection.net]:
                del self._of_net[connection.net]

    def _make_place(self, net: str) -> bool:
        if self._of_net[net] >= MOST_OF_ADDRESS:
            goes = next((each for each in self._waiting if each.net == net), None)
        elif len(self._in) >= MOST_CONNECTIONS:
            goes = next(iter(self._waiting), None)
        else:
            return True
        if goes is not None:
            goes.hang_up()
        return goes is not None


class _Connection(socket.socket):
    def __init__(self, listener: Listener, taken: socket.socket, peer: Peer, net: str) -> None:
        super().__init__(taken.family, taken.type, taken.proto, fileno=taken.detach())
        self.peer, self.net = peer, net
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self.silent = self._loop.call_later(FIRST_BYTE_S, self._end_if_silent)

    def _end_if_silent(self) -> None:
        """What is there and has not been read yet was said in time: then we are late."""
        try:
            is_unread = bool(self.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:
            is_unread = False
        if is_unread:
            self.silent = self._loop.call_later(UNREAD_S, self._end_if_silent)
        else:
            self.hang_up()

    def hang_up(self) -> None:
        """Ends it at once; whoever reads from it then closes it."""
        self._leave()
        with suppress(OSError):  # the other end was quicker
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._leave()
        super().close()

    def _leave(self) -> None:
        self.silent.cancel()
        self._listener.left(self)
