"""A table that gives no sign of life is known to be silent, and nobody else is."""

from __future__ import annotations

from controller.broker.client import Incoming
from controller.contract.messages import (
    BEAT_S,
    ROOM_TIME,
    TABLE_HAND,
    TABLE_STATE,
    Hand,
    RoomTime,
    State,
)
from controller.contract.view import TableView
from controller.room.silence import BACK_MS, NOTHING_MS, SILENT_MS
from tests.room.evening import SITE, Hall

KNOWN_MS = 5_000
"""Within so long the silence of a table is to be known."""


def beats(hall: Hall, *tables: str) -> None:
    for table in tables:
        said = TABLE_STATE.message(SITE, table, payload=State("ready", "t", "0"))
        hall.room.received(Incoming(said.topic, said.payload, retain=False, qos=0))


def says(hall: Hall, table: str, hand: int) -> None:
    """A table tells of a hand that is played just now."""
    view = TableView(table=table, rulebook="uk-tda", hand=hand, phase="flop")
    said = TABLE_HAND.message(SITE, table, payload=Hand("t", 4, 5, view))
    hall.hears(said, retain=False)


def echo(hall: Hall) -> None:
    """The broker gives the room back what it says itself."""
    hall.hears(ROOM_TIME.message(SITE, payload=RoomTime("s1", 0)))


def live(hall: Hall) -> set[str]:
    return {each.id for each in hall.room.view().tables if each.live}


def passes(hall: Hall, ms: int, *tables: str) -> None:
    """Time passes, in which these tables beat and the broker carries."""
    for _ in range(ms // 500):
        hall.passes(500)
        echo(hall)
        beats(hall, *tables)


def a_room(*tables: str) -> Hall:
    hall = Hall()
    hall.room.link(True)
    hall.room.start()
    for table in tables:
        hall.table(table)
    passes(hall, BACK_MS, *tables)
    assert live(hall) == set(tables)
    return hall


def test_the_limits_fit() -> None:
    assert SILENT_MS + 1_000 < KNOWN_MS  # the room looks once a second
    assert SILENT_MS > 2 * 1_250 * BEAT_S


def test_who_says_nothing_is_silent_and_back_with_the_first_word() -> None:
    hall = a_room("T1", "T2")
    hall.hand("T1")
    hall.alert("T1", 1)
    passes(hall, 3_000, "T2")
    assert live(hall) == {"T1", "T2"}
    passes(hall, 2_000, "T2")
    assert live(hall) == {"T2"}
    assert hall.open() == [("T1", "1", True)]
    assert hall.room.health().tables == {"ready": 1, "unheard": 1}
    turn = hall.room.turn
    beats(hall, "T1")
    assert live(hall) == {"T1", "T2"}
    assert hall.room.turn > turn
    passes(hall, 10_000, "T1", "T2")
    assert hall.open() == [("T1", "1", False)]  # nothing has to be said again


def test_whatever_it_says_is_a_sign_of_life() -> None:
    hall = a_room("T1", "T2")
    for number in range(10):
        passes(hall, 2_000, "T2")
        says(hall, "T1", number)
        assert live(hall) == {"T1", "T2"}


def test_what_the_broker_has_kept_is_none() -> None:
    hall = a_room("T1")
    passes(hall, 3_000)
    hall.hand("T1")
    passes(hall, 2_000)
    assert live(hall) == set()


def test_its_last_will_is_none() -> None:
    hall = a_room("T1")
    says(hall, "T1", 1)
    passes(hall, 60_000)
    (alert,) = hall.room.view().shift.alerts
    assert (alert.kind, live(hall)) == ("lost", set())
    hall.hears(TABLE_STATE.message(SITE, "T1", payload=State("lost", "t", "0")), retain=False)
    assert hall.room.view().shift.alerts == (alert,)
    assert [each.what for each in hall.room.since(0)[1]] == ["raised"]
    passes(hall, 10_000)
    hall.hears(TABLE_STATE.message(SITE, "T1", payload=State("ready", "u", "0")), retain=False)
    passes(hall, 2_000)  # until its first sign of life nothing is missing
    assert live(hall) == {"T1"}


def test_a_table_that_never_gave_a_sign_is_left_to_the_broker() -> None:
    hall = Hall()
    hall.room.link(True)
    hall.table("T1")
    says(hall, "T1", 1)
    passes(hall, 30_000)
    assert live(hall) == {"T1"}


def test_when_the_broker_is_silent_no_table_is() -> None:
    hall = a_room("T1", "T2")
    hall.passes(20_000)
    assert live(hall) == {"T1", "T2"}
    beats(hall, "T2")  # it carries again: whoever comes later had no chance
    hall.passes(1_000)
    assert live(hall) == {"T1", "T2"}
    passes(hall, 2_000, "T2")
    assert live(hall) == {"T1", "T2"}
    passes(hall, 2_500, "T2")
    assert live(hall) == {"T2"}


def test_when_the_room_did_not_listen_no_table_is() -> None:
    hall = a_room("T1")
    hall.machine.passes(NOTHING_MS + 10_000)
    hall.room.tick()
    assert live(hall) == {"T1"}


def test_a_broker_that_is_back_is_to_be_found_first() -> None:
    hall = a_room("T1", "T2")
    hall.room.link(False)
    assert live(hall) == set()
    hall.passes(60_000)
    hall.room.link(True)
    for table in ("T1", "T2"):
        hall.table(table)
    passes(hall, 8_000, "T2")
    assert live(hall) == {"T1", "T2"}
    passes(hall, 8_000, "T2")
    assert live(hall) == {"T2"}
