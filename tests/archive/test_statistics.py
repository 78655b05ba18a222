"""Figures of a little archive that was counted by hand, and of one that says too little."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from controller.archive.kept import Archive, KeptEvent
from controller.archive.statistics import (
    Counts,
    DealtCount,
    FoundCount,
    HandsCount,
    LaterCount,
    Period,
    Piece,
    WaitCount,
    in_pieces,
    is_irregular,
    statistics,
    within,
)
from controller.contract.events import Closed, Event, Finding
from tests.archive.nights import BEGAN_MS, a_hand, told

HOUR = 3_600_000


def ended(
    events: list[Event], how: str, *, after_s: float = 2, basis: str = "unseen"
) -> list[Event]:
    """The same hand, with its finding closed otherwise, so long after it was opened."""
    opened = next(each.t for each in events if isinstance(each, Finding))
    out: list[Event] = []
    for each in events:
        if isinstance(each, Finding):
            out.append(replace(each, basis=basis))
        elif isinstance(each, Closed):
            if how:
                out.append(replace(each, how=how, t=opened + after_s))
        elif each.__struct_config__.tag != "ruling":
            out.append(each)
    return out


def a_night() -> list[KeptEvent]:
    """T1: five hands, 100 s apart, a break of 1,000 s, and one more. T2: two hands."""
    first = [
        a_hand(1),
        ended(a_hand(2, finding=1, dealer="Bea"), "ruled", after_s=4),
        ended(a_hand(3, finding=2, dealer="Bea"), "dismissed", after_s=1),
        ended(a_hand(4, finding=3, code="joker"), "", basis="seen"),
        ended(a_hand(5, finding=4), "expired"),
        a_hand(15),
    ]
    second = [a_hand(2), ended(a_hand(3, finding=1, code="joker"), "remedied", basis="seen")]
    return [*told(first), *told(second, table="T2")]


def test_what_a_store_counts(archive: Archive) -> None:
    archive.add(a_night())
    assert archive.reach() == (BEGAN_MS + 100_000, BEGAN_MS + 1_500_000)
    period = Period(BEGAN_MS, BEGAN_MS + HOUR, bin_ms=HOUR // 6)
    counts = archive.counts(period, dealers=True)
    # Hand 5 is followed by a break: it is counted with its own 14 s; so is the last, hand 15.
    assert counts.hands == (
        HandsCount("T1", 0, 5, 4 * 100_000 + 14_000),
        HandsCount("T1", 2, 1, 14_000),
        HandsCount("T2", 0, 2, 100_000 + 14_000),
    )
    assert Counter(counts.found) == Counter(
        [
            FoundCount("T1", "burn-missing", "dismissed", "unseen", True, 1),
            FoundCount("T1", "burn-missing", "expired", "unseen", True, 1),
            FoundCount("T1", "burn-missing", "ruled", "unseen", True, 1),
            FoundCount("T1", "joker", "", "seen", False, 1),
            FoundCount("T2", "joker", "remedied", "seen", False, 1),
        ]
    )
    assert sum(each.count for each in counts.later) == 5
    assert {each.bin for each in counts.later} == {0}
    assert Counter(counts.waits) == Counter(
        [
            WaitCount("T1", "burn-missing", 40, 1),
            WaitCount("T1", "burn-missing", 10, 1),
            WaitCount("T2", "joker", 20, 1),
        ]
    )
    assert counts.dealt == (DealtCount("Ann", 6), DealtCount("Bea", 2))
    assert {each.table for each in counts.by_dealer} == {"Ann", "Bea"}
    assert archive.counts(period).dealt == ()
    assert archive.counts(period).by_dealer == ()


def test_a_period_and_a_table_bound_what_is_counted(archive: Archive) -> None:
    archive.add(a_night())
    later = archive.counts(Period(BEGAN_MS + 300_000, BEGAN_MS + 400_000), dealers=True)
    assert [(each.table, each.hands) for each in later.hands] == [("T1", 1), ("T2", 1)]
    assert [(each.table, each.how) for each in later.found] == [
        ("T1", "dismissed"),
        ("T2", "remedied"),
    ]
    one = archive.counts(Period(BEGAN_MS, BEGAN_MS + HOUR, "T2"), dealers=True)
    assert {each.table for each in one.hands} == {each.table for each in one.found} == {"T2"}
    assert {each.table for each in one.waits} == {"T2"}
    assert one.dealt == (DealtCount("Ann", 2),)
    assert archive.counts(Period(0, 5)) == Counts()


def test_figures_follow_from_counts() -> None:
    period = Period(0, 4 * HOUR, bin_ms=HOUR)
    found = (
        FoundCount("T2", "joker", "remedied", "seen", False, 6),
        FoundCount("T2", "joker", "dismissed", "unseen", True, 2),
        FoundCount("T10", "joker", "expired", "unseen", True, 2),
        FoundCount("T10", "burn-missing", "", "seen", False, 1),
    )
    counts = Counts(
        hands=(
            HandsCount("T2", 0, 120, 4 * HOUR),
            HandsCount("T2", 2, 80, 4 * HOUR),
            HandsCount("T10", 2, 50, HOUR // 4),
        ),
        found=found,
        later=(LaterCount(0, "remedied", "seen", 6), LaterCount(2, "dismissed", "unseen", 2)),
        waits=(WaitCount("T2", "joker", 5, 19), WaitCount("T2", "joker", 70, 1)),
    )
    made = statistics(period, counts)
    assert [each.name for each in made.tables] == ["T2", "T10"]
    two, ten = made.tables
    assert (two.hands, two.found, two.irregular, two.dismissed, two.asked) == (200, 8, 6, 2, 2)
    assert (two.per_1000, two.asked_per_1000, two.hands_per_hour) == (30.0, 10.0, 25.0)
    assert (two.dismissed_share, two.median_s, two.p90_s) == (None, 0.5, 0.5)
    # 50 hands in a quarter of an hour are too few for any rate; 8 and 3 findings for a share.
    assert (ten.per_1000, ten.hands_per_hour, ten.median_s) == (None, None, None)
    assert [(each.name, each.found, each.irregular) for each in made.codes] == [
        ("joker", 10, 6),
        ("burn-missing", 1, 1),
    ]
    joker = made.codes[0]
    assert (joker.hands, joker.per_1000, joker.dismissed_share) == (250, 24.0, 0.2)
    assert made.whole.per_1000 == 28.0
    assert made.pieces == (
        Piece(0, 120, 6, 50.0, 30.0),
        Piece(HOUR, 0, 0, None, None),
        Piece(2 * HOUR, 130, 0, 0.0, 130 / 4.25),
        Piece(3 * HOUR, 0, 0, None, None),
    )
    assert made.dealers == ()


def test_nothing_comes_to_nothing() -> None:
    made = statistics(in_pieces(0, HOUR), Counts())
    assert (made.whole.hands, made.whole.per_1000, made.tables, made.codes) == (0, None, (), ())


@pytest.mark.parametrize(
    ("how", "basis", "irregular"),
    [
        ("remedied", "unseen", True),
        ("ruled", "unseen", True),
        ("dismissed", "seen", False),
        ("expired", "seen", True),
        ("expired", "unseen", False),
        ("", "seen", True),
        ("", "unseen", False),
    ],
)
def test_what_counts_as_an_irregularity(how: str, basis: str, *, irregular: bool) -> None:
    assert is_irregular(how, basis) is irregular


def test_half_and_nine_in_ten() -> None:
    assert within(Counter({1: 5, 2: 5}), 0.5) == 1
    assert within(Counter({1: 5, 2: 4, 9: 1}), 0.9) == 2
    assert within(Counter({1: 5, 2: 3, 9: 2}), 0.9) == 9


def test_pieces_are_few_and_as_a_person_would_choose_them() -> None:
    assert in_pieces(0, 12 * HOUR).bin_ms == HOUR
    assert in_pieces(0, 7 * 24 * HOUR).bin_ms == 6 * HOUR
    assert in_pieces(0, 40 * 365 * 24 * HOUR).bin_ms > 2_016 * HOUR
    for hours in (1, 48, 49, 5_000, 100_000, 900_000):
        made = statistics(in_pieces(7, 7 + hours * HOUR), Counts())
        assert 1 <= len(made.pieces) <= 48
