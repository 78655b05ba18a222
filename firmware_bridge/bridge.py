"""From ports to sensed values: the thin asyncio shell around transport, session and presence.

Values are given out in the order of `t`, which never decreases (see `sequence`). No
threshold knows how fast the injected clock runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from math import inf
from typing import Any

from msgspec import Struct

from firmware_bridge.health import BridgeCounters, Health, LinkHealth
from firmware_bridge.link.frames import FrameDecoder
from firmware_bridge.link.messages import Command, Hello
from firmware_bridge.link.session import Session, State
from firmware_bridge.link.values import (
    ButtonEdge,
    Done,
    EdgesLost,
    Lost,
    Up,
    Value,
    VersionMismatch,
    ZoneScan,
)
from firmware_bridge.presence import Presence, Thresholds, rows
from firmware_bridge.sensed import Press, SeatButton, Sensed
from firmware_bridge.sequence import Sequence
from firmware_bridge.transport import SerialTransport

POLL_EVERY_S = 0.05
STALE_PRESS_S = 3.0
FIRST_CYCLE_S = 0.12
LONGEST_CYCLE_S = 1.0


class Wiring(Struct, frozen=True):
    """What hangs on one port: its zones and its buttons (seat, label), by the device's index."""

    port: str
    zones: tuple[str, ...]
    buttons: tuple[tuple[int, SeatButton], ...] = ()
    baud: int = 115200


class _Link:
    """One port with its codec and session."""

    def __init__(self, wiring: Wiring, transport: SerialTransport, now: float) -> None:
        self.wiring = wiring
        self.transport = transport
        self.decoder = FrameDecoder()
        self.session = Session(now)
        self.text = "not opened yet"

    def health(self) -> LinkHealth:
        hello = self.session.hello
        error = self.session.clock_error
        return LinkHealth(
            port=self.wiring.port,
            state=self.session.state.value if self.transport.is_open else "closed",
            text=self.text,
            firmware=hello.firmware if hello else "",
            boot_id=hello.boot_id if hello else None,
            clock_error_s=error if error < inf else None,
            dropped_bytes=self.transport.dropped,
            decoder=self.decoder.counters,
            session=self.session.counters,
        )

    def misfit(self, hello: Hello) -> str:
        """Return what of the wiring does not fit the device; empty if all does."""
        zones, buttons = len(self.wiring.zones), len(self.wiring.buttons)
        if (zones, buttons) == (hello.zones, hello.buttons):
            return ""
        return (
            f"{self.wiring.port} has {hello.zones} zones and {hello.buttons} buttons, "
            f"but {zones} and {buttons} are configured"
        )


class Bridge:
    """All ports of one table.

    `emit` gets every sensed value, `notice` one line in plain words whenever a link's state
    changes; an exception in either ends `run`. `clock` gives seconds, `sleep` waits for
    seconds on the same scale. `neighbours` defaults to the numbered rows of the zones. With
    `tick_every`, a Tick comes that often, in order with everything else.

    Raises ValueError if two wirings name the same port, zone or button.
    """

    def __init__(
        self,
        wirings: Collection[Wiring],
        emit: Callable[[Sensed], None],
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        registered: Callable[[str], bool],
        notice: Callable[[str], None],
        neighbours: Mapping[str, frozenset[str]] | None = None,
        thresholds: Thresholds | None = None,
        tick_every: float | None = None,
    ) -> None:
        zones = [zone for wiring in wirings for zone in wiring.zones]
        _refuse_doubles("port", [wiring.port for wiring in wirings])
        _refuse_doubles("zone", zones)
        _refuse_doubles("button", [b for wiring in wirings for b in wiring.buttons])
        self._emit = emit
        self._notice = notice
        self._clock = clock
        self._sleep = sleep
        self._tick_every = tick_every
        now = clock()
        self._presence = Presence(
            zones,
            start=now,
            neighbours=rows(zones) if neighbours is None else neighbours,
            registered=registered,
            thresholds=thresholds,
        )
        self._links = [self._make_link(wiring, now) for wiring in wirings]
        self._sequence = Sequence(now)
        self._last_tick = now
        self._counts = dict.fromkeys(("stale_presses", "unmapped", "incomplete", "failed"), 0)

    async def run(self) -> None:
        """Serve all ports until cancelled. An exception in a callback ends it (in a group)."""
        async with asyncio.TaskGroup() as group:
            for link in self._links:
                group.create_task(link.transport.run(), name=f"port {link.wiring.port}")
            group.create_task(self._keep_time(), name="link timers")

    def command(self, port: str, command: Command) -> None:
        """Send a command to the device on `port`. Raises KeyError, or QueueFullError."""
        for link in self._links:
            if link.wiring.port == port:
                link.session.command(command)
                return
        raise KeyError(port)

    def health(self) -> Health:
        """Return how everything is at this moment."""
        return Health(
            links=tuple(link.health() for link in self._links),
            lost_zones=self._presence.lost_zones(),
            cycle_s=self._cycle(),
            presence=self._presence.counters,
            counters=BridgeCounters(late=self._sequence.late, **self._counts),
        )

    def present(self) -> dict[str, frozenset[str]]:
        """Return what lies in each zone that is being read."""
        return self._presence.present()

    def _make_link(self, wiring: Wiring, now: float) -> _Link:
        def opened() -> None:
            link.decoder.reset()
            link.session.restart(self._clock())
            link.text = f"{wiring.port} is open, no device has answered yet"
            self._pump(link, b"")

        def received(data: bytes) -> None:
            self._pump(link, data)

        def lost(text: str) -> None:
            link.text = text
            self._notice(text)
            now = self._clock()
            self._take(link, link.session.dropped(now, text), now)
            self._release(now)

        transport = SerialTransport(
            wiring.port,
            on_open=opened,
            on_bytes=received,
            on_lost=lost,
            sleep=self._sleep,
            baud=wiring.baud,
        )
        link = _Link(wiring, transport, now)
        return link

    async def _keep_time(self) -> None:
        while True:
            for link in self._links:
                if link.transport.is_open:
                    self._pump(link, b"")
            now = self._clock()
            self._sequence.push(self._presence.check(now))
            self._release(now)
            self._tick(now)
            await self._sleep(POLL_EVERY_S)

    def _pump(self, link: _Link, data: bytes) -> None:
        """Bytes in, values and answers out."""
        now = self._clock()
        self._take(link, link.session.receive(link.decoder.feed(data), now), now)
        self._release(now)
        answer = link.session.poll(now)
        if answer:
            link.transport.write(answer)

    def _take(self, link: _Link, values: Iterable[Value], now: float) -> None:
        for value in values:
            match value:
                case ZoneScan():
                    self._scan(link, value)
                case ButtonEdge():
                    self._button(link, value, now)
                case Up():
                    self._up(link, value)
                case Lost():
                    if link.transport.is_open:
                        link.text = f"{link.wiring.port}: {value.reason}"
                        self._notice(link.text)
                    self._lose(link, value.t)
                case VersionMismatch():
                    link.text = f"{link.wiring.port}: {value.text}"
                    self._notice(link.text)
                case EdgesLost():
                    self._notice(f"{link.wiring.port}: {value.count} button edges were lost")
                case Done():
                    if value.outcome != "ok":
                        name = type(value.command).__name__
                        self._notice(f"{link.wiring.port}: {name} {value.outcome}, {value.text}")

    def _up(self, link: _Link, value: Up) -> None:
        if value.rebooted:
            self._lose(link, value.t)
        link.text = link.misfit(value.hello)
        again = "has rebooted" if value.rebooted else "is up"
        self._notice(link.text or f"{link.wiring.port} {again}: {value.hello.firmware}")

    def _lose(self, link: _Link, t: float) -> None:
        for zone in link.wiring.zones:
            self._sequence.push(self._presence.lost(zone, t))

    def _scan(self, link: _Link, scan: ZoneScan) -> None:
        if scan.zone >= len(link.wiring.zones):
            self._counts["unmapped"] += 1
        elif scan.failed:
            self._counts["failed"] += 1
        else:
            self._counts["incomplete"] += not scan.complete
            zone = link.wiring.zones[scan.zone]
            self._sequence.push(
                self._presence.scan(zone, scan.t, scan.tags, complete=scan.complete)
            )

    def _button(self, link: _Link, edge: ButtonEdge, now: float) -> None:
        if edge.button >= len(link.wiring.buttons):
            self._counts["unmapped"] += 1
        elif not edge.pressed:
            return
        elif now - edge.t > STALE_PRESS_S:
            self._counts["stale_presses"] += 1
        else:
            seat, button = link.wiring.buttons[edge.button]
            self._sequence.push([Press(edge.t, seat, button)])

    def _cycle(self) -> float:
        """Return the scan cycle of the slowest device, in seconds, a second at most."""
        cycles = [
            beat.cycle_us / 1e6 if (beat := link.session.heartbeat) else hello.cycle_ms / 1e3
            for link in self._links
            if link.session.state is State.UP and (hello := link.session.hello)
        ]
        return min(max(cycles, default=FIRST_CYCLE_S), LONGEST_CYCLE_S)

    def _release(self, now: float) -> None:
        for value in self._sequence.release(now, self._presence.unconfirmed(), self._cycle()):
            self._emit(value)

    def _tick(self, now: float) -> None:
        if self._tick_every is None or now - self._last_tick < self._tick_every:
            return
        tick = self._sequence.tick(now, self._presence.unconfirmed(), self._cycle())
        if tick:
            self._last_tick = now
            self._emit(tick)


def _refuse_doubles(what: str, names: list[Any]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{what} {name!r} is wired twice")
