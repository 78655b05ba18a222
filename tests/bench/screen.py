"""The dealer's screen and the table's service: memory, processor, start, and from event to pixels.

Both are processes as on a table, the screen on an Xvfb whose framebuffer is a file that is looked
at here. The table's device and broker are processes of their own and are not counted.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from controller.broker.client import Endpoint
from controller.broker.own import start_broker
from display.dealer.layout import Frame, arrange, lower_edge
from display.dealer.theme import STYLES
from display.drawing.rect import Rect
from tests.bench.figures import Figure
from tests.bench.wires import p99

SIZE = (1280, 800)
SEATS = tuple(range(1, 11))
ZONES = (*(f"seat/{seat}" for seat in SEATS), "board", "burn", "muck", "stub")
LABELS = ("check", "call", "fold", "all-in")
FRAME_MS = 1000 / 60
MOST_S = 20.0
LOOK_S = 0.0002

_XVFB = ("-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp")
_CUTCARD = (sys.executable, "-m", "controller")
_VIEWS = Path(__file__).resolve().parents[1] / "display_dealer"
_DEVICE = """
import asyncio, json, sys, time
from pathlib import Path
from firmware_bridge.virtual.table import VirtualTable
link, zones, buttons, lamps = Path(sys.argv[1]), *map(json.loads, sys.argv[2:5])
table = VirtualTable(zones, buttons, clock=time.monotonic, lamps=lamps, link=link)
asyncio.run(table.run())
"""


def missing() -> str:
    """What is not installed that it needs; empty if nothing is."""
    return "" if shutil.which("Xvfb") else "Xvfb (Debian's package xvfb)"


def measure(rounds: int, seconds: float = 10.0, events: int = 200) -> list[Figure]:
    """So many runs; the median of what each of them gives."""
    runs: list[dict[str, float]] = []
    for _ in range(rounds):
        with TemporaryDirectory(prefix="cutcard") as folder, a_display(Path(folder)) as pixels:
            runs.append({**at_rest(Path(folder), pixels, seconds), **shown(pixels, events)})

    def figure(name: str, what: str, unit: str, target: float | None = None) -> Figure:
        return Figure(what, median(run[name] for run in runs), unit, target)

    return [
        figure("screen_mib", "screen, ten seats at rest: resident", "MiB", 60),
        figure("used_mib", "screen, after cards and findings: resident", "MiB", 60),
        figure("table_mib", "cutcard table, ten seats at rest: resident", "MiB", 40),
        figure("share", "screen and table when nothing happens: one core busy", "%", 2),
        figure("screen_s", "screen: start → first picture", "s", 0.6),
        figure("table_s", "cutcard table: start → ready", "s", 0.8),
        figure("turn_ms", "event on the socket → changed pixels, median", "ms", FRAME_MS),
        figure("turn_p99_ms", "…, p99", "ms", FRAME_MS),
        figure("card_ms", "a finding on the socket → its card's pixels, median", "ms", FRAME_MS),
        figure("card_p99_ms", "…, p99", "ms", FRAME_MS),
    ]


class Pixels:
    """The display `name`, and what is on it."""

    def __init__(self, name: str, frame: mmap.mmap) -> None:
        self.name = name
        self._frame = frame
        self._start = len(frame) - 4 * SIZE[0] * SIZE[1]

    def row(self, rect: Rect) -> bytes:
        """The pixels across the middle of `rect`."""
        at = self._start + 4 * ((rect.y + rect.h // 2) * SIZE[0] + rect.x)
        return self._frame[at : at + 4 * rect.w]


@contextmanager
def a_display(folder: Path) -> Iterator[Pixels]:
    """An Xvfb of its own."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ("Xvfb", "-displayfd", str(write), "-fbdir", str(folder), *_XVFB),
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with ending(server), os.fdopen(read) as told:
        name = f":{told.readline().strip()}"
        with (folder / "Xvfb_screen0").open("rb") as file:
            frame = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        with closing(frame):
            yield Pixels(name, frame)


def at_rest(folder: Path, pixels: Pixels, seconds: float) -> dict[str, float]:
    """A table of ten seats in its room, with its screen, of which nobody takes any notice."""
    with ExitStack() as stack:
        broker = stack.enter_context(start_broker("demo", ["T1"]))
        write_table(folder, broker.tables["T1"], broker.port)
        buttons = [(seat, label) for seat in SEATS for label in LABELS]
        given = (ZONES, buttons, len(SEATS))
        device = (sys.executable, "-c", _DEVICE, str(folder / "port"), *map(json.dumps, given))
        stack.enter_context(ending(subprocess.Popen(device)))
        wait_for((folder / "port").exists)
        table, table_s = start_table(folder, stack)
        screen, screen_s = start_screen(folder / "dealer.sock", pixels, stack)
        time.sleep(2)  # of what a start still leaves to do
        both = (table.pid, screen.pid)
        began, used = time.monotonic(), sum(map(busy, both))
        time.sleep(seconds)
        share = (sum(map(busy, both)) - used) / (time.monotonic() - began)
        return {
            "table_s": table_s,
            "screen_s": screen_s,
            "share": 100 * share,
            "table_mib": resident(table.pid),
            "screen_mib": resident(screen.pid),
        }


def shown(pixels: Pixels, events: int) -> dict[str, float]:
    """A screen that is sent two views by turns: another's turn, then findings."""
    betting, finding = _view("flop_betting"), _view("four_card_flop_roberts")
    turns = betting, {**betting, "pot": betting["pot"] + 500, "to_act": 1}
    with TemporaryDirectory(prefix="cutcard") as folder, ExitStack() as stack:
        server = stack.enter_context(closing(socket.socket(socket.AF_UNIX)))
        server.bind(f"{folder}/dealer.sock")
        server.listen()
        screen, _ = start_screen(Path(folder) / "dealer.sock", pixels, stack)
        table = stack.enter_context(closing(server.accept()[0]))
        regions = arrange(*SIZE, Frame(seats=10, languages=True))
        turn = times(table, turns, pixels, regions["pot"], events)
        card = times(table, (betting, finding), pixels, regions["banner"], events)
        used = resident(screen.pid)
    return {
        "turn_ms": 1000 * median(turn),
        "turn_p99_ms": 1000 * p99(turn),
        "card_ms": 1000 * median(card),
        "card_p99_ms": 1000 * p99(card),
        "used_mib": used,
    }


def times(
    table: socket.socket, views: tuple[Any, Any], pixels: Pixels, where: Rect, events: int
) -> list[float]:
    """Seconds from each view until it is seen `where` the two differ."""
    taken = []
    for number in range(events + 2):
        view = {"kind": "view", "t": float(number), "view": views[number % 2]}
        line = json.dumps(view).encode() + b"\n"
        time.sleep(random.uniform(0.02, 0.06))
        before = pixels.row(where)
        began = time.perf_counter()
        table.sendall(line)
        wait_for(lambda: pixels.row(where) != before)  # noqa: B023 - it is called at once
        taken.append(time.perf_counter() - began)
    return taken[2:]  # the first of each finds no letters made yet


def start_screen(
    path: Path, pixels: Pixels, stack: ExitStack
) -> tuple[subprocess.Popen[bytes], float]:
    """The screen on this socket, and how many seconds it took to its first picture."""
    place = arrange(*SIZE, Frame(seats=10, bar=lower_edge([]), languages=True))["call-floor"]
    red, green, blue = STYLES["floor"].fill
    fill = bytes((blue, green, red))
    arguments = ("dealer", "--socket", str(path), "--size", f"{SIZE[0]}x{SIZE[1]}")
    other = {key: value for key, value in os.environ.items() if not key.startswith("SDL_")}
    began = time.monotonic()
    screen = subprocess.Popen(
        [*_CUTCARD, *arguments],
        env={**other, "DISPLAY": pixels.name},
        stderr=subprocess.DEVNULL,
    )
    stack.enter_context(ending(screen))
    wait_for(lambda: fill in pixels.row(place))
    return screen, time.monotonic() - began


def start_table(folder: Path, stack: ExitStack) -> tuple[subprocess.Popen[bytes], float]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as told:
        told.bind(str(folder / "notify"))
        told.settimeout(MOST_S)
        began = time.monotonic()
        table = subprocess.Popen(
            [*_CUTCARD, "table", "--config", str(folder / "table.toml")],
            env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify")},
            stdout=subprocess.DEVNULL,
        )
        stack.enter_context(ending(table))
        while told.recv(4096) != b"READY=1":
            pass
        return table, time.monotonic() - began


def write_table(folder: Path, login: Endpoint, port: int) -> None:
    (folder / "password").write_text(str(login.password))
    (folder / "table.toml").write_text(
        f"""
        [table]
        id = "T1"
        rulebook = "roberts"
        seats = {len(SEATS)}
        stack = 1000
        blinds = {{ small = 5, big = 10 }}
        [[port]]
        device = "{folder / "port"}"
        zones = {json.dumps(ZONES)}
        buttons = {{ seats = {json.dumps(SEATS)}, labels = {json.dumps(LABELS)} }}
        lamps = {json.dumps(SEATS)}
        [screen]
        socket = "dealer.sock"
        [journal]
        path = "journal.sqlite"
        keys = "keys"
        [broker]
        host = "127.0.0.1"
        port = {port}
        user = "{login.user}"
        password_file = "password"
        site = "demo"
        """
    )


def _view(name: str) -> dict[str, Any]:
    """A picture of ten seats."""
    view: dict[str, Any] = json.loads((_VIEWS / f"{name}.json").read_text())
    free = [seat for seat in SEATS if seat not in {one["seat"] for one in view["seats"]}]
    view["seats"] += [{**view["seats"][0], "seat": seat} for seat in free]
    return view


def wait_for(true: Callable[[], object]) -> None:
    """Looks again and again until it is so. Raises TimeoutError."""
    end = time.monotonic() + MOST_S
    while not true():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(LOOK_S)


@contextmanager
def ending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Ends it in the end."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def resident(pid: int) -> float:
    """MiB of memory that a process holds, shared libraries included."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def busy(pid: int) -> float:
    """Seconds that a process's threads have been on a processor."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
