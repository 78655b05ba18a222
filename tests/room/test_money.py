"""The evening's money: what is paid in, who owes it, and what the prizes are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.messages import Finish
from controller.room.money import Account, Money, Owing, Prices, owing, prizes, sums
from controller.room.payouts import lines
from controller.room.prize_board import Marks
from controller.room.register import Player, Register
from controller.room.tournament import Tournament
from controller.rules.prizes import Column, Payouts
from controller.rules.tournament_rules import TournamentRules
from tests.room.evening import MINUTE, Hall
from tests.room.test_entered import figures, four, hall, places
from tests.room.test_finishing_order import refused

__all__ = ["hall"]

LEVEL = {"duration_ms": 20 * MINUTE, "blinds": {"small": 30, "big": 60}}
HOME = Payouts(
    ("HPT-TBL-PAYOUT",),
    (Column(10, (50, 30, 20)), Column(20, (50, 25, 15, 10)), Column(30, (40, 25, 20, 10, 5))),
)


def account(hall: Hall) -> Account:
    room = hall.room.view()
    return Account(room.money, room.register, room.told)


def purse(hall: Hall) -> int:
    return sums(account(hall)).purse


def sheet(hall: Hall) -> list[tuple[int | None, str, int]]:
    return [(each.place, each.name, each.amount) for each in lines(account(hall))]


def sold(hall: Hall) -> dict[str, tuple[int, int, int]]:
    return {each.what: (each.count, each.each, each.sum) for each in sums(account(hall)).sold}


# --- what is paid in ---


def test_the_purse_is_what_entries_rebuys_and_add_ons_bring(hall: Hall) -> None:
    """HPT-BUY-01, HPT-BUY-02, HPT-PAY-03, conflicts 3.5: a rebuy costs what the buy-in does, and
    add-ons count where the house has them."""
    hall.act("money", buy_in=2_500, add_on=1_000)
    hall.act("offer", what="rebuy")
    hall.act("offer", what="add-on", chips=1_000)
    hall.act("buy", player="p1", what="rebuy")
    hall.act("buy", player="p2", what="add-on")
    hall.act("buy", player="p3", what="add-on")
    assert sold(hall) == {
        "entry": (4, 2_500, 10_000),
        "re-entry": (0, 2_500, 0),
        "rebuy": (1, 2_500, 2_500),
        "add-on": (2, 1_000, 2_000),
    }
    assert purse(hall) == 14_500
    assert sum(prizes(account(hall))) == 14_500, "HPT-PAY-01"


def test_the_fee_is_the_houses_and_a_re_entry_pays_it_again(hall: Hall) -> None:
    hall.act("money", buy_in=10_000, fee=1_000)
    hall.act("offer", what="re-entry")
    hall.act("bust", entrant="p4")
    hall.act("buy", player="p4", what="re-entry")
    found = sums(account(hall))
    assert (found.purse, found.fees) == (50_000, 5_000)


def test_the_house_adds_what_lacks_of_its_guarantee(hall: Hall) -> None:
    hall.act("money", buy_in=10_000, guarantee=50_000)
    found = sums(account(hall))
    assert (found.added, found.purse) == (10_000, 50_000)
    hall.act("import", players=[{"name": "Eve"}, {"name": "Flo"}])
    found = sums(account(hall))
    assert (found.added, found.purse) == (0, 60_000)


def test_what_is_owed_counts_and_is_named(hall: Hall) -> None:
    hall.act("money", buy_in=2_000, fee=500)
    hall.act("correct", player="p1", paid=True)
    hall.act("offer", what="rebuy")
    hall.act("buy", player="p1", what="rebuy", paid=False)
    hall.act("buy", player="p2", what="rebuy")
    found = sums(account(hall))
    assert (found.purse, found.fees) == (12_000, 2_000)
    assert (found.collected, found.owed) == (4_500, 9_500)
    assert owing(account(hall))[:2] == (
        Owing("p1", "Ann", ("rebuy",), 2_000),
        Owing("p2", "Bob", ("entry",), 2_500),
    )
    hall.act("pay", player="p1")
    assert [each.name for each in owing(account(hall))] == ["Bob", "Cy", "Dee"]
    assert refused(hall, "pay", player="p1") == "Ann owes nothing"
    hall.act("owe", player="p1", what=["rebuy"])
    assert owing(account(hall))[0].what == ("rebuy",)
    too_many = "Ann has not had so many rebuys"
    assert refused(hall, "owe", player="p1", what=["rebuy"]) == too_many


def test_a_price_of_its_own_is_given_and_forgotten(hall: Hall) -> None:
    hall.act("money", buy_in=2_000, rebuy=1_500)
    assert sold(hall)["rebuy"][1] == 1_500
    hall.act("money", forget=["rebuy"])
    assert sold(hall)["rebuy"][1] == 2_000
    wrong = "'guarantee' is no price that follows the buy-in"
    assert refused(hall, "money", forget=["guarantee"]) == wrong


def test_without_names_the_entries_that_were_typed_are_counted() -> None:
    hall = Hall()
    hall.act("tournament", entries=8)
    hall.act("money", buy_in=1_000)
    found = sums(account(hall))
    assert (found.purse, found.collected, found.owed) == (8_000, None, None)


# --- rebuys ---


@pytest.mark.parametrize("rule", ["RR7-T-33", "UK-25", "TDA09-19", "TDA24-27"])
def test_who_announces_a_rebuy_plays_behind_and_has_to_pay(hall: Hall, rule: str) -> None:
    """He keeps his seat, so that he misses no hand, and once he has the chips the rebuy is owed and
    can't be taken back."""
    hall.act("money", buy_in=2_000)
    hall.act("offer", what="rebuy")
    seat = hall.room.view().register.by_id["p1"].at
    hall.act("buy", player="p1", what="rebuy", paid=False)
    player = hall.room.view().register.by_id["p1"]
    assert (player.at, player.status) == (seat, "seated")
    assert purse(hall) == 10_000
    hall.act("unbuy", player="p1", what="rebuy")
    assert hall.room.view().register.by_id["p1"].owes == (), "he has not played them yet"
    hall.act("buy", player="p1", what="rebuy", paid=False)
    hall.room.first.keeper.delivered(hall.room.view().register.by_id["p1"], raced=0)
    assert rule in refused(hall, "unbuy", player="p1", what="rebuy")
    hall.act("pay", player="p1")
    hall.act("unbuy", player="p1", what="rebuy")
    assert purse(hall) == 8_000


def test_the_home_games_book_has_one_rebuy_until_level_four_and_no_add_ons(hall: Hall) -> None:
    """HPT-BUY-02, HPT-BUY-03, HPT-BUY-04."""
    assert refused(hall, "buy", player="p1", what="add-on") == "this tournament has no add-ons"
    hall.act("insert", index=1, entry=LEVEL)
    hall.act("offer", what="rebuy", until=3, most=1, at_most=0)
    hall.act("go", index=2)
    hall.act("buy", player="p1", what="rebuy")
    once = "Ann has had 1 of 1 rebuys"
    assert refused(hall, "buy", player="p1", what="rebuy") == once
    hall.act("go", index=4)
    assert hall.room.view().clock.level == 4
    assert refused(hall, "buy", player="p2", what="rebuy") == "rebuys ended with level 3"


def test_a_re_entry_is_sold_a_full_stack(hall: Hall) -> None:
    """TDA24-08A1."""
    hall.act("offer", what="re-entry", chips=5_000)
    hall.act("bust", entrant="p4")
    hall.act("buy", player="p4", what="re-entry")
    assert figures(hall) == (5, 4, 12_500), "five stacks of 10,000"


def test_after_the_first_hand_nothing_is_paid_back(hall: Hall) -> None:
    """HPT-LEAVE-05."""
    hall.act("money", buy_in=2_000)
    hall.act("correct", player="p1", paid=True)
    reason = refused(hall, "withdraw", player="p1")
    assert reason == (
        "Ann has paid, and nothing is paid back once there is play (HPT-LEAVE-05): "
        "take him out, or mark first that he has not paid"
    )
    hall.act("bust", entrant="p1")
    assert purse(hall) == 8_000, "his money stays"


def test_before_the_first_hand_who_withdraws_takes_his_money() -> None:
    hall = Hall()
    hall.act("enter", name="Ann", paid=True)
    hall.act("money", buy_in=2_000)
    hall.act("withdraw", player="p1")
    assert purse(hall) == 0


def test_a_stack_that_nobody_has_bought_may_be_withdrawn(hall: Hall) -> None:
    """RR7-T-5: it was put there for somebody who might have come."""
    hall.act("money", buy_in=2_000)
    hall.act("withdraw", player="p4")
    assert purse(hall) == 6_000


# --- the prizes ---


def test_the_book_in_force_has_the_table() -> None:
    """HPT-TBL-PAYOUT, HPT-PAY-02: and the last one in force holds while no table is heard."""
    hall = four(Hall(rules=lambda _: TournamentRules(payouts=HOME)))
    hall.act("money", buy_in=10_000)
    assert prizes(account(hall)) == (23_400, 16_600), "100.00 each, and of 200.00 2 and 1 of 3"
    hall.table("T1")
    hall.hand("T1")
    hall.passes(1_000)
    assert prizes(account(hall)) == (20_000, 12_000, 8_000)
    hall.act("import", players=[{"name": f"N{n}"} for n in range(7)])
    assert prizes(account(hall)) == (55_000, 27_500, 16_500, 11_000), "eleven have entered"
    hall.act("payout", places=2)
    assert len(prizes(account(hall))) == 2
    hall.act("payout")
    assert prizes(account(hall)) == (55_000, 27_500, 16_500, 11_000)


def test_two_players_have_no_third_prize() -> None:
    """HPT-PAY-01: what the third would have is the first one's."""
    register = Register(players=tuple(Player(id=n, name=n, number=1) for n in "ab"))
    money = Money(prices=Prices(buy_in=1_000), book=HOME)
    assert prizes(Account(money, register, Tournament())) == (1_400, 600)


def test_percentages_are_typed_and_have_to_be_all(hall: Hall) -> None:
    hall.act("money", buy_in=10_000)
    short = "these are 97.50 %: 2.50 % too little"
    assert refused(hall, "payout", hundredths=[6_000, 3_750]) == short
    over = "these are 100.50 %: 0.50 % too much"
    assert refused(hall, "payout", hundredths=[6_000, 4_050]) == over
    up = "place 2 has more than place 1"
    assert refused(hall, "payout", hundredths=[4_000, 6_000]) == up
    hall.act("payout", hundredths=[6_250, 3_750])
    assert prizes(account(hall)) == (25_000, 15_000)


def test_amounts_are_typed_and_have_to_be_the_purse(hall: Hall) -> None:
    """HPT-PAY-01."""
    hall.act("money", buy_in=10_000)
    short = "these are 390.00: 10.00 less than the purse, which is 400.00"
    assert refused(hall, "payout", amounts=[30_000, 9_000]) == short
    over = "these are 400.50: 0.50 more than the purse, which is 400.00"
    assert refused(hall, "payout", amounts=[30_000, 10_050]) == over
    hall.act("payout", amounts=[30_000, 10_000])
    assert prizes(account(hall)) == (30_000, 10_000)
    one = "give the places, the percentages or the amounts: one of them"
    assert refused(hall, "payout", amounts=[40_000], places=1) == one


@st.composite
def evenings(draw: st.DrawFn) -> Account:
    """Up to sixty entries, of which some are out, alone or two in a hand."""
    entries, finishes = draw(st.integers(1, 60)), list[Finish]()
    place, last = entries, max(1, entries - draw(st.integers(0, 60)))
    while place > last:
        count = 2 if place > 2 and draw(st.booleans()) else 1
        place -= count
        finishes += [Finish(place * 100 + n, place + 1, f"{n}") for n in range(count)]
    prices = Prices(
        buy_in=draw(st.integers(0, 5_000)),
        guarantee=draw(st.integers(0, 200_000)),
        unit=draw(st.sampled_from([1, 50, 100, 500, 1_000])),
    )
    told = Tournament(entries=entries, finishes=tuple(finishes))
    return Account(Money(prices=prices, book=draw(st.sampled_from([None, HOME]))), Register(), told)


@given(evenings())
def test_the_sheet_pays_every_cent_of_the_purse(now: Account) -> None:
    """HPT-PAY-01, RR7-T-35: whoever shares which places, and however many are still in."""
    prices = now.money.prices
    brought = now.entries * prices.buy_in
    assert sum(each.amount for each in lines(now)) == max(brought, prices.guarantee)


# --- who has which ---


def test_the_sheet_has_names_as_they_finish(hall: Hall) -> None:
    hall.act("money", buy_in=10_000)
    hall.act("payout", hundredths=[5_000, 3_000, 2_000])
    hall.act("bust", entrant="p4")
    assert sheet(hall) == [(1, "", 20_000), (2, "", 12_000), (3, "", 8_000)]
    hall.act("bust", entrant="p3")
    hall.act("bust", entrant="p2")
    assert sheet(hall) == [(1, "Ann", 20_000), (2, "Bob", 12_000), (3, "Cy", 8_000)]
    assert [each.player for each in lines(account(hall))] == ["p1", "p2", "p3"]


def test_who_goes_out_in_one_hand_with_equal_stacks_has_equal_prizes(hall: Hall) -> None:
    """RR7-T-35, HPT-WIN-02, NL10-WIN-02: 120.01 and 80.00 are 100.01 and 100.00."""
    hall.act("money", buy_in=10_000, unit=1)
    hall.act("payout", amounts=[19_999, 12_001, 8_000])
    hall.act("bust", entrant="p4")
    outs = [{"entrant": "p3", "began": 4_000}, {"entrant": "p2", "began": 4_000}]
    hall.act("busts", outs=outs)
    assert sheet(hall) == [(1, "Ann", 19_999), (2, "Cy", 10_001), (2, "Bob", 10_000)]


def test_walls_phones_and_finishes_have_the_amounts(hall: Hall) -> None:
    """HPT-BUY-01, HPT-PAY-01: it is posted in view of the tables."""
    hall.act("tournament", prizes=["a ham", "a pie"])
    hall.act("bust", entrant="p4")
    assert hall.room.view().tournament.prizes == ("a ham", "a pie")
    hall.act("money", buy_in=10_000, currency="€")
    hall.act("payout", amounts=[24_050, 12_000, 3_950])
    told = hall.room.view().tournament
    assert told.prizes == ("€240.50", "€120", "€39.50")
    hall.act("busts", outs=[{"entrant": "p3"}, {"entrant": "p2"}], share=True)
    told = hall.room.view().tournament
    assert [(each.place, each.prize) for each in told.finishes] == [
        (1, "€240.50"),
        (2, "€79.75"),
        (2, "€79.75"),
        (4, ""),
    ]
    hall.act("money", buy_in=0)
    assert hall.room.view().tournament.prizes == ("a ham", "a pie")


@pytest.mark.parametrize(
    ("cents", "currency", "text"),
    [(125_000, "€", "€1,250"), (1_250, "CHF", "12.50 CHF"), (5, "$", "$0.05"), (100, "", "1")],
)
def test_an_amount_in_words(cents: int, currency: str, text: str) -> None:
    assert Marks().text(cents, currency) == text


# --- paid out ---


def test_a_prize_is_paid_out_once_and_by_whom_is_kept(hall: Hall) -> None:
    hall.act("money", buy_in=10_000)
    hall.act("payout", hundredths=[6_000, 4_000])
    for player in ("p4", "p3", "p2"):
        hall.act("bust", entrant=player)
    second = next(each for each in lines(account(hall)) if each.place == 2)
    assert second.finish is not None
    hall.act("pay-out", finish=second.finish)
    (paid,) = account(hall).money.paid_out
    assert (paid.amount, paid.by) == (16_000, "Ann")
    assert refused(hall, "pay-out", finish=second.finish) == "Bob has been paid out already"
    assert refused(hall, "unbust") == "Bob has been paid out: take that back first"
    third = next(each.id for each in account(hall).told.finishes if each.place == 3)
    assert refused(hall, "pay-out", finish=third) == "that one has no prize"
    hall.act("unpay-out", finish=second.finish)
    assert account(hall).money.paid_out == ()
    hall.act("unbust")
    assert [place for place, *_ in places(hall)] == [3, 4]


def test_a_tournament_that_starts_over_keeps_its_prices_only(hall: Hall) -> None:
    hall.act("money", buy_in=10_000)
    for player in ("p4", "p3", "p2"):
        hall.act("bust", entrant=player)
    first = next(each.id for each in account(hall).told.finishes if each.place == 1)
    hall.act("pay-out", finish=first)
    assert refused(hall, "reopen") == "Ann has been paid out: take that back first"
    hall.act("reset")
    money = account(hall).money
    assert (money.paid_out, money.prices.buy_in) == ((), 10_000)


# --- deals ---


def to_two(hall: Hall) -> Hall:
    """Ann and Bob are left for 200.00 and 120.00; Cy has 80.00."""
    hall.act("money", buy_in=10_000)
    hall.act("payout", hundredths=[5_000, 3_000, 2_000])
    hall.act("bust", entrant="p4")
    hall.act("bust", entrant="p3")
    return hall


def by(ann: int, bob: int) -> list[dict[str, object]]:
    return [{"player": "p1", "amount": ann}, {"player": "p2", "amount": bob}]


def test_a_deal_is_a_note_and_the_prizes_stay(hall: Hall) -> None:
    """HPT-WIN-03, RR7-T-36: the director has no part in it."""
    to_two(hall).act("deal", shares=by(1_000, 5), text="Bob drives home")
    (deal,) = account(hall).money.deals
    assert (deal.by, deal.text, deal.pays) == ("Ann", "Bob drives home", False)
    assert sheet(hall) == [(1, "", 20_000), (2, "", 12_000), (3, "Cy", 8_000)]
    hall.act("undeal", id=deal.id)
    assert account(hall).money.deals == ()
    assert refused(hall, "undeal", id=deal.id) == "that deal is no longer there"


def test_the_director_may_pay_by_a_deal_that_is_all_of_the_prizes_left(hall: Hall) -> None:
    """RR7-T-37."""
    to_two(hall)
    less = "these are 310.00: 10.00 less than the prizes of the places left, which are 320.00"
    assert refused(hall, "deal", shares=by(16_000, 15_000), pays=True) == less
    both = "2 players are in: name all of them, and nobody else"
    one = [{"player": "p1", "amount": 32_000}]
    assert refused(hall, "deal", shares=one, pays=True) == both
    hall.act("deal", shares=by(15_000, 15_000), at_stake=2_000, pays=True)
    assert sheet(hall) == [
        (1, "", 2_000),
        (None, "Ann", 15_000),
        (None, "Bob", 15_000),
        (3, "Cy", 8_000),
    ]
    hall.act("bust", entrant="p1")
    assert sheet(hall) == [(1, "Bob", 17_000), (2, "Ann", 15_000), (3, "Cy", 8_000)]
    told = hall.room.view().tournament.finishes
    assert [each.prize for each in told] == ["200", "120", "80", ""], "a deal is not for walls"


def test_who_is_in_is_paid_by_a_deal_that_ends_the_evening(hall: Hall) -> None:
    """RR7-T-37: the director carries it out by paying those amounts."""
    to_two(hall).act("deal", shares=by(17_000, 15_000), pays=True)
    hall.act("pay-out", player="p1")
    (paid,) = account(hall).money.paid_out
    assert (paid.finish, paid.player, paid.amount) == (None, "p1", 17_000)
    assert refused(hall, "pay-out", player="p1") == "Ann has been paid out already"
    (deal,) = account(hall).money.deals
    reason = "somebody has been paid out by it: take that back first"
    assert refused(hall, "undeal", id=deal.id) == reason
    hall.act("bust", entrant="p1")
    line = next(each for each in lines(account(hall)) if each.player == "p1")
    assert (line.place, line.amount, line.paid) == (2, 17_000, paid), "he went out after it"
    hall.act("unpay-out", finish=line.finish)
    assert account(hall).money.paid_out == ()
    hall.act("undeal", id=deal.id)


def test_who_has_had_his_share_and_wins_is_still_paid_what_was_at_stake(hall: Hall) -> None:
    """RR7-T-37, HPT-PAY-01: all of the purse is paid."""
    to_two(hall).act("deal", shares=by(15_000, 15_000), at_stake=2_000, pays=True)
    hall.act("pay-out", player="p2")
    hall.act("bust", entrant="p1")
    first, share, *_ = lines(account(hall))
    assert (first.place, first.player, first.amount, first.paid) == (1, "p2", 2_000, None)
    assert (share.place, share.player, share.amount) == (None, "p2", 15_000)
    assert share.paid is not None
    hall.act("pay-out", finish=first.finish)
    again = "Bob has been paid out already"
    assert refused(hall, "pay-out", finish=first.finish) == again
    assert refused(hall, "pay-out", player="p2") == again
    assert sum(one.amount for one in account(hall).money.paid_out) == 17_000
    hall.act("unpay-out", player="p2")
    assert [one.amount for one in account(hall).money.paid_out] == [2_000]


def test_a_deal_needs_somebody_who_plays(hall: Hall) -> None:
    """RR7-T-37: without a competitor it is improper."""
    gone = [{"player": "p3", "amount": 1}, {"player": "p4", "amount": 1}]
    reason = "nobody of them is in any more: a deal needs one who plays (RR7-T-37)"
    assert refused(to_two(hall), "deal", shares=gone) == reason
    twice = [{"player": "p1", "amount": 1}, {"player": "p1", "amount": 1}]
    assert refused(hall, "deal", shares=twice) == "a player is named twice"


def test_a_deal_whose_prizes_have_changed_is_a_note(hall: Hall) -> None:
    """The sheet pays every cent whatever was agreed on."""
    to_two(hall).act("deal", shares=by(16_000, 16_000), pays=True)
    hall.act("money", guarantee=50_000)
    assert [each.amount for each in lines(account(hall))] == [25_000, 15_000, 10_000]
    assert not any(each.by_deal for each in lines(account(hall)))
