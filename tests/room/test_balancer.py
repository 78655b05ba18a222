"""A room proposes moves as its tables empty, tells everybody of those that are made, and lets a
table that is too short play no further hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from controller.contract.messages import PauseCommand
from controller.library.books import Library
from controller.room.seat_draw import AtSeat
from tests.room.evening import Hall
from tests.room.told_tables import SECOND, Tables

NINE = range(1, 10)


@pytest.fixture
def hall(library: Library) -> Hall:
    """Nine players sit at each of two tables, by the British rules."""
    hall = Hall(rules=lambda book: library.book(book).tournament)
    hall.room.link(True)
    hall.act("tables", tables=[{"table": "T1", "seats": 9}, {"table": "T2", "seats": 9}])
    for table in ("T1", "T2"):
        for seat in NINE:
            hall.act("enter", name=f"{table}-{seat}", table=table, seat=seat)
    hall.act("tournament", starting_stack=10_000)
    return hall


@pytest.fixture
def tables(hall: Hall) -> Tables:
    tables = Tables(hall)
    for table in ("T1", "T2"):
        hall.table(table)
        tables.shows(table, 0, {}, phase="complete")
    hall.act("start")
    for table in ("T1", "T2"):
        tables.takes(table)
    return tables


def plays(tables: Tables, table: str, seats: Sequence[int], *, over: bool = False) -> None:
    """A hand with the button at 1, which runs or is over."""
    tables.shows(
        table,
        5,
        dict.fromkeys(seats, 10_000),
        phase="complete" if over else "flop",
        small=2,
        big=3,
    )


def out(hall: Hall, table: str, *seats: int) -> None:
    for seat in seats:
        hall.act("bust", table=table, seat=seat)
    hall.passes(2 * SECOND)


def proposed(hall: Hall) -> list[tuple[AtSeat, AtSeat]]:
    return [(each.mover.at, each.to) for each in hall.room.view().to_move]


def paused(hall: Hall) -> list[tuple[str, bool]]:
    return [
        (table, told.paused)
        for table, told in hall.commands("pause")
        if isinstance(told, PauseCommand)
    ]


def test_a_move_is_proposed_once_two_tables_differ_by_two(hall: Hall, tables: Tables) -> None:
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE)
    out(hall, "T2", 5)
    assert proposed(hall) == []
    out(hall, "T2", 8)
    assert proposed(hall) == [(AtSeat("T1", 4), AtSeat("T2", 5))]
    (move,) = hall.room.view().to_move
    assert (move.mover.name, move.cites) == ("T1-4", ("UK-09B", "TDA09-06a"))


def test_who_is_moved_is_announced_to_everybody(hall: Hall, tables: Tables) -> None:
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE)
    out(hall, "T2", 5, 8)
    (move,) = hall.room.view().to_move
    at = {"table": move.to.table, "seat": move.to.seat}
    hall.act("sit", player=move.mover.player, **at, announce=True)
    hall.passes(SECOND)
    assert proposed(hall) == []
    (said,) = hall.room.view().moves
    assert (said.player, said.from_.table, said.from_.seat) == ("T1-4", "T1", 4)
    assert (said.to.table, said.to.seat) == ("T2", 5)


@pytest.mark.parametrize("back", ["sit", "stand", "withdraw"])
def test_a_move_that_is_taken_back_is_announced_no_more(
    hall: Hall, tables: Tables, back: str
) -> None:
    plays(tables, "T2", NINE)
    out(hall, "T2", 5)
    (player,) = [each.id for each in hall.room.view().register.players if each.name == "T1-4"]
    hall.act("sit", player=player, table="T2", seat=5, announce=True)
    assert [each.player for each in hall.room.view().moves] == ["T1-4"]
    hall.act(back, player=player, **({"table": "T1", "seat": 4} if back == "sit" else {}))
    assert hall.room.view().moves == ()


def test_who_changes_seats_at_his_table_is_not_announced(hall: Hall, tables: Tables) -> None:
    plays(tables, "T2", NINE)
    out(hall, "T2", 5)
    hall.act("sit", player="p1", table="T2", seat=5, announce=True)
    hall.act("sit", player="p1", table="T1", seat=1, announce=True)
    hall.act("stand", player="p2")
    hall.act("sit", player="p3", table="T1", seat=2, announce=True)
    hall.act("sit", player="p2", table="T1", seat=3, announce=True)
    (back,) = hall.room.view().moves
    assert (back.player, back.to.table) == ("T1-1", "T1"), "where he was to go before is not said"


def test_before_the_start_and_after_the_end_nobody_moves(hall: Hall) -> None:
    tables = Tables(hall)
    for table in ("T1", "T2"):
        hall.table(table)
        plays(tables, table, NINE)
    for seat in (4, 5, 6):
        hall.act("stand", player=f"p{seat}")
    hall.passes(2 * SECOND)
    assert proposed(hall) == []
    hall.act("start")
    hall.passes(2 * SECOND)
    assert proposed(hall) != []
    hall.act("end")
    hall.passes(2 * SECOND)
    assert proposed(hall) == []
    assert hall.room.view().halted == ()


def test_the_house_may_keep_its_tables_less_even(hall: Hall, tables: Tables) -> None:
    """UK-09C, TDA24-11D4: at the director's discretion."""
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE)
    hall.act("even", gap=3)
    out(hall, "T2", 5, 8)
    assert proposed(hall) == []
    hall.act("even")
    hall.passes(2 * SECOND)
    assert len(proposed(hall)) == 1


def test_a_table_that_is_three_short_finishes_its_hand_and_stops(
    hall: Hall, tables: Tables
) -> None:
    """UK-09C, TDA09-06d: until it has a player more."""
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE)
    out(hall, "T2", 5, 8)
    assert hall.room.view().halted == ()
    out(hall, "T2", 9)
    (halted,) = hall.room.view().halted
    assert (halted.table, halted.short, halted.cites) == ("T2", 3, ("UK-09C",))
    assert paused(hall) == [], "its hand is not over"
    plays(tables, "T2", NINE, over=True)
    hall.passes(SECOND)
    assert paused(hall) == [("T2", True)]
    closing = hall.commands("pause")[-1][1]
    assert closing.hand is not None, "one that has begun meanwhile is played to its end"
    hall.answers(closing)
    tables.shows("T2", 5, {}, phase="complete", small=2, big=3, is_open=False)
    hall.act("sit", player="p4", table="T2", seat=5, announce=True)
    hall.passes(SECOND)
    assert hall.room.view().halted == ()
    assert paused(hall) == [("T2", True), ("T2", False)]


def test_or_until_the_director_waives_it(hall: Hall, tables: Tables) -> None:
    """UK-09C, TDA24-11D3."""
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE, over=True)
    out(hall, "T2", 5, 8, 9)
    assert paused(hall) == [("T2", True)]
    hall.answers(hall.commands("pause")[-1][1])
    tables.shows("T2", 5, {}, phase="complete", small=2, big=3, is_open=False)
    hall.act("waive", table="T2")
    hall.passes(SECOND)
    assert paused(hall) == [("T2", True), ("T2", False)]
    assert [each.table for each in hall.room.view().halted] == ["T2"]


def test_a_waiver_is_for_as_long_as_the_table_is_short(hall: Hall, tables: Tables) -> None:
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE, over=True)
    out(hall, "T2", 5, 8, 9)
    hall.act("waive", table="T2")
    hall.act("waive", table="T2", ends=True)
    hall.act("waive", table="T2")
    hall.passes(SECOND)
    assert hall.room.view().register.waived == ("T2",)
    hall.act("sit", player="p4", table="T2", seat=5)
    hall.passes(SECOND)
    assert hall.room.view().register.waived == ()


def test_while_somebody_may_still_enter_no_table_breaks(hall: Hall, tables: Tables) -> None:
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE)
    hall.act("late", level=1)
    out(hall, "T2", 2, 4, 6, 8)
    out(hall, "T1", 2, 4, 6, 8, 9)
    assert hall.room.view().to_break is None
    hall.act("next")
    hall.passes(2 * SECOND)
    assert hall.room.view().to_break is not None


def test_a_table_breaks_once_its_players_have_room(hall: Hall, tables: Tables) -> None:
    """UK-10: two tables play on until nine are left; then all are drawn anew."""
    plays(tables, "T1", NINE)
    plays(tables, "T2", NINE)
    out(hall, "T2", 2, 4, 6, 8)
    out(hall, "T1", 2, 4, 6, 8)
    assert hall.room.view().to_break is None
    out(hall, "T1", 9)
    due = hall.room.view().to_break
    assert due is not None
    assert (due.breaks, due.stay, due.all, due.players, due.cites) == (
        ("T2",),
        ("T1",),
        True,
        9,
        ("UK-10",),
    )
    assert hall.room.view().to_move == (), "they need not"
    hall.act("redraw", tables=due.stay, all=due.all)
    hall.passes(SECOND)
    view = hall.room.view()
    assert view.to_break is None
    assert sorted(at.table for at in view.register.by_seat) == ["T1"] * 9
    gone = sorted(each.player for each in view.moves)
    assert gone == [f"T2-{n}" for n in (1, 3, 5, 7, 9)]
    assert len(view.register.draws[-1].draw.seed) > 8, "one was made for it"
