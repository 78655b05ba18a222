"""How a purse is parted."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.room.payout import WHOLE, by_shares, computed, usual_places

UNITS = st.sampled_from([1, 5, 50, 100, 500, 1_000, 10_000])


@pytest.mark.parametrize(
    ("entries", "places"),
    [(0, 0), (1, 1), (2, 1), (3, 1), (4, 2), (6, 3), (24, 3), (25, 4), (100, 13), (5_000, 625)],
)
def test_one_in_eight_is_paid(entries: int, places: int) -> None:
    assert usual_places(entries) == places


def test_a_purse_by_percentages() -> None:
    """HPT-TBL-PAYOUT: ten at 25.00 are 125.00, 75.00 and 50.00."""
    assert by_shares(25_000, (5_000, 3_000, 2_000), 100) == (12_500, 7_500, 5_000)


def test_what_rounding_leaves_is_the_first_places() -> None:
    """HPT-PAY-01. Of 333.00 by tens: 30 % are 99.90, 20 % are 66.60."""
    assert by_shares(33_300, (5_000, 3_000, 2_000), 1_000) == (18_300, 9_000, 6_000)


def test_a_place_that_would_get_nothing_has_no_prize() -> None:
    assert by_shares(1_500, (5_000, 3_000, 2_000), 1_000) == (1_500,)
    assert by_shares(0, (5_000, 3_000, 2_000), 1_000) == ()


def test_without_a_table_each_place_has_the_least_and_a_part_of_the_rest_by_its_number() -> None:
    """110.00 for three with at least 10.00: of 80.00 the parts are 6, 3 and 2 of 11."""
    assert computed(11_000, 3, 1, 1_000) == (5_365, 3_181, 2_454)


def test_where_the_purse_has_not_the_least_for_all_there_is_none() -> None:
    """Of 11.00 the parts are 6, 3 and 2 of 11."""
    assert computed(1_100, 3, 1, 1_000) == (600, 300, 200)


@given(st.integers(1, 5_000), st.integers(1, 10**6), st.integers(0, 10**9), UNITS)
def test_every_cent_is_paid_to_places_that_go_down(
    entries: int, buy_in: int, added: int, unit: int
) -> None:
    """HPT-PAY-01, for any number of entrants, price and unit."""
    purse = entries * buy_in + added
    places = usual_places(entries)
    prizes = computed(purse, places, unit, buy_in)
    assert sum(prizes) == purse
    assert list(prizes) == sorted(prizes, reverse=True)
    assert len(prizes) <= places
    assert all(prize % unit == 0 for prize in prizes[1:])
    if -(-buy_in // unit) * unit * places <= purse:
        assert len(prizes) == places
        assert prizes[-1] >= buy_in


@given(st.data(), st.integers(0, 10**9), UNITS)
def test_every_cent_is_paid_by_any_percentages(data: st.DataObject, purse: int, unit: int) -> None:
    """HPT-PAY-01."""
    cuts = data.draw(st.lists(st.integers(0, WHOLE), max_size=40))
    ends = [0, *sorted(cuts), WHOLE]
    parts = sorted((b - a for a, b in pairwise(ends)), reverse=True)
    prizes = by_shares(purse, parts, unit)
    assert sum(prizes) == purse
    assert list(prizes) == sorted(prizes, reverse=True)


@given(st.integers(1, 5_000), st.integers(1, 5_000))
def test_more_entrants_have_no_fewer_places(one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert usual_places(few) <= usual_places(many)
