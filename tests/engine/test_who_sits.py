"""Who comes to a seat that another has left, as the table is told it."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from tests.engine.test_two_decks import Table


def stack_of(table: Table, seat: int) -> int | None:
    state = table.engine.state()
    assert state is not None
    return next(each.stack for each in state.table.seats if each.seat == seat)


@pytest.mark.parametrize(("player", "stack"), [("Anna", None), ("Bea", 2_000), (None, 2_000)])
def test_who_comes_does_not_bring_the_chips_of_who_has_gone(
    library: Library, player: str | None, stack: int | None
) -> None:
    """CONTRACT is silent: what is not said stays, of the same player or where nobody is named."""
    table = Table(library, "uk-tda")
    table.say(kind="seat", seat=3, status="seated", player="Bea", stack=2_000)
    table.say(kind="seat", seat=3, status="empty")
    named = {} if player is None else {"player": player}
    table.say(kind="seat", seat=3, status="seated", **named)
    assert stack_of(table, 3) == stack


def test_another_name_at_a_seat_that_is_taken_is_a_correction(library: Library) -> None:
    table = Table(library, "uk-tda")
    table.say(kind="seat", seat=3, status="seated", player="Bea", stack=2_000)
    table.say(kind="seat", seat=3, status="seated", player="Beatrice")
    assert stack_of(table, 3) == 2_000
