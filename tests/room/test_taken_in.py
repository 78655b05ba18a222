"""What a room counts of what its tables say."""

from __future__ import annotations

from controller.room.taken_in import TakenIn


def test_events_are_counted_with_those_that_are_missing_and_those_that_come_again() -> None:
    taken_in = TakenIn()
    for seq in (3, 4, 7, 7, 5, 8):
        taken_in.event("T1", "s", seq)
    taken_in.event("T2", "s", 1)
    assert taken_in.counts == {"events": 5, "gaps": 2, "doubles": 2}


def test_a_new_session_counts_from_its_own_first_event() -> None:
    taken_in = TakenIn()
    for session, seq in (("a", 9), ("b", 1), ("b", 2)):
        taken_in.event("T1", session, seq)
    assert taken_in.counts == {"events": 3, "gaps": 0, "doubles": 0}
