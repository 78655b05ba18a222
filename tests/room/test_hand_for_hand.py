"""Hand for hand: every table plays one hand and waits for the others (TDA24-RP8A to -RP8D)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import ROOM_TOURNAMENT, PauseCommand
from controller.library.books import Library
from controller.room.acts import ActError
from controller.room.clock import ClockState, at_start, running, spent, standing
from controller.room.hand_for_hand import (
    HandForHand,
    TableHand,
    next_round,
    waits_for,
    with_tables,
)
from controller.room.structure import Entry, Structure
from tests.room.evening import BEGAN, MINUTE, SITE, Hall
from tests.room.told_tables import SECOND, Tables

LEVELS = Structure(
    "levels",
    (
        Entry(20 * MINUTE, Blinds(25, 50)),
        Entry(20 * MINUTE, Blinds(50, 100)),
        Entry(10 * MINUTE, None),
        Entry(20 * MINUTE, Blinds(75, 150)),
    ),
)


def stands(left_ms: int, index: int = 0) -> ClockState:
    state = replace(running(at_start(LEVELS), 0), index=index)
    return standing(replace(state, deadline_ms=left_ms), 0, "cards")


# the clock: TDA24-RP8C, TDA24-RP8D


def test_a_hand_takes_its_minutes_off_a_standing_clock() -> None:
    after = spent(stands(15 * MINUTE), 2 * MINUTE, 0)
    assert (after.index, after.remaining_ms, after.why) == (0, 13 * MINUTE, "cards")


def test_levels_go_on_rising_as_that_time_runs_off() -> None:
    after = spent(stands(MINUTE), 2 * MINUTE, 0)
    assert (after.index, after.remaining_ms, after.runs) == (1, 19 * MINUTE, False)


def test_a_break_that_is_reached_runs_with_all_of_its_time() -> None:
    after = spent(stands(MINUTE, index=1), 2 * MINUTE, 1_000)
    assert (after.on_break, after.deadline_ms) == (True, 1_000 + 10 * MINUTE)


def test_the_last_level_stays_in_force() -> None:
    after = spent(stands(MINUTE, index=3), 2 * MINUTE, 0)
    assert (after.index, after.remaining_ms) == (3, 0)


# which tables are waited for


def test_the_first_hand_is_the_one_that_runs_when_it_is_announced() -> None:
    tables = {"T1": TableHand(5), "T2": TableHand(9, is_over=False), "T3": None}
    now = with_tables(HandForHand(since_ms=0), tables)
    assert waits_for(now, tables) == ("T2", "T3")


def test_a_table_is_waited_for_in_the_next_round_until_its_next_hand_is_over() -> None:
    tables = {"T1": TableHand(5), "T2": TableHand(9)}
    now = with_tables(HandForHand(since_ms=0), tables)
    _, now = next_round(stands(MINUTE), now, 0)
    assert waits_for(now, tables) == ("T1", "T2")
    runs = {"T1": TableHand(6, is_over=False), "T2": TableHand(10)}
    assert waits_for(with_tables(now, runs), runs) == ("T1",)


def test_a_misdeal_is_played_again_in_the_same_round() -> None:
    tables = {"T1": TableHand(5, is_misdeal=True)}
    now = with_tables(HandForHand(since_ms=0), tables)
    assert waits_for(now, tables) == ("T1",)
    redeal = {"T1": TableHand(6)}
    assert waits_for(with_tables(now, redeal), redeal) == ()


def test_a_table_that_was_too_quick_finishes_the_hand_it_has_begun() -> None:
    tables = {"T1": TableHand(5), "T2": TableHand(9, is_over=False)}
    now = with_tables(HandForHand(since_ms=0), tables)
    quick = {"T1": TableHand(6, is_over=False), "T2": TableHand(9)}
    now = with_tables(now, quick)
    assert waits_for(now, quick) == ("T1",)
    _, now = next_round(stands(MINUTE), now, 0)
    assert now.due == {"T1": 7, "T2": 10}


def test_the_first_round_takes_nothing_off_and_each_later_one_does() -> None:
    now = HandForHand(since_ms=0, off_ms=2 * MINUTE)
    clock, now = next_round(stands(15 * MINUTE), now, 0)
    assert clock.remaining_ms == 15 * MINUTE
    clock, now = next_round(clock, now, 0)
    assert (clock.remaining_ms, now.round) == (13 * MINUTE, 3)


# in the room


@pytest.fixture
def hall(library: Library) -> Hall:
    """Four players at each of two tables, by the 2024 rules; six places are paid."""
    hall = Hall(rules=lambda book: library.book(book).tournament)
    hall.room.link(True)
    hall.act("tables", tables=[{"table": "T1", "seats": 9}, {"table": "T2", "seats": 9}])
    for table in ("T1", "T2"):
        for seat in range(1, 5):
            hall.act("enter", name=f"{table}-{seat}", table=table, seat=seat)
    hall.act("tournament", starting_stack=10_000, prizes=[f"{n}" for n in range(6, 0, -1)])
    return hall


@pytest.fixture
def tables(hall: Hall) -> Tables:
    """Both play their fifth hand."""
    tables = Tables(hall)
    for table in ("T1", "T2"):
        hall.table(table)
        tables.shows(table, 0, {}, phase="complete", book="tda-2024")
    hall.act("start")
    for table in ("T1", "T2"):
        tables.takes(table)
        plays(tables, table, 5)
    return tables


ALL = (1, 2, 3, 4)


def plays(tables: Tables, table: str, hand: int, seats: Sequence[int] = ALL) -> None:
    tables.shows(table, hand, dict.fromkeys(seats, 10_000), book="tda-2024", small=2, big=3)


def ends(tables: Tables, table: str, hand: int, *broke: int, open_: bool = True) -> None:
    left = {seat: 0 if seat in broke else 10_000 for seat in ALL}
    tables.shows(
        table,
        hand,
        left,
        phase="complete",
        book="tda-2024",
        is_open=open_,
        small=2,
        big=3,
    )
    tables.hall.passes(SECOND)


def paused(hall: Hall) -> list[tuple[str, bool]]:
    return [
        (table, told.paused)
        for table, told in hall.commands("pause")
        if isinstance(told, PauseCommand)
    ]


def round_now(hall: Hall) -> tuple[int, tuple[str, ...]]:
    now = hall.room.view().together
    assert now is not None
    return now.round, now.waits_for


def test_who_has_finished_waits_until_all_have(hall: Hall, tables: Tables) -> None:
    hall.act("hand-for-hand")
    hall.passes(SECOND)
    assert round_now(hall) == (1, ("T1", "T2"))
    ends(tables, "T1", 5)
    assert round_now(hall) == (1, ("T2",))
    assert paused(hall) == [("T1", True)]
    ends(tables, "T1", 5, open_=False)
    ends(tables, "T2", 5)
    hall.passes(SECOND)
    assert round_now(hall) == (2, ("T1", "T2"))
    assert paused(hall) == [("T1", True), ("T1", False)]


def test_a_table_that_halts_finishes_its_hand_in_the_round(hall: Hall, tables: Tables) -> None:
    """TDA24-RP8A: who goes out in the hand that runs shares with the others. TDA24-11D1: then it
    halts, since it is three short and its big blind would come to the chair of one who is out."""
    hall.act("enter", name="T1-5", table="T1", seat=5)
    for player in ("p7", "p8"):
        hall.act("disqualify", player=player, reason="by the rules")
    hall.act("hand-for-hand")
    hall.passes(SECOND)
    ends(tables, "T1", 5)
    assert [one.table for one in hall.room.view().halted] == ["T2"]
    assert round_now(hall) == (1, ("T2",))
    ends(tables, "T2", 5)
    hall.passes(SECOND)
    assert round_now(hall) == (2, ("T1",)), "it plays no further hand"


def test_the_clock_stands_and_each_hand_takes_two_minutes_off_it(
    hall: Hall, tables: Tables
) -> None:
    """TDA24-RP8B, TDA24-RP8C."""
    hall.act("hand-for-hand")
    hall.passes(30 * SECOND)
    before = hall.room.view().left_ms
    ends(tables, "T1", 5)
    ends(tables, "T2", 5)
    assert hall.room.view().left_ms == before  # its hands began under the clock
    for hand in (6, 7):
        ends(tables, "T1", hand)
        ends(tables, "T2", hand)
        assert hall.room.view().left_ms == before - (hand - 5) * 2 * MINUTE
    with pytest.raises(ActError, match="each hand takes its time off the clock"):
        hall.act("resume")
    hall.act("table-by-table")
    assert hall.room.view().state == "running"


def test_all_who_go_out_in_a_round_share_the_places_that_it_reaches(
    hall: Hall, tables: Tables
) -> None:
    """TDA24-RP8A: eight left and six paid, three go out: all share the sixth place."""
    hall.act("hand-for-hand")
    ends(tables, "T1", 5, 1, 2)
    assert len(hall.room.view().proposed) == 2
    ends(tables, "T2", 5, 4)
    hall.passes(5 * SECOND)
    assert round_now(hall) == (1, ())  # nobody deals before it is settled who is out
    outs = hall.room.view().proposed
    assert [one.share for one in outs] == [True, True, True]
    hall.act("busts", outs=[{"entrant": one.entrant} for one in outs], share=True)
    finishes = hall.room.view().finishes
    assert [(one.place, one.shared, one.prize) for one in finishes] == [(6, 3, "1")] * 3


def test_once_the_places_are_paid_no_further_hand_begins_until_somebody_says_so(
    hall: Hall, tables: Tables
) -> None:
    hall.act("hand-for-hand")
    ends(tables, "T1", 5, 1, 2)
    ends(tables, "T2", 5)
    outs = hall.room.view().proposed
    hall.act("busts", outs=[{"entrant": one.entrant} for one in outs], share=True)
    hall.passes(2 * SECOND)
    now = hall.room.view().together
    assert now is not None
    assert (now.reached, now.round) == (True, 1)
    hall.act("table-by-table")
    hall.passes(SECOND)
    assert hall.room.view().together is None


def test_with_the_dealers_word_at_each_table_all_go_out_at_once(hall: Hall, tables: Tables) -> None:
    def says(table: str, *gone: int) -> None:
        left = {seat: 0 if seat in gone else 10_000 for seat in ALL}
        tables.shows(table, 5, left, phase="complete", book="tda-2024", gone=gone)
        hall.passes(SECOND)

    hall.act("hand-for-hand")
    says("T1", 1)
    assert not hall.room.view().finishes  # T2 is still at it
    ends(tables, "T2", 5, 4)
    assert not hall.room.view().finishes  # and its dealer has not said so
    says("T2", 4)
    assert [(one.place, one.shared) for one in hall.room.view().finishes] == [(7, 2)] * 2


def test_of_a_table_that_is_lost_is_waited_for_until_the_desk_deals_on(
    hall: Hall, tables: Tables
) -> None:
    hall.act("hand-for-hand")
    ends(tables, "T1", 5)
    hall.table("T2", "lost")
    hall.passes(SECOND)
    assert round_now(hall) == (1, ("T2",))
    hall.act("next-round")
    hall.passes(SECOND)
    assert round_now(hall) == (2, ("T1", "T2"))


@pytest.mark.usefixtures("tables")
def test_it_is_told_to_walls_and_tables(hall: Hall) -> None:
    hall.act("hand-for-hand")
    hall.passes(SECOND)
    topic = ROOM_TOURNAMENT.name(SITE)
    said = [each for each in hall.sent if each.topic == topic][-1]
    assert ROOM_TOURNAMENT.decode(said.payload).value.round == 1


def test_a_silent_book_leaves_the_clock_running_and_places_by_stacks(library: Library) -> None:
    assert library.book("uk-tda").tournament.hand_for_hand is None
    hall = Hall(rules=lambda book: library.book(book).tournament)
    hall.act("start")
    hall.act("hand-for-hand")
    assert hall.room.view().state == "running"
    assert hall.room.view().now_ms == BEGAN


def test_it_is_said_once_and_only_while_play_goes_on(hall: Hall) -> None:
    with pytest.raises(ActError, match="not being played"):
        hall.act("hand-for-hand")
    hall.act("start")
    hall.act("hand-for-hand", minutes=0)
    with pytest.raises(ActError, match="already"):
        hall.act("hand-for-hand")
    hall.act("end")
    hall.passes(SECOND)
    assert hall.room.view().together is None
