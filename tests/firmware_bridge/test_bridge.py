"""End to end over real ptys: virtual table, transport, session, presence, sensed values."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.link.frames import FrameDecoder
from firmware_bridge.link.messages import Button, Lamp, ZoneFlag, from_frame
from firmware_bridge.sensed import Gone, Press, Reader, SeatButton, Seen, Sensed, Tick
from firmware_bridge.virtual.table import VirtualTable
from tests.bench.wires import share
from tests.waiting import PATIENCE_S, until

SPEED = 5.0
ZONES = ("seat/1", "seat/2", "seat/3", "board", "muck")
BUTTONS: tuple[tuple[int, SeatButton], ...] = ((1, "check"), (1, "fold"), (2, "check"), (2, "fold"))
CLOCKS_S = 0.02
"""So far off may a microcontroller's time be, as the host reckons it: a link tells how far."""
TAGS = [f"E0040150{number:08X}" for number in range(60)]


def clock() -> float:
    return time.monotonic() * SPEED


def sleep(seconds: float) -> Awaitable[None]:
    return asyncio.sleep(seconds / SPEED)


class Rig:
    """A bridge with what it said."""

    def __init__(self, wirings: Sequence[Wiring], *, tick_every: float | None = None) -> None:
        self.out: list[Sensed] = []
        self.notices: list[str] = []
        self.bridge = Bridge(
            wirings,
            self.out.append,
            clock=clock,
            sleep=sleep,
            registered=frozenset(TAGS).__contains__,
            notice=self.notices.append,
            tick_every=tick_every,
        )

    async def until(self, done: Callable[[], bool]) -> None:
        await until(done)

    async def up(self) -> None:
        await self.until(lambda: all(link.state == "up" for link in self.bridge.health().links))

    async def emits(self, kind: type[Sensed], zone: str, tag: str = "") -> Sensed:
        def found() -> list[Sensed]:
            return [
                value
                for value in self.out
                if isinstance(value, kind)
                and getattr(value, "zone", zone) == zone
                and getattr(value, "tag", tag) == (tag or getattr(value, "tag", tag))
            ]

        await self.until(lambda: bool(found()))
        return found()[-1]


def play(
    scenario: Callable[[Rig, VirtualTable], Coroutine[Any, Any, None]],
    path: Path,
    *,
    tick_every: float | None = None,
) -> Rig:
    """Run a scenario beside a table and its bridge."""

    async def run() -> Rig:
        table = VirtualTable(ZONES, BUTTONS, clock=clock, sleep=sleep, lamps=2, link=path / "table")
        rig = Rig([Wiring(table.port, ZONES, BUTTONS)], tick_every=tick_every)
        tasks = [asyncio.create_task(table.run()), asyncio.create_task(rig.bridge.run())]
        try:
            await rig.up()
            await scenario(rig, table)
            assert not any(task.done() for task in tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert not (path / "table").is_symlink()
        assert all(a.t <= b.t for a, b in pairwise(rig.out))
        return rig

    return asyncio.run(run())


def test_cards_and_buttons_come_out_with_the_right_zones_and_times(tmp_path: Path) -> None:
    async def scenario(rig: Rig, table: VirtualTable) -> None:
        placed = clock()
        table.place("seat/2", TAGS[1])
        seen = await rig.emits(Seen, "seat/2", TAGS[1])
        assert placed - CLOCKS_S <= seen.t <= clock()
        table.place("board", TAGS[2])
        pressed = clock()
        table.press(2, "fold")
        press = await rig.emits(Press, "")
        assert pressed - 0.2 <= press.t <= clock()
        await rig.emits(Seen, "board", TAGS[2])
        taken = clock()
        table.take("seat/2", TAGS[1])
        gone = await rig.emits(Gone, "seat/2", TAGS[1])
        assert gone.t - taken >= 0.6

    rig = play(scenario, tmp_path)
    assert len(rig.out) == 4
    [press] = [value for value in rig.out if isinstance(value, Press)]
    assert (press.seat, press.button, press.by) == (2, "fold", "seat")
    assert rig.bridge.health().counters.stale_presses == 0
    assert rig.bridge.health().links[0].decoder.bad_crc == 0


def test_a_reboot_in_mid_stream_is_a_gap_of_the_readers_and_nothing_else(tmp_path: Path) -> None:
    async def scenario(rig: Rig, table: VirtualTable) -> None:
        table.place("seat/1", TAGS[1])
        table.press(1, "check")
        await rig.emits(Seen, "seat/1")
        table.reboot()
        await rig.emits(Reader, "seat/1")
        await rig.until(lambda: rig.bridge.health().lost_zones == ())
        table.press(1, "fold")
        await rig.until(lambda: sum(isinstance(value, Press) for value in rig.out) == 2)
        table.place("muck", TAGS[3])
        await rig.emits(Seen, "muck")

    rig = play(scenario, tmp_path)
    assert [v.tag for v in rig.out if isinstance(v, Seen | Gone)] == [TAGS[1], TAGS[3]]
    assert [v.button for v in rig.out if isinstance(v, Press)] == ["check", "fold"]
    for zone in ZONES:
        status = [v.status for v in rig.out if isinstance(v, Reader) and v.zone == zone]
        assert status == ["lost", "ok"]
    assert rig.bridge.health().links[0].session.reboots == 1
    assert sum("has rebooted" in notice for notice in rig.notices) == 1


def test_a_port_that_vanishes_and_comes_back(tmp_path: Path) -> None:
    async def scenario(rig: Rig, table: VirtualTable) -> None:
        table.place("seat/1", TAGS[1])
        await rig.emits(Seen, "seat/1")
        table.place("seat/3", TAGS[2])
        await rig.emits(Seen, "seat/3")
        table.unplug()
        await rig.emits(Reader, "muck")
        assert rig.bridge.health().links[0].state == "closed"
        assert set(rig.bridge.health().lost_zones) == set(ZONES)
        table.take("seat/3", TAGS[2])
        table.press(2, "check")
        await sleep(12.0)  # so long that one pause of the machine is not taken for all of it
        table.plug()
        await rig.up()
        await rig.emits(Gone, "seat/3")
        table.press(1, "check")
        await rig.emits(Press, "")

    rig = play(scenario, tmp_path)
    assert [(type(v), v.tag) for v in rig.out if isinstance(v, Seen | Gone)] == [
        (Seen, TAGS[1]),
        (Seen, TAGS[2]),
        (Gone, TAGS[2]),
    ]
    assert [v.seat for v in rig.out if isinstance(v, Press)] == [1]
    assert rig.bridge.health().counters.stale_presses == 1
    assert sum("is gone" in notice for notice in rig.notices) == 1
    assert not any(tag in notice for notice in rig.notices for tag in TAGS)


def test_a_failing_antenna_loses_its_zone_only(tmp_path: Path) -> None:
    async def scenario(rig: Rig, table: VirtualTable) -> None:
        table.place("board", TAGS[1])
        await rig.emits(Seen, "board")
        table.device.trouble(3, ZoneFlag.FAILED)
        await rig.emits(Reader, "board")
        assert rig.bridge.health().lost_zones == ("board",)
        table.device.trouble(3, ZoneFlag(0))
        await rig.until(lambda: rig.bridge.health().lost_zones == ())

    rig = play(scenario, tmp_path)
    assert [type(value) for value in rig.out] == [Seen, Reader, Reader]
    assert rig.bridge.health().counters.failed > 0


def test_commands_reach_the_device(tmp_path: Path) -> None:
    lamp = Lamp(1, 255, 0, 0)

    async def scenario(rig: Rig, table: VirtualTable) -> None:
        rig.bridge.command(table.port, lamp)
        await rig.until(lambda: table.device.lamps == [None, lamp])
        rig.bridge.command(table.port, Lamp(7, 0, 0, 0))
        await rig.until(lambda: any("Lamp refused, out of range" in n for n in rig.notices))
        with pytest.raises(KeyError):
            rig.bridge.command("/dev/none", lamp)

    play(scenario, tmp_path)


def test_ticks_pass_in_order_with_everything_else(tmp_path: Path) -> None:
    async def scenario(rig: Rig, table: VirtualTable) -> None:
        for tag in TAGS[:8]:
            table.place("board", tag)
            await sleep(0.13)
        await rig.emits(Seen, "board", TAGS[7])

    rig = play(scenario, tmp_path, tick_every=0.1)
    ticks = [value.t for value in rig.out if isinstance(value, Tick)]
    assert len(ticks) > 6
    assert sum(isinstance(value, Seen) for value in rig.out) == 8
    assert all(b - a > 0 for a, b in pairwise(ticks))


def test_a_table_of_four_devices_costs_little(tmp_path: Path) -> None:
    """Twelve zones on four devices, all of them changing: a tenth of a core, and some air."""
    assert asyncio.run(share(tmp_path, 1.0)) < 0.2


def test_a_bug_in_the_engine_ends_the_bridge_loudly(tmp_path: Path) -> None:
    async def run() -> None:
        table = VirtualTable(ZONES, clock=clock, sleep=sleep, link=tmp_path / "table")

        def fail(_: Sensed) -> None:
            raise ZeroDivisionError

        bridge = Bridge(
            [Wiring(table.port, ZONES)],
            fail,
            clock=clock,
            sleep=sleep,
            registered=bool,
            notice=lambda _: None,
        )
        table.place("board", TAGS[0])
        beside = asyncio.create_task(table.run())
        try:
            async with asyncio.timeout(PATIENCE_S):
                await bridge.run()
        finally:
            beside.cancel()
            await asyncio.gather(beside, return_exceptions=True)

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(run())
    assert isinstance(raised.value.exceptions[0], ZeroDivisionError)


def test_a_device_that_does_not_fit_its_wiring_is_named(tmp_path: Path) -> None:
    async def run() -> Rig:
        table = VirtualTable(ZONES, clock=clock, sleep=sleep, link=tmp_path / "table")
        rig = Rig([Wiring(table.port, ZONES[:2])])
        tasks = [asyncio.create_task(table.run()), asyncio.create_task(rig.bridge.run())]
        await rig.until(lambda: rig.bridge.health().counters.unmapped > 0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return rig

    text = asyncio.run(run()).bridge.health().links[0].text
    assert text.endswith("has 5 zones and 0 buttons, but 2 and 0 are configured")


@pytest.mark.parametrize(
    ("wirings", "fault"),
    [
        ([Wiring("a", ("board",)), Wiring("b", ("board",))], "zone 'board' is wired twice"),
        ([Wiring("a", ()), Wiring("a", ())], "port 'a' is wired twice"),
        ([Wiring("a", (), (BUTTONS[0], BUTTONS[0]))], "button .* is wired twice"),
    ],
)
def test_doubled_wiring_is_refused(wirings: list[Wiring], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Rig(wirings)


def test_a_frame_torn_by_a_full_buffer_costs_no_other_frame() -> None:
    table = VirtualTable(ZONES, BUTTONS, clock=lambda: 5.0, sleep=sleep)
    decoder = FrameDecoder()
    port = os.open(table.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        presses = 1
        while not table.dropped:
            table.press(1, "fold")
            presses += 1
        with contextlib.suppress(BlockingIOError):
            while data := os.read(port, 4096):
                decoder.feed(data)
        table.press(2, "fold")
        [frame] = decoder.feed(os.read(port, 4096))
        assert from_frame(frame) == Button(presses, presses - 31, 0, 3, pressed=True)
    finally:
        os.close(port)
        table.unplug()


def test_the_virtual_table_refuses_what_it_does_not_have() -> None:
    table = VirtualTable(ZONES, BUTTONS, clock=clock, sleep=sleep)
    try:
        with pytest.raises(ValueError, match="no zone 'kitchen'"):
            table.place("kitchen", TAGS[0])
        with pytest.raises(ValueError, match="seat 9 has no button"):
            table.press(9, "fold")
        with pytest.raises(ValueError, match="upper case hex") as fault:
            table.place("board", TAGS[0].lower())
        assert TAGS[0].lower() not in str(fault.value)
    finally:
        table.unplug()
    with pytest.raises(RuntimeError, match="unplugged"):
        _ = table.port
