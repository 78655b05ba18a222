"""The journal is written beside the loop: in order, and what follows waits for the disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from controller.contract.messages import Message
from controller.storage.committer import Committer
from controller.storage.database import DatabaseError
from controller.storage.journal import Entry, Journal, verify
from tests.waiting import PATIENCE_S, until


class Told:
    """What was submitted, and what came of it, in the order in which it came."""

    def __init__(self, committer: Committer) -> None:
        self.committer = committer
        self.said: list[tuple[str, bool]] = []

    def submit(self, *lines: str, begins: bool = False) -> None:
        counters = self.committer.journal.counters
        entries = [
            Entry(
                hand=1,
                counters=counters,
                lines=(line.encode(),),
                messages=(Message("t/events", line.encode(), 1, False),),
                checkpoint=b"c" if begins else None,
            )
            for line in lines
        ]
        name = "+".join(lines)
        self.committer.submit(entries, lambda error: self.said.append((name, error is None)))

    @property
    def lines(self) -> list[str]:
        return [line.decode() for line in self.committer.journal.since_checkpoint()[1]]


@asynccontextmanager
async def running(path: Path) -> AsyncIterator[Told]:
    journal = Journal.open(path, report=pytest.fail)
    committer = Committer(journal)
    run = asyncio.create_task(committer.run())
    await asyncio.sleep(0)
    yield Told(committer)
    run.cancel()
    with suppress(asyncio.CancelledError):
        await run
    await committer.close()
    assert verify(path) is None


@asynccontextmanager
async def held_up(path: Path) -> AsyncIterator[None]:
    """Another program keeps the file to itself, and each commit waits for it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def _full(journal: Journal, pages: int) -> None:
    journal._database.connection.execute(f"PRAGMA max_page_count={pages}")


def test_before_it_runs_all_is_done_at_once(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal", report=pytest.fail)) as journal:
        told = Told(Committer(journal))
        told.submit("1")
        assert told.said == [("1", True)]
        assert told.lines == ["1"]


def test_the_loop_goes_on_while_the_disk_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.storage.committer.SLOW_S", PATIENCE_S)

    async def run() -> None:
        async with running(tmp_path / "journal") as told:
            committer = told.committer
            async with held_up(tmp_path / "journal"):
                told.submit("1")
                told.submit("2", "3")
                told.submit()
                for _ in range(50):  # a commit in the loop would wait five seconds for the file
                    await asyncio.sleep(0.005)
                assert told.said == []
                assert committer.is_behind
            await until(lambda: len(told.said) == 3)
            assert told.said == [("1", True), ("2+3", True), ("", True)]
            assert told.lines == ["1", "2", "3"]
            assert not committer.is_behind
            assert not committer.is_slow

    asyncio.run(run())


def test_what_has_nothing_to_write_does_not_touch_the_disk(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path / "journal") as told:
            statements: list[str] = []
            told.committer.journal._database.connection.set_trace_callback(statements.append)
            told.submit()
            assert told.said == [("", True)]
            await asyncio.sleep(0.05)
            assert statements == []
            told.submit("1")
            told.submit()
            await until(lambda: len(told.said) == 3)
            assert statements.count("COMMIT") == 1

    asyncio.run(run())


def test_a_slow_disk_is_known_while_it_lasts_and_after_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path / "journal") as told:
            told.committer.journal._database.connection.execute("PRAGMA busy_timeout=5000")
            async with held_up(tmp_path / "journal"):
                told.submit("1")
                await until(lambda: told.committer.is_slow)
                assert told.said == []
            await until(lambda: told.said == [("1", True)])
            assert told.committer.is_slow

    asyncio.run(run())


def test_after_a_hole_only_a_beginning_is_written(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path / "journal") as told:
            told.submit("1")
            await until(lambda: len(told.said) == 1)
            _full(told.committer.journal, 1)
            told.submit("x" * 100_000)
            await until(lambda: len(told.said) == 2)
            assert told.said[-1][1] is False
            _full(told.committer.journal, 4000)
            told.submit("2")
            told.submit()
            await until(lambda: len(told.said) == 4)
            assert told.said[2:] == [("2", False), ("", True)]
            told.submit("3")
            told.submit("4", begins=True)
            told.submit("5")
            await until(lambda: len(told.said) == 7)
            assert told.said[4:] == [("3", False), ("4", True), ("5", True)]
            assert told.lines == ["4", "5"]

    asyncio.run(run())


def test_what_was_submitted_before_the_end_is_written(tmp_path: Path) -> None:
    async def run() -> Told:
        async with running(tmp_path / "journal") as told, held_up(tmp_path / "journal"):
            told.submit("1")
            await asyncio.sleep(0.05)  # this one is under way
            told.submit("2")
        return told

    told = asyncio.run(run())
    assert told.said == [("1", True), ("2", True)]
    with closing(Journal.open(tmp_path / "journal", report=pytest.fail)) as journal:
        assert journal.since_checkpoint()[1] == [b"1", b"2"]


def test_a_disk_that_hangs_does_not_keep_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.storage.committer.SETTLE_S", 0.1)

    async def run() -> None:
        path = tmp_path / "journal"
        committer = Committer(Journal.open(path, report=pytest.fail))
        committer.journal._database.connection.execute("PRAGMA busy_timeout=5000")
        task = asyncio.create_task(committer.run())
        await asyncio.sleep(0)
        async with held_up(path):
            told = Told(committer)
            told.submit("1")
            await asyncio.sleep(0.05)
            task.cancel()
            assert not await committer.settle()
            await committer.close()
            assert told.said == []
        await until(lambda: told.lines == ["1"])  # the thread has it still, and the file

    asyncio.run(run())


def test_what_the_broker_has_had_is_forgotten_on_the_disk(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path / "journal") as told:
            outbox, journal = told.committer.outbox, told.committer.journal
            messages = [Message("t/events", b"%d" % n, 1, False) for n in range(3)]
            entry = Entry(hand=1, counters=journal.counters, messages=tuple(messages))
            told.committer.submit([entry], lambda _error: told.submit())
            await until(lambda: len(told.said) == 1)
            for message in messages:
                outbox.put(message, 0.0)
            for each in outbox.take(2):
                outbox.done(each.key)
            await until(lambda: [each.message for each in journal.waiting()] == messages[2:])

    asyncio.run(run())


def test_that_costs_the_disk_nothing_while_more_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.storage.committer.FORGET_S", 3_600.0)

    async def run() -> None:
        async with running(tmp_path / "journal") as told:
            outbox, journal = told.committer.outbox, told.committer.journal
            statements: list[str] = []
            journal._database.connection.set_trace_callback(statements.append)
            for number in range(5):
                message = Message("t/events", b"%d" % number, 1, False)
                entry = Entry(hand=1, counters=journal.counters, messages=(message,))
                told.committer.submit([entry], lambda _error, m=message: outbox.put(m, 0.0))  # type: ignore[misc]
                [one] = await until(lambda: outbox.take(1))
                outbox.done(one.key)
                await asyncio.sleep(0.02)
            assert statements.count("COMMIT") == 5
            assert len(journal.waiting()) == 1, "forgotten with what came next"

    asyncio.run(run())
    with closing(Journal.open(tmp_path / "journal", report=pytest.fail)) as journal:
        assert journal.waiting() == []


def test_a_bug_is_loud(tmp_path: Path) -> None:
    async def run() -> None:
        with closing(Journal.open(tmp_path / "journal", report=pytest.fail)) as journal:
            committer = Committer(journal)

            def commit(_entries: Sequence[Entry], _sent: Sequence[int]) -> None:
                raise ZeroDivisionError

            journal.commit = commit  # type: ignore[assignment, method-assign]
            run = asyncio.create_task(committer.run())
            await asyncio.sleep(0)
            Told(committer).submit("1")
            with pytest.raises(ZeroDivisionError):
                await run

    asyncio.run(run())


def test_an_error_is_told_with_its_words(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal", report=pytest.fail)) as journal:
        _full(journal, 1)
        said: list[DatabaseError | None] = []
        entry = Entry(hand=1, counters=journal.counters, lines=(b"x" * 100_000,))
        Committer(journal).submit([entry], said.append)
        assert "the disk is full" in str(said)
