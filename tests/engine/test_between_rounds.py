"""What happens once a round is complete and the next street is not there yet."""

from __future__ import annotations

from controller.contract.events import Action, Closed, Finding, Phase, Result, Start
from controller.library.books import Library
from tests.rules.table_talk import Talk


def codes(talk: Talk) -> list[tuple[str, str]]:
    return [(e.code, e.basis) for e in talk.events if isinstance(e, Finding)]


def test_the_last_but_one_who_gives_up_ends_the_hand(library: Library) -> None:
    """CONTRACT: the hand is over when one player is left. What is collected then is no finding."""
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 fold; 1 call; 2 check; burn; board 3; wait 3; 1 check; 2 check; wait 2")
    talk.tell("muck 2; wait 2")
    assert [e.phase for e in talk.events if isinstance(e, Phase)][-1] == "complete"
    assert [e.awards for e in talk.events if isinstance(e, Result)] == [{"1": 20}]
    talk.tell("lift x2 x3 x4; lay x2 muck; lay x3 muck; lay x4 muck; wait 4")
    assert codes(talk) == []


def test_also_while_a_remedy_is_carried_out(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 fold; 1 call; 2 check; burn; board 4; wait 3; lift x2 x3; wait 1")
    talk.tell("muck 1; wait 2")
    assert [e.phase for e in talk.events if isinstance(e, Phase)][-1] == "complete"
    assert codes(talk) == [("four-card-flop", "seen")]


def test_of_a_burn_that_was_in_time_nothing_more_is_asked(library: Library) -> None:
    """CONTRACT: asked once; there inference follows on `dismiss`."""
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 call; 1 call; burn; wait 3")
    assert codes(talk) == [("burn-premature", "unseen")]
    talk.tell("dismiss; wait 1")
    acts = [(e.seat, e.action, e.by) for e in talk.events if isinstance(e, Action)]
    assert acts[-1] == (2, "check", "inferred")
    talk.tell("board 3; wait 3; 1 check; 2 check; 3 check; burn; board; wait 3")
    assert codes(talk) == [("burn-premature", "unseen")]
    assert [e.phase for e in talk.events if isinstance(e, Phase)][-2:] == ["flop", "turn"]


def test_a_remedys_shuffle_is_one_while_all_look_at_their_cards(library: Library) -> None:
    """CONTRACT: while a remedy waits for a reshuffle and cards lie on the table, a riffle is that
    reshuffle and no new hand."""
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 call; 1 call; wait 2; burn; board 3; wait 3; confirm; wait 4; 2 check")
    assert codes(talk) == [("premature-flop", "unseen")]
    talk.tell("wait 1; lift x2 x3 x4; away 1; away 2; away 3; wait 2; riffle; wait 2; board 3")
    talk.tell("wait 3; 1 check; 2 check")
    assert len([e for e in talk.events if isinstance(e, Start)]) == 1
    assert [e.how for e in talk.events if isinstance(e, Closed)] == ["remedied"]
