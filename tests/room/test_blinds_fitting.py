from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.contract.events import Blinds
from controller.files.settings import config_dir
from controller.room.fitting import Breaks, FitError, fit
from controller.room.structure import Entry, Structure, check, find_structure

CHIP_SETS = ((), (1, 5, 25), (5, 25, 100, 500), (25, 100, 500, 1000), (100, 500, 1000, 5000))
BREAKS = st.none() | st.builds(Breaks, st.integers(20, 150), st.integers(1, 20))


def length_ms(structure: Structure) -> int:
    return sum(entry.duration_ms for entry in structure.entries)


def levels(structure: Structure) -> list[Blinds]:
    return [entry.blinds for entry in structure.entries if entry.blinds]


@settings(max_examples=200, deadline=None)
@given(
    chips=st.sampled_from(CHIP_SETS),
    stacks=st.integers(20, 2000),
    players=st.integers(2, 300),
    minutes=st.integers(45, 12 * 60),
    wishes=st.tuples(BREAKS, st.booleans()),
)
def test_whatever_is_wished_the_schedule_can_be_played_and_takes_that_long(
    chips: tuple[int, ...],
    stacks: int,
    players: int,
    minutes: int,
    wishes: tuple[Breaks | None, bool],
) -> None:
    breaks, ante = wishes
    stack = stacks * (chips[0] if chips else 1)
    try:
        made = fit(
            stack, players=players, hours=minutes / 60, chips=chips, breaks=breaks, ante=ante
        )
    except FitError:
        # Nothing else than too few chips for the smallest of them may be in the way, or an evening
        # of so few pieces that no equal levels go into them.
        assume(players * stack / 20 >= 4 * (chips[0] if chips else 1))
        assume(breaks is None or minutes > 4 * (breaks.every + breaks.length))
        raise
    check(made)
    played = levels(made)
    lengths = {entry.duration_ms for entry in made.entries if entry.blinds}
    assert len(lengths) == 1
    level_ms = lengths.pop()
    assert level_ms % 60_000 == 0
    assert abs(length_ms(made) - minutes * 60_000) <= level_ms / 2
    assert all(one.big < other.big for one, other in itertools.pairwise(played))
    assert all(each.big == 2 * each.small for each in played)
    assert players * stack / 30 <= played[-1].big <= players * stack / 20
    if chips:
        amounts = [n for each in played for n in (each.small, each.big, each.ante)]
        assert not any(amount % chips[0] for amount in amounts)


def test_an_evening_of_a_club() -> None:
    made = fit(
        10_000, players=18, hours=4, chips=(25, 100, 500, 1000), breaks=Breaks(90, 10), ante=True
    )
    assert length_ms(made) == 4 * 3_600_000
    assert levels(made)[0] == Blinds(50, 100)
    assert levels(made)[3].ante == levels(made)[3].big
    assert levels(made)[-1].big == 8000
    pauses = [number for number, entry in enumerate(made.entries) if entry.blinds is None]
    assert pauses == [4, 9]
    assert [made.entries[number].race_off for number in pauses] == [(25,), (100,)]


def test_the_levels_may_be_those_of_a_ready_one() -> None:
    home = find_structure("home-t1000", config_dir() / "blinds")
    made = fit(home, players=12, hours=3)
    known = {each.big for each in levels(home)}
    assert {each.big for each in levels(made)} <= known
    assert (made.stack, made.chips) == (1000, home.chips)
    gone = [value for entry in made.entries for value in entry.race_off]
    assert gone == [5, 25]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"players": 1}, "at least 2"),
        ({"hours": 0.0}, "0 hours"),
        ({"hours": 49.0}, "49 hours"),
        ({"chips": (3000, 5000)}, "can't be made of chips of 3000"),
        ({"players": 2, "chips": (10_000,)}, "none of these blinds end a tournament with 20000"),
        ({"breaks": Breaks(0, 5)}, "take no time"),
        ({"hours": 1.0, "breaks": Breaks(1, 200)}, "60 minutes can't be made of equal levels"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(wish: dict[str, object], said: str) -> None:
    given: dict[str, object] = {"players": 10, "hours": 3.0} | wish
    with pytest.raises(FitError) as caught:
        fit(10_000, **given)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_structure_for_any_stack_needs_one() -> None:
    with pytest.raises(FitError, match="'x' has no starting stack"):
        fit(Structure("x", (Entry(60_000, Blinds(1, 2)),)), players=10, hours=1)


def test_antes_that_a_schedule_has_are_paid_as_it_says() -> None:
    standard = find_structure("standard", config_dir() / "blinds")
    made = fit(standard, players=20, hours=4)
    assert any(blinds.ante for blinds in levels(made))
    assert made.ante_by == standard.ante_by == "big-blind"
