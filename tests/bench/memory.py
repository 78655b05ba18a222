"""Whether the engine's memory stays flat over a very long evening."""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from controller.contract.events import Event
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.bench.evening import Evening
from tests.bench.figures import Figure

TRACED = 1000
"""Hands between the two looks at what Python has allocated."""
SMALLEST = 16.0
"""Bytes of the smallest object that could be kept of every hand; less than that is the
interpreter's own lists of free objects filling up."""
SAMPLES = 100

Progress = Callable[[int], None]


class _Table:
    """An engine and the evening that is played at it."""

    def __init__(self, library: Library) -> None:
        self._engine = Engine(library.book)
        self._evening = Evening(seed=1)
        self._engine.observe(self._evening.table())
        self.hands = 0
        self.told: Counter[type[Event]] = Counter()

    def play(self, hands: int) -> None:
        """Plays so many more hands."""
        for number in range(self.hands, self.hands + hands):
            for observation in self._evening.hand(number):
                self._evening.said = self._engine.observe(observation)
                self.told.update(map(type, self._evening.said))
        self.hands += hands


def measure(library: Library, hands: int, progress: Progress) -> list[Figure]:
    """Plays `hands` hands at one table; `progress` is told how many are done."""
    per_hand = _allocated_per_hand(library)
    table = _Table(library)
    step = max(1, hands // SAMPLES)
    sizes: list[float] = []
    while table.hands < hands:
        table.play(min(step, hands - table.hands))
        gc.collect()
        sizes.append(resident_kib())
        progress(table.hands)
    settled = sizes[len(sizes) // 10 :]
    return [
        Figure(
            f"engine, memory kept per hand (over {TRACED:,} hands)", per_hand, "bytes", SMALLEST
        ),
        Figure(f"engine, resident size after {hands:,} hands", sizes[-1] / 1024, "MiB"),
        Figure(
            f"engine, growth of the resident size over the last nine tenths of {hands:,} hands",
            settled[-1] - settled[0],
            "KiB",
            256.0,
        ),
    ]


def resident_kib() -> float:
    """This process's resident set in KiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024


def _allocated_per_hand(library: Library) -> float:
    tracemalloc.start()
    table = _Table(library)
    table.play(TRACED)
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    table.play(TRACED)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / TRACED
