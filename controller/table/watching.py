"""What is sensed and entered at a table, from the moment on when watching begins.

Where nobody has watched for a while, after a restart or a stall, everything waits until every
antenna has told what lies on it; then the gap is told, and all of it after that.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from functools import partial

from controller.contract.observations import Gap, Gone, Observation
from controller.engine.engine import Engine
from controller.table.alive import Missed, Why
from controller.table.clock import TableClock
from controller.table.floor_here import FloorHere
from controller.table.sensors import Sensors
from controller.table.set_up import SetUp
from controller.table.telling import Telling
from firmware_bridge.attention import STALL_S
from firmware_bridge.bridge import Bridge
from firmware_bridge.sensed import Sensed

INVENTORY_S = 3.0
"""How long after a start every antenna has told what lies on it."""
LOOK_S = 0.1


class Watching:
    """Tells what passes the sensors. `missed` is the gap in the hand that runs, or between the two
    hands that it is now, if there was one."""

    def __init__(
        self,
        telling: Telling,
        *,
        engine: Engine,
        bridge: Bridge,
        sensors: Sensors,
        set_up: SetUp,
        floor: FloorHere,
        clock: TableClock,
        zones: Iterable[str],
        watched_until: float | None,
        is_dated: bool,
        healed: Callable[[], tuple[float, Why] | None],
        say: Callable[[str], None],
    ) -> None:
        """`zones` are all that there are; `floor` is told of badges. `watched_until` is the `t`
        until which the table was watched before a restart, if it was, and `is_dated` where it is
        known how long ago that was; `healed` says since when
        nothing could be recorded that can be again. `say` tells the log a line."""
        self.missed: Missed | None = None
        self._telling = telling
        self._engine = engine
        self._bridge = bridge
        self._sensors = sensors
        self._set_up = set_up
        self._floor = floor
        self._clock = clock
        self._zones = frozenset(zones)
        self._healed = healed
        self._say = say
        self._held: list[Callable[[], None]] | None = []
        self._gap: tuple[float, Why] | None = None
        if watched_until is not None:
            self._gap = watched_until, "restart"
        self._is_dated = is_dated
        self._awake_at = clock.now()
        self._counting: asyncio.Task[None] | None = None

    def sensed(self, sensed: Sensed, origin: str | None = None) -> None:
        """Told by the bridge; `origin` is what would tell it again. A badge signs nobody in that
        has been lying there since before the start."""
        self._mind_the_time()
        if self._held is None:
            self._floor.saw(sensed)
        if not self._sensors.passes(sensed):
            return
        if self._held is None:
            self._hear(sensed, origin, by_bridge=True)
        else:
            self._held.append(partial(self._hear, sensed, origin, by_bridge=True))

    def entered(self, observation: Observation, origin: str | None = None) -> None:
        """Told by anybody else; `origin` is what would tell it again."""
        self._mind_the_time()
        if self._held is None:
            self._hear(observation, origin)
        else:
            self._held.append(partial(self._hear, observation, origin))

    def after(self, then: Callable[[], None]) -> None:
        """Calls `then` once all that was entered before is told and kept."""
        follows = partial(self._telling.service.after, then)
        if self._held is None:
            follows()
        else:
            self._held.append(follows)

    @property
    def is_holding(self) -> bool:
        """Whether something may be sensed or entered that is not told yet."""
        return self._held is not None

    def turn_sensors(self, on: bool) -> bool:
        """The dealer turns the sensors on or off; False before watching begins."""
        if self._held is not None:
            return False
        self._sensors.turn(on)
        return True

    async def begin(self) -> None:
        """Returns once watching has begun: every antenna has told what lies on it, or can't.

        What the engine thinks lies on the table and no antenna tells of has left in the meantime.
        """
        before = self._engine.lying()
        until = time.monotonic() + INVENTORY_S / self._clock.speed
        is_open = self._engine.hand is not None
        while time.monotonic() < until and ((before and not is_open) or not self._all_read()):
            await self._clock.sleep(LOOK_S)
        self._let_in()
        while is_open and before and time.monotonic() < until:
            await self._clock.sleep(LOOK_S)
        present = self._bridge.present()
        for seen in before if self._sensors.state == "on" else ():
            if seen.zone in present and seen.tag not in present[seen.zone]:
                self.entered(Gone(self._telling.t(), seen.zone, seen.tag))

    def _mind_the_time(self) -> None:
        """Nothing has been heard for so long that this process must have stood still."""
        before, self._awake_at = self._awake_at, self._clock.now()
        if self._held is not None:
            return
        if self._awake_at - before > STALL_S * self._clock.speed:
            self._gap = before, "stall"
        else:
            self._gap = self._healed()
        if self._gap is not None:
            self._held = []
            self._counting = asyncio.get_running_loop().create_task(self.begin())

    def _let_in(self) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        gap, self._gap = self._gap, None
        if gap is not None:
            self._tell_gap(*gap)
        if self._sensors.state == "on" and self._engine.hand is None:
            self._set_up.begin()
        for tell in held:
            tell()
        self._sensors.observed()

    def _tell_gap(self, since: float, why: Why) -> None:
        t, now = self._telling.t(), time.time()
        since = min(since, t)
        away = (self._clock.now() - since) / self._clock.speed
        dated = away > 0 and (why != "restart" or self._is_dated)
        began = now - away if dated else None
        self._telling.tell(Gap(t=t, since=since, why=why))
        self.missed = Missed(why, self._engine.hand, began, now)
        self._say(self.missed.words)

    def _all_read(self) -> bool:
        return self._zones <= self._bridge.present().keys() and self._bridge.is_settled()

    def _hear(
        self, observation: Observation, origin: str | None = None, *, by_bridge: bool = False
    ) -> None:
        self._telling.tell(observation, origin, by_bridge=by_bridge)
        if self.missed is not None and self.missed.hand != self._engine.hand:
            self.missed = None
        self._sensors.observed()
