"""A room that missed events asks the table for them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.contract.events import Blinds, Closed, Phase, Start, StartSeat
from controller.contract.messages import TABLE_EVENT, Message, TableEvent
from controller.contract.observations import Dismiss, FloorRuling, Tick
from controller.contract.view import SeatView, TableView
from controller.storage.journal import Journal, verify
from controller.storage.published import SCHEMA
from controller.table.publisher import Publisher
from controller.table.resend import EVERY_S, MOST_AT_ONCE, Resender
from tests.journal.lines import append, begin_hand


def silent(line: str) -> None:
    pytest.fail(line)


def opened(path: Path, keep_hands: int = 500) -> Journal:
    return Journal.open(path, report=silent, keep_hands=keep_hands, now_s=lambda: 1_000.0)


def an_event(seq: int, *, session: str = "1-a", hand: int = 1) -> Message:
    event = TableEvent(session, seq, 5, Phase(1.0, hand, "flop"))
    return TABLE_EVENT.message("hall", "T1", payload=event)


def tell(journal: Journal, *messages: Message, hand: int = 1) -> None:
    append(journal, b"x", hand=hand, counters=journal.counters, messages=messages)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = opened(tmp_path / "journal")
    yield journal
    journal.close()


class Asker:
    def __init__(self, journal: Journal) -> None:
        self.now_s = 0.0
        self._resender = Resender("hall", "T1", journal.published, lambda: self.now_s)

    def __call__(
        self, fields: dict[str, object] | None = None, *, retained: bool = False
    ) -> tuple[str, list[int]]:
        payload = {"v": 1, "id": "q", "actor": "archive", "role": "room", **(fields or {})}
        answer, messages = self._resender.asked(json.dumps(payload).encode(), retained=retained)
        assert answer.ok == (answer.reason == "")
        assert all((m.qos, m.retain) == (0, False) for m in messages)
        return answer.reason, [TABLE_EVENT.decode(m.payload).value.seq for m in messages]


def test_what_was_published_is_said_again(journal: Journal) -> None:
    asked = Asker(journal)
    tell(journal, an_event(1), an_event(2))
    tell(journal, an_event(3), an_event(1, session="2-b"))
    assert asked({"session": "1-a", "from": 2, "to": 9}) == ("", [2, 3])
    asked.now_s += EVERY_S
    assert asked() == ("", [3, 1])  # the last of each session
    asked.now_s += EVERY_S
    assert asked({"session": "1-a", "from": 4, "to": 9}) == ("gone", [])
    asked.now_s += EVERY_S
    assert asked({"session": "3-c", "from": 1, "to": 1}) == ("gone", [])


def test_not_too_much_and_not_too_often(journal: Journal) -> None:
    asked = Asker(journal)
    tell(journal, *(an_event(seq) for seq in range(1, 700)))
    reason, seqs = asked({"session": "1-a", "from": 3, "to": 690})
    assert (reason, seqs) == ("", list(range(3, 3 + MOST_AT_ONCE)))
    assert asked({"session": "1-a", "from": 1, "to": 1}) == ("busy", [])
    asked.now_s += EVERY_S
    assert asked({"session": "1-a", "from": 1, "to": 1}) == ("", [1])


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"role": "floor"}, "role"),
        ({"v": 2}, "unknown-version"),
        ({"from": 0}, "malformed"),
        ({"from": 5, "to": 4}, "malformed"),
        ({"session": "a/b"}, "malformed"),
        ({"retained": True}, "retained"),
        ({"more": "x" * 20_000}, "oversize"),
    ],
)
def test_what_is_no_such_request(journal: Journal, fields: dict[str, object], reason: str) -> None:
    tell(journal, an_event(1))
    retained = bool(fields.pop("retained", False))
    assert Asker(journal)(fields, retained=retained) == (reason, [])


def test_it_goes_as_far_as_the_journal(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "journal", keep_hands=2)) as journal:
        for hand in range(1, 6):
            tell(journal, an_event(hand, hand=hand), hand=hand)
            begin_hand(journal, b"c", hand=hand + 1, counters=journal.counters)
        assert Asker(journal)({"session": "1-a", "from": 1, "to": 9}) == ("", [5])


def test_a_journal_of_before_is_kept_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with closing(opened(path)) as journal:
        tell(journal, an_event(1))
    with closing(sqlite3.connect(path)) as db:
        for table in ("published", "seal", "sealed", "sealed_before", "openings"):
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version=1")
    assert verify(path) is None
    with closing(opened(path)) as journal:
        assert journal.since_checkpoint()[1] == [b"x"]
        tell(journal, an_event(1, session="2-b"))
        assert Asker(journal)() == ("", [1])
    with closing(sqlite3.connect(path)) as db:
        found = [sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql NOTNULL")]
    assert [sql for sql in found if "published" in sql] == list(SCHEMA)


NAMED = Start(1.0, 1, (StartSeat(1, 100, "Zoe Quark"), StartSeat(2)), 1, Blinds(5, 10), "Ann")


def a_publisher(*, names: bool = False) -> Publisher:
    return Publisher("hall", "T1", session="s", version="1", now_ms=lambda: 0, names=names)


def test_players_names_stay_at_the_table() -> None:
    view = TableView(
        table="T1", rulebook="roberts", seats=(SeatView(1, player="Zoe Quark"), SeatView(2))
    )
    publisher = a_publisher()
    messages = [*publisher.events(Tick(1.0), [NAMED], view, view), publisher.picture(view)]
    assert len(messages) == 2
    for message in messages:
        assert b"Zoe" not in message.payload
    assert TABLE_EVENT.decode(messages[0].payload).value.event == msgspec.structs.replace(
        NAMED, seats=(StartSeat(1, 100), StartSeat(2))
    )
    publisher = a_publisher(names=True)
    messages = [*publisher.events(Tick(1.0), [NAMED], view, view), publisher.picture(view)]
    assert all(b"Zoe Quark" in message.payload for message in messages)


def test_who_decided_is_told_with_it() -> None:
    view = TableView(table="T1", rulebook="roberts")
    closed = Closed(1.0, 1, 7, "ruled")
    by_floor = FloorRuling(
        kind="floor", t=1.0, by="Bob", reason="seen", finding=7, outcome="stands"
    )
    by_dealer = Dismiss(kind="dealer", t=1.0, finding=7)
    told = [
        json.loads(a_publisher().events(observation, [closed], view, view)[0].payload)
        for observation in (by_floor, by_dealer, Tick(1.0))
    ]
    assert (told[0]["by"], told[0]["reason"]) == ("Bob", "seen")
    assert all("by" not in each and "reason" not in each for each in told[1:])
