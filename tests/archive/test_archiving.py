"""Archives at a real broker: nothing is lost and nothing comes twice, whatever ends in between."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from controller.archive import archivist, missing, running
from controller.archive.kept import Archive, Gap
from controller.archive.opening import open_archive
from controller.archive.running import Archiving, HistoryOptions
from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from tests.archive.halls import SITE, TellingTable
from tests.archive.nights import a_hand, told
from tests.archive.servers import new_database
from tests.waiting import until


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    with start_broker(SITE, ["T1", "T2"], kind="mosquitto") as running:
        yield running


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "SETTLE_MS", 300)
    monkeypatch.setattr(missing, "AGAIN_MS", 300)
    monkeypatch.setattr(archivist, "ASK_EVERY_S", 0.1)


@asynccontextmanager
async def at_work(broker: RunningBroker, store: Path) -> AsyncIterator[Archiving]:
    archiving = Archiving(broker.room, SITE, HistoryOptions(str(store)), report=lambda _: None)
    archiving.start()
    await until(lambda: archiving.connected)
    yield archiving
    await archiving.close()


@asynccontextmanager
async def a_table(broker: RunningBroker, name: str = "T1") -> AsyncIterator[TellingTable]:
    table = TellingTable(broker.tables[name], name)
    table.start()
    yield table
    await table.close()


def hands_of(archive: Archive, numbers: range, table: str = "T1") -> bool:
    records = [archive.hand(table, number) for number in numbers]
    return all(record is not None and record.whole for record in records)


def test_what_was_said_while_nobody_listened_is_asked_for(
    broker: RunningBroker, tmp_path: Path
) -> None:
    """In the session that goes on, and in one that began and ended meanwhile."""

    async def run() -> None:
        store = tmp_path / "history.sqlite"
        first = told([a_hand(n, finding=n) for n in range(1, 60)])
        second = told([a_hand(n) for n in range(60, 64)], session="2-18b0")
        third = told([a_hand(n) for n in range(64, 70)], session="3-18c0")
        async with a_table(broker) as table:
            async with at_work(broker, store) as archiving:
                table.say(first[:100])
                await until(lambda: archiving.health().kept == 100)
            table.say(first[100:])
            table.say(second)
            table.say(third[:20])
            async with at_work(broker, store) as archiving:
                table.say(third[20:])
                rest = len(first) + len(second) + len(third) - 100
                await until(lambda: archiving.health().kept == rest)
                await until(lambda: archiving.health().missing == 0)
        with closing(open_archive(store, read_only=True)) as archive:
            assert archive.gaps() == ()
            assert hands_of(archive, range(1, 70))

    asyncio.run(run())


def test_what_a_table_does_not_keep_is_given_up(broker: RunningBroker, tmp_path: Path) -> None:
    async def run() -> None:
        store = tmp_path / "history.sqlite"
        night = told([a_hand(n) for n in range(1, 4)])
        async with a_table(broker) as table, at_work(broker, store) as archiving:
            table.say(night[:10])
            await until(lambda: archiving.health().kept == 10)
            table.say(night[20:])
            for each in night[10:20]:
                table.kept.pop((each.session, each.seq), None)
            await until(lambda: archiving.health().lost)
            asked = table.asked
            await asyncio.sleep(1.5)
            assert table.asked == asked
            assert archiving.health().missing == 0
        with closing(open_archive(store, read_only=True)) as archive:
            record = archive.hand("T1", 1)
            assert record is not None
            assert [each.lost for each in record.told if isinstance(each, Gap)] == [True]

    asyncio.run(run())


def test_a_disk_that_is_away_for_a_while_loses_nothing(
    broker: RunningBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "HOLDS", 500)

    async def run() -> None:
        folder = tmp_path / "away"
        folder.write_text("")  # a file where the folder should be
        said: list[str] = []
        archiving = Archiving(
            broker.room, SITE, HistoryOptions(str(folder / "history.sqlite")), report=said.append
        )
        archiving.start()
        await until(lambda: archiving.connected)
        night = told([a_hand(n) for n in range(1, 200)])
        async with a_table(broker) as table:
            table.say(night)
            await until(lambda: archiving.health().fault)
            await until(lambda: archiving.health().waiting >= 100)
            await asyncio.sleep(0.3)
            assert archiving.health().waiting <= 500  # the broker waits for us
            folder.unlink()
            await until(lambda: archiving.health().kept == len(night))
        assert archiving.health().fault == ""
        await archiving.close()
        assert len(said) == 2
        with closing(open_archive(folder / "history.sqlite", read_only=True)) as archive:
            assert hands_of(archive, range(1, 200))

    asyncio.run(run())


def test_two_workers_share_and_one_is_killed(
    broker: RunningBroker, postgres: str, tmp_path: Path
) -> None:
    store = new_database(postgres, "shared")
    (tmp_path / "password").write_text(str(broker.room.password))
    config = tmp_path / "room.toml"
    config.write_text(
        f"""
        [room]
        site = "{SITE}"
        [broker]
        port = {broker.port}
        user = "{broker.room.user}"
        [history]
        store = "{store}"
        room_writes = false
        """
    )

    async def worker() -> asyncio.subprocess.Process:
        started = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "archive", "--config", str(config), "--json",
            "--password-file", str(tmp_path / "password"),
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert started.stdout is not None
        assert json.loads(await started.stdout.readline())["fault"] == ""
        return started

    async def run() -> None:
        night = told([a_hand(n, finding=n) for n in range(1, 60)])
        other = told([a_hand(n) for n in range(1, 60)], table="T2")
        one, two = await worker(), await worker()
        try:
            with closing(open_archive(store, read_only=True)) as archive:
                async with a_table(broker) as table, a_table(broker, "T2") as second:
                    await asyncio.sleep(1.0)  # until both have subscribed
                    for index in range(0, len(night), 40):
                        table.say(night[index : index + 40])
                        second.say(other[index : index + 40] or other[-1:])
                        if index == 400:
                            os.kill(one.pid, signal.SIGKILL)
                        await asyncio.sleep(0.02)
                    await until(
                        lambda: (
                            archive.hand("T1", 59) is not None
                            and not archive.gaps()
                            and hands_of(archive, range(1, 60))
                            and hands_of(archive, range(1, 60), "T2")
                        )
                    )
                    assert (table.asked, second.asked) >= (1, 1)
        finally:
            with suppress(ProcessLookupError):
                one.kill()
            two.send_signal(signal.SIGTERM)
            assert two.stdout is not None
            last = [json.loads(line) for line in (await two.stdout.read()).splitlines()][-1]
            assert await two.wait() == 0
            await one.wait()
        with closing(open_archive(store, read_only=True)) as archive:
            for table_id, events in (("T1", night), ("T2", other)):
                for number in (1, 30, 59):
                    record = archive.hand(table_id, number)
                    assert record is not None
                    expected = [each.event for each in events if each.event.hand == number]
                    assert [
                        each.event for each in record.told if not isinstance(each, Gap)
                    ] == expected
        assert 0 < last["kept"] <= len(night) + len(other)

    asyncio.run(run())
