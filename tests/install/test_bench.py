"""The bench: the table's wires for the commands that set it up, with a service and without."""

from __future__ import annotations

import asyncio
import json
import re
import stat
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from controller.contract.cards import CARDS
from controller.install.bench import (
    Bench,
    BenchEndedError,
    BenchError,
    BenchLostError,
    BenchRefusedError,
    open_bench,
)
from controller.storage.journal import Counters, Journal, open_hand
from controller.table.bench import MOST_CLIENTS, BenchServer, Scan
from controller.table.capture import Capture
from controller.table.config import load_table_config
from controller.table.lamps import Lamps
from controller.table.naming import Naming
from firmware_bridge.bridge import Bridge
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.seat_lamps import Signal, show
from firmware_bridge.virtual.table import VirtualTable
from tests.install.alone import a_felt_alone
from tests.journal.lines import append
from tests.table.felt import Felt, a_table
from tests.waiting import PATIENCE_S, until

T = TypeVar("T")


async def first(values: AsyncGenerator[T, None]) -> T:
    async with asyncio.timeout(PATIENCE_S), aclosing(values):
        return await anext(values)


async def scan_of(bench: Bench, zone: str) -> Scan:
    async with asyncio.timeout(PATIENCE_S), aclosing(bench.scans()) as scans:
        async for scan in scans:
            if scan.zone == zone and scan.tags:
                return scan
    raise AssertionError


def shows(virtual: VirtualTable, *expected: Signal) -> bool:
    return virtual.device.lamps == [show(lamp, signal) for lamp, signal in enumerate(expected)]


def test_without_a_service_the_command_has_the_wires_itself(tmp_path: Path) -> None:
    asyncio.run(_alone(tmp_path))


async def _alone(folder: Path) -> None:
    async with (
        a_felt_alone(folder) as (virtual, tags),
        open_bench(load_table_config(folder / "table.toml")) as bench,
    ):
        assert not bench.of_service
        virtual.place("muck", tags["As"])
        scan = await scan_of(bench, "muck")
        assert scan.tags == (tags["As"],)
        assert scan.complete
        assert not scan.failed
        assert tags["As"] not in repr(scan)
        health = await bench.health()
        assert health.hand is None
        assert [link.state for link in health.links] == ["up"]
        press = asyncio.create_task(first(bench.presses()))
        await asyncio.sleep(0)
        await bench.health()  # is answered after the presses have been asked for
        virtual.press(2, "fold")
        assert ((await press).seat, (await press).button) == (2, "fold")
        await bench.light(3, "attention", 1)
        await until(partial(shows, virtual, Signal.DARK, Signal.DARK, Signal.ATTENTION))
        await until(partial(shows, virtual, Signal.DARK, Signal.DARK, Signal.DARK))
        await bench.identify(str(folder / "port"), 1)
        with pytest.raises(BenchRefusedError, match="seat 9 has no lamp"):
            await bench.light(9, "turn")
        with pytest.raises(BenchRefusedError, match="there is no port '/dev/x'"):
            await bench.identify("/dev/x")
    assert not (folder / "bench" / "bench.sock").exists()


def test_while_the_journal_leaves_a_hand_open_no_scan_is_told(tmp_path: Path) -> None:
    asyncio.run(_journal_says_open(tmp_path))


async def _journal_says_open(folder: Path) -> None:
    async with a_felt_alone(folder):
        journal = Journal.open(folder / "journal.sqlite", report=print)
        append(journal, b"{}", hand=7, counters=Counters(open=7))
        async with open_bench(load_table_config(folder / "table.toml")) as bench:
            with pytest.raises(BenchRefusedError, match="hand 7 is open"):
                await first(bench.scans())
            assert (await bench.health()).hand == 7
            append(journal, b"{}", hand=7, counters=Counters())
            await asyncio.sleep(0.6)
            await first(bench.scans())
            async with aclosing(bench.scans()) as scans:
                await anext(scans)
                append(journal, b"{}", hand=8, counters=Counters(open=8))
                with pytest.raises(BenchEndedError, match="hand 8 is open"):
                    async for _ in scans:
                        pass
        journal.close()
        assert open_hand(folder / "journal.sqlite") == 8
        assert open_hand(folder / "none.sqlite") is None


def test_beside_the_service_hand_by_hand(tmp_path: Path) -> None:
    asyncio.run(_beside_the_service(tmp_path))


async def _beside_the_service(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        socket = folder / "bench" / "bench.sock"
        assert stat.S_IMODE(socket.stat().st_mode) == 0o600
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        async with open_bench(load_table_config(folder / "table.toml")) as bench:
            assert bench.of_service
            felt.place("muck", CARDS[-1])
            assert (await scan_of(bench, "muck")).tags == (felt.tags[CARDS[-1]],)
            ended = asyncio.create_task(_until_the_end(bench))
            press = asyncio.create_task(first(bench.presses()))
            await asyncio.sleep(0.2)
            await felt.deal()
            assert await ended == "hand 1 is open: cards are not named until it is over"
            assert open_hand(folder / "journal.sqlite") == 1
            refused = await asking(folder, {"want": "scans"})
            assert refused["kind"] == "refused"
            health = await asking(folder, {"want": "health"})
            assert health["hand"] == 1
            assert not [tag for tag in felt.tags.values() if tag in json.dumps(health)]
            await until(partial(shows, felt.virtual, Signal.DARK, Signal.DARK, Signal.TURN))
            await bench.light(3, "floor", 1)
            await until(partial(shows, felt.virtual, Signal.DARK, Signal.DARK, Signal.FLOOR))
            felt.virtual.press(3, "call")
            assert (await press).seat == 3
            await until(partial(shows, felt.virtual, Signal.TURN, Signal.DARK, Signal.DARK))
            await _end_of_the_hand(felt)
            await until(lambda: open_hand(folder / "journal.sqlite") is None)
            lying = re.compile("a card lies at seat [123]: cards are named only while none lies")
            with pytest.raises(BenchRefusedError, match=lying):
                await first(bench.scans())
            for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
                felt.virtual.take(f"seat/{seat}", felt.tags[card])
            await asyncio.sleep(1)
            await first(bench.scans())


async def _until_the_end(bench: Bench) -> str:
    try:
        async for _ in bench.scans():
            pass
    except BenchEndedError as error:
        return error.reason
    return ""


async def _end_of_the_hand(felt: Felt) -> None:
    felt.virtual.press(1, "fold")
    await asyncio.sleep(0.3)
    felt.virtual.press(2, "fold")


async def asking(folder: Path, want: object) -> dict[str, Any]:
    reader, writer = await asyncio.open_unix_connection(folder / "bench" / "bench.sock")
    writer.write(json.dumps(want).encode() + b"\n")
    answer: dict[str, Any] = json.loads(await asyncio.wait_for(reader.readline(), PATIENCE_S))
    writer.close()
    return answer


def test_what_the_bench_does_not_know_is_refused(tmp_path: Path) -> None:
    asyncio.run(_not_known(tmp_path))


async def _not_known(folder: Path) -> None:
    async with a_table(folder):
        for want in ({"want": "cards"}, {"want": "scans", "hand": 1}, ["scans"], "x" * 5000):
            answer = await asking(folder, want)
            assert answer["kind"] == "refused"
            assert answer["reason"] == "that can't be asked here"
        answer = await asking(folder, {"want": "light", "seat": 1, "signal": "floor"})
        assert answer == {"kind": "ok"}


def test_who_does_not_read_is_left_and_there_is_no_end_of_clients(tmp_path: Path) -> None:
    asyncio.run(_does_not_read(tmp_path))


def test_a_capture_begins_when_no_card_is_on_its_way(tmp_path: Path) -> None:
    asyncio.run(_begins_at_rest(tmp_path))


class Noted(Capture):
    """Does nothing but say that it has begun."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write

    def begin(self) -> None:
        self._write(b"begun\n")

    def look(self) -> None:
        pass

    def end(self) -> None:
        pass


class Moving(Bridge):
    """No port, and a card on its way until told."""

    rests = False

    def is_at_rest(self) -> bool:
        return self.rests


async def _begins_at_rest(folder: Path) -> None:
    def nothing(_: object) -> None:
        return None

    bridge = Moving([], nothing, clock=time.monotonic, registered=lambda _: True, notice=nothing)
    said: list[bool] = []
    (folder / "bench").mkdir()
    server = BenchServer(
        folder / "bench" / "bench.sock",
        [],
        bridge,
        Lamps(bridge.light),
        lambda: None,
        naming=Naming([], (), ()),
        capture=lambda write, _: Noted(write),
        capturing=said.append,
    )
    serving = asyncio.create_task(server.run())
    await server.ready.wait()
    reader, writer = await asyncio.open_unix_connection(folder / "bench" / "bench.sock")
    for wanted in (b'{"want":"capture"}\n', b"\n"):
        bridge.rests = False
        writer.write(wanted)
        begun = asyncio.create_task(reader.readline())
        await asyncio.sleep(0.2)
        assert not begun.done()
        assert len(said) == (wanted == b"\n")
        bridge.rests = True
        assert await begun == b"begun\n"
    writer.close()
    await until(lambda: said[-1] is False)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


def test_a_capture_that_is_to_end_does_not_begin_anew(tmp_path: Path) -> None:
    asyncio.run(_ends(tmp_path))


async def _ends(folder: Path) -> None:
    async with a_table(folder), asyncio.timeout(PATIENCE_S):
        bench = Bench(folder / "bench" / "bench.sock", of_service=True)
        async with bench.capture(raw=False) as lines:
            await anext(lines)
            lines.end()
            lines.begin_anew()  # the file was full just then
            with pytest.raises(BenchLostError):
                async for _ in lines:
                    pass


def no_capture(_write: object, _raw: bool) -> Capture:
    raise AssertionError("nobody asks for a capture here")


async def _does_not_read(folder: Path) -> None:
    def nothing(_: object) -> None:
        return None

    bridge = Bridge([], nothing, clock=time.monotonic, registered=lambda _: True, notice=nothing)
    (folder / "bench").mkdir()
    server = BenchServer(
        folder / "bench" / "bench.sock",
        [],
        bridge,
        Lamps(bridge.light),
        lambda: None,
        naming=Naming([], (), ()),
        capture=no_capture,
    )
    serving = asyncio.create_task(server.run())
    await server.ready.wait()
    _, writer = await asyncio.open_unix_connection(folder / "bench" / "bench.sock", limit=100)
    writer.write(b'{"want":"scans"}\n')
    many = ZoneScan(1.0, 0, tuple(f"E0040150{number:08X}" for number in range(100)))
    async with asyncio.timeout(PATIENCE_S):
        while not server.aborted:
            await asyncio.sleep(0)
            server.scanned("/dev/x", "muck", many)
    writer.close()
    others = [
        await asyncio.open_unix_connection(folder / "bench" / "bench.sock")
        for _ in range(MOST_CLIENTS)
    ]
    async with asyncio.timeout(PATIENCE_S):  # all are taken in, and one more is not
        while (last := await asking(folder, {"want": "health"}))["kind"] == "health":
            pass
    assert last["reason"] == "32 others are already being served"
    assert (server.refused, server.aborted) == (1, 1)
    for _, other in others:
        other.close()
    async with asyncio.timeout(PATIENCE_S):
        while (await asking(folder, {"want": "health"}))["kind"] != "health":
            pass
    assert server.aborted == 1
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert not (folder / "bench" / "bench.sock").exists()


def test_a_service_that_dies_within_a_line_is_lost(tmp_path: Path) -> None:
    asyncio.run(_dies_within_a_line(tmp_path / "bench.sock"))


async def _dies_within_a_line(path: Path) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b'{"kind":"hea')
        writer.close()

    server = await asyncio.start_unix_server(serve, path)
    with pytest.raises(BenchLostError):
        await Bench(path, of_service=True).health()
    server.close()


def test_where_there_can_be_no_socket_the_bench_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Unix socket's path has 107 bytes at most."""
    long = tmp_path / ("t" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    asyncio.run(_no_socket(tmp_path))


async def _no_socket(folder: Path) -> None:
    async with a_felt_alone(folder), asyncio.timeout(PATIENCE_S):
        with pytest.raises(BenchError, match=r"t/.*bench\.sock: AF_UNIX path too long"):
            async with open_bench(load_table_config(folder / "table.toml")):
                pass
