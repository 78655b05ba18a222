"""Warnings and penalties, counted by the hands that are really dealt."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.room.acts import ActError, convert
from controller.room.conduct import (
    CONDUCT_ACTS,
    MINUTES,
    Conduct,
    HandOf,
    Penalty,
    Step,
    When,
    hand_begins,
    hand_ends,
    next_step,
    pass_time,
    perform,
    without_old,
)
from controller.room.register import Register
from tests.room.test_register import do, hall, refused

MINUTE = 60_000
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")


class Room:
    """Five players at T1, of whom Ann is p1; hand 20 is under way there."""

    def __init__(self) -> None:
        self.conduct = Conduct()
        self.register: Register = hall(*NAMES)
        for seat in range(1, 6):
            self.register = do(self.register, "sit", player=f"p{seat}", table="T1", seat=seat)
        self.now_ms = 0

    def give(self, name: str, /, **fields: object) -> None:
        act = convert(name, {"actor": "Ali", **fields}, CONDUCT_ACTS[name][0])
        when = When(self.now_ms, 1_000 + self.now_ms, {"T1": HandOf("T1", "s", 20)})
        self.conduct, self.register = perform(self.conduct, self.register, name, act, when)

    def given_to(self, player: str) -> list[Penalty]:
        return [one for one in self.conduct.given if one.player == player]

    def refuses(self, name: str, /, **fields: object) -> str:
        with pytest.raises(ActError) as caught:
            self.give(name, **fields)
        return str(caught.value)

    def hand(
        self,
        number: int,
        *,
        table: str = "T1",
        session: str = "s",
        redeal: bool = False,
        misdeal: bool = False,
    ) -> None:
        hand = HandOf(table, session, number)
        self.conduct = hand_begins(self.conduct, self.register, hand, redeal=redeal)
        if not misdeal:
            self.conduct, self.register = hand_ends(self.conduct, self.register, hand)

    def passes(self, minutes: float) -> None:
        self.now_ms += round(minutes * MINUTE)
        self.conduct, self.register = pass_time(self.conduct, self.register, self.now_ms)

    def status(self, player: str = "p1") -> str:
        return self.register.by_id[player].status

    def hands_missed(self, first: int = 21) -> int:
        """So many hands Ann is away from now on."""
        for count in range(100):
            if self.status() != "penalty":
                return count
            self.hand(first + count)
        raise AssertionError("it never ends")


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_warning_is_on_record_and_nobody_goes(room: Room) -> None:
    """TDA24-71A1, UK-65A, TDA09-40b, NL10-HR-22: verbal warnings."""
    room.give("warn", player="p1", reason="phone at the table")
    (line,) = room.conduct.given
    assert (line.name, line.given, line.reason, line.by) == (
        "Ann",
        "warning",
        "phone at the table",
        "Ali",
    )
    assert (line.table, line.seat, line.hand) == ("T1", 1, 20)
    assert room.status() == "seated"


@pytest.mark.parametrize(("rounds", "hands"), [(1, 5), (2, 10), (4, 20)])
def test_a_round_is_a_hand_for_everybody_at_the_table_the_offender_too(
    room: Room, rounds: int, hands: int
) -> None:
    """TDA24-71A2, TDA09-40b, UK-65A: every player including the offender who is at the table when
    the penalty is given, times the rounds."""
    room.give("penalise", player="p1", unit="rounds", amount=rounds)
    room.register = do(room.register, "stand", player="p5")  # it was given before he left
    assert room.status() == "penalty"
    assert room.hands_missed() == hands


def test_one_hand_is_the_next_one(room: Room) -> None:
    """TDA09-40b: the one-hand penalty is no round. It begins with the next hand."""
    room.give("penalise", player="p1", unit="hands", amount=1)
    room.hand(20)
    assert room.status() == "penalty", "it was under way when it was given"
    assert room.hands_missed() == 1
    assert room.conduct.given[0].over == "served"


def test_a_misdeal_and_its_redeal_are_one_hand(room: Room) -> None:
    """UK-33C, TDA24-35C4."""
    room.give("penalise", player="p1", unit="hands", amount=2)
    room.hand(21, misdeal=True)
    room.hand(22, redeal=True)
    assert room.status() == "penalty"
    room.hand(23, misdeal=True)
    assert room.status() == "penalty", "its redeal is still to come"
    room.hand(24, redeal=True)
    assert room.status() == "seated"


def test_minutes_go_by_the_clock(room: Room) -> None:
    """NL10-HR-22: 10, 20, 30 or 40 minutes away from the table."""
    room.give("penalise", player="p1", unit="minutes", amount=10)
    room.hand(21)
    room.passes(9.9)
    assert room.status() == "penalty"
    room.passes(0.1)
    assert room.status() == "seated"


def test_hands_that_nobody_told_of_count_by_their_numbers(room: Room) -> None:
    """The room was away for a while."""
    room.give("penalise", player="p1", unit="hands", amount=4)
    room.hand(21)
    room.hand(24)
    assert room.status() == "seated"


def test_an_end_of_which_the_beginning_was_not_heard_counts(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=1)
    room.conduct, room.register = hand_ends(room.conduct, room.register, HandOf("T1", "s", 21))
    assert room.status() == "seated"


def test_who_was_away_before_his_penalty_is_so_after_it(room: Room) -> None:
    room.register = do(room.register, "mark", player="p1", status="absent")
    room.give("penalise", player="p1", unit="hands", amount=1)
    room.hand(21)
    assert room.status() == "absent"


def test_what_is_told_again_of_an_older_hand_ends_nothing(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=1)
    room.hand(21, misdeal=True)
    room.conduct, room.register = hand_ends(room.conduct, room.register, HandOf("T1", "s", 20))
    assert room.status() == "penalty"


def test_who_goes_to_another_table_serves_the_rest_there(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=3)
    room.hand(21)
    room.register = do(room.register, "sit", player="p1", table="T2", seat=3)
    assert room.status() == "penalty"
    room.hand(22)
    room.hand(7, table="T2")
    assert room.status() == "penalty"
    room.hand(8, table="T2")
    assert room.status() == "seated"


def test_two_penalties_are_served_one_after_the_other(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=2)
    room.give("penalise", player="p1", unit="hands", amount=3)
    assert room.hands_missed() == 5


def test_others_count_for_themselves(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=1)
    room.give("penalise", player="p2", unit="hands", amount=3)
    room.register = do(room.register, "mark", player="p3", status="absent")
    room.hand(21)
    assert [room.status(f"p{n}") for n in (1, 2, 3)] == ["seated", "penalty", "absent"]


def test_what_was_given_is_taken_back_and_stays_on_record(room: Room) -> None:
    room.give("penalise", player="p1", unit="rounds", amount=1)
    room.give("pardon", id=1)
    assert room.status() == "seated"
    assert [(one.id, one.over) for one in room.conduct.given] == [(1, "pardoned")]
    assert room.refuses("pardon", id=1) == "that was not given, or is taken back already"
    assert room.refuses("pardon", id=2) == "that was not given, or is taken back already"


def test_who_has_a_penalty_is_not_simply_marked_as_there(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=1)
    away = "Ann is away for a penalty"
    assert refused(room.register, "mark", player="p1", status="seated") == away


def test_only_who_sits_can_be_away(room: Room) -> None:
    room.register = do(room.register, "enter", name="Zoe")
    assert room.refuses("penalise", player="p6", unit="hands", amount=1) == "Zoe has no seat"
    assert room.refuses("warn", player="p7") == "nobody has the id p7"
    room.give("warn", player="p6")


def test_a_disqualification_ends_what_ran(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=9)
    room.give("disqualify", player="p1", reason="chips in a pocket")
    assert [one.over for one in room.conduct.given] == ["served", ""]
    assert not any(one.runs for one in room.conduct.given)


def test_repeated_offences_escalate(room: Room) -> None:
    """TDA09-40b, TDA24-71A1, UK-65A; minutes NL10-HR-22."""
    units: list[tuple[Literal["hands", "rounds"], int]] = [
        ("hands", 1),
        ("rounds", 1),
        ("rounds", 2),
        ("rounds", 3),
        ("rounds", 4),
    ]
    assert next_step(room.given_to("p1")) == Step("warning")
    room.give("warn", player="p1")
    for unit, amount in units:
        assert next_step(room.given_to("p1")) == Step(unit, amount)
        room.give("penalise", player="p1", unit=unit, amount=amount)
    assert next_step(room.given_to("p1")) == Step("disqualified")
    assert next_step(room.given_to("p2")) == Step("warning")
    room.give("pardon", id=6)
    assert next_step(room.given_to("p1")) == Step("rounds", 4)
    assert next_step(room.given_to("p1"), MINUTES) == Step("minutes", 10)


def test_a_table_that_was_exchanged_counts_anew(room: Room) -> None:
    """The new one begins with hand 1; one that has only been restarted goes on."""
    room.give("penalise", player="p1", unit="hands", amount=3)
    room.hand(21)
    room.hand(22, session="after a restart")
    assert room.conduct.given[0].served == 2
    room.hand(1, session="another table")
    assert room.conduct.given[0].over == "served"


def test_a_hand_told_again_does_not_count_again(room: Room) -> None:
    room.give("penalise", player="p1", unit="hands", amount=3)
    for number in (21, 22, 21, 22):
        room.hand(number)
    assert room.conduct.given[0].served == 2


def test_several_in_minutes_are_served_one_after_the_other(room: Room) -> None:
    """NL10-HR-22: so many minutes for each."""
    for minutes in (10, 20, 5):
        room.give("penalise", player="p1", unit="minutes", amount=minutes)
    room.give("penalise", player="p2", unit="minutes", amount=10)
    room.passes(10)
    assert [one.over for one in room.conduct.given] == ["served", "", "", "served"]
    room.passes(19)
    assert room.status() == "penalty"
    room.passes(1)
    assert [one.over for one in room.conduct.given] == ["served", "served", "", "served"]
    room.passes(5)
    assert room.status() == "seated"


def test_minutes_that_are_taken_back_shorten_the_others(room: Room) -> None:
    for minutes in (10, 20, 5):
        room.give("penalise", player="p1", unit="minutes", amount=minutes)
    room.passes(4)
    room.give("pardon", id=2)
    room.passes(10)
    assert room.status() == "penalty"
    room.passes(1)
    assert room.status() == "seated"


def test_minutes_that_run_and_are_taken_back_are_over_at_once(room: Room) -> None:
    for minutes in (10, 20):
        room.give("penalise", player="p1", unit="minutes", amount=minutes)
    room.passes(4)
    room.give("pardon", id=1)
    room.passes(19)
    assert room.status() == "penalty"
    room.passes(1)
    assert room.status() == "seated"


def test_what_is_old_is_forgotten_unless_it_runs(room: Room) -> None:
    room.give("warn", player="p1")
    room.give("penalise", player="p2", unit="hands", amount=1)
    room.passes(60)
    room.give("warn", player="p3")
    kept = without_old(room.conduct, 1_000 + 30 * MINUTE)
    assert [one.player for one in kept.given] == ["p2", "p3"]
    assert without_old(room.conduct, 0) is room.conduct


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 6))
def test_as_many_hands_as_were_given_whatever_is_misdealt(misdeals: list[bool], hands: int) -> None:
    room, number, dealt, redeal = Room(), 20, 0, False
    room.give("penalise", player="p1", unit="hands", amount=hands)
    for misdeal in (*misdeals, *([False] * hands)):
        if room.status() != "penalty":
            break
        number += 1
        room.hand(number, redeal=redeal, misdeal=misdeal)
        dealt += not misdeal
        redeal = misdeal
    assert (room.status(), dealt) == ("seated", hands)
