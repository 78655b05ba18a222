"""The doctor and the room's broker: a real mosquitto, well and ill."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from controller.broker import client
from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from controller.broker.ports import LOOPBACK, free_port
from controller.contract.messages import ROOM_TIME, RoomTime
from controller.install.doctor import rights
from tests.install.doctor.at_the_table import checks, of
from tests.leaving import leave
from tests.table.felt import write_table
from tests.waiting import answers, wait_until

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or shutil.which("openssl") is None,
    reason="mosquitto or openssl not installed",
)


def broker_of(folder: Path) -> list[dict[str, Any]]:
    """What the doctor says of the broker in `folder`'s settings."""
    return asyncio.run(checks("--config", str(folder / "table.toml"), "--only", "broker"))


def statuses(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["name"], each["status"]) for each in found]


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker("demo", ["T1"]) as running:
        yield running


def test_a_wrong_password(tmp_path: Path, broker: RunningBroker) -> None:
    write_table(tmp_path, "roberts", broker)
    (tmp_path / "password").write_text("not this one")
    found = broker_of(tmp_path)
    assert statuses(found)[-1] == ("login", "fail")
    assert of(found, "login")["found"] == "the broker refuses user table-T1: Not authorized"
    assert "sudo cutcard broker --renew table-T1" in of(found, "login")["todo"]
    assert "not this one" not in str(found)


def test_a_password_that_is_not_there(tmp_path: Path, broker: RunningBroker) -> None:
    write_table(tmp_path, "roberts", broker)
    (tmp_path / "password").unlink()
    found = broker_of(tmp_path)
    assert statuses(found)[-1] == ("login", "fail")
    assert found[-1]["found"].endswith("password: No such file or directory")


def test_a_broker_that_has_stopped(tmp_path: Path, broker: RunningBroker) -> None:
    write_table(tmp_path, "roberts", broker)
    broker.stop()
    found = broker_of(tmp_path)
    assert statuses(found) == [("broker", "fail")]
    assert "nothing is listening there" in found[0]["found"]
    assert "systemctl start cutcard-broker" in found[0]["todo"]


def test_a_broker_that_hangs(broker: RunningBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_HANDSHAKE_S", 0.2)
    os.kill(broker.pid, signal.SIGSTOP)
    try:
        login, allowed = asyncio.run(rights.converse(broker.tables["T1"], "demo", "T1"))
    finally:
        os.kill(broker.pid, signal.SIGCONT)
    assert (login.is_in, login.hangs, allowed) == (False, True, None)


def test_something_else_listens_there(tmp_path: Path, broker: RunningBroker) -> None:
    write_table(tmp_path, "roberts", broker)
    text = (tmp_path / "table.toml").read_text()
    with socket.create_server((LOOPBACK, 0)) as deaf:
        port = deaf.getsockname()[1]
        thread = threading.Thread(target=_hang_up, args=(deaf,))
        thread.start()
        (tmp_path / "table.toml").write_text(text.replace(str(broker.port), str(port)))
        found = broker_of(tmp_path)
        deaf.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert statuses(found)[-1] == ("login", "fail")
    assert "does not speak MQTT 5" in found[-1]["found"]


def _hang_up(deaf: socket.socket) -> None:
    with suppress(OSError):
        while True:
            deaf.accept()[0].close()


def test_how_far_the_rooms_time_is_off(tmp_path: Path, broker: RunningBroker) -> None:
    write_table(tmp_path, "roberts", broker)
    room = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    room.username_pw_set(str(broker.room.user), broker.room.password)
    room.connect(LOOPBACK, broker.port)
    room.loop_start()
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(0.2):
            told = RoomTime("s", int((time.time() - 60) * 1e3))
            message = ROOM_TIME.message("demo", payload=told)
            room.publish(message.topic, message.payload)

    telling = threading.Thread(target=tell)
    telling.start()
    try:
        found = broker_of(tmp_path)
    finally:
        ended.set()
        telling.join()
        leave(room)
    assert of(found, "room's time")["status"] == "warn"
    assert "60." in of(found, "room's time")["found"]


def certificate(folder: Path, name: str, *, host: str = LOOPBACK, days: int = 100) -> Path:
    """A certificate that signs itself, as `NAME.pem` with its key; negative `days`: expired."""
    key, request, file = (str(folder / f"{name}.{end}") for end in ("key", "csr", "pem"))
    words = (
        "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
        f"-subj /CN={name} -addext subjectAltName=IP:{host}"
    ).split()
    subprocess.run([*words, "-keyout", key, "-out", request], check=True, capture_output=True)
    signed = f"openssl x509 -req -days {days} -copy_extensions copyall".split()
    subprocess.run(
        [*signed, "-in", request, "-signkey", key, "-out", file], check=True, capture_output=True
    )
    return Path(file)


@contextmanager
def mosquitto(folder: Path, lines: str, acl: str = "") -> Iterator[int]:
    """A broker with the user table-T1 and these lines in its settings; its port."""
    port = free_port()
    (folder / "password").write_text("right\n")
    (folder / "passwd").write_text("table-T1:right\n")
    subprocess.run(["mosquitto_passwd", "-U", str(folder / "passwd")], check=True)
    (folder / "acl").write_text(acl or "user table-T1\ntopic readwrite #\n")
    config = folder / "mosquitto.conf"
    config.write_text(
        f"listener {port} {LOOPBACK}\nuser root\nallow_anonymous false\n"
        f"password_file {folder}/passwd\nacl_file {folder}/acl\n{lines}"
    )
    with subprocess.Popen(
        [str(find_mosquitto()), "-c", str(config)], stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_until(lambda: answers(port))
            yield port
        finally:
            process.terminate()


def with_broker(folder: Path, port: int, more: Mapping[str, str] | None = None) -> None:
    write_table(folder, "roberts")
    keys = {"host": LOOPBACK, "site": "demo", "user": "table-T1", "password_file": "password"}
    lines = "\n".join(f'{key} = "{value}"' for key, value in {**keys, **(more or {})}.items())
    with (folder / "table.toml").open("a") as file:
        file.write(f"\n[broker]\nport = {port}\n{lines}\n")


@pytest.mark.parametrize(
    ("shown", "trusted", "status", "words"),
    [
        ({"days": 100}, "broker", "ok", "valid until 20"),
        ({"days": 5}, "broker", "warn", "days"),
        ({"days": -1}, "broker", "fail", "the broker's has expired (today is 20"),
        ({"host": "10.9.8.7"}, "broker", "fail", "for a name other than 127.0.0.1"),
        ({}, "other", "fail", "not signed by"),
    ],
)
def test_certificates(
    tmp_path: Path, shown: dict[str, Any], trusted: str, status: str, words: str
) -> None:
    certificate(tmp_path, "broker", **shown)
    certificate(tmp_path, "other")
    tls = f"certfile {tmp_path}/broker.pem\nkeyfile {tmp_path}/broker.key\n"
    with mosquitto(tmp_path, tls) as port:
        with_broker(tmp_path, port, {"ca_file": f"{trusted}.pem"})
        found = broker_of(tmp_path)
    assert of(found, "certificate")["status"] == status
    assert words in of(found, "certificate")["found"]
    if status == "fail":
        assert of(found, "certificate")["todo"]
        assert len(found) == 2  # nothing is told to a broker that is not ours
    else:
        assert of(found, "login")["status"] == "ok"
        assert of(found, "strangers")["status"] == "ok"


def test_tls_where_there_is_none_and_a_ca_that_is_none(tmp_path: Path) -> None:
    certificate(tmp_path, "broker")
    (tmp_path / "rubbish.pem").write_text("no certificate")
    with mosquitto(tmp_path, "") as port:
        with_broker(tmp_path, port, {"ca_file": "broker.pem"})
        found = broker_of(tmp_path)
        assert "no TLS there" in of(found, "certificate")["found"]
        with_broker(tmp_path, port, {"ca_file": "rubbish.pem"})
        found = broker_of(tmp_path)
        assert "rubbish.pem holds no certificate" in of(found, "certificate")["found"]


MAY_ALL = "user table-T1\ntopic readwrite #\n"
MAY_WRITE_ONLY = "user table-T1\ntopic write cutcard/1/demo/#\n"
MAY_NOT_WRITE = "user table-T1\ntopic read #\n"
MAY_READ_ANSWERS = (
    "user table-T1\ntopic readwrite cutcard/1/demo/tables/T1/#\n"
    "topic readwrite cutcard/1/demo/room/#\n"
)


@pytest.mark.parametrize(
    ("acl", "wrong"),
    [
        (MAY_ALL, {("other tables", "warn")}),
        (MAY_WRITE_ONLY, {("may read", "fail"), ("other tables", "warn")}),
        (MAY_NOT_WRITE, {("may write", "fail"), ("may read", "skipped")}),
        (MAY_READ_ANSWERS, {("other tables", "warn")}),
    ],
)
def test_rights(tmp_path: Path, acl: str, wrong: set[tuple[str, str]]) -> None:
    with mosquitto(tmp_path, "", acl) as port:
        with_broker(tmp_path, port)
        found = broker_of(tmp_path)
    told = {(name, status) for name, status in statuses(found) if status != "ok"}
    assert told - {("certificate", "skipped"), ("room's time", "skipped")} == wrong
