"""What a seat faces, as the betting of its hand has it, and what is answered of an action there."""

from __future__ import annotations

import pytest

from controller.contract.events import Blinds
from controller.contract.wagered import WagerQuestion
from controller.library.books import Library
from controller.rules.asked import answered, faced
from controller.rules.betting import Betting, Player
from controller.rules.facing import Facing

ONE_CHIP = WagerQuestion(1, motions=((1000,),))


def a_betting(*actions: tuple[int, str, int | None], stacks: int | None = 2000) -> Betting:
    """Seats 1 to 3, the blinds 50 and 100 at 2 and 3."""
    betting = Betting(
        [Player(2, stacks), Player(3, stacks), Player(1, stacks)],
        button=1,
        blinds=(2, 3),
        level=Blinds(50, 100),
    )
    for seat, button, amount in actions:
        if button == "fold":
            betting.fold(seat)
        elif button == "flop":
            betting.open_round("flop")
        else:
            betting.act(seat, button, amount)
    return betting


CALLED = ((1, "call", None), (2, "call", None), (3, "check", None), (0, "flop", None))


@pytest.mark.parametrize(
    ("actions", "seat", "facing"),
    [
        (
            (),
            1,
            Facing(big=100, bet=100, increment=100, behind=2000, is_opening=True, pot=150),
        ),
        (
            ((1, "raise", 400),),
            2,
            Facing(big=100, bet=400, increment=300, own=50, behind=1950, pot=550),
        ),
        (
            ((1, "raise", 400), (2, "fold", None)),
            3,
            Facing(big=100, bet=400, increment=300, own=100, behind=1900, heads_up=True, pot=550),
        ),
        (CALLED, 2, Facing(big=100, increment=100, behind=1900, is_opening=True, pot=300)),
        (
            (*CALLED, (2, "bet", 500)),
            3,
            Facing(big=100, bet=500, increment=500, behind=1900, is_opening=True, pot=800),
        ),
        (
            (*CALLED, (2, "bet", 500), (3, "raise", 1000)),
            1,
            Facing(big=100, bet=1000, increment=500, behind=1900, pot=1800),
        ),
    ],
    ids=["the big blind", "a raise", "heads-up", "no bet", "an opening bet", "a raise of it"],
)
def test_what_a_seat_faces(
    actions: tuple[tuple[int, str, int | None], ...], seat: int, facing: Facing
) -> None:
    assert faced(a_betting(*actions), seat) == facing


def test_a_short_all_in_is_the_last_raise_and_closes_the_betting() -> None:
    betting = a_betting(stacks=None)
    betting.players[3].stack = 500
    for seat, button, amount in ((1, "raise", 400), (2, "call", None), (3, "all-in", None)):
        betting.act(seat, button, amount)
    facing = faced(betting, 1)
    assert facing is not None
    assert (facing.bet, facing.increment, facing.last) == (500, 300, 100)
    assert (facing.own, facing.behind, facing.may_raise) == (400, None, False)


@pytest.mark.parametrize(
    "actions", [((1, "raise", None),), ((1, "raise", None), (2, "fold", None))]
)
def test_a_bet_that_was_not_told_is_not_known(
    library: Library, actions: tuple[tuple[int, str, int | None], ...]
) -> None:
    betting = a_betting(*actions)
    assert faced(betting, 3) is None
    question = WagerQuestion(3, motions=((1000,),))
    answer = answered(library.book("uk-tda"), betting, question)
    assert (answer.unknown, answer.judged) == ("bet", None)


def test_who_has_put_in_nobody_knows_what_faces_nobody_knows_what() -> None:
    betting = a_betting((1, "raise", 400))
    betting.lose_track()
    assert betting.to_call == 400
    assert faced(betting, 2) is None


@pytest.mark.parametrize("seat", [1, 9])
def test_who_has_folded_or_does_not_play_has_done_nothing(library: Library, seat: int) -> None:
    book, betting = library.book("uk-tda"), a_betting((1, "fold", None))
    assert answered(book, betting, WagerQuestion(seat, word="raise")).unknown == "turn"
    assert answered(book, None, WagerQuestion(2, word="raise")).unknown == "turn"


def test_the_answer_has_what_comes_next_and_its_rules(library: Library) -> None:
    answer = answered(library.book("uk-tda"), a_betting(), ONE_CHIP)
    assert answer.judged is not None
    assert (answer.judged.kind, answer.judged.to, answer.judged.back) == ("call", 100, 900)
    assert "UK-44" in answer.judged.cites
    assert (answer.rulebook, answer.next_bet, answer.next_least) == ("uk-tda", 100, 200)
    assert (answer.silence, answer.advisory, answer.advice) == ((), "", None)


def test_words_and_chips_count_in_the_order_in_which_they_came(library: Library) -> None:
    book, chip = library.book("uk-tda"), ((1000,),)
    for first, kind in (("words", "raise"), ("chips", "call")):
        question = WagerQuestion(1, word="raise", motions=chip, first=first)  # type: ignore[arg-type]
        judged = answered(book, a_betting(), question).judged
        assert judged is not None
        assert judged.kind == kind


def test_where_a_book_is_silent_it_says_who_decides_and_another_book_advises(
    library: Library,
) -> None:
    book = library.book("tda-2009")
    answer = answered(book, a_betting((1, "raise", 400)), WagerQuestion(2, motions=((100,),)))
    assert answer.judged is not None
    assert (answer.judged.kind, answer.judged.asks, answer.judged.cites) == (None, "floor", ())
    assert answer.silence == book.silence.cites
    assert (answer.advisory, answer.next_bet) == ("roberts", None)
    assert answer.advice is not None
    assert (answer.advice.kind, answer.advice.cites) == ("call", ("RR7-NL-10",))


@pytest.mark.parametrize(
    ("book", "question", "why"),
    [
        ("uk-tda", WagerQuestion(1, word="raise", amount=5, unclear=True), "unclear"),
        ("uk-tda", WagerQuestion(2, pulled_back=True), "pulled-back"),
        ("roberts", WagerQuestion(2, motions=((100,),)), "under-call"),
        ("roberts", WagerQuestion(2, motions=((100,),), unaware=True), "unaware"),
        ("tda-2024", WagerQuestion(2, motions=((100,),), running=True), "running"),
        ("roberts", WagerQuestion(2, motions=((100,),), mistaken=True), "mistaken"),
    ],
    ids=["unclear", "pulled back", "short", "unaware", "running", "mistaken"],
)
def test_what_else_was_so_is_judged_with_it(
    library: Library, book: str, question: WagerQuestion, why: str
) -> None:
    betting = a_betting((1, "raise", 400)) if question.seat == 2 else a_betting()
    judged = answered(library.book(book), betting, question).judged
    assert judged is not None
    assert judged.why == why


def test_of_words_and_chips_together_the_words_count_if_they_are_clear(library: Library) -> None:
    book = library.book("uk-tda")
    for unclear, why in ((False, "total"), (True, "one-chip")):
        question = WagerQuestion(
            1, word="raise", amount=300, motions=((1000,),), first="together", unclear=unclear
        )
        judged = answered(book, a_betting(), question).judged
        assert judged is not None
        assert judged.why == why
