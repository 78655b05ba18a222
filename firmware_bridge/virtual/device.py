"""The device's side of the microcontroller link, sans-I/O: antennas, buttons, lamps.

It does what PROTOCOL.md asks of a device. Times are seconds; the device's ticks run with
them from its boot on.
"""

from __future__ import annotations

from collections import deque
from math import inf

from msgspec import Struct

from firmware_bridge.link import messages
from firmware_bridge.link.frames import VERSION, Frame, FrameDecoder, Kind, encode
from firmware_bridge.link.messages import (
    Ack,
    Button,
    ButtonReceipt,
    Command,
    Heartbeat,
    Hello,
    HelloRequest,
    Identify,
    Lamp,
    Nak,
    NakReason,
    Report,
    SetScan,
    Time,
    TimeQuery,
    ZoneFlag,
)

BURST_S = 1.0
REPORT_EVERY_S = 1.0
HEARTBEAT_EVERY_S = 1.0
EDGE_AGAIN_S = 0.2
EDGE_KEPT_S = 60.0
RING = 32
FASTEST_CYCLE_S = 0.02


class _Edge(Struct, frozen=True):
    number: int
    t: float
    button: int
    pressed: bool


class _Antenna:
    def __init__(self, due: float) -> None:
        self.tags: set[str] = set()
        self.flags = ZoneFlag(0)
        self.due = due
        self.reported: tuple[tuple[str, ...], ZoneFlag] | None = None
        self.changed = -inf
        self.sent = -inf


class Device:
    """A device that booted at `now`, with antennas 0 … `zones`-1 scanned in turn.

    `cycle` is the time of one full scan cycle. `ticks` is what its tick counter starts at.
    `measured_us` is what it says of its slowest cycle: nothing, since it has no reader whose cycle
    could be measured.
    """

    def __init__(
        self,
        *,
        zones: int,
        buttons: int,
        boot_id: int,
        now: float,
        lamps: int = 0,
        cycle: float = 0.12,
        unique_id: bytes = b"VIRTUAL1",
        ticks: int = 0,
    ) -> None:
        self.lamps: list[Lamp | None] = [None] * lamps
        self.identify_until = -inf
        self.cycle = cycle
        self.measured_us = 0
        self._boot_id = boot_id
        self._unique_id = unique_id
        self._booted = now
        self._ticks_at_boot = ticks
        self._buttons = buttons
        self._antennas = [_Antenna(now + cycle * i / zones) for i in range(zones)]
        self._ring: deque[_Edge] = deque()
        self._next_edge = 1
        self._edges_due = inf
        self._edges_lost = 0
        self._decoder = FrameDecoder()
        self._rx_unknown = 0
        self._seq = 0
        self._answered: tuple[int, Ack | Nak] | None = None
        self._heartbeat_due = now
        self._out = bytearray(b"\0")
        self._send(self._hello(), now, kind=Kind.REPORT)

    def place(self, zone: int, tag: str) -> None:
        """Put a tag into the field of an antenna."""
        self._antennas[zone].tags.add(tag)

    def take(self, zone: int, tag: str) -> None:
        """Take a tag out of the field of an antenna; nothing happens if it isn't there."""
        self._antennas[zone].tags.discard(tag)

    def tags(self, zone: int) -> frozenset[str]:
        """Return the tags in the field of an antenna."""
        return frozenset(self._antennas[zone].tags)

    def trouble(self, zone: int, flags: ZoneFlag) -> None:
        """From now on the antenna's scans are incomplete or fail; 0 ends it."""
        self._antennas[zone].flags = flags

    def edge(self, button: int, pressed: bool, now: float) -> None:
        """A button went down or up at `now`."""
        if not 0 <= button < self._buttons:
            raise ValueError(f"no button {button}; the device has {self._buttons}")
        if len(self._ring) == RING:
            self._ring.popleft()
            self._edges_lost += 1
        edge = _Edge(self._next_edge, now, button, pressed)
        self._next_edge += 1
        self._ring.append(edge)
        self._edges_due = min(self._edges_due, now + EDGE_AGAIN_S)
        self._send_edge(edge, now)

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host; answers are in the next `poll`."""
        for frame in self._decoder.feed(data):
            if frame.version != VERSION:
                continue
            try:
                message = messages.from_frame(frame)
            except messages.MessageError as error:
                self._rx_unknown += 1
                if frame.kind == Kind.COMMAND:
                    unknown = isinstance(error, messages.UnknownMessageError)
                    reason = NakReason.UNKNOWN if unknown else NakReason.MALFORMED
                    self._answer(frame, Nak(frame.msg, reason), now)
                continue
            match message:
                case HelloRequest():
                    self._answered = None
                    self._send(self._hello(), now, ack=frame.seq)
                    for antenna in self._antennas:
                        antenna.sent = -inf
                case TimeQuery():
                    self._send(Time(self.ticks(now)), now, ack=frame.seq)
                case ButtonReceipt():
                    while self._ring and self._ring[0].number < message.next_edge:
                        self._ring.popleft()
                case SetScan() | Lamp() | Identify():
                    self._command(message, frame, now)
                case _:
                    self._rx_unknown += 1

    def poll(self, now: float) -> bytes:
        """Do what is due at `now` and return the bytes to send."""
        for number, antenna in enumerate(self._antennas):
            if now >= antenna.due:
                self._scan(number, antenna, now)
        self._repeat_edges(now)
        if now >= self._heartbeat_due:
            self._heartbeat_due = now + HEARTBEAT_EVERY_S
            self._send(self._heartbeat(now), now)
        out = bytes(self._out)
        self._out.clear()
        return out

    def ticks(self, t: float) -> int:
        """Return the device's tick counter at time `t`."""
        return (self._ticks_at_boot + round((t - self._booted) * 1e6)) & 0xFFFFFFFF

    def next_due(self) -> float:
        """Return when `poll` has something to do next."""
        scans = min((antenna.due for antenna in self._antennas), default=inf)
        return min(scans, self._heartbeat_due, self._edges_due)

    def _send(self, message: Report, now: float, *, ack: int = 0, kind: Kind | None = None) -> None:
        self._seq = (self._seq + 1) & 0xFF
        ticks = self.ticks(now)
        self._out += encode(
            messages.to_frame(message, seq=self._seq, ack=ack, ticks=ticks, kind=kind)
        )

    def _hello(self) -> Hello:
        return Hello(
            boot_id=self._boot_id,
            unique_id=self._unique_id,
            zones=len(self._antennas),
            buttons=self._buttons,
            firmware="virtual 1",
            next_edge=self._ring[0].number if self._ring else self._next_edge,
            cycle_ms=round(self.cycle * 1000),
            lamps=len(self.lamps),
            reset=1,
        )

    def _heartbeat(self, now: float) -> Heartbeat:
        bad = self._decoder.counters
        return Heartbeat(
            boot_id=self._boot_id,
            uptime_s=int(now - self._booted),
            cycle_us=self.measured_us,
            rx_bad=bad.bad_cobs + bad.bad_crc + bad.too_long + bad.too_short,
            rx_unknown=self._rx_unknown + bad.other_version,
            edges_lost=self._edges_lost,
        )

    def _scan(self, number: int, antenna: _Antenna, now: float) -> None:
        antenna.due += self.cycle
        if antenna.due <= now:
            antenna.due = now + self.cycle
        tags = () if antenna.flags & ZoneFlag.FAILED else tuple(sorted(antenna.tags))
        read = (tags, antenna.flags)
        if read != antenna.reported:
            antenna.changed = now
        elif now - antenna.changed > BURST_S and now - antenna.sent < REPORT_EVERY_S:
            return
        antenna.reported = read
        antenna.sent = now
        for part in messages.zone_parts(number, self.ticks(now), *read):
            self._send(part, now)

    def _send_edge(self, edge: _Edge, now: float) -> None:
        oldest = self._ring[0].number
        ticks = self.ticks(edge.t)
        self._send(Button(edge.number, oldest, ticks, edge.button, edge.pressed), now)

    def _repeat_edges(self, now: float) -> None:
        while self._ring and now - self._ring[0].t > EDGE_KEPT_S:
            self._ring.popleft()
            self._edges_lost += 1
        if not self._ring:
            self._edges_due = inf
        elif now >= self._edges_due:
            self._edges_due = now + EDGE_AGAIN_S
            for edge in self._ring:
                self._send_edge(edge, now)

    def _command(self, command: Command, frame: Frame, now: float) -> None:
        if self._answered and self._answered[0] == frame.seq:
            self._send(self._answered[1], now, ack=frame.seq)
            return
        done = self._carry_out(command, now)
        self._answer(frame, Ack(frame.msg) if done else Nak(frame.msg, NakReason.OUT_OF_RANGE), now)

    def _answer(self, frame: Frame, answer: Ack | Nak, now: float) -> None:
        self._answered = (frame.seq, answer)
        self._send(answer, now, ack=frame.seq)

    def _carry_out(self, command: Command, now: float) -> bool:
        match command:
            case SetScan():
                self.cycle = max(command.cycle_ms / 1000, FASTEST_CYCLE_S)
            case Lamp():
                if command.lamp >= len(self.lamps):
                    return False
                self.lamps[command.lamp] = command
            case Identify():
                self.identify_until = now + command.seconds
        return True
