"""One suite against mosquitto and against iotcore, over real sockets."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from controller.broker.client import Backoff, Endpoint, Incoming, MqttClient
from controller.broker.own import Kind, RunningBroker, start_broker
from controller.broker.ports import LOOPBACK
from controller.contract.messages import TABLE_STATE, Message, State
from controller.storage.outbox import MemoryOutbox
from tests.mqtt.listening import Listening
from tests.waiting import PATIENCE_S, until

QUICK = Backoff(0.05, 0.1)
EVENTS = "cutcard/1/hall/tables/T1/events"


def state(word: str) -> Message:
    chosen = State(word, "s1", "0")  # type: ignore[arg-type]
    return TABLE_STATE.message("hall", "T1", payload=chosen)


def event(number: int) -> Message:
    return Message(EVENTS, str(number).encode(), 1, False)


class Listener:
    """A client that keeps what comes in."""

    def __init__(self, endpoint: Endpoint, topic_filter: str, name: str = "listener") -> None:
        self.got: list[Incoming] = []
        self.client = Listening(endpoint, name, backoff=QUICK, report=lambda _line: None)
        self.client.subscribe(topic_filter)

    def payloads(self, topic: str = EVENTS) -> list[bytes]:
        return [each.payload for each in self.got if each.topic == topic]

    async def __aenter__(self) -> Listener:
        self.client.start(self.got.append)
        await self.client.hears()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()


def stands_still(process: int) -> bool:
    """Whether the last thread of a process has been stopped: on a busy machine that takes time."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return all((each / "stat").read_text().rpartition(")")[2].split()[0] == "T" for each in threads)


def table(broker: RunningBroker, lines: list[str] | None = None) -> MqttClient:
    said: list[str] = [] if lines is None else lines
    return MqttClient(
        broker.tables["T1"], "table-1", will=state("lost"), backoff=QUICK, report=said.append
    )


def test_a_burst_arrives_whole_and_in_order(broker: RunningBroker) -> None:
    async def run() -> None:
        async with Listener(broker.room, "cutcard/1/hall/#") as listener:
            client = table(broker)
            client.start()
            for number in range(2_000):
                client.publish(event(number))
            await until(lambda: len(listener.payloads()) >= 2_000)
            await until(lambda: not len(client.outbox))
            await client.close()
            assert listener.payloads() == [str(number).encode() for number in range(2_000)]

    asyncio.run(run())


def test_who_comes_late_gets_the_last_state_and_none_that_was_deleted(
    broker: RunningBroker,
) -> None:
    async def run() -> None:
        client = table(broker)
        client.start()
        alert = "cutcard/1/hall/tables/T1/alerts/"
        client.publish(state("init"))
        client.publish(state("ready"))
        client.publish(Message(alert + "1", b"{}", 1, True))
        client.publish(Message(alert + "2", b"{}", 1, True))
        client.publish(Message(alert + "1", b"", 1, True))
        await until(lambda: client.connected and not len(client.outbox))
        async with Listener(broker.room, "cutcard/1/hall/tables/+/#") as late:
            await until(lambda: len(late.got) >= 2)
            await asyncio.sleep(0.1)
            kept = {each.topic: each.payload for each in late.got}
            assert kept == {state("ready").topic: state("ready").payload, alert + "2": b"{}"}
        await client.close()

    asyncio.run(run())


def test_closing_says_the_words_of_the_will(broker: RunningBroker) -> None:
    async def run() -> None:
        async with Listener(broker.room, "cutcard/1/hall/tables/+/#") as listener:
            client = table(broker)
            client.start()
            client.publish(state("ready"))
            client.publish(event(1))
            await until(lambda: client.connected and not len(client.outbox))
            await client.close()
            await until(lambda: state("lost").payload in listener.payloads(state("lost").topic))
            assert b"1" in listener.payloads()

    asyncio.run(run())


DOOMED = """
import asyncio, sys
from controller.contract.messages import TABLE_STATE, State
from controller.broker.client import Endpoint, MqttClient

async def main():
    message = lambda word: TABLE_STATE.message("hall", "T1", payload=State(word, "s1", "0"))
    host, port, user, password = sys.argv[1:]
    client = MqttClient(
        Endpoint(host, int(port), user or None, password or None), "doomed", will=message("lost")
    )
    client.publish(message("ready"))
    client.start()
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_the_will_comes_when_a_client_is_killed(broker: RunningBroker) -> None:
    async def run() -> None:
        async with Listener(broker.room, "cutcard/1/hall/tables/+/#") as listener:
            me = broker.tables["T1"]
            arguments = [me.host, str(me.port), me.user or "", me.password or ""]
            doomed = await asyncio.create_subprocess_exec(sys.executable, "-c", DOOMED, *arguments)
            try:
                topic = state("lost").topic
                await until(lambda: state("ready").payload in listener.payloads(topic))
                doomed.kill()
                await until(lambda: state("lost").payload in listener.payloads(topic))
            finally:
                with suppress(ProcessLookupError):
                    doomed.kill()
                await doomed.wait()

    asyncio.run(run())


def test_a_killed_broker_loses_nothing_and_keeps_the_order(kind: Kind) -> None:
    async def run() -> None:
        first = start_broker("hall", ["T1"], kind=kind)
        lines: list[str] = []
        links: list[bool] = []
        # A new broker has new passwords, so the listener looks on without a name.
        anyone = Endpoint(LOOPBACK, first.port)
        async with Listener(anyone, "cutcard/1/hall/#") as listener:
            client = table(first, lines)
            client.start(on_link=links.append)
            client.publish(state("ready"))
            client.publish(event(0))
            await until(lambda: listener.payloads() == [b"0"] and not len(client.outbox))
            os.kill(first.pid, signal.SIGSTOP)
            await until(lambda: stands_still(first.pid))
            for number in range(1, 151):  # some of these are under way and will not be answered
                client.publish(event(number))
            await asyncio.sleep(0.1)
            os.kill(first.pid, signal.SIGKILL)
            await until(lambda: not client.connected and not listener.client.connected)
            for number in range(151, 301):
                client.publish(event(number))
            listener.got.clear()
            # The listener must be there first: events are not retained.
            client._endpoint = Endpoint(LOOPBACK, 1)
            await asyncio.to_thread(first.stop)
            second = start_broker("hall", ["T1"], kind=kind, port=first.port)
            with second:
                await listener.client.hears(2)
                assert links == [True, False]
                client._endpoint = second.tables["T1"]
                await until(lambda: len(listener.payloads()) >= 300)
                await until(lambda: not len(client.outbox))
                assert listener.payloads() == [str(number).encode() for number in range(1, 301)]
                # The broker had forgotten it: persistence is off.
                assert state("ready").payload in listener.payloads(state("ready").topic)
                assert links == [True, False, True]
                assert lines[0].startswith(f"table-1: lost the broker at {LOOPBACK}:{first.port}")
                assert lines[-1].endswith("is back")
                await client.close()

    asyncio.run(run())


def test_without_a_broker_one_line_is_said_and_all_goes_on() -> None:
    async def run() -> None:
        with socket.socket() as nobody:
            nobody.bind((LOOPBACK, 0))
            port = nobody.getsockname()[1]
            lines: list[str] = []
            client = MqttClient(
                Endpoint(LOOPBACK, port), "alone", backoff=Backoff(0.01, 0.02), report=lines.append
            )
            client.start()
            client.publish(event(1))
            await until(lambda: lines)
            await asyncio.sleep(0.3)
            assert len(lines) == 1
            assert f"no broker at {LOOPBACK}:{port}" in lines[0]
            assert "refused" in lines[0]
            assert len(client.outbox) == 1
            await client.close()

    asyncio.run(run())


def test_an_outbox_that_is_full_says_so_once() -> None:
    lines: list[str] = []
    client = MqttClient(
        Endpoint(LOOPBACK, 1), "full", outbox=MemoryOutbox(limit=2), report=lines.append
    )
    for number in range(5):
        client.publish(event(number))
    assert [each.message.payload for each in client.outbox.take(9)] == [b"3", b"4"]
    assert lines == [f"too many messages wait for the broker at {LOOPBACK}:1; dropping the oldest"]


def test_a_port_that_answers_nothing_is_given_up() -> None:
    async def run() -> None:
        with socket.create_server((LOOPBACK, 0)) as mute:
            lines: list[str] = []
            client = MqttClient(
                Endpoint(LOOPBACK, mute.getsockname()[1]), "waits", report=lines.append
            )
            client.start()
            await until(lambda: lines)
            assert "does not answer" in lines[0]
            await client.close()

    asyncio.run(run())


def test_a_broker_that_froze_is_noticed(broker: RunningBroker) -> None:
    async def run() -> None:
        lines: list[str] = []
        client = MqttClient(broker.room, "watchful", keepalive_s=1, report=lines.append)
        client.start()
        await until(lambda: client.connected)
        os.kill(broker.pid, signal.SIGSTOP)
        try:
            await until(lambda: not client.connected)
            assert lines[0].startswith("watchful: lost the broker")
        finally:
            os.kill(broker.pid, signal.SIGCONT)
        await client.close()

    asyncio.run(run())


def test_it_closes_at_the_very_moment_that_the_connection_is_lost(
    broker: RunningBroker,
) -> None:
    async def run() -> None:
        client = MqttClient(broker.room, "room", backoff=QUICK, report=lambda _line: None)
        closing: list[asyncio.Task[None]] = []

        def told(up: bool) -> None:
            if not up and not closing:
                closing.append(asyncio.create_task(client.close()))

        client.start(on_link=told)
        await until(lambda: client.connected)
        broker.stop()
        await until(lambda: closing)
        done, _ = await asyncio.wait(closing, timeout=PATIENCE_S)
        assert done

    asyncio.run(run())


def test_a_message_that_waited_too_long_is_not_sent(broker: RunningBroker) -> None:
    async def run() -> None:
        now = [0.0]
        async with Listener(broker.room, "cutcard/1/hall/#") as listener:
            client = MqttClient(broker.tables["T1"], "slow", now_s=lambda: now[0])
            client.publish(Message(EVENTS, b"resume", 1, False, expiry_s=30))
            now[0] = 29.0
            client.publish(Message(EVENTS, b"pause", 1, False, expiry_s=30))
            now[0] = 50.0
            client.start()
            await until(listener.payloads)
            await until(lambda: not len(client.outbox))
            assert listener.payloads() == [b"pause"]
            assert client.expired == 1
            await client.close()

    asyncio.run(run())


def test_a_bug_in_a_callback_is_loud_once_and_the_connection_lives(broker: RunningBroker) -> None:
    async def run() -> None:
        lines: list[str] = []
        got: list[Incoming] = []

        def fails(incoming: Incoming) -> None:
            got.append(incoming)
            raise RuntimeError("the ace of spades")

        client = Listening(broker.tables["T1"], "buggy", report=lines.append)
        client.subscribe("cutcard/1/hall/tables/T1/cmd/#")
        client.start(fails)
        await client.hears()
        room = MqttClient(broker.room, "room")
        room.start()
        for number in range(3):
            topic = "cutcard/1/hall/tables/T1/cmd/x"
            room.publish(Message(topic, b"%d" % number, 1, False, None, "answer/here", b"\x01"))
        await until(lambda: len(got) == 3)
        assert client.connected
        assert client.callback_errors == 3
        bugs = [line for line in lines if "BUG" in line]
        assert len(bugs) == 1
        assert "RuntimeError" in bugs[0]
        assert "ace" not in bugs[0]
        assert (got[0].response_topic, got[0].correlation) == ("answer/here", b"\x01")
        await client.close()
        await room.close()

    asyncio.run(run())


def test_no_delay_is_set_on_the_socket(broker: RunningBroker) -> None:
    async def run() -> None:
        client = table(broker)
        client.start()
        await until(lambda: client.connected)
        assert client._client is not None
        sock = client._client.socket()
        assert isinstance(sock, socket.socket)
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await client.close()

    asyncio.run(run())


def test_the_wait_between_attempts_doubles_up_to_a_limit_and_is_jittered() -> None:
    backoff = Backoff(1.0, 8.0)
    assert [backoff.delay(failures, 0.0) for failures in (1, 2, 3, 4, 5, 500)] == [
        0.5, 1.0, 2.0, 4.0, 4.0, 4.0,
    ]  # fmt: skip
    assert backoff.delay(2, 0.999) == pytest.approx(2.0, abs=0.01)


def test_a_password_is_in_no_repr() -> None:
    assert "hush" not in repr(Endpoint("h", 1, "table", "hush"))
