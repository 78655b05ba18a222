"""Hand for hand in simulated tournaments: what the referee looks for is found where it is wrong,
and not where it is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from controller.library.books import Library
from controller.room import clock, hand_for_hand
from controller.room.clock import ClockState
from controller.room.hand_for_hand import HandForHand, TableHand
from controller.simulate.tournaments.checks.rounds import Moment, of_clock, of_end, of_hand
from controller.simulate.tournaments.many import Asked, play

ALL = ("T1", "T2", "T3")


def test_each_table_plays_one_hand_and_waits() -> None:
    """TDA24-RP8A."""
    assert list(of_hand("T1", {"T2"}, {"T2"}, ALL)) == []
    assert list(of_hand("T1", set(ALL), set(), ALL)) == [], "the next round begins"
    assert list(of_hand("T1", set(ALL), {"T2"}, ALL)) == [
        "T1 deals its next hand, and T2 has not finished"
    ]
    assert list(of_hand("T1", {"T1", "T2"}, set(), ALL)) == [
        "T1 deals its next hand, and T3 has had none"
    ]


def test_it_ends_where_the_money_begins() -> None:
    assert list(of_end(11, 10)) == list(of_end(10, None)) == []
    assert len(list(of_end(10, 10))) == 1


def test_a_hand_takes_its_time_off_the_clock_and_a_break_runs_in_full() -> None:
    """TDA24-RP8B, TDA24-RP8C, TDA24-RP8D: levels rise with that."""
    lengths, breaks, two = (720_000, 720_000, 600_000), (2,), 120_000

    def took(before: Moment, after: Moment) -> list[str]:
        return list(of_clock(lengths, breaks, before, after, two))

    assert took(Moment(0, 300_000), Moment(0, 180_000)) == []
    assert took(Moment(0, 50_000), Moment(1, 650_000)) == []
    assert took(Moment(1, 50_000), Moment(2, 600_000)) == []
    assert took(Moment(0, 300_000), Moment(0, 300_000)) == [
        "a hand took 0 s off the clock, and not 120 s"
    ]
    assert took(Moment(0, 50_000), Moment(1, 720_000)) != []
    assert took(Moment(1, 50_000), Moment(2, 530_000)) != []
    assert took(Moment(1, 150_000), Moment(2, 600_000)) != []


# --- wrong on purpose ---


def must_find(library: Library, *said: str) -> None:
    """With seeds that play hand for hand at several tables; other checks may find something too."""
    found = []
    for seed in range(70, 90):
        done = play(Asked(("tda-2024",), 60, seed, runs=1), library.book, lambda _: None)
        found += [one.what for one in done.faults]
        if any(one in fault for one in said for fault in found):
            return
    pytest.fail(f"found {found}")


def test_a_table_for_which_nobody_waits_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = hand_for_hand.waits_for

    def over(now: HandForHand, tables: Mapping[str, TableHand]) -> tuple[str, ...]:
        return right(now, {name: replace(each, is_over=True) for name, each in tables.items()})

    monkeypatch.setattr(hand_for_hand, "waits_for", over)
    must_find(library, "has not finished")


def test_a_hand_that_takes_too_little_off_the_clock_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = clock.spent

    def half(state: ClockState, ms: int, now_ms: int) -> ClockState:
        return right(state, ms // 2, now_ms)

    monkeypatch.setattr(clock, "spent", half)
    must_find(library, "a hand took 60 s off the clock, and not 120 s")


def test_a_clock_that_runs_on_is_found(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_for_hand, "held_clock", lambda state, _now, _ms: state)
    must_find(library, "the clock ran on", "off the clock")


def test_who_share_a_place_by_the_book_and_are_placed_by_stacks_are_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TDA24-RP8A."""
    right = hand_for_hand.ROUND_ACTS["hand-for-hand"][1]

    def alone(state: ClockState, now: HandForHand | None, act: Any, ms: int) -> Any:  # noqa: ANN401
        return right(state, now, replace(act, share=False), ms)

    acts = {
        **hand_for_hand.ROUND_ACTS,
        "hand-for-hand": (hand_for_hand.PlayHandForHand, alone),
    }
    monkeypatch.setattr(hand_for_hand, "ROUND_ACTS", acts)
    must_find(library, "and went out in place")
