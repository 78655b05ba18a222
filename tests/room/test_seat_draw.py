"""Seats by a seed: random, even, and to be computed again by anybody."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.room.register import Register
from controller.room.seat_draw import AtSeat, Draw, DrawError, RoomTable, Sitting, seats
from tests.room.test_register import do, hall, of, refused

TABLES = (RoomTable("T1", 9), RoomTable("T2", 9), RoomTable("T3", 8))
PLAYERS = tuple(f"p{n}" for n in range(1, 23))


def by_hand(draw: Draw) -> list[tuple[str, int]]:
    """As its documentation says, in another way: what somebody who asks would write."""

    def rank(name: str) -> str:
        return hashlib.sha256(f"{draw.seed}:{name}".encode()).hexdigest()

    taken = {(one.at.table, one.at.seat) for one in draw.taken}
    count = {t.table: sum(table == t.table for table, _ in taken) for t in draw.tables}
    found = {}
    for player in sorted(draw.players, key=rank):
        open_ = [
            t for t in draw.tables if any((t.table, n) not in taken for n in range(1, t.seats + 1))
        ]
        fewest = min(count[t.table] for t in open_)
        table = min((t for t in open_ if count[t.table] == fewest), key=lambda t: rank(t.table))
        free = [n for n in range(1, table.seats + 1) if (table.table, n) not in taken]
        seat = min(free, key=lambda n: rank(f"{table.table}/{n}"))
        taken.add((table.table, seat))
        count[table.table] += 1
        found[player] = (table.table, seat)
    return [found[player] for player in draw.players]


@given(st.text(min_size=1, max_size=20), st.integers(1, 22), st.sets(st.integers(1, 9)))
def test_whoever_has_the_seed_comes_to_the_same_seats(seed: str, many: int, sit: set[int]) -> None:
    taken = tuple(Sitting(f"x{n}", AtSeat("T2", n)) for n in sorted(sit))
    draw = Draw(seed, PLAYERS[: min(many, 26 - len(taken))], TABLES, taken)
    drawn = seats(draw)
    assert [(at.table, at.seat) for at in drawn] == by_hand(draw)
    assert len({*drawn, *(one.at for one in taken)}) == len(drawn) + len(taken)


def test_a_draw_known_to_the_letter() -> None:
    """It must never change: who checks an old draw has to find what was drawn."""
    drawn = seats(Draw("2026-11-24 main event", PLAYERS[:6], TABLES))
    assert [(at.table, at.seat) for at in drawn] == KNOWN


def test_the_tables_are_even() -> None:
    """NL10-SEAT-01: spread evenly."""
    for seed in range(30):
        count = Counter(at.table for at in seats(Draw(str(seed), PLAYERS, TABLES)))
        assert sorted(count.values()) == [7, 7, 8]


def test_every_seat_comes_as_often() -> None:
    """TDA24-07a, UK-06, TDA09-04a, RR7-T-2: at random."""
    came = Counter(seats(Draw(str(seed), PLAYERS[:9], TABLES[:1]))[0].seat for seed in range(1800))
    assert set(came) == set(range(1, 10))
    assert sum((many - 200) ** 2 / 200 for many in came.values()) < 26.1  # chi-square, p 0.001


def test_who_is_kept_apart_rather_comes_to_a_table_of_more() -> None:
    sit = (
        Sitting("p1", AtSeat("T1", 1)),
        *(Sitting(f"x{n}", AtSeat("T2", n)) for n in range(1, 7)),
    )
    for seed in range(30):
        (at,) = seats(Draw(str(seed), ("p2",), TABLES[:2], sit, (("p1", "p2"),)))
        assert at.table == "T2"


def test_there_are_seats_for_no_more() -> None:
    with pytest.raises(DrawError, match=r"^27 players, but 26 free seats$"):
        seats(Draw("x", tuple(f"p{n}" for n in range(27)), TABLES))


def test_who_has_a_seat_keeps_it_and_the_others_are_drawn_beside_him() -> None:
    """Who needs a certain seat is given it by hand before the draw."""
    register = do(hall(*(f"P{n}" for n in range(1, 9))), "sit", player="p5", table="T1", seat=1)
    drawn = do(register, "draw", seed="s")
    assert of(drawn, "P5").at == AtSeat("T1", 1)
    assert Counter(each.at.table for each in drawn.players if each.at) == {"T1": 4, "T2": 4}
    assert all(each.status == "seated" for each in drawn.players)


def test_alternates_wait_in_the_order_in_which_they_entered() -> None:
    """TDA24-08A2, UK-07: by the same process and seats as all."""
    small: list[dict[str, object]] = [{"table": "T1", "seats": 2}]
    register = do(hall("A", "B", "C", "D", tables=small), "draw", seed="s")
    assert [each.name for each in register.without_seat()] == ["C", "D"]
    assert refused(register, "draw", seed="t") == "no seat is free"
    register = do(register, "stand", player="p2")
    register = do(register, "withdraw", player="p2")
    register = do(register, "draw", seed="t")
    assert [each.name for each in register.without_seat()] == ["D"]


@pytest.mark.parametrize(
    ("card", "seat"),
    [("As", "T1/1"), ("2s", "T1/2"), ("9s", "T1/9"), ("Ah", "T2/1"), ("8c", "T3/8")],
)
def test_each_draws_a_card_and_sits_where_it_says(card: str, seat: str) -> None:
    """HPT-SEAT-03: all spades sit at table 1, all hearts at table 2, all clubs at table 3; the ace
    is seated at the button, and then each in the order of the cards."""
    tables: list[dict[str, object]] = [
        {"table": "T1", "seats": 9},
        {"table": "T2", "seats": 9},
        {"table": "T3", "seats": 8},
    ]
    register = do(hall("Ann", "Bob", tables=tables), "card", player="p1", card=card)
    at = of(register, "Ann").at
    assert at is not None
    assert f"{at.table}/{at.seat}" == seat
    taken = f"Ann sits at table {at.table}, seat {at.seat}"
    assert refused(register, "card", player="p2", card=card) == taken


def test_a_card_that_is_not_in_the_drawing_deck() -> None:
    """HPT-SEAT-02: one card for each seat, from the ace up to the number of seats."""
    for card in ("Ts", "9d", "Kh", "1s", "sA"):
        not_in = f"{card} is not in the drawing deck of these tables"
        assert refused(hall("Ann"), "card", player="p1", card=card) == not_in
    five: list[dict[str, object]] = [{"table": f"T{n}", "seats": 9} for n in range(5)]
    assert refused(hall("Ann", tables=five), "card", player="p1", card="As") == (
        "a drawing deck has suits for 4 tables only"
    )


def test_a_draw_is_kept_with_all_that_it_followed_from() -> None:
    register = do(hall("A", "B", "C"), "sit", player="p2", table="T2", seat=3)
    register = do(register, "draw", seed="s", tables=["T2"])
    (drawn,) = register.draws
    assert drawn.draw == Draw(
        "s", ("p1", "p3"), (RoomTable("T2", 9),), (Sitting("p2", AtSeat("T2", 3)),)
    )
    assert seats(drawn.draw) == drawn.given
    assert [of(register, name).at for name in ("A", "C")] == [*drawn.given]


def test_what_can_not_be_drawn() -> None:
    assert refused(Register(), "draw", seed="s") == "everybody has a seat"
    assert refused(hall("A"), "draw", seed="s", tables=["T7"]) == (
        "there is no table T7 in this tournament"
    )


KNOWN = [("T1", 1), ("T2", 6), ("T3", 4), ("T2", 4), ("T1", 9), ("T3", 2)]
