"""The errors of the demo's dealer: in which hands there are any, and how they are dealt."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from controller.contract.cards import CARDS
from controller.contract.events import Finding, Phase, RulingText
from controller.demo.deal import DEAL_ERRORS, can_misdeal, pitches, spoil
from controller.demo.errors import ERRORS, LOG_ERRORS, can_err, moments, street_at
from controller.demo.phh import BetTo, CheckOrCall, Fold, PlayedHand, Show, Street
from controller.demo.tally import Tally
from controller.library.books import Library


def played(*acts: Fold | CheckOrCall | BetTo | Show | Street, players: int = 4) -> PlayedHand:
    return PlayedHand("", (1000,) * players, (1, 2), 0, CARDS, acts)


CHECKED = played(
    Fold(2), CheckOrCall(3), CheckOrCall(0), CheckOrCall(1), Street(("2c", "3c", "4c")),
    CheckOrCall(0), Fold(1), CheckOrCall(3), Street(("5c",)), CheckOrCall(0), CheckOrCall(3),
)  # fmt: skip


@pytest.mark.parametrize(
    ("error", "at"),
    [
        ("burn-missing", [4, 8]),
        ("four-card-flop", [4]),
        ("too-many-turn", [8]),
        ("too-many-river", []),
        ("premature-turn", [7]),
        ("premature-river", []),
        ("burn-premature", [3, 7]),
        ("board-disturbed", [4, 8]),
        ("muck-retrieved", [0, 6]),
        ("joker", [0]),
    ],
)
def test_when_an_error_can_be_made(error: str, at: list[int]) -> None:
    assert moments(CHECKED, error) == at


def test_the_street_of_an_error_is_the_one_that_comes_next() -> None:
    assert [street_at(CHECKED, at) for at in (0, 4, 7, 8)] == ["flop", "flop", "turn", "turn"]


def test_a_hand_that_ends_before_the_flop_is_left_alone() -> None:
    short = played(Fold(2), Fold(3), Fold(0))
    assert not [e for e in (*ERRORS, *LOG_ERRORS) if can_err(short, e)]


def test_what_takes_more_players_or_an_empty_seat() -> None:
    assert not can_misdeal("out-of-sequence", 2)
    assert not can_misdeal("seat-dealt-out", 2)
    assert not can_misdeal("too-few-cards", 3)  # who is short would act first
    assert not can_misdeal("empty-seat-dealt", 10)
    assert can_misdeal("extra-card", 2)


@pytest.mark.parametrize("error", DEAL_ERRORS)
@pytest.mark.parametrize("players", [2, 3, 6, 9])
def test_only_what_is_to_be_wrong_with_a_deal_is(error: str, players: int) -> None:
    seats = list(range(1, players + 1))
    if not can_misdeal(error, players):
        return
    for seed in range(20):
        plan = pitches(error, seats, random.Random(seed))
        counts = Counter(pitch.seat for pitch in plan)
        off = {seat: n - 2 for seat, n in counts.items() if n != 2 and seat in seats}
        strange = [seat for seat in counts if seat not in seats]
        order = [pitch.seat for pitch in plan if pitch.seat in seats]
        flaws = [pitch.flaw for pitch in plan if pitch.flaw]
        match error:
            case "extra-card" | "extra-cards":
                more = 1 if error == "extra-card" else 2
                assert (off, flaws) == (dict.fromkeys(seats[:more], 1), ["extra"] * more)
            case "too-few-cards":
                assert off == {seats[-1]: -1}
            case "seat-dealt-out":
                assert len(counts) == players - 1
                assert order[0] == 1
            case "empty-seat-dealt":
                assert (off, len(strange), order) == ({}, 1, seats * 2)
            case "first-card-wrong-seat":
                assert (off, order[0]) == ({}, 2)
            case "out-of-sequence":
                assert (off, order[0]) == ({}, 1)
                assert order != seats * 2
            case _:
                assert (off, order) == ({}, seats * 2)
                count = int(error.startswith(("exposed", "boxed"))) + error.endswith("cards")
                assert len(flaws) == count
                if count:
                    first = next(at for at, pitch in enumerate(plan) if pitch.flaw)
                    assert (first < 2) == (error == "exposed-first-card")
                if count == 2:
                    assert len({pitch.seat for pitch in plan if pitch.flaw}) == 2


@pytest.mark.parametrize("error", ["joker", "foreign-card", "duplicate-card"])
def test_the_card_whose_place_a_wrong_one_takes_comes_right_after_the_deal(error: str) -> None:
    for seed in range(40):
        stub = list(CARDS)
        (wrong,) = spoil(stub, error, 8, random.Random(seed))
        at = stub.index(wrong)
        assert 0 < at < 8
        right = stub.pop(8)
        stub[at] = right
        assert stub == list(CARDS)


def test_every_error_has_words(library: Library) -> None:
    assert {*ERRORS, *LOG_ERRORS} <= library.texts.findings.keys()


def test_a_milder_finding_on_the_way_is_no_false_alarm() -> None:
    tally = Tally()
    tally.begin("exposed-cards")
    for code in ("exposed-card", "exposed-cards"):
        ruling = RulingText("roberts", "misdeal", (), ())
        tally.take(Finding(1.0, 1, 1, code, 1, "seen", (), (), ruling))
    tally.take(Phase(2.0, 1, "complete"))
    assert tally.is_right
    assert tally.summary() == "1 hand dealt; 1 × exposed-cards made, 1 found"
