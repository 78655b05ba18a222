"""The seats' lamps: whose turn it is, where something is wrong, and that the floor was called."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from controller.contract.events import Priority, RulingText
from controller.contract.view import FindingView, SeatView, TableView
from controller.table.lamps import signals
from firmware_bridge.seat_lamps import Signal, show
from tests.table.felt import SEATS, Felt, a_table, play_to_a_four_card_flop
from tests.waiting import until

TURN, ATTENTION, FLOOR, DARK = Signal.TURN, Signal.ATTENTION, Signal.FLOOR, Signal.DARK


def finding(number: int, *seats: int, priority: Priority = 2) -> FindingView:
    return FindingView(
        number, "exposed-card", "", priority, "seen", seats, (), RulingText("x", "floor", (), ()), 0
    )


def test_what_the_lamps_show() -> None:
    seats = tuple(SeatView(seat) for seat in SEATS)
    at_rest = TableView(table="T", rulebook="roberts", seats=seats)
    turn = TableView(table="T", rulebook="roberts", seats=seats, to_act=2)
    assert signals(at_rest) == {}
    assert signals(turn) == {2: TURN}
    for_the_record = TableView(
        table="T", rulebook="roberts", to_act=2, findings=(finding(1, 2, priority=3),)
    )
    assert signals(for_the_record) == {2: TURN}
    wrong = TableView(
        table="T", rulebook="roberts", seats=seats, to_act=2, findings=(finding(1, 2, 3),)
    )
    assert signals(wrong) == {2: ATTENTION, 3: ATTENTION}
    called = TableView(
        table="T", rulebook="roberts", to_act=1, findings=(finding(1, 3),), floor="called"
    )
    assert signals(called) == {1: TURN, 3: FLOOR}
    asked = TableView(table="T", rulebook="roberts", seats=seats, to_act=1, floor="coming")
    assert signals(asked) == {1: FLOOR, 2: FLOOR, 3: FLOOR}


def shows(felt: Felt, *expected: Signal) -> bool:
    wanted = [show(lamp, signal) for lamp, signal in enumerate(expected)]
    return felt.virtual.device.lamps == wanted


def test_a_table_lights_its_seats(tmp_path: Path) -> None:
    asyncio.run(_lights(tmp_path))


async def _lights(folder: Path) -> None:
    async with a_table(folder) as (felt, _, _):
        await felt.deal()
        await until(partial(shows, felt, DARK, DARK, TURN))
        felt.virtual.press(3, "call")
        await until(partial(shows, felt, TURN, DARK, DARK))
        felt.virtual.reboot()
        await until(partial(shows, felt, TURN, DARK, DARK))
        await felt.enter(kind="dealer", input="call-floor")
        await until(partial(shows, felt, FLOOR, FLOOR, FLOOR))


def test_a_finding_of_the_board_leaves_the_seats_alone(tmp_path: Path) -> None:
    asyncio.run(_board(tmp_path))


async def _board(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        await until(partial(shows, felt, DARK, DARK, DARK))
