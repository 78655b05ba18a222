"""From a simulated tag or finger through the real firmware and the real bridge to sensed values."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.sensed import Gone, Press, Reader, SeatButton, Seen, Sensed
from tests.firmware_pico.host import flawless
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("micropython")

ZONES = ("seat/1", "seat/2", "seat/3")
LABELS: tuple[SeatButton, ...] = ("check", "fold", "raise")
BUTTONS = (*((seat, label) for seat in (1, 2, 3) for label in LABELS), (4, LABELS[0]))
TAGS = [f"E0040150{number:08X}" for number in range(4)]


class Rig:
    """A bridge with what it said."""

    def __init__(self, *wirings: Wiring) -> None:
        self.out: list[Sensed] = []
        self.notices: list[str] = []
        self.bridge = Bridge(
            wirings,
            self.out.append,
            clock=time.monotonic,
            registered=frozenset(TAGS).__contains__,
            notice=self.notices.append,
        )

    async def until(self, holds: Callable[[], object]) -> None:
        await until(holds)

    def play(self, scenario: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            serving = asyncio.create_task(self.bridge.run())
            try:
                await scenario
            finally:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)

        asyncio.run(run())

    def is_up(self) -> bool:
        return all(link.state == "up" for link in self.bridge.health().links)

    def got(self, kind: type[Sensed]) -> list[Sensed]:
        return [value for value in self.out if isinstance(value, kind)]


def test_cards_and_presses_arrive(tmp_path: Path) -> None:
    port = tmp_path / "pico"
    rig = Rig(Wiring(str(port), ZONES, BUTTONS))

    async def scenario(pico: SimulatedPico) -> None:
        await rig.until(rig.is_up)
        pico.air.place(0, TAGS[0])
        pico.air.place(0, TAGS[1])
        pico.air.place(2, TAGS[2])
        await rig.until(lambda: len(rig.got(Seen)) == 3)
        assert {(v.zone, v.tag) for v in rig.out if isinstance(v, Seen)} == {
            ("seat/1", TAGS[0]),
            ("seat/1", TAGS[1]),
            ("seat/3", TAGS[2]),
        }
        pico.press(4)
        await rig.until(lambda: rig.got(Press))
        [press] = [v for v in rig.out if isinstance(v, Press)]
        assert (press.seat, press.button) == (2, "fold")
        pico.air.take(2, TAGS[2])
        await rig.until(lambda: rig.got(Gone))
        assert len(rig.got(Seen)) == 3

    with SimulatedPico(link=port) as pico:
        rig.play(scenario(pico))
        flawless(pico)
    assert rig.notices[-1].startswith(f"{port} is up: cutcard-pico 1.0, id ")


def test_a_reboot_in_mid_hand_loses_no_card(tmp_path: Path) -> None:
    port = tmp_path / "pico"
    rig = Rig(Wiring(str(port), ZONES, BUTTONS))

    async def scenario(pico: SimulatedPico) -> None:
        await rig.until(rig.is_up)
        pico.air.place(1, TAGS[3])
        await rig.until(lambda: rig.got(Seen))
        pico.reboot()
        rebooted = f"{port} has rebooted: cutcard-pico 1.0, id "
        await rig.until(lambda: any(notice.startswith(rebooted) for notice in rig.notices))
        await rig.until(lambda: len(rig.got(Reader)) == 6)
        await asyncio.sleep(1.2)
        readers = [(v.zone, v.status) for v in rig.out if isinstance(v, Reader)]
        assert sorted(readers) == [(zone, how) for zone in ZONES for how in ("lost", "ok")]
        assert not rig.got(Gone)
        assert rig.bridge.present()["seat/2"] == {TAGS[3]}

    with SimulatedPico(link=port) as pico:
        rig.play(scenario(pico))
        flawless(pico)


def test_two_picos_at_one_table(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    rig = Rig(Wiring(str(one), ZONES, BUTTONS), Wiring(str(two), ("board", "muck", "burn"), ()))

    async def scenario(first: SimulatedPico, second: SimulatedPico) -> None:
        await rig.until(rig.is_up)
        first.air.place(2, TAGS[0])
        second.air.place(1, TAGS[1])
        await rig.until(lambda: len(rig.got(Seen)) == 2)
        present = rig.bridge.present()
        assert present["seat/3"] == {TAGS[0]}
        assert present["muck"] == {TAGS[1]}

    with SimulatedPico(link=one) as first, SimulatedPico(link=two, seed=1) as second:
        rig.play(scenario(first, second))
        flawless(first)
        flawless(second)
    assert f"{two} has 3 zones and 10 buttons, but 3 and 0 are configured" in rig.notices
