"""What the room tells beside its clock: moves, called clocks, dead buttons, chips to take in."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.messages import (
    ROOM_TOURNAMENT,
    TABLE_HAND,
    DeadButton,
    Hand,
    Place,
    RoomTournament,
    TimeCall,
)
from controller.contract.sight import CalledOn
from controller.contract.view import SeatView, TableView
from controller.room.acts import ActError
from controller.room.moves import MAX_MOVES
from controller.room.store import RoomStore
from controller.room.structure import Entry, Structure
from tests.room.evening import BEGAN, MINUTE, ONE, SITE, TWO, Hall, Machine


@pytest.fixture
def hall() -> Hall:
    hall = Hall()
    hall.room.link(True)
    hall.table("T3")
    return hall


def published(hall: Hall) -> RoomTournament:
    topic = ROOM_TOURNAMENT.name(SITE)
    said = [each for each in hall.sent if each.topic == topic]
    return ROOM_TOURNAMENT.decode(said[-1].payload).value


# --- moves ---


def move(hall: Hall, player: str = "Anna", **more: object) -> None:
    hall.act("move", player=player, **{"from": {"table": "T3"}, "to": TO} | more)


TO = {"table": "Stage", "seat": 5}


def test_a_move_is_told_for_five_minutes(hall: Hall) -> None:
    move(hall)
    (told,) = hall.room.view().moves
    assert (told.player, told.from_, told.to) == ("Anna", Place("T3"), Place("Stage", 5))
    assert told.until_ms == BEGAN + 5 * MINUTE
    assert published(hall).moves == (told,)
    assert hall.room.view().history[-1].words == (
        '{"player":"Anna","from":{"table":"T3","seat":null},'
        '"to":{"table":"Stage","seat":5},"minutes":5}'
    )
    hall.passes(5 * MINUTE - 1_000)
    assert hall.room.view().moves == (told,)
    hall.passes(1_000)
    assert hall.room.view().moves == published(hall).moves == ()


def test_a_move_is_taken_back_and_another_one_of_the_same_player_takes_its_place(
    hall: Hall,
) -> None:
    move(hall, minutes=1)
    move(hall, to={"table": "T1"})
    (told,) = hall.room.view().moves
    assert (told.to, told.until_ms) == (Place("T1"), BEGAN + 5 * MINUTE)
    hall.act("unmove", id=told.id)
    assert hall.room.view().moves == ()
    with pytest.raises(ActError, match="no longer there"):
        hall.act("unmove", id=told.id)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"to": {"table": "T3"}}, "that is not a move: Anna is already at table T3"),
        ({"to": {"table": "no such/table"}}, "table"),
        ({"to": {"table": "T1", "seat": 11}}, "seat"),
        ({"to": {"table": "T1", "chair": 1}}, "chair"),
        ({"player": ""}, "player"),
        ({"minutes": 0}, "minutes"),
        ({"form": 1}, "did you mean 'from'"),
    ],
)
def test_what_is_no_move_is_refused(hall: Hall, fields: dict[str, object], said: str) -> None:
    with pytest.raises(ActError, match=said):
        hall.act("move", **{"player": "Anna", "from": {"table": "T3"}, "to": TO} | fields)


def test_there_are_not_too_many_moves(hall: Hall) -> None:
    for number in range(MAX_MOVES):
        move(hall, f"player {number}")
    with pytest.raises(ActError, match=f"already {MAX_MOVES} moves"):
        move(hall)
    move(hall, "player 7", to={"table": "T9"})


def test_all_of_it_survives_a_restart(tmp_path: Path) -> None:
    machine = Machine()
    first = Hall(machine, store=RoomStore.open(tmp_path / "room.sqlite"))
    move(first)
    first.act("tournament", players_left=9)
    first.act("bust", player="Bob", table="T3", seat=2)
    before = first.room.view()
    first.room.close()
    again = Hall(machine, store=RoomStore.open(tmp_path / "room.sqlite"))
    after = again.room.view()
    assert (after.moves, after.finishes) == (before.moves, before.finishes)
    assert [(each.name, each.actor) for each in after.history][-2:] == [
        ("tournament", "Ann"),
        ("bust", "Ann"),
    ]
    again.room.close()


# --- clocks on players ---


def says(
    hall: Hall,
    t: float | None,
    until: float | None,
    *,
    at: int = 0,
    seat: int = 5,
    session: str = "t",
    kept: bool = False,
) -> None:
    view = TableView(
        table="T3",
        rulebook="uk-tda",
        hand=7,
        phase="flop",
        seats=(SeatView(5, player="Dora"), SeatView(6)),
        clock=None if until is None else CalledOn(seat, until),
    )
    payload = Hand(session, 4, at, view, t=t)
    hall.hears(TABLE_HAND.message(SITE, "T3", payload=payload), retain=kept)


def calls(hall: Hall) -> list[tuple[int, int]]:
    """Seats, and when their time is over after the beginning."""
    return [(each.seat, each.until_ms - BEGAN) for each in hall.room.view().calls]


def test_a_clock_on_a_player_is_told_in_the_rooms_time(hall: Hall) -> None:
    says(hall, 100.0, 160.0)
    told = TimeCall("T3", 5, BEGAN + 60_000, "Dora")
    assert hall.room.view().calls == published(hall).calls == (told,)
    says(hall, 130.0, None)
    assert hall.room.view().calls == published(hall).calls == ()


def test_what_came_late_does_not_lengthen_it_and_what_came_in_time_shortens_it(
    hall: Hall,
) -> None:
    hall.machine.passes(1_000)
    says(hall, 100.0, 160.0)  # was said a second ago
    assert calls(hall) == [(5, 61_000)]
    hall.machine.passes(3_000)
    says(hall, 104.0, 160.0)
    assert calls(hall) == [(5, 60_000)]
    hall.machine.passes(5_000)
    says(hall, 107.0, 160.0)
    assert calls(hall) == [(5, 60_000)]
    says(hall, 108.0, 190.0, seat=6)
    assert calls(hall) == [(6, 91_000)]


def test_it_goes_five_seconds_after_its_end_or_with_its_table(hall: Hall) -> None:
    says(hall, 100.0, 110.0)
    hall.passes(14_000)
    assert calls(hall) == [(5, 10_000)]
    assert len(published(hall).calls) == 1
    hall.passes(1_000)
    assert calls(hall) == []
    assert published(hall).calls == ()
    says(hall, 120.0, 180.0)
    assert len(calls(hall)) == 1
    hall.table("T3", "lost")
    assert calls(hall) == []
    hall.table("T3")
    hall.room.link(False)
    assert calls(hall) == []


def test_what_the_broker_had_kept_is_as_old_as_the_wall_clocks_say(hall: Hall) -> None:
    hall.passes(20_000)
    says(hall, 100.0, 160.0, at=hall.machine.wall_ms - 20_000, kept=True)
    assert calls(hall) == [(5, 60_000)]
    says(hall, 121.0, 160.0)  # heard as it was said: that is surer
    assert calls(hall) == [(5, 59_000)]
    says(hall, 100.0, 160.0, at=hall.machine.wall_ms - 50_000, kept=True)
    assert calls(hall) == [(5, 59_000)]


def test_a_table_whose_wall_clock_is_ahead_is_not_believed_to_come_from_the_future(
    hall: Hall,
) -> None:
    says(hall, 100.0, 160.0, at=hall.machine.wall_ms + 3_600_000, kept=True)
    assert calls(hall) == [(5, 60_000)]


def test_a_table_that_does_not_tell_its_time_has_no_calls(hall: Hall) -> None:
    says(hall, None, 160.0)
    assert calls(hall) == []


# --- dead buttons ---


def test_a_dead_button_is_told_while_its_table_is_heard(hall: Hall) -> None:
    view = TableView(
        table="T3", rulebook="uk-tda", hand=7, phase="flop", button=4, dead_button=True
    )
    hall.hears(TABLE_HAND.message(SITE, "T3", payload=Hand("t", 4, 5, view)))
    assert hall.room.view().dead_buttons == (DeadButton("T3", 4),)
    assert published(hall).dead_buttons == (DeadButton("T3", 4),)
    hall.table("T3", "lost")
    assert hall.room.view().dead_buttons == ()
    hall.table("T3")
    hall.hand("T3", 8)
    assert hall.room.view().dead_buttons == published(hall).dead_buttons == ()


# --- chips to take in ---

RACES = Structure(
    "races",
    (
        Entry(MINUTE, ONE),
        Entry(MINUTE, None, (25,)),
        Entry(MINUTE, TWO),
        Entry(MINUTE, TWO),
        Entry(MINUTE, None),
        Entry(MINUTE, TWO, (100, 500)),
    ),
)


def test_the_chips_of_the_break_that_runs_or_else_of_the_next_one() -> None:
    hall = Hall(structure=RACES)
    hall.act("start")
    told = []
    for _ in RACES.entries:
        told.append(hall.room.view().race_off)
        assert published(hall).race_off == told[-1]
        hall.passes(MINUTE)
    assert told == [(25,), (25,), (100, 500), (100, 500), (100, 500), ()]


def test_a_called_break_is_not_the_one_at_which_chips_are_taken_in() -> None:
    hall = Hall(structure=RACES)
    hall.act("start")
    hall.act("go", index=2)
    hall.act("break", duration_ms=MINUTE)
    assert hall.room.view().race_off == (100, 500)
