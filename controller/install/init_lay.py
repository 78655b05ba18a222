"""Which antenna is which zone, by laying a card there; which button and lamp is whose.

A card may be read by the next antenna too, and is carried over others on its way: what counts is
where it is read most, and still.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeVar

from controller.install.init_ask import AnswersEndedError, Questions
from firmware_bridge.link.messages import Lamp
from firmware_bridge.link.values import ButtonEdge, Value, ZoneScan
from firmware_bridge.probe import Answer, Probe
from firmware_bridge.sensed import SeatButton

LAID_FOR_S = 0.8
"""From the first read on it is counted for so long where the card is read."""
HINT_AFTER_S = 15.0
STEP_S = 0.02
BLINK_MS = 250
STOP = "q"
BELL = "\a"
"""For whoever is at the far end of the table."""

T = TypeVar("T")


class Antenna(NamedTuple):
    """An antenna, or a button, of the device at `port`, by its index there."""

    port: str
    number: int


class Both(NamedTuple):
    """Two antennas read the card about equally well."""

    one: Antenna
    other: Antenna


class Watch:
    """Where a card was laid since `begin`. Pure; times are seconds."""

    def __init__(self) -> None:
        self._lying: dict[Antenna, frozenset[str]] = {}
        self._before: dict[Antenna, frozenset[str]] = {}
        self._reads: dict[Antenna, list[float]] = {}

    def begin(self) -> None:
        """What lies anywhere by now is not what is waited for, unless it is lifted."""
        self._before = dict(self._lying)
        self._reads.clear()

    def scan(self, antenna: Antenna, t: float, tags: Collection[str]) -> None:
        """An antenna was read, and these tags were there."""
        now = frozenset(tags)
        self._lying[antenna] = now
        before = self._before[antenna] = self._before.get(antenna, frozenset()) & now
        if now - before:
            self._reads.setdefault(antenna, []).append(t)

    def found(self, now: float) -> Antenna | Both | None:
        """Where the card lies, once that can be said."""
        if not self._reads or now - min(times[0] for times in self._reads.values()) < LAID_FOR_S:
            return None
        reads, self._reads = self._reads, {}
        still = [each for each in reads if self._lying[each] - self._before[each]]
        if not still:
            return None
        best, *others = sorted(still, key=lambda antenna: -len(reads[antenna]))
        if others and 2 * len(reads[others[0]]) > len(reads[best]):
            return Both(best, others[0])
        return best


class Bench:
    """The devices' wires, and a person at the keyboard beside them."""

    def __init__(self, asker: Questions, fd: int, clock: Callable[[], float]) -> None:
        """Lines are read from the terminal `fd`."""
        self._asker = asker
        self._fd = fd
        self._clock = clock
        self._watch = Watch()
        self._pressed: list[Antenna] = []
        self._wires: dict[str, Probe] = {}
        self._told: dict[str, str] = {}

    @asynccontextmanager
    async def opened(self, devices: Sequence[Answer]) -> AsyncIterator[None]:
        """While within, the devices are listened to."""
        for each in devices:
            self._wires[each.port] = Probe(
                each.port,
                each.manner,
                self._taker(each.port),
                clock=self._clock,
                zones=each.zones,
            )
        tasks = [asyncio.create_task(wire.run()) for wire in self._wires.values()]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            self._wires.clear()
            for end in ends:
                if isinstance(end, Exception):
                    raise end

    async def lay(self, zones: Sequence[str]) -> dict[Antenna, str] | None:
        """Have a card laid in each zone in turn; return what was found, None if that is given up.

        Raises AnswersEndedError.
        """
        found: dict[Antenna, str] = {}
        for zone in zones:
            where = await self._laid_on(zone, found)
            if isinstance(where, str):
                return None
            if where is not None:
                found[where] = zone
                self._asker.tell(f"  {zone}: {_antenna(where)}{BELL}")
        return found

    async def _laid_on(self, zone: str, found: Mapping[Antenna, str]) -> Antenna | str | None:
        """Where a card was laid for this zone; None: nowhere; a text: all is given up."""
        line = f"Lay any card on the antenna of {zone}"
        told = None
        self._watch.begin()
        while True:
            where: Antenna | Both | str | None = await self._wait(
                line, lambda: self._watch.found(self._clock())
            )
            if isinstance(where, Both):
                line = ""
                if where != told:
                    line = (
                        f"  {_antenna(where.one)} and {_antenna(where.other)} both "
                        f"read it: put it in the middle of {zone}"
                    )
                told = where
            elif isinstance(where, Antenna) and where in found:
                line = f"  That is {found[where]}'s: lay it on {zone}"
                self._watch.begin()
            else:
                return where

    async def press(
        self, seats: Sequence[int], labels: Sequence[SeatButton]
    ) -> dict[Antenna, tuple[int, SeatButton]] | None:
        """Have each seat's buttons pressed in turn; like `lay`."""
        found: dict[Antenna, tuple[int, SeatButton]] = {}
        for seat in seats:
            for label in labels:
                line = f"Seat {seat}: press {label}"
                while True:
                    self._pressed.clear()
                    which = await self._wait(line, self._one_pressed)
                    if which is None:
                        break
                    if isinstance(which, str):
                        return None
                    if which not in found:
                        found[which] = (seat, label)
                        self._asker.tell(f"  seat {seat} {label}: button {which.number + 1}{BELL}")
                        break
                    owner, name = found[which]
                    line = f"  That is seat {owner}'s {name}: press seat {seat}'s {label}"
        return found

    def _one_pressed(self) -> Antenna | None:
        return self._pressed.pop(0) if self._pressed else None

    async def light(
        self, devices: Sequence[Answer], seats: Sequence[int]
    ) -> dict[str, tuple[int, ...]]:
        """Light each lamp in turn and ask whose it is: the seats of each port's lamps. A lamp
        that is nobody's ends its row."""
        lit: dict[str, tuple[int, ...]] = {}
        for each in devices:
            row: list[int] = []
            for lamp in range(each.lamps):
                taken = {*row, *(seat for other in lit.values() for seat in other)}
                free = [seat for seat in seats if seat not in taken]
                if not free:
                    break
                self._wires[each.port].driver.command(Lamp(lamp, 64, 64, 48, BLINK_MS))
                seat = await self._whose(free)
                self._wires[each.port].driver.command(Lamp(lamp, 0, 0, 0))
                if seat is None:
                    break
                row.append(seat)
            lit[each.port] = tuple(row)
        return lit

    async def _whose(self, free: Sequence[int]) -> int | None:
        question = f"Whose lamp blinks? (Enter: seat {free[0]}; -: nobody's)"
        while True:
            text = await self._wait(question, lambda: None, all_typed=True)
            if text in {"", "-"}:
                return free[0] if text == "" else None
            if text is not None and text.isdecimal() and int(text) in free:
                return int(text)
            question = f"  One of {', '.join(map(str, free))}, or -"

    async def _wait(
        self, line: str, happened: Callable[[], T | None], *, all_typed: bool = False
    ) -> T | str | None:
        """What happened; None if it was skipped by Enter, a text if all is given up; with
        `all_typed` whatever is typed."""
        if line:
            keys = "" if all_typed else f" (Enter: there is none; {STOP}: stop)"
            self._asker.tell(f"{line}{keys}")
        loop = asyncio.get_running_loop()
        typed: list[str] = []

        def typing() -> None:
            typed.append(os.read(self._fd, 4096).decode("utf-8", "replace"))

        loop.add_reader(self._fd, typing)
        hint_at = self._clock() + HINT_AFTER_S
        try:
            while True:
                if typed:
                    if not typed[0]:
                        raise AnswersEndedError(line)
                    text = typed[0].strip().lower()
                    if all_typed:
                        return text
                    return STOP if text == STOP else None
                if (event := happened()) is not None:
                    return event
                self._tell_faults()
                if self._clock() > hint_at and not all_typed:
                    hint_at += HINT_AFTER_S
                    self._asker.tell("  Nothing yet. Lift it and try again.")
                await asyncio.sleep(STEP_S)
        finally:
            loop.remove_reader(self._fd)

    def _tell_faults(self) -> None:
        for port, wire in self._wires.items():
            if wire.fault != self._told.get(port, ""):
                self._told[port] = wire.fault
                self._asker.tell(f"  {wire.fault or f'{port} is back'}")

    def _taker(self, port: str) -> Callable[[Value], None]:
        def take(value: Value) -> None:
            match value:
                case ZoneScan(failed=False):
                    self._watch.scan(Antenna(port, value.zone), value.t, value.tags)
                case ButtonEdge(pressed=True):
                    self._pressed.append(Antenna(port, value.button))

        return take


def _antenna(antenna: Antenna) -> str:
    return f"antenna {antenna.number + 1} of {antenna.port}"
