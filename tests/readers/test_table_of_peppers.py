"""A table with nothing but two Pepper C1 MUX and their sixteen antennas: ten seats, board, burn,
muck and stub. One hand from riffle to result, at seats of both."""

from __future__ import annotations

import asyncio
from pathlib import Path

from controller.broker.own import RunningBroker, start_broker
from controller.contract.cards import CARDS
from firmware_bridge.readers.pepper.virtual import VirtualPepper
from tests.readers.reader_table import ReaderTable, port, served
from tests.table.felt import Room
from tests.waiting import until

ZONES = (
    tuple(f"seat/{seat}" for seat in range(1, 9)),
    ("seat/9", "seat/10", "board", "burn", "muck", "stub"),
)
SEATS = (1, 5, 9, 10)


class Table(ReaderTable):
    """Two readers; what lies where goes by the zones."""

    def __init__(self, folder: Path, broker: RunningBroker) -> None:
        self.tags = {card: f"E0040150{n:08X}" for n, card in enumerate(CARDS)}
        self.readers = {"a": VirtualPepper(), "b": VirtualPepper()}
        super().__init__(folder, dict(self.readers), {tag: c for c, tag in self.tags.items()})
        ports = [
            port(folder / name, "pepper", zones)
            for name, zones in zip(self.readers, ZONES, strict=True)
        ]
        self.write(broker, seats=SEATS, button=10, more="".join(ports))

    def at(self, zone: str) -> list[str]:
        """What lies before the antenna of a zone."""
        for reader, zones in zip(self.readers.values(), ZONES, strict=True):
            if zone in zones:
                return reader.tags[zones.index(zone)]
        raise ValueError(zone)

    async def deal(self, zone: str, *cards: str) -> None:
        await self.lay(*((self.at(zone), self.tags[card]) for card in cards))

    async def fold(self, seat: int, cards: tuple[str, str]) -> None:
        """Both cards go to the muck, one upon the other."""
        before = self.recorded("gone")
        for card in cards:
            self.at(f"seat/{seat}").remove(self.tags[card])
            await self.deal("muck", card)
        await until(lambda: self.recorded("gone") >= before + 2)


def test_a_hand_at_a_table_of_two_peppers(tmp_path: Path) -> None:
    asyncio.run(_play(tmp_path))


async def _play(folder: Path) -> None:
    with start_broker("demo", ["T1"]) as broker:
        table, room = Table(folder, broker), Room(broker)
        async with served(table, room, "-m", "controller", "table"):
            await table.riffle()
            for card, seat in zip(CARDS[:8], SEATS * 2, strict=True):
                await table.deal(f"seat/{seat}", card)
            await table.deal("burn", CARDS[8])
            await table.deal("board", *CARDS[9:12])
            for n, seat in enumerate(SEATS[:3]):
                await table.fold(seat, (CARDS[n], CARDS[n + 4]))
            await until(lambda: room.events("result"))
            wires = (room.last("T1/health") or {})["wires"]
    assert [wire["state"] for wire in wires] == ["up", "up"]
    assert [event["code"] for event in room.events("finding")] == []
    assert [(e["street"], e["cards"]) for e in room.events("board")][-1] == (
        "flop",
        list(CARDS[9:12]),
    )
    folds = [(e["seat"], e["by"]) for e in room.events("action") if e["action"] == "fold"]
    assert folds == [(1, "muck"), (5, "muck"), (9, "muck")]
    # Nobody told the amounts, so there is a result and no pot; who is left is known by the folds.
    assert [(event["hand"], event["pots"]) for event in room.events("result")] == [(1, [])]
    assert [event["phase"] for event in room.events("phase")][-1] == "complete"
    tags = [tag.encode() for tag in table.tags.values()]
    assert not any(tag in payload for _, payload in room.messages for tag in tags)
