"""Tables that talk nonsense, or too much: counted, and no other notices."""

from __future__ import annotations

import time

import pytest

from controller.broker.client import Incoming
from controller.contract.messages import MAX_PAYLOAD, TABLE_ALERT, TABLE_EVENT, TABLE_HAND
from controller.room.intake import BURST, PER_S
from tests.room.evening import SITE
from tests.room.test_alert_life import Floor


@pytest.fixture
def floor() -> Floor:
    floor = Floor()
    floor.table("T2")
    floor.hand_is(3, "T2")
    return floor


@pytest.mark.parametrize(
    ("payload", "what"),
    [
        (b"nonsense", "malformed"),
        (b'{"v":1}', "malformed"),
        (b"[" * 5_000, "malformed"),
        (b"\xff\xfe", "malformed"),
        (b'{"v":2,"session":"t"}', "unknown_version"),
        (b" " * (MAX_PAYLOAD + 1), "oversize"),
    ],
)
@pytest.mark.parametrize("row", [TABLE_ALERT, TABLE_HAND, TABLE_EVENT])
def test_what_cannot_be_used_is_counted_by_table(
    floor: Floor, row: object, payload: bytes, what: str
) -> None:
    names = ("T1", "1") if row is TABLE_ALERT else ("T1",)
    floor.room.received(Incoming(row.name(SITE, *names), payload, False))  # type: ignore[attr-defined]
    (trouble,) = floor.room.view().shift.trouble
    assert trouble.table == "T1"
    assert getattr(trouble, what) == 1
    assert floor.room.health().trouble == (trouble,)
    floor.alert("T2", 1)
    assert set(floor.alerts()) == {"T2/1"}


def test_a_table_that_floods_waits_and_the_last_word_counts(floor: Floor) -> None:
    for number in range(3_000):
        floor.alert("T1", number % 50, f"word {number}", prio=2)
    floor.alert("T2", 1)
    assert "T2/1" in floor.alerts()
    (trouble,) = floor.room.view().shift.trouble
    assert trouble.table == "T1"
    assert trouble.late > 2_000
    for number in range(50):
        floor.closes("T1", number)
    floor.passes(2_000)
    assert set(floor.alerts()) == {"T2/1"}


def test_a_flood_costs_little(floor: Floor) -> None:
    began = time.process_time()
    for number in range(5_000):
        floor.alert("T1", number % 90, prio=2)
    assert time.process_time() - began < 2.0


def test_a_flood_of_new_alerts_is_capped_and_flushes_nobodys_history(floor: Floor) -> None:
    floor.alert("T2", 1)
    floor.does("take", key="T2/1")
    for _ in range(30):
        for number in range(100):
            floor.alert("T1", number)
            floor.closes("T1", number)
        floor.passes(1_000)
    for number in range(3_000):
        floor.alert("T1", number)
    floor.passes(60_000)
    assert len([key for key in floor.alerts() if key.startswith("T1/")]) <= 100
    lines = floor.room.since(0)[1]
    assert len(lines) < 200
    assert ("take", "Ann") in floor.happened()


def test_events_beyond_the_budget_are_a_gap(floor: Floor) -> None:
    from controller.contract.events import Phase

    for _ in range(BURST + 50):
        floor.happens(Phase(1.0, 7, "flop"))
    (trouble,) = floor.room.view().shift.trouble
    assert trouble.dropped >= 49
    floor.machine.passes(1_000 * BURST // PER_S)
    floor.happens(Phase(1.0, 7, "turn"))
    heard = floor.room.view().shift.heard["T1"]
    assert ("t", BURST + 51) in heard.gaps
