"""The push buttons that hang on the table's computer itself: the thin shell around a board.

A board that is missing or stops answering is reported once in plain words and opened again every
half second, like a port.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from threading import Lock
from typing import Protocol

from msgspec import Struct

from firmware_bridge.debounce import Button, Debouncer, Timings
from firmware_bridge.health import LinkHealth
from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.link.values import SessionCounters
from firmware_bridge.sensed import Press

STEP_S = 0.01
REOPEN_EVERY_S = 0.5


class BoardError(Exception):
    """A board can't be used now; the text says why, in plain words."""


class Board(Protocol):
    """Where buttons hang. All three may block; none is called while another runs."""

    name: str
    sample_every_s: float

    def open(self, pins: Collection[int], changed: Callable[[int, bool], None]) -> None:
        """Make these pins inputs; `changed(pin, down)` is called from any thread. BoardError."""

    def read(self) -> dict[int, bool]:
        """Return which pins are down. Raises BoardError."""

    def close(self) -> None:
        """Give the pins back; nothing happens if they are not open."""


class PanelCounters(Struct, frozen=True, gc=False):
    """Contacts that bounced without a press, and boards lost."""

    bounced: int = 0
    losses: int = 0


class Panel:
    """The buttons of one board, as presses.

    `clock` gives seconds, `sleep` waits for seconds on the same scale.
    """

    def __init__(
        self,
        board: Board,
        buttons: Collection[Button],
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        timings: Timings | None = None,
    ) -> None:
        self.buttons = tuple(buttons)
        self._board = board
        self._clock = clock
        self._sleep = sleep
        self._debouncer = Debouncer(buttons, timings)
        self._lock = Lock()
        self._is_open = False
        self._text = "not opened yet"
        self._losses = 0

    @property
    def counters(self) -> PanelCounters:
        """The counters since the beginning."""
        return PanelCounters(self._debouncer.bounced, self._losses)

    def health(self) -> LinkHealth:
        """Return how it is, like a port."""
        return LinkHealth(
            port=self._board.name,
            state="up" if self._is_open else "closed",
            text=self._text,
            firmware="",
            boot_id=None,
            clock_error_s=0.0,
            dropped_bytes=0,
            decoder=DecoderCounters(),
            session=SessionCounters(losses=self._losses),
        )

    async def run(self, press: Callable[[Press], None], notice: Callable[[str], None]) -> None:
        """Keep the board open until cancelled."""
        pins = [button.pin for button in self.buttons]
        while True:
            try:
                await asyncio.to_thread(self._board.open, pins, self._changed)
                await self._serve(press, notice)
            except BoardError as error:
                self._losses += self._is_open
                self._is_open = False
                if str(error) != self._text:
                    self._text = str(error)
                    notice(self._text)
            finally:
                self._is_open = False
                self._board.close()
            await self._sleep(REOPEN_EVERY_S)

    async def _serve(self, press: Callable[[Press], None], notice: Callable[[str], None]) -> None:
        with self._lock:
            self._debouncer.forget()
        due = self._clock()
        while True:
            if self._clock() >= due:
                due = self._clock() + self._board.sample_every_s
                levels = await asyncio.to_thread(self._board.read)
                for pin, down in levels.items():
                    self._changed(pin, down)
                if not self._is_open:
                    self._is_open, self._text = True, ""
                    notice(f"{self._board.name} is up: {len(self.buttons)} buttons")
            with self._lock:
                presses = self._debouncer.check(self._clock())
            for each in presses:
                press(each)
            await self._sleep(STEP_S)

    def _changed(self, pin: int, down: bool) -> None:
        with self._lock:
            self._debouncer.level(pin, down, self._clock())
