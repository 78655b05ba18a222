"""What people enter a moment late, or for the wrong hand or seat: the hand that runs is not judged
by it (CONTRACT: what one hand left unclear is never a finding of the next)."""

from __future__ import annotations

import pytest

from controller.contract.events import Action, Closed, Finding, Result, Start, Tabled
from controller.library.books import Library
from tests.rules.table_talk import Talk

FOLDED = "deal 4; 3 fold; 4 fold; 1 fold; collect; wait 2"
NEXT = "also 2 3 4 1 2 3 4 1; wait 3; 4 fold; 1 fold; 2 fold"
ALL_CHECK = (
    "burn; board 3; wait 3; checks; burn; board; wait 3; checks; burn; board; wait 3; checks"
)


def codes(talk: Talk) -> list[str]:
    return [e.code for e in talk.events if isinstance(e, Finding)]


def told(library: Library, log: str, **table: object) -> Talk:
    talk = Talk(library, "roberts", **table)
    talk.tell(log)
    return talk


def test_an_award_after_the_riffle_is_of_the_hand_before(library: Library) -> None:
    seats = [{"seat": seat, "stack": 1_000} for seat in (1, 2, 3, 4)]
    for entered in ("riffle; award; wait 1", "riffle; wait 1; also 2; award; also 3"):
        rest = NEXT if "also" not in entered else NEXT.replace("also 2 3 ", "also ")
        talk = told(library, f"{FOLDED}; {entered}; {rest}", seats=seats)
        assert codes(talk) == []
        starts = [e for e in talk.events if isinstance(e, Start)]
        assert [e.button for e in starts] == [4, 1]
        results = [e for e in talk.events if isinstance(e, Result)]
        assert [e.stacks is None for e in results] == [False, False]


def test_an_award_that_is_entered_once_more_ends_no_deal(library: Library) -> None:
    """CONTRACT: what makes no sense at its moment changes nothing."""
    again = "riffle; wait 1; also 2 3 4; award; also 1 2 3 4 1; wait 3; 4 fold; 1 fold; 2 fold"
    talk = told(library, f"{FOLDED}; award; {again}")
    assert codes(talk) == []
    assert [e.button for e in talk.events if isinstance(e, Start)] == [4, 1]


def test_a_hand_that_it_ends_before_the_first_card_is_dealt_all_the_same(library: Library) -> None:
    talk = told(library, f"{FOLDED}; award; riffle; wait 1; award; wait 1; {NEXT}")
    assert codes(talk) == []
    starts = [e for e in talk.events if isinstance(e, Start)]
    assert [(e.button, e.redeal_of) for e in starts] == [(4, None), (1, None), (1, 2)]
    twice = told(library, f"{FOLDED}; riffle; wait 9; award; riffle; wait 1; {NEXT}")
    assert [e.button for e in twice.events if isinstance(e, Start)] == [4, 1]


@pytest.mark.parametrize(
    "deal",
    [
        "also 2 3; riffle; also 4 1 2 3 4 1; wait 3; 4 fold",
        "riffle; wait 1; also 2 3; riffle; also 4 1 2 3 4 1; wait 3; 4 fold",
        "also 2 3 4 1 2 3 4 1; wait 9; riffle; wait 3; 4 fold",
        "also 2 3 4 1 2 3 4 1; wait 3; 4 call; riffle; wait 3",
    ],
)
def test_a_riffle_while_the_cards_lie_there_is_that_of_the_hand(
    library: Library, deal: str
) -> None:
    """CONTRACT: a second riffle before any card belongs to the same hand; late ones do too, in the
    deal, and where the first one was forgotten."""
    talk = told(library, f"{FOLDED}; wait 8; {deal}; 1 fold; 2 fold; 3 fold")
    assert codes(talk) == []
    assert [e.button for e in talk.events if isinstance(e, Start)] == [4, 1]


def test_once_somebody_has_acted_it_is_the_next_hands(library: Library) -> None:
    """CONTRACT: the hand is over at the next riffle."""
    played = "riffle; wait 1; also 2 3 4 1 2 3 4 1; wait 3; 4 call; riffle"
    talk = told(library, f"{FOLDED}; {played}")
    assert len([e for e in talk.events if isinstance(e, Start)]) == 3


def test_where_no_card_is_read_it_may_be_of_this_one(library: Library) -> None:
    zones = ["board", "burn", "muck"]
    hands = "table 3; riffle; wait 5; burn; board 3; wait 20; collect; riffle; wait 30; award"
    talk = told(library, hands, zones=zones, buttons=[])
    assert len([e for e in talk.events if isinstance(e, Result)]) == 2


def test_that_a_round_is_complete_is_not_said_amid_the_deal(library: Library) -> None:
    talk = told(library, "pitch 4 1 2 3; closed; also 4 1 2 3 4; wait 3; 3 fold; 4 fold; 1 fold")
    assert codes(talk) == []


def test_a_hand_that_was_refused_is_not_tabled_later(library: Library) -> None:
    """CONTRACT, *Secrecy*: an earlier `tabled` is refused; nothing else is public."""
    for early in ("riffle; tabled 2; also 1 2 3 1 2 3", "pitch 3 1 2 3 1 2 3; wait 2; tabled 2"):
        played = f"{early}; wait 3; 3 call; 1 call; 2 check; {ALL_CHECK}; tabled 1; wait 1"
        talk = told(library, f"table 3; {played}")
        assert [e.seat for e in talk.events if isinstance(e, Tabled)] == [1]


def test_a_card_that_was_not_exposed_does_not_count(library: Library) -> None:
    """CONTRACT: `dismissed` is answered no."""
    talk = told(library, "pitch 4 1 2 3 4; exposed 3 1; dismiss; exposed 4 1; wait 1")
    assert codes(talk) == ["exposed-card", "exposed-card"]
    talk = told(library, "deal 4; exposed 3 1; wait 1; dismiss; deals 3; wait 3")
    assert codes(talk) == ["exposed-card", "extra-card"]


def test_who_is_out_before_the_first_card_is_not_waited_for(library: Library) -> None:
    """CONTRACT: every seat listed is entitled to a hand, except with status `empty`."""
    talk = told(library, "table 4; riffle; seat 3 empty; wait 1; also 1 2 4 1 2 4; wait 3; 4 fold")
    assert codes(talk) == []


def test_nor_is_who_goes_before_the_hand_is_dealt_again(library: Library) -> None:
    again = "collect; riffle; wait 3; also 1 2 4 1 2 4; wait 3; 4 fold; 1 fold"
    talk = told(library, f"deal 4; exposed 1 1; wait 1; misdeal; seat 3 empty; {again}")
    assert codes(talk) == ["exposed-first-card"]
    starts = [e for e in talk.events if isinstance(e, Start)]
    assert [each.seat for each in starts[-1].seats] == [1, 2, 4]
    assert starts[-1].redeal_of == 1


def test_a_hand_that_is_riffled_as_the_break_ends_is_watched(library: Library) -> None:
    """CONTRACT: while closed nothing is a finding."""
    deal = "also 1 2 3 4 1 2 3 4 1 2; wait 3"
    assert codes(told(library, f"table 4; break; riffle; go; {deal}")) == ["extra-cards"]
    assert codes(told(library, f"table 4; break; riffle; unwatched; go; {deal}")) == []
    assert codes(told(library, "table 4; break; riffle; also 1 2 3; go; also 4 1 2 3 4 1 2")) == []


@pytest.mark.parametrize("last", ["checks", "1 check; 2 check", "1 check; 2 bet 20; 3 call 20", ""])
@pytest.mark.parametrize("deal", ["also 2 3 1 2 3 1", "also 2 3; award; also 1 2 3 1"])
def test_the_next_deal_after_a_forgotten_award_is_a_hand_of_its_own(
    library: Library, last: str, deal: str
) -> None:
    """CONTRACT: a forgotten entry is never a finding of the next hand. Here no riffle is seen, and
    perhaps not all of the last round: two seats have cards once all were taken in."""
    river = f"{ALL_CHECK.removesuffix('checks')}{last}; tabled 1; wait 3; collect; wait 5"
    talk = told(library, f"deal 3; preflop; {river}; {deal}; wait 3; 1 fold; 2 fold")
    assert codes(talk) == []
    starts = [e for e in talk.events if isinstance(e, Start)]
    assert [(e.button, e.implied) for e in starts] == [(3, False), (1, True)]
    results = [e for e in talk.events if isinstance(e, Result)]
    assert [e.hand for e in results] == [1, 2]
    assert results[0].t <= starts[1].t
    wrong = told(library, f"deal 3; preflop; {river}; also 2 3 1 2 3 1 2; wait 3; 1 fold")
    assert codes(wrong) == ["extra-card"]


def test_the_next_deal_after_a_forgotten_award_takes_nothing_out_of_the_muck(
    library: Library,
) -> None:
    """CONTRACT: a forgotten entry is never a finding of the next hand; no riffle is seen here."""
    showdown = f"deal 3; preflop; {ALL_CHECK}; muck 1; muck 2; wait 2; collect"
    assert codes(told(library, f"{showdown}; also 1 2 3 1 2 3; wait 3")) == []


def test_who_takes_his_cards_back_to_show_them_begins_no_hand(library: Library) -> None:
    """CONTRACT: a winner who lifts the cards and puts them back starts nothing."""
    away = "away 1; away 2; away 3; lift x2 x3 x4 x6 x8; wait 5"
    shown = f"{away}; home 1; wait 1; home 2; wait 3; award"
    talk = told(library, f"deal 3; preflop; {ALL_CHECK}; {shown}")
    assert len([e for e in talk.events if isinstance(e, Start)]) == 1
    assert codes(talk) == []


def test_all_who_look_at_their_cards_at_once_end_no_hand(library: Library) -> None:
    """CONTRACT: a player lifts the cards to look. There is no antenna for the muck here."""
    zones = [f"seat/{seat}" for seat in range(1, 11)] + ["board", "burn"]
    looked = "away 1; away 2; wait 3; home 1; home 2; wait 1; 1 call; 2 check"
    talk = told(library, f"deal 3; 3 fold; away 3; {looked}; burn; board 3; wait 3", zones=zones)
    assert len([e for e in talk.events if isinstance(e, Start)]) == 1
    assert codes(talk) == []


def test_cards_that_are_swept_in_past_the_seats_begin_none(library: Library) -> None:
    """CONTRACT: after the hand cards are being collected, and what they do is no finding."""
    swept = "lift x1 x2 x3 x4 x5; wait 1; lay x1 seat/1; lay x2 seat/2; wait 1; collect; wait 2"
    talk = told(library, f"deal 3; preflop; {ALL_CHECK}; tabled 1; {swept}; award")
    assert len([e for e in talk.events if isinstance(e, Start)]) == 1
    assert codes(talk) == []


def test_a_card_whose_absence_was_answered_is_not_asked_about_again(library: Library) -> None:
    """CONTRACT: `dismissed` is answered no; a card that is straightened is no finding."""
    away = "deal 3; preflop; burn; board 3; wait 2; lift x3; wait 3; dismiss"
    straightened = "lift x2; wait 0.4; lay x2 board; wait 3"
    assert codes(told(library, f"{away}; {straightened}")) == ["board-disturbed"]


def test_a_rivers_burn_that_is_read_at_the_showdown_explains_it(library: Library) -> None:
    """CONTRACT: `remedied` where a later read explains it."""
    talk = told(
        library,
        "deal 2; 2 all-in 1000; 1 call 1000; tabled 1; tabled 2; burn; board 3; wait 2; burn; "
        "board; wait 2; board; wait 1.5; burn; wait 2; award",
    )
    assert codes(talk) == ["burn-missing"]
    assert [e.how for e in talk.events if isinstance(e, Closed)] == ["remedied"]


def test_cards_that_were_lifted_before_the_end_and_come_back_begin_no_hand(
    library: Library,
) -> None:
    """CONTRACT: a winner who lifts the cards and puts them back starts nothing."""
    end = "away 1; away 2; wait 2; award; wait 1; home 1; home 2; wait 3; collect"
    deal = "wait 1; riffle; wait 4; also 2 3 4 1 2 3 4 1"
    talk = told(library, f"deal 4; preflop; burn; board 3; checks; {end}; {deal}")
    assert codes(talk) == []
    assert [(e.hand, e.implied) for e in talk.events if isinstance(e, Start)] == [
        (1, False),
        (2, False),
    ]


def test_nor_does_it_once_somebody_has_acted_where_the_last_hand_had_none(library: Library) -> None:
    """The cards of all lie at their seats, and the round is open."""
    over = "deal 4; 3 fold; 4 fold; 1 call; 2 check; burn; board 3; wait 3; 1 check; 2 check"
    deal = f"{over}; collect; wait 2; riffle; wait 1; also 2 3 4 1 2 3 4 1; wait 3"
    talk = told(library, f"{deal}; 4 call; award; wait 1; 1 fold; 2 fold; 3 fold")
    assert codes(talk) == []
    results = [e for e in talk.events if isinstance(e, Result)]
    assert [e.hand for e in results] == [1, 2]
    assert talk.events.index(results[1]) == max(
        talk.events.index(e) for e in talk.events if isinstance(e, Action | Result)
    )


@pytest.mark.parametrize("press", ["2 fold", "2 check", "1 raise 40", "3 call"])
def test_a_press_before_the_deal_is_of_the_hand_before(library: Library, press: str) -> None:
    talk = told(library, f"{FOLDED}; riffle; wait 2; {press}; {NEXT}")
    assert codes(talk) == []
    acted = [(e.hand, e.seat, e.action) for e in talk.events if isinstance(e, Action)]
    assert acted[3:] == [(2, 4, "fold"), (2, 1, "fold"), (2, 2, "fold")]


@pytest.mark.parametrize("when", ["seat 3 empty; award", "award; seat 3 empty"])
def test_who_is_broken_goes_with_nothing_whenever_that_is_told(library: Library, when: str) -> None:
    """His chips are in the pot: the winner, whose hand nobody has tabled, has all that the others
    have not."""
    seats = [{"seat": seat, "stack": 1_000} for seat in (1, 2, 3, 4, 5)]
    run = "burn; board 3; wait 3; burn; board; wait 3; burn; board; wait 3"
    hand = f"deal 5; 3 all-in; 4 fold; 5 call; 1 fold; 2 fold; {run}; {when}; wait 2"
    talk = told(library, f"{hand}; collect; riffle; wait 1", seats=seats)
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    assert {each.seat: each.stack for each in start.seats} == {1: 995, 2: 990, 4: 1_000, 5: 2_015}
