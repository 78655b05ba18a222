"""What makes a remedy the remedy: shown by an entry, taken back, asked about, or the floor's."""

from __future__ import annotations

from controller.contract.events import Closed, Finding, Prompt, Ruling, Start
from controller.library.books import Library
from tests.rules.table_talk import Talk

FOUR = "deal 4; preflop; burn; board 4; wait 2; lift x2 x3 x4 x5; wait 2"
PICKED = "lay x5 burn; lay x2 board; lay x3 board; lay x4 board; wait 2"


def told(library: Library, book: str, log: str) -> Talk:
    talk = Talk(library, book)
    talk.tell(log)
    return talk


def closed(talk: Talk) -> list[tuple[int, str]]:
    return [(e.id, e.how) for e in talk.events if isinstance(e, Closed)]


def steps(talk: Talk) -> list[str]:
    last = [e.ruling for e in talk.events if isinstance(e, Finding | Ruling)][-1]
    return [step.id for step in last.steps]


def test_a_tick_that_is_taken_back_was_none(library: Library) -> None:
    talk = told(library, "roberts", f"{FOUR}; done shuffle; undo; board 3; wait 2")
    assert closed(talk) == []
    assert steps(talk)[0] == "ask-shuffled"
    talk.tell("undo")
    assert closed(talk) == []


def test_an_answer_that_is_taken_back_is_asked_again(library: Library) -> None:
    talk = told(library, "roberts", f"{FOUR}; board 3; wait 2; confirm")
    assert closed(talk) == [(1, "remedied")]
    talk.tell("undo")
    assert steps(talk)[0] == "ask-shuffled"


def test_a_question_about_an_act_is_told_as_one(library: Library) -> None:
    talk = told(library, "roberts", f"{FOUR}; board 3; wait 2")
    asked = [e for e in talk.events if isinstance(e, Ruling)][-1]
    assert (asked.basis, asked.ruling.outcome) == (None, "redeal-flop")  # it is certain
    talk.tell("dismiss; wait 1")
    left_out = [e for e in talk.events if isinstance(e, Ruling)][-1]
    assert left_out.ruling.outcome == "floor"
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "put-right"
    talk.tell("floor; wait 1")
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "act"
    assert closed(talk) == []


def test_that_nobody_picked_makes_no_zone_suspect(library: Library) -> None:
    talk = told(library, "uk-tda", f"{FOUR}; {PICKED}; 1 check; dismiss; dismiss")
    assert closed(talk) == [(1, "dismissed")]
    assert talk.sight.doubted == ()


def test_what_the_floor_dismisses_is_closed_at_once(library: Library) -> None:
    talk = told(library, "uk-tda", f"{FOUR}; {PICKED}; 1 check")
    talk.say(kind="floor", input="dismiss", by="Ann", finding=1)
    assert closed(talk) == [(1, "dismissed")]


def test_a_pick_before_there_is_anything_to_pick_is_none(library: Library) -> None:
    talk = told(library, "uk-tda", "deal 4; preflop; burn; pick; board 4; wait 2; lift x2 x3 x4 x5")
    talk.tell(f"wait 2; {PICKED}; 1 check")
    assert steps(talk)[0] == "ask-picked"


def test_one_shuffle_is_for_two_cards_that_came_too_soon(library: Library) -> None:
    log = "deal 2; preflop; burn; board 3; 1 check; burn; board; burn; board; wait 3; lift x8 x6"
    talk = told(
        library, "uk-tda", f"{log}; wait 1; 2 check; burn; board; wait 2; checks; reshuffled"
    )
    talk.tell("board; wait 2; checks; award")
    assert sorted(closed(talk)) == [(1, "remedied"), (2, "remedied")]


def test_after_the_new_card_a_riffle_is_the_next_hand(library: Library) -> None:
    talk = told(library, "roberts", f"{FOUR}; board 3; wait 2; checks; riffle")
    assert sum(isinstance(e, Start) for e in talk.events) == 2
    assert closed(talk) == [(1, "expired")]


def test_a_ruling_that_was_carried_out_by_a_riffle_begins_no_hand(library: Library) -> None:
    talk = told(library, "tda-2009", "deal 4; preflop; burn; board 5; wait 2; rules redeal-flop")
    talk.tell("lift x2 x3 x4 x5 x6; wait 2; riffle; riffle; board 3; wait 2; checks; burn; board")
    assert sum(isinstance(e, Start) for e in talk.events) == 1
    assert closed(talk) == [(1, "ruled")]
