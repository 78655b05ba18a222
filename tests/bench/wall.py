"""From the wire to the room: a press at a table's port until a subscriber at the broker has it.

The table is a process as it is installed, with its journal on this machine's disk, and so is
mosquitto. The least that this can take is a bare read of the port, one durable commit and one hop
over the broker, each alone, in the same run and at the pace of the presses: whatever a processor
does after it has rested takes more than twice as long as in a row.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.broker.own import RunningBroker, start_broker
from controller.contract.cards import CARDS
from controller.contract.events import Action, Event, Finding, Phase, Start
from controller.contract.messages import TABLE_EVENT, Message
from firmware_bridge.virtual.table import VirtualTable
from tests.bench import audit, late, wires
from tests.bench.figures import Figure
from tests.bench.screen import LABELS, MOST_S, SEATS, ZONES, ending, start_table, write_table
from tests.mqtt.listening import Listening

SITE = "demo"
RATIO = 1.5
HANDS = 10
TIMES = 200
PITCH_S, THINK_S, LIFT_S = 0.1, 0.1, 0.8
REST_S = 0.02
"""What had to wait for the account is done by then."""
PACE_S = THINK_S + REST_S
TAGS = {card: f"E004015000{number:06X}" for number, card in enumerate(CARDS)}


def measure(rounds: int, hands: int = HANDS, times: int = TIMES) -> list[Figure]:
    """So many hands in which all fold but one, one after the other, by `rounds` tables; beside
    each of the three so many `times`."""
    presses: list[late.Press] = []
    with TemporaryDirectory() as folder, start_broker(SITE, ["T1"], kind="mosquitto") as broker:
        bare, _ = asyncio.run(wires.latency(Path(folder), times, PACE_S))
        hops = asyncio.run(_hops(broker.tables["T1"], broker.room, times))
        for number in range(rounds):
            home = Path(folder) / str(number)
            home.mkdir()
            presses += asyncio.run(_presses(home, broker, hands))
    commits = audit.commits(sealing=False, count=times, pace_s=PACE_S)
    steps, took = (bare, commits, hops), [press.took for press in presses]
    least, most = sum(map(median, steps)), sum(map(wires.p99, steps))
    name = "byte at the port → a subscriber has the action"
    return [
        Figure("a bare read of a press from a pty, median", median(bare) * 1e6, "µs"),
        Figure("one durable commit, median", median(commits) * 1e6, "µs"),
        Figure("one hop over the broker, QoS 1, median", median(hops) * 1e6, "µs"),
        Figure(f"{name}, median of {len(took)}", median(took) * 1e6, "µs"),
        Figure("… ÷ the three of the same run", median(took) / least, "", RATIO),
        Figure("…, p99", wires.p99(took) * 1e6, "µs"),
        Figure("… ÷ the sum of the three's p99", wires.p99(took) / most, "", RATIO),
        Figure("…, p99.9", sorted(took)[int(len(took) * 0.999)] * 1e6, "µs"),
        *late.worst(presses),
    ]


class _Hears:
    """A subscriber; each message with when it came."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.came: asyncio.Queue[tuple[float, Incoming]] = asyncio.Queue()
        self.client = Listening(endpoint, "bench")
        self.client.subscribe(TABLE_EVENT.filter(SITE))
        self.client.start(self._take)

    def _take(self, incoming: Incoming) -> None:
        self.came.put_nowait((time.perf_counter(), incoming))

    async def up(self) -> None:
        await self.client.hears()

    async def event(self) -> tuple[float, Event]:
        """The next one, with when it came."""
        at, incoming = await self.came.get()
        event = TABLE_EVENT.decode(incoming.payload).value.event
        assert not isinstance(event, Finding), event
        return at, event


async def _hops(from_: Endpoint, to: Endpoint, times: int) -> list[float]:
    hears, says = _Hears(to), MqttClient(from_, "bench-says")
    says.start()
    await hears.up()
    topic, took = TABLE_EVENT.name(SITE, "T1"), []
    async with asyncio.timeout(MOST_S + times * (PACE_S + 0.1)):
        for number in range(times):
            await asyncio.sleep(PACE_S)
            began = time.perf_counter()
            says.publish(Message(topic, b"x" * 200 + str(number).encode(), 1, False))
            at, _ = await hears.came.get()
            took.append(at - began)
    await asyncio.gather(says.close(), hears.client.close())
    return took


async def _presses(folder: Path, broker: RunningBroker, hands: int) -> list[late.Press]:
    login = broker.tables["T1"]
    write_table(folder, login, broker.port)
    with (folder / "table.toml").open("a") as config:
        config.write('[deck]\nfile = "deck.toml"\n')
    deck = folder / "deck.toml"
    deck.write_text("".join(f'"{tag}" = "{card}"\n' for card, tag in TAGS.items()))
    deck.chmod(0o600)
    buttons = [(seat, label) for seat in SEATS for label in LABELS]
    table = VirtualTable(ZONES, buttons, clock=time.monotonic, link=folder / "port", lamps=0)
    device = asyncio.create_task(table.run())
    hears = _Hears(broker.room)
    await hears.up()
    with ExitStack() as stack:
        process, _ = await asyncio.to_thread(start_table, folder, stack)
        stack.enter_context(ending(process))
        await asyncio.sleep(1.0)  # until the port is up
        presses: list[late.Press] = []
        pids = (process.pid, broker.pid, os.getpid())
        for number in range(hands):
            async with asyncio.timeout(3 * MOST_S):
                presses += await _hand(table, hears, number, pids)
    device.cancel()
    await asyncio.gather(device, return_exceptions=True)
    await hears.client.close()
    return presses


async def _hand(
    table: VirtualTable, hears: _Hears, number: int, pids: tuple[int, ...]
) -> list[late.Press]:
    """All fold to the big blind, each in turn. Each with what the processes `pids` did meanwhile.
    Raises AssertionError where the table finds anything amiss."""
    deal = [*CARDS[20 * (number % 2) :], *CARDS[: 20 * (number % 2)]][: 2 * len(SEATS)]
    first = 1 if number == 0 else 0
    button = SEATS[number % len(SEATS)]
    lie: list[tuple[str, str]] = []
    for at, card in enumerate(deal):
        seat = SEATS[(at + number + 1) % len(SEATS)]
        lie.append((f"seat/{seat}", TAGS[card]))
        table.place(*lie[-1])
        await asyncio.sleep(PITCH_S + 0.05 * first)
    while True:
        _, event = await hears.event()
        if isinstance(event, Start):
            assert event.button == button
            break
    await asyncio.sleep(LIFT_S)
    acts = sorted(SEATS, key=lambda seat: (seat - button - 3) % len(SEATS))
    presses = []
    for seat in acts[:-1]:
        await asyncio.sleep(THINK_S)
        before = late.account(pids)
        await asyncio.sleep(REST_S)
        began = time.perf_counter()
        table.press(seat, "fold")
        took = await _action(hears, seat) - began
        presses.append(late.press(took, before, late.account(pids)))
    while True:
        _, event = await hears.event()
        if isinstance(event, Phase) and event.phase == "complete":
            break
    for zone, tag in lie:
        table.take(zone, tag)
    await asyncio.sleep(LIFT_S)
    return presses


async def _action(hears: _Hears, seat: int) -> float:
    while True:
        at, event = await hears.event()
        if isinstance(event, Action) and event.seat == seat:
            return at
