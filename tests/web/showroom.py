"""A room of which a test says what it shows, with its pages on a real port."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import ClockQuestion, Notice, RoomClock, RoomTournament, WallAlert
from controller.people.door import Door
from controller.people.staff import Holds
from controller.people.staff_store import StaffStore
from controller.room.alerts import Happened
from controller.room.commander import Order
from controller.room.structure import Entry
from controller.room.view import CatchUp, RoomHealth, RoomView, ScreenSetup, ShownState
from display.web.serving.access.hosts import Hosts
from display.web.serving.app import create_app
from display.web.serving.listener import Listener
from display.web.serving.server import Server
from tests.waiting import PATIENCE_S

MINUTE = 60_000
ABOUT = RoomTournament(
    name="Friday Deepstack",
    entries=120,
    players_left=45,
    average_stack=26_666,
    prizes=("5,000 €", "3,200 €", "2,100 €", "1,400 €", "900 €"),
    notices=(
        Notice(1, "Dinner break after level 8, the kitchen is open until ten o'clock"),
        Notice(2, "Late registration is over"),
    ),
)
ENTRIES = (Entry(20 * MINUTE, Blinds(1_500, 3_000, 3_000)), Entry(15 * MINUTE, None, (25, 100)))
RUNS = RoomClock(
    index=0,
    level=7,
    on_break=False,
    blinds=Blinds(1_500, 3_000, 3_000),
    next_blinds=Blinds(2_000, 4_000, 4_000),
    next_is_break=False,
    duration_ms=20 * MINUTE,
    to_break_ms=20 * MINUTE,
    session="s1",
    lineage="l1",
    revision=5,
)
STANDS = replace(RUNS, remaining_ms=12 * MINUTE + 34_000)
LARGE = replace(
    RUNS,
    blinds=Blinds(100_000, 200_000, 200_000),
    next_blinds=Blinds(150_000, 300_000, 300_000),
    duration_ms=90 * MINUTE,
)


def now_ms() -> int:
    """The room's time, which is the wall clock's here."""
    return time.time_ns() // 1_000_000


def runs(left_ms: int = 12 * MINUTE, clock: RoomClock = RUNS) -> RoomClock:
    """A clock with so much left."""
    return replace(clock, deadline_ms=now_ms() + left_ms)


def view(clock: RoomClock, state: ShownState = "running", **rest: Any) -> RoomView:  # noqa: ANN401
    """What a room shows; its time is `now_ms` unless that is given."""
    given: dict[str, Any] = {
        "tournament": ABOUT,
        "entries": ENTRIES,
        "wall_ms": 1_700_000_000_000,
        "utc_offset_s": 3_600,
        "version": "1",
        "screen": ScreenSetup("Club Royale"),
        "heard": True,
        "banner": "",
        **rest,
    }
    now = given.pop("now_ms", None) or now_ms()
    return RoomView("hall", "x", now, clock, (), (), state=state, **given)


def scenes() -> dict[str, RoomView]:
    """Every state of the clock, and what takes the most room."""
    on_break = replace(STANDS, on_break=True, index=1, duration_ms=15 * MINUTE)
    alerts = (
        WallAlert("call", ("3", "8", "12"), 12),
        WallAlert("finding", ("8",), 1, "Four-card flop"),
    )
    over = replace(STANDS, ended=True, remaining_ms=0, next_blinds=None, to_break_ms=None)
    return {
        "running": view(runs(), old_level=("3", "7")),
        "large": view(runs(71 * MINUTE, LARGE)),
        "bare": view(runs(), tournament=RoomTournament()),
        "last-minute": view(runs(40_000), "last-minute"),
        "alert": view(runs(), tournament=replace(ABOUT, alerts=alerts)),
        "break": view(runs(9 * MINUTE, replace(on_break, remaining_ms=None)), "break"),
        "holding": view(on_break, "holding", playing=("3", "7", "12")),
        "ready": view(replace(STANDS, index=0, level=1), "ready"),
        "paused": view(replace(STANDS, why="Fire alarm: please leave the room"), "paused"),
        "question": view(
            replace(STANDS, question=ClockQuestion("restart", 0, 1, 2)),
            "question",
            catch_up=CatchUp(7, 8, on_break=False, left_ms=192_000),
        ),
        "last-level": view(over, "last-level"),
        "ended": view(replace(over, why="one player is left"), "ended"),
    }


class ShowRoom:
    """A room that shows `shown`; `frozen` is when its time stands still."""

    closed = False
    turn = 0

    def __init__(self) -> None:
        self.shown = view(runs())
        self.frozen = False
        self.url = ""
        self._given_ms = now_ms()
        self._moved = asyncio.Event()
        self._up = threading.Event()
        self._thread = threading.Thread()

    def view(self) -> RoomView:
        """What is shown, at the room's time now."""
        if self.frozen:
            return self.shown
        passed_ms = now_ms() - self._given_ms
        return replace(
            self.shown,
            now_ms=self.shown.now_ms + passed_ms,
            wall_ms=self.shown.wall_ms + passed_ms,
        )

    async def changed(self) -> None:
        """Return at the next change."""
        await self._moved.wait()

    def show(self, shown: RoomView, *, frozen: bool = False) -> None:
        """Show this from now on."""
        self.shown, self.frozen, self._given_ms = shown, frozen, now_ms()
        self._loop.call_soon_threadsafe(self._bump)

    def _bump(self) -> None:
        self.turn += 1
        self._moved.set()
        self._moved = asyncio.Event()

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Nobody asks anything here."""
        raise NotImplementedError

    def health(self) -> RoomHealth:
        """Nobody asks for it here."""
        raise NotImplementedError

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """There are no tables here."""
        raise NotImplementedError

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Nobody is on the floor here."""
        raise NotImplementedError

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """Nothing happens here."""
        raise NotImplementedError

    def start(self, port: int = 0) -> None:
        """Returns once the pages answer."""
        self.closed = False
        self._up.clear()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(port)))
        self._thread.start()
        assert self._up.wait(PATIENCE_S)

    async def _run(self, port: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._moved = asyncio.Event()
        app = create_app(self, Door(StaffStore.open(None), Holds()), Hosts(()))
        listener = Listener("127.0.0.1", port)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        self._server = Server(app, listener)
        answering = asyncio.create_task(self._server.answer())
        await self._server.up
        self._up.set()
        await answering

    def stop(self) -> None:
        """The room is gone; it may be started again on the same port."""
        if self._thread.is_alive():
            self.closed = True
            self._server.should_exit = True
            self._loop.call_soon_threadsafe(self._bump)
            self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    @property
    def port(self) -> int:
        """Where its pages are, or were."""
        return int(self.url.rstrip("/").rpartition(":")[2])
