"""The firmware's end of the link, run for real: handshake, edges, commands, losses, boots."""

from __future__ import annotations

import shutil
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest
import serial

from firmware_bridge.link.frames import FrameDecoder, Kind, encode
from firmware_bridge.link.messages import (
    Button,
    Heartbeat,
    Hello,
    Identify,
    Lamp,
    SetScan,
    TimeQuery,
    Zone,
    from_frame,
    to_frame,
)
from firmware_bridge.link.values import (
    ButtonEdge,
    Done,
    EdgesLost,
    Up,
    VersionMismatch,
    ZoneScan,
)
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import FIRMWARE, SimulatedPico
from firmware_bridge.seat_lamps import Signal, show
from tests.firmware_pico.host import Host, edited, flawless, until_said
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.usefixtures("micropython")

TAG = "E004015000A1B2C3"


def edges(host: Host) -> list[tuple[int, bool]]:
    return [(edge.button, edge.pressed) for edge in host.got(ButtonEdge)]


# --- handshake --------------------------------------------------------------------------------


def test_it_says_hello_before_anything_else() -> None:
    with SimulatedPico() as pico, serial.Serial(pico.port, timeout=PATIENCE_S) as line:
        data = line.read(60)
        assert data[0] == 0
        frame = FrameDecoder().feed(data)[0]
        assert frame.kind == Kind.REPORT
        assert isinstance(from_frame(frame), Hello)


def test_it_says_what_it_is() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        hello = host.up().hello
        assert hello == Hello(
            boot_id=hello.boot_id,
            unique_id=b"SIM\0PICO",
            zones=3,
            buttons=10,
            lamps=3,
            firmware="cutcard-pico 1.0",
            cycle_ms=160,
            next_edge=1,
            reset=1,
            revision=1,
        )
        flawless(pico)


def test_all_zones_are_reported_to_a_host_that_comes_anew() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.during(1.3)
        host.line.close()

        def all_at_once() -> bool:
            with Host(pico.port) as again:
                again.up()
                again.until(lambda: {scan.zone for scan in again.got(ZoneScan)} == {0, 1, 2})
                told = [(frame.ticks, from_frame(frame)) for frame in again.frames]
            hello = next(ticks for ticks, message in told if isinstance(message, Hello))
            zones = {m.zone: ticks for ticks, m in reversed(told) if isinstance(m, Zone)}
            return all((ticks - hello) % (1 << 32) < 500_000 for ticks in zones.values())

        wait_until(all_at_once)


def test_another_version_is_said_plainly(tmp_path: Path) -> None:
    other = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, other, ignore=shutil.ignore_patterns("sim", "__pycache__"))
    edited(
        FIRMWARE / "frames.py", other / "frames.py", ("VERSION = const(1)", "VERSION = const(2)")
    )
    with SimulatedPico(firmware=other) as pico, Host(pico.port) as host:
        host.until(lambda: host.got(VersionMismatch))
        [mismatch] = host.got(VersionMismatch)
        assert mismatch.text == (
            "the device speaks protocol version 2, this program version 1: update this program"
        )


def test_a_frame_of_another_version_is_counted_and_ignored() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.line.write(encode(to_frame(TimeQuery())).replace(b"\x12", b"\x22", 1))
        frame = to_frame(Identify(1), seq=9)
        host.line.write(
            encode(type(frame)(frame.kind, frame.msg, frame.payload, frame.seq, version=3))
        )
        host.until(lambda: host.session.heartbeat and host.session.heartbeat.rx_unknown == 1)
        assert host.session.heartbeat
        assert host.session.heartbeat.rx_bad == 1  # the first one's CRC no longer fits
        assert not pico.board.pixels or set(pico.board.pixels) == {(0, 0, 0)}


# --- buttons ----------------------------------------------------------------------------------


def test_a_press_is_two_edges_whatever_the_contact_does() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.during(1.2)  # the clock is mapped

        def is_in_time() -> bool:
            known, begin = len(edges(host)), time.monotonic()
            pico.press(4, bounces=4, hold=0.15)
            host.during(0.8)
            host.until(lambda: len(edges(host)) == known + 2)
            assert edges(host)[known:] == [(4, True), (4, False)]
            down, up = host.got(ButtonEdge)[known:]
            return abs(down.t - begin) < 0.03 and abs(up.t - down.t - 0.15) < 0.03

        wait_until(is_in_time)
        flawless(pico)


def test_a_press_is_seen_by_firmware_that_the_host_did_not_let_run() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        pico.frozen = True
        pico.press(3)
        time.sleep(0.2)
        pico.frozen = False
        host.until(lambda: len(edges(host)) == 2)
        assert edges(host) == [(3, True), (3, False)]


def test_a_spike_is_no_press() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        pico.press(1, hold=0.008)
        pico.press(2)
        host.until(lambda: len(edges(host)) == 2)
        assert edges(host) == [(2, True), (2, False)]


def test_buttons_of_one_moment_keep_their_order_over_a_bad_line() -> None:
    with SimulatedPico() as pico, Host(pico.port, lose=0.3, seed=4) as host:
        host.up()
        for moves, held in enumerate((True, False), 1):
            for button in range(10):
                pico.board.touch(button, (0.03 * button, held))
            host.until(partial(lambda wanted: len(edges(host)) >= wanted, 10 * moves))
        host.during(0.4)
        assert edges(host) == [(button, held) for held in (True, False) for button in range(10)]
        assert not host.got(EdgesLost)
        assert host.decoder.counters.noise_bytes > 0
        flawless(pico)


def test_an_edge_is_sent_again_until_its_receipt() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        deaf = host.line.write
        host.line.write = lambda _: None  # type: ignore[method-assign,assignment]
        pico.press(7)

        def sent(edge: int) -> int:
            told = [m for m in map(from_frame, host.frames) if isinstance(m, Button)]
            return len([m for m in told if m.edge == edge])

        host.until(lambda: sent(1) >= 4 and sent(2) >= 2)
        assert edges(host) == [(7, True), (7, False)]
        host.line.write = deaf  # type: ignore[method-assign]
        pico.press(8)
        host.until(lambda: len(edges(host)) == 4)
        host.during(0.3)
        begin = len(host.frames)
        host.during(0.3)
        assert not [f for f in host.frames[begin:] if f.msg == 4]


def test_what_the_ring_cannot_hold_is_counted() -> None:
    with SimulatedPico() as pico:
        with Host(pico.port) as host:
            host.up()
        for number in range(20):
            at = 0.06 * number
            pico.board.touch(number % 10, (at, True), (at + 0.2, False))
        time.sleep(2.5)
        with Host(pico.port) as again:
            again.session.hello = host.session.hello
            again.up()
            again.until(lambda: len(edges(again)) == 32)
            [lost] = again.got(EdgesLost)
            assert 1 <= lost.count <= 8
            again.until(lambda: again.session.heartbeat)
            assert again.session.heartbeat
            assert again.session.heartbeat.edges_lost == lost.count


# --- commands ---------------------------------------------------------------------------------


def outcome(host: Host) -> Done:
    host.until(lambda: host.got(Done))
    return host.got(Done)[-1]


def test_lamps_show_what_was_asked() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.session.command(Lamp(1, 255, 128, 3))
        assert outcome(host).outcome == "ok"
        host.until(lambda: pico.board.pixels == ((0, 0, 0), (255, 128, 3), (0, 0, 0)))
        host.session.command(Lamp(1, 0, 9, 0, blink_ms=100))
        host.until(lambda: pico.board.pixels[1:2] == ((0, 9, 0),))

        def blinks() -> bool:
            seen: list[tuple[int, int, int]] = []
            end = time.monotonic() + 0.55
            while time.monotonic() < end:
                host.step()
                if not seen or seen[-1] != pico.board.pixels[1]:
                    seen.append(pico.board.pixels[1])
            assert set(seen) <= {(0, 9, 0), (0, 0, 0)}
            return 5 <= len(seen) <= 8

        wait_until(blinks)
        flawless(pico)


def test_lamps_are_dark_while_the_host_is_silent(tmp_path: Path) -> None:
    other = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, other, ignore=shutil.ignore_patterns("sim", "__pycache__"))
    sooner = ("SILENT_US = const(3000000)", "SILENT_US = const(1200000)")
    edited(FIRMWARE / "lamps.py", other / "lamps.py", sooner)
    with SimulatedPico(firmware=other) as pico, Host(pico.port) as host:
        host.up()
        host.session.command(Lamp(0, 1, 2, 3))
        host.until(lambda: pico.board.pixels and pico.board.pixels[0] == (1, 2, 3))
        wait_until(lambda: pico.board.pixels[:1] == ((0, 0, 0),))
        host.until(lambda: pico.board.pixels[:1] == ((1, 2, 3),))


def test_identify_blinks_all_lamps_for_so_long() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.session.command(Identify(1))
        host.until(lambda: set(pico.board.pixels) == {(0, 0, 64)})
        host.during(1.2)

        def is_dark() -> bool:
            lit = set(pico.board.pixels)
            end = time.monotonic() + 0.6
            while time.monotonic() < end:
                host.step()
                lit |= set(pico.board.pixels)
            return lit == {(0, 0, 0)}

        wait_until(is_dark)


def test_the_scan_rate_is_set() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.session.command(SetScan(400))
        assert outcome(host).outcome == "ok"
        near = pytest.approx(400_000, rel=0.1)
        host.until(lambda: host.session.heartbeat and host.session.heartbeat.cycle_us == near)


@pytest.mark.parametrize(
    ("msg", "payload", "reason"),
    [
        (0x4F, b"", 1),
        (0x44, bytes(5), 2),
        (0x43, b"\1", 2),
        (0x45, b"", 2),
        (0x44, b"\3" + bytes(5), 3),
    ],
)
def test_what_it_cannot_do_it_refuses(msg: int, payload: bytes, reason: int) -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.line.write(encode(type(to_frame(Identify(0)))(3, msg, payload, seq=77)))
        host.until(lambda: [f for f in host.frames if (f.msg, f.ack) == (6, 77)])
        [nak] = [f for f in host.frames if (f.msg, f.ack) == (6, 77)]
        assert nak.payload == bytes((msg, reason))


def test_a_repeated_command_is_answered_again_and_done_once() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.line.write(encode(to_frame(Lamp(0, 5, 5, 5), seq=50)))
        host.until(lambda: pico.board.pixels[:1] == ((5, 5, 5),))
        host.line.write(encode(to_frame(Lamp(0, 6, 6, 6), seq=50)))
        host.until(lambda: len([f for f in host.frames if (f.msg, f.ack) == (5, 50)]) == 2)
        host.during(0.1)
        assert pico.board.pixels[0] == (5, 5, 5)


def test_the_longest_frame_there_is() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        lamp = to_frame(Lamp(2, 3, 3, 3), seq=3)
        longest = type(lamp)(lamp.kind, lamp.msg, lamp.payload + b"\3" * 234, lamp.seq)
        assert len(encode(longest)) == 252
        host.line.write(encode(longest))
        host.until(lambda: pico.board.pixels and pico.board.pixels[2] == (3, 3, 3))


# --- load and noise ---------------------------------------------------------------------------


def test_thousands_of_queries_are_all_answered_while_it_scans() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(0, TAG)
        host.sees(0, TAG)
        begin = len(host.frames)
        for first in range(0, 3000, 20):
            for number in range(first, first + 20):
                host.line.write(encode(to_frame(TimeQuery(), seq=number & 255)))
            host.until(partial(lambda wanted: _count(host, begin, 7) >= wanted, first + 20))
        beat = host.session.heartbeat
        assert beat
        assert (beat.rx_bad, beat.rx_unknown, beat.tx_dropped) == (0, 0, 0)
        assert host.decoder.counters.noise_bytes == 0
        host.sees(0, TAG)
        flawless(pico)


def _count(host: Host, begin: int, msg: int) -> int:
    return len([frame for frame in host.frames[begin:] if frame.msg == msg])


def test_bytes_of_all_kinds_and_ctrl_c_do_no_harm() -> None:
    random = Random(5)
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        for _ in range(60):
            host.line.write(random.randbytes(random.randrange(300)))
            host.line.write(b"\3" * random.randrange(300))
            host.step()
        assert not pico.minds_ctrl_c()
        pico.press(3)
        host.until(lambda: len(edges(host)) == 2)
        host.until(lambda: host.session.heartbeat and host.session.heartbeat.rx_bad > 30)
        assert pico.boots == 1
        flawless(pico)


def test_what_a_clogged_line_does_not_take_is_dropped_in_whole_frames() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(0, TAG)
        host.sees(0, TAG)
        for _ in range(7000):
            host.line.write(encode(to_frame(TimeQuery(), seq=1)))
        time.sleep(0.5)  # by now the answers have filled all buffers
        begin = len(host.frames)

        def all_are_counted() -> bool:
            beat = host.session.heartbeat
            return bool(beat and beat.tx_dropped + _count(host, begin, 7) >= 7000)

        host.until(all_are_counted)
        assert host.session.heartbeat
        assert host.session.heartbeat.tx_dropped
        assert host.decoder.counters.noise_bytes <= 252
        assert host.decoder.counters.frames == len(host.frames)
        pico.air.take(0, TAG)
        host.sees(0)
        assert pico.boots == 1
        flawless(pico)


# --- time, boots and losses -------------------------------------------------------------------


def test_a_heartbeat_comes_every_second_though_its_tick_counter_wraps() -> None:
    began = time.monotonic()
    with SimulatedPico(ticks=(1 << 30) - 1_500_000) as pico, Host(pico.port) as host:
        hello = host.up().hello

        def heard() -> list[Heartbeat]:
            return [m for m in map(from_frame, host.frames) if isinstance(m, Heartbeat)]

        host.until(lambda: len(heard()) >= 3)
        beats = heard()
        assert len(beats) <= time.monotonic() - began + 1
        assert {beat.boot_id for beat in beats} == {hello.boot_id}
        assert [beat.uptime_s for beat in beats] == sorted({beat.uptime_s for beat in beats})
        assert beats[-1].cycle_us > 0

        def is_in_time() -> bool:
            known, begin = len(edges(host)), time.monotonic()
            pico.press(0, hold=1.0)
            host.until(lambda: len(edges(host)) == known + 2)
            is_near = abs(host.got(ButtonEdge)[known].t - begin) < 0.03
            return is_near and host.session.clock_error < 0.02

        wait_until(is_in_time)
        assert host.session.counters.implausible == 0
        assert host.session.counters.reboots == 0


def test_a_power_failure_is_a_new_boot_and_all_is_told_again() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(0, TAG)
        before = host.up().hello
        host.sees(0, TAG)
        pico.press(1)
        host.until(lambda: len(edges(host)) == 2)
        pico.reboot()
        host.until(lambda: len(host.got(Up)) == 2)
        up = host.got(Up)[-1]
        assert up.rebooted
        assert up.hello.boot_id != before.boot_id
        assert up.hello.unique_id == before.unique_id
        host.sees(0, TAG)
        pico.press(2)
        host.until(lambda: len(edges(host)) == 4)
        assert edges(host)[2:] == [(2, True), (2, False)]
        flawless(pico)


def test_the_watchdog_wakes_what_stands_still() -> None:
    with SimulatedPico(watchdog_scale=0.5) as pico, Host(pico.port) as host:
        pico.air.place(0, TAG)
        host.sees(0, TAG)
        pico.frozen = True
        host.until(lambda: len(host.got(Up)) == 2)
        assert host.got(Up)[1].rebooted
        assert host.got(Up)[1].hello.reset == 3
        host.sees(0, TAG)
        assert pico.boots == 2
        flawless(pico)


def test_the_watchdog_wakes_what_no_longer_scans(tmp_path: Path) -> None:
    other = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, other, ignore=shutil.ignore_patterns("sim", "__pycache__"))
    edited(
        FIRMWARE / "scheduler.py",
        other / "scheduler.py",
        (
            "        while self._clock() < t:\n            self.alive_at = self._clock()\n",
            "        while True:\n",
        ),
    )
    edited(FIRMWARE / "device.py", other / "device.py", ("const(6000000)", "const(600000)"))
    with SimulatedPico(firmware=other, watchdog_scale=0.1) as pico, Host(pico.port) as host:
        host.until(lambda: len(host.got(Up)) >= 2)
        assert host.got(Up)[1].hello.reset == 3
        assert not pico.crashes


def test_a_pin_wired_twice_is_said_by_its_name(tmp_path: Path) -> None:
    doubled = edited(wiring.SHIPPED, tmp_path / "doubled.py", ("(2, 3, 4,", "(2, 3, 21,"))
    with SimulatedPico(believed=doubled) as pico, serial.Serial(pico.port, timeout=0) as line:
        said = until_said(line, "ValueError: GPIO 21 is wired twice: reader 0 reset, button")
        assert "Traceback" in said


def test_a_jumper_keeps_the_firmware_from_the_repl() -> None:
    pico = SimulatedPico()
    pico.board.jumper = True
    with pico, serial.Serial(pico.port, timeout=0) as line:
        wait_until(lambda: pico.crashes)
        assert line.read(100) == b""
        assert pico.crashes == ["it ended with 0"]


def test_no_frame_names_a_tag_that_is_not_there() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(0, TAG)
        host.sees(0, TAG)
        host.during(0.5)
        zones = [m for m in map(from_frame, host.frames) if isinstance(m, Zone)]
        assert {tag for zone in zones for tag in zone.tags} == {TAG}
        assert {scan.zone for scan in host.got(ZoneScan)} == {0, 1, 2}


def test_a_seat_is_told_its_turn_apart_from_the_floor() -> None:
    shown: dict[Signal, set[tuple[int, int, int]]] = {}
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        for signal in (Signal.TURN, Signal.FLOOR, Signal.DARK):
            done = len(host.got(Done))
            host.session.command(show(1, signal))
            host.until(
                lambda s=signal, n=done: (  # type: ignore[misc]
                    len(host.got(Done)) > n and pico.board.pixels[1:2] == (s.value[:3],)
                )
            )
            shown[signal] = set()
            colours = 2 if signal is Signal.FLOOR else 1  # it blinks
            end = time.monotonic() + 0.4
            while time.monotonic() < end or len(shown[signal]) < colours:
                host.step()
                shown[signal].add(pico.board.pixels[1])
    assert shown == {
        Signal.TURN: {(64, 64, 48)},
        Signal.FLOOR: {(128, 0, 0), (0, 0, 0)},
        Signal.DARK: {(0, 0, 0)},
    }
