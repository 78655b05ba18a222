"""Which event of a room has which table."""

from __future__ import annotations

from controller.contract.view import TableView
from controller.room.register import Register
from controller.room.seat_draw import RoomTable
from controller.room.table_split import EventTables, TableSplit, split
from tests.room.evening import Hall


def test_a_table_is_of_the_first_list_that_names_it() -> None:
    assert split({"": ("1", "2"), "turbo": ("2", "3"), "late": ("3",)}) == {
        "1": "",
        "2": "",
        "3": "turbo",
    }


def test_a_table_in_no_list_is_the_first_events() -> None:
    whose = TableSplit()
    whose.add("", Register)
    assert whose.of("7") == ""
    lists = {"turbo": Register(tables=(RoomTable("7", 9),))}
    whose.add("turbo", lambda: lists["turbo"])
    assert (whose.of("7"), whose.of("8")) == ("turbo", "")
    lists["turbo"] = Register(tables=(RoomTable("8", 9),))
    assert (whose.of("7"), whose.of("8")) == ("", "turbo")
    whose.drop("turbo")
    assert whose.of("8") == ""


def test_each_event_sees_its_own_tables() -> None:
    hall = Hall()
    hall.room.link(True)
    watch = hall.room._watch
    whose = TableSplit()
    whose.add("", Register)
    first = EventTables(watch, whose, "")
    hall.hand("7")
    hall.hand("8")
    assert first.tables is watch.tables  # one event has all that there is
    turbo = Register(tables=(RoomTable("7", 9), RoomTable("9", 9)))
    whose.add("turbo", lambda: turbo)
    other = EventTables(watch, whose, "turbo")
    assert (list(first.tables), list(other.tables)) == (["8"], ["7"])
    assert first.view("7") is None
    seen = other.view("7")
    assert isinstance(seen, TableView)
    assert seen.table == "7"
    assert other.has("9")
    hall.hand("9")
    assert list(other.tables) == ["7", "9"]
    assert other.tables is other.tables  # made once
