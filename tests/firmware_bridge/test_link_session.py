"""The host's session against a software device, with time and losses in the test's hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

import pytest

from firmware_bridge.link import messages
from firmware_bridge.link.frames import Frame, FrameDecoder, Kind, encode
from firmware_bridge.link.messages import (
    Ack,
    Button,
    Heartbeat,
    Hello,
    Identify,
    Lamp,
    SetScan,
    Zone,
    ZoneFlag,
    from_frame,
    to_frame,
)
from firmware_bridge.link.session import QueueFullError, Session, State
from firmware_bridge.link.values import (
    ButtonEdge,
    Done,
    EdgesLost,
    Lost,
    Up,
    Value,
    VersionMismatch,
    ZoneScan,
)
from firmware_bridge.virtual.device import Device
from tests.firmware_bridge.mutate_link import session

TAGS = [f"E0040150{number:08X}" for number in range(60)]
Keeps = Callable[[], bool]


def always() -> bool:
    return True


class Line:
    """A session and a device joined by a line that may lose frames; 10 ms a step."""

    def __init__(self, *, boot_id: int = 1, ticks: int = 0, keeps: Keeps = always) -> None:
        self.now = 100.0
        self.device = Device(
            zones=2, buttons=3, lamps=2, boot_id=boot_id, now=self.now, ticks=ticks
        )
        self.session = Session(self.now)
        self.decoder = FrameDecoder()
        self.keeps = keeps
        self.is_kept: Callable[[ButtonEdge], bool] = lambda _: True
        self.values: list[Value] = []

    def step(self) -> None:
        self.now = round(self.now + 0.01, 6)
        frames = self.decoder.feed(self.device.poll(self.now))
        kept = [frame for frame in frames if self.keeps()]
        values = self.session.receive(kept, self.now)
        self.values += values
        for edge in only(values, ButtonEdge):
            if self.is_kept(edge):
                self.session.keep(edge.number)
        for piece in self.session.poll(self.now).split(b"\0"):
            if self.keeps():
                self.device.receive(piece + b"\0", self.now)

    def run(self, seconds: float) -> list[Value]:
        before = len(self.values)
        for _ in range(round(seconds * 100)):
            self.step()
        return self.values[before:]

    def reboot(self, boot_id: int, ticks: int = 0) -> None:
        self.device = Device(
            zones=2, buttons=3, lamps=2, boot_id=boot_id, now=self.now, ticks=ticks
        )


V = TypeVar("V")


def only(values: list[Value], kind: type[V]) -> list[V]:
    return [value for value in values if isinstance(value, kind)]


def test_the_handshake_then_reports_with_the_host_s_times() -> None:
    line = Line(ticks=2**32 - 500_000)
    line.device.place(1, TAGS[0])
    values = line.run(2.0)
    [up] = only(values, Up)
    assert (up.hello.zones, up.hello.buttons, up.rebooted) == (2, 3, False)
    assert line.session.state is State.UP
    scans = [scan for scan in only(values, ZoneScan) if scan.zone == 1]
    assert all(scan.tags == (TAGS[0],) and scan.complete for scan in scans)
    assert [scan.t for scan in scans] == sorted(scan.t for scan in scans)
    line.device.place(0, TAGS[1])
    placed = line.now
    [first, *_] = [scan for scan in only(line.run(0.2), ZoneScan) if scan.tags == (TAGS[1],)]
    assert placed <= first.t <= placed + 0.15
    assert line.session.clock_error < 0.01


def test_a_zone_is_reported_at_every_scan_after_a_change_and_else_once_a_second() -> None:
    line = Line()
    line.run(3.0)
    quiet = [scan for scan in only(line.run(3.0), ZoneScan) if scan.zone == 0]
    assert len(quiet) == 3
    line.device.place(0, TAGS[0])
    busy = [scan for scan in only(line.run(1.0), ZoneScan) if scan.zone == 0]
    assert len(busy) in (8, 9)


def test_sets_larger_than_a_frame_come_whole() -> None:
    line = Line()
    for tag in TAGS:
        line.device.place(0, tag)
    scans = [scan for scan in only(line.run(1.0), ZoneScan) if scan.zone == 0]
    assert len(scans) > 5
    assert all(sorted(scan.tags) == TAGS for scan in scans)


def test_a_lost_part_costs_its_scan_and_nothing_else() -> None:
    line = Line()
    line.run(1.0)
    ticks = line.device.ticks(line.now)
    parts = messages.zone_parts(0, ticks, TAGS)
    later = messages.zone_parts(0, ticks + 10, TAGS[:30])
    now = line.now + 0.01
    frames = [to_frame(part, ticks=ticks + 20) for part in (*parts[:2], *reversed(later))]
    [scan] = line.session.receive(frames, now)
    assert isinstance(scan, ZoneScan)
    assert sorted(scan.tags) == TAGS[:30]
    assert line.session.counters.parts_lost == 1
    assert line.session.receive(frames[2:], now) == []


def test_what_an_incomplete_or_failed_scan_is_worth() -> None:
    line = Line()
    line.device.place(0, TAGS[0])
    line.device.trouble(0, ZoneFlag.INCOMPLETE)
    line.device.trouble(1, ZoneFlag.FAILED)
    scans = only(line.run(1.0), ZoneScan)
    assert {(s.zone, s.tags, s.complete, s.failed) for s in scans} == {
        (0, (TAGS[0],), False, False),
        (1, (), False, True),
    }


def test_a_second_hello_is_neither_a_gap_nor_silence() -> None:
    session = Session(0.0)
    hello = Hello(7, b"12345678", 1, 0, "x")

    def frame(message: Hello | Heartbeat, seq: int) -> Frame:
        return to_frame(message, seq=seq, ticks=seq)

    assert isinstance(session.receive([frame(hello, 1)], 0.1)[0], Up)
    assert session.receive([frame(hello, 2)], 2.9) == []
    assert session.receive([frame(Heartbeat(7, 0, 0), 3)], 5.8) == []
    assert (session.counters.gaps, session.counters.losses) == (0, 0)


def test_parts_of_different_scans_do_not_mix() -> None:
    line = Line()
    line.run(1.0)
    ticks = line.device.ticks(line.now)
    first = messages.zone_parts(0, ticks, TAGS[:40])
    second = messages.zone_parts(0, ticks + 10, TAGS[20:])
    frames = [to_frame(part, ticks=ticks + 20) for part in (first[0], second[1])]
    assert line.session.receive(frames, line.now + 0.01) == []
    [scan] = line.session.receive([to_frame(second[0], ticks=ticks + 20)], line.now + 0.01)
    assert isinstance(scan, ZoneScan)
    assert sorted(scan.tags) == TAGS[20:]


def test_edges_come_once_and_in_order_over_a_line_that_loses_a_third() -> None:
    dice = random.Random(1)
    line = Line(keeps=lambda: dice.random() > 1 / 3)
    line.run(2.0)
    pressed: list[tuple[float, int, bool]] = []
    for number in range(60):
        edge = (line.now, number % 3, number % 2 == 0)
        line.device.edge(edge[1], edge[2], line.now)
        pressed.append(edge)
        line.run(0.15)
    line.run(3.0)
    edges = only(line.values, ButtonEdge)
    assert [(e.button, e.pressed) for e in edges] == [(b, p) for _, b, p in pressed]
    assert all(abs(e.t - t) < 0.02 for e, (t, _, _) in zip(edges, pressed, strict=True))
    assert line.session.counters.edges_repeated > 0
    assert line.session.counters.edges_lost == 0
    assert line.session.counters.gaps > 0


def test_edges_beyond_the_ring_are_reported_as_lost() -> None:
    line = Line()
    line.run(1.0)
    line.keeps = lambda: False
    for _ in range(40):
        line.device.edge(0, True, line.now)
    line.step()
    line.keeps = always
    values = line.run(0.5)
    assert [value.count for value in only(values, EdgesLost)] == [8]
    assert len(only(values, ButtonEdge)) == 32
    beats = line.run(1.2)
    assert not only(beats, ButtonEdge)
    assert line.session.heartbeat
    assert line.session.heartbeat.edges_lost == 8


def test_a_new_host_gets_the_edges_no_one_receipted() -> None:
    line = Line()
    line.run(1.0)
    for _ in range(5):
        line.device.edge(0, True, line.now)
        line.run(0.1)
    line.keeps = lambda: False
    line.device.edge(2, True, line.now)
    line.step()
    line.session = Session(line.now)
    line.keeps = always
    assert [edge.button for edge in only(line.run(1.0), ButtonEdge)] == [2]
    assert line.session.counters.edges_lost == 0


def test_an_edge_comes_once_and_is_another_hosts_too_until_it_is_kept() -> None:
    line = Line()
    line.is_kept = lambda edge: edge.button != 1
    for button in (0, 1, 2):
        line.run(1.0)
        line.device.edge(button, True, line.now)
    first = only(line.run(5.0), ButtonEdge)
    line.session = Session(line.now)
    second = only(line.run(1.0), ButtonEdge)
    assert [(edge.button, edge.number) for edge in second] == [(1, 2), (2, 3)]
    assert [edge.number for edge in only(line.values, ButtonEdge)] == [1, 2, 3, 2, 3]
    assert abs(second[0].t - (first[0].t - 1.0)) < 0.05
    line.session.keep(2)
    line.run(0.1)
    line.session = Session(line.now)
    assert not only(line.run(1.0), ButtonEdge)


@pytest.mark.parametrize("uptime", [1.0, 60.0])
def test_a_reboot_in_mid_stream_is_seen_and_edges_begin_anew(uptime: float) -> None:
    line = Line()
    line.device.edge(0, True, line.now)
    line.run(uptime)
    line.device.edge(0, True, line.now)
    line.run(0.1)
    line.reboot(2)
    line.device.edge(1, True, line.now)
    values = line.run(1.0)
    assert [up.rebooted for up in only(values, Up)] == [True]
    assert [edge.button for edge in only(values, ButtonEdge)] == [1]
    assert line.session.counters.reboots == 1
    assert all(abs(scan.t - line.now) < 1.1 for scan in only(values, ZoneScan))


@pytest.mark.parametrize("ticks", [0, 2**31 + 12_345])
def test_a_reboot_whose_hello_is_lost_is_seen_by_its_ticks_or_its_heartbeat(ticks: int) -> None:
    line = Line(ticks=ticks)
    line.run(20.0)
    line.reboot(2)
    line.device.poll(line.now)
    values = line.run(1.5)
    assert [up.rebooted for up in only(values, Up)] == [True]
    assert all(0 <= line.now - scan.t < 1.6 for scan in only(values, ZoneScan))


def test_a_reboot_whose_ticks_run_on_is_seen_by_its_heartbeat() -> None:
    line = Line()
    line.run(3.0)
    line.reboot(2, ticks=line.device.ticks(line.now))
    line.device.poll(line.now)
    assert [up.rebooted for up in only(line.run(1.5), Up)] == [True]


def test_three_silent_seconds_lose_the_link_once_and_it_comes_back() -> None:
    line = Line()
    line.device.place(0, TAGS[0])
    line.run(0.8)
    line.keeps = lambda: False
    assert not only(line.run(2.8), Lost)
    [lost] = only(line.run(5.0), Lost)
    assert lost.t - 100.8 == pytest.approx(3.0, abs=0.13)
    assert "silent for 3 s" in lost.reason
    line.keeps = always
    assert [up.rebooted for up in only(line.run(1.0), Up)] == [False]


def test_a_dropped_port_loses_the_link_at_once_and_only_if_it_was_up() -> None:
    line = Line()
    assert line.session.dropped(line.now, "gone") == []
    line.run(1.0)
    line.session.command(Identify(3))
    values = line.session.dropped(line.now, "gone")
    assert values == [
        Lost(line.now, "gone"),
        Done(line.now, Identify(3), "unanswered", "the link is lost"),
    ]
    assert line.session.dropped(line.now, "gone") == []


def test_commands_are_carried_out_once_each_over_a_lossy_line() -> None:
    dice = random.Random(4)
    line = Line()
    line.run(1.0)
    line.keeps = lambda: dice.random() > 0.25
    lamps = [Lamp(number % 2, number, 0, 0) for number in range(20)]
    for lamp in lamps:
        line.session.command(lamp)
    values = line.run(12.0)
    assert [done.command for done in only(values, Done)] == lamps
    assert {done.outcome for done in only(values, Done)} == {"ok"}
    assert line.device.lamps == lamps[-2:]
    assert line.session.counters.retries > 0


def test_a_repeated_command_is_answered_and_not_carried_out_again() -> None:
    line = Line()
    line.run(1.0)
    command = encode(to_frame(Identify(10), seq=7))
    line.device.receive(command, line.now)
    until = line.device.identify_until
    line.device.poll(line.now)
    line.device.receive(command, line.now + 1)
    assert line.device.identify_until == until
    [answer] = FrameDecoder().feed(line.device.poll(line.now))
    assert (from_frame(answer), answer.ack) == (Ack(0x45), 7)


def test_refused_and_unanswered_commands_say_so() -> None:
    line = Line()
    line.run(1.0)
    line.session.command(Lamp(9, 1, 1, 1))
    line.session.command(SetScan(50))
    assert [(done.outcome, done.text) for done in only(line.run(0.1), Done)] == [
        ("refused", "out of range"),
        ("ok", ""),
    ]
    assert line.device.cycle == 0.05
    line.keeps = lambda: False
    line.session.command(Identify(1))
    began = line.now
    [done] = only(line.run(1.5), Done)
    assert (done.outcome, done.text) == ("unanswered", "asked 4 times")
    assert done.t - began == pytest.approx(0.8, abs=0.03)


def test_answers_to_something_else_count_for_nothing() -> None:
    line = Line()
    line.run(1.5)
    error = line.session.clock_error
    line.keeps = lambda: False
    line.session.command(Identify(1))
    line.step()
    ticks = line.device.ticks(line.now)
    frames = [
        to_frame(Ack(0x45), ack=77, ticks=ticks),
        to_frame(Ack(0x44), ack=1, ticks=ticks),
        to_frame(messages.Time(ticks), ack=77, ticks=ticks),
    ]
    line.session.poll(line.now + 1)
    assert line.session.receive(frames, line.now) == []
    assert line.session.counters.unexpected == 3
    assert line.session.clock_error == pytest.approx(error, abs=0.001)
    [done] = line.session.receive([to_frame(Ack(0x45), ack=1, ticks=ticks)], line.now)
    assert isinstance(done, Done)


def test_an_edge_nobody_takes_for_a_minute_is_dropped() -> None:
    line = Line(keeps=lambda: False)
    line.device.edge(0, True, line.now)
    line.run(59.0)
    line.device.edge(1, True, line.now)
    line.run(2.0)
    line.keeps = always
    assert [edge.button for edge in only(line.run(1.5), ButtonEdge)] == [1]
    assert line.session.heartbeat
    assert line.session.heartbeat.edges_lost == 1


def test_the_queue_of_commands_is_capped() -> None:
    session = Session(0.0)
    for _ in range(32):
        session.command(Identify(1))
    with pytest.raises(QueueFullError):
        session.command(Identify(1))


def test_another_version_is_told_in_plain_words_once() -> None:
    session = Session(0.0)
    newer = Frame(Kind.REPORT, 0x01, b"", version=2)
    [mismatch] = session.receive([newer, newer], 0.1)
    assert isinstance(mismatch, VersionMismatch)
    assert mismatch.text == (
        "the device speaks protocol version 2, this program version 1: update this program"
    )
    assert session.receive([newer], 0.2) == []
    assert session.state is State.WRONG_VERSION
    [older] = session.receive([Frame(Kind.REPORT, 0x01, b"", version=0)], 0.3)
    assert isinstance(older, VersionMismatch)
    assert older.text.endswith("update the device's firmware")
    hello = to_frame(Hello(1, bytes(8), 1, 0, "x"))
    assert len(only(session.receive([hello], 0.4), Up)) == 1


def test_what_can_t_be_used_is_counted_by_cause() -> None:
    line = Line()
    scan = to_frame(Zone(0, 0), ticks=10)
    line.session.receive([scan], line.now)
    assert line.session.counters.early == 1
    line.run(1.0)
    line.session.receive([Frame(Kind.REPORT, 0x30)], line.now)
    line.session.receive([Frame(Kind.REPORT, 0x03, b"\1")], line.now)
    line.session.receive([to_frame(Identify(1))], line.now)
    counters = line.session.counters
    assert (counters.unknown, counters.malformed, counters.unexpected) == (1, 1, 1)


def test_times_that_can_t_be_are_refused() -> None:
    line = Line()
    line.run(2.0)
    ticks = line.device.ticks(line.now)
    frames = [
        to_frame(Zone(0, ticks + 50_000_000), ticks=ticks),
        to_frame(Zone(1, (ticks - 20_000_000) % 2**32), ticks=ticks),
        to_frame(Button(1, 1, ticks + 9_000_000, 0, True), ticks=ticks),
    ]
    values = line.session.receive(frames, line.now)
    assert [type(value) for value in values] == [EdgesLost]
    assert line.session.counters.implausible == 3


def test_any_messages_in_any_order_do_no_harm() -> None:
    dice = random.Random(9)
    session = Session(0.0)
    t = 0.0
    seen: set[str] = set()
    for _ in range(20_000):
        t += dice.expovariate(50)
        message = dice.choice(
            (
                Hello(dice.randrange(3), bytes(8), 2, 2, "x", next_edge=dice.randrange(1, 9)),
                Heartbeat(dice.randrange(3), 1, 1),
                Zone(dice.randrange(256), dice.randrange(2**32), (), 0, dice.randrange(3), 3),
                Button(
                    5 + dice.randrange(5), 1 + dice.randrange(5), dice.randrange(2**32), 1, True
                ),
                Ack(dice.randrange(256)),
                messages.Time(dice.randrange(2**32)),
            )
        )
        ticks = dice.choice((int(t * 1e6), dice.randrange(2**32)))
        frame = to_frame(message, seq=dice.randrange(256), ack=dice.randrange(256), ticks=ticks)
        seen |= {type(value).__name__ for value in session.receive([frame], t)}
        session.poll(t)
    assert {"Up", "EdgesLost"} <= seen


def test_values_do_not_name_tags() -> None:
    assert TAGS[1] not in repr(ZoneScan(1.0, 0, (TAGS[1],)))


def test_disturbed_frames_do_a_session_no_harm() -> None:
    """20 000 here; `python -m tests.firmware_bridge.mutate_link` hears a million."""
    states = set()
    for driver in session(random.Random(2), 20_000):
        states.add(driver.state)
    decoder, counters = driver.decoder, driver.counters
    assert states == set(State)
    assert min(decoder.frames, decoder.bad_crc, decoder.bad_cobs, decoder.other_version) > 100
    assert min(counters.malformed, counters.unknown, counters.implausible) > 10
