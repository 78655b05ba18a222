"""Raw levels of contacts, and the presses that they are."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.debounce import Button, Debouncer, Timings
from firmware_bridge.sensed import Press

FOLD = Button(4, 1, "fold")
CALL = Button(5, 2, "call", "all-in")


def play(*changes: tuple[int, bool, float], until: float = 10.0) -> list[Press]:
    """Both buttons up, then these changes of level; looked at every 5 ms."""
    debouncer = Debouncer([FOLD, CALL])
    for pin in (4, 5):
        debouncer.level(pin, False, 0.0)
    waiting = sorted(changes, key=lambda change: change[2])
    presses = []
    for step in range(int(until / 0.005)):
        now = step * 0.005
        while waiting and waiting[0][2] <= now:
            debouncer.level(*waiting.pop(0))
        presses += debouncer.check(now)
    return presses


def test_a_press_has_the_time_of_its_first_edge() -> None:
    bounces = [
        (4, True, 1.0),
        (4, False, 1.002),
        (4, True, 1.004),
        (4, False, 1.009),
        (4, True, 1.012),
    ]
    assert play(*bounces, (4, False, 1.3)) == [Press(1.0, 1, "fold")]


def test_what_is_shorter_than_the_stable_time_is_no_press() -> None:
    assert play((4, True, 1.0), (4, False, 1.015)) == []


def test_a_bounce_at_the_release_is_no_second_press() -> None:
    assert play((4, True, 1.0), (4, False, 1.05), (4, True, 1.1), (4, False, 1.13)) == [
        Press(1.0, 1, "fold")
    ]
    assert len(play((4, True, 1.0), (4, False, 1.1), (4, True, 1.2), (4, False, 1.3))) == 2


def test_short_and_long() -> None:
    assert play((5, True, 1.0), (5, False, 1.3)) == [Press(1.3, 2, "call")]
    assert play((5, True, 1.0), (5, False, 3.0)) == [Press(1.8, 2, "all-in")]
    assert play((5, True, 1.0)) == [Press(1.8, 2, "all-in")]
    assert play((5, True, 1.0), (5, False, 1.795)) == [Press(1.795, 2, "call")]
    assert play((4, True, 1.0), (4, False, 5.0)) == [Press(1.0, 1, "fold")]


def test_a_button_that_is_down_at_the_beginning_was_not_pressed() -> None:
    debouncer = Debouncer([FOLD, CALL])
    debouncer.level(4, True, 0.0)
    debouncer.level(5, True, 0.0)
    assert debouncer.check(2.0) == []
    debouncer.level(4, False, 3.0)
    debouncer.level(5, False, 3.0)
    assert debouncer.check(4.0) == []
    debouncer.level(4, True, 5.0)
    assert debouncer.check(5.1) == [Press(5.0, 1, "fold")]
    debouncer.level(4, False, 6.0)
    debouncer.check(6.1)
    debouncer.forget()
    debouncer.level(4, True, 7.0)
    assert debouncer.check(8.0) == []


def test_a_contact_that_chatters_for_long_is_pressed_when_it_comes_to_rest() -> None:
    chatter = [(4, n % 2 == 0, 1.0 + n * 0.01) for n in range(101)]
    assert play(*chatter) == [Press(2.0, 1, "fold")]


def test_pins_without_a_button_say_nothing() -> None:
    assert play((9, True, 1.0), (9, False, 2.0)) == []


def test_timings_can_be_set() -> None:
    debouncer = Debouncer([FOLD], Timings(stable=0.1))
    debouncer.level(4, False, 0.0)
    debouncer.level(4, True, 1.0)
    assert debouncer.check(1.05) == []
    assert debouncer.check(1.11) == [Press(1.0, 1, "fold")]


@given(
    st.lists(st.tuples(st.sampled_from([4, 5, 6]), st.booleans(), st.floats(0, 0.5)), max_size=60)
)
def test_whatever_the_contacts_do(changes: list[tuple[int, bool, float]]) -> None:
    """Presses of one button are at least the lock-out apart, and never more than pushes."""
    debouncer = Debouncer([FOLD, CALL])
    now, presses = 0.0, []
    for pin, down, pause in changes:
        now += pause
        debouncer.level(pin, down, now)
        presses += debouncer.check(now)
    presses += debouncer.check(now + 2)
    folds = [press.t for press in presses if press.seat == 1]
    assert all(b - a >= 0.15 for a, b in pairwise(folds))
    assert len(folds) <= sum(down for pin, down, _ in changes if pin == 4)
    assert all(0 <= press.t <= now + 2 for press in presses)


@pytest.mark.parametrize("seed", range(20))
def test_every_push_of_a_bad_switch_is_one_press(seed: int) -> None:
    rng = random.Random(seed)
    changes, t = [], 1.0
    for _ in range(5):
        for down in (True, False):
            edge = t
            for n in range(rng.randrange(0, 8) * 2 + 1):
                changes.append((4, down if n % 2 == 0 else not down, edge))
                edge += rng.uniform(0.0001, 0.008)
            t += rng.uniform(0.2, 0.5)
    assert len(play(*changes)) == 5
