"""Cards are named to nobody while one lies at a seat, whatever the engine takes to be so."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from controller.contract.cards import CARDS
from controller.install.bench import Bench, BenchEndedError, BenchError, BenchRefusedError
from controller.table.naming import CONFIRMED_FOR_S, Aliases, Naming
from firmware_bridge.link.messages import ZoneFlag
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.wiring import Wiring
from tests.install.recording import Recording, is_shown, record
from tests.install.terminal import piped
from tests.table.felt import SEATS, ZONES, Felt, a_table, pause
from tests.table.test_floor_at_the_table import PIN, with_floor
from tests.waiting import PATIENCE_S, until

A, B, C, D = (f"E00401500000000{number}" for number in range(4))
SILENT = "no antenna tells whether cards lie at"


def scanned(
    naming: Naming, t: float, *zones: str, tags: tuple[str, ...] = (), failed: bool = False
) -> None:
    for zone in zones:
        naming.scanned("p", zone, ZoneScan(t, 0, tags, failed=failed))


def until_t(naming: Naming, first: float, last: float, *zones: str) -> None:
    for t in range(int(first), int(last) + 1):
        scanned(naming, float(t), *zones)


def a_naming(*, seats: tuple[int, ...] = (1, 2)) -> Naming:
    return Naming([Wiring("p", ("seat/1", "seat/2", "muck"))], seats, {A: "button"})


def test_only_once_every_seat_has_been_bare_for_a_while() -> None:
    naming = a_naming()
    assert "seats 1 and 2" in str(naming.why_not(0.0))
    until_t(naming, 10, 14, "seat/1", "seat/2")
    assert naming.why_not(14.9) == "cards are named once no seat has had any for 5 s"
    until_t(naming, 15, 15, "seat/1", "seat/2")
    assert naming.why_not(15.0) is None
    scanned(naming, 15.0, "muck", tags=(B, C, D))
    scanned(naming, 15.0, "seat/1", tags=(A,))
    assert naming.why_not(15.0) is None, "the button is no card"
    scanned(naming, 16.0, "seat/2", tags=(B,))
    assert str(naming.why_not(16.0)).startswith("a card lies at seat 2: ")
    until_t(naming, 17, 20, "seat/1", "seat/2")
    assert naming.why_not(20.9) == "cards are named once no seat has had any for 5 s"
    until_t(naming, 21, 21, "seat/1", "seat/2")
    assert naming.why_not(21.0) is None


def test_more_than_can_be_told_apart_at_a_seat_are_cards() -> None:
    naming = a_naming()
    until_t(naming, 0, 9, "seat/1", "seat/2")
    naming.scanned("p", "seat/1", ZoneScan(10.0, 0, (), complete=False))
    assert naming.why_not(10.0) is not None


def test_where_an_antenna_is_silent_both_have_to_say_so() -> None:
    naming = a_naming()
    until_t(naming, 0, 9, "seat/1", "seat/2")
    assert naming.why_not(9.0) is None
    scanned(naming, 9.5, "seat/2", failed=True)
    assert str(naming.why_not(9.5)).startswith(f"{SILENT} seat 2: floor and dealer have to say")
    naming.confirm(9.6)
    assert naming.why_not(9.7) is None
    until_t(naming, 10, 20, "seat/1")
    assert naming.why_not(20.0) is None
    scanned(naming, 21.0, "seat/1", tags=(B,))
    until_t(naming, 22, 30, "seat/1")
    assert SILENT in str(naming.why_not(30.0)), "a card that came took the word back"
    naming.confirm(30.0)
    naming.end()
    assert SILENT in str(naming.why_not(30.0)), "so does a hand"
    naming.confirm(30.0)
    until_t(naming, 31, 30 + int(CONFIRMED_FOR_S), "seat/1")
    assert SILENT in str(naming.why_not(30 + CONFIRMED_FOR_S))
    blind = a_naming(seats=(1, 2, 5))
    until_t(blind, 0, 9, "seat/1", "seat/2")
    assert f"{SILENT} seat 5" in str(blind.why_not(9.0)), "a seat without any antenna"


def test_a_name_says_nothing_of_a_card_that_was_gone() -> None:
    names = Aliases()
    first = names.of(B, 0.0)
    assert names.of(B, 2.9) == first
    assert names.of(C, 2.9) != first
    assert names.of(B, 6.0) != first, "it was gone"
    assert not {B, C} & {first, names.of(C, 3.0)}


def test_with_the_sensors_off_nobody_is_told_what_is_held(tmp_path: Path) -> None:
    asyncio.run(_sensors_off(tmp_path))


async def _sensors_off(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await felt.enter(kind="sensors", on=False)
        bench = Bench(folder / "bench" / "bench.sock", of_service=True)
        capture = await record(folder, "--raw")
        await until(lambda: is_shown(room))
        told, names = list[str](), list[str]()
        ends = [
            asyncio.create_task(_all(bench, lines, named=lines is told)) for lines in (told, names)
        ]
        await until(lambda: told and names and _frames(capture))
        await _deal_unseen(felt)
        status, _, said = await capture.ended()
        assert status == 0
        assert "a card lies at seat" in said
        frames = _frames(capture)
        assert frames
        for card in CARDS[:6]:
            assert felt.tags[card][-6:].encode() not in frames
        await asyncio.gather(*ends)
        assert "a card lies at seat" in told[-1]
        assert "more than 3 cards lie on the antennas" in names[-1]
        for line in (*told[:-1], *names[:-1]):
            assert not [card for card in CARDS[:6] if felt.tags[card] in line]
        for command in (("deck", "check"), ("capture", "--raw", "--out", str(folder))):
            status, out, said = await piped(*command, "--config", str(folder / "table.toml"))
            assert (status, out) == (1, "")
            assert "a card lies at seat" in said
        where = ("--config", str(folder / "table.toml"), "--zone", "seat/1")
        status, _, said = await piped("deck", "check", *where, "--json")
        assert (status, said) == (
            2,
            "cutcard deck: seat/1: no card is named at a seat; take another zone\n",
        )


async def _deal_unseen(felt: Felt) -> None:
    for card, seat in zip(CARDS[:6], (*SEATS, *SEATS), strict=True):
        felt.place(f"seat/{seat}", card)
        await pause(0.5)


def _frames(capture: Recording) -> bytes:
    """What follows the head of its only file, once there is one."""
    assert len(capture.files) <= 1
    return b"\n".join(line for file in capture.files for line in file.read_bytes().splitlines()[3:])


async def _all(bench: Bench, told: list[str], *, named: bool) -> None:
    """Into `told`: the scans as they were told, and why they ended."""
    async with asyncio.timeout(PATIENCE_S), aclosing(bench.scans(named=named)) as scans:
        try:
            async for scan in scans:
                told += [f"{scan.zone} {scan.tags}"]
        except BenchEndedError as error:
            told += [error.reason]


@pytest.mark.long
def test_where_a_seat_cannot_be_seen_dealer_and_floor_say_so(tmp_path: Path) -> None:
    asyncio.run(_cannot_be_seen(tmp_path))


async def _cannot_be_seen(folder: Path) -> None:
    async with a_table(folder, prepare=with_floor) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        felt.virtual.device.trouble(ZONES.index("seat/2"), ZoneFlag.FAILED)
        await felt.enter(kind="no-hand")
        with pytest.raises(BenchRefusedError, match=f"{SILENT} seat 2"):
            await _first(folder)
        await felt.enter(kind="floor-login", name="Ann", pin=PIN)
        await felt.shows(floor_in="Ann")
        await felt.enter(kind="no-hand")
        assert await _first(folder)
        felt.place("seat/1", CARDS[0])
        await _refused(folder, BenchError, "a card lies at seat 1")
        felt.virtual.take("seat/1", felt.tags[CARDS[0]])
        await _refused(folder, BenchRefusedError, f"{SILENT} seat 2")


async def _refused(folder: Path, how: type[BenchError], words: str) -> None:
    """Asks until it is refused so: the antennas are read meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await _first(folder)
            except BenchError as error:
                if isinstance(error, how) and words in str(error):
                    return
            await asyncio.sleep(0.1)


async def _first(folder: Path) -> str:
    scans = Bench(folder / "bench" / "bench.sock", of_service=True).scans()
    async with asyncio.timeout(PATIENCE_S), aclosing(scans):
        with suppress(StopAsyncIteration):
            return (await anext(scans)).zone
    return ""
