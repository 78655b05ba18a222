"""Dealing by hand: the dealer turns the sensors off and on again, and the gap is on record.

While they are off no card that is read is passed on, and no hand is watched. What lies on the
table when they are turned on in mid-hand may be any card that was face down before: watching
begins once that hand is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from controller.contract.observations import Gone, Observation, Reader, Seen, Table, Unwatched
from controller.engine.engine import Engine
from controller.table.telling import Telling
from firmware_bridge.bridge import Bridge

SensorState = Literal["on", "off", "waiting"]
"""`waiting`: turned on again, once the hand in play is over."""


class Sensors:
    """What of the antennas reaches the engine of one table."""

    def __init__(
        self,
        state: SensorState,
        engine: Engine,
        bridge: Bridge,
        telling: Telling,
        table: Table,
        *,
        turned: Callable[[SensorState], None],
        begin: Callable[[], None],
    ) -> None:
        """`state` is how it was left; of the `table` it needs zones and objects. `turned` is told
        before anything follows from a change, and `begin` once watching may begin between two
        hands, with what lies there still to be told."""
        self.state = state
        self._engine = engine
        self._bridge = bridge
        self._telling = telling
        self._zones = table.zones or ()
        self._objects = table.objects
        self._turned = turned
        self._begin = begin
        self._hand = engine.hand

    def passes(self, observation: Observation) -> bool:
        """Whether it is passed on. Buttons always are."""
        return self.state == "on" or not isinstance(observation, Seen | Gone | Reader)

    def turn(self, on: bool) -> None:
        """The dealer turns them on or off."""
        if on == (self.state != "off"):
            return
        if not on:
            self._change("off")
            self._stop_watching("sensors off")
            for zone in self._zones:
                self._telling.tell(Reader(self._telling.t(), zone, "lost"))
        elif self._engine.hand is None:
            self._resume()
        else:
            self._change("waiting")
            self._hand = self._engine.hand
            self._telling.tell(
                Unwatched(
                    kind="dealer", t=self._telling.t(), reason="sensors on from the next hand"
                )
            )

    def observed(self) -> None:
        """Something was observed: no hand is watched meanwhile, also after an `undo`."""
        if self.state == "on":
            return
        if self.state == "waiting" and self._engine.hand != self._hand:
            self._resume()
        else:
            self._stop_watching("sensors off")

    def _stop_watching(self, why: str) -> None:
        if self._engine.hand is not None and self._engine.sight().is_watched:
            self._telling.tell(Unwatched(kind="dealer", t=self._telling.t(), reason=why))

    def _resume(self) -> None:
        """Between hands everything that lies there is told. Where a riffle has begun the next
        hand, the cards on the table are being collected, and only other things are."""
        self._change("on")
        lost = self._bridge.health().lost_zones
        for zone in self._zones:
            if zone not in lost:
                self._telling.tell(Reader(self._telling.t(), zone, "ok"))
        if self._engine.hand is None:
            self._begin()
        lying = {(read.zone, read.tag) for read in self._engine.lying() if isinstance(read, Seen)}
        zones = self._bridge.present()
        present = {(zone, tag) for zone, tags in zones.items() for tag in tags}
        for zone, tag in sorted(lying - present):
            if zone in zones:
                self._telling.tell(Gone(self._telling.t(), zone, tag))
        for zone, tag in sorted(present - lying):
            if self._engine.hand is None or tag in self._objects:
                self._telling.tell(Seen(self._telling.t(), zone, tag))

    def _change(self, state: SensorState) -> None:
        self.state = state
        self._turned(state)
