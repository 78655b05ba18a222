"""The floor rules, and rules otherwise: until the next riffle that counts."""

from __future__ import annotations

import pytest

from controller.contract.events import (
    Action,
    Closed,
    Event,
    Finding,
    Phase,
    Prompt,
    Result,
    Ruling,
    Start,
)
from controller.contract.observations import decode
from controller.contract.picture import Picture
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.rules.table_talk import Talk

FOUR = "deal 4; preflop; burn; board 4; wait 2"


def told(library: Library, log: str, book: str = "roberts") -> Talk:
    talk = Talk(library, book)
    talk.tell(log)
    return talk


def outcomes(events: list[Event]) -> list[str]:
    """Of the rulings, in the order in which they were made."""
    return [e.ruling.outcome for e in events if isinstance(e, Finding | Ruling)]


def how(events: list[Event]) -> list[str]:
    return [e.how for e in events if isinstance(e, Closed)]


def prompts(events: list[Event]) -> list[str]:
    return [e.text_id for e in events if isinstance(e, Prompt)]


def test_the_later_ruling_is_told_and_followed(library: Library) -> None:
    talk = told(library, f"{FOUR}; rules stands; rules redeal-flop")
    assert outcomes(talk.events) == ["redeal-flop", "stands", "redeal-flop"]
    assert how(talk.events) == ["ruled", "ruled"]
    assert prompts(talk.events)[-1] == "cards-back"
    talk.tell("lift x2 x3 x4 x5; wait 2; board 3; wait 2; checks; burn; board; wait 2; checks")
    assert outcomes(talk.events)[3:] == []
    assert [e.phase for e in talk.events if isinstance(e, Phase)][-1] == "turn"


def test_a_remedy_that_was_ordered_is_called_off(library: Library) -> None:
    talk = told(library, f"{FOUR}; rules redeal-flop")
    assert prompts(talk.events)[-1] == "cards-back"
    talk.tell("rules stands; wait 2")
    assert prompts(talk.events)[-1] == "act"
    talk.tell("checks; burn; board; wait 2; checks")
    assert outcomes(talk.events) == ["redeal-flop", "stands"]


def test_the_second_burns_of_a_ruling_are_called_off(library: Library) -> None:
    talk = told(library, "deal 3; preflop; board 3; wait 3; confirm; checks; rules stands")
    talk.tell("rules floor; burn; board; wait 3; checks")
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["burn-missing"]


def test_what_has_been_carried_out_stays(library: Library) -> None:
    talk = told(library, f"{FOUR}; rules redeal-flop; lift x2 x3 x4 x5; wait 2; rules stands")
    assert outcomes(talk.events)[-1] == "stands"
    assert how(talk.events) == ["ruled", "ruled"]
    assert prompts(talk.events)[-1] == "shuffle-and-cut"
    talk.tell("board 3; wait 2; checks; burn; board; wait 2")
    assert len([e for e in talk.events if isinstance(e, Finding)]) == 1


def test_the_same_ruling_once_more_changes_nothing(library: Library) -> None:
    talk = told(library, f"{FOUR}; rules stands")
    before = len(talk.events)
    talk.tell("rules stands")
    assert len(talk.events) == before


def test_a_hand_that_was_killed_may_be_live_again(library: Library) -> None:
    talk = told(library, "deal 4; 3 raise 40; 4 call; clock 1; wait 75; rules dead-hand")
    assert prompts(talk.events)[-2:] == ["act", "hand-dead"]
    talk.tell("rules stands; wait 1; 1 call; 2 fold; burn; board 3; wait 2; 1 check")
    actions = [(e.seat, e.action) for e in talk.events if isinstance(e, Action)]
    assert actions[2:] == [(1, "fold"), (1, "call"), (2, "fold"), (1, "check")]
    drawn = Picture("T1", "roberts", library.texts)
    drawn.take(talk.events)
    assert [(s.seat, s.state) for s in drawn.view.seats if s.state != "live"] == [(2, "folded")]
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["clock-expired"]


def test_a_hand_that_was_killed_stays_dead_once_the_next_has_acted(library: Library) -> None:
    talk = told(library, "deal 4; 3 raise 40; 4 call; clock 1; wait 75; rules dead-hand; 2 call 40")
    talk.tell("rules stands; wait 1; burn; board 3; wait 2; 2 check; 3 check; 4 check; award")
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["clock-expired"]
    pots = [e.pots for e in talk.events if isinstance(e, Result)][-1]
    assert [pot.seats for pot in pots] == [(2, 3, 4)]


@pytest.mark.parametrize(
    ("rulings", "stands"),
    [
        ("rules binding; rules not-binding", False),
        ("rules not-binding; rules binding", True),
        ("rules binding; rules not-binding; rules binding", True),
    ],
)
def test_an_early_action_stands_or_not_as_the_floor_says_last(
    library: Library, rulings: str, *, stands: bool
) -> None:
    talk = told(library, f"deal 4; 4 raise 40; wait 6; {rulings}; wait 1")
    waits = [e.args["seat"] for e in talk.events if isinstance(e, Prompt) and e.text_id == "act"]
    assert waits[-1] == 3
    talk.tell("3 call 40; wait 2" if stands else "3 call 10; wait 2")
    waits = [e.args["seat"] for e in talk.events if isinstance(e, Prompt) and e.text_id == "act"]
    assert waits[-1] == (1 if stands else 4)
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["out-of-turn"]


def test_a_misdeal_that_the_floor_rules_is_called_by_the_riffle(library: Library) -> None:
    log = "pitch 4 2 3 4 1 2 3 4 1; wait 3; confirm; rules {}; collect; riffle; wait 1"
    again = {
        ruled: [
            e.redeal_of for e in told(library, log.format(ruled)).events if isinstance(e, Start)
        ]
        for ruled in ("misdeal", "misdeal; rules stands")
    }
    assert again == {"misdeal": [None, 1], "misdeal; rules stands": [None, None]}


def test_after_the_hand_a_ruling_is_told_anew(library: Library) -> None:
    talk = told(library, f"{FOUR}; rules stands; 1 check; award; wait 2; rules floor; rules floor")
    assert outcomes(talk.events)[-2:] == ["stands", "floor"]
    assert how(talk.events) == ["ruled", "ruled"]
    assert talk.events[-1].hand == 1
    assert "ruling-too-late" not in prompts(talk.events)


@pytest.mark.parametrize(
    "log",
    [
        f"{FOUR}; rules stands; 1 check; award; collect; riffle; rules floor",
        f"{FOUR}; rules stands; 1 check; award; collect; riffle; wait 1; award; rules floor",
        f"{FOUR}; dismiss; rules floor",
        f"{FOUR}; 1 check; award; rules floor",
    ],
)
def test_a_ruling_that_comes_too_late_changes_nothing(library: Library, log: str) -> None:
    talk = told(library, log)
    assert prompts(talk.events)[-1] == "ruling-too-late"
    assert len(how(talk.events)) == 1


def test_an_engine_restored_between_hands_knows_what_was_decided(library: Library) -> None:
    talk = told(library, f"{FOUR}; rules stands; 1 check; award")
    once = Engine(library.book)
    for line in talk.log:
        once.observe(decode(line))
    state = once.state()
    assert state is not None
    twice = Engine(library.book)
    twice.restore(state, None, once.lying())
    line = b'{"kind":"floor","input":"ruling","t":900,"finding":1,"outcome":"floor"}'
    assert outcomes(twice.observe(decode(line))) == ["floor"]
