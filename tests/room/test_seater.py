"""The tables follow the register: who sits where is told to them, and again, and what differs is
shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.messages import SeatsCommand
from controller.contract.sight import SeatChips
from controller.library.books import Library
from controller.room.seating import SeatDiffers, TableSeating
from controller.room.store import RoomStore
from tests.room.evening import MINUTE, Hall
from tests.room.test_entered import TABLES
from tests.room.told_tables import PLAYING, SECOND, TEN, Tables, hall, playing, seat, tables

__all__ = ["hall", "playing", "tables"]


def test_a_table_is_told_all_of_its_seats_and_the_stacks_to_begin_with(tables: Tables) -> None:
    told = tables.takes()
    assert told == {
        1: seat("seated", "Ann", 10_000),
        2: seat("seated", "Bob", 10_000),
        6: seat("seated", "Cy", 10_000),
        **{n: seat("empty") for n in (3, 4, 5, 7, 8, 9, 10)},
    }
    assert tables.takes("T2")[1] == seat("seated", "Dee", 10_000)
    assert tables.told("T1") is None, "once is enough"
    assert tables.seating().state == "pending"
    tables.shows("T1", 1, PLAYING)
    assert tables.seating() == TableSeating("T1", "taken")


def test_only_what_changes_is_told(hall: Hall, playing: Tables) -> None:
    hall.act("mark", player="p1", status="absent")
    assert playing.takes() == {1: seat("absent", "Ann")}
    hall.act("mark", player="p1", status="seated")
    hall.act("stand", player="p2")
    assert playing.takes() == {1: seat("seated", "Ann"), 2: seat("empty")}
    hall.act("penalise", player="p3", unit="hands", amount=1)
    assert playing.takes() == {6: seat("penalty", "Cy")}
    assert playing.told("T2") is None


def test_what_the_players_have_is_shown_as_the_tables_show_it(hall: Hall, playing: Tables) -> None:
    """NL10-SEAT-03: who goes on, and with how many chips."""
    hall.passes(10 * SECOND)
    assert hall.room.view().chips == {"p1": 9_000, "p2": 11_000, "p3": 10_000, "p4": 10_000}
    hall.act("bust", entrant="p1")
    playing.shows("T1", 6, {2: 20_000, 6: 10_000})
    hall.passes(11 * SECOND)
    assert hall.room.view().chips == {"p2": 20_000, "p3": 10_000, "p4": 10_000}


def sent(hall: Hall, table: str = "T1") -> list[SeatsCommand]:
    """All that it was told, repetitions too."""
    told = [command for name, command in hall.commands("seats") if name == table]
    assert all(isinstance(command, SeatsCommand) for command in told)
    return told  # type: ignore[return-value]


def test_what_is_not_answered_is_told_again_as_it_was(hall: Hall, tables: Tables) -> None:
    """With its id: a table that has taken it says so, and takes no chips twice."""
    first = tables.told()
    assert first is not None
    assert tables.seating().state == "sent"
    hall.passes(8 * SECOND)
    assert sent(hall) == [first, first]
    assert {one.seat: one.stack for one in first.seats if one.player} == {
        1: 10_000,
        2: 10_000,
        6: 10_000,
    }
    hall.answers(first, ok=False, reason="repeated")
    assert tables.seating().state == "pending"
    tables.shows("T1", 1, PLAYING)
    hall.passes(30 * SECOND)
    assert sent(hall) == [first, first]
    assert tables.seating() == TableSeating("T1", "taken")


def test_a_table_that_was_cut_off_for_long_is_asked_the_same(hall: Hall, tables: Tables) -> None:
    """It may have taken it before, and have played since."""
    first = tables.told()
    hall.passes(3 * SECOND)
    hall.table("T1", "lost")
    hall.passes(10 * MINUTE)
    assert sent(hall) == [first]
    hall.table("T1")
    tables.shows("T1", 4, PLAYING)
    hall.passes(3 * SECOND)
    assert sent(hall) == [first, first]


def test_a_table_that_has_restarted_before_it_answered_is_asked_the_same_first(
    hall: Hall, tables: Tables
) -> None:
    first = tables.told()
    assert first is not None
    tables.shows("T1", 4, PLAYING, session="t2")
    hall.passes(8 * SECOND)
    assert sent(hall) == [first, first]
    hall.answers(first, ok=False, reason="session")
    assert tables.seating().state == "sent"
    hall.passes(3 * SECOND)
    (_, _, new) = sent(hall)
    assert (new.session, new.id == first.id) == ("t2", False)
    assert [one.stack for one in new.seats if one.player] == [None, None, None], "shown already"


def test_who_has_nothing_left_is_not_given_chips_as_his_table_restarts_in_a_hand(
    tables: Tables,
) -> None:
    """In a hand it does not show him: that he is not there any more, it does not say."""
    tables.takes()
    tables.shows("T1", 3, {1: 0, 2: 20_000, 6: 10_000}, phase="complete")
    tables.shows("T1", 4, {2: 20_000, 6: 10_000}, session="t2")
    assert tables.takes() == {}
    tables.shows("T1", 4, {1: 0, 2: 20_000, 6: 10_000}, phase="complete", session="t2")
    assert tables.takes() == {}


def test_what_has_changed_meanwhile_is_told_after_it(hall: Hall, tables: Tables) -> None:
    first = tables.told()
    assert first is not None
    hall.act("stand", player="p3")
    hall.passes(8 * SECOND)
    assert sent(hall) == [first, first]
    hall.answers(first)
    assert tables.takes() == {6: seat("empty")}


def test_a_late_answer_counts(hall: Hall, tables: Tables) -> None:
    first = tables.told()
    assert first is not None
    hall.passes(6 * SECOND)
    hall.answers(first)
    hall.passes(10 * SECOND)
    assert sent(hall) == [first]
    assert tables.seating().state == "pending"


def test_why_a_table_refuses_is_shown_and_it_is_told_again_later(
    hall: Hall, tables: Tables
) -> None:
    command = tables.told()
    assert command is not None
    hall.answers(command, ok=False, reason="no seat 10 here")
    assert tables.seating() == TableSeating("T1", "refused", "no seat 10 here")
    hall.passes(10 * SECOND)
    assert tables.told() is None
    hall.passes(5 * SECOND)
    assert tables.takes()
    assert tables.seating().state == "pending"


def test_a_table_that_began_anew_is_told_all_of_it_with_what_it_had(playing: Tables) -> None:
    playing.shows("T1", 0, {}, phase="complete", session="t2")
    told = playing.takes()
    assert {n: one for n, one in told.items() if one[1]} == {
        1: seat("seated", "Ann", 9_000),
        2: seat("seated", "Bob", 11_000),
        6: seat("seated", "Cy", 10_000),
    }


def test_a_table_that_was_away_hears_what_has_changed_meanwhile(
    hall: Hall, playing: Tables
) -> None:
    hall.table("T1", "lost")
    hall.act("mark", player="p2", status="absent")
    hall.act("stand", player="p3")
    hall.passes(10 * MINUTE)
    assert playing.told() is None
    assert playing.seating().state == "away"
    hall.table("T1")
    playing.shows("T1", 31, {1: 8_000, 2: 12_000, 6: 10_000})
    assert playing.takes() == {2: seat("absent", "Bob"), 6: seat("empty")}


def test_who_comes_between_button_and_small_blind_waits_until_he_is_dealt_in(
    hall: Hall, playing: Tables
) -> None:
    """UK-07: the button is at 1, the blinds were at 2 and 6; next they are 2, 6 and 1."""
    for number, chair in enumerate((4, 8), 5):
        hall.act("enter", name=f"New {number}", table="T1", seat=chair)
    assert playing.takes() == {
        4: seat("waiting", "New 5", 10_000),
        8: seat("seated", "New 6", 10_000),
    }
    playing.shows("T1", 6, {**PLAYING, 8: 10_000}, button=2)
    assert playing.seating().differs == (), "that he has no hand is right"
    statuses = [hall.room.view().register.by_id[p].status for p in ("p5", "p6")]
    assert statuses == ["waiting", "seated"]
    assert playing.takes() == {4: seat("seated", "New 5")}, "the button passes him next"
    playing.shows("T1", 7, {**PLAYING, 8: 10_000, 4: 10_000}, button=6)
    assert playing.told() is None, "it knows that best"
    assert hall.room.view().register.by_id["p5"].status == "seated"
    assert playing.seating() == TableSeating("T1", "taken")


def test_where_nobody_has_the_small_blind_it_is_where_it_was_all_the_same(
    hall: Hall, playing: Tables
) -> None:
    """UK-07, TDA09-05: the button was at 2, the small blind at 3, where nobody sits, the big one at
    6. Next they are 3, 6 and 1: who comes to 4 waits, and 8 is due the big blind."""
    for chair in (4, 8):
        hall.act("enter", name=f"At {chair}", table="T1", seat=chair)
    playing.shows("T1", 5, PLAYING, phase="complete", button=2, small=3, big=6)
    assert playing.takes() == {
        4: seat("waiting", "At 4", 10_000),
        8: seat("seated", "At 8", 10_000),
    }


def test_who_has_to_wait_depends_on_all_who_come(hall: Hall, playing: Tables) -> None:
    """TDA09-05, UK-07: heads-up 6 had the button and 1 the big blind. 8 comes and would have the
    button of the next hand; then 3 comes and is due the big blind, so that the button is at 6, the
    small blind at 1, and 8 between them."""
    hall.act("stand", player="p2")
    playing.takes()
    playing.shows("T1", 6, {1: 10_000, 6: 20_000}, button=6, small=6, big=1)
    hall.act("enter", name="At 8", table="T1", seat=8)
    assert playing.takes() == {8: seat("seated", "At 8", 10_000)}
    hall.act("enter", name="At 3", table="T1", seat=3)
    came = {3: seat("seated", "At 3", 10_000), 8: seat("waiting", "At 8")}
    assert playing.takes() == came
    hall.act("stand", player="p6")
    assert playing.takes() == {3: seat("empty"), 8: seat("seated", "At 8")}


@pytest.mark.parametrize("came", ["late", "by a move"])
def test_who_is_away_gets_no_dead_hand_either_between_button_and_small_blind(
    hall: Hall, playing: Tables, came: str
) -> None:
    """TDA09-05, UK-07: that is the one place where nobody gets a hand. Elsewhere who is away is
    dealt in, and his hand is dead (UK-28)."""
    if came == "late":
        hall.act("enter", name="New", table="T1", seat=4)
        hall.act("mark", player="p5", status="absent")
    else:
        playing.shows("T2", 5, {1: 10_000, 2: 10_000, 3: 10_000}, phase="complete")
        hall.act("mark", player="p4", status="absent")
        playing.takes("T2")
        hall.act("sit", player="p4", table="T1", seat=4)
        playing.takes("T2")
    name = "New" if came == "late" else "Dee"
    assert playing.takes() == {4: seat("waiting", name, 10_000)}
    playing.shows("T1", 6, PLAYING, button=2)
    assert playing.takes() == {4: seat("absent", name)}, "for the hand after it"


def test_in_some_books_he_is_dealt_in_at_once(library: Library) -> None:
    """RR7-T-16: even on the small blind or the button."""
    hall = Hall(rules=lambda book: library.book(book).tournament)
    hall.room.link(True)
    hall.act("tables", tables=TABLES)
    tables = Tables(hall)
    for table, book in (("T1", "roberts"), ("T2", "tda-2024")):
        hall.table(table)
        tables.shows(table, 5, PLAYING, book=book)
        tables.takes(table)
        hall.act("enter", name=f"At {table}", table=table, seat=9)
    for table in ("T1", "T2"):
        assert 9 in tables.takes(table)
    hall.act("start")
    hall.act("sit", player="p1", table="T2", seat=4)
    hall.act("sit", player="p2", table="T1", seat=4)
    assert tables.takes("T1") == {9: seat("empty")}
    assert tables.takes("T2") == {9: seat("empty")}
    assert tables.takes("T1") == {4: seat("seated", "At T2")}
    assert tables.takes("T2") == {4: seat("waiting", "At T1")}


def test_who_goes_to_another_table_takes_his_chips(hall: Hall, playing: Tables) -> None:
    playing.shows("T1", 5, {**PLAYING, 2: 12_000}, phase="complete")
    hall.act("sit", player="p2", table="T2", seat=9)
    assert playing.takes("T1") == {2: seat("empty")}
    assert playing.takes("T2") == {9: seat("seated", "Bob", 12_000)}


def test_who_is_moved_in_a_hand_takes_what_he_has_after_it(hall: Hall, playing: Tables) -> None:
    hall.act("sit", player="p2", table="T2", seat=9)
    hall.act("sit", player="p4", table="T2", seat=8)
    assert playing.takes("T1") == {2: seat("empty")}
    assert playing.takes("T2") == {1: seat("empty")}
    assert playing.seating("T2").state == "sent"
    hall.passes(20 * SECOND)
    assert playing.told("T2") is None
    playing.shows("T1", 5, {1: 15_700, 2: 4_300, 6: 10_000}, phase="complete")
    assert playing.takes("T2") == {9: seat("seated", "Bob", 4_300)}
    playing.shows("T2", 5, {1: 8_000, 2: 12_000, 3: 10_000}, phase="complete")
    assert playing.takes("T2") == {8: seat("seated", "Dee", 8_000)}


def test_who_has_no_hand_where_he_sat_waits_for_none(hall: Hall, playing: Tables) -> None:
    playing.shows("T1", 6, {1: 9_000, 2: 11_000})
    hall.passes(SECOND)
    hall.act("sit", player="p3", table="T2", seat=9)
    assert playing.takes("T1") == {6: seat("empty")}
    assert playing.takes("T2") == {9: seat("seated", "Cy", 10_000)}


def test_what_an_old_table_does_not_tell_is_waited_for(hall: Hall, playing: Tables) -> None:
    """In a later hand it says nothing of who has left, and one that is lost may have it all: chips
    that were lost there would be made again at the new table."""
    hall.act("sit", player="p2", table="T2", seat=9)
    playing.takes("T1")
    playing.names["T1"][2] = "Eve"  # who has come to his seat
    playing.shows("T1", 6, {1: 20_000, 2: 500})
    assert playing.told("T2") is None
    left = (SeatChips(2, 7_000, "Bob"),)
    playing.shows("T1", 6, {1: 20_000, 2: 500}, phase="complete", left=left)
    assert playing.takes("T2") == {9: seat("seated", "Bob", 7_000)}
    playing.shows("T1", 7, {1: 20_000, 6: 10_000})
    hall.act("sit", player="p1", table="T2", seat=7)
    playing.takes("T1")
    hall.table("T1", "lost")
    assert playing.told("T2") is None
    hall.act("arrive", player="p1", chips=3_000)  # counted by the desk
    assert playing.takes("T2") == {7: seat("seated", "Ann", 3_000)}


def test_of_one_who_plays_before_that_is_told_nobody_else_knows_what_he_has(
    hall: Hall, playing: Tables
) -> None:
    hall.act("sit", player="p1", table="T2", seat=7, announce=True)
    playing.takes("T1")
    hall.table("T1", "lost")
    hall.passes(SECOND)
    playing.names["T2"][7] = "Ann"
    playing.shows("T2", 6, {1: 10_000, 2: 10_000, 7: None})
    assert not hall.room.view().register.by_id["p1"].coming
    playing.shows("T2", 6, {1: 10_000, 2: 10_000, 7: None}, phase="complete")
    assert playing.takes("T2") == {7: seat("seated", "Ann", None)}


def test_who_was_moved_is_dealt_in_once_he_is_there(hall: Hall, playing: Tables) -> None:
    """His dealer says so, or the desk, or the deal itself; until then his seat is nobody's."""
    for number, said in enumerate(("desk", "dealer", "deal")):
        player, name, at = (("p1", "Ann", 1), ("p2", "Bob", 2), ("p3", "Cy", 6))[number]
        hall.act("sit", player=player, table="T2", seat=7 + number, announce=True)
        playing.takes("T1")
        playing.shows("T1", 5, PLAYING, phase="complete", left=(SeatChips(at, 9_000, name),))
        hall.passes(3 * SECOND)
        assert playing.told("T2") is None
        assert hall.room.view().register.by_id[player].coming
        there: dict[int, int | None] = dict.fromkeys((1, 2, *range(7, 7 + number)), 10_000)
        if said == "desk":
            hall.act("arrive", player=player)
        else:
            playing.names["T2"][7 + number] = name
            over = "complete" if said == "dealer" else "flop"
            playing.shows("T2", 6 + number, {**there, 7 + number: None}, phase=over)
        assert not hall.room.view().register.by_id[player].coming
        assert [each.player for each in hall.room.view().moves] == []
        if said == "deal":
            playing.shows("T2", 6 + number, {**there, 7 + number: None}, phase="complete")
        assert playing.takes("T2")[7 + number][1] == name


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("shown", [True, False])
def test_a_room_that_began_anew_tells_all_but_no_stack_that_may_be_another(
    tmp_path: Path, *, begun: bool, shown: bool
) -> None:
    """While it is played, or where the table shows chips, nobody has what he began with."""
    store = tmp_path / "room.sqlite"
    before = Hall(store=RoomStore.open(store))
    before.room.link(True)
    before.act("tables", tables=TEN)
    for name, at in (("Ann", 1), ("Bob", 2), ("Cy", 6)):
        before.act("enter", name=name, table="T1", seat=at)
    before.act("tournament", starting_stack=10_000)
    if begun:
        before.act("start")
    before.room.close()
    hall = Hall(store=RoomStore.open(store), session="s2")
    hall.room.link(True)
    tables = Tables(hall)
    hall.table("T1")
    tables.shows("T1", 5, PLAYING if shown else {})
    told = tables.takes()
    assert told[2] == seat("seated", "Bob", None if begun or shown else 10_000)
    hall.room.close()


def test_who_sits_elsewhere_by_now_leaves_the_table_that_shows_him_still(tmp_path: Path) -> None:
    """A room that began anew does not know that it has not told this."""
    store = tmp_path / "room.sqlite"
    before = Hall(store=RoomStore.open(store))
    before.act("tables", tables=TEN)
    before.act("enter", name="Cy", table="T1", seat=6)
    before.act("sit", player="p1", table="T2", seat=3)
    before.room.close()
    hall = Hall(store=RoomStore.open(store), session="s2")
    hall.room.link(True)
    tables = Tables(hall)
    tables.names["T1"] = {6: "Cy"}
    for table, shown in (("T1", {2: None, 6: 4_900}), ("T2", {})):
        hall.table(table)
        tables.shows(table, 5, shown)
    told = tables.takes()
    assert told[6] == seat("empty")
    assert 2 not in told, "whom nobody knows stays"
    assert tables.takes("T2")[3][:2] == ("seated", "Cy")
    hall.room.close()


def test_a_table_that_comes_after_the_start_is_told_the_stacks_too(
    hall: Hall, tables: Tables
) -> None:
    hall.act("start")
    assert tables.takes()[2] == seat("seated", "Bob", 10_000)


def test_who_is_not_dealt_in_and_who_is_without_a_player_are_shown(
    hall: Hall, playing: Tables
) -> None:
    hall.act("stand", player="p3")
    playing.takes()
    playing.shows("T1", 6, {1: 9_000, 6: 10_000, 3: None})
    assert playing.seating().differs == (
        SeatDiffers(2, "Bob"),
        SeatDiffers(3),
        SeatDiffers(6, shown="Cy"),
    )
    playing.shows("T1", 6, {1: 9_000, 6: 10_000, 3: 500}, phase="complete")
    assert {each.seat for each in playing.seating().differs} == {2, 3, 6}, "between hands too"
    playing.shows("T1", 7, {1: 9_000, 6: 10_000, 3: None})
    hall.act("tell-seats", table="T1")
    assert set(playing.takes()) == set(range(1, 11))
    assert playing.seating() == TableSeating("T1", "pending")
    playing.shows("T1", 8, {1: 9_000, 2: 11_000})
    assert playing.seating() == TableSeating("T1", "taken")


def test_a_table_where_nobody_was_put_is_left_alone() -> None:
    """Who opens the list of tables in the middle of a tournament empties none of them."""
    hall = Hall()
    hall.room.link(True)
    tables = Tables(hall)
    for table in ("T1", "T2"):
        hall.table(table)
        tables.shows(table, 5, PLAYING)
    hall.act("tables", tables=TEN)
    hall.passes(10 * SECOND)
    assert hall.commands("seats") == []
    hall.act("enter", name="Zoe", table="T1", seat=9)
    assert set(tables.takes()) == {3, 4, 5, 7, 8, 9, 10}, "and who plays there stays"
    tables.shows("T1", 6, {**PLAYING, 9: None})
    assert tables.seating().differs == (SeatDiffers(1), SeatDiffers(2), SeatDiffers(6))
    hall.act("tell-seats", table="T1")
    assert {n for n, one in tables.takes().items() if one[0] == "empty"} == set(range(1, 11)) - {9}
    assert [name for name, _ in hall.commands("seats") if name == "T2"] == []


def test_a_room_without_tables_in_its_register_tells_nobody() -> None:
    hall = Hall()
    hall.room.link(True)
    hall.table("T1")
    Tables(hall).shows("T1", 5, PLAYING)
    hall.passes(10 * SECOND)
    assert hall.commands("seats") == []


def test_a_room_that_tells_tables_nothing_tells_them_no_seats() -> None:
    hall = Hall(tell_tables=False)
    hall.room.link(True)
    hall.act("tables", tables=TEN)
    hall.act("enter", name="Ann", table="T1", seat=1)
    hall.table("T1")
    Tables(hall).shows("T1", 5, PLAYING)
    hall.passes(10 * SECOND)
    assert hall.commands("seats") == []


def test_whom_the_dealer_says_to_be_away_the_register_has_so(hall: Hall, playing: Tables) -> None:
    """And back: nothing is typed twice."""
    playing.shows("T1", 6, PLAYING, absent=(2,), dealer="Ada")
    assert hall.room.view().register.by_id["p2"].status == "absent"
    assert hall.room.view().history[-1].actor == "Ada, T1"
    assert playing.takes() == {}, "the table knows"
    playing.shows("T1", 6, PLAYING)
    assert hall.room.view().register.by_id["p2"].status == "seated"
    hall.act("mark", player="p2", status="absent")
    assert playing.takes() == {2: seat("absent", "Bob")}


def test_what_a_table_does_not_show_yet_is_not_its_dealers_word(
    hall: Hall, playing: Tables
) -> None:
    hall.act("mark", player="p2", status="absent")
    playing.shows("T1", 6, PLAYING)
    playing.takes()
    playing.shows("T1", 6, PLAYING)
    assert hall.room.view().register.by_id["p2"].status == "absent"
    playing.shows("T1", 6, PLAYING, absent=(2,))
    playing.shows("T1", 7, PLAYING)
    assert hall.room.view().register.by_id["p2"].status == "seated"


def test_whose_seat_the_dealer_says_to_be_empty_is_not_back(hall: Hall, playing: Tables) -> None:
    hall.act("mark", player="p2", status="absent")
    playing.takes()
    playing.shows("T1", 6, PLAYING, absent=(2,))
    playing.shows("T1", 6, {1: 9_000, 6: 10_000}, phase="complete")
    assert hall.room.view().register.by_id["p2"].status == "absent"


def test_who_has_a_penalty_has_it_whatever_the_table_shows(hall: Hall, playing: Tables) -> None:
    hall.act("penalise", player="p2", unit="hands", amount=5)
    playing.takes()
    playing.shows("T1", 5, PLAYING, absent=(2,))
    playing.shows("T1", 5, PLAYING)
    assert hall.room.view().register.by_id["p2"].status == "penalty"
