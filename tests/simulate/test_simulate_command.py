"""`cutcard simulate` as a user runs it: a real mosquitto, a real room, and what it says of them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from controller.broker.client import Endpoint, MqttClient
from controller.broker.own import find_mosquitto
from controller.broker.ports import LOOPBACK, free_port
from controller.contract.messages import Message
from controller.simulate.command import MOST_PAGES
from controller.simulate.report import Report
from display.web.serving.access.rates import STREAMS_OF_ONE
from tests.in_process import cutcard
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed")
COMMAND = [sys.executable, "-m", "controller", "simulate"]


def simulate(*arguments: str) -> tuple[int, dict[str, Any]]:
    ran = subprocess.run(
        [*COMMAND, "--json", "--seed", "7", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


def started_by(run: int) -> set[int]:
    """The processes below this one, by their numbers."""
    found = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in found.stdout.splitlines()[1:]]
    return {int(pid) for pid, parent in pairs if int(parent) == run}


@pytest.fixture(scope="module")
def narrow_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A mosquitto that has room for one message of each receiver, and drops what is more."""
    port = free_port()
    config = tmp_path_factory.mktemp("narrow") / "mosquitto.conf"
    config.write_text(
        f"listener {port} {LOOPBACK}\nallow_anonymous true\npersistence false\n"
        "max_inflight_messages 1\nmax_queued_messages 1\n"
        f"user {'root' if os.geteuid() == 0 else 'mosquitto'}\n"
    )
    with subprocess.Popen(
        [str(find_mosquitto()), "-c", str(config)], stderr=subprocess.DEVNULL
    ) as broker:
        yield f"{LOOPBACK}:{port}"
        broker.terminate()


def test_of_two_hundred_tables_nothing_is_lost_and_all_is_counted() -> None:
    status, said = simulate(
        "--tables", "200", "--rate", "2", "--seconds", "2", "--errors", "1000", "--pages", "2"
    )
    assert (status, said["lost"], said["ok"], said["faults"]) == (0, 0, True, [])
    sent = said["sent"]
    assert sent["$state"] == 400
    assert 200 * 2 * 2 * 0.8 < sum(sent.values()) - 400 < 200 * 2 * 2 * 1.6
    assert said["acked"] == sum(sent.values())
    assert said["counted"]["received"] == said["room"]["received"] == sent
    assert (said["room"]["gaps"], said["room"]["doubles"]) == (0, 0)
    pages = said["on_pages"]
    assert (pages["pages"], pages["missing"]) == (2, 0)
    assert pages["raised"] > 0
    appear = pages["appear"]
    assert appear["count"] == 2 * pages["raised"]
    assert 0 < appear["p50"] <= appear["p99"] <= appear["most"]
    for program in ("broker", "room", "generator", "counting subscriber"):
        assert said["use"][program]["most_rss_mib"] > 1
    assert said["use"]["room"]["cpu_s"] > 0
    assert set(said) == {*Report.__struct_fields__, "lost", "ok"}


@pytest.fixture(scope="module")
def at_narrow_broker(narrow_broker: str) -> tuple[int, dict[str, Any]]:
    """Thirty tables there, and what is said of them."""
    return simulate(
        *("--broker", narrow_broker, "--no-room", "--tables", "30", "--rate", "20"),
        *("--seconds", "1"),
    )


def test_what_a_broker_drops_is_lost_and_said(at_narrow_broker: tuple[int, dict[str, Any]]) -> None:
    status, said = at_narrow_broker
    assert status == 1
    assert said["lost"] == said["counted"]["lost"] > 0
    assert said["ok"] is False
    assert said["acked"] == sum(said["sent"].values())  # the tables can't know
    received = sum(said["counted"]["received"].values())
    assert said["lost"] == sum(said["sent"].values()) - received


@pytest.mark.usefixtures("at_narrow_broker")
def test_a_broker_is_left_as_it_was(narrow_broker: str) -> None:
    host, port = narrow_broker.split(":")
    assert asyncio.run(kept_at(Endpoint(host, int(port)))) == []


async def kept_at(endpoint: Endpoint) -> list[str]:
    """The topics of what a broker keeps; where they crowd out our own, those that have come."""
    kept: list[str] = []
    client = MqttClient(endpoint, "looks-after")
    client.subscribe("cutcard/#")
    client.start(lambda incoming: kept.append(incoming.topic))
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while not client.connected:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            client.publish(Message("cutcard/last", b"x", 1, False))
            while "cutcard/last" not in kept:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    await client.close()
    assert kept
    return [topic for topic in kept if topic != "cutcard/last"]


def test_ctrl_c_ends_it_with_the_report_so_far_and_leaves_nobody_behind() -> None:
    terminal, theirs = os.openpty()
    with (
        os.fdopen(terminal, "rb", buffering=0) as shown,
        subprocess.Popen(
            [*COMMAND, "--tables", "5", "--seconds", "600", "--json"],
            stdout=subprocess.PIPE,
            stderr=theirs,
        ) as run,
        ExitStack() as undone,
    ):
        os.close(theirs)
        undone.callback(run.kill)
        line = b""
        while not re.search(rb" ([2-9]|\d\d+) of 600 s: ", line):
            line += shown.read(100)
        below = started_by(run.pid)
        count = len(below)  # broker, room, archive, counting subscriber, generator
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=PATIENCE_S)
    said = json.loads(out)
    assert (run.returncode, said["lost"], count) == (0, 0, 5)
    assert 0 < said["elapsed_s"] < 600
    assert said["counted"]["received"] == said["sent"]
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--tables", "0"], "'0' is not a number from 1 to 5000"),
        (["--pages", "13"], "'13' is not a number from 1 to 12"),
        (["--rate", "fast"], "'fast' is not a number from 0.01 to 1000"),
        (["--broker", "nowhere"], "--broker 'nowhere' is not HOST:PORT"),
        (["--broker", "127.0.0.1:1"], "no broker at 127.0.0.1:1"),
        (["--credentials", "x.toml"], "--credentials is for --broker"),
        (["--join", "code"], "--join and --cookie-file are for --room"),
        (["--room", "ftp://x", "--tables", "1"], "--room 'ftp://x' is not http://HOST:PORT"),
        (["--room", "http://127.0.0.1:1", "--tables", "1"], "no room at http://127.0.0.1:1/"),
        (["--room", "http://x", "--cookie-file", "none"], "--cookie-file none: "),
        (["--site", "a/b"], "--site 'a/b' is not a name"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, arguments: list[str], fault: str) -> None:
    status, out, err = cutcard("simulate", *arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("cutcard simulate: ")
    assert fault in err


def test_a_room_has_streams_for_as_many_pages_as_may_be_asked_for() -> None:
    assert MOST_PAGES == STREAMS_OF_ONE
