"""The socket to the table: views come in, what the dealer entered goes out.

Newline-delimited JSON over a Unix socket. The table sends `{"kind":"view","t":…,"view":…}` on
every change and again at least every two seconds, `t` being its time in seconds, which runs
`rate` times as fast as ours; silence for longer than `DEADLINE` makes what is shown stale. A table
that can't begin says `{"kind":"refused","why":…}` as often. A line that can't be read is counted
and survived.
"""

from __future__ import annotations

import select
import socket
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from controller.contract.cards import is_card
from controller.contract.view import TableView
from display.dealer.connection import Connection
from display.dealer.looking import Line

RETRY = 0.5  # seconds between attempts to connect
DEADLINE = 5.0  # seconds of silence after which a view is stale
LONGEST_LINE = 256 * 1024  # bytes; a view of ten seats and ten findings has 8 KiB
MOST_UNSENT = 64 * 1024
MOST_SEATS = 10
MOST_PLACES = 8

_CHUNK = 64 * 1024
_CHUNKS_A_POLL = 64


class _ViewLine(Struct, frozen=True, tag_field="kind", tag="view"):
    view: msgspec.Raw
    t: float = 0.0
    rate: float = 1.0


class _Refused(Struct, frozen=True, tag_field="kind", tag="refused"):
    why: Literal["newer", "foreign"]


_decode = msgspec.json.Decoder(_ViewLine).decode
_decode_any = msgspec.json.Decoder(_ViewLine | _Refused).decode
_decode_view = msgspec.json.Decoder(TableView).decode


class UnreadableError(Exception):
    """A line of the table is not a view that can be shown."""


def read_line(line: bytes) -> TableView:
    """Return the view of one line. Raises UnreadableError."""
    try:
        return _read_view(_decode(line).view)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableError(str(error)) from error


def _read_view(raw: msgspec.Raw) -> TableView:
    try:
        view = _decode_view(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableError(str(error)) from error
    check(view)
    return view


def check(view: TableView) -> None:
    """Raise UnreadableError if there are seats, places or cards that no table has."""
    seats = [view.button, *(seat.seat for seat in view.seats)]
    if not all(0 <= seat <= MOST_SEATS for seat in seats):
        raise UnreadableError(f"a seat is not within 1 to {MOST_SEATS}")
    lying = [card for card in view.on_board or () if card]
    if max(len(view.board), len(view.on_board or ())) > MOST_PLACES:
        raise UnreadableError(f"more than {MOST_PLACES} cards on the board")
    cards = [*view.board, *lying, *(card for seat in view.seats for card in seat.tabled)]
    cards += [card for finding in view.findings for card in finding.cards]
    if not all(map(is_card, cards)):
        raise UnreadableError("a card that is none")
    if not all(finding.ruling.steps for finding in view.findings):
        raise UnreadableError("a finding without a step")


class Link:
    """A client that connects again by itself, every half second. Never blocks but in `wait`.

    `now` is monotonic seconds, given with every call.
    """

    def __init__(self, path: Path, now: float) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._cause = "absent"
        self._heard = now
        self._heard_here = False
        self._retry_at = now
        self._incoming = bytearray()
        self._unsent = bytearray()
        self._last_view = b""
        self._refused = ""
        self._time = (0.0, now, 1.0)
        self._bad = 0

    def connection(self, now: float) -> Connection:
        """Return the state of the link."""
        cause = self._cause
        late = now - self._heard > DEADLINE
        if self._socket is not None:
            cause = "silent" if late or not self._heard_here else self._refused
        silence = max(0.0, now - self._heard) if cause else 0.0
        return Connection(cause=cause, silence=silence, bad=self._bad)

    def poll(self, now: float) -> TableView | None:
        """Connect if it is time to, write what waits, and return the newest view, if any."""
        if self._socket is None:
            if now < self._retry_at:
                return None
            self._connect(now)
        self._write(now)
        return self._read(now)

    def send(self, line: Line, now: float) -> bool:
        """Send one line; False if there is no connection that takes it."""
        if self._socket is None or len(self._unsent) > MOST_UNSENT:
            return False
        self._unsent += msgspec.json.encode(line) + b"\n"
        self._write(now)
        return self._socket is not None

    def retry(self, now: float) -> None:
        """Connect again at once; a connection on which nothing is heard is given up."""
        if self.connection(now).cause:
            self._lose(self._cause, now)
            self._retry_at = now

    def wait(self, timeout: float) -> None:
        """Block until the table says something, or for `timeout` seconds."""
        readers = [self._socket] if self._socket is not None else []
        writers = readers if self._unsent else []
        select.select(readers, writers, [], timeout)

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connect(self, now: float) -> None:
        self._retry_at = now + RETRY
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.setblocking(False)
        try:
            client.connect(str(self._path))
        except FileNotFoundError:
            self._cause = "absent"
        except ConnectionRefusedError:
            self._cause = "refused"
        except OSError:
            self._cause = "other"
        else:
            self._socket, self._heard_here = client, False
            self._last_view = b""
            return
        client.close()

    def _lose(self, cause: str, now: float) -> None:
        """Drop the connection, with what was not sent: a late tap is worse than none."""
        self.close()
        self._cause = cause
        self._retry_at = now + RETRY
        self._incoming.clear()
        self._unsent.clear()

    def _write(self, now: float) -> None:
        if self._socket is None or not self._unsent:
            return
        try:
            del self._unsent[: self._socket.send(self._unsent)]
        except BlockingIOError:
            return
        except (BrokenPipeError, ConnectionResetError):
            self._lose("closed", now)

    def _read(self, now: float) -> TableView | None:
        newest = None
        for _ in range(_CHUNKS_A_POLL):
            if self._socket is None:
                break
            try:
                chunk = self._socket.recv(_CHUNK)
            except BlockingIOError:
                break
            except ConnectionResetError:
                chunk = b""
            if not chunk:
                self._lose("closed", now)
                break
            *lines, rest = (bytes(self._incoming) + chunk).split(b"\n")
            self._incoming = bytearray(rest)
            for line in lines:
                newest = self._take(line, now) or newest
            if len(rest) > LONGEST_LINE:
                self._lose("flood", now)
        return newest

    def _take(self, line: bytes, now: float) -> TableView | None:
        """Return the view of a line; None if it says nothing new or can't be read."""
        try:
            told = _decode_any(line)
            if isinstance(told, _Refused):
                self._refused, self._heard, self._heard_here = told.why, now, True
                return None
            self._refused = ""
            same = told.view == self._last_view
            view = None if same else _read_view(told.view)
        except (msgspec.DecodeError, UnicodeDecodeError, UnreadableError):
            self._bad += 1
            return None
        self._last_view = bytes(told.view)
        self._time = (told.t, now, told.rate)
        self._heard, self._heard_here = now, True
        return view

    def table_time(self, now: float) -> float:
        """Return the table's time in seconds, as it runs on since it was last heard of."""
        t, heard, rate = self._time
        return t + (now - heard) * rate
