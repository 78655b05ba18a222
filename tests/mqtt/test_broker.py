from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.broker.client import Backoff, Endpoint, Incoming, MqttClient
from controller.broker.own import UNPROTECTED, BrokerError, Kind, RunningBroker, start_broker
from controller.broker.ports import LOOPBACK
from controller.contract.messages import Message
from tests.mqtt.listening import Listening
from tests.waiting import answers, until, wait_until

ROOT = "cutcard/1/hall/"


async def connected(endpoint: Endpoint, name: str, got: list[Incoming]) -> MqttClient:
    client = Listening(endpoint, name, report=lambda _line: None)
    client.subscribe("#")
    client.start(got.append)
    await client.hears()
    return client


WRITES = {
    "tables/T1/$state": {"table"},
    "tables/T1/alerts/1": {"table"},
    "tables/T1/cmd/ruling": {"room"},
    "tables/T2/events": set[str](),
    "tables/T2/cmd/ruling": {"room"},
    "room/clock": {"room"},
    "elsewhere": set[str](),
}
READS = {
    "tables/T1/$state": {"room", "anyone"},
    "tables/T1/alerts/1": {"table", "room", "anyone"},
    "tables/T1/cmd/ruling": {"table", "anyone"},
    "tables/T2/cmd/ruling": {"anyone"},
    "room/clock": {"table", "room", "screen", "anyone"},
}


def test_each_may_do_what_the_design_says_and_no_more(mosquitto: RunningBroker) -> None:
    async def run() -> None:
        who = {
            "table": mosquitto.tables["T1"],
            "room": mosquitto.room,
            "screen": mosquitto.screen,
            "anyone": Endpoint(LOOPBACK, mosquitto.port),
        }
        got: dict[str, list[Incoming]] = {name: [] for name in who}
        clients = {name: await connected(who[name], name, got[name]) for name in who}
        wrote: dict[str, set[str]] = {path: set() for path in WRITES}
        for path in WRITES:
            for name, client in clients.items():
                before = client.refused
                client.publish(Message(ROOT + path, name.encode(), 1, False))
                await until(lambda client=client: not len(client.outbox))  # type: ignore[misc]
                if client.refused == before:
                    wrote[path].add(name)
        assert wrote == WRITES

        def read() -> dict[str, set[str]]:
            heard = {path: set[str]() for path in READS}
            for name, messages in got.items():
                for message in messages:
                    path = message.topic.removeprefix(ROOT)
                    assert message.payload.decode() in WRITES[path]
                    if path in heard:
                        heard[path].add(name)
            return heard

        await until(lambda: read() == READS)
        await asyncio.sleep(0.1)  # in which nothing comes that is for others
        assert read() == READS
        for client in clients.values():
            await client.close()

    asyncio.run(run())


def test_a_wrong_password_is_said_once(mosquitto: RunningBroker) -> None:
    async def run() -> None:
        lines: list[str] = []
        wrong = replace(mosquitto.room, password="guess")  # noqa: S106
        client = MqttClient(wrong, "thief", backoff=Backoff(0.01, 0.02), report=lines.append)
        client.start()
        await until(lambda: lines)
        await asyncio.sleep(0.3)
        assert len(lines) == 1
        assert "refuses user room" in lines[0]
        assert "guess" not in lines[0]
        assert not client.connected
        await client.close()

    asyncio.run(run())


def test_two_tables_and_two_runs_have_different_passwords(mosquitto: RunningBroker) -> None:
    with start_broker("hall", ["T1"], kind="mosquitto") as other:
        logins = [*mosquitto.tables.values(), mosquitto.room, mosquitto.screen, other.room]
        assert len({each.password for each in logins}) == 5


def test_no_file_with_passwords_stays(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with start_broker("hall", ["T1"], kind=kind) as broker:
        assert answers(broker.port)
        assert not list(tmp_path.iterdir())


def test_it_listens_on_loopback_only(broker: RunningBroker) -> None:
    wanted = f"{broker.port:04X}"
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    lines += Path("/proc/net/tcp6").read_text().splitlines()[1:]
    fields = [line.split() for line in lines]
    listening = {each[1] for each in fields if each[3] == "0A" and each[1].endswith(":" + wanted)}
    assert listening == {f"0100007F:{wanted}"}


def test_the_unprotected_one_says_so(broker: RunningBroker) -> None:
    assert broker.banner == ("" if broker.kind == "mosquitto" else UNPROTECTED)


def test_it_stops_even_with_clients(kind: Kind) -> None:
    broker = start_broker("hall", ["T1"], kind=kind)
    with socket.create_connection((LOOPBACK, broker.port)):
        broker.stop()
        broker.stop()
    assert not answers(broker.port)


def test_a_port_that_is_taken_is_named(kind: Kind) -> None:
    with socket.create_server((LOOPBACK, 0)) as owner:
        port = owner.getsockname()[1]
        with pytest.raises(BrokerError, match=f"port {port} on 127.0.0.1 is in use"):
            start_broker("hall", ["T1"], kind=kind, port=port)


PARENT = """
import sys, time
from controller.broker.own import start_broker
broker = start_broker("hall", ["T1"], kind=sys.argv[1])
print(broker.port, broker.pid, flush=True)
time.sleep(60)
"""


def test_it_dies_with_its_parent(kind: Kind) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, kind], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        port, pid = map(int, parent.stdout.readline().split())
        assert answers(port)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        try:
            wait_until(lambda: not answers(port))
        finally:
            if answers(port):
                os.kill(pid, signal.SIGKILL)
