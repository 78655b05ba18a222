"""A player who was moved counts once he is there; tables gather their players where the books have
all hands over first, and for a final table, which begins from a new button."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from controller.contract.messages import PauseCommand, SeatsCommand
from controller.library.books import Library
from controller.room.acts import ActError
from controller.room.seat_draw import AtSeat, drawn_seat
from tests.room.evening import MINUTE, Hall
from tests.room.told_tables import SECOND, Tables


def hall_of(library: Library, **tables: Iterable[int]) -> Hall:
    hall = Hall(rules=lambda book: library.book(book).tournament)
    hall.room.link(True)
    hall.act("tables", tables=[{"table": name, "seats": 9} for name in tables])
    hall.act("tournament", starting_stack=10_000)
    for name, seats in tables.items():
        for seat in seats:
            hall.act("enter", name=f"{name}-{seat}", table=name, seat=seat)
    return hall


def begun(hall: Hall, book: str) -> Tables:
    """Each table plays its fifth hand with its players, the button at seat 1."""
    tables = Tables(hall)
    names = [each.table for each in hall.room.view().register.tables]
    for name in names:
        hall.table(name)
        tables.shows(name, 0, {}, phase="complete", book=book)
    hall.act("start")
    for name in names:
        tables.takes(name)
        plays(tables, name, 5, book)
    hall.passes(SECOND)
    return tables


def plays(tables: Tables, table: str, hand: int, book: str, *, over: bool = False) -> None:
    seats = [at.seat for at in tables.hall.room.view().register.by_seat if at.table == table]
    tables.shows(
        table,
        hand,
        dict.fromkeys(seats, 10_000),
        phase="complete" if over else "flop",
        book=book,
        small=2,
        big=3,
    )


def paused(hall: Hall) -> dict[str, bool]:
    """What each table was told last."""
    said = [(t, c) for t, c in hall.commands("pause") if isinstance(c, PauseCommand)]
    return {table: command.paused for table, command in said}


def player(hall: Hall, name: str) -> str:
    return next(each.id for each in hall.room.view().register.players if each.name == name)


def where(hall: Hall, name: str) -> tuple[AtSeat | None, bool]:
    found = hall.room.view().register.by_id[player(hall, name)]
    return found.at, found.coming


# a single move


def test_a_move_is_announced_until_he_is_there(library: Library) -> None:
    hall = hall_of(library, T1=range(1, 10), T2=(1, 2, 3, 4))
    begun(hall, "uk-tda")
    hall.act("sit", player=player(hall, "T1-4"), table="T2", seat=8, announce=True)
    hall.passes(20 * MINUTE)
    assert [each.player for each in hall.room.view().moves] == ["T1-4"]
    hall.act("arrive", player=player(hall, "T1-4"))
    assert hall.room.view().moves == ()
    with pytest.raises(ActError, match="not on the way"):
        hall.act("arrive", player=player(hall, "T1-4"))
    hall.act("arrive", player=player(hall, "T1-4"), ends=True)
    assert where(hall, "T1-4") == (AtSeat("T2", 8), True)


def test_who_sits_elsewhere_at_his_table_or_before_the_start_is_there_at_once(
    library: Library,
) -> None:
    hall = hall_of(library, T1=(1, 2, 3), T2=(1, 2, 3))
    hall.act("sit", player=player(hall, "T1-1"), table="T2", seat=8, announce=True)
    assert not where(hall, "T1-1")[1]
    begun(hall, "uk-tda")
    hall.act("sit", player=player(hall, "T2-2"), table="T2", seat=7, announce=True)
    assert not where(hall, "T2-2")[1]


def test_who_has_no_seat_now_is_on_the_way_to_none(library: Library) -> None:
    hall = hall_of(library, T1=(1, 2, 3), T2=(1, 2, 3))
    begun(hall, "uk-tda")
    hall.act("stand", player=player(hall, "T1-1"))
    with pytest.raises(ActError, match="not at a new table"):
        hall.act("arrive", player=player(hall, "T1-1"), ends=True)
    assert where(hall, "T1-1") == (None, False)


# HPT-MOVE-04, HPT-MOVE-06: after all hands at all tables, and before the next one anywhere


def test_for_a_move_after_all_hands_no_table_deals_until_he_is_there(library: Library) -> None:
    hall = hall_of(library, T1=range(1, 10), T2=range(1, 10), T3=range(1, 8))
    tables = begun(hall, "homepokertourney")
    (move,) = hall.room.view().to_move
    assert move.when == "all"
    mover = move.mover
    hall.act("sit", player=mover.player, table="T3", seat=move.to.seat, announce=True, all=True)
    hall.passes(2 * SECOND)
    assert paused(hall) == {}, "hands are finished first"
    for table in ("T1", "T2", "T3"):
        plays(tables, table, 5, "homepokertourney", over=True)
        hall.passes(2 * SECOND)
    assert paused(hall) == {"T1": True, "T2": True, "T3": True}
    hall.act("arrive", player=mover.player)
    for table in ("T1", "T2", "T3"):
        tables.shows(table, 5, {1: 10_000, 2: 10_000}, phase="complete", is_open=False)
    hall.passes(3 * SECOND)
    assert paused(hall) == {"T1": False, "T2": False, "T3": False}


# NL10-SEAT-04: between levels


def test_a_move_as_the_level_ends_is_made_then(library: Library) -> None:
    hall = hall_of(library, T1=range(1, 10), T2=range(1, 7))
    begun(hall, "nl-2010")
    move = hall.room.view().to_move[0]
    assert move.when == "level"
    seat = {"table": move.to.table, "seat": move.to.seat}
    hall.act("sit-later", player=move.mover.player, **seat)
    hall.passes(SECOND)
    assert where(hall, move.mover.name)[0] == move.mover.at
    with pytest.raises(ActError, match="is not free"):
        hall.act("sit-later", player=player(hall, "T1-1"), **seat)
    hall.act("time", by_ms=-19 * MINUTE)
    hall.passes(2 * MINUTE)
    assert where(hall, move.mover.name) == (move.to, True)
    assert hall.room.view().register.pending == ()


def test_a_later_move_to_a_seat_that_was_taken_is_not_made(library: Library) -> None:
    hall = hall_of(library, T1=range(1, 10), T2=range(1, 7))
    begun(hall, "nl-2010")
    hall.act("sit-later", player=player(hall, "T1-4"), table="T2", seat=8)
    hall.act("enter", name="Zoe", table="T2", seat=8)
    hall.act("time", by_ms=-19 * MINUTE)
    hall.passes(2 * MINUTE)
    assert where(hall, "T1-4") == (AtSeat("T1", 4), False)
    assert hall.room.view().register.pending == ()


def test_a_later_move_may_be_called_off(library: Library) -> None:
    hall = hall_of(library, T1=range(1, 10), T2=range(1, 7))
    begun(hall, "nl-2010")
    who = {"player": player(hall, "T1-4"), "table": "T2", "seat": 8}
    hall.act("sit-later", **who)
    hall.act("sit-later", **who, ends=True)
    hall.act("time", by_ms=-19 * MINUTE)
    hall.passes(2 * MINUTE)
    assert where(hall, "T1-4")[0] == AtSeat("T1", 4)


# UK-10, TDA09-07, HPT-SEAT-05, RR7-T-18: the final table


def test_a_final_table_deals_once_all_are_there_and_it_has_a_button(library: Library) -> None:
    hall = hall_of(library, T1=(1, 2, 3, 4, 5), T2=(1, 2, 3, 4))
    tables = begun(hall, "uk-tda")
    due = hall.room.view().to_break
    assert due is not None
    assert due.all
    hall.act("redraw", tables=list(due.stay), all=True, seed="7")
    plays(tables, "T1", 5, "uk-tda", over=True)
    hall.passes(2 * SECOND)
    assert paused(hall)["T1"] is True
    players = hall.room.view().register.players
    coming = [each for each in players if each.coming]
    assert {each.came.table for each in coming if each.came} == {"T2"}
    assert all(each.status == "seated" for each in players), "nobody waits for a new button"
    for each in coming:
        hall.act("arrive", player=each.id)
    hall.passes(2 * SECOND)
    assert hall.room.view().register.undrawn == ("T1",), "and still it has no button"
    hall.act("draw-button", table="T1", seed="7")
    hall.passes(2 * SECOND)
    told = [c for t, c in hall.commands("seats") if t == "T1" and isinstance(c, SeatsCommand)]
    seats = [at.seat for at in hall.room.view().register.by_seat if at.table == "T1"]
    assert [c.button for c in told if c.button] == [drawn_seat("7", "T1", seats)]
    assert hall.room.view().register.gathers == ()


def test_a_table_that_gathers_may_be_let_play_on(library: Library) -> None:
    hall = hall_of(library, T1=(1, 2, 3, 4, 5), T2=(1, 2, 3, 4))
    begun(hall, "uk-tda")
    hall.act("redraw", tables=["T1"], all=True, seed="7")
    assert hall.room.view().register.gathers == ("T1",)
    hall.act("waive", table="T1")
    assert hall.room.view().register.gathers == ()


def test_nobody_is_awaited_who_is_out_or_has_left(library: Library) -> None:
    hall = hall_of(library, T1=(1, 2), T2=(1,))
    begun(hall, "uk-tda")
    hall.act("redraw", tables=["T1"], all=True, seed="7")
    hall.act("button", table="T1", seat=1)
    assert hall.room.view().register.gathers == ("T1",)
    hall.act("stand", player=player(hall, "T2-1"))
    assert hall.room.view().register.gathers == ()


def test_a_break_may_be_put_off_until_somebody_more_is_out(library: Library) -> None:
    hall = hall_of(library, T1=range(1, 7), T2=(1, 2, 3))
    begun(hall, "roberts")
    assert hall.room.view().to_break is not None
    hall.act("put-off")
    hall.passes(2 * SECOND)
    assert hall.room.view().to_break is None
    hall.act("bust", table="T2", seat=3)
    hall.passes(2 * SECOND)
    assert hall.room.view().to_break is not None


def test_the_final_table_begins_at_the_next_level(library: Library) -> None:
    """NL10-SEAT-05; the other books leave the clock alone (HPT-TIMER-02)."""
    for book, cites in (("nl-2010", ("NL10-SEAT-05",)), ("roberts", ())):
        hall = hall_of(library, T1=range(1, 6), T2=(1, 2, 3))
        begun(hall, book)
        due = hall.room.view().to_break
        assert due is not None
        assert (due.stay, due.next_level) == (("T1",), cites)
    three = hall_of(library, T1=range(1, 9), T2=range(1, 9), T3=(1, 2))
    begun(three, "nl-2010")
    due = three.room.view().to_break
    assert due is not None
    assert (len(due.stay), due.next_level) == (2, ())
