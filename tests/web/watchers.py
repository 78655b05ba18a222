"""Who shows the room's clock: pages in a browser whose time is turned by hand, the program of the
wall and that of a table; and what they are to show.
"""

from __future__ import annotations

import asyncio
import bisect
from pathlib import Path
from typing import Any

from msgspec import Struct
from playwright.async_api import Error, Page

from controller.broker.client import Backoff, Endpoint, Incoming, MqttClient
from controller.contract.messages import ROOM_CLOCK, ROOM_TIME, RoomClock, RoomTime
from controller.files.settings import config_dir
from controller.table.room_heard import RoomHeard
from display.wall import heard as wall_heard
from display.wall import words
from display.wall.model import picture
from tests.commands.fake_table import SITE
from tests.waiting import PATIENCE_S, until
from tests.web.line import Line

PAGE = "screen"
CLOCK, LEVEL = (f"[data-testid={name}]" for name in ("clock", "level"))
THEN = "Then "
"""On a break the page names the level after it."""
NEAR_MS = 500
BEGAN = 1_700_000_000_000
"""The room's time at the beginning, which is that of the wall clock."""
SINCE_BOOT = 50_000
STEPPED_PAGE = (Path(__file__).parent / "stepped_page.js").read_text()
ENGLISH = words.load("en", config_dir())
_LOOK = f"""async (told) => {{
  const heard = told === null ? null : await stepped.heard(told);
  const text = (one) => document.querySelector(one)?.innerText ?? "";
  return [heard, text("{CLOCK}"), text("{LEVEL}")];
}}"""


class Course(Struct, frozen=True):
    """What the clock is to show, by plain arithmetic: `ends` are the ends of the entries in time
    played. The clock was started at `began`, less what it stood; `stands` is what is played while
    it stands."""

    ends: tuple[int, ...]
    began: int
    stands: int | None = None

    def played(self, now: int) -> int:
        return now - self.began if self.stands is None else self.stands

    def index(self, now: int) -> int:
        return bisect.bisect_right(self.ends, self.played(now))

    def left(self, now: int) -> int:
        """Of the entry that is in force."""
        return self.ends[self.index(now)] - self.played(now)


class Shown(Struct, frozen=True):
    """What a screen shows: the seconds that are left, and its name for the level."""

    seconds: int
    level: str


class Watcher:
    """Somebody who shows the clock: what he heard when, and so what he is to show."""

    name = "?"
    shown = Shown(0, "")
    heard_ms: int | None = None
    behind_ms = 0
    """By so much the room's time is less than the true one, since its machine did not know how long
    it was off."""
    asleep = False

    async def state(self) -> str:
        """How it hears the room, for whoever looks for a fault."""
        return ""


class Screen(Watcher):
    """A page on a machine whose clock goes `rate` times as fast, with timers every `grain` ms."""

    def __init__(self, name: str, page: Page, *, rate: float, grain: int) -> None:
        self.name = name
        self.page = page
        self.line = Line()
        self.loads = 0
        page.on("load", self._loaded)
        self._rate = rate
        self._grain = grain

    async def open(self, to: int | None) -> None:
        """Open the page, and see it filled."""
        await self.line.open()
        self.line.to = to
        await self.page.add_init_script(STEPPED_PAGE)
        await self.page.goto(f"http://127.0.0.1:{self.line.port}/{PAGE}")

    def _loaded(self, _page: Page) -> None:
        self.loads += 1

    async def passes(self, ms: int) -> None:
        """Its machine's time passes, if it does not sleep."""
        if not self.asleep:
            await self._ask(f"stepped.pass({ms * self._rate}, {self._grain})")

    async def _ask(self, script: str, given: object = None) -> Any:  # noqa: ANN401 (JavaScript)
        """What the page answers; one that loads itself anew just then is asked again."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    return await self.page.evaluate(script, given)
                except Error as error:
                    if "navigation" not in str(error):
                        raise
                await self.page.wait_for_load_state()

    async def state(self) -> str:
        line, stream = self.line, await self._ask("stepped.stream()")
        return f"{line.way} to {line.to}, {len(line.calls)} calls, told {line.told_ms}; {stream}"

    def falls_asleep(self) -> None:
        """Its machine sleeps: what comes to it waits."""
        self.asleep = True
        self.line.set("held")

    async def wakes(self, ms: int, *, counted: bool) -> None:
        """After so long; whether the browser's own clock has `counted` that differs by machine."""
        await self.page.evaluate(f"stepped.skip({ms if counted else 0}, {ms})")
        self.asleep = False
        self.line.set("open")

    async def look(self) -> None:
        """Read the page, once all that the room has told it is shown."""
        told = None
        if self.line.way == "open" and self.line.to is not None and not self.asleep:
            await until(lambda: self.line.told_ms is not None)
            told = self.line.told_ms
        elif self.line.trickles:
            told = self.line.told_ms or None
        heard, clock, level = await self._ask(_LOOK, told)
        self.heard_ms = heard + self.behind_ms if heard is not None else self.heard_ms
        self.shown = Shown(_seconds(clock), "Break" if level.startswith(THEN) else level)


class Listener(Watcher):
    """Hears the room over the broker: as the program of the wall, and as that of a table."""

    def __init__(self, name: str, endpoint: Endpoint) -> None:
        self.name = name
        self.clocks: list[RoomClock] = []
        self.t = SINCE_BOOT / 1_000
        self.wall = wall_heard.RoomAsHeard(self.t)
        self.table = RoomHeard(SITE)
        self.client = MqttClient(endpoint, f"test-{name}", backoff=Backoff(0.02, 0.05))
        for topic in wall_heard.HEARD:
            self.client.subscribe(topic.name(SITE))

    def received(self, incoming: Incoming) -> None:
        self.wall = wall_heard.took(self.wall, incoming, SITE, self.t)
        self.table.received(incoming, self.t)
        if incoming.topic == ROOM_CLOCK.name(SITE):
            self.clocks.append(ROOM_CLOCK.decode(incoming.payload).value)
        if incoming.topic == ROOM_TIME.name(SITE):
            told: RoomTime = ROOM_TIME.decode(incoming.payload).value
            self.heard_ms = told.now_ms + self.behind_ms

    def look(self) -> None:
        there = picture(self.wall, self.t, ENGLISH)
        self.shown = Shown(_seconds(there.clock), there.heading)


def fits(shown: Shown, left_ms: int, level: str) -> bool:
    """Whether it is what a screen shows whose time is not half a second off."""
    least, most = max(0, left_ms - NEAR_MS), left_ms + NEAR_MS
    return shown.level == level and -(-least // 1_000) <= shown.seconds <= -(-most // 1_000)


def _seconds(text: str) -> int:
    """None are -1."""
    if not text:
        return -1
    total = 0
    for part in text.split(":"):
        total = total * 60 + int(part)
    return total
