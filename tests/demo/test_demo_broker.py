"""The demo at a broker that is there already, and `--json`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.broker.own import RunningBroker, start_broker
from controller.broker.ports import free_port
from controller.room.pages import PAGES
from tests.demo.runs import Onlooker, demo, running
from tests.waiting import PATIENCE_S


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker("demo", ["T1"], kind="mosquitto") as started:
        yield started


def test_a_broker_with_rights_and_a_file_of_credentials(
    broker: RunningBroker, tmp_path: Path
) -> None:
    credentials = tmp_path / "credentials.toml"
    table = broker.tables["T1"]
    credentials.write_text(
        f'[table]\nuser = "{table.user}"\npassword = "{table.password}"\n'
        f'[room]\nuser = "{broker.room.user}"\npassword = "{broker.room.password}"\n'
    )
    onlooker = Onlooker(broker.port)
    where = f"127.0.0.1:{broker.port}"
    arguments = ("--headless", "--hands", "1", "--speed", "5", "--seed", "5", "--json")
    done = demo(*arguments, "--broker", where, "--credentials", str(credentials))
    onlooker.close()
    assert done.returncode == 0, done.stderr
    ready, *events = [json.loads(line) for line in done.stdout.splitlines()]
    assert list(ready) == ["ready", "mqtt", "credentials", "pages", "link"]
    assert ready["ready"] is True
    assert ready["mqtt"] == where
    assert ready["credentials"] == {"user": "room", "password": broker.room.password}
    assert set(ready["pages"]) == {*PAGES, "blinds", "control"}
    for page in ("floor", "clock", "history", "statistics", "people"):
        assert re.search(rf"/join\?code=[\w-]{{20,}}&to=/{page}$", ready["pages"][page])
    assert ready["link"].startswith("/dev/pts/")
    assert events[0]["kind"] == "start"
    assert events == onlooker.events("T1")
    assert "1 hand dealt" in done.stderr


def test_credentials_of_the_environment_that_are_refused_are_one_line(
    broker: RunningBroker,
) -> None:
    env = {**os.environ, "CUTCARD_MQTT_USER": "room", "CUTCARD_MQTT_PASSWORD": "wrong"}
    with running("--headless", "--broker", f"127.0.0.1:{broker.port}", env=env) as show:
        show.wait_for(r"^cutcard demo: the broker at 127\.0\.0\.1:\d+ refuses user room")
        assert show.process.wait(PATIENCE_S) == 2


@pytest.mark.parametrize(
    ("where", "text", "fault"),
    [
        ("nowhere", None, "--broker 'nowhere' is not HOST:PORT"),
        ("", None, ": Connection refused"),
        ("127.0.0.1:1883", "user = 3", "is not TOML with user and password"),
        ("127.0.0.1:1883", '[room]\nuser = "a"\npassword = "b"', "no user and password for the"),
    ],
)
def test_a_mistake_about_the_broker_ends_with_2(
    where: str, text: str | None, fault: str, tmp_path: Path
) -> None:
    arguments = ["--headless", "--broker", where or f"127.0.0.1:{free_port()}"]
    if text is not None:
        (tmp_path / "credentials.toml").write_text(text)
        arguments += ["--credentials", str(tmp_path / "credentials.toml")]
    done = demo(*arguments)
    assert done.returncode == 2
    last = done.stderr.splitlines()
    assert len(last) == 1
    assert last[0].startswith("cutcard demo: ")
    assert fault in last[0]
