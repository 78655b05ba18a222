"""The outbox of which a part is in the journal's file does what the one in memory does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.contract.messages import Message
from controller.storage.committer import Committer
from controller.storage.database import DatabaseError
from controller.storage.journal import Entry, Journal
from controller.storage.kept_outbox import KeptOutbox
from controller.storage.outbox import Pending


def event(number: int) -> Message:
    return Message("t/events", str(number).encode(), 1, False)


def state(text: str) -> Message:
    return Message("t/state", text.encode(), 1, True)


class Table:
    """What a start makes of a folder."""

    def __init__(self, folder: Path, limit: int = 10_000) -> None:
        self.journal = Journal.open(
            folder / "journal.sqlite3", report=pytest.fail, now_s=lambda: 7.0
        )
        self._committer = Committer(self.journal, outbox_limit=limit)
        self.outbox: KeptOutbox = self._committer.outbox

    def commit(self, *messages: Message) -> None:
        """A line from which these follow."""
        entry = Entry(hand=1, counters=self.journal.counters, lines=(b"line",), messages=messages)
        self._committer.submit([entry], self._done)

    def say(self, *messages: Message) -> None:
        """Commits them and hands them to the client."""
        self.commit(*messages)
        for message in messages:
            self.outbox.put(message, 99.0)

    def _done(self, error: DatabaseError | None) -> None:
        assert error is None

    def close(self) -> None:
        self.journal.close()

    def pending(self) -> list[Pending]:
        """All that waits, in the order of sending; it is as if nothing was taken then."""
        self.outbox.rewind()
        found = self.outbox.take(1000)
        self.outbox.rewind()
        return found

    @property
    def waiting(self) -> list[bytes]:
        return [each.message.payload for each in self.pending()]

    @property
    def stored(self) -> list[bytes]:
        return [each.message.payload for each in self.journal.waiting()]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(Table(tmp_path)) as table:
        yield table


def test_everything_about_a_message_is_kept(table: Table, tmp_path: Path) -> None:
    messages = [
        Message("t/answers", b"\x00{}", 1, False, 30, "t/back", b"\xff"),
        Message("t/alerts/1", b"", 1, True),
    ]
    table.say(*messages)
    table.close()
    with closing(Table(tmp_path)) as again:
        assert [each.message for each in again.pending()] == messages
        assert [each.at_s for each in again.pending()] == [7.0, 7.0]
        assert again.outbox.holds("t/alerts/1")
        assert not again.outbox.holds("t/answers")


def test_what_goes_first_does_so_after_a_restart(table: Table, tmp_path: Path) -> None:
    table.say(event(1), event(2), Message("cutcard/1/hall/tables/T1/alerts/1", b"alert", 1, True))
    assert table.stored == [b"1", b"2", b"alert"]
    table.close()
    with closing(Table(tmp_path)) as again:
        assert again.waiting == [b"alert", b"1", b"2"]
        again.outbox.done(again.pending()[0].key)
        assert again.stored == [b"1", b"2"]


def test_on_disk_is_what_waits(tmp_path: Path) -> None:
    with closing(Table(tmp_path, limit=3)) as table:
        outbox = table.outbox
        for message in (state("old"), event(1), state("new")):
            table.say(message)
        assert table.waiting == table.stored == [b"1", b"new"]
        outbox.done(table.pending()[0].key)
        outbox.done(99)
        assert table.waiting == table.stored == [b"new"]
        for number in (2, 3, 4):
            table.say(event(number))
        assert table.waiting == table.stored == [b"2", b"3", b"4"]
        assert (outbox.dropped, outbox.unsaved, len(outbox)) == (1, 0, 3)
        assert not outbox.holds("t/state")
    with closing(Table(tmp_path, limit=2)) as table:
        assert table.waiting == table.stored == [b"3", b"4"]
        assert table.outbox.dropped == 1


def test_keys_ascend_although_the_table_was_empty(table: Table) -> None:
    keys: list[int] = []
    for number in range(3):
        table.say(event(number))
        keys.append(table.outbox.take(1)[0].key)
        table.outbox.done(keys[-1])
    assert keys == sorted(set(keys))
    assert table.stored == []


def test_what_a_line_brought_waits_for_its_put(table: Table) -> None:
    first, second, unlasting = event(1), state("new"), Message("t/time", b"now", 0, False)
    table.say(state("old"))
    table.commit(first, unlasting, second)
    assert table.stored == [b"1", b"new"]
    assert table.waiting == [b"old"]
    table.outbox.put(event(1), 0.0)  # equal to the first, but another one
    table.outbox.put(first, 99.0)
    table.outbox.put(second, 99.0)
    assert table.waiting == [b"1", b"1", b"new"]
    assert [each.at_s for each in table.pending()] == [0.0, 7.0, 7.0]


def test_what_follows_from_no_line_waits_in_memory(table: Table) -> None:
    table.say(state("of a line"))
    table.outbox.put(state("of none"), 3.5)
    assert table.waiting == [b"of none"]
    assert table.outbox.unsaved == 1
    assert [each.at_s for each in table.pending()] == [3.5]
    assert table.stored == []


def test_what_never_got_its_put_is_sent_all_the_same(table: Table, tmp_path: Path) -> None:
    table.commit(event(1))
    table.commit(event(2))
    assert table.waiting == [b"1"]
    table.close()
    with closing(Table(tmp_path)) as again:
        assert again.waiting == [b"1", b"2"]
