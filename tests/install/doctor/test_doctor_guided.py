"""The guided parts, as somebody at a terminal goes through them."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from controller.contract.cards import CARDS
from firmware_bridge.link.messages import ZoneFlag
from firmware_bridge.seat_lamps import Signal, show
from firmware_bridge.virtual.table import VirtualTable
from tests.install.doctor.at_the_table import (
    CYCLE_S,
    a_terminal,
    a_virtual_table,
    names_no_card,
)
from tests.table.felt import BUTTONS
from tests.waiting import until


def test_one_card_goes_from_antenna_to_antenna(tmp_path: Path) -> None:
    asyncio.run(_antennas(tmp_path))


async def _antennas(folder: Path) -> None:
    async with (
        a_virtual_table(folder) as (virtual, tags),
        a_terminal("--config", str(folder / "table.toml"), "--only", "antennas") as terminal,
    ):
        card = tags[CARDS[0]]
        for zone in ("seat 1", "seat 2"):
            await terminal.until(f"Put one card on {zone}.\n")
            virtual.place(zone.replace(" ", "/"), card)
            await terminal.until(f"ok       {zone}: ")
            await terminal.until("scans, 100 %\n")
            virtual.take(zone.replace(" ", "/"), card)
        for zone in ("seat 3", "board"):
            await terminal.until(f"Put one card on {zone}.\n")
            terminal.type("s\n")
            await terminal.until(f"skipped  {zone}: skipped\n")
        await terminal.until("Put one card on burn.\n")
        terminal.type("\n")  # it lies there, and the antenna is dead
        await terminal.until("  0 of ")
        await terminal.until("Once more for burn? [y/n")
        virtual.place("burn", card)  # now it is plugged in
        terminal.type("y\n")
        await terminal.until("Put one card on burn.\n")
        terminal.type("\n")
        await terminal.until("ok       burn: ")
        await terminal.until("Put one card on muck.\n")
        terminal.type("q\n")
        await terminal.until("skipped  antennas: the rest was skipped\n")
        assert await terminal.end() == 0
        assert names_no_card(terminal.said, tags)


def test_an_antenna_that_reads_badly_and_a_neighbour_that_reads_along(tmp_path: Path) -> None:
    asyncio.run(_bad_antenna(tmp_path))


async def _bad_antenna(folder: Path) -> None:
    async with (
        a_virtual_table(folder) as (virtual, tags),
        a_terminal("--config", str(folder / "table.toml"), "--only", "antennas") as terminal,
    ):
        card = tags[CARDS[7]]
        await terminal.until("Put one card on seat 1.\n")
        flickering = asyncio.create_task(_flicker(virtual, "seat/1", card, 0.15))
        terminal.type("\n")
        await terminal.until("cards will come and go\n")
        await terminal.until("Once more for seat 1?")
        terminal.type("n\n")
        await terminal.until("FAIL     seat 1: ")
        await terminal.until("-> Move the antenna closer to the felt")
        flickering.cancel()
        virtual.take("seat/1", card)
        await terminal.until("Put one card on seat 2.\n")
        virtual.place("seat/2", card)
        flickering = asyncio.create_task(_flicker(virtual, "seat/3", card, 0.3))
        await terminal.until("  seat 3 reads it too in ")
        await terminal.until("Once more for seat 2?")
        terminal.type("n\n")
        await terminal.until("ok       seat 2: ")
        await terminal.until("WARN     seat 2: seat 3 reads it too in ")
        flickering.cancel()
        virtual.take("seat/3", card)
        await terminal.until("Put one card on seat 3.\n")
        virtual.take("seat/2", card)
        virtual.place("board", card)  # the wires of the two are swapped
        await asyncio.sleep(0.3)
        terminal.type("\n")
        await terminal.until("board read a card instead\n")
        terminal.type("q\n")
        await terminal.until("FAIL     seat 3: 0 of ")
        await terminal.until("-> If the two are mixed up, swap them in `zones`")
        assert await terminal.end() == 1
        assert names_no_card(terminal.said, tags)


async def _flicker(virtual: VirtualTable, zone: str, card: str, share: float) -> None:
    chance = random.Random(3)
    while True:
        (virtual.place if chance.random() < share else virtual.take)(zone, card)
        await asyncio.sleep(CYCLE_S)


def test_a_reader_that_fails(tmp_path: Path) -> None:
    asyncio.run(_failing(tmp_path))


async def _failing(folder: Path) -> None:
    async with (
        a_virtual_table(folder) as (virtual, _),
        a_terminal("--config", str(folder / "table.toml"), "--only", "antennas") as terminal,
    ):
        virtual.device.trouble(0, ZoneFlag.FAILED)
        await terminal.until("Put one card on seat 1.\n")
        terminal.type("\n")
        await terminal.until("Once more for seat 1?")
        terminal.type("q\n")
        await terminal.until("FAIL     seat 1: its reader is failing\n")
        assert await terminal.end() == 1


def test_buttons_are_pressed(tmp_path: Path) -> None:
    asyncio.run(_buttons(tmp_path))


async def _buttons(folder: Path) -> None:
    async with (
        a_virtual_table(folder) as (virtual, _),
        a_terminal("--config", str(folder / "table.toml"), "--only", "buttons") as terminal,
    ):
        await terminal.until("Press seat 1's check.\n")
        virtual.press(1, "check")
        await terminal.until("ok       seat 1's check: pressed\n")
        await terminal.until("Press seat 1's call.\n")
        virtual.press(2, "fold")
        await terminal.until("FAIL     seat 1's call: it reports seat 2's fold\n")
        await terminal.until("Press seat 1's fold.\n")
        terminal.type("\n")
        await terminal.until("FAIL     seat 1's fold: nothing came\n")
        for seat, label in BUTTONS[3:-1]:
            await terminal.until(f"Press seat {seat}'s {label}.\n")
            virtual.press(seat, label)
        await terminal.until("Press seat 3's all-in.\n")
        terminal.type("s\n")
        await terminal.until("skipped  seat 3's all-in: skipped\n")
        assert await terminal.end() == 1


def test_lamps_are_looked_at(tmp_path: Path) -> None:
    asyncio.run(_lamps(tmp_path))


async def _lamps(folder: Path) -> None:
    async with (
        a_virtual_table(folder) as (virtual, _),
        a_terminal("--config", str(folder / "table.toml"), "--only", "readers,lamps") as terminal,
    ):
        told = ("ok       seat 1's lamp: it blinks", "FAIL     seat 2's lamp: it does not blink")
        for seat, answer, said in (
            (1, "y", told[0]),
            (2, "what?\nn", told[1]),
            (3, "s", "skipped  seat 3's lamp: skipped"),
        ):
            await terminal.until(f"Is seat {seat}'s lamp blinking? [y/n")
            await until(lambda seat=seat: _lit(virtual) == [seat])  # type: ignore[misc]
            terminal.type(f"{answer}\n")
            await terminal.until(f"  {said}\n")
        assert await terminal.end() == 1


def _lit(virtual: VirtualTable) -> list[int]:
    return [
        lamp + 1
        for lamp, order in enumerate(virtual.device.lamps)
        if order == show(lamp, Signal.ATTENTION)
    ]


def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    asyncio.run(_interrupted(tmp_path))


async def _interrupted(folder: Path) -> None:
    async with (
        a_virtual_table(folder),
        a_terminal("--config", str(folder / "table.toml"), "--only", "antennas") as terminal,
    ):
        await terminal.until("Put one card on seat 1.\n")
        terminal.process.send_signal(2)
        assert await terminal.end() == 130
        assert "Traceback" not in terminal.said
