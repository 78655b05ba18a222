"""A press for which there is no place changes nothing: the log says the same without it."""

from __future__ import annotations

import pytest

from controller.contract.events import Finding, Phase, Result
from controller.library.books import Library
from tests.rules.table_talk import Talk

STREETS = "burn; board 3; wait 3; burn; board; wait 3; burn; board; wait 3"
SHORT = [{"seat": seat, "stack": 6 if seat == 3 else 1000} for seat in (1, 2, 3, 4)]
LEVEL = [{"seat": seat, "stack": 300} for seat in (1, 2, 3, 4)]
ALL_IN = "deal 4; 3 all-in 6; 4 fold; 1 fold; {}; tabled 3; tabled 2; {}; " + STREETS + "; award"
AFTER_CARDS = (
    "deal 4; 3 all-in 6; 4 fold; 1 fold; tabled 3; tabled 2; wait 9; burn; {}; board 3; wait 0.1; "
    "{}; burn; board; wait 3; burn; board; wait 3; award"
)
EVERYBODY = (
    "deal 4; 3 all-in; 4 all-in; 1 all-in; 2 all-in; {}; tabled 1; tabled 2; tabled 3; tabled 4; "
    "{}; " + STREETS + "; award"
)
WHILE_OPEN = (
    "deal 4; 3 {}; {{}}; 4 fold; 1 call; {{}}; 2 check; burn; board 3; wait 3; 1 check; 2 check; "
    "burn; board; wait 3; award"
)
CHECKED = (
    "deal 4; preflop; {}; burn; board 3; wait 3; 1 check; 2 check; 3 check; 4 check; {}; burn; "
    "board; wait 3; award"
)


def told(library: Library, log: str, presses: tuple[str, str], **table: object) -> Talk:
    talk = Talk(library, "roberts", **table)
    talk.tell(log.format(*presses))
    return talk


@pytest.mark.parametrize(
    ("log", "seats", "press"),
    [
        *((ALL_IN, SHORT, f"2 {press}") for press in ("check", "call", "fold", "raise 40")),
        *((ALL_IN, SHORT, press) for press in ("2 all-in", "3 all-in", "3 call", "4 call")),
        *((AFTER_CARDS, SHORT, press) for press in ("2 check", "2 call", "2 bet 20")),
        *((EVERYBODY, LEVEL, f"{seat} all-in") for seat in (1, 2, 3, 4)),
        *((WHILE_OPEN.format("fold"), LEVEL, press) for press in ("3 call", "3 raise 40")),
        *((WHILE_OPEN.format("all-in 6"), SHORT, press) for press in ("3 call", "3 all-in")),
        *((CHECKED, LEVEL, press) for press in ("2 check", "1 check", "3 call", "4 fold")),
        *((CHECKED, LEVEL, press) for press in ("1 bet 20", "3 raise 40", "1 all-in")),
    ],
)
def test_nothing_is_different(
    library: Library, log: str, seats: list[dict[str, int]], press: str
) -> None:
    needless = told(library, log, (press, press), seats=seats)
    without = told(library, log, ("wait 2", "wait 2"), seats=seats)
    assert needless.events == without.events
    assert not [e for e in without.events if isinstance(e, Finding)]
    phases = [e.phase for e in without.events if isinstance(e, Phase)]
    assert phases[:4] == ["deal", "preflop", "flop", "turn"]


def test_of_a_bet_that_may_have_been_pressed_late_it_is_not_known_how_much(
    library: Library,
) -> None:
    """CONTRACT: two presses closer together than `press_window` have no certain order."""
    played = "2 check; fast; wait 1; 2 raise 60; wait 3; burn; board 3; wait 3; 1 check; 2 fold"
    talk = Talk(library, "roberts", seats=LEVEL)
    talk.tell(f"deal 4; 3 call; 4 call; 1 call; {played}; 3 fold; 4 fold")
    [result] = [e for e in talk.events if isinstance(e, Result)]
    assert result.stacks is None


def test_the_same_press_again_at_once_is_none(library: Library) -> None:
    log = "deal 4; 3 call; 4 call; fast; wait 1.4; {}; wait 1; 1 call; {}; wait 2; 2 check; wait 2"
    doubled = told(library, log, ("4 call", "1 call"))
    assert doubled.events == told(library, log, ("wait 0", "wait 0")).events
    assert not [e for e in doubled.events if isinstance(e, Finding)]


def test_it_is_not_the_next_round_where_no_board_is_read(library: Library) -> None:
    zones = [*(f"seat/{seat}" for seat in range(1, 11)), "muck"]
    log = (
        "deal 3; 3 call; 1 fold; 2 check; fast; wait 1.4; {}; wait 4; 2 bet 20; {}; wait 2; 3 fold"
    )
    doubled = told(library, log, ("2 check", "2 bet 20"), zones=zones)
    assert doubled.events == told(library, log, ("wait 0", "wait 0"), zones=zones).events


RINGS = ("1 2 3 4", "2 3 4 1", "3 4 1 2", "4 1 2 3", "1 2 3 4")
"""Five hands: the seats from left of the button."""


def test_a_night_of_them(library: Library) -> None:
    """Hand after hand seat 3 is all-in for less than the blind, and the big blind presses on."""
    talk = Talk(library, "roberts", seats=SHORT, button=4)
    for number, ring in enumerate(RINGS):
        small, big, first, last = (int(seat) for seat in ring.split())
        if number:
            talk.say(kind="seat", seat=3, status="seated", stack=6)
            talk.tell(f"wait 3; collect; pitch 4 {ring} {ring}; wait 1")
        else:
            talk.tell("deal 4")
        if big == 3:
            talk.tell(f"{first} call; {last} fold; {small} fold; wait 3; {first} check")
        else:
            for seat in (first, last, small):
                talk.tell("3 all-in" if seat == 3 else f"{seat} fold")
            talk.tell(f"wait 3; {big} check; wait 2; {big} call; wait 1")
        talk.tell(f"tabled 3; tabled {first if big == 3 else big}; {STREETS}; award")
    results = [e for e in talk.events if isinstance(e, Result)]
    assert [e.stacks is not None and e.awards is not None for e in results] == [True] * len(RINGS)
    assert not [e for e in talk.events if isinstance(e, Finding)]
    phases = [e.phase for e in talk.events if isinstance(e, Phase)]
    one = ["deal", "preflop", "flop", "turn", "river", "showdown", "complete"]
    assert phases == one * len(RINGS)
