"""`cutcard table` as a service: a real pty, a real broker, a real kill -9 in mid-hand."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import sqlite3
import stat
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.broker import RunningBroker, start_broker
from controller.cards import CARDS
from firmware_bridge.virtual.table import VirtualTable

SEATS = (1, 2, 3)
ZONES = ("seat/1", "seat/2", "seat/3", "board", "burn", "muck")
LABELS = ("check", "call", "fold", "all-in")
BUTTONS = tuple((seat, label) for seat in SEATS for label in LABELS)


class Room:
    """What the room's broker hears of the table; commands can be given."""

    def __init__(self, broker: RunningBroker) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set(str(broker.room.user), broker.room.password)
        self._client.on_message = lambda _c, _u, m: self.messages.append(
            (m.topic, bytes(m.payload))
        )
        self._client.on_connect = lambda c, *_: c.subscribe("cutcard/#", qos=1)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def last(self, ending: str) -> dict[str, Any] | None:
        found = [p for topic, p in self.messages if topic.endswith(ending)]
        return json.loads(found[-1]) if found and found[-1] else None

    def events(self, kind: str) -> list[dict[str, Any]]:
        heard = [json.loads(p)["event"] for t, p in self.messages if t.endswith("/events")]
        return [event for event in heard if event["kind"] == kind]

    def answers(self) -> int:
        return sum(topic.endswith("answers/test") for topic, _ in self.messages)

    def command(self, name: str, **fields: object) -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ResponseTopic = "cutcard/1/demo/room/answers/test"
        properties.CorrelationData = b"1"
        self._client.publish(
            f"cutcard/1/demo/tables/T1/cmd/{name}",
            json.dumps({"v": 1, "actor": "Ann", "role": "floor", **fields}),
            qos=1,
            properties=properties,
        )

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Felt:
    """A virtual table and the service that reads it."""

    def __init__(self, folder: Path, broker: RunningBroker) -> None:
        uids = random.Random(1).sample(range(1 << 32), len(CARDS))
        self.tags = {c: f"E0040150{u:08X}" for c, u in zip(CARDS, uids, strict=True)}
        self.folder = folder
        self.virtual = VirtualTable(ZONES, BUTTONS, clock=time.monotonic, link=folder / "port")
        self.process: asyncio.subprocess.Process | None = None
        deck = "".join(f'{tag} = "{card}"\n' for card, tag in self.tags.items())
        (folder / "deck.toml").write_text(deck)
        (folder / "deck.toml").chmod(0o600)
        (folder / "password").write_text(str(broker.tables["T1"].password))
        (folder / "table.toml").write_text(
            f"""
            [table]
            id = "T1"
            rulebook = "roberts"
            seats = [1, 2, 3]
            button = 3
            stack = 1000
            blinds = {{ small = 5, big = 10 }}
            [[port]]
            device = "{folder / "port"}"
            zones = {json.dumps(ZONES)}
            buttons = {{ seats = [1, 2, 3], labels = {json.dumps(LABELS)} }}
            [deck]
            file = "deck.toml"
            [broker]
            host = "127.0.0.1"
            port = {broker.port}
            user = "{broker.tables["T1"].user}"
            password_file = "password"
            site = "demo"
            [screen]
            socket = "dealer.sock"
            [journal]
            path = "journal.sqlite"
            keys = "keys"
            """
        )

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "table", "--config",
            str(self.folder / "table.toml"),
            stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        await self.process.wait()

    def place(self, zone: str, card: str) -> None:
        self.virtual.place(zone, self.tags[card])

    async def enter(self, **fields: object) -> None:
        reader, writer = await asyncio.open_unix_connection(self.folder / "dealer.sock")
        await reader.readline()
        writer.write(json.dumps(fields).encode() + b"\n")
        await writer.drain()
        writer.close()

    async def deal(self) -> None:
        await self.enter(kind="riffle")
        for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
            self.place(f"seat/{seat}", card)
            await asyncio.sleep(0.5)


async def until(true: Callable[[], object], within: float = 10.0) -> None:
    async with asyncio.timeout(within):
        while not true():  # noqa: ASYNC110 - other processes bring it about
            await asyncio.sleep(0.02)


@asynccontextmanager
async def a_table(folder: Path) -> AsyncIterator[tuple[Felt, Room, RunningBroker]]:
    with start_broker("demo", ["T1"]) as broker:
        felt = Felt(folder, broker)
        room = Room(broker)
        scanning = asyncio.create_task(felt.virtual.run())
        await felt.start()
        try:
            await until((felt.folder / "dealer.sock").exists)
            await until(lambda: room.last("T1/$state"))
            yield felt, room, broker
        finally:
            room.close()
            if felt.process is not None and felt.process.returncode is None:
                felt.process.terminate()
                await asyncio.wait_for(felt.process.wait(), 5)
            scanning.cancel()
            await asyncio.gather(scanning, return_exceptions=True)


async def play_to_a_four_card_flop(felt: Felt) -> None:
    await felt.deal()
    await asyncio.sleep(0.5)
    for seat, label in ((3, "call"), (1, "call"), (2, "check")):
        felt.virtual.press(seat, label)
        await asyncio.sleep(0.5)
    felt.place("burn", CARDS[6])
    await asyncio.sleep(0.7)
    for card in CARDS[7:11]:
        felt.place("board", card)
        await asyncio.sleep(0.15)


def test_killed_in_mid_hand_it_goes_on_with_the_same_hand(tmp_path: Path) -> None:
    asyncio.run(_killed_in_mid_hand(tmp_path))


async def _killed_in_mid_hand(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        before = room.last("T1/hand")
        assert before is not None
        session = before["session"]
        await felt.kill()
        await until(lambda: (room.last("T1/$state") or {})["state"] == "lost")
        await felt.start()
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        await until(lambda: (room.last("T1/hand") or {})["session"] != session)
        after = room.last("T1/hand")
        assert after is not None
        for same in ("hand", "phase", "button", "seats", "board", "findings", "prompt"):
            assert after["view"].get(same) == before["view"].get(same), same
        assert room.last("T1/alerts/1") is not None
        # The remedy is carried out after the restart and understood.
        await until(lambda: not (room.last("T1/hand") or {})["view"].get("links"))
        await asyncio.sleep(0.5)
        for card in CARDS[7:11]:
            felt.virtual.take("board", felt.tags[card])
        await asyncio.sleep(2.0)
        for card in CARDS[11:14]:
            felt.place("board", card)
            await asyncio.sleep(0.15)
        await until(lambda: room.events("closed"))
        assert [e["how"] for e in room.events("closed")] == ["remedied"]
        assert len(room.events("finding")) == 1
        await until(lambda: room.last("T1/alerts/1") is None)
        sequences: dict[str, list[int]] = {}
        for topic, payload in room.messages:
            if topic.endswith("/events"):
                told = json.loads(payload)
                sequences.setdefault(told["session"], []).append(told["seq"])
        assert len(sequences) == 2
        for numbers in sequences.values():
            assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    _nothing_secret_was_kept(folder)


def _nothing_secret_was_kept(folder: Path) -> None:
    for path in folder.glob("journal.sqlite*"):
        content = path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b"E0040150" not in content
    rows = sqlite3.connect(folder / "journal.sqlite").execute("SELECT line FROM observations")
    lines = b"".join(line for (line,) in rows)
    assert lines
    assert not any(f'"{card}"'.encode() in lines for card in CARDS)


def test_the_floor_decides_and_is_answered(tmp_path: Path) -> None:
    asyncio.run(_floor_decides(tmp_path))


async def _floor_decides(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        session = (room.last("T1/hand") or {})["session"]
        now = {"session": session, "hand": 1}
        room.command("ruling", id="a", finding=1, outcome="stands", **now)
        await until(lambda: (room.last("answers/test") or {}).get("id") == "a")
        assert (room.last("answers/test") or {})["ok"] is True
        await until(lambda: room.events("closed"))
        assert room.events("closed")[0]["how"] == "ruled"
        refusals = {
            "a": {"finding": 1, "outcome": "stands", **now},
            "b": {"finding": 9, "outcome": "stands", **now},
            "c": {"finding": 1, "outcome": "stands", "session": "old", "hand": 1},
            "d": {"finding": 1, "outcome": "stands", "session": session, "hand": 7},
        }
        for id_, fields in refusals.items():
            answered = room.answers()
            room.command("ruling", id=id_, **fields)
            await until(partial(_more, room.answers, answered))
            assert (room.last("answers/test") or {})["ok"] is False, id_
        await until(lambda: "refused" in str((room.last("T1/health") or {}).get("links")))


def _more(count: Callable[[], int], than: int) -> bool:
    return count() > than


def test_without_a_broker_it_deals_on_and_sends_afterwards(tmp_path: Path) -> None:
    asyncio.run(_broker_comes_late(tmp_path))


async def _broker_comes_late(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    broker = start_broker("demo", ["T1"], port=port)
    felt = Felt(folder, broker)
    broker.stop()
    scanning = asyncio.create_task(felt.virtual.run())
    await felt.start()
    try:
        await until((folder / "dealer.sock").exists)
        await play_to_a_four_card_flop(felt)
        await felt.kill()  # what waits for the broker survives that as well
        with start_broker("demo", ["T1"], port=port) as late:
            (folder / "password").write_text(str(late.tables["T1"].password))
            room = Room(late)
            await felt.start()
            await until(lambda: room.events("finding"), 15)
            first = [json.loads(p)["seq"] for t, p in room.messages if t.endswith("/events")]
            assert first[:5] == [1, 2, 3, 4, 5]
            room.close()
            assert felt.process is not None
            felt.process.terminate()
            assert await asyncio.wait_for(felt.process.wait(), 5) == 0
    finally:
        if felt.process is not None and felt.process.returncode is None:
            await felt.kill()
        scanning.cancel()
        await asyncio.gather(scanning, return_exceptions=True)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("rulebook", "rulebok"), "rulebook"),
        (('"board"', '"bored"'), "board"),
        (("deck.toml", "dock.toml"), "dock.toml"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(
    tmp_path: Path, change: tuple[str, str], fault: str
) -> None:
    async def run() -> tuple[int, str]:
        with start_broker("demo", ["T1"]) as broker:
            felt = Felt(tmp_path, broker)
            felt.virtual.unplug()
        file = tmp_path / "table.toml"
        file.write_text(file.read_text().replace(*change))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "table", "--config", str(file),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, said = await asyncio.wait_for(process.communicate(), 10)
        return process.returncode or 0, said.decode()

    status, said = asyncio.run(run())
    assert status == 2
    assert said.count("\n") == 1
    assert fault in said


def test_it_ends_on_a_signal_and_its_memory_is_private(tmp_path: Path) -> None:
    asyncio.run(_ends(tmp_path))


def _limits(pid: int) -> str:
    return Path(f"/proc/{pid}/limits").read_text()


async def _ends(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        process = felt.process
        assert process is not None
        limits = _limits(process.pid)
        core = next(line for line in limits.splitlines() if "core file" in line)
        assert core.split()[4:6] == ["0", "0"]
        assert stat.S_IMODE((folder / "dealer.sock").stat().st_mode) == 0o600
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 3) == 0
        await until(lambda: (room.last("T1/$state") or {})["state"] == "lost")
        assert not (folder / "dealer.sock").exists()
