"""The register and a real table: who sits there by the room is who is dealt in by the table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.broker.own import find_mosquitto
from controller.contract.cards import CARDS
from controller.room.seating import SeatDiffers, TableSeating
from tests.table.felt import Felt, Room, a_table, pause
from tests.waiting import until
from tests.web.hall import EVENING, Hall

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


def seating(hall: Hall) -> TableSeating | None:
    """How far the table is; None before the room has heard of what was asked."""
    return next(iter(hall.room.view().seating), None)


def differs(hall: Hall) -> tuple[SeatDiffers, ...]:
    now = seating(hall)
    return () if now is None else now.differs


async def asks(hall: Hall, name: str, /, **fields: object) -> None:
    await asyncio.to_thread(hall.do, lambda: hall.room.act(name, {"actor": "Ali", **fields}))


async def is_so(hall: Hall, state: str) -> None:
    await until(lambda: (now := seating(hall)) is not None and now.state == state)


async def last_start(room: Room, number: int = 1) -> dict[int, int | None]:
    """Who was dealt in last, in so many hands, and with what."""
    starts = await until(lambda: there if len(there := room.events("start")) >= number else None)
    assert starts is not None
    return {one["seat"]: one.get("stack") for one in starts[-1]["seats"]}


async def a_walk(felt: Felt) -> None:
    """The button and the small blind fold, and all cards are collected."""
    for seat in (3, 1):
        await felt.shows(to_act=seat)
        felt.virtual.press(seat, "fold")
    await felt.shows(phase="complete")
    for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
        felt.virtual.take(f"seat/{seat}", felt.tags[card])
    await pause(3)


async def _evening(hall: Hall, felt: Felt, room: Room) -> None:
    await asks(hall, "tables", tables=[{"table": "T1", "seats": 3}])
    await asks(hall, "tournament", starting_stack=2_500)
    for seat, name in enumerate(("Ann", "Bob", "Cy"), 1):
        await asks(hall, "enter", name=name, table="T1", seat=seat)
    await is_so(hall, "pending")

    await felt.deal()
    await is_so(hall, "taken")
    assert await last_start(room) == {1: 2_500, 2: 2_500, 3: 2_500}
    assert differs(hall) == ()

    await a_walk(felt)
    await asks(hall, "stand", player="p3")
    await is_so(hall, "pending")
    await felt.enter(kind="riffle")
    await felt.shows(phase="deal")
    await is_so(hall, "taken")
    assert set(await last_start(room, 2)) == {1, 2}
    assert differs(hall) == ()
    assert room.events("finding") == []


async def _dealer_knows_better(hall: Hall, felt: Felt, room: Room) -> None:
    """The dealer says at the table that seat 3 is empty; the room finds that it differs."""
    await asks(hall, "tables", tables=[{"table": "T1", "seats": 3}])
    for seat, name in enumerate(("Ann", "Bob", "Cy"), 1):
        await asks(hall, "enter", name=name, table="T1", seat=seat)
    await is_so(hall, "pending")
    await felt.enter(kind="seat", seat=3, status="empty")
    await felt.enter(kind="riffle")
    await felt.shows(phase="deal")
    await until(lambda: differs(hall) == (SeatDiffers(3, "Cy"),))
    assert set(await last_start(room)) == {1, 2}
    await asks(hall, "tell-seats", table="T1")
    await is_so(hall, "pending")
    await felt.enter(kind="dealer", input="misdeal")
    await felt.enter(kind="seat", seat=3, status="seated")


async def _a_player_goes_and_comes_back(hall: Hall, felt: Felt, room: Room) -> None:
    """The dealer says so at the table, and nobody at the desk has to."""

    def status() -> str:
        return hall.room.view().register.by_id["p3"].status

    await asks(hall, "tables", tables=[{"table": "T1", "seats": 3}])
    for seat, name in enumerate(("Ann", "Bob", "Cy"), 1):
        await asks(hall, "enter", name=name, table="T1", seat=seat)
    await is_so(hall, "pending")
    await felt.deal()
    await is_so(hall, "taken")
    await felt.enter(kind="seat", seat=3, status="absent")
    await until(lambda: status() == "absent")
    await felt.enter(kind="seat", seat=3, status="present")
    await until(lambda: status() == "seated")
    assert room.events("finding") == []


@pytest.mark.parametrize("evening", [_evening, _dealer_knows_better, _a_player_goes_and_comes_back])
def test_who_sits_there_by_the_register_is_dealt_in(tmp_path: Path, evening: object) -> None:
    async def everything() -> None:
        async with a_table(tmp_path) as (felt, room, broker):
            hall = Hall(broker, EVENING, [], site="demo", start=False, tell_tables=True)
            await asyncio.to_thread(hall.start)
            try:
                await evening(hall, felt, room)  # type: ignore[operator]
            finally:
                await asyncio.to_thread(hall.stop)

    asyncio.run(everything())
