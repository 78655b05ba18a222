"""Registering and counting decks, scan by scan."""

from __future__ import annotations

from firmware_bridge.decks import (
    MISSES,
    MOST_TAGS,
    AlreadyEnrolled,
    Counting,
    Crowded,
    Enrolled,
    Enrolment,
    OfAnother,
    OfTable,
    Registry,
    Several,
    Step,
)

A, B, C, D = "E004000000000001", "E004000000000002", "E004000000000004", "E0040000000000F0"
COLLISION = "E004000000000003"
OTHERS = Registry({"blue": {"BB00000000000001": "2s"}}, {"0B00000000000001": "button"})
CARDS = ("As", "2s", "3s")
CYCLE_S = 0.2


class Antenna:
    """Scans in a steady rhythm."""

    def __init__(self, enrolment: Enrolment) -> None:
        self.enrolment = enrolment
        self.t = 0.0

    def reads(self, *tags: str, scans: int = 4, complete: bool = True) -> list[Step]:
        steps = []
        for _ in range(scans):
            self.t += CYCLE_S
            steps += self.enrolment.scan(self.t, tags, complete=complete)
        return steps


def antenna(tags: dict[str, str] | None = None) -> Antenna:
    return Antenna(Enrolment(CARDS, OTHERS, tags))


def test_a_tag_counts_once_it_was_read_twice_running() -> None:
    one = antenna()
    assert one.reads(A, scans=1) == []
    assert one.reads(scans=1) == []
    assert one.reads(A, scans=1) == []
    assert one.reads(A, scans=1) == [Enrolled("As")]
    assert one.reads(A) == []
    assert one.enrolment.wanted == "2s"


def test_the_next_one_may_be_laid_on_those_before_it() -> None:
    one = antenna()
    assert one.reads(A) == [Enrolled("As")]
    assert one.reads(A, B) == [Enrolled("2s")]
    assert one.reads(B) == []
    assert not one.enrolment.is_over(one.t)
    assert one.reads(A, B, D) == [AlreadyEnrolled("As"), Enrolled("3s")]
    assert one.enrolment.is_over(one.t)
    assert one.enrolment.deck == {A: "As", B: "2s", D: "3s"}


def test_the_last_one_is_over_only_once_it_lay_there_alone() -> None:
    one = antenna({"As": A, "2s": B})
    assert one.reads(C, scans=2) == [Enrolled("3s")]
    assert not one.enrolment.is_over(one.t)
    assert one.reads(C, D, scans=2) == [Several(2, "3s")]
    assert not one.enrolment.is_over(one.t)
    assert one.reads(D) == [Enrolled("3s")]
    assert one.enrolment.deck[D] == "3s"


def test_two_that_come_together_are_neither() -> None:
    one = antenna()
    assert one.reads(A, D) == [Several(2)]
    assert one.reads(A, D) == []
    assert one.reads(D) == [Enrolled("As")]
    # One that is read a moment later than the other came with it just the same.
    two = antenna()
    assert two.reads(A, scans=2) == [Enrolled("As")]
    assert two.reads(A, D) == [Several(2, "As")]
    assert two.enrolment.deck == {}
    assert two.reads(A) == [Enrolled("As")]


def test_what_belongs_elsewhere_is_told_once_for_each_time_it_is_laid_down() -> None:
    one = antenna({"As": A})
    told = [AlreadyEnrolled("As"), OfAnother("blue"), OfTable("button")]
    for tag, step in zip((A, "BB00000000000001", "0B00000000000001"), told, strict=True):
        assert one.reads(tag) == [step]
        assert one.reads(scans=MISSES - 1) == []
        assert one.reads(tag) == []
        assert one.reads(scans=MISSES) == []
        assert one.reads(tag) == [step]


def test_a_card_that_was_taken_back_is_wanted_again_and_has_to_be_laid_down_anew() -> None:
    one = antenna()
    one.reads(A)
    assert one.enrolment.back() == "As"
    assert one.enrolment.back() is None
    assert one.enrolment.wanted == "As"
    assert one.reads(A) == []
    one.reads(scans=MISSES)
    assert one.reads(A) == [Enrolled("As")]


def test_what_cannot_be_told_apart_has_to_lie_alone() -> None:
    one = antenna({"As": A, "2s": B})
    assert one.reads(D, complete=False) == [Crowded()]
    assert one.reads(complete=False) == []
    one.reads(scans=MISSES)
    assert one.reads(A, B) == [AlreadyEnrolled("As"), AlreadyEnrolled("2s")]
    assert one.reads(A, B, COLLISION) == [Crowded()]
    assert one.reads(COLLISION, scans=MISSES) == [Enrolled("3s")]


def test_no_tag_is_in_any_repr_and_no_list_grows_without_end() -> None:
    one = antenna({"As": A})
    many = [f"E005{number:012X}" for number in range(MOST_TAGS + 10)]
    one.reads(*many, scans=2)
    counting = Counting("red", {A: "As"}, OTHERS, CARDS)
    for tag in many:
        counting.scan([tag])
        counting.scan([tag])
    assert len(counting.count.foreign) == MOST_TAGS
    assert repr(one.enrolment) == "Enrolment(1 of 3)"
    assert repr(counting) == f"Counting('red', {MOST_TAGS} tags)"


def test_a_count() -> None:
    counting = Counting("red", {A: "As", B: "2s", C: "3s", D: "X1"}, OTHERS, CARDS)
    assert counting.count.missing == CARDS
    counting.scan([A, "0B00000000000001"])
    counting.scan([B, "E0050000000000AB"])
    counting.scan([A])
    count = counting.count
    assert (count.seen, count.of, count.missing) == (2, 3, ("3s",))
    assert (count.foreign, count.is_complete) == ((), False)
    counting.scan([C, D])
    assert counting.count.is_complete
    assert counting.count.spare == ("X1",)
    counting.scan(["E0050000000000AB"])
    assert counting.count.foreign == ("00AB",)
    counting.scan(["BB00000000000001"])
    assert counting.count.others == {"blue": 1}
    assert not counting.count.is_complete


def test_a_collision_is_no_foreign_card() -> None:
    counting = Counting("red", {A: "As", B: "2s"}, OTHERS, CARDS)
    for _ in range(5):
        counting.scan([A, B, COLLISION])
        counting.scan([A, "EEEEEEEEEEEEEEEE"])
    assert counting.count.foreign == ()
