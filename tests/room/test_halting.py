"""When a table that is short of players halts is the event's choice beside the book's."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.room.balance import Halted, halts
from controller.room.register import Register
from tests.room.test_balance import at_a, now, sat, without
from tests.room.test_register import do, refused


def six_handed() -> Register:
    """Two players short of the fullest table: no book halts that."""
    return sat({"A": range(1, 7), "B": range(1, 5)}, each=6)


def set_to(register: Register, halt: int | None) -> Register:
    return do(register, "even", halt=halt)


def test_the_director_chooses_at_how_many_short_another_format_halts() -> None:
    """TDA24-11D2: of six-handed or turbo events he may have a table halt earlier, or not at all."""
    register = six_handed()
    for book in ("uk-tda", "roberts"):
        assert halts(register, now(register, book), ()) == ()
        early = set_to(register, 2)
        assert halts(early, now(register, book), ()) == (Halted("B", 2, ()),)
        assert halts(set_to(register, 3), now(register, book), ()) == ()


def test_or_that_none_does() -> None:
    """TDA24-11D2."""
    register = sat({"A": range(1, 10), "B": range(1, 7)})
    tables = now(register, "uk-tda")
    assert halts(register, tables, ()) == (Halted("B", 3, ("UK-09C",)),)
    never = set_to(register, 0)
    assert halts(never, tables, ()) == ()
    assert halts(set_to(never, None), tables, ()) == (Halted("B", 3, ("UK-09C",)),)


def test_the_moment_is_still_the_books() -> None:
    """TDA24-11D1: once its big blind would come to an empty seat."""
    register = without(sat({"A": range(1, 9), "B": range(1, 8)}), "A-4", "A-5", "A-7")
    register = set_to(register, 2)
    early = {**now(register, "tda-2024"), "A": at_a(8, 1, 2)}
    assert halts(register, early, ()) == (), "3 is due the big blind"
    assert halts(register, {**early, "A": at_a(1, 2, 3)}, ()) == (Halted("A", 2, ()),)


@pytest.mark.parametrize("halt", [1, 10, -1])
def test_one_player_less_halts_nothing(halt: int) -> None:
    """Tables differ by one whenever their players can't be shared out evenly."""
    register = six_handed()
    if halt == 1:
        assert "from 2 players on" in refused(register, "even", halt=halt)
    else:
        with pytest.raises(Exception, match="halt"):
            do(register, "even", halt=halt)


def test_both_are_set_together() -> None:
    register = do(six_handed(), "even", gap=3, halt=0)
    assert (register.gap, register.halt) == (3, 0)
    assert replace(register, gap=None, halt=None) == do(register, "even")
    assert do(register, "clear").halt == 0
