"""What the register and the wall's figures make of each other: nothing is typed twice."""

from __future__ import annotations

import pytest

from controller.room.acts import ActError
from controller.room.seat_draw import AtSeat, seats
from tests.room.evening import Hall
from tests.room.test_finishing_order import refused

TABLES = [{"table": "T1", "seats": 9}, {"table": "T2", "seats": 9}]


@pytest.fixture
def hall() -> Hall:
    """Four players at two tables, of a started tournament with 10,000 each."""
    return four(Hall())


def four(hall: Hall) -> Hall:
    """The same in a room of one's own."""
    hall.room.link(True)
    hall.act("tables", tables=TABLES)
    hall.act("import", players=[{"name": name} for name in ("Ann", "Bob", "Cy", "Dee")])
    for number, (table, seat) in enumerate((("T1", 1), ("T1", 2), ("T2", 1), ("T2", 2)), 1):
        hall.act("sit", player=f"p{number}", table=table, seat=seat)
    hall.act("tournament", starting_stack=10_000)
    hall.act("start")
    return hall


def figures(hall: Hall) -> tuple[int | None, int | None, int | None]:
    told = hall.room.view().tournament
    return told.entries, told.players_left, told.average_stack


def status(hall: Hall, player: str) -> str:
    return hall.room.view().register.by_id[player].status


def places(hall: Hall) -> list[tuple[int, str, str | None, int | None]]:
    return [(f.place, f.player, f.table, f.seat) for f in hall.room.view().finishes]


def test_the_wall_follows_who_has_entered(hall: Hall) -> None:
    assert figures(hall) == (4, 4, 10_000)
    hall.act("enter", name="Eve")
    assert figures(hall) == (5, 5, 10_000)
    hall.act("withdraw", player="p5")
    assert figures(hall) == (4, 4, 10_000)
    hall.act("tournament", players_left=3)
    hall.act("enter", name="Flo")
    assert figures(hall)[:2] == (5, 5), "what the desk has told goes by what it knows"


def test_who_is_out_is_known_by_the_seat_the_id_or_the_name(hall: Hall) -> None:
    hall.act("bust", table="T2", seat=2)
    hall.act("bust", entrant="p3")
    hall.act("bust", player="bob")
    assert places(hall) == [
        (1, "Ann", "T1", 1),
        (2, "Bob", "T1", 2),
        (3, "Cy", "T2", 1),
        (4, "Dee", "T2", 2),
    ]
    assert figures(hall) == (4, 1, 40_000)
    assert [status(hall, f"p{n}") for n in (1, 2, 3, 4)] == ["seated", "out", "out", "out"]
    assert hall.state() == "ended"


def test_who_is_out_is_one_who_is_in(hall: Hall) -> None:
    assert refused(hall, "bust") == "say who is out"
    assert refused(hall, "bust", player="Zoe") == "nobody of this name is in: Zoe"
    assert refused(hall, "bust", entrant="p9") == "nobody has the id p9"
    assert refused(hall, "bust", table="T1", seat=7) == "nobody sits at table T1, seat 7"
    hall.act("bust", entrant="p4")
    assert refused(hall, "bust", entrant="p4") == "Dee is out already"
    assert refused(hall, "bust", player="Dee") == "nobody of this name is in: Dee"
    hall.act("enter", name="Eve", id="1")
    hall.act("enter", name="Eve", id="2")
    assert refused(hall, "bust", player="Eve") == "more than one of this name is in: Eve"


def test_who_was_not_out_sits_there_again(hall: Hall) -> None:
    hall.act("bust", entrant="p4")
    hall.act("bust", entrant="p3")
    finish = hall.room.view().register.by_id["p4"].finish
    hall.act("unbust", id=finish)
    assert (status(hall, "p4"), status(hall, "p3")) == ("seated", "out")
    assert hall.room.view().register.by_id["p4"].at == AtSeat("T2", 2)
    assert figures(hall) == (4, 3, 13_333)
    assert places(hall) == [(4, "Cy", "T2", 1)]


def test_two_with_the_same_stack_share_a_place(hall: Hall) -> None:
    """HPT-WIN-02, RR7-T-35: out in the same hand with the same stack."""
    hall.act("bust", entrant="p3")
    hall.act("bust", entrant="p4", together=True)
    assert [(place, name) for place, name, _, _ in places(hall)] == [(3, "Cy"), (3, "Dee")]


def test_the_end_that_is_taken_back_brings_them_back(hall: Hall) -> None:
    for player in ("p4", "p3", "p2"):
        hall.act("bust", entrant=player)
    hall.act("reopen")
    assert status(hall, "p2") == "seated"
    assert figures(hall)[1] == 2


def test_a_clock_that_is_reset_keeps_the_players_and_their_seats(hall: Hall) -> None:
    hall.act("bust", entrant="p4")
    hall.act("pause")
    hall.act("reset")
    assert status(hall, "p4") == "seated"
    assert figures(hall)[:2] == (4, 4)
    assert hall.room.view().finishes == ()
    hall.act("clear")
    assert figures(hall)[0] is None


def test_without_a_register_it_is_as_before() -> None:
    hall = Hall()
    hall.room.link(True)
    hall.act("start")
    hall.act("tournament", entries=9)
    hall.act("tables", tables=TABLES)
    assert figures(hall)[:2] == (9, 9)
    hall.act("bust", player="Ann")
    assert figures(hall)[:2] == (9, 8)


def test_a_draw_without_a_seed_is_given_one_that_is_kept(hall: Hall) -> None:
    for name in ("Eve", "Flo"):
        hall.act("enter", name=name)
        hall.act("draw")
    drawn = hall.room.view().register.draws
    assert len({each.draw.seed for each in drawn}) == 2
    assert all(seats(each.draw) == each.given for each in drawn)
    hall.act("enter", name="Gus")
    hall.act("draw", seed="nine of hearts")
    assert hall.room.view().register.draws[-1].draw.seed == "nine of hearts"


def test_what_is_refused_changes_nothing(hall: Hall) -> None:
    before = hall.room.view().register
    with pytest.raises(ActError, match=r"^line 3: Ann has entered already"):
        hall.act("import", players=[{"name": "Zoe", "line": 2}, {"name": "Ann", "line": 3}])
    assert hall.room.view().register == before
    assert figures(hall)[0] == 4
