"""Who is let in at the broker that is shipped, and that nobody takes another's place."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.broker.client import Backoff, MqttClient
from controller.broker.ports import LOOPBACK
from controller.contract.messages import Message
from controller.room.commands import certificate as certificate_command
from tests.broker_rights.peer import REFUSED, peer
from tests.broker_rights.shipped import SITE, Shipped
from tests.waiting import PATIENCE_S, until, wait_until

EVENTS = f"cutcard/1/{SITE}/tables/T1/events"


@pytest.mark.parametrize(
    "wrong",
    [
        {"password": "guess"},
        {"password": ""},
        {"password": None},
        {"user": "table-T3"},
        {"user": "TABLE-T1"},
        {"user": "doctor@room"},
        {"user": ""},
        {"user": None, "password": None},
    ],
)
def test_nobody_gets_in_without_the_password_of_a_user(
    shipped: Shipped, wrong: dict[str, str | None]
) -> None:
    with peer(replace(shipped.login("table-T1"), **wrong)) as stranger:
        assert stranger.entered in (REFUSED, None)
        assert stranger.entered is not None or stranger.lost


def test_a_password_is_good_for_its_user_only(shipped: Shipped) -> None:
    users = ("table-T1", "table-T2", "room", "archive", "screen")
    for user in users:
        for other in users:
            login = replace(shipped.login(user), password=shipped.password(other))
            with peer(login) as one:
                assert one.entered == (0 if user == other else REFUSED)


def test_nothing_is_said_without_tls(shipped: Shipped) -> None:
    connect = bytes.fromhex("10 0f 00 04 4d 51 54 54 05 02 00 3c 00 00 02 78 78")
    with socket.create_connection((LOOPBACK, shipped.port), PATIENCE_S) as plain:
        plain.sendall(connect)
        try:
            answer = plain.recv(100)
        except ConnectionResetError:
            answer = b""
    # At most a TLS alert (21); a CONNACK would begin with 0x20.
    assert answer[:1] in (b"", b"\x15")


def test_no_old_tls(shipped: Shipped) -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection((LOOPBACK, shipped.port), PATIENCE_S) as plain,
        pytest.raises(ssl.SSLError, match=r"(?i)protocol"),
    ):
        old.wrap_socket(plain)


def test_a_broker_with_another_authority_is_told_nothing(shipped: Shipped, tmp_path: Path) -> None:
    assert certificate_command.main(["--folder", str(tmp_path), "--json"]) == 0

    async def run() -> None:
        lines: list[str] = []
        wary = replace(shipped.login("table-T1"), ca_file=str(tmp_path / "ca.crt"))
        client = MqttClient(wary, "wary", report=lines.append)
        client.start()
        await until(lambda: lines)
        assert "certificate verify failed" in lines[0]
        assert not client.connected
        await client.close()

    asyncio.run(run())


@pytest.mark.parametrize("client_id", ["table-T1", "mine", "", "room"])
def test_a_foreign_id_ends_nobodys_connection(shipped: Shipped, client_id: str) -> None:
    """Table 2, or a screen, comes under the id of table 1, which stays and is heard."""
    with (
        peer(shipped.login("table-T1"), client_id) as table,
        peer(shipped.login("room"), "room") as room,
    ):
        room.subscribe(EVENTS)
        for intruder in ("table-T2", "screen", "archive", "doctor@table-T1"):
            with peer(shipped.login(intruder), client_id) as other:
                assert other.entered == 0
        table.publish({EVENTS: b"still here"})
        room.hears(b"still here")
        assert not table.lost
        assert not room.lost


def test_a_second_login_of_a_user_ends_the_first(shipped: Shipped) -> None:
    """Which is why everybody has a user of his own."""
    with peer(shipped.login("screen"), "one") as first:
        with peer(shipped.login("screen"), "other") as second:
            assert second.entered == 0
            second.subscribe("#")
            with peer(shipped.login("room")) as room:
                room.publish({f"cutcard/1/{SITE}/room/clock": b"12:00"})
            second.hears(b"12:00")
        wait_until(lambda: first.lost)


def test_two_that_end_each_others_connections_slow_down(shipped: Shipped) -> None:
    """A room that was started twice: it does not go on many times a second."""

    async def run() -> int:
        links: list[bool] = []
        quick = Backoff(0.01, 5.0)
        login = shipped.login("room")
        two = [MqttClient(login, n, backoff=quick, report=lambda _: None) for n in ("a", "b")]
        for each in two:
            each.start(on_link=links.append)
        await until(lambda: sum(links) >= 3)
        await asyncio.sleep(1)
        for each in two:
            await each.close(0.1)
        return sum(links)

    # With waits of 0.01 s it would be forty times and more; doubled each time it is a dozen.
    assert 3 <= asyncio.run(run()) <= 20


def test_the_longest_message_passes_and_a_longer_one_ends_only_its_own_connection(
    shipped: Shipped,
) -> None:
    most = 256 * 1024
    with peer(shipped.login("table-T2")) as other, peer(shipped.login("room")) as room:
        room.subscribe(EVENTS)
        with peer(shipped.login("table-T1")) as table:
            table.publish({EVENTS: b"x" * most})
            room.hears(b"x" * most)
            table.client.publish(EVENTS, b"x" * (most + 9_000), 1)
            wait_until(lambda: table.lost)
        assert not other.lost
        assert not room.lost


def test_the_table_and_its_doctor_are_there_at_once(shipped: Shipped) -> None:
    async def run() -> None:
        lines: list[str] = []

        def client(user: str) -> MqttClient:
            one = MqttClient(shipped.login(user), user, report=lines.append)
            one.start()
            return one

        both = [client("table-T1"), client("doctor@table-T1")]
        await until(lambda: all(each.connected for each in both))
        for each in both:
            each.publish(Message(EVENTS, b"x", 1, False))
        await until(lambda: not any(len(each.outbox) for each in both))
        assert (lines, [each.refused for each in both]) == ([], [0, 0])
        for each in both:
            await each.close()

    asyncio.run(run())


def test_there_is_no_other_way_in(shipped: Shipped) -> None:
    """No listener but the one with TLS: mosquitto's own on port 1883 is not opened."""
    inodes = set()
    for link in Path(f"/proc/{shipped.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it has been closed meanwhile
            inodes.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
    listening = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                listening.add(int(fields[1].rpartition(":")[2], 16))
    assert listening == {shipped.port}
