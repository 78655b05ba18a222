"""What crosses the wires, recorded and played again: every kind of device, with bytes that come in
any portions and noise between them. Time is simulated."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec
import pytest
from msgspec.structs import replace

from firmware_bridge.capture import Received, Record, Recorder, Sent
from firmware_bridge.false_names import FalseNames
from firmware_bridge.link.frames import FrameDecoder
from firmware_bridge.link.messages import Zone, ZoneFlag, from_frame
from firmware_bridge.playback import Line, Nowhere, Player
from firmware_bridge.presence import rows
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pepper.virtual import VirtualPepper
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.readers.yrm100.virtual import VirtualYrm100
from firmware_bridge.sensed import Gone, Press, Reader, Seen, Sensed, Tick
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


def nothing_is_told(table: Table) -> None:
    """No tag is on record, in either order of its bytes, nor a part of one in one of its frames."""
    told = table.bytes_on_record()
    kept = msgspec.json.encode(table.records).decode()
    assert "E0" not in "".join(repr(r) for r in table.records if isinstance(r, Received | Sent))
    for tag in KNOWN:
        raw = bytes.fromhex(tag)
        assert raw not in told
        assert raw[::-1] not in told
        assert tag not in kept
        assert tag.encode() not in told
    frames = FrameDecoder().feed(told)
    zones = [message for frame in frames if isinstance(message := from_frame(frame), Zone)]
    assert not KNOWN & {tag for zone in zones for tag in zone.tags}


def moved(out: list[Sensed]) -> list[Sensed]:
    return [value for value in out if not isinstance(value, Tick)]


def test_a_pico_is_played_to_the_microsecond() -> None:
    device = pico()
    wiring = Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call")))
    table = Table((wiring, device))
    table.plug()
    table.run(1.0)
    for zone, tag in ((0, CARDS[0]), (0, CARDS[1]), (1, CARDS[2]), (2, CARDS[3])):
        device.place(zone, tag)
        table.run(0.4)
    table.disturb("p", b"\x07garbage\x00\x00" + bytes.fromhex(CARDS[5]))
    device.edge(0, True, table.now)
    table.run(0.3)
    device.edge(0, False, table.now)
    device.take(0, CARDS[0])
    table.run(1.5)
    table.unplug("p")
    table.run(0.5)
    table.plug()
    device.place(2, CARDS[9])
    table.run(4.0)
    assert {type(value) for value in table.out} == {Seen, Gone, Press, Tick, Reader}
    assert table.replayed() == table.hidden()
    nothing_is_told(table)


def test_a_set_in_many_parts_says_nothing_by_its_order() -> None:
    device = pico()
    table = Table((Wiring("p", ("seat/1", "seat/2", "stub"), ((1, "fold"), (2, "call"))), device))
    table.plug()
    table.run(0.3)
    for tag in CARDS:
        device.place(2, tag)
    table.run(2.0)
    for tag in CARDS[::2]:
        device.take(2, tag)
    table.run(2.5)
    assert len([v for v in table.out if isinstance(v, Seen)]) == len(CARDS)
    # Values of one time may come in the order of their names.
    assert sorted(table.replayed(), key=repr_of) == sorted(table.hidden(), key=repr_of)
    nothing_is_told(table)
    own = {bytes.fromhex(table.names.of(tag)): tag for tag in CARDS}
    whole = [
        [own[frame[at : at + 8]] for at in range(len(frame)) if frame[at : at + 8] in own]
        for frame in (bytes.fromhex(p) for r in table.records if isinstance(r, Received)
                      for p in r.bytes if isinstance(p, str) and len(p) > 200)
    ]  # fmt: skip
    large = [tags for tags in whole if len(tags) > 20]
    assert large
    # The device sorts its tags: the first of two frames would hold the lesser ones.
    assert not any(max(tags) == sorted(CARDS)[len(tags) - 1] for tags in large)


def repr_of(value: Sensed) -> tuple[float, str, str]:
    return value.t, repr(value), getattr(value, "tag", "")


def test_collisions_and_mangled_reads_stay_such() -> None:
    device = pico()
    table = Table((Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call"))), device))
    table.plug()
    both = f"{int(CARDS[0], 16) | int(CARDS[1], 16):016X}"
    device.place(0, CARDS[0])
    device.place(0, CARDS[1])
    table.run(1.0)
    device.place(0, both)
    device.place(1, "5555555555555555")
    device.place(2, "E0040150FFFFFFFF")
    table.run(2.0)
    seen = [v.tag for v in table.out if isinstance(v, Seen)]
    assert sorted(seen) == sorted([CARDS[0], CARDS[1], "E0040150FFFFFFFF"])
    assert sorted(moved(table.replayed()), key=repr_of) == sorted(
        moved(table.hidden()), key=repr_of
    )
    stranger = table.names.of("E0040150FFFFFFFF")
    assert stranger.startswith("E0")
    assert stranger not in ("E0040150FFFFFFFF", both)


READERS: Mapping[str, Callable[[], tuple[Wiring, Peer]]] = {
    "pn532": lambda: (Wiring("r", ("seat/1",), device="pn532"), VirtualPn532()),
    "feig": lambda: (Wiring("r", ("burn", "muck"), device="feig"), VirtualFeig(2)),
    "pepper": lambda: (Wiring("r", ("seat/1", "muck"), device="pepper"), VirtualPepper()),
    "rdm6300": lambda: (Wiring("r", ("seat/1",), device="rdm6300"), VirtualRdm6300()),
    "yrm100": lambda: (Wiring("r", ("seat/1",), device="yrm100"), VirtualYrm100()),
}
LAID: Mapping[str, list[str]] = {
    "pn532": NTAGS[:2],
    "feig": CARDS[:8],
    "pepper": CARDS[:4],
    "rdm6300": [PUCK],
    "yrm100": EPCS[:2],
}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_reader_is_played_to_the_microsecond(kind: str, seed: int) -> None:
    wiring, peer = READERS[kind]()
    table = Table((wiring, peer), seed=seed)
    table.plug()
    table.run(1.0)
    several = isinstance(peer, VirtualFeig | VirtualPepper)
    tags = peer.tags[1] if several else peer.tags  # type: ignore[attr-defined]
    for tag in LAID[kind]:
        tags.append(tag)
        table.run(0.5)
    table.disturb("r", bytes.fromhex(LAID[kind][0]) + b"\x00\x01\x02\xbb\xff")
    table.run(1.0)
    tags.remove(LAID[kind][0])
    table.run(2.5)
    table.unplug("r")
    table.run(0.5)
    table.plug()
    table.run(2.0)
    arrived = {value.tag for value in table.out if isinstance(value, Seen)}
    assert arrived == set(LAID[kind])
    assert [v for v in table.out if isinstance(v, Gone)]
    if several:
        assert sorted(table.replayed(), key=repr_of) == sorted(table.hidden(), key=repr_of)
    else:
        assert table.replayed() == table.hidden()
    nothing_is_told(table)


def test_an_inventory_that_breaks_off_is_not_told_and_playing_goes_on() -> None:
    """Of a Pepper's tags each comes in a frame of its own; here the last of them never came."""
    reader = VirtualPepper()
    table = Table((Wiring("r", ("seat/1", "muck"), device="pepper"), reader))
    table.plug()
    reader.tags[1] = CARDS[:3]
    table.run(3.0)
    inventory = reader._inventory

    def breaks_off(command: int, now: float) -> None:
        reader.trouble = 0x0A if command == 0x91 else None
        inventory(command, now)

    reader._inventory = breaks_off  # type: ignore[method-assign]
    table.run(1.0)
    reader._inventory = inventory  # type: ignore[method-assign]
    reader.trouble = None
    table.run(1.0)
    reader.tags[0] = CARDS[3:4]
    table.run(2.0)
    assert {v.tag for v in table.out if isinstance(v, Seen)} == set(CARDS[:4])
    assert sorted(moved(table.replayed()), key=repr_of) == sorted(
        moved(table.hidden()), key=repr_of
    )
    nothing_is_told(table)


def test_a_reader_that_falls_silent_is_played_so() -> None:
    chip = VirtualPn532()
    table = Table((Wiring("r", ("seat/1",), device="pn532"), chip))
    table.plug()
    chip.tags = NTAGS[:1]
    table.run(1.5)
    chip.mute = True
    table.run(5.0)
    chip.mute = False
    table.run(2.0)
    readers = [(v.zone, v.status) for v in table.out if isinstance(v, Reader)]
    assert readers == [("seat/1", "lost"), ("seat/1", "ok")]
    assert table.replayed() == table.hidden()


def test_listening_from_the_middle_of_everything_on() -> None:
    device, chip = pico(), VirtualPn532()
    table = Table(
        (Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call"))), device),
        (Wiring("r", ("muck",), device="pn532"), chip),
        seed=5,
    )
    table.plug()
    device.place(0, CARDS[0])
    chip.tags = NTAGS[:1]
    table.run(3.0)
    table.wires.unlisten(table.recorder)
    device.place(1, CARDS[1])
    device.edge(1, True, table.now)
    table.run(2.0)
    before = len(table.out)
    table.records.clear()
    t, ticked, states = table.now, table.wires.ticked, table.wires.states()
    lying = table.wires.tracked()
    table.wires.listen(table.recorder, t)
    chip.tags = NTAGS[1:2]
    device.edge(1, False, table.now)
    device.edge(0, True, table.now)
    device.take(1, CARDS[1])
    table.run(4.0)
    table.recorder.end()
    out: list[Sensed] = []
    lines = {wiring.port: Line() for wiring in table.wirings}
    known = frozenset(table.names.of(tag) for tag in KNOWN)
    wires = make_wires(table.wirings, out, t, lines.__getitem__, known)
    names = {place: [table.names.of(tag) for tag in tags] for place, tags in lying.items()}
    wires.resume(names, (), t, ticked, states)
    player = Player(table.wirings, wires, lines)
    for record in table.records:
        player.play(record)
    live = moved(table.hidden()[before:])
    assert moved(out) == live
    assert {type(value) for value in live} == {Seen, Gone, Press}


def test_ticks_go_on_in_step_with_those_before() -> None:
    wiring = Wiring("p", ("seat/1",))
    out: list[Sensed] = []
    wires = make_wires([wiring], out, 20.0, lambda _: Line(), frozenset())
    wires.resume({}, (), 20.0, 19.95, {})
    for now in (20.02, 20.04, 20.06, 20.1, 20.14, 20.16):
        wires.step(now)
    assert [value.t for value in out if isinstance(value, Tick)] == [20.06, 20.16]
    assert wires.ticked == 20.16


def test_what_is_held_back_comes_at_the_end() -> None:
    out: list[Sensed] = []
    wires = make_wires([Wiring("p", ("seat/1",))], out, 20.0, lambda _: Line(), frozenset())
    held = (Press(19.9, 1, "fold"),)
    wires.resume({}, held, 20.0, 20.0, {})
    assert out == []
    wires.finish()
    assert [(type(value), value.t) for value in out] == [(Press, 20.0)]
    wires.finish()
    assert len(out) == 1


@pytest.mark.parametrize(("speed", "presses"), [(1.0, 0), (0.5, 0), (10.0, 1)])
def test_where_time_runs_faster_the_host_may_be_so_much_later(speed: float, presses: int) -> None:
    device = pico()
    wiring = Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call")))
    table = Table((wiring, device), speed=speed)
    table.plug()
    table.run(2.0)
    device.edge(0, True, table.now)
    for _ in range(50):  # time passes here, and nothing comes
        table.now += 0.1
        table.wires.step(table.now)
    table.run(1.0)
    assert sum(isinstance(value, Press) for value in table.out) == presses
    assert table.wires.health().counters.stale_presses == 1 - presses


def test_what_was_pressed_while_this_process_stood_still_counts() -> None:
    device = pico()
    table = Table((Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call"))), device))
    table.plug()
    table.run(2.0)
    table.now += 1.0
    device.edge(0, True, table.now)
    table.now += 5.0
    table.run(1.0)
    [press] = [value for value in table.out if isinstance(value, Press)]
    assert (press.seat, press.button) == (1, "fold")
    assert table.wires.health().counters.stale_presses == 0


def stands_still(
    table: Table, seconds: float, *happens: tuple[float, Callable[[], None]], steps_first: bool
) -> None:
    """The process does, while this happens after so many seconds; then what the devices have said
    is read, port by port."""
    began, coming = table.now, list(happens)
    while table.now < began + seconds:
        while coming and table.now >= began + coming[0][0]:
            coming.pop(0)[1]()
        for port in table.ports.values():
            port.from_device += port.peer.poll(table.now)
        table.now += STEP_S
    if steps_first:
        table.wires.step(table.now)
    for name, port in table.ports.items():
        data, port.from_device = port.from_device, b""
        table.wires.received(name, data, table.now)
    if not steps_first:
        table.wires.step(table.now)
    table._due = table.now + table.wires.step_s


@pytest.mark.parametrize("steps_first", [True, False])
@pytest.mark.parametrize(("speed", "seconds"), [(1.0, 0.9), (5.0, 4.0)])
def test_what_came_while_this_process_stood_still_keeps_its_order(
    speed: float, seconds: float, steps_first: bool
) -> None:
    felt = Device(zones=2, buttons=0, boot_id=7, now=99.0, unique_id=b"felt" * 2)
    seats = Device(zones=1, buttons=1, boot_id=8, now=99.0, unique_id=b"seat" * 2)
    table = Table(
        (Wiring("felt", ("burn", "board")), felt),
        (Wiring("seats", ("seat/1",), ((1, "check"),)), seats),
        speed=speed,
    )
    table.plug()
    table.run(2.0)
    began = table.now
    stands_still(
        table,
        seconds,
        (0.2, lambda: seats.edge(0, True, table.now)),
        (0.4, lambda: felt.place(0, CARDS[0])),
        steps_first=steps_first,
    )
    felt.place(1, CARDS[1])
    table.run(2.0)
    came = [v for v in table.out if isinstance(v, Seen | Press)]
    where = [v.zone if isinstance(v, Seen) else v.button for v in came]
    assert where == ["check", "burn", "board"]
    assert came[0].t - began < 0.3
    assert came[1].t - began < 0.6
    assert not [v for v in table.out if isinstance(v, Reader) and v.t > began]
    assert table.wires.health().counters.late == 0


def test_nothing_happens_to_those_who_do_not_listen() -> None:
    device = pico()
    table = Table((Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call"))), device))
    table.plug()
    table.run(1.0)
    table.wires.unlisten(table.recorder)
    count = len(table.records)
    device.place(0, CARDS[0])
    table.run(2.0)
    assert len(table.records) == count
    device.trouble(0, ZoneFlag.INCOMPLETE)
    table.run(1.0)
    assert not [v for v in table.out if isinstance(v, Gone)]
