"""Runs of `cutcard demo` as a user has it, and any MQTT client that looks on."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from tests.leaving import leave
from tests.waiting import PATIENCE_S, wait_until

DEMO = [sys.executable, "-m", "controller", "demo"]


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEMO, *arguments], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def was_played(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a demo came to its end. Faster than life, a busy machine's delays are seconds: a
    false alarm of theirs ends it with 1."""
    return done.returncode == 0 or (done.returncode == 1 and "false alarm" in done.stdout)


class Onlooker:
    """Any MQTT client on this machine: it has no credentials and keeps what it reads."""

    def __init__(self, port: int) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.on_message = lambda _c, _u, m: self.messages.append(
            (m.topic, bytes(m.payload))
        )
        self._client.on_connect = lambda c, *_: c.subscribe("cutcard/#", qos=1)
        wait_until(lambda: self._connects(port))
        self._client.loop_start()

    def _connects(self, port: int) -> bool:
        with suppress(ConnectionRefusedError):  # a broker that was killed may not be back yet
            self._client.connect("127.0.0.1", port)
            return True
        return False

    def of(self, ending: str) -> list[dict[str, Any]]:
        return [json.loads(p) for topic, p in self.messages if topic.endswith(ending) and p]

    def events(self, table: str) -> list[dict[str, Any]]:
        """Each once: what a history has asked for again comes twice."""
        heard = self.of(f"tables/{table}/events")
        return list({(each["session"], each["seq"]): each["event"] for each in heard}.values())

    def close(self) -> None:
        leave(self._client)


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

    def wait_for(self, pattern: str) -> re.Match[str]:
        end = time.monotonic() + PATIENCE_S
        ended = False
        while True:
            for line in list(self.lines):
                if found := re.search(pattern, line):
                    return found
            assert not ended, f"{pattern!r} was not said in:\n{''.join(self.lines)}"
            time.sleep(0.02)
            ended = time.monotonic() > end
            if self.process.poll() is not None:  # and what it said last is there
                self._reader.join(PATIENCE_S)
                ended = True

    def close(self) -> None:
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def ready(self) -> dict[str, Any]:
        """The first line with --json."""
        self.wait_for(r'^\{"ready":true')
        found: dict[str, Any] = json.loads(next(x for x in self.lines if x.startswith("{")))
        return found

    def child(self, name: str) -> int:
        """The process `cutcard NAME` or the broker."""
        for pid in self.children():
            with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                if name.encode() in words or words[0].endswith(name.encode()):
                    return pid
        raise AssertionError(f"no {name} runs")

    def children(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in path.read_text().split()]


@contextmanager
def running(
    *arguments: str, env: Mapping[str, str] | None = None, program: Sequence[str] = DEMO
) -> Iterator[Running]:
    process = subprocess.Popen(
        [*program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    )
    show = Running(process)
    try:
        yield show
    finally:
        process.kill()
        process.wait()
        show.close()


def wait_until_gone(pids: list[int]) -> None:
    wait_until(lambda: not any(runs(pid) for pid in pids))


def runs(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
