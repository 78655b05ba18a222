"""What is sensed and entered at a table, from the moment on when watching begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial

from controller.contract.observations import Gone, Observation
from controller.engine.engine import Engine
from controller.table.clock import TableClock
from controller.table.floor_here import FloorHere
from controller.table.sensors import Sensors
from controller.table.set_up import SetUp
from controller.table.telling import Telling
from firmware_bridge.bridge import Bridge
from firmware_bridge.sensed import Sensed

INVENTORY_S = 3.0
"""How long after a start every antenna has told what lies on it."""
LOOK_S = 0.1


class Watching:
    """Tells what passes the sensors. What lies there when watching begins between two hands is
    looked at as a whole first: until then everything waits."""

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
    ) -> None:
        """`zones` are all that there are; `floor` is told of badges."""
        self._telling = telling
        self._engine = engine
        self._bridge = bridge
        self._sensors = sensors
        self._set_up = set_up
        self._floor = floor
        self._clock = clock
        self._zones = frozenset(zones)
        self._held: list[Callable[[], None]] | None = [] if engine.hand is None else None

    def sensed(self, sensed: Sensed) -> None:
        """Told by the bridge. A badge signs nobody in that has been lying there since before the
        start."""
        if self._held is None:
            self._floor.saw(sensed)
        if not self._sensors.passes(sensed):
            return
        if self._held is None:
            self._hear(sensed, by_bridge=True)
        else:
            self._held.append(partial(self._hear, sensed, by_bridge=True))

    def entered(self, observation: Observation, command: str | None = None) -> None:
        """Told by anybody else; `command` is the id of the command that it came from."""
        if self._held is None:
            self._hear(observation, command)
        else:
            self._held.append(partial(self._hear, observation, command))

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
        while time.monotonic() < until and (before or not self._all_read()):
            await self._clock.sleep(LOOK_S)
        self._let_in()
        present = self._bridge.present()
        for seen in before if self._sensors.state == "on" else ():
            if seen.zone in present and seen.tag not in present[seen.zone]:
                self.entered(Gone(self._telling.t(), seen.zone, seen.tag))

    def _let_in(self) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        if self._sensors.state == "on":
            self._set_up.begin()
        for tell in held:
            tell()
        self._sensors.observed()

    def _all_read(self) -> bool:
        return self._zones <= self._bridge.present().keys() and self._bridge.is_settled()

    def _hear(
        self, observation: Observation, command: str | None = None, *, by_bridge: bool = False
    ) -> None:
        self._telling.tell(observation, command, by_bridge=by_bridge)
        self._sensors.observed()
