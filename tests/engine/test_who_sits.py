"""Who comes to a seat that another has left, as the table is told it."""

from __future__ import annotations

import pytest

from controller.contract.events import Finding, Start
from controller.library.books import Library
from tests.engine.test_two_decks import Table
from tests.rules.table_talk import Talk


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


def test_who_comes_to_a_new_seat_brings_his_chips_to_the_table(library: Library) -> None:
    """CONTRACT, *What the engine believes*: what follows from known facts alone is known."""
    talk = Talk(library, "roberts", seats=[{"seat": s, "stack": 1_000} for s in (1, 2, 3)])
    talk.tell("deal 3; wait 2; 3 raise; 1 call; 2 fold; wait 1; award; collect; wait 2")
    talk.say(kind="seat", seat=4, status="seated", stack=500)
    talk.say(kind="seat", seat=1, status="seated", stack=700)
    talk.tell("riffle")
    seats = next(e for e in reversed(talk.events) if isinstance(e, Start)).seats
    assert {each.seat: each.stack for each in seats} == {1: 700, 2: 990, 3: 1_310, 4: 500}


def test_who_folds_without_buttons_may_have_bet_before(library: Library) -> None:
    """CONTRACT: stacks follow from what is known; here nobody tells what is bet."""
    seats = [{"seat": s, "stack": 1_000} for s in (1, 2, 3, 4)]
    for entered, known in (("wait 1", {}), ("dealt 1 call 10", {3: 1_000})):
        talk = Talk(library, "roberts", seats=seats, buttons=[])
        talk.tell(f"deal 4; wait 2; muck 3; {entered}; wait 2; burn; board 3; wait 3; award")
        talk.tell("collect; wait 2; riffle")
        seats_now = next(e for e in reversed(talk.events) if isinstance(e, Start)).seats
        assert {each.seat: each.stack for each in seats_now if each.stack is not None} == known


def test_another_name_at_a_seat_that_is_taken_is_a_correction(library: Library) -> None:
    table = Table(library, "uk-tda")
    table.say(kind="seat", seat=3, status="seated", player="Bea", stack=2_000)
    table.say(kind="seat", seat=3, status="seated", player="Beatrice")
    assert stack_of(table, 3) == 2_000


BROKEN = [
    {"seat": 3, "stack": 0, "player": "Bea"},
    *({"seat": seat, "stack": 1_000} for seat in (1, 2, 4)),
]
WAITS = [{"seat": 3, "status": "waiting"}, *BROKEN[1:]]
COMES = ({"status": "empty"}, {"status": "seated"})
BOB = ({"status": "seated", "player": "Bob"},)


def starts(talk: Talk) -> list[list[int]]:
    return [[each.seat for each in e.seats] for e in talk.events if isinstance(e, Start)]


def sits_down(library: Library, came: tuple[dict[str, str], ...], log: str) -> Talk:
    talk = Talk(library, "roberts", seats=BROKEN)
    talk.tell("table 4")
    for told in came:
        talk.say(kind="seat", seat=3, **told)
    talk.tell(log)
    return talk


@pytest.mark.parametrize("came", [COMES, BOB])
def test_who_comes_where_nothing_was_left_may_be_dealt_in(
    library: Library, came: tuple[dict[str, str], ...]
) -> None:
    """CONTRACT: every seat listed is entitled to a hand, and one that is left with none is `empty`
    until somebody is `seated` there again. With how much need not be said."""
    played = "pitch 4 1 2 3 4 1 2 3 4; wait 3; 3 call; 4 fold; 1 call; 2 check"
    talk = sits_down(library, came, played)
    assert starts(talk) == [[1, 2, 3, 4]]
    assert not [e for e in talk.events if isinstance(e, Finding)]


@pytest.mark.parametrize("came", [COMES, BOB])
def test_and_is_asked_about_in_no_way_if_he_is_not(
    library: Library, came: tuple[dict[str, str], ...]
) -> None:
    played = "pitch 4 1 2 4 1 2 4; wait 3; 4 call; 1 call; 2 check; wait 3"
    talk = sits_down(library, came, played)
    assert not [e for e in talk.events if isinstance(e, Finding)]


def test_who_is_named_once_more_stays_out(library: Library) -> None:
    talk = sits_down(library, ({"status": "seated", "player": "Bea"},), "riffle")
    assert starts(talk) == [[1, 2, 4]]


def test_who_is_waiting_is_not_dealt_in_to_the_first_hand(library: Library) -> None:
    """CONTRACT: every seat listed is entitled to a hand, except with `empty` or `waiting`."""
    talk = Talk(library, "roberts", seats=WAITS)
    talk.tell("pitch 4 1 2 4 1 2 4; wait 3; 4 call; 1 call; 2 check; wait 3")
    assert starts(talk) == [[1, 2, 4]]
    assert not [e for e in talk.events if isinstance(e, Finding)]
