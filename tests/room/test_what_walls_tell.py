"""What of the room's alerts leaves it for those who only look on: the house's choice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.contract.messages import ROOM_TOURNAMENT, Dismissed, WallAlert
from controller.room.alerts import AlertKind, Made, RoomAlert, Shelf
from controller.room.tables import in_order
from controller.room.view import ScreenSetup
from controller.room.walls import MOST_TABLES, MOST_TITLES, WallsTell, for_walls, why_paused
from tests.room.evening import SITE, Hall

CHOICES: tuple[WallsTell, ...] = ("none", "calls", "all")
TITLE = "Four-card flop"


def alert(
    table: str,
    kind: AlertKind = "finding",
    **more: Any,  # noqa: ANN401 - fields of an alert
) -> RoomAlert:
    title = TITLE if kind == "finding" else ""
    given: dict[str, Any] = {"at": 5, "priority": 2 if kind == "lost" else 1, "title": title}
    return RoomAlert(key=f"{table}/{kind}", table=table, kind=kind, **(given | more))


def test_nothing_is_told_where_nothing_is_to_be() -> None:
    every = [alert("1", kind) for kind in ("finding", "call", "lost", "reader")]
    assert for_walls(every, "none") == ()


def test_calls_are_told_without_what_for_the_oldest_first() -> None:
    alerts = [alert("8", at=9), alert("3", "call", at=7), alert("12", at=8), alert("5", "lost")]
    assert for_walls(alerts, "calls") == (WallAlert("call", ("3", "12", "8"), 3),)


def test_a_table_is_called_to_once() -> None:
    assert for_walls([alert("8"), alert("8", "call", at=9)], "calls") == (
        WallAlert("call", ("8",), 1),
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"priority": 2},
        {"owner": "Ann", "taken_ms": 6},
        {"made": Made("stands", "Ann", 6)},
        {"shelf": Shelf(99, "Ann", "later")},
        {"dismissed": Dismissed(7, "Ann", "misread")},
        {"closed_ms": 6},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_floor_is_not_called_where_nobody_has_to_go(changed: dict[str, Any]) -> None:
    assert for_walls([alert("8", **changed)], "calls") == ()


@pytest.mark.parametrize(
    "changed", [{"level": 1}, {"alone_ms": 7}], ids=lambda each: next(iter(each))
)
def test_the_floor_is_called_again_where_whoever_took_it_does_not_come(
    changed: dict[str, Any],
) -> None:
    taken = alert("8", owner="Ann", taken_ms=6, **changed)
    assert for_walls([taken], "calls") == (WallAlert("call", ("8",), 1),)


def test_all_is_the_calls_and_what_went_wrong_and_who_does_not_answer_each_of_it_once() -> None:
    alerts = [
        *(alert(table) for table in ("8", "10", "3")),
        alert("4", priority=2, title="No burn card", at=1),
        *(alert(table, "lost") for table in ("20", "7")),
        alert("5", "reader", title="seat 3: no reads"),
        alert("", "test"),
    ]
    assert for_walls(alerts, "all") == (
        WallAlert("call", ("10", "3", "8"), 3),
        WallAlert("finding", ("3", "8", "10"), 3, TITLE),
        WallAlert("finding", ("4",), 1, "No burn card"),
        WallAlert("lost", ("7", "20"), 2),
    )


def test_what_was_dismissed_put_aside_or_closed_is_not_told_at_all() -> None:
    ended: tuple[dict[str, Any], ...] = (
        {"dismissed": Dismissed(7, "Ann", "misread")},
        {"shelf": Shelf(99, "Ann", "later")},
        {"closed_ms": 6},
    )
    assert for_walls([alert(f"{n}", **each) for n, each in enumerate(ended)], "all") == ()


def test_however_many_tables_there_are_little_is_said_of_them() -> None:
    alerts = [alert(f"T{n}", title=f"title {n % 40}") for n in range(2_000)]
    told = for_walls(alerts, "all")
    assert [each.kind for each in told] == ["call", *["finding"] * MOST_TITLES]
    assert (len(told[0].tables), told[0].count) == (MOST_TABLES, 2_000)
    assert len(msgspec.json.encode(told)) < 16_000


def test_tables_are_in_the_order_in_which_people_count() -> None:
    names = ["10", "2", "T10", "T2", "T2b", "1", "Stage", "007", "7"]
    assert in_order(names) == ["1", "2", "007", "7", "10", "Stage", "T2", "T2b", "T10"]


@pytest.mark.parametrize(
    ("tells", "why"), [("none", ""), ("calls", "Table 3"), ("all", "Table 3: Four-card flop")]
)
def test_a_pause_says_as_much_as_the_walls_may(tells: WallsTell, why: str) -> None:
    assert why_paused("3", TITLE, tells) == why


def hall_that_tells(tells: WallsTell) -> Hall:
    """A room with a finding at T1 for which it has paused the clock, and a lost table T2."""
    hall = Hall(screen=ScreenSetup(alerts=tells))
    hall.room.link(True)
    hall.act("start")
    for table in ("T1", "T2"):
        hall.table(table)
        hall.hand(table)
    hall.passes(5_000)
    hall.act("rules", pause_on_dispute=True)
    hall.alert("T1", 1, TITLE)
    hall.table("T2", "lost")
    hall.passes(15_000)
    assert hall.state() == "paused"
    return hall


@pytest.mark.parametrize("tells", CHOICES)
def test_what_is_not_for_walls_is_in_nothing_that_the_room_publishes(tells: WallsTell) -> None:
    hall = hall_that_tells(tells)
    said = [each.payload for each in hall.sent if "/room/" in each.topic]
    assert any(b'"why":"Table T1' in each for each in said) is (tells != "none")
    assert any(TITLE.encode() in each for each in said) is (tells == "all")
    published = ROOM_TOURNAMENT.name(SITE)
    last = [each.payload for each in hall.sent if each.topic == published][-1]
    told = ROOM_TOURNAMENT.decode(last).value.alerts
    assert told == hall.room.view().tournament.alerts
    assert [(each.kind, each.tables, each.title) for each in told] == {
        "none": [],
        "calls": [("call", ("T1",), "")],
        "all": [("call", ("T1",), ""), ("finding", ("T1",), TITLE), ("lost", ("T2",), "")],
    }[tells]


def test_what_is_told_goes_when_it_is_over_and_the_floor_sees_all_of_it_anyway() -> None:
    hall = hall_that_tells("calls")
    assert [each.title for each in hall.room.view().shift.alerts] == [TITLE, ""]
    hall.closes("T1", 1)
    assert hall.room.view().tournament.alerts == ()


def test_calls_are_what_is_told_where_the_house_has_not_said() -> None:
    assert ScreenSetup().alerts == "calls"
    assert for_walls([alert("8")], ScreenSetup().alerts) == (WallAlert("call", ("8",), 1),)
