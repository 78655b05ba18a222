from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.broker.own import find_mosquitto
from controller.broker.ports import LOOPBACK
from controller.contract.messages import Message
from tests.waiting import PATIENCE_S, answers, until, wait_until

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or shutil.which("openssl") is None,
    reason="mosquitto or openssl not installed",
)


def certificate(folder: Path, name: str) -> Path:
    file = folder / f"{name}.pem"
    words = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 "
        f"-subj /CN={name} -addext subjectAltName=IP:{LOOPBACK}"
    ).split()
    keys = ["-keyout", str(folder / f"{name}.key"), "-out", str(file)]
    subprocess.run([*words, *keys], check=True, capture_output=True)
    return file


@pytest.fixture
def port(tmp_path: Path, unused_port: int) -> Iterator[int]:
    certificate(tmp_path, "broker")
    config = tmp_path / "mosquitto.conf"
    config.write_text(
        f"listener {unused_port} {LOOPBACK}\nuser root\nallow_anonymous true\n"
        f"certfile {tmp_path}/broker.pem\nkeyfile {tmp_path}/broker.key\n"
    )
    with subprocess.Popen(
        [str(find_mosquitto()), "-c", str(config)], stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_until(lambda: answers(unused_port))
            yield unused_port
        finally:
            process.terminate()


def test_a_broker_with_a_certificate_we_trust(port: int, tmp_path: Path) -> None:
    async def run() -> None:
        got: list[Incoming] = []
        arrived = asyncio.Event()

        def take(incoming: Incoming) -> None:
            got.append(incoming)
            if len(got) == 50:
                arrived.set()

        client = MqttClient(
            Endpoint(LOOPBACK, port, ca_file=str(tmp_path / "broker.pem")), "private"
        )
        client.subscribe("t")
        client.start(take)
        # Each fills several TLS records, so that what is decrypted waits outside the socket.
        for number in range(50):
            client.publish(Message("t", bytes([number]) * 40_000, 1, False))
        async with asyncio.timeout(PATIENCE_S):
            await arrived.wait()
        assert [each.payload[0] for each in got] == list(range(50))
        await client.close()

    asyncio.run(run())


def test_packets_that_come_in_one_tls_record_are_all_read(tmp_path: Path) -> None:
    certificate(tmp_path, "broker")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "broker.pem", tmp_path / "broker.key")
    connack = bytes.fromhex("20 03 00 00 00")
    publishes = b"".join(bytes([0x30, 5, 0, 1, ord("t"), 0, number]) for number in range(20))

    def speak(listener: socket.socket, done: threading.Event) -> None:
        peer, _ = listener.accept()
        with context.wrap_socket(peer, server_side=True) as broker:
            broker.recv(1000)
            broker.sendall(connack + publishes)
            done.wait(PATIENCE_S)

    async def run(port: int) -> list[int]:
        got: list[Incoming] = []
        me = Endpoint(LOOPBACK, port, ca_file=str(tmp_path / "broker.pem"))
        client = MqttClient(me, "private", report=lambda _line: None)
        client.start(got.append)
        await until(lambda: len(got) >= 20)
        await client.close()
        return [each.payload[0] for each in got]

    done = threading.Event()
    with socket.create_server((LOOPBACK, 0)) as listener:
        thread = threading.Thread(target=speak, args=(listener, done))
        thread.start()
        assert asyncio.run(run(listener.getsockname()[1])) == list(range(20))
        done.set()
        thread.join()


def test_a_broker_with_another_certificate_is_not_trusted(port: int, tmp_path: Path) -> None:
    async def run() -> None:
        lines: list[str] = []
        said = asyncio.Event()

        def report(line: str) -> None:
            lines.append(line)
            said.set()

        other = certificate(tmp_path, "other")
        client = MqttClient(Endpoint(LOOPBACK, port, ca_file=str(other)), "wary", report=report)
        client.start()
        async with asyncio.timeout(PATIENCE_S):
            await said.wait()
        assert "certificate verify failed" in lines[0]
        assert not client.connected
        await client.close()

    asyncio.run(run())


def test_a_ca_file_that_is_none_is_refused_at_once(tmp_path: Path) -> None:
    rubbish = tmp_path / "ca.pem"
    rubbish.write_text("not a certificate")
    with pytest.raises(ssl.SSLError):
        MqttClient(Endpoint(LOOPBACK, 1, ca_file=str(rubbish)), "broken")
