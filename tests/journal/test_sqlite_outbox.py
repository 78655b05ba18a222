"""The outbox in the journal's file does what the one in memory does, and outlives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.messages import Message
from controller.storage.journal import Journal
from controller.storage.outbox import Pending
from controller.storage.sqlite_outbox import SqliteOutbox


def event(number: int) -> Message:
    return Message("t/events", str(number).encode(), 1, False)


def state(text: str) -> Message:
    return Message("t/state", text.encode(), 1, True)


def opened(folder: Path, limit: int = 10_000) -> Journal:
    return Journal.open(
        folder / "journal.sqlite3",
        report=pytest.fail,
        outbox_limit=limit,
        now_s=lambda: 7.0,
    )


def waiting(outbox: SqliteOutbox) -> list[bytes]:
    return [each.message.payload for each in pending(outbox)]


def pending(outbox: SqliteOutbox) -> list[Pending]:
    """All that waits, in the order of sending; it is as if nothing was taken then."""
    outbox.rewind()
    found = outbox.take(1000)
    outbox.rewind()
    return found


def stored(journal: Journal) -> list[bytes]:
    rows = journal._database.connection.execute("SELECT payload FROM outbox ORDER BY key")
    return [payload for (payload,) in rows]


def test_everything_about_a_message_is_kept(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    messages = [
        Message("t/answers", b"\x00{}", 1, False, 30, "t/back", b"\xff"),
        Message("t/alerts/1", b"", 1, True),
    ]
    for message in messages:
        journal.outbox.put(message, 3.5)
    journal.close()
    journal = opened(tmp_path)
    again = pending(journal.outbox)
    assert [each.message for each in again] == messages
    assert [each.at_s for each in again] == [3.5, 3.5]
    assert journal.outbox.holds("t/alerts/1")
    assert not journal.outbox.holds("t/answers")
    journal.close()


def test_what_goes_first_does_so_after_a_restart(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    alert = Message("cutcard/1/hall/tables/T1/alerts/1", b"alert", 1, True)
    for number in (1, 2):
        journal.outbox.put(event(number), 0.0)
    journal.outbox.put(alert, 0.0)
    assert stored(journal) == [b"1", b"2", b"alert"]
    journal.close()
    journal = opened(tmp_path)
    assert waiting(journal.outbox) == [b"alert", b"1", b"2"]
    journal.outbox.done(pending(journal.outbox)[0].key)
    assert stored(journal) == [b"1", b"2"]
    journal.close()


def test_on_disk_is_what_waits(tmp_path: Path) -> None:
    journal = opened(tmp_path, limit=3)
    outbox = journal.outbox
    outbox.put(state("old"), 0.0)
    outbox.put(event(1), 0.0)
    outbox.put(state("new"), 0.0)
    assert waiting(outbox) == stored(journal) == [b"1", b"new"]
    outbox.done(pending(outbox)[0].key)
    outbox.done(99)
    assert waiting(outbox) == stored(journal) == [b"new"]
    for number in (2, 3, 4):
        outbox.put(event(number), 0.0)
    assert waiting(outbox) == stored(journal) == [b"2", b"3", b"4"]
    assert (outbox.dropped, outbox.unsaved, len(outbox)) == (1, 0, 3)
    assert not outbox.holds("t/state")
    journal.close()
    journal = opened(tmp_path, limit=2)
    assert waiting(journal.outbox) == stored(journal) == [b"3", b"4"]
    assert journal.outbox.dropped == 1
    journal.close()


def test_keys_ascend_although_the_table_was_empty(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    keys: list[int] = []
    for number in range(3):
        journal.outbox.put(event(number), 0.0)
        keys.append(journal.outbox.take(1)[0].key)
        journal.outbox.done(keys[-1])
    assert keys == sorted(set(keys))
    assert stored(journal) == []
    journal.close()


def test_what_a_line_brought_waits_for_its_put(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    first, second, unlasting = event(1), state("new"), Message("t/time", b"now", 0, False)
    journal.outbox.put(state("old"), 0.0)
    messages = [first, unlasting, second]
    journal.append(b"line", hand=1, counters=journal.counters, messages=messages)
    assert stored(journal) == [b"1", b"new"]
    assert waiting(journal.outbox) == [b"old"]
    journal.outbox.put(event(1), 0.0)  # equal to the first, but another one
    journal.outbox.put(first, 99.0)
    journal.outbox.put(second, 99.0)
    assert waiting(journal.outbox) == [b"1", b"1", b"new"]
    assert sorted(stored(journal)) == [b"1", b"1", b"new"]
    assert [each.at_s for each in pending(journal.outbox)] == [0.0, 7.0, 7.0]
    journal.close()


def test_what_never_got_its_put_is_sent_all_the_same(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    journal.append(b"line", hand=1, counters=journal.counters, messages=[event(1)])
    journal.append(b"line", hand=1, counters=journal.counters, messages=[event(2)])
    assert waiting(journal.outbox) == [b"1"]
    journal.close()
    journal = opened(tmp_path)
    assert waiting(journal.outbox) == [b"1", b"2"]
    journal.close()
