"""A broker that hangs: SIGSTOP, in play, at the connecting and at the closing. Nobody is told more
of it than a line, and nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from controller.broker import client as client_module
from controller.broker.client import SILENT, Backoff, Endpoint, Incoming, MqttClient
from controller.broker.ports import LOOPBACK
from controller.contract.messages import TABLE_STATE, Message, State
from tests.broker_rights.shipped import SITE, Shipped
from tests.mqtt.listening import Listening
from tests.waiting import until

EVENTS = f"cutcard/1/{SITE}/tables/T1/events"
QUICK = Backoff(0.05, 0.1)
BODY = b"x" * 200_000
"""A few of these are more than a socket takes."""


def event(number: int, body: bytes = b"") -> Message:
    return Message(EVENTS, b"%d " % number + body, 1, False)


def table(shipped: Shipped, lines: list[str], keepalive_s: int) -> MqttClient:
    return MqttClient(
        shipped.login("table-T1"),
        "table",
        will=TABLE_STATE.message(SITE, "T1", payload=State("lost", "s", "0")),
        backoff=QUICK,
        keepalive_s=keepalive_s,
        report=lines.append,
    )


@contextmanager
def hanging(shipped: Shipped) -> Iterator[Callable[[], None]]:
    """Gives what ends it before the end."""
    os.kill(shipped.pid, signal.SIGSTOP)

    def go_on() -> None:
        os.kill(shipped.pid, signal.SIGCONT)

    try:
        yield go_on
    finally:
        go_on()


@pytest.fixture
def tracebacks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would have printed one: in a thread, in a callback, as something was collected."""
    found: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    monkeypatch.setattr(sys, "unraisablehook", lambda told: found.append(repr(told.exc_value)))
    monkeypatch.setattr(
        asyncio.BaseEventLoop,
        "call_exception_handler",
        lambda _loop, context: found.append(context),
    )
    return found


async def collected() -> None:
    for _ in range(3):  # what the loop's last callbacks hold
        await asyncio.sleep(0)
        gc.collect()


def test_in_play(shipped: Shipped, tracebacks: list[Any]) -> None:
    async def run() -> None:
        got: list[int] = []

        def hear(incoming: Incoming) -> None:
            got.append(int(incoming.payload.split()[0]))

        lines: list[str] = []
        client = table(shipped, lines, keepalive_s=1)
        client.start()
        await until(lambda: client.connected)
        with hanging(shipped):
            for number in range(30):
                client.publish(event(number, BODY))
            await until(lambda: not client.connected)
            # The room must be there first: events are not retained.
            there, client._endpoint = client._endpoint, Endpoint(LOOPBACK, 1)
            await collected()
        room = Listening(shipped.login("room"), "room", report=lambda _line: None)
        room.subscribe(EVENTS)
        room.start(hear)
        await room.hears()
        client._endpoint = there
        await until(lambda: not len(client.outbox))
        client.publish(event(30))
        await until(lambda: got[-1:] == [30])
        # What was on its way when the broker stopped may come twice.
        assert list(dict.fromkeys(got)) == list(range(31))
        assert [line.partition("(")[0] for line in lines[:1]] == [
            f"table: lost the broker at 127.0.0.1:{shipped.port} "
        ]
        assert lines[-1].endswith("is back")
        await client.close()
        await room.close()
        await collected()

    asyncio.run(run())
    assert tracebacks == []


def test_at_the_connecting(
    shipped: Shipped, tracebacks: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_HANDSHAKE_S", 0.2)

    async def run() -> None:
        lines: list[str] = []
        client = table(shipped, lines, keepalive_s=5)
        with hanging(shipped):
            client.start()
            client.publish(event(1))
            await until(lambda: lines)
            await asyncio.sleep(0.5)  # tries it again and again
            assert lines == [f"the broker at 127.0.0.1:{shipped.port} {SILENT}"]
        await until(lambda: client.connected and not len(client.outbox))
        await client.close()
        await collected()

    asyncio.run(run())
    assert tracebacks == []


def test_at_the_closing(shipped: Shipped, tracebacks: list[Any]) -> None:
    async def hang_and_close() -> None:
        client = table(shipped, [], keepalive_s=20)
        client.start()
        await until(lambda: client.connected)
        with hanging(shipped):
            for number in range(30):
                client.publish(event(number, BODY))
            await asyncio.sleep(0.1)  # the socket is full now, and more waits for it
            await client.close(0.1)

    async def run() -> None:
        await asyncio.create_task(hang_and_close())
        await collected()

    asyncio.run(run())
    assert tracebacks == []
