"""What an action amounts to, by the seeds' own sentences and worked examples: their figures."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from controller.contract.wagered import Judged, Option, Word
from controller.library.books import Library
from controller.rules.facing import Facing, Wager
from controller.rules.wager import after, judge

EVERY_BOOK = ["homepokertourney", "nl-2010", "roberts", "tda-2009", "uk-tda"]


def ruled(library: Library, book: str, facing: Facing, wager: Wager) -> Judged:
    return judge(library.book(book).betting, facing, wager)


def chips(*motion: int) -> Wager:
    return Wager(motions=(motion,))


AT_100 = Facing(big=100, bet=1000, increment=1000)
"""An opening bet of 1,000 (UK-42A's example)."""
RAISED_TO_1200 = Facing(big=400, bet=1200, increment=800)
"""Blinds 200-400, a raise to 1,200 (UK-45's and TDA09-33's example)."""
RAISED_TO_1100 = Facing(big=500, bet=1100, increment=600)
"""Blinds 250-500, a raise by 600 to 1,100 (UK-EX45-1B, -2 and -3)."""


class Case(NamedTuple):
    """By this rule what was done is so much, and so much goes back."""

    rule: str
    facing: Facing
    wager: Wager
    kind: str
    to: int
    back: int


@pytest.mark.parametrize(
    "case",
    [
        Case("UK-42A", AT_100, Wager(amount=1400), "call", 1000, 0),
        Case("UK-42A", AT_100, chips(1000, 100, 100, 100, 100), "call", 1000, 400),
        Case("UK-42A", AT_100, Wager(word="raise", amount=1400), "raise", 2000, 0),
        Case("UK-42A", AT_100, Wager(amount=1500), "raise", 2000, 0),
        Case(
            "UK-42B",
            Facing(big=500, bet=2000, increment=2000),
            Wager(word="raise", amount=8000),
            "raise",
            8000,
            0,
        ),
        Case("UK-45", RAISED_TO_1200, chips(1000, 1000), "call", 1200, 800),
        Case(
            "UK-45", Facing(big=600, bet=1200, increment=1200), chips(1000, 1000), "call", 1200, 800
        ),
        Case("UK-45", RAISED_TO_1100, chips(500, 1000), "call", 1100, 400),
        Case("UK-42A", RAISED_TO_1100, chips(1000, *[100] * 5), "raise", 1700, 0),
        Case("UK-42A", RAISED_TO_1100, chips(1000, *[100] * 4), "raise", 1700, 0),
        Case("UK-42A", RAISED_TO_1100, chips(1000, *[100] * 3), "call", 1100, 200),
        Case("UK-42A", Facing(big=100, bet=325, increment=325), chips(500, 25), "raise", 650, 0),
        Case("UK-44", Facing(big=400, bet=400, increment=400), chips(1000), "call", 400, 600),
        Case(
            "UK-44",
            Facing(big=400, bet=400, increment=400),
            Wager(word="raise", motions=((1000,),)),
            "raise",
            1000,
            0,
        ),
        Case("UK-44", Facing(big=400), chips(1000), "bet", 1000, 0),
        Case(
            "UK-38B",
            Facing(big=2000, bet=8000, increment=8000, is_opening=True),
            chips(2000),
            "call",
            8000,
            0,
        ),
        Case(
            "UK-38B",
            Facing(big=2000, bet=8000, increment=6000, heads_up=True),
            chips(2000),
            "call",
            8000,
            0,
        ),
        Case(
            "UK-38A",
            Facing(big=2000, bet=8000, increment=6000),
            Wager(word="call"),
            "call",
            8000,
            0,
        ),
    ],
    ids=[
        *("1400 said", "1400 in chips", "raise 1400 said", "half of it"),
        *("raise eight thousand", "two 1000s", "UK-EX45-1A", "UK-EX45-1B"),
        *("UK-EX45-2", "its threshold", "UK-EX45-3", "UK-55"),
        *("one chip", "raise and one chip", "one chip opens"),
        *("UK-EX38-2", "heads-up", "UK-EX38-3"),
    ],
)
def test_amounts_under_the_uk_book(library: Library, case: Case) -> None:
    judged = ruled(library, "uk-tda", case.facing, case.wager)
    assert (judged.kind, judged.to, judged.back) == (case.kind, case.to, case.back)
    assert case.rule in judged.cites


def test_an_under_call_of_a_raise_is_for_the_floor(library: Library) -> None:
    """UK-EX38-1: he calls all of it, or forfeits the 2,000 and folds."""
    facing = Facing(big=2000, bet=8000, increment=6000)
    judged = ruled(library, "uk-tda", facing, chips(2000))
    assert (judged.kind, judged.asks, judged.cites) == (None, "floor", ("UK-38B",))
    assert judged.options == (Option("call", 8000), Option("fold", 2000))


def test_two_chips_of_one_kind_call_under_tda_and_mixed_ones_take_the_test_of_half(
    library: Library,
) -> None:
    """TDA09-33, and the same chips as in UK-EX45-1B: there a call, here a raise."""
    judged = ruled(library, "tda-2009", RAISED_TO_1200, chips(1000, 1000))
    assert (judged.kind, judged.to, judged.back) == ("call", 1200, 800)
    assert judged.cites == ("TDA09-33",)
    judged = ruled(library, "tda-2009", RAISED_TO_1100, chips(500, 1000))
    assert (judged.kind, judged.to, judged.cites) == ("raise", 1700, ("TDA09-31b",))


def test_half_is_of_the_largest_raise_or_of_the_last(library: Library) -> None:
    """Blinds 50-100, all-in 150: 30 more is less than half of 100 and more than half of 50."""
    facing = Facing(big=100, bet=150, increment=100, last=50)
    wager = chips(100, *[10] * 8)
    assert ruled(library, "uk-tda", facing, wager).kind == "call"
    for book in ("tda-2009", "nl-2010"):
        judged = ruled(library, book, facing, wager)
        assert (judged.kind, judged.to) == ("raise", 250), book


@pytest.mark.parametrize("book", ["roberts", "homepokertourney"])
def test_roberts_asks_whether_a_call_was_overpaid(library: Library, book: str) -> None:
    """RR7-NL-13: made up to the least raise, but not where too much was put in to call."""
    judged = ruled(library, book, AT_100, chips(1000, 100))
    assert (judged.kind, judged.asks) == (None, "player")
    assert judged.options == (Option("raise", 2000), Option("call", 1000))
    assert "RR7-NL-13" in judged.cites
    for meant, kind, to in (("raise", "raise", 2000), ("call", "call", 1000)):
        wager = Wager(motions=((1000, 100),), meant=meant)  # type: ignore[arg-type]
        judged = ruled(library, book, AT_100, wager)
        assert (judged.kind, judged.to) == (kind, to)


@pytest.mark.parametrize("book", EVERY_BOOK)
def test_a_raise_that_was_said_is_made_up_under_every_book(library: Library, book: str) -> None:
    judged = ruled(library, book, AT_100, Wager(word="raise", amount=1100))
    assert (judged.kind, judged.to) == ("raise", 2000)
    assert judged.cites


@pytest.mark.parametrize("book", EVERY_BOOK)
def test_who_may_not_raise_has_called(library: Library, book: str) -> None:
    """UK-43, TDA09-31c, RR7-NL-4, NL10-BET-07: a raise to 300 where 200 are to be called."""
    facing = Facing(big=100, bet=200, increment=100, own=125, may_raise=False)
    for wager in (Wager(word="raise", amount=300), Wager(motions=((100, 25, 25, 25),))):
        judged = ruled(library, book, facing, wager)
        assert (judged.kind, judged.to) == ("call", 200)
    assert judged.back == 100
    assert judged.cites


@pytest.mark.parametrize("book", EVERY_BOOK)
@pytest.mark.parametrize("word", ["all-in", "raise", "bet"])
def test_nor_by_another_word(library: Library, book: str, word: Word) -> None:
    """UK-EX43-2A, TDA09-31c: he may only call, also where the amount is not clear."""
    facing = Facing(big=100, bet=200, increment=100, own=125, behind=1000, may_raise=False)
    judged = ruled(library, book, facing, Wager(word=word))
    assert (judged.kind, judged.to) == ("call", 200)
    unclear = Wager(word="raise", amount=5, unclear=True)
    assert ruled(library, book, facing, unclear).kind == "call"
    short = Facing(big=100, bet=200, increment=100, own=125, behind=50, may_raise=False)
    judged = ruled(library, book, short, Wager(word="all-in"))
    assert (judged.kind, judged.to) == ("all-in", 175)


def test_what_wins_of_words_and_chips(library: Library) -> None:
    """UK-36A: the first, and of both at once the words; TDA09-29a, RR7-NL-9: the words."""
    facing = Facing(big=100, bet=100, increment=100)
    for first, uk in (("words", "raise"), ("chips", "call"), ("together", "raise")):
        wager = Wager(word="raise", amount=1000, motions=((100,),), first=first)  # type: ignore[arg-type]
        assert ruled(library, "uk-tda", facing, wager).kind == uk
        assert ruled(library, "tda-2009", facing, wager).kind == "raise"
        assert ruled(library, "roberts", facing, wager).kind == "raise"
    unclear = Wager(amount=5, unclear=True, motions=((500,),), first="together")
    assert ruled(library, "uk-tda", facing, unclear).to == 100


def test_a_raise_in_two_motions(library: Library) -> None:
    """UK-41 C, TDA09-30: after "raise" the exact call and one motion more; RR7-T-24: one."""
    call_and_more = Wager(word="raise", motions=((1000,), (500, 1000)))
    for book in ("uk-tda", "tda-2009"):
        judged = ruled(library, book, AT_100, call_and_more)
        assert (judged.kind, judged.to, judged.back) == ("raise", 2500, 0), book
    judged = ruled(library, "roberts", AT_100, call_and_more)
    assert (judged.kind, judged.to, judged.back) == ("raise", 2000, 500)
    for motion in ((1000,), (500, 500)):
        judged = ruled(library, "uk-tda", AT_100, Wager(word="raise", motions=(motion,)))
        assert (judged.why, judged.asks) == ("one-more", "player"), motion
    other = Wager(word="raise", motions=((1000, 200), (5000,)))
    judged = ruled(library, "uk-tda", AT_100, other)
    assert (judged.kind, judged.to) == ("raise", 2000)
    assert "UK-41" in judged.cites


@pytest.mark.parametrize("book", EVERY_BOOK)
def test_what_comes_in_a_second_motion_goes_back(library: Library, book: str) -> None:
    """UK-41, TDA09-30, RR7-T-24: a string bet is what came first."""
    judged = ruled(library, book, AT_100, Wager(motions=((500, 500), (1000,))))
    assert (judged.kind, judged.to, judged.back) == ("call", 1000, 1000)


def test_a_short_bet_is_made_up_where_the_book_says_so(library: Library) -> None:
    """RR7-NL-13, RR7-NL-2, NL10-BET-08; the UK book and TDA do not say."""
    for book in ("roberts", "homepokertourney", "nl-2010"):
        judged = ruled(library, book, Facing(big=100), chips(25, 25))
        assert (judged.kind, judged.to) == ("bet", 100)
    for book in ("uk-tda", "tda-2009"):
        judged = ruled(library, book, Facing(big=100), chips(25, 25))
        assert (judged.kind, judged.asks, judged.cites) == (None, "floor", ())


def test_five_is_asked_about(library: Library) -> None:
    """UK-EX51-1 and -2: five hundred or five thousand; the lesser is what the floor is proposed."""
    facing = Facing(big=150, bet=150, increment=150)
    judged = ruled(library, "uk-tda", facing, Wager(word="raise", amount=5, unclear=True))
    assert judged.asks == "player"
    assert judged.options == (Option("raise", 500), Option("raise", 5000))
    assert "UK-51" in judged.cites
    judged = ruled(library, "uk-tda", Facing(big=150), Wager(word="bet", amount=5, unclear=True))
    assert judged.options == (Option("bet", 500), Option("bet", 5000))


def test_who_was_told_a_wrong_count_owes_the_true_bet_or_may_be_let_off(library: Library) -> None:
    """UK-48 and RR7-NL-11 answer in opposite ways (conflicts 2.4)."""
    facing = Facing(big=100, bet=400, increment=400, heads_up=True)
    for put_in, roberts in ((100, None), (320, "call")):
        wager = Wager(motions=((put_in,),), mistaken=True)
        judged = ruled(library, "uk-tda", facing, wager)
        assert (judged.kind, judged.to, judged.cites) == ("call", 400, ("UK-48",))
        assert ruled(library, "roberts", facing, wager).kind == roberts
    first = ruled(library, "roberts", facing, Wager(motions=((100,),), mistaken=True)).options[0]
    assert first == Option("void")


def test_so_is_who_said_call_with_a_chip_of_a_hundred(library: Library) -> None:
    """RR7-NL-11's own example: "Four hundred" was said softly, and "Call" over a $100 chip."""
    facing = Facing(big=100, bet=400, increment=400, heads_up=True)
    said = Wager(word="call", motions=((100,),), first="together", mistaken=True)
    judged = ruled(library, "roberts", facing, said)
    assert (judged.kind, judged.asks, judged.cites) == (None, "floor", ("RR7-NL-11",))
    assert judged.options == (Option("void"), Option("call", 400))
    assert ruled(library, "roberts", facing, replace(said, motions=((320,),))).to == 400
    assert ruled(library, "roberts", facing, replace(said, motions=())).asks == "floor"
    assert ruled(library, "uk-tda", facing, said).cites == ("UK-48",)
    assert ruled(library, "roberts", facing, replace(said, mistaken=False)).kind == "call"


def test_a_tiny_chip_is_for_the_floor(library: Library) -> None:
    """UK-40: 1,000 facing 50,000."""
    facing = Facing(big=4000, bet=50000, increment=46000, heads_up=True)
    judged = ruled(library, "uk-tda", facing, chips(1000))
    assert (judged.asks, judged.cites) == ("floor", ("UK-40",))
    assert judged.options[0] == Option("call", 50000)


def test_chips_of_an_earlier_bet_make_it_unclear_only_where_they_do(library: Library) -> None:
    """UK-46A: the big blind's 100 lie there, it is 300 to call."""
    facing = Facing(big=100, bet=300, increment=200, own=100)
    assert ruled(library, "uk-tda", facing, chips(100, 100)).kind == "call"
    judged = ruled(library, "uk-tda", facing, chips(100, 100, 100))
    assert (judged.asks, judged.cites) == ("floor", ("UK-46A",))
    assert set(judged.options) == {Option("raise", 500), Option("call", 300)}


def test_who_pulls_chips_back_calls_or_raises(library: Library) -> None:
    """UK-46B."""
    facing = Facing(big=100, bet=300, increment=200, own=100, behind=900)
    for word in ("", "fold"):
        judged = ruled(library, "uk-tda", facing, Wager(word=word, pulled_back=True))
        assert judged.kind is None
        assert judged.options == (Option("call", 300), Option("raise", 500))
        assert judged.cites == ("UK-46B",)
    judged = ruled(library, "uk-tda", facing, Wager(motions=((500,),), pulled_back=True))
    assert (judged.kind, judged.to, judged.back) == ("call", 300, 200)


def test_the_pot_is_no_bet_but_commits(library: Library) -> None:
    """UK-49C: at least a least bet, and a raise where there is a bet."""
    judged = ruled(library, "uk-tda", Facing(big=100), Wager(word="pot"))
    assert (judged.kind, judged.to, judged.cites) == ("bet", 100, ("UK-49C",))
    judged = ruled(library, "uk-tda", AT_100, Wager(word="pot"))
    assert (judged.kind, judged.to) == ("raise", 2000)
    assert ruled(library, "tda-2009", AT_100, Wager(word="pot")).asks == "floor"


def test_all_that_a_player_has_is_all_in(library: Library) -> None:
    facing = Facing(big=100, bet=300, increment=200, behind=250)
    for wager in (Wager(word="all-in"), chips(200, 50), Wager(word="call"), chips(100, 100, 50)):
        judged = ruled(library, "uk-tda", facing, wager)
        assert (judged.kind, judged.to) == ("all-in", 250)
    short = Facing(big=100, bet=300, increment=200, behind=450)
    judged = ruled(library, "uk-tda", short, Wager(word="raise", amount=500))
    assert (judged.kind, judged.to) == ("all-in", 450)


@pytest.mark.parametrize(
    ("facing", "to", "bet", "least"),
    [
        (Facing(big=200, bet=1600, increment=1000), 3600, 3600, 5600),
        (Facing(big=100, bet=100, increment=100), 150, 150, 250),
        (Facing(big=200, bet=300, increment=300), 1000, 1000, 1700),
        (Facing(big=50, bet=200, increment=75), 500, 500, 800),
        (Facing(big=50, bet=50, increment=50), 500, 500, 950),
        (Facing(big=4000, bet=4000, increment=4000), 7500, 7500, 11500),
        (Facing(big=100), 20, 20, 120),
    ],
    ids=["UK-EX42-1", "-2", "-3", "-4A", "-4B", "UK-EX43-2A", "RR7-NL-2"],
)
def test_what_may_be_done_next(facing: Facing, to: int, bet: int, least: int) -> None:
    assert after(facing, Judged("all-in", to)) == (bet, least)


@pytest.mark.parametrize(
    ("book", "rule"),
    [
        ("tda-2009", "TDA09-32"),
        ("roberts", "RR7-BET-15"),
        ("roberts", "RR7-NL-12"),
        ("uk-tda", "UK-44"),
        ("tda-2024", "TDA24-44a"),
    ],
)
def test_one_chip_calls_unless_a_raise_is_said(library: Library, book: str, rule: str) -> None:
    """TDA09-32, RR7-BET-15, RR7-NL-12, UK-44, TDA24-44: a chip larger than the bet."""
    facing = Facing(big=400, bet=400, increment=400)
    call = ruled(library, book, facing, chips(1_000))
    assert (call.kind, call.to) == ("call", 400)
    raised = ruled(library, book, facing, Wager(word="raise", motions=((1_000,),)))
    assert (raised.kind, raised.to) == ("raise", 1_000)
    opened = ruled(library, book, Facing(big=400), chips(1_000))
    assert (opened.kind, opened.to) == ("bet", 1_000)
    family = rule.partition("-")[0]
    assert any(cited.startswith(family) for each in (call, opened) for cited in each.cites)


def test_in_a_cash_game_a_raise_that_was_said_comes_in_several_motions(library: Library) -> None:
    """RR7-NL-7; at a tournament it is a string bet (RR7-T-24)."""
    wager = Wager(word="raise", motions=((200,), (300,)))
    cash = ruled(library, "roberts", Facing(big=100, bet=200, increment=200, cash=True), wager)
    assert (cash.kind, cash.to, cash.cites) == ("raise", 500, ("RR7-NL-7",))
    told = ruled(library, "roberts", Facing(big=100, bet=200, increment=200), wager)
    assert (told.to, told.back) == (400, 100)
    silent = Facing(big=100, bet=200, increment=200, cash=True)
    assert ruled(library, "uk-tda", silent, wager).cites != ("RR7-NL-7",)


def test_who_did_not_know_of_a_raise_may_take_the_chips_back(library: Library) -> None:
    """RR7-BET-13, as long as nobody has acted behind."""
    facing = Facing(big=10, bet=120, increment=80)
    judged = ruled(library, "roberts", facing, Wager(motions=((40,),), unaware=True))
    assert (judged.kind, judged.asks, judged.cites) == (None, "player", ("RR7-BET-13",))
    assert judged.options == (Option("call", 120), Option("void"))
    bound = ruled(library, "roberts", facing, Wager(motions=((40,),)))
    assert (bound.kind, bound.to) == ("call", 120)


@pytest.mark.parametrize("book", [*EVERY_BOOK, "tda-2024"])
def test_five_of_who_has_less_than_any_reading_is_all_in_or_a_call(
    library: Library, book: str
) -> None:
    facing = Facing(big=100, bet=200, increment=200, behind=250)
    judged = ruled(library, book, facing, Wager(word="raise", amount=5, unclear=True))
    assert judged.options == (Option("all-in", 250), Option("call", 200))
