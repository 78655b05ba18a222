"""A table whose wires are recorded, with devices of software; time is simulated."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from firmware_bridge.capture import Received, Record, Recorder, Sent
from firmware_bridge.false_names import FalseNames
from firmware_bridge.playback import Line, Nowhere, Player
from firmware_bridge.presence import rows
from firmware_bridge.sensed import Gone, Seen, Sensed
from firmware_bridge.virtual.device import Device
from firmware_bridge.wires import Wires
from firmware_bridge.wiring import Wiring

CARDS = [f"E0040150{0x1234567 * n & 0xFFFFFFFF:08X}" for n in range(1, 53)]
NTAGS = [f"04A1B2{0x123456 * n & 0xFFFFFF:06X}80" for n in range(1, 9)]
PUCK = "67003B51C6"
EPCS = [f"E2801160600002{n:010X}" for n in range(0x5A5A5A, 0x5A5A5F)]
KNOWN = frozenset((*CARDS, *NTAGS, PUCK, *EPCS))
STEP_S = 0.005


class Peer(Protocol):
    def receive(self, data: bytes, now: float) -> None: ...
    def poll(self, now: float) -> bytes: ...


class Wired:
    """A port with a device of software behind it."""

    def __init__(self, wiring: Wiring, peer: Peer, seed: int) -> None:
        self.wiring = wiring
        self.peer = peer
        self.open_path: str | None = None
        self.dropped = 0
        self.to_device = b""
        self.from_device = b""
        self.random = random.Random(seed)

    @property
    def is_open(self) -> bool:
        return self.open_path is not None

    def write(self, data: bytes) -> None:
        self.to_device += data

    def release(self) -> None:
        self.open_path = None

    def step(self, now: float) -> bytes:
        """A portion of what is due, of any size."""
        self.peer.receive(self.to_device, now)
        self.to_device = b""
        self.from_device += self.peer.poll(now)
        size = self.random.choice((1, 3, 10, 50, 1000, 1000))
        portion, self.from_device = self.from_device[:size], self.from_device[size:]
        return portion


class Table:
    """Wires, what they gave, and what was recorded of them."""

    def __init__(self, *ports: tuple[Wiring, Peer], seed: int = 1, speed: float = 1.0) -> None:
        self.now = 100.0
        self.random = random.Random(seed)
        self.out: list[Sensed] = []
        self.ports = {w.port: Wired(w, peer, n) for n, (w, peer) in enumerate(ports)}
        self.wirings = [w for w, _ in ports]
        self.wires = make_wires(
            self.wirings, self.out, self.now, self.ports.__getitem__, KNOWN, speed=speed
        )
        self.records: list[Record] = []
        self.names = FalseNames(bytes(range(32)), KNOWN)
        self.recorder = Recorder(
            self.wirings,
            name=self.names.of,
            near=lambda _: [tag for tags in self.wires.tracked().values() for tag in tags],
            write=self._write,
        )
        self.wires.listen(self.recorder, self.now)
        self._due = self.now

    def _write(self, record: object) -> None:
        assert isinstance(record, Record)
        self.records.append(record)

    def plug(self) -> None:
        for name, port in self.ports.items():
            if port.open_path is None:
                port.open_path = name
                self.wires.opened(name, self.now)

    def unplug(self, name: str) -> None:
        self.ports[name].open_path = None
        self.ports[name].from_device = b""
        self.wires.lost(name, f"{name} is gone", self.now)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            for name, port in self.ports.items():
                data = port.step(self.now)
                if port.is_open and data:
                    self.wires.received(name, data, self.now)
            if self.now >= self._due:
                self._due += self.wires.step_s
                self.wires.step(self.now)
            self.now = round(self.now + STEP_S * self.random.uniform(0.5, 1.5), 6)

    def disturb(self, name: str, data: bytes) -> None:
        self.ports[name].from_device += data

    def replayed(self) -> list[Sensed]:
        self.recorder.end()
        out: list[Sensed] = []
        lines = {wiring.port: Line() for wiring in self.wirings}
        known = frozenset(self.names.of(tag) for tag in KNOWN)
        wires = make_wires(self.wirings, out, 100.0, lines.__getitem__, known)
        player = Player(self.wirings, wires, lines)
        for record in self.records:
            player.play(record)
        return out

    def hidden(self) -> list[Sensed]:
        """What the wires gave, with the tags' false names."""
        return [
            replace(value, tag=self.names.of(value.tag))
            if isinstance(value, Seen | Gone)
            else value
            for value in self.out
        ]

    def bytes_on_record(self) -> bytes:
        told = [r.bytes for r in self.records if isinstance(r, Received | Sent)]
        return b"".join(bytes.fromhex(p) for each in told for p in each if isinstance(p, str))


def make_wires(
    wirings: list[Wiring],
    out: list[Sensed],
    now: float,
    port_of: Callable[[str], Wired] | Callable[[str], Line],
    known: frozenset[str],
    *,
    speed: float = 1.0,
) -> Wires:
    zones = [place for wiring in wirings for place in wiring.places]
    return Wires(
        wirings,
        out.append,
        now=now,
        make_port=lambda wiring: port_of(wiring.port),
        search=Nowhere(),
        registered=known.__contains__,
        notice=lambda _: None,
        neighbours=rows(zones),
        tick_every=0.1,
        speed=speed,
    )


def pico() -> Device:
    return Device(zones=3, buttons=2, boot_id=7, now=99.0, ticks=0xFFF00000)
