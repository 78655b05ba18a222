"""Table, room, history and doctor as they are, at the broker that is shipped, all at once."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from controller.broker.client import Incoming, MqttClient
from controller.broker.ports import LOOPBACK
from controller.contract.messages import ROOM_STATE, TABLE_EVENT, TABLE_STATE
from controller.room.settings import ARCHIVE_CREDENTIAL
from tests.broker_rights.peer import peer
from tests.broker_rights.shipped import SITE, Shipped, a_broker
from tests.install.doctor.at_the_table import checks
from tests.table.felt import read_out, write_table
from tests.waiting import PATIENCE_S, answers, until, wait_until


@contextmanager
def program(*words: str, said: Path, **env: str) -> Iterator[None]:
    """One of `cutcard`'s, whose words are kept, and that is ended at the end."""
    with (
        said.open("wb") as saying,
        subprocess.Popen(
            [sys.executable, "-m", "controller", *words],
            stdout=saying,
            stderr=saying,
            env=os.environ | env,
        ) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def write_settings(shipped: Shipped, folder: Path) -> None:
    """A table's settings, a room's, and a credential as systemd would lend it."""
    folder.mkdir()
    broker = f'[broker]\nhost = "{LOOPBACK}"\nport = {shipped.port}\nca_file = "{shipped.ca}"\n'
    passwords = shipped.folder / "passwords"
    write_table(folder, "roberts")
    with (folder / "table.toml").open("a") as file:
        file.write(f'\n{broker}password_file = "{passwords}/table-T1.password"\nsite = "{SITE}"\n')
    (folder / "room.toml").write_text(
        f'{broker}password_file = "{passwords}/room.password"\nuser = "room"\n'
        '[room]\nstore = "room.sqlite"\n[web]\nport = 0\n'
    )
    (folder / ARCHIVE_CREDENTIAL).write_text(f"{shipped.password('archive')}\n")


def kept(folder: Path) -> int:
    """How many events the history has."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{folder}/history.sqlite?mode=ro", uri=True)) as db,
    ):
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])
    return 0


async def riffle(folder: Path) -> None:
    await until(lambda: answers(folder / "dealer.sock"))
    reader, writer = await asyncio.open_unix_connection(folder / "dealer.sock")
    await reader.readline()
    writer.write(b'{"kind": "riffle"}\n')
    await read_out(reader, writer)


def test_everybody_works_and_nobody_ends_anybodys_connection(folder: Path) -> None:
    with a_broker(folder, "--tables", "T1", "--rooms", "2") as shipped:
        at = folder / "machine"
        write_settings(shipped, at)
        with ExitStack() as stack:
            for name, more in (
                ("room", {"CREDENTIALS_DIRECTORY": str(at)}),
                ("table", {}),
            ):
                words = (name, "--config", str(at / f"{name}.toml"))
                stack.enter_context(program(*words, said=at / name, **more))
            asyncio.run(_look_on(shipped, at))
        for name in ("room", "table"):
            assert "lost the broker" not in (at / name).read_text()
            assert "refuse" not in (at / name).read_text()


async def _look_on(shipped: Shipped, at: Path) -> None:
    """As a second room, which may hear all that the first may."""
    said: dict[str, list[str]] = {}

    def hear(incoming: Incoming) -> None:
        payload = json.loads(incoming.payload)
        said.setdefault(incoming.topic, []).append(payload.get("state", ""))

    states = [TABLE_STATE.name(SITE, "T1"), ROOM_STATE.name(SITE)]
    events = TABLE_EVENT.name(SITE, "T1")
    client = MqttClient(shipped.login("room-2"), "second room", report=lambda _line: None)
    for topic in (*states, events):
        client.subscribe(topic)
    client.start(hear)
    await until(lambda: all("ready" in said.get(topic, ()) for topic in states))
    await riffle(at)
    await until(lambda: events in said)
    await until(lambda: kept(at))
    found = await checks("--config", str(at / "table.toml"), "--only", "broker")
    assert {each["status"] for each in found} == {"ok"}, found
    assert "as doctor@table-T1" in [each["found"] for each in found]
    for topic in states:
        assert "lost" not in said[topic]
    await client.close()


def test_a_renewed_certificate_is_shown_without_a_pause(folder: Path) -> None:
    def shown() -> str:
        return ssl.get_server_certificate((LOOPBACK, shipped.port), timeout=PATIENCE_S)

    with a_broker(folder, "--tables", "T1") as shipped, peer(shipped.login("table-T1")) as table:
        before = shown()
        shipped.make_certificate()
        shipped.set_up()
        shipped.reload()
        wait_until(lambda: shown() != before)
        assert not table.lost
        with peer(shipped.login("room")) as room:  # by the same authority as before
            assert room.entered == 0
