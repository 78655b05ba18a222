"""The host's side of the microcontroller link, sans-I/O: frames and time in, values and bytes out.

`receive` takes what arrived (nothing, too: time alone makes links lost and commands
unanswered) and returns what it means; `poll` returns the bytes that are due. Call both
whenever bytes have come and at least every 50 ms. Times are seconds on one monotonic scale.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from math import inf

from firmware_bridge.link import messages
from firmware_bridge.link.clock import Clock
from firmware_bridge.link.frames import VERSION, Frame, encode
from firmware_bridge.link.messages import (
    Ack,
    Button,
    ButtonReceipt,
    Command,
    Heartbeat,
    Hello,
    HelloRequest,
    Nak,
    NakReason,
    Request,
    Time,
    TimeQuery,
    Zone,
    ZoneFlag,
)
from firmware_bridge.link.values import (
    ButtonEdge,
    Done,
    EdgesLost,
    Lost,
    SessionCounters,
    Stranger,
    Up,
    Value,
    VersionMismatch,
    ZoneScan,
)

LOST_AFTER_S = 3.0
HELLO_EVERY_S = 0.5
TIME_EVERY_S = 1.0
ANSWER_WITHIN_S = 0.2
RETRIES = 3
MAX_COMMANDS = 32
MAX_SCAN_AGE_US = 10_000_000
MAX_EDGE_AGE_US = 60_000_000


class State(Enum):
    """Where a link stands."""

    HANDSHAKE = "handshake"
    UP = "up"
    WRONG_VERSION = "wrong version"


class QueueFullError(RuntimeError):
    """Too many commands are waiting for their answers."""


class _Outstanding:
    def __init__(self, command: Command, seq: int) -> None:
        self.command = command
        self.seq = seq
        self.tries = 0
        self.sent = -inf


class _Parts:
    """The parts of one scan that have come so far."""

    def __init__(self, first: Zone) -> None:
        self.ticks = first.scan_ticks
        self.flags = 0
        self.tags: list[tuple[str, ...] | None] = [None] * first.parts

    def add(self, part: Zone) -> bool:
        self.flags |= part.flags
        self.tags[part.part] = part.tags
        return None not in self.tags


class Session:
    """One link, from the opening of its port on; `restart` when it was opened again.

    `welcome` says of a device that answers whether it is the one that is wanted; of any other
    nothing is used. After `lost_after` seconds of silence it is lost.
    """

    def __init__(
        self,
        now: float,
        *,
        welcome: Callable[[Hello], bool] = lambda _: True,
        lost_after: float = LOST_AFTER_S,
    ) -> None:
        self._welcome = welcome
        self._lost_after = lost_after
        self.hello: Hello | None = None
        self._counts = dict.fromkeys(SessionCounters.__struct_fields__, 0)
        self._queue: deque[Command] = deque()
        self._outstanding: _Outstanding | None = None
        self._command_seq = 0
        self._next_edge = 1
        self._not_kept: dict[int, None] = {}
        self._announced = False
        self.restart(now)

    def restart(self, now: float) -> None:
        """Begin with the handshake: the port was opened, or opened again, at `now`."""
        self._state = State.HANDSHAKE
        self._clock = Clock()
        self.heartbeat: Heartbeat | None = None
        self._last_frame = now
        self._last_seq: int | None = None
        self._wrong_version: int | None = None
        self._parts: dict[int, _Parts] = {}
        self._last_scan: dict[int, int] = {}
        self._query: tuple[int, float] | None = None
        self._query_seq = 0
        self._next_query = now
        self._receipt_due = False
        self._break_due = True

    @property
    def state(self) -> State:
        """Where the link stands."""
        return self._state

    @property
    def counters(self) -> SessionCounters:
        """The counters since this session was made."""
        return SessionCounters(**self._counts)

    @property
    def clock_error(self) -> float:
        """How far off the mapped times can be, in seconds; infinite while unknown."""
        return self._clock.error

    def command(self, command: Command) -> None:
        """Send a command as soon as those before it are answered; a Done will follow.

        Raises QueueFullError if 32 are waiting already.
        """
        if len(self._queue) >= MAX_COMMANDS:
            raise QueueFullError(f"{MAX_COMMANDS} commands are waiting for the device")
        self._queue.append(command)

    def keep(self, edge: int) -> None:
        """The edge of this number is kept: the device may forget it, once those before it are."""
        first = self._first_not_kept()
        self._not_kept.pop(edge, None)
        self._receipt_due |= self._first_not_kept() > first

    def _first_not_kept(self) -> int:
        return next(iter(self._not_kept), self._next_edge)

    def dropped(self, now: float, reason: str) -> list[Value]:
        """The port is gone: return Lost, unless the link was not up anyway.

        Commands that wait for their answers are given up.
        """
        self.restart(now)
        if not self._announced:
            return []
        self._announced = False
        self._counts["losses"] += 1
        given_up = [self._outstanding.command] if self._outstanding else []
        given_up += self._queue
        self._outstanding = None
        self._queue.clear()
        return [
            Lost(now, reason),
            *(Done(now, command, "unanswered", "the link is lost") for command in given_up),
        ]

    def receive(self, frames: Iterable[Frame], now: float) -> list[Value]:
        """Return what the frames mean, and what the time that passed does."""
        values: list[Value] = []
        for frame in frames:
            values += self._frame(frame, now)
        if self._announced and now - self._last_frame > self._lost_after:
            silent = f"the device has been silent for {self._lost_after:g} s"
            values += self.dropped(now, silent)
        values += self._unanswered(now)
        return values

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due at `now`, possibly none."""
        out = b""
        if self._state is not State.UP:
            if now >= self._next_query:
                self._next_query = now + HELLO_EVERY_S
                out = self._ask(HelloRequest(), now)
        else:
            if self._receipt_due:
                self._receipt_due = False
                out += _encode(ButtonReceipt(self._first_not_kept()), 0)
            if now >= self._next_query:
                self._next_query = now + TIME_EVERY_S
                out += self._ask(TimeQuery(), now)
            out += self._send_command(now)
        if out and self._break_due:
            self._break_due = False
            return b"\0" + out
        return out

    def _ask(self, query: HelloRequest | TimeQuery, now: float) -> bytes:
        self._query_seq = (self._query_seq + 1) & 0xFF
        self._query = (self._query_seq, now)
        return _encode(query, self._query_seq)

    def _send_command(self, now: float) -> bytes:
        if self._outstanding is None:
            if not self._queue:
                return b""
            self._command_seq = (self._command_seq + 1) & 0xFF
            self._outstanding = _Outstanding(self._queue.popleft(), self._command_seq)
        waiting = self._outstanding
        if now - waiting.sent < ANSWER_WITHIN_S:
            return b""
        self._counts["retries"] += waiting.tries > 0
        waiting.tries += 1
        waiting.sent = now
        return _encode(waiting.command, waiting.seq)

    def _unanswered(self, now: float) -> list[Value]:
        waiting = self._outstanding
        if waiting is None or waiting.tries <= RETRIES or now - waiting.sent < ANSWER_WITHIN_S:
            return []
        self._outstanding = None
        return [Done(now, waiting.command, "unanswered", f"asked {waiting.tries} times")]

    def _frame(self, frame: Frame, now: float) -> list[Value]:
        if frame.version != VERSION:
            return self._mismatch(frame.version, now)
        try:
            message = messages.from_frame(frame)
        except messages.UnknownMessageError:
            self._counts["unknown"] += 1
            return []
        except messages.MessageError:
            self._counts["malformed"] += 1
            return []
        if isinstance(message, Request):
            self._counts["unexpected"] += 1
            return []
        if isinstance(message, Hello):
            return self._hello(message, frame, now)
        if self._state is not State.UP:
            self._counts["early"] += 1
            return []
        if not self._clock.plausible(frame.ticks, now):
            self._begin_anew(now)
            return []
        self._last_frame = now
        self._clock.observe(frame.ticks, now)
        self._count_gap(frame)
        match message:
            case Zone():
                return self._zone(message, frame)
            case Button():
                return self._button(message, frame)
            case Heartbeat():
                self._beat(message, now)
            case Time():
                self._time(message, frame, now)
            case Ack() | Nak():
                return self._answered(message, frame, now)
        return []

    def _mismatch(self, version: int, now: float) -> list[Value]:
        if self._state is State.UP or version == self._wrong_version:
            return []
        self._wrong_version = version
        self._state = State.WRONG_VERSION
        remedy = "the device's firmware" if version < VERSION else "this program"
        text = (
            f"the device speaks protocol version {version}, this program "
            f"version {VERSION}: update {remedy}"
        )
        return [VersionMismatch(now, version, text)]

    def _begin_anew(self, now: float) -> None:
        """Ask who it is at once: this can't be the boot we knew."""
        self._counts["implausible"] += 1
        self._state = State.HANDSHAKE
        self._next_query = now

    def _hello(self, hello: Hello, frame: Frame, now: float) -> list[Value]:
        if hello.protocol != VERSION:
            return self._mismatch(hello.protocol, now)
        if not self._welcome(hello):
            return [Stranger(now, hello)]
        known = self.hello
        rebooted = known is not None and known.boot_id != hello.boot_id
        self.hello = hello
        if self._state is State.UP and not rebooted:
            self._last_frame = now
            self._count_gap(frame)
            return []
        if known is None or rebooted:
            self._next_edge = hello.next_edge
            self._not_kept.clear()
            self.heartbeat = None
        self._counts["reboots"] += rebooted
        self._state = State.UP
        self._announced = True
        self._last_frame = now
        self._wrong_version = None
        self._parts.clear()
        self._last_scan.clear()
        self._clock = Clock(hello.tick_bits)
        self._clock.observe(frame.ticks, now)
        self._last_seq = frame.seq
        self._query = None
        self._next_query = now
        return [Up(now, hello, rebooted)]

    def _count_gap(self, frame: Frame) -> None:
        if self._last_seq is not None:
            self._counts["gaps"] += (frame.seq - self._last_seq - 1) & 0xFF
        self._last_seq = frame.seq

    def _beat(self, beat: Heartbeat, now: float) -> None:
        if self.hello and beat.boot_id != self.hello.boot_id:
            self._begin_anew(now)
        else:
            self.heartbeat = beat

    def _time(self, message: Time, frame: Frame, now: float) -> None:
        if self._query is None or self._query[0] != frame.ack:
            self._counts["unexpected"] += 1
            return
        asked = self._query[1]
        self._query = None
        self._clock.answer(asked, message.received_ticks, frame.ticks, now)

    def _answered(self, message: Ack | Nak, frame: Frame, now: float) -> list[Value]:
        waiting = self._outstanding
        if (
            waiting is None
            or frame.ack != waiting.seq
            or message.msg != messages.message_id(type(waiting.command))
        ):
            self._counts["unexpected"] += 1
            return []
        self._outstanding = None
        if isinstance(message, Ack):
            return [Done(now, waiting.command, "ok")]
        try:
            text = NakReason(message.reason).name.lower().replace("_", " ")
        except ValueError:
            text = f"reason {message.reason}"
        return [Done(now, waiting.command, "refused", text)]

    def _age(self, ticks: int, frame: Frame) -> int:
        """Return how long before the frame was sent `ticks` was, in microseconds."""
        return self._clock.unwrap(frame.ticks) - self._clock.unwrap(ticks)

    def _zone(self, part: Zone, frame: Frame) -> list[Value]:
        if not 0 <= self._age(part.scan_ticks, frame) <= MAX_SCAN_AGE_US:
            self._counts["implausible"] += 1
            return []
        if self._last_scan.get(part.zone) == part.scan_ticks:
            self._counts["unexpected"] += 1
            return []
        begun = self._parts.get(part.zone)
        if begun is None or begun.ticks != part.scan_ticks or len(begun.tags) != part.parts:
            self._counts["parts_lost"] += begun is not None
            begun = self._parts[part.zone] = _Parts(part)
        if not begun.add(part):
            return []
        del self._parts[part.zone]
        self._last_scan[part.zone] = part.scan_ticks
        return [
            ZoneScan(
                self._clock.to_host(part.scan_ticks),
                part.zone,
                tuple(tag for tags in begun.tags for tag in tags or ()),
                complete=not begun.flags & (ZoneFlag.INCOMPLETE | ZoneFlag.FAILED),
                failed=bool(begun.flags & ZoneFlag.FAILED),
                tally=part.tally,
            )
        ]

    def _button(self, button: Button, frame: Frame) -> list[Value]:
        self._receipt_due |= button.edge < self._first_not_kept()
        values: list[Value] = []
        t = self._clock.to_host(frame.ticks)
        if button.oldest > self._next_edge:
            values += self._edges_lost(button.oldest - self._next_edge, t)
            self._next_edge = button.oldest
        if button.edge != self._next_edge:
            name = "edges_repeated" if button.edge < self._next_edge else "edges_early"
            self._counts[name] += 1
            return values
        self._next_edge += 1
        if not 0 <= self._age(button.edge_ticks, frame) <= MAX_EDGE_AGE_US:
            self._counts["implausible"] += 1
            self._receipt_due = True
            return values + self._edges_lost(1, t)
        self._not_kept[button.edge] = None
        at = self._clock.to_host(button.edge_ticks)
        return [*values, ButtonEdge(at, button.button, button.pressed, button.edge)]

    def _edges_lost(self, count: int, t: float) -> list[Value]:
        self._counts["edges_lost"] += count
        return [EdgesLost(t, count)]


def _encode(request: Request, seq: int) -> bytes:
    return encode(messages.to_frame(request, seq=seq))
