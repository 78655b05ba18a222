"""`python -m firmware_bridge.trial.cycles`: how long a Pico's scan cycle is, by simulated time.

Each row is a board with cards on its antennas, scanned as fast as it goes. What is charged, and
what is only estimated, says pace.py.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from firmware_bridge.link.frames import FrameDecoder
from firmware_bridge.link.messages import Heartbeat, Message, Zone, ZoneFlag, from_frame
from firmware_bridge.pico.sim.pace import Pace
from firmware_bridge.pico.sim.pico import SimulatedPico, interpreter

BEATS = 4
"""Seconds of simulated time that a row is about, of which the first is not counted."""
PATIENCE_S = 300.0
_PINS = ((17, 20, 21), (22, 26, 27), (13, 14, 15), (2, 3, 4), (5, 6, 7), (8, 9, 10))
_IRQS = (1, 11, 12)


class Case(Struct, frozen=True):
    """A board: how many cards on each of its antennas, which are neighbours, what differs."""

    board: str
    cards: tuple[int, ...]
    neighbours: tuple[tuple[int, int], ...] = ()
    spi_hz: int = 1_000_000
    irq: bool = False
    visit_ms: int = 60
    cycle_ms: int = 20
    """As fast as it goes, unless it is a longer one."""

    @property
    def what_differs(self) -> str:
        """In words; the shipped wiring where nothing does."""
        words = ["IRQ wired"] if self.irq else []
        if self.spi_hz != 1_000_000:
            words.append(f"SPI_HZ = {self.spi_hz}")
        if self.cycle_ms != 20:
            words.append(f"CYCLE_MS = {self.cycle_ms}")
        if self.visit_ms != 60:
            words.append(f"VISIT_MS = {self.visit_ms}")
        return ", ".join(words)


class Figures(Struct, frozen=True):
    """What was measured: the slowest cycle, and how long the slowest set took that was read whole:
    of tags that the firmware had not read before, and of the same again."""

    board: str
    cards: tuple[int, ...]
    differs: str
    cycle_ms: float
    set_ms: float
    again_ms: float


ROW = ((0, 1), (1, 2))
E_NEIGHBOURS = ((0, 1), (1, 2), (2, 3), (3, 4), (0, 2), (1, 3), (2, 4), (4, 5))
CASES = (
    Case("one seat", (0,)),
    Case("one seat", (2,)),
    Case("one seat", (4,)),
    Case("A: three seats", (0, 0, 0), ROW),
    Case("A: three seats", (1, 1, 1), ROW),
    Case("A: three seats", (2, 2, 2), ROW),
    Case("A: three seats", (2, 2, 2), ROW, irq=True),
    Case("A: three seats", (2, 2, 2), ROW, spi_hz=250_000),
    Case("A: three seats", (2, 2, 2), ROW, spi_hz=4_000_000),
    Case("E: board and burn", (0, 0, 0, 0, 0, 0), E_NEIGHBOURS),
    Case("E: board and burn", (1, 1, 1, 1, 1, 3), E_NEIGHBOURS),
    Case("D: seat, muck, stub", (2, 20, 30), ROW),
    Case("D: seat, muck, stub", (2, 20, 30), ROW, irq=True),
    Case("D: seat, muck, stub", (2, 20, 30), ROW, visit_ms=0),
    Case("D: seat, muck, stub", (2, 20, 30), ROW, cycle_ms=280),
    Case("D: seat, muck, stub", (2, 10, 40), ROW, cycle_ms=280),
    Case("D: seat, muck, stub", (2, 0, 48), ROW, cycle_ms=280),
    Case("muck and stub alone", (20, 30), ((0, 1),), visit_ms=0),
    Case("muck and stub alone", (0, 48), ((0, 1),), visit_ms=0),
)


def wiring(case: Case) -> str:
    """Return the wiring.py of a case."""
    readers: list[dict[str, Any]] = []
    for number in range(len(case.cards)):
        nss, busy, reset = _PINS[number]
        reader: dict[str, Any] = {"chip": "PN5180", "nss": nss, "busy": busy, "reset": reset}
        readers.append({**reader, "irq": _IRQS[number]} if case.irq else reader)
    names = {
        "SPI": (0, 18, 19, 16),
        "SPI_HZ": case.spi_hz,
        "READERS": tuple(readers),
        "ZONES": tuple((number, 0) for number in range(len(case.cards))),
        "NEIGHBOURS": case.neighbours,
        "BORDERS": (),
        "CYCLE_MS": case.cycle_ms,
        "VISIT_MS": case.visit_ms,
        "BUTTONS": (),
        "LAMPS": (0, 0),
    }
    return "".join(f"{name} = {value!r}\n" for name, value in names.items())


def measure(case: Case, pace: Pace | None = None) -> Figures:
    """Run a case; raises TimeoutError if the firmware does not get on, or failed."""
    dice = Random(1)  # noqa: S311 - repeatable, and no secret
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "wiring.py"
        file.write_text(wiring(case), "utf-8")
        simulated = SimulatedPico(file, pace=pace or Pace())
        for zone, cards in enumerate(case.cards):
            for _ in range(cards):
                simulated.air.place(zone, f"E004015{dice.getrandbits(36):09X}")
        with simulated as pico:
            beats, sets = _listen(pico)
    return Figures(
        board=case.board,
        cards=case.cards,
        differs=case.what_differs,
        cycle_ms=max(beat.cycle_us for beat in beats) / 1000,
        set_ms=max(took[0] for took in sets.values()) / 1000,
        again_ms=max(max(took[1:]) for took in sets.values()) / 1000,
    )


def _listen(pico: SimulatedPico) -> tuple[list[Heartbeat], dict[int, list[int]]]:
    """Return the heartbeats after the first, and how long each set of each zone took."""
    beats: list[Heartbeat] = []
    sets: dict[int, list[int]] = {}
    for message in _messages(pico):
        match message:
            case Heartbeat() if message.reader_faults:
                raise TimeoutError("a reader failed")
            case Heartbeat() if message.uptime_s:
                beats.append(message)
                if len(beats) == BEATS:
                    break
            case Zone() if message.tally and not message.part:
                if message.flags & ZoneFlag.INCOMPLETE:
                    raise TimeoutError(f"zone {message.zone} is not read whole in time")
                sets.setdefault(message.zone, []).append(message.tally.took_us)
    return beats[1:], sets


def _messages(pico: SimulatedPico) -> Iterator[Message]:
    """Listen, and say nothing, so that nothing but its antennas takes the firmware's time."""
    decoder = FrameDecoder()
    end = time.monotonic() + PATIENCE_S
    line = os.open(pico.port, os.O_RDONLY | os.O_NOCTTY)
    try:
        while not pico.crashes and time.monotonic() < end:
            readable, _, _ = select.select([line], [], [], 0.1)
            for frame in decoder.feed(os.read(line, 4096) if readable else b""):
                yield from_frame(frame)
    finally:
        os.close(line)
    raise TimeoutError(f"the firmware does not get on: {pico.crashes}")


def table(figures: list[Figures]) -> str:
    """Return the figures as a table."""
    rows = [
        "| board | cards | differs | cycle | a whole set | the same again |",
        "|---|---|---|---|---|---|",
    ]
    for row in figures:
        cards = " + ".join(str(number) for number in row.cards)
        rows.append(
            f"| {row.board} | {cards} | {row.differs} "
            f"| {row.cycle_ms:.0f} ms | {row.set_ms:.0f} ms | {row.again_ms:.0f} ms |"
        )
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return 1 if the firmware did not get on."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware_bridge.trial.cycles", description=__doc__
    )
    parser.add_argument("--json", action="store_true", help="one line for each row")
    parser.add_argument("--board", help="only the boards whose name begins so")
    given = parser.parse_args(arguments)
    if interpreter() is None:
        sys.stderr.write("MicroPython's unix port is not installed: ./run test installs it\n")
        return 2
    cases = [case for case in CASES if case.board.startswith(given.board or "")]
    if not cases:
        names: Mapping[str, None] = dict.fromkeys(case.board for case in CASES)
        sys.stderr.write(f"no board {given.board!r}; there are: {', '.join(names)}\n")
        return 2
    figures: list[Figures] = []
    try:
        for case in cases:
            figures.append(measure(case))
            if given.json:
                sys.stdout.write(msgspec.json.encode(figures[-1]).decode() + "\n")
                sys.stdout.flush()
    except TimeoutError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    if not given.json:
        sys.stdout.write(table(figures) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
