"""A hall whose time is turned by hand: the room in a process of its own, screens in a real
browser, a wall and tables, with a real broker between them. Between two steps nobody's time moves,
so that how fast the machine is makes no difference.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.request
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Browser

from controller.broker.client import Backoff, MqttClient
from controller.broker.own import RunningBroker, start_broker
from controller.contract.events import Blinds
from controller.contract.messages import Message
from controller.contract.observations import Level
from controller.room.lead import LISTEN_MS
from controller.room.room_time import Reading
from controller.room.structure import Structure
from tests.commands.fake_table import SITE, FakeTable
from tests.waiting import PATIENCE_S, until
from tests.web.hall import CODE, joined, ours
from tests.web.stepped_room import Stepped
from tests.web.watchers import (
    BEGAN,
    NEAR_MS,
    SINCE_BOOT,
    Course,
    Listener,
    Screen,
    Watcher,
    fits,
)

NEVER = 2**62
ENDING_MS = 2_000
"""More than a program needs that is asked to end."""


class StepError(Exception):
    """The room's process did not do what it was asked."""


class SteppedHall:
    """The whole of it. `now` is the true time, in ms, which is the room's as a rule."""

    def __init__(self, folder: Path, structure: Structure, browser: Browser) -> None:
        self.structure = structure
        self.ends = tuple(accumulate(each.duration_ms for each in structure.entries))
        self.names = _names(structure)
        self.now = BEGAN
        self.courses: list[tuple[int, Course]] = []
        self.screens: list[Screen] = []
        self.url = self._cookie = ""
        self.moments = 0
        self._folder = folder
        self._browser = browser
        self._boot = 1
        self._booted = BEGAN - SINCE_BOOT
        self._slept = self._set = self._tells_from = 0
        self._process: asyncio.subprocess.Process | None = None

    # who is there

    async def begin(self) -> None:
        """Broker, wall, table, room and two screens are there; the clock is not started."""
        self.broker: RunningBroker | None = start_broker(SITE, ["T1", "T2"], kind="mosquitto")
        self.wall = Listener("wall", self.broker.screen)
        self.ear = Listener("table", self.broker.tables["T1"])
        for listener in (self.wall, self.ear):
            listener.client.start(listener.received)
        self.player = FakeTable(self.broker.tables["T2"], "T2")
        self.player.start()
        self._endpoint = self.broker.room
        self.other = MqttClient(self._endpoint, "test-other-room", backoff=Backoff(0.02, 0.05))
        self.other.start()
        await self.room_comes()
        await self._screen("even", rate=1.0, grain=50)
        await self._screen("fast, and busy", rate=1.001, grain=350)
        for _ in range(3):
            await self.step(1_000)

    async def _screen(self, name: str, *, rate: float, grain: int) -> None:
        context = await self._browser.new_context(viewport={"width": 640, "height": 360})
        screen = Screen(name, await context.new_page(), rate=rate, grain=grain)
        self.screens.append(screen)
        await screen.open(self._port())

    async def end(self) -> None:
        """All of it."""
        if self._process is not None:
            await self.kill()
        for screen in self.screens:
            await screen.page.context.close()
            screen.line.close()
        for client in (self.wall.client, self.ear.client, self.player.client, self.other):
            await client.close(timeout_s=0.1)
        if self.broker is not None:
            self.broker.stop()

    async def room_comes(self) -> None:
        """The room's program is started, and hears the broker if there is one."""
        store = str(self._folder / "room.sqlite")
        stepped = Stepped(self._endpoint, SITE, store, self.structure, CODE)
        log = (self._folder / "log").open("ab")
        with log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.web.stepped_room"),
                msgspec.json.encode(stepped).decode(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=Path(__file__).parents[2],
            )
        self._say_time()
        self.url = json.loads(await self._answer())
        self._cookie = self._cookie or joined(self.url)["Cookie"]
        if self.broker is not None:
            await until(lambda: self._health()["broker"] == "connected")
        self._tells_from = self.now + LISTEN_MS if self.broker is not None else NEVER
        behind_ms = self.now - self.room()["now_ms"]
        for watcher in (*self.screens, self.wall, self.ear):
            watcher.behind_ms = behind_ms
        for screen in self.screens:
            screen.line.to = self._port()

    async def kill(self) -> None:
        """The room's program is killed."""
        await self._gone(signal.SIGKILL)

    async def stop(self) -> None:
        """The room's program is asked to end. It has a while for that; how long its disk takes
        then is in nobody's time."""
        process = self._process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        for screen in self.screens:
            screen.line.to = None
        end = self.now + ENDING_MS
        while self.now < end and await self._pass(50):  # noqa: ASYNC110 (real time, for a process)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()
        await self._gone(signal.SIGKILL)

    async def _gone(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        assert process is not None
        for screen in self.screens:
            screen.line.to = None
        if process.returncode is None:
            process.send_signal(number)
        await process.wait()
        await asyncio.sleep(0.02)  # until the lines have noticed

    def broker_dies(self) -> None:
        """Killed, so that nothing that it kept is left."""
        assert self.broker is not None
        os.kill(self.broker.pid, signal.SIGKILL)
        self.broker.stop()
        self._dead, self.broker = self.broker, None

    async def broker_comes(self) -> None:
        """It is there again; whoever waits for it finds it in some time. The player's table can be
        told something then: what it missed, the room would say again only after a while."""
        self.broker = start_broker(SITE, ["T1", "T2"], like=self._dead)
        clients = self.wall.client, self.ear.client, self.player.client
        await until(lambda: all(client.connected for client in clients))
        self.player.ready()
        await self.player.client.settled(PATIENCE_S)  # and so its subscription, which was before
        for _ in range(200):
            if self._health()["broker"] == "connected":
                led = self._tells_from < NEVER
                self._tells_from = max(self.now, self._tells_from if led else self.now + LISTEN_MS)
                return
            await self._pass(50)
            await asyncio.sleep(0.01)
        raise StepError("the room does not find the broker")

    # time

    async def step(self, ms: int) -> None:
        """Time passes, everybody shows what is to be shown then, and it is looked at."""
        await self._pass(ms)
        await asyncio.gather(*(screen.look() for screen in self.screens))
        if self._tells_time(ms):
            await until(lambda: self.wall.heard_ms == self.ear.heard_ms == self.now)
        self.wall.look()
        self.check()

    async def pass_unseen(self, ms: int) -> None:
        """Time passes, and nobody looks."""
        await self._pass(ms)
        for screen in self.screens:
            await screen.look()

    async def _pass(self, ms: int) -> bool:
        """The screens' time first: whatever comes to them is never of a time to come. Returns
        whether the room's program was there to follow."""
        self.now += ms
        self.wall.t += ms / 1_000
        self.ear.t += ms / 1_000
        await asyncio.gather(*(screen.passes(ms) for screen in self.screens))
        if self._process is None:
            return False
        self._say_time()
        return bool(await self._answer())

    def _tells_time(self, ms: int) -> bool:
        """Whether the room has told its time at the end of a step, by the broker."""
        if self._process is None or self.broker is None or self.now < self._tells_from:
            return False
        now = self.now - self.ear.behind_ms
        return now // 1_000 > (now - ms) // 1_000

    async def sleeps(self, ms: int) -> None:
        """The room's machine sleeps; nobody else does."""
        self._slept += ms
        for screen in self.screens:
            screen.line.set("held")
        await self._pass(ms)
        for screen in self.screens:
            screen.line.set("open")

    def power_fails(self) -> None:
        """For the room's machine; it starts anew with the room's program."""
        self._boot += 1
        self._booted = self.now - 20_000
        self._slept = 0

    def sets_wall_clock(self, ms: int) -> None:
        """The wall clock of the room's machine is set."""
        self._set += ms

    def _say_time(self) -> None:
        boot_ms, wall_ms = self.now - self._booted, self.now + self._set
        reading = Reading(f"boot-{self._boot}", boot_ms, boot_ms - self._slept, wall_ms)
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(reading) + b"\n")

    async def _answer(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            return await self._process.stdout.readline()

    # what is to be seen

    @property
    def course(self) -> Course:
        """The truth."""
        return self.courses[-1][1]

    def goes(self, course: Course) -> None:
        """From now on this is the truth."""
        self.courses.append((self.now, course))

    def check(self) -> None:
        """Everybody shows what is true, by what he can know."""
        if not self.courses:
            return
        self.moments += 1
        for watcher in (*self.screens, self.wall):
            if not watcher.asleep:
                wanted = self._wanted(watcher)
                assert any(fits(watcher.shown, *each) for each in wanted), self._said(watcher)
        level = self.ear.table.level()
        if level is not None and level.ends is not None:
            left_ms = max(0, round((level.ends - self.ear.t) * 1_000))
            far = [abs(left_ms - wanted) for wanted, _ in self._wanted(self.ear)]
            assert min(far) <= NEAR_MS, (left_ms, self._said(self.ear))

    def _wanted(self, watcher: Watcher) -> list[tuple[int, str]]:
        """What is left, and the name of the level: in truth, and by what `watcher` has heard."""
        heard = watcher.heard_ms or 0
        known = [course for since, course in self.courses if since < heard]
        course = known[-1] if known else self.courses[0][1]
        return [
            (max(0, course.ends[index] - course.played(self.now)), self.names[index])
            for course, index in (
                (self.course, self.course.index(self.now)),
                (course, course.index(max(heard - 1, course.began))),
            )
        ]

    def _said(self, watcher: Watcher) -> str:
        heard_ms = self.now - (watcher.heard_ms or 0)
        return (
            f"{watcher.name} shows {watcher.shown}, not {self._wanted(watcher)}, "
            f"{self.now - BEGAN} ms after the beginning; it has heard the room {heard_ms} ms ago"
        )

    # what is done

    def act(self, name: str, **fields: object) -> dict[str, Any]:
        """Ask the clock."""
        return self._http(f"clock/{name}", json.dumps(fields).encode())

    def room(self) -> dict[str, Any]:
        """The room's own picture."""
        return self._http("clock.json")

    @property
    def is_there(self) -> bool:
        """Whether the room's program is."""
        return self._process is not None

    def _health(self) -> dict[str, Any]:
        return self._http("healthz")

    def _http(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        headers = ours(self.url) | {"Cookie": self._cookie}
        request = urllib.request.Request(f"{self.url}{path}", body, headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
        return found

    def says(self, message: Message) -> None:
        """Another room, with the room's rights, publishes something."""
        self.other.publish(message)

    def levels(self) -> list[Blinds]:
        """What the player's table was told to play."""
        told = (each for each in self.player.taken if isinstance(each, Level))
        return [Blinds(each.small, each.big, each.ante) for each in told]

    def _port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])


def _names(structure: Structure) -> tuple[str, ...]:
    names, level = [], 0
    for entry in structure.entries:
        level += entry.blinds is not None
        names.append(f"Level {level}" if entry.blinds is not None else "Break")
    return tuple(names)
