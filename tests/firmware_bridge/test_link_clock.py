"""The clock: wraps, bounds, drift, order."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.link.clock import Clock


def _synchronised(offset: float, bits: int = 32) -> Clock:
    """A clock whose device booted at `offset`, asked at 2 s over a line of 1 ms each way."""
    clock = Clock(bits)
    clock.observe(1_999_000, offset + 2.0)
    clock.answer(offset + 2.0, 2_001_000, 2_001_100, offset + 2.0021)
    return clock


def test_a_round_trip_bounds_the_error_by_half_its_length() -> None:
    clock = _synchronised(50.0)
    assert clock.error <= 0.0011
    assert clock.to_host(2_500_000) == pytest.approx(52.5, abs=clock.error)


def test_before_an_answer_the_time_of_receipt_is_the_bound() -> None:
    clock = Clock()
    clock.observe(1_000_000, 11.3)
    clock.observe(2_000_000, 12.01)
    assert clock.to_host(2_000_000) <= 12.01
    assert clock.to_host(1_500_000) == pytest.approx(11.51, abs=0.001)


@pytest.mark.parametrize("bits", [28, 30, 32])
def test_ticks_wrap(bits: int) -> None:
    period = 1 << bits
    clock = Clock(bits)
    start = period - 1_500_000
    for second in range(200):
        ticks = (start + second * 1_000_000) % period
        clock.observe(ticks, 100.0 + second + 0.001)
        clock.answer(100.0 + second - 0.001, ticks, ticks, 100.0 + second + 0.001)
        assert clock.to_host(ticks) == pytest.approx(100.0 + second, abs=0.01)
    old = (start + 195 * 1_000_000) % period
    assert clock.to_host(old) == pytest.approx(295.0, abs=0.01)


def test_drift_and_jitter_stay_within_the_round_trip() -> None:
    dice = random.Random(3)
    clock = Clock()
    rate = 1 + 80e-6
    for second in range(600):
        asked = 1000.0 + second
        there, back = (0.0005 + dice.expovariate(1 / 0.002) for _ in range(2))
        heard = int((asked + there - 900) * rate * 1e6)
        clock.observe(heard, asked + there + back)
        clock.answer(asked, heard, heard, asked + there + back)
        true = asked + 0.5
        ticks = int((true - 900) * rate * 1e6)
        if second > 10:
            assert clock.to_host(ticks) == pytest.approx(true, abs=0.004)


@given(
    st.lists(
        st.tuples(st.floats(0, 0.05), st.floats(0, 0.05), st.floats(0.001, 2)),
        min_size=1,
        max_size=15,
    ),
    st.randoms(use_true_random=False),
)
def test_times_never_decrease_with_their_ticks(
    trips: list[tuple[float, float, float]], dice: random.Random
) -> None:
    clock = Clock()
    now = 100.0
    given_out: list[tuple[int, float]] = []
    for there, back, pause in trips:
        heard = int((now + there - 90) * 1e6)
        clock.observe(heard, now + there + back)
        given_out.append((heard, clock.to_host(heard)))
        clock.answer(now, heard, heard, now + there + back)
        newest = max(ticks for ticks, _ in given_out)
        first = given_out[0][0]
        for _ in range(5):
            ticks = dice.randint(first, newest)
            given_out.append((ticks, clock.to_host(ticks)))
        now += there + back + pause
    given_out.sort()
    assert all(a <= b for (_, a), (_, b) in pairwise(given_out))


def test_a_reboot_is_implausible_both_ways() -> None:
    clock = _synchronised(50.0)
    assert clock.plausible(3_000_000, 53.001)
    assert clock.plausible(3_000_000, 53.9)
    assert not clock.plausible(1_000_000, 53.0)
    assert not clock.plausible(1_800_000_000, 53.0)


def test_the_bounds_widen_while_nobody_asks() -> None:
    clock = _synchronised(50.0)
    before = clock.error
    clock.observe(102_000_000, 153.0)
    assert clock.error - before == pytest.approx(0.01, rel=0.02)
    # 100 ppm fast for a hundred seconds: ahead of the old bound, not of the drift.
    assert clock.plausible(202_020_000, 252.0)
    assert not clock.plausible(202_050_000, 252.0)


def test_a_contradiction_starts_the_window_anew() -> None:
    clock = _synchronised(50.0)
    clock.observe(3_000_000, 63.0)
    clock.answer(63.0, 3_001_000, 3_001_000, 63.002)
    assert clock.error < 0.002
    assert clock.to_host(4_000_000) == pytest.approx(64.0, abs=0.01)
