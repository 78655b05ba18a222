"""`cutcard room` and `cutcard wall` over a real mosquitto, on an Xvfb display."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from controller.files.settings import config_dir
from display.drawing.colour import Colour
from display.wall.theme import load
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None or find_mosquitto() is None,
    reason="Xvfb or mosquitto is not installed",
)

WIDTH, HEIGHT = 1280, 720
DARK = load("dark", config_dir())
FAST = """
name = "fast"
[[level]]
minutes = 20
small = 25
big = 50
[[level]]
minutes = 20
small = 50
big = 100
"""


class Hall:
    """A display, a broker, a room and a wall, each of which can be killed."""

    def __init__(self, folder: Path, broker: RunningBroker, stack: ExitStack) -> None:
        self._folder = folder
        self.broker = broker
        self._stack = stack
        self._display = self._open_display()

    def _open_display(self) -> str:
        read, write = os.pipe()
        self._run(
            [
                *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"),
                *("-fbdir", str(self._folder), "-nolisten", "tcp"),
            ],
            pass_fds=(write,),
        )
        os.close(write)
        with os.fdopen(read) as told:
            return f":{told.readline().strip()}"

    def _run(
        self,
        words: list[str],
        env: dict[str, str] | None = None,
        pass_fds: tuple[int, ...] = (),
        log: str = "log",
    ) -> subprocess.Popen[bytes]:
        output = self._stack.enter_context((self._folder / log).open("ab"))
        child = subprocess.Popen(words, env=env, stdout=output, stderr=output, pass_fds=pass_fds)
        self._stack.callback(child.wait, 5)
        self._stack.callback(child.kill)
        return child

    def room(self, *words: str) -> subprocess.Popen[bytes]:
        blinds = self._folder / "fast.toml"
        blinds.write_text(FAST)
        env = {**os.environ, "CUTCARD_MQTT_PASSWORD": self.broker.room.password or ""}
        where = ("--broker", f"127.0.0.1:{self.broker.port}", "--user", "room", "--site", "hall")
        store = ("--store", str(self._folder / "room.sqlite"))
        more = ("--web-port", "0", "--blinds", str(blinds), *store, *words)
        return self._run([sys.executable, "-m", "controller", "room", *where, *more], env)

    def wall(self) -> subprocess.Popen[bytes]:
        env = {
            **os.environ,
            "CUTCARD_MQTT_PASSWORD": self.broker.screen.password or "",
            "DISPLAY": self._display,
            "SDL_AUDIODRIVER": "dummy",
        }
        env.pop("SDL_VIDEODRIVER", None)
        where = ("--broker", f"127.0.0.1:{self.broker.port}", "--user", "screen")
        command = [sys.executable, "-m", "controller", "wall", *where, "--site", "hall"]
        return self._run(command, env, log="wall")

    def said(self) -> str:
        return (self._folder / "wall").read_text()

    def pixels(self) -> bytes:
        return (self._folder / "Xvfb_screen0").read_bytes()[-4 * WIDTH * HEIGHT :]

    def at(self, x: int, y: int) -> Colour:
        blue, green, red, _ = self.pixels()[4 * (y * WIDTH + x) :][:4]
        return (red, green, blue)

    def count(self, colour: Colour) -> int:
        red, green, blue = colour
        data = self.pixels()
        pairs = zip(data[2::4], data[1::4], data[0::4], strict=True)
        return sum(1 for pixel in pairs if pixel == (red, green, blue))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with ExitStack() as stack:
        broker = stack.enter_context(start_broker("hall", ["T1"], kind="mosquitto"))
        yield Hall(tmp_path, broker, stack)


def test_a_room_that_dies_is_missed_and_found_again(hall: Hall) -> None:
    corner = (4, HEIGHT // 2 + 8)  # on the ground beside the clock
    foot = (4, HEIGHT - 140)  # where the strip of trouble is
    wall = hall.wall()
    wait_until(lambda: hall.at(*foot) == DARK.trouble.fill)  # nobody is there yet
    room = hall.room("--start")
    wait_until(lambda: hall.at(*foot) != DARK.trouble.fill)
    running = hall.at(*corner)
    assert running[1] > running[0] + 5  # felt, not the grey of a pause
    before = hall.pixels()
    wait_until(lambda: hall.pixels() != before)  # it counts
    room.kill()
    wait_until(lambda: hall.at(*foot) == DARK.trouble.fill)
    before = hall.pixels()
    wait_until(lambda: hall.pixels() != before)  # it counts on
    assert hall.at(*corner) == running
    hall.room()
    wait_until(lambda: hall.at(*foot) != DARK.trouble.fill)
    wait_until(lambda: hall.count(DARK.word.fill) > 10_000)  # PAUSED in its box
    wall.terminate()
    assert wall.wait(PATIENCE_S) == 0
    assert "Traceback" not in hall.said()


def test_a_broker_that_is_cut_off_is_missed_and_found_again(hall: Hall) -> None:
    foot = (4, HEIGHT - 140)
    hall.room("--start")
    hall.wall()
    wait_until(lambda: hall.count(DARK.level.ink) > 10_000)
    hall.broker.stop()
    wait_until(lambda: hall.at(*foot) == DARK.trouble.fill)
    before = hall.pixels()
    wait_until(lambda: hall.pixels() != before)  # it counts on
    with start_broker("hall", ["T1"], like=hall.broker):
        wait_until(lambda: hall.at(*foot) != DARK.trouble.fill)


def test_it_is_small_and_idle(hall: Hall) -> None:
    hall.room("--start")
    wall = hall.wall()
    wait_until(lambda: hall.count(DARK.level.ink) > 10_000)

    def share() -> float:
        begun, spent = time.monotonic(), processor_s(wall.pid)
        time.sleep(4)
        return (processor_s(wall.pid) - spent) / (time.monotonic() - begun)

    wait_until(lambda: share() < 0.03)  # there may still be something to draw for the first time
    status = Path(f"/proc/{wall.pid}/status").read_text()
    resident_kib = next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)
    assert resident_kib < 60 * 1024


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
