"""Roles, how long a sign-in holds, and who guesses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.people.pins import FIRST_WAIT_S, LONGEST_WAIT_S
from controller.people.staff import (
    ROLES,
    Bucket,
    Code,
    Codes,
    Guesses,
    Holds,
    Kept,
    Person,
    Role,
    Session,
    Tries,
)

HOUR = 3600.0


@pytest.mark.parametrize(
    ("role", "rights", "at_tables"),
    [
        ("viewer", ("look",), "viewer"),
        ("floor", ("look", "decide"), "floor"),
        ("director", ("look", "decide", "clock"), "director"),
        ("admin", ("look", "decide", "clock", "people"), "director"),
    ],
)
def test_what_each_role_may(role: Role, rights: tuple[str, ...], at_tables: str) -> None:
    person = Person("Ann", role, "")
    assert (person.rights, person.at_tables) == (rights, at_tables)
    assert [each for each in ROLES if person.may(each)] == list(ROLES[: len(rights)])


def test_a_sign_in_ends_when_it_is_not_used_and_at_the_latest_after_a_day() -> None:
    holds, since = Holds(), 1_000_000.0
    used = Session("x", "Ann", since, since + 11 * HOUR)
    assert not holds.over(used, since + 22 * HOUR)
    assert holds.over(used, since + 23 * HOUR)
    assert holds.over(Session("x", "Ann", since, since + 24 * HOUR), since + 24 * HOUR)


def test_a_wall_clock_that_is_set_back_far_ends_it() -> None:
    session = Session("x", "Ann", 1_000_000.0, 1_000_000.0)
    assert not Holds().over(session, 1_000_000.0 - 200)
    assert Holds().over(session, 1_000_000.0 - 24 * HOUR)


def test_who_guesses_waits_longer_each_time() -> None:
    tries, now = Tries(), 0.0
    for _ in range(2):
        tries.begin("Ann", now)
        assert tries.wait("Ann", now) == 0
    waits = []
    for _ in range(9):
        tries.begin("Ann", now)
        waits.append(tries.wait("Ann", now))
        now += waits[-1]
    assert waits[:4] == [FIRST_WAIT_S, 30, 60, 120]
    assert waits[-1] == LONGEST_WAIT_S
    assert tries.wait("Bob", now) == 0
    tries.right("Ann")
    tries.begin("Ann", now)
    assert tries.wait("Ann", now) == 0


def test_all_that_changes_is_kept() -> None:
    kept: dict[str, Guesses | None] = {}
    tries = Tries(most=2, keep=kept.__setitem__)
    for _ in range(3):
        tries.begin("Ann", 100)
    assert kept == {"Ann": Guesses(3, 100 + FIRST_WAIT_S, 100)}
    tries.unspent("Ann")
    assert kept == {"Ann": Guesses(2, 0, 100)}
    tries.right("Ann")
    assert kept == {"Ann": None}
    for name in ("Bob", "Eve", "Dan"):
        tries.begin(name, 100)
    assert [name for name, each in kept.items() if each is None] == ["Ann", "Bob"]


def test_a_try_that_cannot_be_kept_is_none() -> None:
    def full(_who: str, _guesses: Guesses | None) -> None:
        raise OSError("the disk is full")

    tries = Tries(1, keep=full)
    with pytest.raises(OSError, match="full"):
        tries.begin("Ann", 100)
    assert tries.wait("Ann", 100) == 0


@pytest.mark.parametrize(
    ("now", "wall", "left"),
    [
        (105, 1_005, 10),  # the room alone was started anew
        (120, 1_020, 0),
        (3, 1_060, FIRST_WAIT_S),  # the machine was
        (3, 20, FIRST_WAIT_S),  # and it has no clock
        (3, 1e9, FIRST_WAIT_S),  # or one that is wrong
        (105, 1e9, 10),
        (105, 20, 10),
    ],
)
def test_a_restart_shortens_no_wait_and_makes_none_endless(
    now: float, wall: float, left: float
) -> None:
    tries = Tries()
    tries.go_on(Kept("Ann", 3, 115, 1_000), now, wall)
    assert tries.wait("Ann", now) == left


@pytest.mark.parametrize(
    ("away_s", "wait"), [(HOUR, 2 * FIRST_WAIT_S), (23 * HOUR, 2 * FIRST_WAIT_S), (25 * HOUR, 0)]
)
def test_after_a_day_it_is_forgotten_even_if_the_machine_was_off(
    away_s: float, wait: float
) -> None:
    tries = Tries()
    tries.go_on(Kept("Ann", 3, 115, 1_000), 5, 1_000 + away_s)
    now = 5 + tries.wait("Ann", 5)
    tries.begin("Ann", now)
    assert tries.wait("Ann", now) == wait


def test_an_address_with_many_people_is_not_forgiven_by_one_of_them() -> None:
    tries = Tries(tries=2)
    tries.begin("10.0.0.9", 0)
    for _ in range(20):
        tries.begin("10.0.0.9", 0)
        tries.unspent("10.0.0.9")
        assert tries.wait("10.0.0.9", 0) == 0
    tries.begin("10.0.0.9", 0)
    assert tries.wait("10.0.0.9", 0) == FIRST_WAIT_S


def test_what_is_remembered_of_guesses_has_an_end() -> None:
    tries = Tries(tries=1, most=10)
    for number in range(50):
        tries.begin(str(number), 0)
    assert [number for number in range(50) if tries.wait(str(number), 0)] == list(range(40, 50))


@given(st.lists(st.floats(0, 3), max_size=200))
def test_a_bucket_gives_no_more_than_it_may(pauses: list[float]) -> None:
    bucket, now, had = Bucket(2, 5), 0.0, 0
    for pause in pauses:
        now += pause
        had += bucket.take("Ann", now)
    assert had <= 5 + 2 * now + 1e-6


def test_a_code_lets_in_once_and_not_too_late() -> None:
    codes = Codes(digest=str.upper)
    codes.give("abc", Code("Ann", until=10))
    codes.give("demo", Code("Demo", until=10, once=False))
    assert codes.look("abc", 9) == codes.use("abc", 9) == Code("Ann", until=10)
    assert codes.use("abc", 9) is None
    assert codes.use("demo", 9) == codes.use("demo", 9) is not None
    assert codes.use("demo", 10) is None
    codes.give("late", Code("Ann", until=10))
    codes.drop("Ann")
    assert codes.use("late", 1) is None
