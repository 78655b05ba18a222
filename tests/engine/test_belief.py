"""What is only believed of the table: a deal knows better, presses are evidence (contract, *What
the engine believes about the table*)."""

from __future__ import annotations

import pytest

from controller.contract.events import Action, Closed, Finding, Prompt, Result, Ruling, Start
from controller.library.books import Library
from tests.rules.table_talk import Talk

NO_CHIPS = [{"seat": seat} for seat in (1, 2, 3, 4)]
RUN_OUT = "burn; board 3; burn; board; burn; board; tabled 3; tabled 2; award; collect"
FACE_UP = "wait 3; tabled 3; tabled 2; burn; board 3; burn; board; burn; board; award"
ALL_IN = f"deal 4; 3 all-in; 4 fold; 1 fold; 2 call; {RUN_OUT}"
"""Button at 4: seat 3 is all-in against 2, the big blind, and nobody has told any chips."""
WITHOUT_3 = "riffle; wait 3; also 2 4 1 2 4 1"
"""The next hand has its button at 1 and its big blind at 4, as seat 3 is out."""
ALL_FOLD = "deal 4; 3 fold; 4 fold; 1 fold; wait 3; collect"
"""Nobody can be broken by it."""


def told(library: Library, log: str, book: str = "roberts", **table: object) -> Talk:
    talk = Talk(library, book, **table)
    talk.tell(log)
    return talk


def found(talk: Talk) -> list[tuple[str, str]]:
    return [(e.code, e.basis) for e in talk.events if isinstance(e, Finding)]


def taken_over(talk: Talk) -> list[dict[str, object]]:
    prompts = (e for e in talk.events if isinstance(e, Prompt))
    return [e.args for e in prompts if e.text_id == "taken-over"]


def actions(talk: Talk) -> list[tuple[int, str, str]]:
    return [(e.seat, e.action, e.by) for e in talk.events if isinstance(e, Action)]


def test_a_deal_without_a_player_who_may_be_broken_shows_that_he_is_out(library: Library) -> None:
    talk = told(library, f"{ALL_IN}; {WITHOUT_3}; wait 3", seats=NO_CHIPS)
    assert taken_over(talk) == [{"out": [3], "in": [], "button": None}]
    assert found(talk) == []
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-2:] == ["act", "taken-over"]


def test_and_the_hand_goes_on_among_those_who_play(library: Library) -> None:
    play = "1 call; 2 call; 4 check; burn; board 3; wait 3; 2 check; 4 check; 1 check; wait 2"
    talk = told(library, f"{ALL_IN}; {WITHOUT_3}; {play}", seats=NO_CHIPS)
    assert found(talk) == []
    assert actions(talk)[4:7] == [(1, "call", "press"), (2, "call", "press"), (4, "check", "press")]


def test_who_acts_plays_though_none_of_his_cards_was_read(library: Library) -> None:
    deal = "riffle; wait 3; also 2 4 1 2 4"
    talk = told(library, f"{ALL_IN}; {deal}; 3 fold", seats=NO_CHIPS)
    assert taken_over(talk) == []
    assert (3, "fold", "press") in actions(talk)


def test_the_next_hand_is_theirs(library: Library) -> None:
    talk = told(
        library, f"{ALL_IN}; {WITHOUT_3}; 1 fold; 2 fold; wait 3; collect; riffle", seats=NO_CHIPS
    )
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    assert ([s.seat for s in start.seats], start.button) == ([1, 2, 4], 2)


def test_taken_back_he_plays_and_is_asked_about(library: Library) -> None:
    talk = told(library, f"{ALL_IN}; {WITHOUT_3}; wait 3; undo; wait 3", seats=NO_CHIPS)
    undone = [e.args for e in talk.events if isinstance(e, Prompt) and e.text_id == "undone"]
    assert undone == [{"entry": "taken-over"}]
    assert found(talk)
    assert {basis for _, basis in found(talk)} == {"unseen"}


def test_a_player_who_cannot_be_broken_is_known_to_play(library: Library) -> None:
    talk = told(library, f"{ALL_FOLD}; {WITHOUT_3}; wait 3", seats=NO_CHIPS)
    assert taken_over(talk) == []
    assert found(talk) == [("seat-dealt-out", "unseen")]


def test_and_is_asked_about_once(library: Library) -> None:
    unanswered = f"{ALL_FOLD}; {WITHOUT_3}; 1 fold; 2 fold; award; wait 3; collect"
    talk = told(library, f"{unanswered}; riffle; wait 3; also 4 1 2 4 1 2; wait 3", seats=NO_CHIPS)
    assert [code for code, _ in found(talk)] == ["seat-dealt-out"]
    assert len(taken_over(talk)) == 1


def test_told_that_he_is_out_nothing_is_asked_any_more(library: Library) -> None:
    talk = told(library, f"{ALL_FOLD}; {WITHOUT_3}; wait 3; seat 3 empty; wait 1", seats=NO_CHIPS)
    assert [e.how for e in talk.events if isinstance(e, Closed)] == ["remedied"]
    talk.tell("1 call; 2 call; 4 check; burn; board 3; wait 3")
    assert found(talk) == [("seat-dealt-out", "unseen")]


def test_cards_of_his_that_were_not_read_leave_a_gap(library: Library) -> None:
    unread = "riffle; wait 3; also 2; gap; also 4 1 2; gap; also 4 1; wait 3"
    talk = told(library, f"{ALL_IN}; {unread}", seats=NO_CHIPS)
    assert taken_over(talk) == []
    assert found(talk) == []


def test_who_is_waiting_plays_once_the_button_has_passed(library: Library) -> None:
    """Between button and small blind nobody is dealt in (UK-09, TDA24-10A)."""
    talk = told(library, "deal 4; seat 2 empty; seat 2 waiting; 3 fold; 4 fold; wait 3; collect")
    talk.tell("riffle; wait 1; collect; riffle")
    seats = [[s.seat for s in e.seats] for e in talk.events if isinstance(e, Start)]
    assert seats[0] == [1, 2, 3, 4]


# --- presses ---


def test_who_was_taken_out_and_presses_plays(library: Library) -> None:
    acts = "wait 3; 1 call; 2 call; 3 check"
    talk = told(library, f"{ALL_IN}; {WITHOUT_3}; {acts}", seats=NO_CHIPS)
    assert taken_over(talk) == [
        {"out": [3], "in": [], "button": None},
        {"out": [], "in": [3], "button": None},
    ]
    assert actions(talk)[-1] == (3, "check", "press")
    assert [e for e in talk.events if isinstance(e, Start)][-1].hand == 2


def test_who_came_untold_plays_once_he_presses(library: Library) -> None:
    deal = "riffle; wait 3; also 2 3 4 5 1 2 3 4 5 1"
    talk = told(library, f"{ALL_FOLD}; {deal}; 4 call; 5 call; 1 fold; 2 fold; 3 check; burn")
    assert found(talk) == [("empty-seat-dealt", "unseen")]
    assert len([e for e in talk.events if isinstance(e, Closed)]) == 1
    assert taken_over(talk) == [{"out": [], "in": [5], "button": None}]
    assert (5, "call", "press") in actions(talk)


def test_or_once_the_dealer_says_so(library: Library) -> None:
    """CONTRACT: the answer holds."""
    deal = "riffle; wait 3; also 2 3 4 5 1 2 3 4 5 1; wait 3; dismiss"
    end = "4 fold; 5 fold; 1 fold; 2 fold; collect; wait 3; riffle"
    talk = told(library, f"{ALL_FOLD}; {deal}; {end}")
    assert found(talk) == [("empty-seat-dealt", "unseen")]
    assert taken_over(talk) == [{"out": [], "in": [5], "button": None}]
    starts = [e for e in talk.events if isinstance(e, Start)]
    assert [seat.seat for seat in starts[-1].seats] == [1, 2, 3, 4, 5]


def test_told_for_this_hand_it_is_known_that_nobody_is_there(library: Library) -> None:
    """CONTRACT: known is what was told for this hand; a finding that is dismissed is not asked
    again."""
    deal = "seat 5 empty; riffle; wait 3; also 2 3 4 5 1 2 3 4 5 1; wait 3; dismiss"
    talk = told(library, f"{ALL_FOLD}; {deal}; 4 fold; 1 fold; 2 fold")
    assert found(talk) == [("empty-seat-dealt", "seen")]
    assert taken_over(talk) == []


def test_taken_back_nobody_has_come(library: Library) -> None:
    deal = "riffle; wait 3; also 2 3 4 5 1 2 3 4 5 1"
    talk = told(library, f"{ALL_FOLD}; {deal}; 4 call; 5 call; wait 1; undo; wait 3")
    undone = [e.args for e in talk.events if isinstance(e, Prompt) and e.text_id == "undone"]
    assert undone == [{"entry": "taken-over"}]
    assert [code for code, _ in found(talk)] == ["empty-seat-dealt", "empty-seat-dealt"]


def test_what_was_not_answered_is_no_fact_in_the_next_hand(library: Library) -> None:
    """Nobody says whether seat 3 is out: it is, and the blinds had gone round without it."""
    unanswered = f"{ALL_FOLD}; {WITHOUT_3}; 1 fold; 2 fold; award; wait 3; collect"
    deal = "riffle; wait 3; also 4 1 2 4 1 2; wait 3"
    talk = told(library, f"{unanswered}; {deal}; 2 call; 4 call; 1 check; burn", seats=NO_CHIPS)
    assert [code for code, _ in found(talk)] == ["seat-dealt-out"]
    assert actions(talk)[-1] == (1, "check", "press")


def test_hands_that_all_lie_face_up_end_the_betting(library: Library) -> None:
    talk = told(library, f"deal 4; 3 all-in; 4 fold; 1 fold; {FACE_UP}", seats=NO_CHIPS)
    assert found(talk) == []
    assert (2, "call", "inferred") in actions(talk)
    assert any(isinstance(e, Result) for e in talk.events)


def test_nor_do_they_where_nobody_has_pressed_all_in(library: Library) -> None:
    talk = told(library, f"deal 4; 3 raise 30; 4 fold; 1 fold; {FACE_UP}", seats=NO_CHIPS)
    assert found(talk) == []
    assert any(isinstance(e, Result) for e in talk.events)


def test_one_missing_press_is_asked_about_once_however_many_streets_run_out(
    library: Library,
) -> None:
    streets = "burn; board 3; wait 4; burn; board; wait 4; burn; board; wait 4"
    talk = told(library, f"deal 4; 3 raise 30; 4 fold; 1 fold; wait 3; {streets}")
    assert found(talk) == [("premature-flop", "unseen")]


def test_a_riffle_after_a_question_that_was_played_on_begins_the_next_hand(
    library: Library,
) -> None:
    played = f"{ALL_FOLD}; {WITHOUT_3}; 1 call; 2 fold; wait 3; collect; riffle"
    talk = told(library, played, seats=NO_CHIPS)
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    assert (start.hand, start.redeal_of) == (3, None)


def test_a_riffle_right_after_it_is_the_redeal(library: Library) -> None:
    talk = told(library, f"{ALL_FOLD}; {WITHOUT_3}; wait 4; collect; riffle", seats=NO_CHIPS)
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    assert (start.hand, start.redeal_of) == (3, 2)


def test_a_missing_check_is_inferred_when_the_street_comes(library: Library) -> None:
    talk = told(library, "deal 4; 3 call; 1 call; 2 check; burn; board 3; wait 3")
    assert found(talk) == []
    assert (4, "call", "inferred") in actions(talk)


def test_the_last_press_is_asked_about_once(library: Library) -> None:
    talk = told(library, "deal 4; 3 call; 4 call; 1 call; burn; board 3; wait 3")
    assert found(talk) == [("premature-flop", "unseen")]


def test_a_press_just_after_the_next_one_has_no_certain_order(library: Library) -> None:
    talk = told(library, "deal 4; 3 call; 1 call; fast; wait 1")
    talk.say(kind="press", seat=4, button="call")
    talk.tell("2 check; wait 1; burn; wait 1; board 3; wait 3")
    assert found(talk) == []


def test_a_call_of_more_tells_of_a_raise_that_was_not_pressed(library: Library) -> None:
    log = "deal 4; 3 call; 1 call 60; 2 call 60; 3 call 60; burn; board 3; wait 3"
    talk = told(library, log)
    assert found(talk) == []
    raised = [e for e in talk.events if isinstance(e, Action) and e.by == "inferred"]
    assert [(e.seat, e.action, e.amount) for e in raised] == [(4, "raise", 60)]


def test_a_player_answers_a_bet_though_his_check_was_not_pressed(library: Library) -> None:
    flop = "burn; board 3; wait 3; 2 check; 3 bet 50; 4 call 50; 1 call 50; 2 call 50"
    talk = told(library, f"deal 4; preflop; {flop}; burn; board; wait 3")
    assert found(talk) == []


def newcomer(library: Library, *, told_first: bool) -> Talk:
    """Seat 5 is dealt in at a table of four, and told to sit before his cards come or after."""
    last = "deal 4; 3 fold; 4 fold; 1 fold; award; collect; wait 5"
    talk = told(library, f"{last}; riffle; wait 3")
    deal = "also 2 3 4 5 1 2 3 4 5 1; wait 1"
    for is_deal in (not told_first, told_first):
        if is_deal:
            talk.tell(deal)
        else:
            talk.say(kind="seat", seat=5, status="seated", stack=700)
    return talk


@pytest.mark.parametrize("told_first", [True, False])
def test_who_is_told_to_sit_amid_the_hand_that_deals_him_in_plays_it(
    library: Library, told_first: bool
) -> None:
    talk = newcomer(library, told_first=told_first)
    talk.tell("4 call; 5 call; 1 call; 2 call; 3 check; burn; board 3; wait 3")
    talk.tell("2 fold; 3 fold; 4 fold; 5 check; 1 fold; award; collect; wait 3")
    assert found(talk) == []
    result = [e for e in talk.events if isinstance(e, Result)][-1]
    assert result.stacks is not None
    assert result.stacks["5"] == 740  # 700 that he brought, and the blinds and calls of four


def test_a_hand_that_seems_over_goes_on_when_who_was_dealt_cards_acts(library: Library) -> None:
    """Nobody has told that seat 5 is taken, and all others but one fold."""
    last = "deal 4; 3 fold; 4 fold; 1 fold; award; collect; wait 5"
    talk = told(library, f"{last}; riffle; wait 3; also 2 3 4 5 1 2 3 4 5 1; wait 3")
    talk.tell("4 fold; 1 fold; 2 fold; wait 1; 5 call; wait 1")
    assert ("call", 5) in [(e.action, e.seat) for e in talk.events if isinstance(e, Action)]


def test_his_answer_may_have_come_before_a_raise_just_now(library: Library) -> None:
    """CONTRACT, `press_window`: two presses closer together than this have no certain order."""
    flop = "burn; board 3; wait 3; 2 check; 3 bet 50; 4 raise 150; 1 call 50; wait 3"
    talk = told(library, f"deal 4; preflop; {flop}")
    assert found(talk) == []


def test_who_calls_a_raise_that_is_pressed_later_did_not_act_before_it(library: Library) -> None:
    """CONTRACT: `out-of-turn` is for a player who demonstrably acted before another."""
    flop = "burn; board 3; wait 3; 1 bet 50; 3 call 120; wait 4; 2 raise 120; wait 3"
    talk = told(library, f"deal 4; preflop; {flop}")
    assert found(talk) == [("out-of-turn", "unseen")]
    assert not [e for e in talk.events if isinstance(e, Ruling) and e.basis == "seen"]


def test_a_seat_that_never_presses_is_asked_about_less_and_less(library: Library) -> None:
    """Its measured odds say *not pressed* (`odds.py`)."""
    talk = told(library, f"deal 4; 3 call; 4 call; 1 call; {FLOP_AND_END}")
    asked = [len(found(talk))]
    for _ in range(15):
        before = len(found(talk))
        talk.tell(_next_hand(talk))
        asked.append(len(found(talk)) - before)
    assert sum(asked[:8]) > sum(asked[8:]) == 0


FLOP_AND_END = "burn; board 3; wait 3; award; wait 1; collect"


def _next_hand(talk: Talk) -> str:
    """Everybody calls but the big blind, who does not press."""
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    button = start.button % 4 + 1
    small, big, first = ((button + n) % 4 + 1 for n in range(3))
    ring = f"{small} {big} {first} {button}"
    calls = f"{first} call; {button} call; {small} call"
    return f"riffle; wait 3; also {ring} {ring}; {calls}; {FLOP_AND_END}"


def test_without_amounts_the_pots_are_unknown_and_never_wrong(library: Library) -> None:
    talk = told(library, ALL_IN, seats=NO_CHIPS)
    (result,) = (e for e in talk.events if isinstance(e, Result))
    assert (result.awards, result.stacks) == (None, None)


def test_a_misdeal_that_nobody_entered_leaves_the_button_open(library: Library) -> None:
    """All the cards were out, nobody acted, and they were dealt again from the same button: where
    the puck still lies no finding rests on."""
    objects = {"PUCK": "button"}
    talk = told(
        library, "strange PUCK seat/4; deal 4; wait 2; collect; wait 5; riffle", objects=objects
    )
    talk.tell("wait 3; also 1 2 3 4 1 2 3 4; wait 3; 3 call; 4 call; 1 call; 2 check; wait 3")
    assert found(talk) == []
    assert [e.button for e in talk.events if isinstance(e, Start)][-1] == 1
    assert taken_over(talk)[-1]["button"] == 4
