"""Chip races of simulated tournaments: what the referee looks for is found where it is wrong, and
not where it is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from controller.library.books import Library
from controller.room import races
from controller.room.races import Races
from controller.room.structure import check
from controller.rules import chip_race
from controller.rules.chip_race import Change, ChipRace, Race
from controller.simulate.tournaments.checks.races import Raced, new_chips, of_race
from controller.simulate.tournaments.plan import structure
from tests.simulate.on_purpose import first_fault


def race_of(book: str, *seats: Raced, told: int | None = None) -> list[str]:
    """Chips of 25 become chips of 100."""
    added = sum(one.after - one.before for one in seats)
    return list(of_race(book, 25, 100, seats, added if told is None else told))


ANN = Raced(1, 1_075, 1_100, ("As", "3c", "2c"))
BOB = Raced(2, 550, 600, ("Kh", "Kd"))
CY = Raced(3, 75, 100, ("Qh", "Jh", "2d"))
DEE = Raced(4, 900, 900)


def test_the_highest_cards_win_a_chip_each_and_nobody_is_raced_out() -> None:
    """UK-22A, TDA09-16, NL10-HR-08, TDA24-24A1, TDA24-24A2: of eight odd chips come two; Ann and
    Bob win them, and Cy gets one more, since he has nothing else."""
    for book in ("uk-tda", "tda-2009", "tda-2024", "nl-2010"):
        assert race_of(book, ANN, BOB, CY, DEE) == []
    out = replace(CY, after=0)
    assert race_of("uk-tda", ANN, BOB, out, DEE) == [
        "seat 3 is raced out",
        "seat 3 was due 1 new chips, and has 0",
    ]
    two = replace(ANN, after=1_200), replace(BOB, after=500)
    assert race_of("uk-tda", *two, CY, DEE) == [
        "seat 1 was due 1 new chips, and has 2",
        "seat 2 was due 1 new chips, and has 0",
    ]
    odd = replace(DEE, after=925)
    assert "seat 4 has 925 chips, and the smallest is 100" in race_of("uk-tda", ANN, BOB, CY, odd)
    assert race_of("uk-tda", ANN, BOB, CY, DEE, told=0) == [
        "a race has added 100 chips, and the room says 0"
    ]
    short = replace(ANN, cards=("As",))
    assert "seat 1 has 3 odd chips and 1 cards" in race_of("uk-tda", short, BOB, CY, DEE)


def test_or_who_would_be_broke_is_served_first_and_one_may_win_more() -> None:
    """RR7-T-10: Cy is given one of the two, and Ann has the highest card."""
    for book in ("roberts", "homepokertourney"):
        assert race_of(book, ANN, replace(BOB, after=500), CY, DEE) == []
        assert race_of(book, ANN, BOB, replace(CY, after=0), DEE) != []
    kings = Raced(2, 550, 500, ("Kh", "Kd"))
    more = Raced(3, 275, 200, ("Qh", "Jh", "2d"))
    aces = Raced(1, 1_075, 1_200, ("As", "Ad", "2c"))
    assert race_of("roberts", aces, kings, more) == []
    assert "seat 1 was due 1 new chips, and has 2" in race_of("uk-tda", aces, kings, more)


def test_half_a_chip_is_one() -> None:
    """RR7-T-10."""
    assert [new_chips(25, 100, odd) for odd in (0, 1, 2, 5, 6, 8)] == [0, 0, 1, 1, 2, 2]
    assert [new_chips(500, 1_000, odd) for odd in (1, 2, 3)] == [1, 1, 2]


@pytest.mark.parametrize("on_breaks", [True, False])
@pytest.mark.parametrize("players", [9, 60, 2_000])
def test_what_is_played_can_be_played(players: int, on_breaks: bool) -> None:
    plan = structure(players, "each", on_breaks=on_breaks)
    check(plan)
    gone = [value for entry in plan.entries for value in entry.race_off]
    assert gone == sorted(set(gone))
    assert len(gone) > 1
    assert all(entry.blinds is None or not on_breaks for entry in plan.entries if entry.race_off)


# --- wrong on purpose ---


def wrong(library: Library, book: str) -> str:
    return first_fault(library, book, 90)


def changed(run: Callable[..., Race], change: Callable[[Race], Race]) -> Callable[..., Race]:
    def runs(way: ChipRace, of: Change, racers: Sequence[Any], order: Sequence[int]) -> Race:
        return change(run(way, of, racers, order))

    return runs


def nobody_is_kept(race: Race) -> Race:
    lost = [one for one in race.seats if one.kept]
    seats = tuple(chip_race.Raced(o.seat, o.odd, 0, False, o.before, 0) for o in lost)
    return Race(race.chips, (*(one for one in race.seats if not one.kept), *seats))


def lowest_wins(race: Race) -> Race:
    after = [one.after for one in race.seats]
    seats = zip(race.seats, reversed(after), strict=True)
    return Race(
        race.chips,
        tuple(chip_race.Raced(o.seat, o.odd, o.won, o.kept, o.before, a) for o, a in seats),
    )


@pytest.mark.parametrize(
    ("change", "book", "said"),
    [
        (nobody_is_kept, "uk-tda", "is raced out"),
        (lowest_wins, "uk-tda", "new chips, and has"),
    ],
)
def test_a_race_that_goes_otherwise_is_found(
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Race], Race],
    book: str,
    said: str,
) -> None:
    monkeypatch.setattr(chip_race, "run", changed(chip_race.run, change))
    assert said in wrong(library, book)


def test_a_race_that_is_not_counted_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Races, "difference", property(lambda _: 0))
    assert "a race has added" in wrong(library, "tda-2024")


def test_a_race_that_is_never_proposed_is_missed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(races, "now", lambda *_: ())
    assert "chips, and the smallest is" in wrong(library, "uk-tda")
