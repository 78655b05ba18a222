"""What crosses the wires, recorded and played again: every kind of device, with bytes that come in
any portions and noise between them. Time is simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import pytest

from firmware_bridge.capture import Received, Sent
from firmware_bridge.link.frames import FrameDecoder
from firmware_bridge.link.messages import Zone, ZoneFlag, from_frame
from firmware_bridge.playback import Line, Player
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pepper.virtual import VirtualPepper
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.readers.yrm100.virtual import VirtualYrm100
from firmware_bridge.sensed import Gone, Press, Reader, Seen, Sensed, Tick
from firmware_bridge.wires import Standing
from firmware_bridge.wiring import Wiring
from tests.firmware_bridge.recorded_table import (
    CARDS,
    EPCS,
    KNOWN,
    NTAGS,
    PUCK,
    Peer,
    Table,
    make_wires,
    pico,
)


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
    t, standing = table.now, table.wires.standing()
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
    wires.resume(names, (), t, standing)
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
    wires.resume({}, (), 20.0, Standing(ticked=19.95))
    for now in (20.02, 20.04, 20.06, 20.1, 20.14, 20.16):
        wires.step(now)
    assert [value.t for value in out if isinstance(value, Tick)] == [20.06, 20.16]
    assert wires.standing().ticked == 20.16


def test_who_did_not_keep_up_as_listening_began_is_played_so() -> None:
    """The first step that comes late reads first, and the Tick waits for the next."""
    live: list[Sensed] = []
    wires = make_wires([Wiring("p", ("seat/1",))], live, 20.0, lambda _: Line(), frozenset())
    wires.step(20.0)
    standing = wires.standing()
    again: list[Sensed] = []
    others = make_wires([Wiring("p", ("seat/1",))], again, 20.2, lambda _: Line(), frozenset())
    others.resume({}, (), 20.2, standing)
    for each in (wires, others):
        for now in (20.3, 20.35, 20.4, 20.46):
            each.step(now)
    assert [value.t for value in live] == [20.35, 20.46]
    assert again == live


@pytest.mark.parametrize("given", [19.9, 19.95])
def test_what_is_held_back_comes_at_the_end(given: float) -> None:
    """No later than it was, unless something later has been given out."""
    out: list[Sensed] = []
    wires = make_wires([Wiring("p", ("seat/1",))], out, 20.0, lambda _: Line(), frozenset())
    held = (Press(19.9, 1, "fold"),)
    wires.resume({}, held, 20.0, Standing(given=given))
    assert out == []
    wires.finish()
    assert [(type(value), value.t) for value in out] == [(Press, given)]
    wires.finish()
    assert len(out) == 1


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
