"""The bridge over real ptys, with readers made of software at them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.readers.yrm100.virtual import VirtualYrm100
from firmware_bridge.sensed import Gone, Reader, Seen, Sensed
from firmware_bridge.virtual.port import VirtualDevice, VirtualPort
from tests.waiting import until

SPEED = 4.0
CARD, OTHER, PUCK = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "67003B51C6"
ICODE = "E0040150A05F02B7"


def clock() -> float:
    return time.monotonic() * SPEED


def sleep(seconds: float) -> Awaitable[None]:
    return asyncio.sleep(seconds / SPEED)


class Rig:
    def __init__(self, wirings: Sequence[Wiring], ports: dict[str, VirtualPort]) -> None:
        self.ports = ports
        self.out: list[Sensed] = []
        self.notices: list[str] = []
        self.bridge = Bridge(
            wirings,
            self.out.append,
            clock=clock,
            sleep=sleep,
            registered=lambda _tag: True,
            notice=self.notices.append,
        )

    async def until(self, done: Callable[[], bool]) -> None:
        await until(done)

    async def emits(self, kind: type[Sensed], zone: str, tag: str) -> None:
        await self.until(
            lambda: any(
                isinstance(value, kind)
                and (getattr(value, "zone", ""), getattr(value, "tag", "")) == (zone, tag)
                for value in self.out
            )
        )


def play(
    folder: Path,
    devices: dict[str, tuple[VirtualDevice, Wiring]],
    scenario: Callable[[Rig], Coroutine[Any, Any, None]],
) -> Rig:
    async def run() -> Rig:
        ports = {
            name: VirtualPort(device, folder / name, clock=clock, sleep=sleep)
            for name, (device, _) in devices.items()
        }
        rig = Rig([wiring for _, wiring in devices.values()], ports)
        tasks = [asyncio.create_task(port.run()) for port in ports.values()]
        tasks.append(asyncio.create_task(rig.bridge.run()))
        try:
            await rig.until(lambda: all(e.state == "up" for e in rig.bridge.health().links))
            await scenario(rig)
            assert not any(task.done() for task in tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert all(a.t <= b.t for a, b in pairwise(rig.out))
        return rig

    return asyncio.run(run())


def test_readers_of_every_kind_beside_one_another(tmp_path: Path) -> None:
    card, cards, puck, chips = VirtualPn532(), VirtualFeig(2), VirtualRdm6300(), VirtualYrm100()

    async def scenario(rig: Rig) -> None:
        card.tags = [CARD, OTHER]
        await rig.emits(Seen, "seat/1", CARD)
        await rig.emits(Seen, "seat/1", OTHER)
        puck.tags = [PUCK]
        await rig.emits(Seen, "seat/1", PUCK)
        cards.tags[1] = [ICODE]
        await rig.emits(Seen, "burn", ICODE)
        chips.tags = ["E20010710000529B0940B402"]
        await rig.emits(Seen, "muck", "E20010710000529B0940B402")
        assert rig.bridge.present() == {
            "seat/1": {CARD, OTHER, PUCK},
            "board": set(),
            "burn": {ICODE},
            "muck": {"E20010710000529B0940B402"},
        }
        card.tags = []
        puck.tags = []
        await rig.emits(Gone, "seat/1", CARD)
        await rig.emits(Gone, "seat/1", PUCK)

    rig = play(
        tmp_path,
        {
            "card": (card, Wiring(str(tmp_path / "card"), ("seat/1",), device="pn532")),
            "cards": (
                cards,
                Wiring(
                    str(tmp_path / "cards"),
                    ("board", "burn"),
                    baud=38400,
                    device="feig",
                    parity="even",
                ),
            ),
            "puck": (
                puck,
                Wiring(str(tmp_path / "puck"), ("seat/1",), baud=9600, device="rdm6300"),
            ),
            "chips": (chips, Wiring(str(tmp_path / "chips"), ("muck",), device="yrm100")),
        },
        scenario,
    )
    assert [link.firmware for link in rig.bridge.health().links][:3] == [
        "PN532 1.6",
        "FEIG OBID 04.02",
        "RDM6300",
    ]
    assert rig.bridge.health().lost_zones == ()


def test_unplugged_and_plugged_in_again_a_card_never_left(tmp_path: Path) -> None:
    reader = VirtualPn532()

    async def scenario(rig: Rig) -> None:
        reader.tags = [CARD]
        await rig.emits(Seen, "seat/1", CARD)
        rig.ports["card"].unplug()
        await rig.until(lambda: rig.bridge.health().lost_zones == ("seat/1",))
        reader.power_on()
        rig.ports["card"].plug()
        await rig.until(lambda: rig.bridge.health().lost_zones == ())
        reader.tags = [CARD, OTHER]
        await rig.emits(Seen, "seat/1", OTHER)

    rig = play(
        tmp_path,
        {"card": (reader, Wiring(str(tmp_path / "card"), ("seat/1",), device="pn532"))},
        scenario,
    )
    assert [type(value) for value in rig.out] == [Seen, Reader, Reader, Seen]
    assert rig.notices[0] == f"{tmp_path}/card is up: PN532 1.6"
    assert rig.notices[1] == f"{tmp_path}/card is gone: unplugged or switched off"


def test_a_reader_of_the_puck_that_is_lost_says_nothing_of_the_cards(tmp_path: Path) -> None:
    card, puck = VirtualPn532(), VirtualRdm6300()

    async def scenario(rig: Rig) -> None:
        card.tags, puck.tags = [CARD], [PUCK]
        await rig.emits(Seen, "seat/1", PUCK)
        await rig.emits(Seen, "seat/1", CARD)
        rig.ports["puck"].unplug()
        await rig.until(lambda: "puck is gone" in rig.notices[-1])
        await asyncio.sleep(0.1)
        assert rig.bridge.health().lost_zones == ()
        assert rig.bridge.present() == {}
        assert any("puck is gone" in link.text for link in rig.bridge.health().links)

    rig = play(
        tmp_path,
        {
            "card": (card, Wiring(str(tmp_path / "card"), ("seat/1",), device="pn532")),
            "puck": (
                puck,
                Wiring(str(tmp_path / "puck"), ("seat/1",), baud=9600, device="rdm6300"),
            ),
        },
        scenario,
    )
    assert {type(value) for value in rig.out} == {Seen}


def test_a_reader_that_refuses_is_told_of_with_the_reason(tmp_path: Path) -> None:
    async def scenario(rig: Rig) -> None:
        await rig.until(lambda: "multiplexer" in rig.bridge.health().links[0].text)

    rig = play(
        tmp_path,
        {
            "one": (
                VirtualFeig(1),
                Wiring(str(tmp_path / "one"), ("board", "burn"), device="feig", parity="even"),
            )
        },
        scenario,
    )
    [link] = rig.bridge.health().links
    assert link.text == (
        f"{tmp_path}/one: no antenna multiplexer lets itself be switched: unknown command"
    )


def test_two_readers_of_cards_at_one_zone_are_refused() -> None:
    wirings = [Wiring("/dev/a", ("seat/1",)), Wiring("/dev/b", ("seat/1",), device="pn532")]
    with pytest.raises(ValueError, match="wired twice"):
        Rig(wirings, {})
