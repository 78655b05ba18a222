"""The money of simulated tournaments: what the referee looks for is found where it is wrong, and
not where it is right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from msgspec.structs import replace

from controller.library.books import Library
from controller.room import money as room_money
from controller.room import money_acts, payout, payouts
from controller.room.money import Account, Money, Sums
from controller.simulate.tournaments.checks import money
from controller.simulate.tournaments.checks.money import Line, Sales, Told
from tests.simulate.on_purpose import first_fault

SALES = Sales(
    sold={"entry": 10, "re-entry": 2, "rebuy": 3},
    price={"entry": 2_000, "re-entry": 2_500, "rebuy": 1_000},
    fee={"entry": 500, "re-entry": 500},
    owed=2_500,
    guarantee=25_000,
)
TOLD = Told(purse=28_000, fees=6_000, collected=31_500, owed=2_500)


def only(said: Iterable[str]) -> str:
    (one,) = said
    return one


def test_the_purse_is_what_was_sold_and_what_the_house_adds() -> None:
    """HPT-PAY-03; a fee is no part of it."""
    assert list(money.of_sales(SALES, TOLD)) == []
    assert only(money.of_sales(SALES, Told(34_000, 6_000, 31_500, 2_500))) == (
        "the purse is 28,000, and the room says 34000"
    )
    guaranteed = replace(SALES, guarantee=30_000)
    assert list(money.of_sales(guaranteed, replace(TOLD, purse=30_000))) == []
    assert "what was collected is 31,500" in only(
        money.of_sales(SALES, replace(TOLD, collected=34_000))
    )
    assert "what is owed is 2,500" in only(money.of_sales(SALES, replace(TOLD, owed=0)))


SHEET = [Line(1, 500, "a 9"), Line(2, 251, "b 8", 2), Line(2, 250, "c 7", 2), Line(4, 99, "d 6")]


def sheet_of(lines: Sequence[Line], purse: int = 1_100, pays: Sequence[int] = ()) -> list[str]:
    return list(money.of_sheet(lines, purse, pays))


def test_all_of_the_purse_is_paid_and_who_share_a_place_have_the_same() -> None:
    """HPT-PAY-01, RR7-T-35, NL10-WIN-02."""
    assert sheet_of(SHEET) == sheet_of(SHEET, pays=(500, 300, 201, 99)) == []
    assert sheet_of(SHEET, 1_101) == ["1,100 is paid of a purse of 1,101"]
    uneven = [SHEET[0], replace(SHEET[1], amount=252), replace(SHEET[2], amount=249), SHEET[3]]
    assert sheet_of(uneven) == ["2 share place 2 and are paid [252, 249]"]
    assert sheet_of(SHEET, pays=(500, 300, 200, 100)) == [
        "place 2 is paid 501, and 500 is due",
        "place 4 is paid 99, and 100 is due",
    ]
    wrong = [replace(SHEET[0], amount=99), *SHEET[1:3], replace(SHEET[3], amount=500)]
    assert "place 2 is paid more than place 1" in sheet_of(wrong)
    assert "b 8 is paid 2 times" in sheet_of([*SHEET[:2], replace(SHEET[1], amount=250), SHEET[3]])


def test_by_a_deal_each_has_his_share() -> None:
    """RR7-T-37."""
    deal = [Line(None, 600, "a", share=600), Line(None, 400, "b", share=400), Line(3, 100, "c 7")]
    assert sheet_of(deal) == []
    assert sheet_of([replace(deal[0], amount=500), *deal[1:]], 1_000) == [
        "a is paid 500, and by the deal 600"
    ]


def test_the_parts_of_the_book() -> None:
    """HPT-TBL-PAYOUT, of 333.33 in whole coins of 1.00."""
    assert money.by_book("homepokertourney", 10, 33_333, 100) == [16_833, 9_900, 6_600]
    assert money.by_book("homepokertourney", 31, 33_333, 100) is None
    assert money.by_book("uk-tda", 10, 33_333, 100) is None


def test_at_the_end_each_has_had_what_is_his() -> None:
    paid = [("a 9", 500), ("b 8", 251), ("c 7", 250), ("d 6", 99)]
    assert list(money.of_paid(paid, SHEET)) == []
    assert only(money.of_paid(paid[1:], SHEET)) == "a 9 has been paid 0, and 500 is due"
    assert "a 9 has been paid 1,000" in only(money.of_paid([paid[0], *paid], SHEET))
    assert only(money.of_paid([*paid, ("e 1", 5)], SHEET)) == "e 1 has been paid 5, and 0 is due"


# --- wrong on purpose ---


def wrong(library: Library, book: str = "homepokertourney", players: int = 20) -> str:
    return first_fault(library, book, players)


def test_a_lost_cent_is_found(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    right = room_money.prizes

    def loses(account: Account, purse: int | None = None) -> tuple[int, ...]:
        first, *others = right(account, purse) or (0,)
        return (max(0, first - 1), *others)

    monkeypatch.setattr(payouts, "prizes", loses)
    assert "is paid of a purse of" in wrong(library)


def test_a_re_entry_that_is_not_counted_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = room_money.sums

    def without(account: Account) -> Sums:
        told = right(account)
        again = sum(each.sum for each in told.sold if each.what == "re-entry")
        return replace(told, purse=told.purse - again)

    monkeypatch.setattr("controller.simulate.tournaments.till.sums", without)
    assert wrong(library).startswith("the purse is ")


def test_parts_that_are_not_the_books_are_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HPT-TBL-PAYOUT."""
    monkeypatch.setattr(room_money, "by_book", lambda _money, _entries: (5_000, 5_000))
    assert "is due" in wrong(library)


def test_a_prize_that_is_paid_twice_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = money_acts.MONEY_ACTS["pay-out"]

    def again(account: Account, act: money_acts.PayOut, wall_ms: int) -> Money:
        unpaid = replace(account, money=replace(account.money, paid_out=()))
        paid = right[1](unpaid, act, wall_ms).paid_out
        return replace(account.money, paid_out=(*account.money.paid_out, *paid))

    acts = {**money_acts.MONEY_ACTS, "pay-out": (money_acts.PayOut, again)}
    monkeypatch.setattr(money_acts, "MONEY_ACTS", acts)
    assert "was paid out twice" in wrong(library)


def test_a_place_that_has_less_than_the_one_below_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = payout.computed

    def turned(purse: int, places: int, unit: int, least: int) -> tuple[int, ...]:
        return tuple(reversed(right(purse, places, unit, least)))

    monkeypatch.setattr(payout, "computed", turned)
    assert "is paid more than place" in wrong(library, "uk-tda")
