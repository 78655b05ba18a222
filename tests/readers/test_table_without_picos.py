"""`cutcard table` without a microcontroller: PN532s under seats and board, a FEIG reader under
burn and muck, an RDM6300 for the puck, buttons on GPIO. One hand from riffle to result."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from controller.broker.own import RunningBroker, start_broker
from controller.contract.cards import CARDS
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.virtual.port import VirtualDevice
from tests.readers.reader_table import SPEED, ReaderTable, port, served
from tests.table.felt import Room
from tests.waiting import until

pytest.importorskip("gpiozero")

SEATS = (1, 2, 3)
PINS = {
    (seat, label): 4 + 3 * seat + n
    for seat in SEATS
    for n, label in enumerate(("check", "call", "fold"))
}
PUCK = "67003B51C6"


class Table(ReaderTable):
    """All that lies on the felt, and the service that watches it."""

    def __init__(self, folder: Path, broker: RunningBroker) -> None:
        uids = random.Random(1).sample(range(1 << 24), len(CARDS))
        self.tags = {card: f"04A1B2{uid:06X}80" for card, uid in zip(CARDS, uids, strict=True)}
        self.burned = {card: f"E0040150{n:08X}" for n, card in enumerate(CARDS[-3:])}
        self.pn532 = {
            zone: VirtualPn532()
            for zone in [*(f"seat/{n}" for n in SEATS), *(f"board/{n}" for n in range(1, 6))]
        }
        self.feig = VirtualFeig(2)
        self.puck = VirtualRdm6300()
        devices: dict[str, VirtualDevice] = {"feig": self.feig, "puck": self.puck}
        devices |= {zone.replace("/", "-"): chip for zone, chip in self.pn532.items()}
        both = {tag: card for card, tag in self.tags.items() if card not in self.burned}
        both |= {tag: card for card, tag in self.burned.items()}
        super().__init__(folder, devices, both)
        ports = "".join(
            port(folder / zone.replace("/", "-"), "pn532", [zone]) for zone in self.pn532
        )
        ports += port(folder / "feig", "feig", ["burn", "muck"])
        ports += port(folder / "puck", "rdm6300", ["seat/3"])
        buttons = ",\n".join(
            f'{{ pin = {pin}, seat = {seat}, press = "{label}"'
            + (', long = "all-in" }' if label == "check" else " }")
            for (seat, label), pin in PINS.items()
        )
        self.write(
            broker,
            seats=SEATS,
            button=3,
            objects=f'{PUCK} = "button"',
            more=f"""{ports}
            [[gpio]]
            buttons = [{buttons}]
            long_ms = 6000
            """,
        )

    async def press(self, seat: int, label: str, *, held: float = 0.6) -> None:
        before = self.recorded("press")
        assert self.process.stdin is not None
        self.process.stdin.write(f"{PINS[seat, label]} {held / SPEED}\n".encode())
        await until(lambda: self.recorded("press") > before)


def test_a_hand_at_a_table_without_microcontrollers(tmp_path: Path) -> None:
    asyncio.run(_play(tmp_path))


async def _play(folder: Path) -> None:
    with start_broker("demo", ["T1"]) as broker:
        table, room = Table(folder, broker), Room(broker)
        table.puck.tags = [PUCK]
        script = Path(__file__).with_name("table_with_mock_pins.py")
        async with served(table, room, str(script)):
            await _hand(table, room)
    assert [event["code"] for event in room.events("finding")] == []
    acted = [(event["seat"], event["action"], event["by"]) for event in room.events("action")]
    assert acted == [
        (3, "call", "press"), (1, "call", "press"), (2, "check", "press"),
        (1, "check", "press"), (2, "check", "press"), (3, "check", "press"),
        (1, "check", "press"), (2, "check", "press"), (3, "check", "press"),
        (1, "all-in", "press"), (2, "fold", "press"), (3, "fold", "press"),
    ]  # fmt: skip
    assert [(e["street"], e["cards"]) for e in room.events("board")][-1] == (
        "river",
        list(CARDS[6:11]),
    )
    [result] = room.events("result")
    assert result["stacks"] == {"1": 1020, "2": 990, "3": 990}
    tags = [tag.encode() for tag in (*table.tags.values(), *table.burned.values())]
    assert not any(tag in payload for _, payload in room.messages for tag in tags)


async def _hand(table: Table, room: Room) -> None:
    await table.riffle()
    for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
        await table.lay((table.pn532[f"seat/{seat}"].tags, table.tags[card]))
    await table.press(3, "call")
    await table.press(1, "call")
    await table.press(2, "check")
    # Hot-plugged in mid-hand: a gap of the reader and nothing else.
    table.ports["seat-2"].unplug()
    await until(lambda: f"{table.folder}/seat-2 is gone" in table.said())
    table.ports["seat-2"].plug()
    await until(lambda: table.said().count("seat-2 is up") == 2)
    board = iter(CARDS[6:11])
    for street, first, last in (("flop", 1, 3), ("turn", 4, 4), ("river", 5, 5)):
        burned = CARDS[-("flop", "turn", "river").index(street) - 1]
        await table.lay((table.feig.tags[0], table.burned[burned]))
        places = [table.pn532[f"board/{position}"].tags for position in range(first, last + 1)]
        await table.lay(*((place, table.tags[next(board)]) for place in places))
        for seat in SEATS if street != "river" else ():
            await table.press(seat, "check")
    await table.press(1, "check", held=8)
    await table.press(2, "fold")
    await table.press(3, "fold")
    await until(lambda: room.events("result"))
    wires = (room.last("T1/health") or {})["wires"]
    assert [wire["state"] for wire in wires] == ["up"] * 11
