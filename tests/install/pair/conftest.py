"""A room with a broker that keeps its logins itself, as the package starts both."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.broker.own import find_mosquitto
from controller.broker.ports import LOOPBACK
from controller.certificates.held import fingerprint
from controller.install.pair.meeting import Address
from controller.pairing.codes import typed
from tests.broker_rights.shipped import SITE, Shipped, a_broker
from tests.table.felt import write_table
from tests.waiting import PATIENCE_S, wait_until
from tests.web.hall import JOIN, joined


class Room:
    """The room's process, and what its admin does on the page Tables."""

    def __init__(self, shipped: Shipped, said: dict[str, Any]) -> None:
        self.shipped = shipped
        self.address = Address(LOOPBACK, said["pairing"])
        self.fingerprint = fingerprint(shipped.ca)
        self.admin = httpx.Client(
            base_url=said["url"], headers=joined(said["url"]), timeout=PATIENCE_S
        )
        self.url: str = said["url"]

    def tables(self) -> dict[str, Any]:
        answer = self.admin.get("/tables.json")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def does(self, what: str, **fields: str) -> httpx.Response:
        return self.admin.post(f"/tables/{what}", json=fields)

    def code(self, table: str, replaces: str = "") -> str:
        """A new code for a table, as the page shows it."""
        answer = self.does("add", table=table, replaces=replaces)
        assert answer.status_code == 200, answer.text
        (code,) = [each["code"] for each in self.tables()["offers"] if each["table"] == table]
        return str(code)

    def offers(self) -> list[str]:
        return [each["table"] for each in self.tables()["offers"]]

    def known(self) -> list[str]:
        return [each["table"] for each in self.tables()["tables"]]

    def is_live(self, table: str) -> bool:
        return {"table": table, "live": True} in self.tables()["tables"]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One for the tests of a file."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    folder = tmp_path_factory.mktemp("room")
    with a_broker(folder, by_room=True) as shipped:
        credentials = folder / "credentials"
        credentials.mkdir()
        for user in ("room", "archive", "steward"):
            (credentials / f"cutcard.{user}-password").write_text(shipped.password(user))
        for kind, name in (("certificate", "room.crt"), ("key", "room.key")):
            shutil.copy(folder / "https" / name, credentials / f"cutcard.room-{kind}")
        (folder / "room.toml").write_text("[web]\nport = 0\n[pairing]\nport = 0\n")
        words = [
            *("--config", str(folder / "room.toml"), "--store", str(folder / "room.sqlite")),
            *("--broker", f"{LOOPBACK}:{shipped.port}", "--tls-ca", str(shipped.ca)),
            *("--user", "room", "--password-file", str(credentials / "cutcard.room-password")),
            *("--site", SITE, "--json"),
        ]
        with subprocess.Popen(
            [sys.executable, "-m", "controller", "room", *words],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | JOIN | {"CREDENTIALS_DIRECTORY": str(credentials)},
        ) as process:
            try:
                assert process.stdout is not None
                at = Room(shipped, json.loads(process.stdout.readline()))
                wait_until(lambda: not at.tables()["fault"])
                yield at
                at.admin.close()
            finally:
                process.terminate()


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The root of a table's machine, with settings and no room."""
    etc = tmp_path / "etc" / "cutcard"
    etc.mkdir(parents=True)
    write_table(etc, "roberts")
    return tmp_path


def digits(code: str) -> str:
    return typed(code) or ""
