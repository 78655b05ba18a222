"""One port with the driver of the device on it, and what is wanted of that device."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Protocol

from firmware_bridge.family import Setup
from firmware_bridge.health import LinkHealth
from firmware_bridge.link.messages import Hello, SetScan
from firmware_bridge.link.session import State
from firmware_bridge.orders import Orders
from firmware_bridge.wiring import Wiring


class Port(Protocol):
    """A serial port, as far as it concerns what hangs on it."""

    open_path: str | None
    dropped: int

    @property
    def is_open(self) -> bool:
        """Whether it is open now."""

    def write(self, data: bytes) -> None:
        """Send, or drop and count."""

    def release(self) -> None:
        """Close it and choose again; nothing is reported."""


class Attached:
    """One port with its driver."""

    def __init__(
        self,
        wiring: Wiring,
        port: Port,
        now: float,
        welcome: Callable[[Hello], bool],
        late: float,
    ) -> None:
        self.wiring = wiring
        self.port = port
        self.driver = wiring.family.driver(
            Setup(now, len(wiring.zones), wiring.address, welcome, late)
        )
        self.orders = Orders()
        if wiring.cycle_ms is not None:
            self.orders.want(SetScan(wiring.cycle_ms))
        self.device = wiring.id.upper()
        self.asking_since = now
        self.text = "not opened yet"
        self.heard: list[tuple[bytes, bool]] = []

    def hear(self, raw: bytes, intact: bool) -> None:
        """A decoder has done with these bytes."""
        self.heard.append((raw, intact))

    def health(self) -> LinkHealth:
        """Return how it is."""
        hello = self.driver.hello
        error = self.driver.clock_error
        trouble = self.driver.trouble
        return LinkHealth(
            port=self.wiring.port,
            state=self.driver.state.value if self.port.is_open else "closed",
            text=self.text or (trouble and f"{self.wiring.port}: {trouble}"),
            firmware=hello.firmware if hello else "",
            boot_id=hello.boot_id if hello else None,
            clock_error_s=error if error < inf else None,
            dropped_bytes=self.port.dropped,
            decoder=self.driver.decoder,
            session=self.driver.counters,
            path=self.port.open_path,
            device=self.device,
            cycle_s=self.cycle_s,
        )

    @property
    def cycle_s(self) -> float | None:
        """The slowest scan cycle of its antennas in the last minute; None where it has none, is not
        up, or none was measured."""
        if not self.wiring.zones or not self.port.is_open or self.driver.state is not State.UP:
            return None
        return self.driver.slowest_cycle_s

    def misfit(self, hello: Hello) -> str:
        """Return what of the wiring does not fit the device; empty if all does."""
        zones, buttons = len(self.wiring.zones), len(self.wiring.buttons)
        lamps = len(self.wiring.lamps)
        if (zones, buttons) != (hello.zones, hello.buttons):
            return (
                f"{self.wiring.port} has {hello.zones} zones and {hello.buttons} "
                f"buttons, but {zones} and {buttons} are configured"
            )
        if lamps > hello.lamps:
            return f"{self.wiring.port} has {hello.lamps} lamps, but {lamps} are configured"
        return ""
