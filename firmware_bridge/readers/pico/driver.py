"""The driver of a microcontroller: its frames and the host's side of its session."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.cycles import SlowestCycle
from firmware_bridge.link.frames import DecoderCounters, FrameDecoder
from firmware_bridge.link.messages import Command, Heartbeat, Hello
from firmware_bridge.link.session import LOST_AFTER_S, Session, State
from firmware_bridge.link.values import SessionCounters, Value
from firmware_bridge.listening import Heard


class LinkDriver:
    """A microcontroller: its frames and the host's side of its session."""

    step_s = 0.05
    trouble = ""

    def __init__(
        self, now: float, welcome: Callable[[Hello], bool], *, lost_after: float = LOST_AFTER_S
    ) -> None:
        self._decoder = FrameDecoder()
        self._session = Session(now, welcome=welcome, lost_after=lost_after)
        self._beat: Heartbeat | None = None
        self._slowest = SlowestCycle()

    @property
    def hello(self) -> Hello | None:
        """See `driver.Driver`."""
        return self._session.hello

    @property
    def state(self) -> State:
        """See Driver."""
        return self._session.state

    @property
    def decoder(self) -> DecoderCounters:
        """See Driver."""
        return self._decoder.counters

    @property
    def counters(self) -> SessionCounters:
        """See Driver."""
        return self._session.counters

    @property
    def clock_error(self) -> float:
        """See Driver."""
        return self._session.clock_error

    @property
    def cycle_s(self) -> float:
        """See Driver; as the device has measured it if it has told, else as it is set."""
        if self._session.heartbeat and self._session.heartbeat.cycle_us:
            return self._session.heartbeat.cycle_us / 1e6
        return self._session.hello.cycle_ms / 1e3 if self._session.hello else 0.0

    @property
    def slowest_cycle_s(self) -> float | None:
        """See Driver; by the device's own measure."""
        return self._slowest.seconds

    def restart(self, now: float) -> None:
        """See Driver."""
        self._decoder.reset()
        self._session.restart(now)
        self._slowest.forget()

    def receive(self, data: bytes, now: float) -> list[Value]:
        """See Driver."""
        values = self._session.receive(self._decoder.feed(data), now)
        beat = self._session.heartbeat
        if beat is not self._beat:
            self._beat = beat
            if beat is None:
                self._slowest.forget()
            elif beat.cycle_us:
                self._slowest.took(beat.cycle_us / 1e6, now)
        return values

    def poll(self, now: float) -> bytes:
        """See Driver."""
        return self._session.poll(now)

    def keep(self, edge: int) -> None:
        """See Driver."""
        self._session.keep(edge)

    def dropped(self, now: float, reason: str) -> list[Value]:
        """See Driver."""
        return self._session.dropped(now, reason)

    def listen(self, heard: Heard | None) -> None:
        """See Driver."""
        self._decoder.heard = heard

    def command(self, command: Command) -> None:
        """See Driver."""
        self._session.command(command)
