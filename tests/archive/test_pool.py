"""The archive is asked beside the loop, and ends when it must."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.archive import pool, sqlite
from controller.archive.kept import Archive, ArchiveError, Query
from controller.archive.opening import open_archive
from controller.archive.pool import ReadingPool
from tests.archive.nights import a_hand, told


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "history.sqlite"
    archive = open_archive(path)
    archive.add(told([a_hand(number) for number in range(1, 5)]))
    archive.close()
    return path


def count(archive: Archive) -> int:
    return len(archive.search(Query()).hands)


def endless(archive: Archive) -> object:
    return archive._sql.rows(  # type: ignore[attr-defined]
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    )


def test_the_loop_goes_on_while_it_is_read_until_it_is_closed(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_WAIT_S", 1e6)
    monkeypatch.setattr(sqlite, "_READ_S", 1e6)

    async def run() -> None:
        reading = ReadingPool(str(store))
        slow = [asyncio.create_task(reading.ask(endless)) for _ in range(2)]
        for _ in range(40):
            await asyncio.sleep(0.01)
        assert not any(each.done() for each in slow)
        reading.close()
        for each in slow:
            with pytest.raises(ArchiveError, match="takes too long"):
                await each

    asyncio.run(run())


def test_two_read_at_once_and_others_wait_for_so_long(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_WAIT_S", 3.0)  # a slow moment of the machine is no such wait
    monkeypatch.setattr(pool, "MOST_WAITING", 3)

    async def run() -> None:
        reading = ReadingPool(str(store))
        assert await reading.ask(count) == 4
        slow = [asyncio.create_task(reading.ask(endless))]
        await asyncio.sleep(0.05)
        assert await reading.ask(count) == 4
        slow += [asyncio.create_task(reading.ask(endless)) for _ in range(2)]
        await asyncio.sleep(0.05)
        with pytest.raises(ArchiveError, match="too many"):
            await reading.ask(count)
        for each in slow:
            with pytest.raises(ArchiveError, match="takes too long"):
                await each
        reading.close()

    asyncio.run(run())


def test_a_store_that_comes_later_is_read(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"

    async def run() -> None:
        reading = ReadingPool(str(path))
        with pytest.raises(ArchiveError, match="no such file"):
            await reading.ask(count)
        archive = open_archive(path)
        assert await reading.ask(count) == 0
        archive.add(told([a_hand(1)]))
        assert await reading.ask(count) == 1
        archive.close()
        reading.close()

    asyncio.run(run())
