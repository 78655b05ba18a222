"""A damaged file of the history is put away, and a new one begins."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.archive.archivist import Archivist
from controller.archive.keeping import MOST_ASIDE, Keeping
from controller.archive.kept import Added, Archive, ArchiveError, DamagedError, Query
from controller.archive.opening import open_archive, set_store_aside
from controller.archive.pool import ReadingPool
from controller.broker.client import Incoming
from controller.contract.messages import TABLE_EVENT, TableEvent
from tests.archive.halls import SITE
from tests.archive.nights import a_hand, told
from tests.waiting import until

NIGHT = told([a_hand(number) for number in range(1, 5)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "history.sqlite"
    archive = open_archive(path)
    archive.add(NIGHT)
    archive.close()
    return path


def damage(path: Path, offset: int = 0) -> bytes:
    data = bytearray(path.read_bytes())
    data[offset:] = b"\xa5" * (len(data) - offset)
    path.write_bytes(data)
    return bytes(data)


def keeping(path: Path) -> Keeping:
    return Keeping(lambda: open_archive(path), lambda: set_store_aside(str(path)))


def add(archive: Archive) -> Added:
    return archive.add(NIGHT)


@pytest.mark.parametrize("offset", [0, 4_096], ids=["whole", "pages"])
def test_it_is_renamed_and_the_next_work_begins_a_new_one(path: Path, offset: int) -> None:
    data = damage(path, offset)

    async def run() -> None:
        kept = keeping(path)
        with pytest.raises(DamagedError, match="damaged"):
            await kept.do(add)
        assert kept.aside == f"{path}.bad-1"
        assert (await kept.do(add)).new == len(NIGHT)
        kept.end()

    asyncio.run(run())
    assert Path(f"{path}.bad-1").read_bytes()[4_096:] == data[4_096:]


def test_one_that_is_damaged_while_it_is_written_is_put_away_too(path: Path) -> None:
    def broken(_: Archive) -> Added:
        raise DamagedError("it is damaged")

    async def run() -> None:
        kept = keeping(path)
        assert (await kept.do(add)).new == 0
        for number in range(MOST_ASIDE):
            with pytest.raises(DamagedError):
                await kept.do(broken)
            assert kept.aside == f"{path}.bad-{number + 1}"
            assert (await kept.do(add)).new == len(NIGHT)
        with pytest.raises(ArchiveError) as caught:
            await kept.do(broken)
        assert not isinstance(caught.value, DamagedError)
        assert (await kept.do(add)).new == 0
        kept.end()

    asyncio.run(run())
    assert len(list(path.parent.glob("*.bad-?"))) == MOST_ASIDE


def test_nothing_that_came_is_lost_by_it_and_tables_are_asked_for_the_rest(path: Path) -> None:
    damage(path)
    said: list[str] = []
    asked: list[str] = []

    async def run() -> None:
        archivist = Archivist(
            SITE,
            "a",
            lambda: open_archive(path),
            lambda: set_store_aside(str(path)),
            publish=lambda message: asked.append(message.topic),
            acknowledge=lambda _: None,
            new_id=lambda: f"id-{len(asked)}",
            report=said.append,
        )
        running = asyncio.create_task(archivist.run())
        archivist._asker.heard_of("T1")
        for each in NIGHT:
            payload = TableEvent(each.session, each.seq, each.at, each.event)
            message = TABLE_EVENT.message(SITE, "T1", payload=payload)
            archivist.received(Incoming(message.topic, message.payload, False, receipt=each.seq))
        await until(lambda: archivist.health().kept == len(NIGHT))
        assert archivist.health().fault == ""
        assert archivist.health().damaged == f"{path}.bad-1"
        archivist._asker.heard_of("T1")
        archivist.close()
        await running

    asyncio.run(run())
    assert said == [f"the history was damaged; it is now {path}.bad-1"]
    assert len(asked) == 2  # which sessions it keeps: once more after the old file was gone


def test_who_reads_sees_the_new_one(path: Path) -> None:
    async def run() -> None:
        reading = ReadingPool(str(path))
        assert await reading.ask(lambda archive: len(archive.search(Query()).hands)) == 4
        set_store_aside(str(path))
        archive = open_archive(path)
        archive.add(NIGHT[:20])
        archive.close()
        for _ in range(4):
            assert await reading.ask(lambda archive: len(archive.search(Query()).hands)) == 2
        reading.close()

    asyncio.run(run())


def test_what_is_no_history_is_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "history.sqlite"
    (tmp_path / "gone").write_text("")

    async def run() -> None:
        kept = keeping(path)
        with pytest.raises(ArchiveError) as caught:
            await kept.do(add)
        assert not isinstance(caught.value, DamagedError)
        kept.end()

    asyncio.run(run())
    assert (tmp_path / "gone").exists()
