"""What a room counts of what its tables say."""

from __future__ import annotations

from controller.room.heard import Heard


def test_events_are_counted_with_those_that_are_missing_and_those_that_come_again() -> None:
    heard = Heard()
    for seq in (3, 4, 7, 7, 5, 8):
        heard.event("T1", "s", seq)
    heard.event("T2", "s", 1)
    assert heard.counts == {"events": 5, "gaps": 2, "doubles": 2}


def test_a_new_session_counts_from_its_own_first_event() -> None:
    heard = Heard()
    for session, seq in (("a", 9), ("b", 1), ("b", 2)):
        heard.event("T1", session, seq)
    assert heard.counts == {"events": 3, "gaps": 0, "doubles": 0}
