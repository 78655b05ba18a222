"""A table's wires in the asyncio loop: its ports, its panels of buttons and their timers.

What the bytes mean is said by `wires`. No threshold knows how fast the injected clock runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Mapping

from msgspec import structs

from firmware_bridge.health import BridgeHealth
from firmware_bridge.link.messages import Command
from firmware_bridge.panel import Panel
from firmware_bridge.presence import Thresholds
from firmware_bridge.search import Search, serial_ports
from firmware_bridge.seat_lamps import Signal
from firmware_bridge.sensed import Edge, Press, Sensed
from firmware_bridge.taps import Tap
from firmware_bridge.transport import SerialTransport
from firmware_bridge.wires import Wires
from firmware_bridge.wiring import Wiring

__all__ = ["Bridge", "Wiring"]


class Bridge:
    """All ports of one table, and the panels of buttons on its own pins.

    `emit` gets every sensed value, `notice` one line in plain words whenever a link's state
    changes; an exception in either ends `run`. `clock` gives seconds, `sleep` waits for
    seconds on the same scale. `neighbours` defaults to the numbered rows of the zones. With
    `tick_every`, a Tick comes that often, in order with everything else. A device that is not
    at its own port is looked for by its id at those that `candidates` names. `taps` hear every
    scan and every press as it comes. Where `clock` runs `speed` times as fast as the host's own,
    links and presses may be so much later: it is the host that is late. What devices have kept of
    presses since `asleep_since`, before the start, counts. For `press`, `had` and `keep` see
    `Wires`.

    Raises ValueError if two wirings or panels name the same port, zone, button or lamp.
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
        speed: float = 1.0,
        panels: Collection[Panel] = (),
        candidates: Callable[[], Iterable[str]] = serial_ports,
        asleep_since: float | None = None,
        press: Callable[[Press, Edge], None] | None = None,
        had: Container[str] = frozenset(),
    ) -> None:
        self._panels = tuple(panels)
        self._notice = notice
        self._clock = clock
        self._sleep = sleep
        self._search = Search(candidates, clock)
        self._transports: list[SerialTransport] = []
        self._wires = Wires(
            wirings,
            emit,
            now=self.now(),
            make_port=self._make_port,
            search=self._search,
            registered=registered,
            notice=notice,
            neighbours=neighbours,
            thresholds=thresholds,
            tick_every=tick_every,
            speed=speed,
            buttons=[
                (button.seat, label)
                for panel in panels
                for button in panel.buttons
                for label in (button.press, button.long)
                if label
            ],
            asleep_since=asleep_since,
            press=press,
            had=had,
        )

    @property
    def wires(self) -> Wires:
        """What says what the bytes mean, for those who listen in on them."""
        return self._wires

    def now(self) -> float:
        """The time as it is told to the wires: to the microsecond, which a file can hold."""
        return round(self._clock(), 6)

    @property
    def taps(self) -> list[Tap]:
        """Who listens in."""
        return self._wires.taps

    async def run(self) -> None:
        """Serve all ports until cancelled. An exception in a callback ends it (in a group)."""
        async with asyncio.TaskGroup() as group:
            for transport in self._transports:
                group.create_task(transport.run(), name=f"port {transport.path}")
            for panel in self._panels:
                group.create_task(panel.run(self._pressed, self._notice), name="buttons")
            group.create_task(self._keep_time(), name="link timers")

    def command(self, port: str, command: Command) -> None:
        """Send a command to the device of `port`.

        A lamp and the scan cycle hold until they are changed, over losses and reboots. Raises
        KeyError, or QueueFullError.
        """
        self._wires.command(port, command)

    def keep(self, edge: Edge) -> None:
        """The press of this edge is kept: its device need not tell of it again."""
        self._wires.keep(edge)

    def light(self, signals: Mapping[int, Signal]) -> None:
        """From now on let each seat's lamp show its signal; a seat that is not named is dark."""
        self._wires.light(signals)

    def health(self) -> BridgeHealth:
        """Return how everything is at this moment."""
        now = self._wires.health()
        panels = tuple(panel.health() for panel in self._panels)
        return structs.replace(now, links=now.links + panels)

    def card_cycle_s(self) -> float | None:
        """The slowest scan cycle of the last minute of all devices that read cards, in seconds;
        None where none was measured."""
        return self._wires.card_cycle_s()

    def is_settled(self) -> bool:
        """Whether no tag has been read that would have to be read again to count."""
        return self._wires.is_settled()

    def is_at_rest(self) -> bool:
        """Whether no tag is coming or leaving."""
        return self._wires.is_at_rest()

    def present(self) -> dict[str, frozenset[str]]:
        """Return what lies in each zone all of whose readers work."""
        return self._wires.present()

    def _make_port(self, wiring: Wiring) -> SerialTransport:
        name = wiring.port

        def opened() -> None:
            self._search.opened(name, transport.open_path or name)
            self._wires.opened(name, self.now())

        def received(data: bytes) -> None:
            self._wires.received(name, data, self.now())

        def lost(text: str) -> None:
            self._search.closed(name)
            self._wires.lost(name, text, self.now())

        def choose() -> str | None:
            self._search.closed(name)
            return self._search.next(name, self._wires.device(name))

        transport = SerialTransport(
            name,
            on_open=opened,
            on_bytes=received,
            on_lost=lost,
            sleep=self._sleep,
            baud=wiring.baud,
            parity=wiring.parity,
            choose=choose,
        )
        self._transports.append(transport)
        return transport

    async def _keep_time(self) -> None:
        while True:
            self._wires.step(self.now())
            await self._sleep(self._wires.step_s)

    def _pressed(self, press: Press) -> None:
        """From a panel."""
        self._wires.pressed(press, self.now())
