"""A four-card flop from the alarm to the remedy, at the real table, by taps on the real screen.

`cutcard table` reads a virtual table over a pty and `cutcard dealer` draws on an Xvfb display.
The test taps on the window only, and moves cards where cards must move.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path

import pytest

from controller.contract.cards import CARDS
from controller.contract.view import FindingView, TableView, position
from display.dealer.connection import Connection
from display.dealer.layout import arrange
from display.dealer.link import read_line
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.theme import STYLES, StyleName
from display.drawing.rect import Rect
from firmware_bridge.virtual.table import VirtualTable
from tests.display_dealer.spoken import spoken
from tests.table.felt import BUTTONS, SEATS, SPEED, ZONES, pause, write_table
from tests.waiting import PATIENCE_S, answers, until

pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None or shutil.which("xdotool") is None,
    reason="Xvfb and xdotool are not installed",
)

BURN, FLOP, AGAIN = CARDS[6], CARDS[7:11], CARDS[11:]


class Stage:
    """One table with its screen: processes, cards, the picture that the screen is sent."""

    def __init__(self, folder: Path, book: str, size: tuple[int, int]) -> None:
        folder.mkdir()
        self._tags = write_table(folder, book)
        self._folder = folder
        self._size = size
        self._texts = spoken("en")
        self._display = ""
        self._children: dict[str, asyncio.subprocess.Process] = {}
        self.view: TableView | None = None
        self.felt = VirtualTable(
            ZONES,
            BUTTONS,
            clock=lambda: SPEED * time.monotonic(),
            sleep=pause,
            lamps=len(SEATS),
            link=folder / "port",
        )

    # --- processes ---

    async def start_display(self) -> None:
        read, write = os.pipe()
        width, height = self._size
        self._children["display"] = await asyncio.create_subprocess_exec(
            *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24"),
            *("-fbdir", str(self._folder), "-nolisten", "tcp"),
            pass_fds=(write,),
            stderr=asyncio.subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as told:
            self._display = f":{(await asyncio.to_thread(told.readline)).strip()}"

    async def start_table(self) -> None:
        config = str(self._folder / "table.toml")
        await self._start("table", "--config", config, "--speed", str(SPEED))
        await until(lambda: answers(self._folder / "dealer.sock"))

    async def start_screen(self) -> None:
        width, height = self._size
        socket = str(self._folder / "dealer.sock")
        await self._start("dealer", "--socket", socket, "--size", f"{width}x{height}")

    async def _start(self, command: str, *arguments: str) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SDL_VIDEO")}
        self._children[command] = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "controller", command, *arguments),
            env={**environment, "DISPLAY": self._display},
            stdout=asyncio.subprocess.DEVNULL,
        )

    async def kill(self, command: str) -> None:
        self._children[command].kill()
        await self._children[command].wait()

    async def end(self) -> None:
        for child in reversed(self._children.values()):
            if child.returncode is None:
                child.terminate()
                await asyncio.wait_for(child.wait(), PATIENCE_S)

    async def watch(self) -> None:
        """Keeps the picture that a screen is sent, over restarts of the table."""
        while True:
            # A table that is killed resets a connection that it has not accepted yet.
            with suppress(FileNotFoundError, ConnectionError):
                reader, writer = await asyncio.open_unix_connection(self._folder / "dealer.sock")
                with closing(writer):
                    while line := await reader.readline():
                        self.view = read_line(line.strip())
            await asyncio.sleep(0.05)

    # --- cards and taps ---

    async def lay(self, zone: str, *cards: str, then: float = 0.15) -> None:
        for card in cards:
            self.felt.place(zone, self._tags[card])
            await pause(then)

    async def lift(self, zone: str, *cards: str) -> None:
        for card in cards:
            self.felt.take(zone, self._tags[card])
            await pause(0.1)

    def regions(self) -> dict[str, Rect]:
        looking = Looking(opened=self.finding.id if self.finding else None)
        languages = {"en": "English", "de": "Deutsch"}
        up = Connection(cause="")
        screen = build(self.view, looking, up, self._texts, now=0.0, languages=languages)
        return arrange(*self._size, screen.frame)

    async def tap(self, button: str) -> None:
        rect = self.regions()[button]
        x, y = rect.x + rect.w // 2, rect.y + rect.h // 2
        click = await asyncio.create_subprocess_exec(
            *("xdotool", "mousemove", str(x), str(y), "click", "1", "mousemove", "0", "0"),
            env={**os.environ, "DISPLAY": self._display},
        )
        assert await click.wait() == 0

    @property
    def finding(self) -> FindingView | None:
        return self.view.findings[0] if self.view is not None and self.view.findings else None

    @property
    def next(self) -> str:
        """The step that is to be done; empty when all are."""
        finding = self.finding
        steps = [] if finding is None else [step.id for step in finding.ruling.steps]
        return "" if finding is None else [*steps, ""][position(finding)]

    def drawn(self, region: str) -> bytes:
        """The pixels of a region of the display, as X has them."""
        width, height = self._size
        pixels = (self._folder / "Xvfb_screen0").read_bytes()[-4 * width * height :]
        x, y, w, h = self.regions()[region]
        rows = (4 * (row * width + x) for row in range(y, y + h))
        return b"".join(pixels[at : at + 4 * w] for at in rows)

    async def tick(self, *steps: str) -> None:
        """Taps the button that does these steps, one after the other."""
        for step in steps:
            assert self.next == step
            await self.tap("done")
            await until(lambda done=step: self.next != done)  # type: ignore[misc]
            await asyncio.sleep(0.4)  # a second tap in less is the same tap


@asynccontextmanager
async def a_stage(folder: Path, book: str, size: tuple[int, int]) -> AsyncIterator[Stage]:
    """A table at which four cards lie on the flop, and its screen."""
    stage = Stage(folder, book, size)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(stage.end)
        tasks = [asyncio.create_task(stage.felt.run()), asyncio.create_task(stage.watch())]
        for task in tasks:
            stack.callback(task.cancel)
        await stage.start_display()
        await stage.start_table()
        await stage.start_screen()
        await until(lambda: stage.view is not None and not stage.view.links)
        await until(partial(_has, stage, "new-hand", "main"))
        await stage.tap("new-hand")
        await until(lambda: stage.view is not None and stage.view.phase == "deal")
        for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
            await stage.lay(f"seat/{seat}", card, then=0.5)
        for seat, label in ((3, "call"), (1, "call"), (2, "check")):
            stage.felt.press(seat, label)
            await pause(0.5)
        await stage.lay("burn", BURN, then=0.7)
        await stage.lay("board", *FLOP)
        await until(lambda: stage.finding)
        await until(partial(_has, stage, "done", "main"))
        yield stage


def _has(stage: Stage, button: str, style: StyleName) -> bool:
    """Whether the screen draws this button, enabled: nothing else there has its colour."""
    red, green, blue = STYLES[style].fill
    return stage.drawn(button).count(bytes((blue, green, red))) > 100


async def roberts(folder: Path) -> None:
    """Redealt without a burn; on the way the screen is killed, then the table."""
    async with a_stage(folder, "roberts", (1280, 800)) as stage:
        first = stage.drawn("step")
        await stage.tick("stop")
        await stage.lift("board", *FLOP)
        await until(lambda: stage.finding is not None and stage.finding.seen == 2)
        await asyncio.sleep(0.4)
        await stage.tick("burn-stays")
        before = {region: stage.drawn(region) for region in ("count", "step", "title", "undo")}
        assert before["step"] != first
        await stage.kill("dealer")
        await until(lambda: stage.drawn("step") != before["step"])
        await stage.start_screen()
        await until(lambda: all(stage.drawn(region) == was for region, was in before.items()))
        await stage.tick("shuffle")
        await stage.tap("back")
        await until(lambda: stage.next == "shuffle")
        await until(lambda: stage.drawn("step") == before["step"])
        await stage.kill("table")
        await until(lambda: stage.drawn("undo") != before["undo"])
        stage.view = None
        await stage.start_table()
        await until(lambda: stage.next == "shuffle")
        await until(lambda: all(stage.drawn(region) == was for region, was in before.items()))
        await until(lambda: stage.view is not None and "not watched" in str(stage.view.links))
        await asyncio.sleep(3)  # what lies there has been looked at
        await stage.tick("shuffle", "cut")
        await stage.lay("board", *AGAIN[:3])
        await _is_remedied(stage, 3)


async def uk_tda(folder: Path) -> None:
    """Scrambled, and one of the four becomes the next burn."""
    async with a_stage(folder, "uk-tda", (800, 480)) as stage:
        await stage.tap("call-floor")
        await until(lambda: stage.view is not None and stage.view.floor == "called")
        await until(lambda: stage.finding is not None and stage.finding.seen == 1)
        await stage.lift("board", *FLOP)
        await stage.tick("scramble")
        await until(lambda: stage.view is not None and "picks the burn" in stage.view.prompt)
        await pause(0.7)  # to scramble takes longer than a flicker
        await stage.lay("burn", FLOP[2], then=0.7)
        await stage.tick("pick-burn")
        await stage.lay("board", FLOP[0], FLOP[1], FLOP[3])
        await _is_remedied(stage, 3)


async def nl_2010(folder: Path) -> None:
    """Reshuffled, with a new burn."""
    async with a_stage(folder, "nl-2010", (800, 480)) as stage:
        await stage.tick("stop")
        await stage.lift("board", *FLOP)
        await until(lambda: stage.finding is not None and stage.finding.seen == 2)
        await pause(1.5)  # a shuffle takes longer
        await stage.tick("shuffle")
        await stage.lay("burn", AGAIN[0], then=0.7)
        await until(lambda: stage.finding is not None and stage.finding.seen == 4)
        await stage.lay("board", *AGAIN[1:4])
        await _is_remedied(stage, 3)


async def _is_remedied(stage: Stage, board: int) -> None:
    await until(lambda: stage.view is not None and len(stage.view.board) == board)
    await until(lambda: stage.finding is None)
    await pause(1.2)  # what rests on something unseen would come now
    assert stage.view is not None
    assert (stage.view.phase, stage.view.findings) == ("flop", ())
    await until(partial(_is_drawn_table, stage))


def _is_drawn_table(stage: Stage) -> bool:
    """Whether the table is drawn again, with a white card where the flop's first card lies."""
    return stage.drawn("board:1").count(b"\xff\xff\xff") > 1000


@pytest.mark.long
def test_a_four_card_flop_is_put_right_under_three_books_by_taps_alone(tmp_path: Path) -> None:
    async def play() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(roberts(tmp_path / "roberts"))
            group.create_task(uk_tda(tmp_path / "uk"))
            group.create_task(nl_2010(tmp_path / "nl"))

    asyncio.run(play())
