"""Which moves are proposed, and which tables halt, by the books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.library.books import open_library
from controller.room.balance import Halted, ProposedMove, TableNow, halts, moves
from controller.room.register import Drawn, Player, Register, with_players
from controller.room.register import out as went_out
from controller.room.seat_draw import AtSeat, Draw, RoomTable
from controller.rules.balancing import Ring, chairs
from controller.rules.button import Positions, positions
from tests.conftest import CONFIG

LIBRARY = open_library(CONFIG)
BOOKS = sorted(LIBRARY.ids)


def sat(tables: Mapping[str, Sequence[int]], each: int = 9, seed: str = "a seed") -> Register:
    """A register where these seats are taken."""
    players = [
        Player(id=f"{table}-{seat}", name=f"{table}{seat}", number=n, status="seated", at=at)
        for n, (table, seat, at) in enumerate(
            (table, seat, AtSeat(table, seat)) for table, seats in tables.items() for seat in seats
        )
    ]
    drawn = Drawn(0, Draw(seed, (), ()), ())
    rooms = tuple(RoomTable(table, each) for table in tables)
    return Register(players=tuple(players), tables=rooms, draws=(drawn,))


def now(register: Register, book: str, button: int = 1) -> dict[str, TableNow]:
    """Its tables after a hand that all who sit there had."""
    rules = LIBRARY.book(book).tournament
    return {
        each.table: TableNow(
            rules, positions(button, [at.seat for at in register.by_seat if at.table == each.table])
        )
        for each in register.tables
    }


def due(register: Register, book: str, button: int = 1) -> list[ProposedMove]:
    return list(moves(register, now(register, book, button), ()))


def size(register: Register, table: str) -> int:
    return sum(at.table == table for at in register.by_seat)


def sizes(register: Register) -> list[int]:
    return [sum(at.table == each.table for at in register.by_seat) for each in register.tables]


def after(register: Register, made: Sequence[ProposedMove]) -> Register:
    for move in made:
        player = register.by_id[move.mover.player]
        assert player.at == move.mover.at
        assert move.to not in register.by_seat
        register = with_players(register, [replace(player, at=move.to)])
    return register


def test_the_next_big_blind_of_the_fullest_table_moves() -> None:
    """TDA09-06a: A's 4 is due the big blind, and so is C's empty 4."""
    register = sat({"A": range(1, 10), "B": range(1, 9), "C": (1, 2, 3, 5, 6, 7)})
    (move,) = due(register, "tda-2009")
    assert (move.mover.at, move.to) == (AtSeat("A", 4), AtSeat("C", 4))
    assert (move.when, move.instead) == ("hand", ())
    assert move.cites == ("TDA09-06a", "TDA09-06b")


def test_of_tables_that_are_as_full_one_is_drawn_by_the_recorded_seed() -> None:
    """UK-09B, TDA09-06b, TDA24-11C: a procedure that is fixed beforehand."""
    register = sat({"A": range(1, 10), "B": range(1, 10), "C": (1, 2, 3, 5, 6, 7)})
    first, second = due(register, "uk-tda")
    (other,) = first.instead
    assert {first.mover.at.table, other.at.table} == {"A", "B"}
    assert second.mover == other, "then that one is the fullest"
    assert sizes(after(register, [first, second])) == [8, 8, 8]
    given_by = set()
    for seed in "abcdefgh":
        drawn = sat({"A": range(1, 10), "B": range(1, 10), "C": (1, 2, 3, 5, 6, 7)}, seed=seed)
        assert due(drawn, "uk-tda") == due(drawn, "uk-tda")
        given_by.add(due(drawn, "uk-tda")[0].mover.at.table)
    assert given_by == {"A", "B"}


def test_or_by_a_card_that_is_dealt_to_each() -> None:
    """HPT-MOVE-02, after all hands (HPT-MOVE-06)."""
    register = sat({"A": range(1, 9), "B": range(1, 9), "C": (1, 2, 4, 5, 6, 7)}, each=8)
    (move,) = due(register, "homepokertourney")
    assert {move.mover.at.table, *(each.at.table for each in move.instead)} == {"A", "B"}
    assert (move.low_card, move.when) == (True, "all")
    alone = sat({"A": range(1, 9), "B": range(1, 8), "C": (1, 2, 4, 5, 6, 7)}, each=8)
    assert [each.low_card for each in due(alone, "homepokertourney")] == [False]


def test_with_more_than_six_tables_two_players_are_near_enough() -> None:
    """RR7-T-17."""
    seven = {f"T{n}": range(1, 10) for n in range(6)} | {"T6": range(1, 8)}
    assert due(sat(seven), "roberts") == []
    six = {f"T{n}": range(1, 10) for n in range(5)} | {"T6": range(1, 8)}
    assert len(due(sat(six), "roberts")) == 1


def test_by_2010_they_move_between_levels() -> None:
    """NL10-SEAT-04: from behind the button."""
    register = sat({"A": range(1, 10), "B": range(1, 8)})
    (move,) = due(register, "nl-2010", button=3)
    assert (move.mover.at, move.to, move.when) == (AtSeat("A", 2), AtSeat("B", 9), "level")


def test_who_seems_to_be_out_counts_no_more() -> None:
    register = sat({"A": range(1, 9), "B": range(1, 8)})
    tables = now(register, "uk-tda")
    assert moves(register, tables, ()) == ()
    assert len(moves(register, tables, ["B-2"])) == 1


def test_a_table_without_players_is_not_filled_again() -> None:
    register = sat({"A": range(1, 9), "B": ()})
    tables = now(sat({"A": range(1, 9)}), "uk-tda") | {
        "B": TableNow(LIBRARY.book("uk-tda").tournament, Positions(1, 2, 3))
    }
    assert moves(register, tables, ()) == ()
    assert halts(register, tables, ()) == ()


def test_where_nobody_knows_the_button_nobody_is_named() -> None:
    register = sat({"A": range(1, 10), "B": range(1, 6)})
    tables = now(register, "uk-tda")
    assert moves(register, {**tables, "A": replace(tables["A"], last=None)}, ()) == ()
    assert moves(register, {**tables, "B": replace(tables["B"], last=None)}, ()) == ()


def test_three_short_of_the_fullest_a_table_halts() -> None:
    """UK-09C, TDA09-06d."""
    register = sat({"A": range(1, 10), "B": range(1, 7), "C": range(1, 8)})
    assert halts(register, now(register, "uk-tda"), ()) == (Halted("B", 3, ("UK-09C",)),)
    assert halts(register, now(register, "roberts"), ()) == ()


def test_by_2024_it_halts_once_the_big_blind_would_come_to_an_empty_seat() -> None:
    """TDA24-11D1, TDA24-EX11: nine-handed, table A with five, the fullest has eight."""
    register = without(sat({"A": range(1, 9), "B": range(1, 9)}), "A-4", "A-5", "A-7")
    early = {**now(register, "tda-2024"), "A": at_a(8, 1, 2)}
    assert halts(register, early, ()) == (), "3 is due the big blind"
    then = {**early, "A": at_a(1, 2, 3)}
    assert halts(register, then, ()) == (Halted("A", 3, ("TDA24-11D1",)),)
    assert halts(sat({"A": (1, 2, 3, 6, 8), "B": range(1, 9)}), then, ()) == (), "nobody is out"


def without(register: Register, *players: str) -> Register:
    """They are out, in this order."""
    for number, player in enumerate(players, 1):
        register = went_out(register, register.by_id[player], number)
    return register


def at_a(button: int, small: int, big: int) -> TableNow:
    return TableNow(LIBRARY.book("tda-2024").tournament, Positions(button, small, big))


@pytest.mark.parametrize("book", BOOKS)
@given(
    st.lists(st.sets(st.integers(1, 9), min_size=2), min_size=1, max_size=9),
    st.integers(1, 9),
)
def test_after_the_moves_all_tables_are_as_full_as_the_book_wants(
    book: str, seats: list[set[int]], button: int
) -> None:
    """Nobody is lost, and no two are in a seat; only where no chair is good enough before the next
    hand is there one move too few."""
    register = sat({f"T{n}": sorted(each) for n, each in enumerate(seats)})
    made = due(register, book, button)
    moved = after(register, made)
    assert len(moved.by_seat) == len(register.by_seat)
    uneven = max(sizes(moved)) - min(sizes(moved))
    balance = LIBRARY.book(book).tournament.balance
    assert balance is not None
    allowed = balance.gap if len(seats) <= 6 or balance.gap_of_many is None else balance.gap_of_many
    if uneven >= allowed and len(made) < 20:
        assert balance.way == "worst"
        shortest = min(moved.tables, key=lambda each: size(moved, each.table))
        short = Ring(
            9,
            frozenset(at.seat for at in moved.by_seat if at.table == shortest.table),
            now(register, book, button)[shortest.table].last or Positions(1, 2, 3),
        )
        assert all(one.is_small or one.is_behind for one in chairs(short))
