"""What books say of prizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.files.settings import config_dir
from controller.library.tournament import tournament_rules
from controller.rules.prizes import Column, shares


@pytest.mark.parametrize(
    ("entrants", "percent"),
    [
        (1, (50, 30, 20)),
        (10, (50, 30, 20)),
        (11, (50, 25, 15, 10)),
        (20, (50, 25, 15, 10)),
        (21, (40, 25, 20, 10, 5)),
        (30, (40, 25, 20, 10, 5)),
        (31, None),
    ],
)
def test_the_home_games_book_pays_by_the_number_of_entrants(
    entrants: int, percent: tuple[int, ...] | None
) -> None:
    """HPT-TBL-PAYOUT; HPT-PAY-02 has the column of 21 to 30."""
    payouts = tournament_rules(config_dir())("homepokertourney").payouts
    assert payouts is not None
    assert payouts.cites == ("HPT-TBL-PAYOUT", "HPT-PAY-02")
    assert payouts.column(entrants) == percent


@pytest.mark.parametrize("book", ["roberts", "uk-tda", "nl-2010", "tda-2009", "tda-2024"])
def test_the_other_books_have_no_table_of_prizes(book: str) -> None:
    assert tournament_rules(config_dir())(book).payouts is None


def test_a_column_is_all_of_the_purse_and_goes_down() -> None:
    """HPT-PAY-01."""
    with pytest.raises(ValueError, match="95 percent are paid"):
        Column(10, (50, 30, 15))
    with pytest.raises(ValueError, match="more than the one above"):
        Column(10, (30, 50, 20))


def test_who_share_places_have_equal_prize_money() -> None:
    """RR7-T-35, NL10-WIN-02: 250.00 and 150.00 for two are 200.00 each."""
    assert shares((50_000, 25_000, 15_000, 10_000), 2, 2) == (20_000, 20_000)


def test_a_cent_that_cannot_be_parted_is_the_first_ones() -> None:
    assert shares((100, 61, 40), 2, 2) == (51, 50)
    assert shares((100, 1), 1, 3) == (34, 34, 33)


def test_places_below_the_last_prize_have_nothing_to_share() -> None:
    assert shares((100, 50), 2, 3) == (17, 17, 16)
    assert shares((100, 50), 3, 2) == (0, 0)


@given(st.lists(st.integers(0, 10**9), max_size=30), st.integers(1, 40), st.integers(1, 12))
def test_of_shared_places_every_cent_is_paid(prizes: list[int], place: int, count: int) -> None:
    """RR7-T-35: and no one has more than a cent beside another."""
    parts = shares(prizes, place, count)
    assert sum(parts) == sum(prizes[place - 1 : place - 1 + count])
    assert max(parts) - min(parts) <= 1
