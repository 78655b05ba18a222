"""The dealer's last entry taken back: the hand stands as if it had never been made."""

from __future__ import annotations

import msgspec
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
    SubstantialAction,
)
from controller.contract.observations import Done, FloorRuling, decode
from controller.contract.picture import Picture
from controller.contract.view import TableView
from controller.engine.account import account
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.engine.lines import entry, press, seen, table
from tests.engine.table_logs import read
from tests.rules.table_talk import Talk


def told(library: Library, log: str, book: str = "roberts") -> tuple[list[Event], list[Event]]:
    """What was said by the end of `log`, and what `undo` then said."""
    talk = Talk(library, book)
    talk.tell(log)
    before = len(talk.events)
    talk.tell("undo")
    return talk.events[:before], talk.events[before:]


def codes(events: list[Event]) -> list[str]:
    return [e.code for e in events if isinstance(e, Finding)]


def test_an_exposed_card_that_was_none_is_dismissed(library: Library) -> None:
    before, after = told(library, "deal 6; exposed 3 2")
    assert codes(before) == ["exposed-card"]
    assert [(e.id, e.how) for e in after if isinstance(e, Closed)] == [(1, "dismissed")]
    assert [e.text_id for e in after if isinstance(e, Prompt)] == ["undone", "act"]


def test_of_two_exposed_cards_the_milder_finding_is_open_again(library: Library) -> None:
    before, after = told(library, "deal 6; exposed 3 2; exposed 4 2")
    assert codes(before) == ["exposed-card", "exposed-cards"]
    assert [(e.id, e.how) for e in after if isinstance(e, Closed)] == [(2, "dismissed")]
    assert [(e.id, e.code) for e in after if isinstance(e, Finding)] == [(1, "exposed-card")]


def test_a_dismissed_finding_is_open_again_under_its_number(library: Library) -> None:
    _, after = told(library, "deal 6; preflop; burn; board 4; wait 2; dismiss")
    assert [(e.id, e.code) for e in after if isinstance(e, Finding)] == [(1, "four-card-flop")]


def test_a_question_is_a_question_again(library: Library) -> None:
    _, after = told(library, "deal 6; preflop; board 3; wait 2; confirm")
    rulings = [e for e in after if isinstance(e, Ruling)]
    assert [(e.id, e.basis) for e in rulings] == [(1, "unseen")]
    assert rulings[0].ruling.steps[0].id.startswith("ask-")


def test_a_round_that_was_not_closed_is_open_again(library: Library) -> None:
    log = "deal 6; 3 call; 4 call; closed; burn; board 3; wait 2"
    before, after = told(library, log)
    assert codes(before) == []
    assert codes(after) == ["premature-flop"]
    assert [e.phase for e in after if isinstance(e, Phase)] == ["preflop"]


def test_a_hand_that_was_over_all_along_ends_as_any_other(library: Library) -> None:
    log = "deal 3; closed; 3 raise 8; 1 fold; 2 fold"
    before, after = told(library, log)
    assert not any(isinstance(e, Result) for e in before)
    played, _ = told(library, log.replace("closed; ", ""))
    for events in (after, played):
        ends = [type(e) for e in events if isinstance(e, Phase | Result)]
        assert ends[-2:] == [Phase, Result]


def test_an_action_that_the_dealer_entered_never_was(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 call; dealt 1 fold; undo; 1 call; 2 check; burn; board 3; wait 2")
    folds = [e for e in talk.events if isinstance(e, Action) and e.action == "fold"]
    assert [(e.seat, e.by) for e in folds] == [(1, "dealer")]
    assert codes(talk.events) == []
    assert [e.phase for e in talk.events if isinstance(e, Phase)][-1] == "flop"


def test_an_award_that_came_too_soon_is_taken_back(library: Library) -> None:
    log = "deal 3; preflop; burn; board 3; wait 2; award; wait 3"
    before, after = told(library, log)
    assert [e.phase for e in before if isinstance(e, Phase)][-1] == "complete"
    assert [e.phase for e in after if isinstance(e, Phase)] == ["flop"]
    assert [e.text_id for e in after if isinstance(e, Prompt)] == ["undone", "act"]
    talk = Talk(library, "roberts")
    talk.tell(f"{log}; undo; checks; burn; board; wait 2; award")
    results = [e for e in talk.events if isinstance(e, Result)]
    assert [e.hand for e in results] == [1, 1]
    assert codes(talk.events) == []


def test_a_misdeal_that_was_none_is_taken_back(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; exposed 1 1; misdeal; wait 1; undo")
    assert [e.phase for e in talk.events if isinstance(e, Phase)][-1] == "preflop"
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["exposed-first-card"] * 2


def test_where_no_hand_has_begun_there_is_nothing_to_take_back(library: Library) -> None:
    talk = Talk(library, "roberts", seats=[])
    talk.tell("table 2; riffle; award; undo")
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)] == ["nothing-to-undo"]


def test_once_the_next_hand_has_begun_the_last_one_is_over(library: Library) -> None:
    _, after = told(library, "deal 3; preflop; burn; board 3; wait 2; award; wait 3; riffle")
    assert [e.text_id for e in after if isinstance(e, Prompt)] == ["nothing-to-undo"]


@pytest.mark.parametrize(
    "log", ["deal 6", "deal 6; 3 call", "deal 6; exposed 3 2; wait 1; rules floor", "table 6"]
)
def test_what_the_dealer_did_not_enter_stays(library: Library, log: str) -> None:
    _, after = told(library, log)
    assert [e.text_id for e in after if isinstance(e, Prompt)] == ["nothing-to-undo"]
    assert len(after) == 1


def test_entries_are_taken_back_one_by_one(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 6; exposed 3 2; boxed 4 2; undo; undo; undo")
    said = [e.text_id for e in talk.events if isinstance(e, Prompt)]
    assert said.count("undone") == 2
    assert said[-1] == "nothing-to-undo"
    assert {e.id for e in talk.events if isinstance(e, Closed)} == {1, 2}
    talk.tell("wait 3; 3 call; 4 call; 5 call; 6 call; 1 call; 2 check; burn; board 3; wait 2")
    assert len(codes(talk.events)) == 2


def test_ticks_are_taken_back_in_the_picture(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 6; preflop; burn; board 4; wait 2; done stop; done shuffle")
    assert ticks(library, talk) == ("stop", "shuffle")
    talk.tell("undo")
    assert ticks(library, talk) == ("stop",)


def ticks(library: Library, talk: Talk) -> tuple[str, ...]:
    view = picture(library, talk)
    return view.findings[0].done


def picture(library: Library, talk: Talk) -> TableView:
    drawn = Picture("T1", "roberts", library.texts)
    engine = Engine(library.book)
    for line in talk.log:
        observation = decode(line)
        drawn.take(account(engine, observation, engine.observe(observation)))
    return drawn.view


def test_the_picture_is_that_of_a_hand_without_the_entry(library: Library) -> None:
    with_it, without = Talk(library, "roberts"), Talk(library, "roberts")
    with_it.tell("deal 6; 3 call; exposed 3 2; wait 0.5; undo; 4 call; 5 fold")
    without.tell("deal 6; 3 call; wait 0.5; wait 0.5; 4 call; 5 fold")
    mine, other = picture(library, with_it), picture(library, without)
    assert msgspec.structs.replace(mine, prompt="") == msgspec.structs.replace(other, prompt="")


def test_an_engine_restored_after_an_undo_says_the_same(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 6; exposed 3 2; undo; 3 call; exposed 4 2")
    once, twice = Engine(library.book), Engine(library.book)
    first = [e for line in talk.log for e in once.observe(decode(line))]
    again = [e for line in talk.log for e in twice.observe(decode(line))]
    assert first == again == talk.events
    assert not any(isinstance(one, Done) for one in once.told)
    told = [e for e in once.told if not isinstance(e, Done | FloorRuling)]
    assert codes(told) == ["exposed-card"]


def test_of_a_hand_that_is_over_nobody_is_told_that_no_misdeal_can_be_called(
    library: Library,
) -> None:
    """Who was not known to play is taken back out of the hand once it is over."""
    engine = Engine(library.book)
    log = [
        table(1, 3, 7, 8, 10, 4, rulebook="homepokertourney"),
        seen(31.3, "seat/4", "3c"),
        seen(31.9, "seat/5", "6h"),
        press(49.6, 1, "fold"),
        press(64.0, 10, "call"),
        press(67.3, 3, "call"),
        press(70.8, 5, "all-in"),
        entry(102.7, "award"),
        entry(106.1, "round-closed"),
    ]
    events = [event for one in read(log) for event in engine.observe(one)]
    assert any(isinstance(e, Prompt) and e.text_id == "taken-over" for e in events)
    (undo,) = read([entry(106.6, "undo", by="Bo", reason="?")])
    after = engine.observe(undo)
    assert next(e.args for e in after if isinstance(e, Prompt)) == {"entry": "taken-over"}
    assert any(isinstance(e, Result) for e in after)
    assert not any(isinstance(e, SubstantialAction) for e in after)
