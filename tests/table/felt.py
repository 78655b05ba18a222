"""A table of three seats: `cutcard table` on a virtual table's pty, with a room's broker."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.broker.own import RunningBroker, start_broker
from controller.contract.cards import CARDS
from firmware_bridge.virtual.table import VirtualTable
from tests.leaving import leave
from tests.waiting import PATIENCE_S, answers, until

SEATS = (1, 2, 3)
ZONES = ("seat/1", "seat/2", "seat/3", "board", "burn", "muck")
LABELS = ("check", "call", "fold", "all-in")
BUTTONS = tuple((seat, label) for seat in SEATS for label in LABELS)
SPEED = 3.0
"""The felt's time and the table's run so many times as fast as the tests'."""


class Room:
    """All that is said at the room's broker, commands too, as somebody without a name hears it;
    commands can be given."""

    def __init__(self, broker: RunningBroker) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._ear = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._ear.on_message = lambda _c, _u, m: self.messages.append((m.topic, bytes(m.payload)))
        self._ear.on_connect = lambda c, *_: c.subscribe("cutcard/#", qos=1)
        listens = threading.Event()
        self._ear.on_subscribe = lambda *_: listens.set()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set(str(broker.room.user), broker.room.password)
        for each in (self._ear, self._client):
            each.connect("127.0.0.1", broker.port)
            each.loop_start()
        assert listens.wait(PATIENCE_S)  # before the table says that it begins

    def last(self, ending: str) -> dict[str, Any] | None:
        found = [p for topic, p in self.messages if topic.endswith(ending)]
        return json.loads(found[-1]) if found and found[-1] else None

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.told() if event["kind"] == kind]

    def told(self) -> list[dict[str, Any]]:
        """All events, each once: a service that was killed may say its last ones again."""
        heard = [json.loads(p) for topic, p in self.messages if topic.endswith("/events")]
        return list({(each["session"], each["seq"]): each["event"] for each in heard}.values())

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

    def publish(self, name: str, payload: bytes, *, retain: bool = False) -> None:
        self._client.publish(f"cutcard/1/demo/tables/T1/cmd/{name}", payload, 1, retain)

    def states(self) -> list[str]:
        heard = [json.loads(p)["state"] for t, p in self.messages if t.endswith("T1/$state")]
        return [word for index, word in enumerate(heard) if heard[index - 1 : index] != [word]]

    def close(self) -> None:
        for each in (self._ear, self._client):
            leave(each)


def make_deck(seed: int) -> dict[str, str]:
    """A tag for each card."""
    uids = random.Random(seed).sample(range(1 << 32), len(CARDS))
    return {card: f"E0040150{uid:08X}" for card, uid in zip(CARDS, uids, strict=True)}


def _write_deck(path: Path, tags: dict[str, str]) -> None:
    path.write_text("".join(f'{tag} = "{card}"\n' for card, tag in tags.items()))
    path.chmod(0o600)


def write_table(
    folder: Path,
    rulebook: str,
    broker: RunningBroker | None = None,
    decks: dict[str, dict[str, str]] | None = None,
) -> dict[str, str]:
    """Writes table.toml and what it names into `folder`; returns the tag of each card, of the
    first of several decks."""
    tags = make_deck(1)
    section = '[deck]\n        file = "deck.toml"'
    if decks is None:
        _write_deck(folder / "deck.toml", tags)
    else:
        section = "".join(f'[decks.{name}]\nfile = "{name}.toml"\n' for name in decks)
        for name, deck in decks.items():
            _write_deck(folder / f"{name}.toml", deck)
        tags = next(iter(decks.values()))
    (folder / "table.toml").write_text(
        f"""
        [table]
        id = "T1"
        rulebook = "{rulebook}"
        seats = {json.dumps(SEATS)}
        button = 3
        stack = 1000
        blinds = {{ small = 5, big = 10 }}
        [[port]]
        device = "{folder / "port"}"
        zones = {json.dumps(ZONES)}
        buttons = {{ seats = {json.dumps(SEATS)}, labels = {json.dumps(LABELS)} }}
        lamps = {json.dumps(SEATS)}
        {section}
        [screen]
        socket = "dealer.sock"
        [journal]
        path = "journal.sqlite"
        keys = "keys"
        {"" if broker is None else _broker_section(folder, broker)}
        """
    )
    return tags


def _broker_section(folder: Path, broker: RunningBroker) -> str:
    login = broker.tables["T1"]
    (folder / "password").write_text(str(login.password))
    return f"""
        [broker]
        host = "127.0.0.1"
        port = {broker.port}
        user = "{login.user}"
        password_file = "password"
        site = "demo"
        """


def but_stalls(links: Iterable[str]) -> list[str]:
    """What is told of the links, without that the machine stood still for a second."""
    return [words for words in links if "(stall)" not in words]


class Felt:
    """A virtual table and the service that reads it."""

    def __init__(
        self,
        folder: Path,
        broker: RunningBroker,
        rulebook: str = "roberts",
        decks: dict[str, dict[str, str]] | None = None,
    ) -> None:
        self.folder = folder
        self.program = "controller"
        self.tags = write_table(folder, rulebook, broker, decks)
        self.virtual = VirtualTable(
            ZONES,
            BUTTONS,
            clock=lambda: SPEED * time.monotonic(),
            sleep=pause,
            lamps=len(SEATS),
            link=folder / "port",
        )
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with (self.folder / "said").open("ab") as said:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", self.program, "table", "--config",
                str(self.folder / "table.toml"), "--speed", str(SPEED),
                stdout=said,
            )  # fmt: skip

    def said(self) -> list[str]:
        return (self.folder / "said").read_text().splitlines()

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
        await read_out(reader, writer)

    async def shows(self, **fields: object) -> None:
        """Waits until the picture that the dealer's screen gets has these."""
        await self._shows(lambda view: all(view.get(name) == fields[name] for name in fields))

    async def shows_a_finding(self) -> None:
        """Waits until the same picture has one."""
        await self._shows(lambda view: bool(view.get("findings")))

    async def _shows(self, true: Callable[[dict[str, Any]], bool]) -> None:
        reader, writer = await asyncio.open_unix_connection(self.folder / "dealer.sock")
        view: dict[str, Any] = {}
        try:
            async with asyncio.timeout(PATIENCE_S):
                while line := await reader.readline():
                    view = json.loads(line).get("view", {})
                    if true(view):
                        return
                pytest.fail(f"it closed its socket, and showed {view}")
        except TimeoutError:
            pytest.fail(f"it shows {view}; the table said {self.said()}")
        finally:
            writer.close()

    async def deal(self) -> None:
        await self.enter(kind="riffle")
        await self.shows(phase="deal")
        for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
            self.place(f"seat/{seat}", card)
            await pause(0.5)


async def read_out(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ends what was written, and stays until all of it is read: a picture that is sent to a screen
    which has gone takes with it what that screen wrote last."""
    writer.write_eof()
    async with asyncio.timeout(PATIENCE_S):
        with suppress(ConnectionError):
            await reader.read()
    writer.close()


async def pause(seconds: float) -> None:
    """Waits for so many seconds of the table's."""
    await asyncio.sleep(seconds / SPEED)


@asynccontextmanager
async def a_table(
    folder: Path,
    rulebook: str = "roberts",
    decks: dict[str, dict[str, str]] | None = None,
    prepare: Callable[[Path], None] = lambda _: None,
    program: str = "controller",
) -> AsyncIterator[tuple[Felt, Room, RunningBroker]]:
    with start_broker("demo", ["T1"]) as broker:
        felt = Felt(folder, broker, rulebook, decks)
        felt.program = program
        prepare(folder)
        room = Room(broker)
        scanning = asyncio.create_task(felt.virtual.run())
        await felt.start()
        try:
            await until(lambda: answers(felt.folder / "dealer.sock"))
            await until(lambda: room.last("T1/$state"))
            yield felt, room, broker
        finally:
            room.close()
            if felt.process is not None and felt.process.returncode is None:
                felt.process.terminate()
                await asyncio.wait_for(felt.process.wait(), PATIENCE_S)
            scanning.cancel()
            await asyncio.gather(scanning, return_exceptions=True)


async def play_to_a_four_card_flop(felt: Felt) -> None:
    await felt.deal()
    for seat, label in ((3, "call"), (1, "call"), (2, "check")):
        await felt.shows(to_act=seat)
        felt.virtual.press(seat, label)
    await felt.shows(to_act=None)
    felt.place("burn", CARDS[6])
    await felt.shows(burns=1)
    for card in CARDS[7:11]:
        felt.place("board", card)
