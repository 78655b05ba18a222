"""The window in which two arrivals have no order follows the slowest measured scan cycle."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.contract.observations import Timing, TimingChange, decode
from controller.storage.journal import Journal
from controller.table.order_window import HANDS, OrderWindow, window_for
from tests.table.felt import Felt, Room, a_table
from tests.waiting import until


@pytest.mark.parametrize(
    ("cycle_s", "window_s"),
    [
        (0.02, 0.2),  # never below two tenths
        (0.1, 0.2),
        (0.12, 0.3),  # twice 0.12, and no window is narrower than what was measured
        (0.2, 0.4),
        (0.35, 0.7),
        (0.351, 0.8),
        (1.0, 2.0),
        (30.0, 2.0),  # never above twice what the bridge waits for
    ],
)
def test_it_is_twice_the_cycle_in_tenths_within_bounds(cycle_s: float, window_s: float) -> None:
    assert window_for(cycle_s) == window_s


def hands(window: OrderWindow, numbers: range, cycle_s: float | None) -> None:
    """Each is played with this cycle, and before it and after it there is a faster one."""
    for number in numbers:
        for hand, measured in ((None, 0.1), (number, cycle_s), (None, 0.1)):
            window.heard(measured, hand)


def test_without_a_measured_cycle_nothing_changes() -> None:
    window = OrderWindow()
    for hand in (None, 1, None, 2):
        window.heard(None, hand)
        assert (window.after(0.4), window.cycle_s) == (0.4, None)


def test_a_slower_cycle_widens_it_for_the_very_next_hand() -> None:
    window = OrderWindow()
    window.heard(0.33, 1)
    assert window.after(0.4) == 0.7
    window.heard(0.34, 1)
    assert window.after(0.7) == 0.7
    window.heard(0.2, None)
    assert window.after(0.7) == 0.7


def test_it_is_narrowed_only_after_ten_clearly_faster_hands() -> None:
    window = OrderWindow()
    hands(window, range(1, 2), 0.45)
    window_s = window.after(0.4)
    assert window_s == 0.9
    for number in range(2, 2 + HANDS):
        hands(window, range(number, number + 1), 0.2)
        window.heard(0.1, None)
        window_s = window.after(window_s)
        assert window_s == (0.9 if number < 1 + HANDS else 0.4)
    hands(window, range(20, 20 + HANDS), 0.17)  # 0.4 s: not clearly less
    assert window.after(0.4) == 0.4


def test_an_empty_table_does_not_narrow_it() -> None:
    """Cards make a cycle longer: before the first hand nobody knows how long."""
    window = OrderWindow()
    for _ in range(1000):
        window.heard(0.1, None)
    assert window.after(0.4) == 0.4


def _windows(felt: Felt) -> list[float]:
    """As the journal has them, from its last checkpoint on; the table may be running."""
    copy = felt.folder / "copy.sqlite"
    of_table = f"{(felt.folder / 'journal.sqlite').as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(of_table, uri=True)) as there,
        closing(sqlite3.connect(copy)) as here,
    ):
        there.backup(here)
    journal = Journal.open(copy, report=lambda _: None)
    try:
        kept, lines = journal.since_checkpoint()
        told = [decode(json.dumps(json.loads(line)["o"]).encode()) for line in lines]
        first = [] if kept is None else [json.loads(kept)["state"]["table"]]
        of_state = [each.get("timing", {}).get("order_window", 0.4) for each in first]
        return [*of_state, *(o.order_window for o in told if isinstance(o, TimingChange))]
    finally:
        journal.close()


def test_a_table_follows_its_boards_cycle_and_keeps_it_over_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_table(tmp_path) as (felt, room, _):
            await until(lambda: (room.last("T1/$state") or {}).get("state") == "ready")
            felt.virtual.device.measured_us = 330_000
            await until(lambda: _changes(felt))
            await until(lambda: _cycles(room) == [330])
            await until(lambda: _windows(felt) == [Timing().order_window, 0.7])
            await felt.kill()
            felt.virtual.device.measured_us = 0
            await felt.start()
            await until(lambda: (room.last("T1/$state") or {}).get("state") == "ready")
            await until(lambda: _cycles(room) == [None])
            await felt.enter(kind="riffle")
            await felt.shows(phase="deal")
            await felt.kill()
            assert _windows(felt)[-1] == 0.7
            assert len(_changes(felt)) == 1

    asyncio.run(scenario())


def _changes(felt: Felt) -> list[str]:
    return [line for line in felt.said() if "order_window is" in line]


def _cycles(room: Room) -> list[int | None]:
    return [wire.get("cycle_ms") for wire in (room.last("T1/health") or {}).get("wires", ())]
