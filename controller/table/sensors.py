"""Dealing by hand: the dealer turns the sensors off and on again, and the gap is on record.

While they are off no card that is read is passed on, and no hand is watched. What lies on the
table when they are turned on in mid-hand may be any card that was face down before: watching
begins once that hand is over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from controller.engine.engine import Engine
from controller.observations import Gone, Observation, Reader, Seen, Unwatched

SensorState = Literal["on", "off", "waiting"]
"""`waiting`: turned on again, once the hand in play is over."""


class Sensors:
    """What of the antennas reaches the engine of one table."""

    def __init__(
        self,
        state: SensorState,
        engine: Engine,
        zones: Sequence[str],
        objects: Collection[str],
        *,
        observe: Callable[[Observation], None],
        time: Callable[[], float],
        present: Callable[[], Mapping[str, Collection[str]]],
        lost: Callable[[], Collection[str]],
        turned: Callable[[SensorState], None],
        begin: Callable[[], None],
    ) -> None:
        """`state` is how it was left. `observe` takes observations and `time` gives their `t`;
        `present` is what lies in each zone that works and `lost` are those that don't. `turned`
        is told before anything follows from a change, and `begin` once watching may begin
        between two hands, with what lies there still to be told."""
        self.state = state
        self._engine = engine
        self._zones = zones
        self._objects = objects
        self._observe = observe
        self._time = time
        self._present = present
        self._lost = lost
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
                self._observe(Reader(self._time(), zone, "lost"))
        elif self._engine.hand is None:
            self._resume()
        else:
            self._change("waiting")
            self._hand = self._engine.hand
            self._observe(
                Unwatched(kind="dealer", t=self._time(), reason="sensors on from the next hand")
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
            self._observe(Unwatched(kind="dealer", t=self._time(), reason=why))

    def _resume(self) -> None:
        """Between hands everything that lies there is told. Where a riffle has begun the next
        hand, the cards on the table are being collected, and only other things are."""
        self._change("on")
        lost = self._lost()
        for zone in self._zones:
            if zone not in lost:
                self._observe(Reader(self._time(), zone, "ok"))
        if self._engine.hand is None:
            self._begin()
        lying = {(read.zone, read.tag) for read in self._engine.lying() if isinstance(read, Seen)}
        zones = self._present()
        present = {(zone, tag) for zone, tags in zones.items() for tag in tags}
        for zone, tag in sorted(lying - present):
            if zone in zones:
                self._observe(Gone(self._time(), zone, tag))
        for zone, tag in sorted(present - lying):
            if self._engine.hand is None or tag in self._objects:
                self._observe(Seen(self._time(), zone, tag))

    def _change(self, state: SensorState) -> None:
        self.state = state
        self._turned(state)
