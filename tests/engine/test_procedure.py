"""How a hand is followed where nothing goes wrong: rules that need no finding."""

from __future__ import annotations

import pytest

from controller.contract.events import Action, Event, Finding, Phase, Prompt, Result, Start
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.rules.table_talk import Talk


def result_of(events: list[Event]) -> Result:
    return [e for e in events if isinstance(e, Result)][-1]


def test_a_level_applies_from_the_next_riffle(library: Library) -> None:
    engine = Engine(library.book)
    events: list[Event] = []
    for line in (
        '{"kind":"table","v":1,"table":"1","rulebook":"uk-tda","button":1,'
        '"blinds":{"small":5,"big":10},"seats":[{"seat":1},{"seat":2}]}',
        '{"kind":"riffle","t":1}',
        '{"kind":"seen","t":3,"zone":"seat/2","tag":"As"}',
        '{"kind":"level","t":4,"small":50,"big":100}',
        '{"kind":"dealer","t":5,"input":"misdeal"}',
        '{"kind":"riffle","t":6}',
        '{"kind":"seen","t":8,"zone":"seat/2","tag":"As"}',
        '{"kind":"dealer","t":9,"input":"award"}',
        '{"kind":"riffle","t":10}',
    ):
        events += engine.observe(decode(line.encode()))
    starts = [(e.redeal_of, e.blinds.big) for e in events if isinstance(e, Start)]
    assert starts == [(None, 10), (1, 10), (None, 100)]


SHOWDOWN = """
pitch 3; deals 1; also 2 3 1 2 3; preflop; burn; board 3; checks; burn; board; checks; burn; board
checks; tabled 2; tabled 3; lift x1; wait 3
"""


def test_at_showdown_a_hand_is_dead_only_in_the_muck(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(SHOWDOWN)
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "show-first"
    talk.tell("lay x1 muck; wait 1")
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "kill-losers"
    talk.tell("award")
    assert [pot.seats for pot in result_of(talk.events).pots] == [(2, 3)]


def test_a_tabled_hand_is_not_killed_by_the_muck(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(SHOWDOWN + "tabled 1; lay x1 muck; wait 1; award")
    assert [pot.seats for pot in result_of(talk.events).pots] == [(1, 2, 3)]


def test_a_hand_killed_by_mistake_gets_an_uncalled_bet_back(library: Library) -> None:
    talk = Talk(library, "tda-2009")
    talk.tell("pitch 3; also 1 2; deals 3; also 1 2 3; 3 raise 100; lift x1; lay x1 muck; wait 1")
    talk.tell("1 fold")
    result = result_of(talk.events)
    assert [(pot.amount, pot.seats) for pot in result.pots] == [(25, (2,))]
    assert result.stacks == {"1": 995, "2": 1015, "3": 990}


def test_of_a_killed_hand_only_the_next_player_is_asked_about(library: Library) -> None:
    talk = Talk(library, "tda-2009")
    talk.tell("deal 4; 3 raise 100; wait 2; muck 3; wait 2")
    (finding,) = (e for e in talk.events if isinstance(e, Finding))
    assert [step.text for step in finding.ruling.steps] == [
        "Is seat 4 still to act?",
        "The hand of seat 3 stays in the muck: it is dead.",
        "What nobody has called goes back to seat 3: 90.",
        "The action goes back to seat 4.",
    ]


FOREIGN = "pitch 4 1 2 3; strange OTHER seat/4; also 1 2 3 4; 3 raise 40; wait 2"


@pytest.mark.parametrize("end", ["1 call; rules void-hand", "rules stands; rules void-hand"])
def test_a_void_hand_gives_every_bet_back_and_is_dealt_again(library: Library, end: str) -> None:
    """RR7-IRR-3, RR7-IRR-4: no pot, the stacks of before, the same button and players."""
    talk = Talk(library, "roberts")
    talk.tell(f"{FOREIGN}; {end}; wait 1; collect; riffle")
    result = result_of(talk.events)
    assert (result.pots, result.awards) == ((), None)
    assert result.stacks == {"1": 1000, "2": 1000, "3": 1000, "4": 1000}
    assert [e.phase for e in talk.events if isinstance(e, Phase) and e.hand == 1][-1] == "complete"
    again = [e for e in talk.events if isinstance(e, Start)][-1]
    assert (again.hand, again.redeal_of, again.button) == (2, 1, 4)
    assert [seat.stack for seat in again.seats] == [1000] * 4


def test_a_void_hand_of_unknown_stacks_has_none_after_it(library: Library) -> None:
    seats = [{"seat": seat} for seat in (1, 2, 3, 4)]
    talk = Talk(library, "roberts", seats=seats)
    talk.tell(f"{FOREIGN}; rules void-hand; wait 1; riffle")
    assert result_of(talk.events).stacks is None


def test_a_misdeal_gives_every_bet_back(library: Library) -> None:
    """UK-33C, with the posts once more."""
    talk = Talk(library, "uk-tda", posts=[3])
    talk.tell("deal 4; 3 raise 40; misdeal; collect; deal 4; 3 check")
    talk.tell("4 fold; 1 fold; 2 fold")
    assert not [e for e in talk.events if isinstance(e, Result) and e.hand == 1]
    assert result_of(talk.events).stacks == {"1": 995, "2": 990, "3": 1015, "4": 1000}


def test_a_dead_hand_gets_nothing_back(library: Library) -> None:
    """RR7-MISDEAL-2."""
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 raise 40; 1 call; clock 2; wait 75; rules dead-hand; award")
    assert [(pot.amount, pot.seats) for pot in result_of(talk.events).pots] == [(90, (1, 3))]


def test_the_least_raise_is_told_with_the_turn(library: Library) -> None:
    """Where the amounts are known and the player may raise (RR7-NL-4)."""
    seats = [{"seat": seat, "stack": 60 if seat == 1 else 1000} for seat in (1, 2, 3)]
    talk = Talk(library, "roberts", seats=seats)
    talk.tell("deal 3; 3 raise 40; 1 all-in; 2 call 60; 3 call; burn; board 3; wait 2; 2 bet")
    said = [e.args for e in talk.events if isinstance(e, Prompt) and e.text_id == "act"]
    assert said == [
        {"seat": 3, "min_raise_to": 20},
        {"seat": 1, "min_raise_to": 60},
        {"seat": 2, "min_raise_to": 90},
        {"seat": 3},
        {"seat": 2, "min_raise_to": 10},
        {"seat": 3},
    ]


@pytest.mark.parametrize("option", ["3 check", "3 raise 60; 4 fold; 1 fold; 2 call"])
def test_a_straddle_has_its_option(library: Library, option: str) -> None:
    """RR7-NL-15, entered as a raise: its player may act once more, and nothing is amiss."""
    talk = Talk(library, "roberts")
    talk.tell(f"deal 4; 3 raise 20; 4 call; 1 call; 2 call; {option}; burn; board 3; wait 2")
    talk.tell("checks; burn; board; wait 2" if option == "3 check" else "2 check; 3 check")
    assert [e.code for e in talk.events if isinstance(e, Finding)] == []
    assert [e.phase for e in talk.events if isinstance(e, Phase)][2] == "flop"


def test_chips_that_come_in_a_hand_play_in_the_next(library: Library) -> None:
    """RR7-PROC-6."""
    talk = Talk(library, "roberts", seats=[{"seat": s, "stack": 100} for s in (1, 2, 3)])
    talk.tell("deal 3; 3 raise 20")
    talk.say(kind="seat", seat=3, status="seated", stack=1_000)
    talk.tell("1 all-in; 2 fold; 3 all-in; wait 1")
    bets = [e.amount for e in talk.events if isinstance(e, Action) and e.action == "all-in"]
    assert bets == [100, 100]
    talk.tell("award; riffle")
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    assert next(seat.stack for seat in start.seats if seat.seat == 3) == 1_000


def test_an_odd_chip_is_the_smallest_of_the_level(library: Library) -> None:
    """RR7-TIES-3, HPT-SHOW-06, NL10-HR-09, TDA09-12, UK-18, TDA24-20: seats 1 and 2 share."""
    level = {"small": 25, "big": 75, "chip": 25}
    stacks = [{"seat": seat, "stack": 1_000} for seat in (1, 2, 3)]
    talk = Talk(library, "roberts", seats=stacks, blinds=level)
    talk.tell("deal 3; 3 call; 1 fold; 2 check; top 2d As Ks Qs 3d Js 4d Ts; burn; board 3")
    talk.tell("checks; burn; board; checks; burn; board; checks; tabled 2; tabled 3; award")
    assert result_of(talk.events).awards == {"2": 100, "3": 75}


def test_who_was_not_there_for_the_deal_does_not_play_its_redeal(library: Library) -> None:
    """UK-33C, TDA24-35C1: he is dealt in once more, and the hand is killed."""
    for change in ("seat 3 present", "seat 3 seated", ""):
        talk = Talk(library, "uk-tda")
        talk.tell("table 5; seat 3 absent; pitch 5 2 1 3 4 5 1 2 3 4 5; wait 3; misdeal; wait 1")
        talk.tell(f"{change}; collect; deal 5; wait 2; 4 call; 5 call; 1 call; 2 check; wait 1")
        acted = [e for e in talk.events if isinstance(e, Action) and e.hand == 2]
        order = [(e.seat, e.action) for e in acted]
        assert order == [(3, "fold"), (4, "call"), (5, "call"), (1, "call"), (2, "check")]
