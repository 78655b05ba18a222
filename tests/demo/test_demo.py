"""`cutcard demo` as a user has it: real processes, a real pty, a real broker."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

DEMO = [sys.executable, "-m", "controller", "demo"]


def demo(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEMO, *arguments], capture_output=True, text=True, timeout=timeout, check=False
    )


class Onlooker:
    """Any MQTT client on this machine: it has no credentials and keeps what it reads."""

    def __init__(self, port: int) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.on_message = lambda _c, _u, m: self.messages.append(
            (m.topic, bytes(m.payload))
        )
        self._client.on_connect = lambda c, *_: c.subscribe("cutcard/#", qos=1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def of(self, ending: str) -> list[dict[str, Any]]:
        return [json.loads(p) for topic, p in self.messages if topic.endswith(ending) and p]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Running:
    """A demo that runs, its output read line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        assert process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stream: IO[str]) -> None:
        self.lines.extend(iter(stream.readline, ""))

    def wait_for(self, pattern: str, timeout: float = 30) -> re.Match[str]:
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for line in list(self.lines):
                if found := re.search(pattern, line):
                    return found
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"{pattern!r} was not said in:\n{''.join(self.lines)}")

    def close(self) -> None:
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def children(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in path.read_text().split()]


@contextmanager
def running(*arguments: str) -> Iterator[Running]:
    process = subprocess.Popen(
        [*DEMO, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    show = Running(process)
    try:
        yield show
    finally:
        process.kill()
        process.wait()
        show.close()


def gone(pids: list[int], timeout: float = 2.0) -> bool:
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if not any(_runs(pid) for pid in pids):
            return True
        time.sleep(0.02)
    return False


def _runs(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_three_hands_end_with_a_summary() -> None:
    done = demo("--headless", "--hands", "3", "--speed", "20", "--seed", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"demo: 3 hands dealt; 1 × [a-z-]+ made, 1 found; 1 \w+\n", done.stdout)
    assert done.stderr == ""


@pytest.mark.parametrize("book", ["roberts", "uk-tda", "nl-2010"])
def test_the_room_hears_of_a_four_card_flop_and_of_its_end(book: str) -> None:
    ordered = ["--error", "four-card-flop", "--rulebook", book, "--hands", "1"]
    with running("--headless", "--speed", "12", "--seed", "7", *ordered) as show:
        port = int(show.wait_for(r"MQTT at 127\.0\.0\.1:(\d+)")[1])
        onlooker = Onlooker(port)
        show.wait_for(r"1 hand dealt; 1 × four-card-flop made, 1 found; 1 remedied")
        onlooker.close()
        assert show.process.wait(5) == 0
    states = [m["state"] for m in onlooker.of("tables/T1/$state")]
    assert states[0] == "ready"
    assert states[-1] == "lost"
    alerts = [(t, p) for t, p in onlooker.messages if "/alerts/" in t]
    first = json.loads(alerts[0][1])["finding"]
    assert first["code"] == "four-card-flop"
    assert first["ruling"]["rulebook"] == book
    assert alerts[-1][1] == b""
    events = onlooker.of("tables/T1/events")
    assert [e["seq"] for e in events] == list(
        range(events[0]["seq"], events[0]["seq"] + len(events))
    )
    assert {"finding", "closed", "result"} <= {e["event"]["kind"] for e in events}
    assert onlooker.of("tables/T1/hand")[-1]["view"]["phase"] == "complete"
    assert onlooker.of("room/clock")[-1]["blinds"] == {"small": 50, "big": 100}
    # Nothing that is published may hold a tag, and only faced cards are named.
    everything = b"".join(payload for _, payload in onlooker.messages)
    assert b"E0040150" not in everything
    board = set(onlooker.of("tables/T1/hand")[-1]["view"]["board"])
    tabled = {c for e in events if e["event"]["kind"] == "tabled" for c in e["event"]["cards"]}
    named = {c.decode() for c in re.findall(rb'"([2-9TJQKA][shdc])"', everything)}
    assert named == board | tabled


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_two_seconds_and_leaves_nothing(number: signal.Signals) -> None:
    with running("--headless", "--speed", "5") as show:
        show.wait_for("Hand 1 begins")
        children = show.children()
        assert len(children) == 2  # broker and room
        before = time.monotonic()
        show.process.send_signal(number)
        assert show.process.wait(5) == 0
        assert time.monotonic() - before < 2.0
        assert gone(children)
        show.wait_for("0 hands dealt")


def test_killed_outright_it_leaves_nothing_either() -> None:
    with running("--headless") as show:
        show.wait_for("Hand 1 begins")
        children = show.children()
        show.process.kill()
        assert gone(children)


def test_a_busy_mqtt_port_is_one_line_and_the_table_goes_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = demo("--headless", "--hands", "1", "--speed", "20", "--mqtt-port", port)
    assert done.returncode == 0
    assert done.stdout.count(f"port {port}") == 1
    assert "1 hand dealt" in done.stdout


def test_a_busy_web_port_is_one_line_and_the_table_goes_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = demo("--headless", "--hands", "1", "--speed", "20", "--web-port", port)
    assert done.returncode == 0
    assert f"web port {port}" in done.stderr
    assert "1 hand dealt" in done.stdout


def test_a_room_that_dies_is_one_line_and_the_table_goes_on() -> None:
    with running("--headless", "--hands", "1", "--speed", "12", "--seed", "5") as show:
        show.wait_for("Hand 1 begins")
        room = next(p for p in show.children() if "mosquitto" not in _name(p))
        os.kill(room, signal.SIGKILL)
        show.wait_for("the room has ended; going on without its pages")
        show.wait_for("1 hand dealt")


def test_a_broker_that_dies_is_one_line_and_the_table_goes_on() -> None:
    with running("--headless", "--hands", "1", "--speed", "12", "--seed", "5") as show:
        show.wait_for("Hand 1 begins")
        broker = next(p for p in show.children() if "mosquitto" in _name(p))
        os.kill(broker, signal.SIGKILL)
        show.wait_for("1 hand dealt")
        assert show.process.wait(5) == 0
        about = [line for line in show.lines if "broker" in line and "cutcard:" in line]
        assert 1 <= len(about) <= 2  # the table says it, and the room


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--error", "four-card-flob"], "did you mean 'four-card-flop'?"),
        (["--rulebook", "uk"], "unknown rule book 'uk'"),
        (["--hands", "0"], "'0' is not a number of hands"),
        (["--speed", "fast"], "'fast' is not a speed"),
        (["--mqtt-port", "70000"], "'70000' is not a port"),
    ],
)
def test_a_mistake_in_what_is_asked_ends_with_2(arguments: list[str], fault: str) -> None:
    done = demo("--headless", *arguments)
    assert done.returncode == 2
    assert fault in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_display_it_says_so_and_goes_on() -> None:
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare.pop("SDL_VIDEODRIVER", None)
    done = subprocess.run(
        [*DEMO, "--hands", "1", "--speed", "20"],
        env=bare,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "there is no display here: going on without the dealer's window" in done.stdout


def test_a_display_that_does_not_answer_is_one_line_too() -> None:
    done = subprocess.run(
        [*DEMO, "--hands", "1", "--speed", "20"],
        env={**os.environ, "DISPLAY": ":4711", "SDL_VIDEODRIVER": "x11"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "going on without the dealer's window" in done.stdout
