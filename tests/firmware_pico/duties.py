"""What a device owes by PROTOCOL.md, as far as recorded traffic tells: each check returns what is
wrong with it, in words. The same checks hold for live devices and for captures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct

from firmware_bridge.link.frames import MAX_ENCODED, Frame, FrameDecoder, Kind
from firmware_bridge.link.messages import (
    Ack,
    Button,
    ButtonReceipt,
    Heartbeat,
    Hello,
    HelloRequest,
    Identify,
    Lamp,
    Message,
    Nak,
    SetScan,
    Time,
    TimeQuery,
    Zone,
    from_frame,
    to_frame,
)

M = TypeVar("M", bound=Message)

AT_ONCE_S = 0.1
LAG_S = 0.25
"""How late a frame may be noted where the recorder was held up, on a machine that does little
else."""
EVERY_S = 1.0
AGAIN_S = 0.2
TICKS = 1 << 32


class Noted(Struct, frozen=True):
    """A frame as it went over the wire, when it was noted, in seconds, and from which end."""

    t: float
    from_device: bool
    raw: bytes
    frame: Frame

    @property
    def message(self) -> Message:
        return from_frame(self.frame)


class Traffic:
    """All frames between a device and its host, of one boot. `lag_s` is how late each may have
    been, and been noted. `is_whole`: the host has asked nothing at last, and waited."""

    def __init__(self, lag_s: float = LAG_S, *, is_whole: bool = False) -> None:
        self.lag_s = lag_s
        self.is_whole = is_whole
        self.noted: list[Noted] = []
        self._decoders = {True: FrameDecoder(), False: FrameDecoder()}

    def note(self, t: float, data: bytes, *, from_device: bool) -> None:
        """Bytes went over the wire."""
        pieces: list[tuple[bytes, bool]] = []
        decoder = self._decoders[from_device]
        decoder.heard = lambda raw, intact: pieces.append((raw, intact))
        frames = iter(decoder.feed(data))
        for raw, intact in pieces:
            if intact and raw != b"\0":
                self.noted.append(Noted(t, from_device, raw, next(frames)))

    def noise(self) -> int:
        """Bytes from the device that were no intact frame."""
        return self._decoders[True].counters.noise_bytes

    def got(self, kind: type[M], *, from_device: bool = True) -> Iterator[tuple[Noted, M]]:
        """All messages of a kind from one end."""
        for noted in self.noted:
            if noted.from_device == from_device:
                message = noted.message
                if isinstance(message, kind):
                    yield noted, message

    @property
    def hello(self) -> Hello:
        """Who the device is."""
        return next(hello for _, hello in self.got(Hello))

    @property
    def frames(self) -> list[Noted]:
        """All frames from the device."""
        return [noted for noted in self.noted if noted.from_device]

    @property
    def end(self) -> float:
        """When the last frame was noted."""
        return self.noted[-1].t


Duty = Callable[[Traffic], list[str]]


def frames_are_numbered(traffic: Traffic) -> list[str]:
    """Section 1, Numbers: every frame counts, whatever its kind."""
    numbers = [noted.frame.seq for noted in traffic.frames]
    return [f"{two} follows {one}" for one, two in pairwise(numbers) if two != (one + 1) & 0xFF]


def ticks_never_decrease(traffic: Traffic) -> list[str]:
    """Section 1, Ticks."""
    ticks = [noted.frame.ticks for noted in traffic.frames]
    return [
        f"{two} follows {one}" for one, two in pairwise(ticks) if (two - one) % TICKS >= TICKS // 2
    ]


def full_sets_come_every_second(traffic: Traffic) -> list[str]:
    """Section 2, 2: a zone that does not change is told once a second, at a scan."""
    wrong = []
    last: dict[int, int] = {}
    cycle = max(traffic.hello.cycle_ms / 1000, _slowest_cycle(traffic))
    tallies = (zone.tally for _, zone in traffic.got(Zone))
    slowest_set = max((tally.took_us / 1e6 for tally in tallies if tally), default=0.0)
    for noted, zone in traffic.got(Zone):
        if zone.part:
            continue
        if zone.zone in last:
            gap = (noted.frame.ticks - last[zone.zone]) % TICKS / 1e6
            if gap > max(EVERY_S, slowest_set) + 2 * cycle + AT_ONCE_S + traffic.lag_s:
                wrong.append(f"zone {zone.zone} was silent for {gap:.2f} s")
        last[zone.zone] = noted.frame.ticks
    missing = set(range(traffic.hello.zones)) - last.keys()
    return [*wrong, *(f"zone {zone} was never told" for zone in sorted(missing))]


def _slowest_cycle(traffic: Traffic) -> float:
    return max((beat.cycle_us / 1e6 for _, beat in traffic.got(Heartbeat)), default=0.0)


def no_scan_is_told_twice(traffic: Traffic) -> list[str]:
    """Section 2, 2."""
    told = [(zone.zone, zone.scan_ticks, zone.part) for _, zone in traffic.got(Zone)]
    return [f"zone {z}, part {part}" for z, ticks, part in set(told)
            if told.count((z, ticks, part)) > 1]  # fmt: skip


def it_beats_every_second(traffic: Traffic) -> list[str]:
    """Section 2, 4."""
    ticks = [noted.frame.ticks for noted, _ in traffic.got(Heartbeat)]
    gaps = [(two - one) % TICKS / 1e6 for one, two in pairwise(ticks)]
    most = 1.15 + traffic.lag_s
    wrong = [f"{gap:.2f} s between two heartbeats" for gap in gaps if not 0.7 < gap < most]
    return wrong if gaps else ["fewer than two heartbeats"]


def questions_are_answered(traffic: Traffic) -> list[str]:
    """Section 2, 5: by a REPLY with the question's number, within 100 ms."""
    wrong = []
    answers: dict[type[Message], tuple[type[Message], ...]] = {
        HelloRequest: (Hello,),
        TimeQuery: (Time,),
        SetScan: (Ack, Nak),
        Lamp: (Ack, Nak),
        Identify: (Ack, Nak),
    }
    within_s = AT_ONCE_S + traffic.lag_s
    for at, noted in enumerate(traffic.noted):
        if noted.from_device or (not traffic.is_whole and traffic.end - noted.t < within_s):
            continue
        kind = type(noted.message)
        if kind not in answers:
            continue
        within = [
            other
            for other in traffic.noted[at + 1 :]
            if other.from_device
            and other.frame.kind == Kind.REPLY
            and other.frame.ack == noted.frame.seq
            and isinstance(other.message, answers[kind])
            and other.t - noted.t <= within_s
        ]
        if not within:
            wrong.append(f"{kind.__name__} {noted.frame.seq} was not answered in time")
        answer = within[0].message if within else None
        if isinstance(answer, Ack | Nak) and answer.msg != noted.frame.msg:
            wrong.append(f"{kind.__name__} {noted.frame.seq} has another's answer")
    return wrong


def edges_come_again_until_receipted(traffic: Traffic) -> list[str]:
    """Section 2, 3: all in the ring every 200 ms, oldest first, and none that was receipted."""
    wrong = []
    since: dict[int, float] = {}
    receipted = 1
    late: list[tuple[float, int]] = []
    first = True
    newest = 0
    again_s = AGAIN_S + 2 * traffic.lag_s
    for noted in traffic.noted:
        message = noted.message
        forgotten = [edge for edge, t in since.items() if noted.t - t > again_s]
        wrong += [f"edge {edge} did not come again" for edge in forgotten]
        since = {edge: t for edge, t in since.items() if noted.t - t <= again_s}
        if isinstance(message, ButtonReceipt):
            receipted = max(receipted, message.next_edge)
            since = {edge: t for edge, t in since.items() if edge >= receipted}
            late.append((noted.t, message.next_edge))
        elif isinstance(message, Button):
            if any(
                message.edge < upto and noted.t - t > AT_ONCE_S + traffic.lag_s for t, upto in late
            ):
                wrong.append(f"edge {message.edge} came after its receipt")
            if not first and message.edge > newest + 1:
                wrong.append(f"edge {message.edge} came without the one before it")
            first, newest = False, max(newest, message.edge)
            if message.edge >= receipted:
                since[message.edge] = noted.t
    return wrong


def limits_are_kept(traffic: Traffic) -> list[str]:
    """Sections 1, 3 and 4: lengths, indices, kinds, parts."""
    hello = traffic.hello
    wrong = [
        f"a frame of {len(noted.raw)} bytes"
        for noted in traffic.frames
        if len(noted.raw) > MAX_ENCODED + 1 or len(noted.frame.payload) > hello.max_payload
    ]
    parts: dict[tuple[int, int], list[Zone]] = defaultdict(list)
    for noted, zone in traffic.got(Zone):
        parts[zone.zone, zone.scan_ticks].append(zone)
        if zone.zone >= hello.zones:
            wrong.append(f"a zone {zone.zone}")
        if not 0 <= (noted.frame.ticks - zone.scan_ticks) % TICKS <= 10_000_000:
            wrong.append("a scan of more than 10 s ago")
    for scan in parts.values():
        tags = [tag for zone in scan for tag in zone.tags]
        if len({(zone.flags, zone.parts) for zone in scan}) > 1:
            wrong.append("parts that do not belong together")
        if len(tags) != len(set(tags)):
            wrong.append("a UID that comes twice")
        if any(zone.flags & 2 and zone.tags for zone in scan):
            wrong.append("a failed scan that has read something")
    for _, button in traffic.got(Button):
        if button.button >= hello.buttons:
            wrong.append(f"a button {button.button}")
    for noted in traffic.frames:
        expected = to_frame(noted.message).kind
        unasked = isinstance(noted.message, Hello) and noted.frame.kind == Kind.REPORT
        if noted.frame.kind != expected and not unasked:
            wrong.append(f"a {type(noted.message).__name__} of kind {noted.frame.kind}")
    return wrong


DUTIES: tuple[Duty, ...] = (
    frames_are_numbered,
    ticks_never_decrease,
    full_sets_come_every_second,
    no_scan_is_told_twice,
    it_beats_every_second,
    questions_are_answered,
    edges_come_again_until_receipted,
    limits_are_kept,
)
