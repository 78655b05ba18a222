"""How well antennas read, in numbers: what was missed, for how long, and no word of which card."""

from __future__ import annotations

import msgspec
import pytest

from controller.table.counting import TAKEN_AWAY_S, Count, Counting
from firmware_bridge.link.messages import Tally
from firmware_bridge.link.values import ZoneScan

A, B, C = "E004015000000012", "E004015000000022", "E004015000000033"
PORT, ZONE = "/dev/a", "seat/1"


class Counted:
    """One antenna, counted; a board numbers its scans, a reader reports them all."""

    def __init__(self, guess: float | None = None) -> None:
        self.counting = Counting(lambda _port: guess)
        self.counts: list[Count] = []

    def scan(self, t: float, *tags: str, tally: Tally | None = None, failed: bool = False) -> Count:
        scan = ZoneScan(t, 0, tags, failed=failed, complete=not failed, tally=tally)
        self.counts.append(self.counting.scanned(PORT, ZONE, scan))
        return self.counts[-1]


def told(scans: int, collisions: int | None = 0, errors: int | None = 0) -> Tally:
    return Tally(scans, 30_000, collisions, None, errors)


def test_a_reader_that_reports_each_scan() -> None:
    antenna = Counted()
    counts = [antenna.scan(n / 10, *((A,) if n != 3 else ())) for n in range(6)]
    assert [c.tags for c in counts] == [1, 1, 1, 0, 1, 1]
    assert [c.same for c in counts] == [0] * 6
    assert [c.missed for c in counts] == [0, 0, 0, 0, 1, 0]
    assert counts[4].gap_s == pytest.approx(0.2)
    assert [c.cycle_s for c in counts[1:]] == pytest.approx([0.1] * 5)
    assert {(c.collisions, c.retries, c.errors, c.took_s) for c in counts} == {(None,) * 4}


def test_scans_that_a_board_left_out_read_what_the_one_before_them_did() -> None:
    antenna = Counted()
    antenna.scan(0.0, A, B, tally=told(100))
    quiet = antenna.scan(1.0, A, B, tally=told(105))
    assert (quiet.same, quiet.missed) == (4, 0)
    assert quiet.cycle_s == pytest.approx(0.2)
    short = antenna.scan(1.8, A, tally=told(109))  # B was read until 1.6 s
    assert (short.tags, short.same, short.missed) == (1, 3, 0)
    again = antenna.scan(2.4, A, B, tally=told(112))  # and not at 1.8, 2.0 and 2.2 s
    assert (again.tags, again.same, again.missed) == (2, 2, 3)
    assert again.gap_s == pytest.approx(0.8)
    assert again.took_s == 0.03


def test_each_card_that_was_missed_counts() -> None:
    antenna = Counted()
    antenna.scan(0.0, A, B, C)
    antenna.scan(0.1)
    antenna.scan(0.2, B)
    count = antenna.scan(0.3, A, B, C)
    assert [c.missed for c in antenna.counts] == [0, 0, 1, 4]
    assert count.gap_s == pytest.approx(0.3)


def test_a_card_that_stays_away_was_taken_away() -> None:
    antenna = Counted()
    antenna.scan(0.0, A)
    for n in range(1, 60):
        antenna.scan(n / 10)
    assert TAKEN_AWAY_S < 5.9
    back = antenna.scan(6.0, A)
    assert (back.missed, back.gap_s) == (0, 0.0)
    board = Counted()
    board.scan(0.0, A, tally=told(1))
    board.scan(0.2, tally=told(2))
    back = board.scan(5.4, A, tally=told(28))
    assert (back.missed, back.gap_s) == (0, 0.0)


def test_a_scan_that_failed_has_missed_nothing() -> None:
    antenna = Counted()
    antenna.scan(0.0, A)
    failed = antenna.scan(0.1, failed=True)
    assert (failed.failed, failed.tags, failed.complete) == (True, 0, True)
    assert antenna.scan(0.2, A).missed == 0


def test_what_a_board_counts_is_told_from_report_to_report() -> None:
    antenna = Counted()
    before = antenna.scan(0.0, tally=told(7, collisions=500, errors=9))
    assert (before.collisions, before.retries, before.errors) == (0, None, 0)
    count = antenna.scan(1.0, tally=told(12, collisions=503, errors=9))
    assert (count.collisions, count.retries, count.errors) == (3, None, 0)
    wrapped = Counted()
    wrapped.scan(0.0, tally=told(2**32 - 1, collisions=2**32 - 2))
    count = wrapped.scan(0.3, tally=told(1, collisions=2))
    assert (count.same, count.collisions) == (1, 4)


def test_a_board_that_has_booted_counts_from_nothing() -> None:
    antenna = Counted()
    antenna.scan(0.0, A, tally=told(5000, collisions=70))
    count = antenna.scan(4.0, A, tally=told(3, collisions=2))
    assert (count.same, count.collisions) == (0, 2)


def test_scans_that_are_not_numbered_are_guessed_from_the_time() -> None:
    """A board with older firmware reports a quiet antenna once a second."""
    antenna = Counted(guess=0.25)
    antenna.scan(0.0, A)
    assert antenna.scan(1.0, A).same == 3
    antenna.scan(1.1)  # it says itself how fast it is, once something changes
    antenna.scan(1.2)
    assert antenna.scan(2.2).same == 9


def test_no_count_names_a_card() -> None:
    antenna = Counted()
    for n in range(5):
        antenna.scan(n / 10, A, *((B,) if n % 2 else ()), tally=told(n))
    for count in antenna.counts:
        for text in (repr(count), msgspec.json.encode(count).decode()):
            assert A not in text
            assert B not in text
