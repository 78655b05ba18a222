"""Devices that are unplugged, come back under other names, swap them, are killed or replaced."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import sys
import time
import tty
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import msgspec

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.link.frames import Kind, encode
from firmware_bridge.link.messages import Hello, Identify, Lamp, SetScan, Zone, ZoneFlag, to_frame
from firmware_bridge.presence import Thresholds
from firmware_bridge.sensed import Gone, Press, Reader, SeatButton, Seen, Sensed
from firmware_bridge.virtual.table import VirtualTable
from tests.waiting import until

SPEED = 4.0
LEFT, RIGHT = ("seat/1", "seat/2", "board"), ("seat/3", "seat/4", "muck")
BUTTONS: tuple[tuple[int, SeatButton], ...] = ((1, "check"), (1, "fold"))
TAGS = [f"E0040150{number:08X}" for number in range(8)]
ID = bytes.fromhex("E6616407E3A12B2F")


def clock() -> float:
    return time.monotonic() * SPEED


def sleep(seconds: float) -> Awaitable[None]:
    return asyncio.sleep(seconds / SPEED)


def board(path: Path, *, zones: tuple[str, ...] = LEFT, unique_id: bytes = ID) -> VirtualTable:
    return VirtualTable(
        zones, BUTTONS, clock=clock, sleep=sleep, lamps=2, link=path, unique_id=unique_id
    )


class Rig:
    """A bridge over the ports of a folder, with what it said."""

    def __init__(self, folder: Path, wirings: Sequence[Wiring]) -> None:
        self.out: list[Sensed] = []
        self.notices: list[str] = []
        self.bridge = Bridge(
            wirings,
            self.out.append,
            clock=clock,
            sleep=sleep,
            registered=frozenset(TAGS).__contains__,
            notice=self.notices.append,
            candidates=lambda: sorted(map(str, folder.glob("tty*"))),
        )

    async def until(self, done: Callable[[], bool]) -> None:
        await until(done)

    def up(self) -> bool:
        return all(link.state == "up" for link in self.bridge.health().links)

    def well(self) -> bool:
        return self.up() and not self.bridge.health().lost_zones

    def readers(self, zone: str) -> list[str]:
        return [v.status for v in self.out if isinstance(v, Reader) and v.zone == zone]

    def cards(self) -> list[tuple[type, str, str]]:
        return [(type(v), v.zone, v.tag) for v in self.out if isinstance(v, Seen | Gone)]


@asynccontextmanager
async def running(rig: Rig, *boards: VirtualTable) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(job) for job in (*(b.run() for b in boards), rig.bridge.run())]
    try:
        yield
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert all(a.t <= b.t for a, b in pairwise(rig.out))


def test_a_device_put_back_under_another_name_is_found_by_its_id(tmp_path: Path) -> None:
    async def run() -> None:
        table = board(tmp_path / "ttyACM0")
        rig = Rig(tmp_path, [Wiring(table.port, LEFT, BUTTONS)])
        async with running(rig, table):
            table.place("seat/1", TAGS[1])
            await rig.until(lambda: len(rig.out) == 1)
            table.press(1, "check")
            await rig.until(lambda: len(rig.out) == 2)
            table.unplug()
            await rig.until(lambda: rig.readers("board") == ["lost"])
            await sleep(2.0)
            table.plug(tmp_path / "ttyACM7")
            await rig.until(rig.well)
            table.press(1, "fold")
            await rig.until(lambda: isinstance(rig.out[-1], Press))
        assert rig.cards() == [(Seen, "seat/1", TAGS[1])]
        assert [v.button for v in rig.out if isinstance(v, Press)] == ["check", "fold"]
        assert [rig.readers(zone) for zone in LEFT] == [["lost", "ok"]] * 3
        [link] = rig.bridge.health().links
        assert (link.port, link.device) == (str(tmp_path / "ttyACM0"), ID.hex().upper())
        assert link.session.reboots == 0
        assert any(f"is up at {tmp_path / 'ttyACM7'}" in notice for notice in rig.notices)
        assert sum("is gone" in notice for notice in rig.notices) == 1

    asyncio.run(run())


def test_it_is_found_among_strangers_silent_ports_and_busy_ones(tmp_path: Path) -> None:
    async def run() -> None:
        table = board(tmp_path / "ttyACM0")
        others = [board(tmp_path / f"ttyACM{n}", unique_id=bytes([n] * 8)) for n in (1, 3)]
        silent = [os.openpty() for _ in range(2)]
        for (_, near), name in zip(silent, ("ttyACM2", "ttyACM4"), strict=True):
            tty.setraw(near)
            (tmp_path / name).symlink_to(os.ttyname(near))
        fcntl.flock(silent[1][1], fcntl.LOCK_EX)
        others[0].place("seat/2", TAGS[5])
        rig = Rig(tmp_path, [Wiring(table.port, LEFT, BUTTONS)])
        async with running(rig, table, *others):
            await rig.until(rig.up)
            table.unplug()
            await rig.until(lambda: rig.readers("board") == ["lost"])
            await sleep(3.0)
            table.plug(tmp_path / "ttyACM9")
            await rig.until(rig.well)
        assert rig.cards() == []
        for pair in silent:
            for fd in pair:
                os.close(fd)

    asyncio.run(run())


def test_two_devices_that_swapped_their_names_keep_their_zones(tmp_path: Path) -> None:
    async def run() -> None:
        left = board(tmp_path / "ttyACM0")
        right = board(tmp_path / "ttyACM1", zones=RIGHT, unique_id=b"RIGHTONE")
        rig = Rig(tmp_path, [Wiring(left.port, LEFT, BUTTONS), Wiring(right.port, RIGHT)])
        async with running(rig, left, right):
            left.place("seat/1", TAGS[1])
            right.place("muck", TAGS[2])
            await rig.until(lambda: len(rig.cards()) == 2)
            for table in (left, right):
                table.unplug()
            await rig.until(lambda: len(rig.bridge.health().lost_zones) == 6)
            left.plug(tmp_path / "ttyACM1")
            right.plug(tmp_path / "ttyACM0")
            await rig.until(rig.well)
            left.take("seat/1", TAGS[1])
            await rig.until(lambda: len(rig.cards()) == 3)
        assert sorted(rig.cards()[:2], key=str) == sorted(
            [(Seen, "seat/1", TAGS[1]), (Seen, "muck", TAGS[2])], key=str
        )
        assert rig.cards()[2] == (Gone, "seat/1", TAGS[1])

    asyncio.run(run())


def test_with_an_id_a_device_is_found_at_once_and_no_other_is_taken_for_it(tmp_path: Path) -> None:
    async def run() -> None:
        stranger = board(tmp_path / "ttyACM0", unique_id=b"STRANGER")
        stranger.place("seat/1", TAGS[5])
        rig = Rig(tmp_path, [Wiring(stranger.port, LEFT, id=ID.hex())])
        async with running(rig, stranger):
            await rig.until(lambda: "another device" in rig.bridge.health().links[0].text)
            assert ID.hex().upper() in rig.bridge.health().links[0].text
            table = board(tmp_path / "ttyACM5")
            beside = asyncio.create_task(table.run())
            await rig.until(rig.up)
            table.place("seat/2", TAGS[1])
            await rig.until(lambda: bool(rig.cards()))
            beside.cancel()
            await asyncio.gather(beside, return_exceptions=True)
        assert rig.cards() == [(Seen, "seat/2", TAGS[1])]
        assert sum("another device" in notice for notice in rig.notices) == 1

    asyncio.run(run())


def test_without_an_id_a_spare_board_takes_the_place_of_a_broken_one(tmp_path: Path) -> None:
    async def run() -> None:
        broken = board(tmp_path / "ttyACM0")
        rig = Rig(tmp_path, [Wiring(broken.port, LEFT, BUTTONS)])
        async with running(rig, broken):
            await rig.until(rig.well)
            broken.unplug()
            await rig.until(lambda: rig.readers("board") == ["lost"])
            spare = board(tmp_path / "ttyACM0", unique_id=b"SPAREONE")
            beside = asyncio.create_task(spare.run())
            await rig.until(rig.well)
            spare.place("board", TAGS[3])
            await rig.until(lambda: bool(rig.cards()))
            beside.cancel()
            await asyncio.gather(beside, return_exceptions=True)
        assert rig.bridge.health().links[0].device == b"SPAREONE".hex().upper()
        assert not any("rebooted" in notice for notice in rig.notices)

    asyncio.run(run())


def test_lamps_and_the_scan_cycle_outlive_a_reboot_and_a_loss(tmp_path: Path) -> None:
    red, green = Lamp(0, 255, 0, 0), Lamp(0, 0, 255, 0)

    async def run() -> None:
        table = board(tmp_path / "ttyACM0")
        rig = Rig(tmp_path, [Wiring(table.port, LEFT, BUTTONS, cycle_ms=80)])
        rig.bridge.command(table.port, red)
        async with running(rig, table):
            await rig.until(lambda: table.device.lamps == [red, None])
            assert table.device.cycle == 0.08
            for count in range(200):  # far more than a queue of commands holds
                rig.bridge.command(table.port, Lamp(1, count, 0, 0))
            rig.bridge.command(table.port, green)
            await rig.until(lambda: table.device.lamps == [green, Lamp(1, 199, 0, 0)])
            table.reboot()
            assert table.device.lamps == [None, None]
            await rig.until(lambda: table.device.lamps == [green, Lamp(1, 199, 0, 0)])
            assert table.device.cycle == 0.08
            table.unplug()
            await rig.until(lambda: rig.readers("board")[-1:] == ["lost"])
            rig.bridge.command(table.port, red)
            rig.bridge.command(table.port, SetScan(60))
            table.plug()
            await rig.until(lambda: table.device.lamps[0] == red and table.device.cycle == 0.06)
            rig.bridge.command(table.port, Identify(5))
            await rig.until(lambda: table.device.identify_until > clock())

    asyncio.run(run())


DEVICE = """
import asyncio, sys, time
from pathlib import Path
from firmware_bridge.virtual.table import VirtualTable
speed = float(sys.argv[2])
async def main():
    table = VirtualTable(
        ("seat/1", "seat/2", "board"),
        clock=lambda: time.monotonic() * speed,
        sleep=lambda seconds: asyncio.sleep(seconds / speed),
        link=Path(sys.argv[1]),
        unique_id=b"MORTAL01",
    )
    for tag in sys.argv[3:]:
        table.place("seat/1", tag)
    await table.run()
asyncio.run(main())
"""


def test_a_device_killed_in_mid_hand_and_started_again_invents_nothing(tmp_path: Path) -> None:
    async def start(name: str, *tags: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-c", DEVICE, str(tmp_path / name), str(SPEED), *tags
        )

    async def run() -> None:
        rig = Rig(tmp_path, [Wiring(str(tmp_path / "ttyACM0"), LEFT)])
        async with running(rig):
            first = await start("ttyACM0", TAGS[1], TAGS[2])
            try:
                await rig.until(lambda: len(rig.cards()) == 2)
                first.send_signal(signal.SIGKILL)
                await rig.until(lambda: len(rig.bridge.health().lost_zones) == 3)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    first.kill()
                await first.wait()
            (tmp_path / "ttyACM0").unlink()
            second = await start("ttyACM1", TAGS[1])
            try:
                await rig.until(rig.well)
                await rig.until(lambda: len(rig.cards()) == 3)
            finally:
                second.kill()
                await second.wait()
        assert sorted(rig.cards()[:2], key=str) == [
            (Seen, "seat/1", TAGS[1]),
            (Seen, "seat/1", TAGS[2]),
        ]
        assert rig.cards()[2:] == [(Gone, "seat/1", TAGS[2])]
        assert rig.bridge.health().links[0].session.reboots == 1
        assert rig.readers("board")[:2] == ["lost", "ok"]

    asyncio.run(run())


def test_a_device_that_hangs_is_lost_after_three_seconds_and_back_when_it_goes_on(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        rig = Rig(tmp_path, [Wiring(str(tmp_path / "ttyACM0"), LEFT)])
        async with running(rig):
            device = await asyncio.create_subprocess_exec(
                sys.executable, "-c", DEVICE, str(tmp_path / "ttyACM0"), str(SPEED), TAGS[1]
            )
            try:
                await rig.until(lambda: len(rig.cards()) == 1)
                device.send_signal(signal.SIGSTOP)
                stopped = clock()
                await rig.until(lambda: len(rig.bridge.health().lost_zones) == 3)
                assert clock() - stopped > 1.5
                # Presence and link count for themselves: either may be first.
                await rig.until(lambda: "silent for 3 s" in rig.bridge.health().links[0].text)
                device.send_signal(signal.SIGCONT)
                await rig.until(rig.well)
            finally:
                device.kill()
                await device.wait()
        assert rig.cards() == [(Seen, "seat/1", TAGS[1])]
        assert rig.bridge.health().links[0].session.reboots == 0

    asyncio.run(run())


def test_a_device_of_another_version_is_named_and_nothing_of_it_is_used(tmp_path: Path) -> None:
    async def run() -> None:
        far, near = os.openpty()
        tty.setraw(near)
        (tmp_path / "ttyACM0").symlink_to(os.ttyname(near))
        rig = Rig(tmp_path, [Wiring(str(tmp_path / "ttyACM0"), LEFT)])
        frame = to_frame(Hello(1, ID, 3, 0, "later"))
        async with running(rig):
            await rig.until(lambda: rig.bridge.health().links[0].path is not None)
            os.write(far, b"\0" + encode(msgspec.structs.replace(frame, version=2)))
            await rig.until(lambda: rig.bridge.health().links[0].state == "wrong version")
        text = "the device speaks protocol version 2, this program version 1"
        assert text in rig.bridge.health().links[0].text
        assert sum(text in notice for notice in rig.notices) == 1
        assert not any(isinstance(value, Seen | Press) for value in rig.out)
        for fd in (far, near):
            os.close(fd)

    asyncio.run(run())


def test_contested_and_incomplete_zones_reach_health_and_the_readers_own_thresholds_hold(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        table = board(tmp_path / "ttyACM0")
        patient = Thresholds(absent_s=3.0)
        rig = Rig(tmp_path, [Wiring(table.port, LEFT, BUTTONS, thresholds=patient)])
        async with running(rig, table):
            table.place("seat/1", TAGS[1])
            await rig.until(lambda: len(rig.cards()) == 1)
            table.place("seat/2", TAGS[1])
            await rig.until(lambda: rig.bridge.health().contested == (("seat/1", "seat/2"),))
            table.device.trouble(2, ZoneFlag.INCOMPLETE)
            await rig.until(lambda: rig.bridge.health().incomplete == ("board",))
            table.device.trouble(2, ZoneFlag(0))
            await rig.until(lambda: rig.bridge.health().incomplete == ())
            taken = clock()
            table.take("seat/1", TAGS[1])
            table.take("seat/2", TAGS[1])
            await rig.until(lambda: len(rig.cards()) == 2)
            assert clock() - taken >= 2.5
        assert rig.cards() == [(Seen, "seat/1", TAGS[1]), (Gone, "seat/1", TAGS[1])]

    asyncio.run(run())


def test_scans_that_failed_are_no_misses_on_the_whole_way(tmp_path: Path) -> None:
    async def run() -> None:
        far, near = os.openpty()
        tty.setraw(near)
        (tmp_path / "ttyACM0").symlink_to(os.ttyname(near))
        rig = Rig(tmp_path, [Wiring(str(tmp_path / "ttyACM0"), LEFT)])
        sent = 0

        def report(message: Hello | Zone) -> None:
            nonlocal sent
            sent += 1
            kind = Kind.REPORT
            os.write(far, encode(to_frame(message, seq=sent, ticks=4_000_000, kind=kind)))

        def scan(t: float, tags: tuple[str, ...] = (), flags: int = 0) -> None:
            report(Zone(0, round(t * 1e6), tags, flags))

        async with running(rig):
            await rig.until(lambda: rig.bridge.health().links[0].path is not None)
            report(Hello(1, ID, 3, 0, "scripted"))
            for t in (1.0, 1.4):
                scan(t, (TAGS[1],))
            scan(1.8)
            for t in (2.2, 2.6, 3.0):
                scan(t, flags=ZoneFlag.FAILED)
            scan(3.4)
            await rig.until(lambda: rig.bridge.health().links[0].decoder.frames == sent)
            assert rig.cards() == [(Seen, "seat/1", TAGS[1])]
            scan(3.8)
            await rig.until(lambda: rig.cards()[1:] == [(Gone, "seat/1", TAGS[1])])
        for fd in (far, near):
            os.close(fd)

    asyncio.run(run())
