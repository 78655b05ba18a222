"""Presence: what flickers, collides and bleeds becomes seen and gone."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.presence import MAX_TAGS, Output, Presence, Thresholds, rows
from firmware_bridge.sensed import Gone, Reader, Seen

A, B, C = "E004015000005830", "E00401500000055F", "E004015000001111"
UNION = f"{int(A, 16) | int(B, 16):016X}"
FOREIGN = "E0040150FFFF0000"
CYCLE = 0.12
ZONES = ("seat/1", "seat/2", "seat/3", "board", "muck")


def make(*, start: float = 0.0) -> Presence:
    return Presence(
        ZONES, start=start, neighbours=rows(ZONES), registered=frozenset((A, B, C)).__contains__
    )


def play(
    presence: Presence, script: str, *, zone: str = "board", t: float = 1.0, tag: str = A
) -> list[Output]:
    """Scan once a cycle: `x` reads the tag, `.` reads nothing, `?` reads incompletely."""
    out: list[Output] = []
    for number, scan in enumerate(script):
        at = round(t + number * CYCLE, 6)
        out += presence.scan(zone, at, [tag] if scan == "x" else [], complete=scan != "?")
    return out


def test_two_hits_arrive_with_the_time_of_the_first() -> None:
    presence = make()
    assert play(presence, "x") == []
    assert list(presence.unconfirmed()) == [1.0]
    assert play(presence, "x", t=1.12) == [Seen(1.0, "board", A)]
    assert list(presence.unconfirmed()) == []
    assert play(presence, "xxxxx", t=1.24) == []


def test_it_is_at_rest_unless_a_card_comes_or_leaves() -> None:
    presence = make()
    assert presence.is_at_rest()
    rests = []
    for number, scan in enumerate("xxx.x" + "." * 9):
        play(presence, scan, t=1.0 + number * CYCLE)
        rests.append("-" if presence.is_at_rest() else "~")
    assert "".join(rests) == "~--~-" + "~" * 7 + "--"


def resumed(presence: Presence, t: float) -> Presence:
    """Another one that begins at `t` where this one is at rest."""
    again = make(start=t)
    states = presence.states()
    for zone, tags in presence.tracked().items():
        again.resume(zone, tags, t, states[zone])
    return again


def test_one_that_is_resumed_goes_on_alike() -> None:
    presence = make()
    play(presence, "xxxx")
    play(presence, "x", t=2.36)
    again = resumed(presence, 3.3)
    left = [Gone(4.08, "board", A)]  # 0.84 s after the last scan that may have read it
    assert play(again, "." * 7, t=3.36) == play(presence, "." * 7, t=3.36) == left


def test_one_that_is_resumed_knows_what_is_lost_and_since_when_the_rest_is_silent() -> None:
    presence = make()
    play(presence, "xx")
    play(presence, "xx", zone="muck", t=3.0)
    lost = presence.check(4.5)
    assert Reader(4.5, "board", "lost") in lost
    again = resumed(presence, 5.0)
    assert again.lost_zones() == presence.lost_zones()
    assert again.check(6.5) == presence.check(6.5) == [Reader(6.5, "muck", "lost")]
    assert play(again, "x", t=7.0) == play(presence, "x", t=7.0) == [Reader(7.0, "board", "ok")]


def test_one_hit_is_nothing_and_does_not_count_for_ever() -> None:
    presence = make()
    assert play(presence, "x.........") == []
    assert list(presence.unconfirmed()) == []
    assert play(presence, "x", t=5.0) == []


def test_a_card_that_slides_by_is_nothing_however_often_it_is_read() -> None:
    presence = make()
    for t in (1.0, 1.03, 1.06, 1.08):
        assert presence.scan("board", t, [A]) == []
    assert presence.scan("board", 1.11, [A]) == [Seen(1.0, "board", A)]


def test_every_second_read_is_enough_to_arrive_and_to_stay() -> None:
    assert play(make(), "x.x.x.x.x.x.x.x.x.x.") == [Seen(1.0, "board", A)]


def test_it_leaves_after_three_cycles_and_eight_tenths_of_a_second() -> None:
    presence = make()
    out = play(presence, "xx" + "." * 6)
    assert out == [Seen(1.0, "board", A)]
    # Last hit 1.12: 0.8 s have passed at 1.96, the seventh miss.
    assert play(presence, "..", t=1.96) == [Gone(1.96, "board", A)]


def test_slow_cycles_need_three_misses_however_long_they_take() -> None:
    presence = make()
    for t in (1.0, 2.0):
        presence.scan("board", t, [A])
    assert presence.scan("board", 3.0, []) == []
    assert presence.scan("board", 4.0, []) == []
    assert presence.scan("board", 5.0, []) == [Gone(5.0, "board", A)]


def test_after_a_rest_it_leaves_no_sooner_than_after_a_restless_one() -> None:
    """A device reports a steady field once a second; the last read is later than that report."""
    presence = make()
    assert play(presence, "xxx") == [Seen(1.0, "board", A)]
    assert presence.scan("board", 2.2, [A]) == []
    assert play(presence, "......", t=3.16) == []
    # Not read for the first time at 3.16, so read until 3.04.
    assert play(presence, ".", t=3.88) == [Gone(3.88, "board", A)]


def test_misses_that_were_not_reported_count() -> None:
    presence = make()
    for t in (1.0, 1.4):
        presence.scan("board", t, [A])
    assert presence.scan("board", 1.8, []) == []
    # Of the scans at 2.2 and 2.6 nothing was reported: they read the same.
    assert presence.scan("board", 3.0, []) == [Gone(3.0, "board", A)]


def test_scans_that_failed_are_no_misses() -> None:
    presence = make()
    for t in (1.0, 1.4):
        presence.scan("board", t, [A])
    assert presence.scan("board", 1.8, []) == []
    for t in (2.2, 2.6, 3.0):
        presence.failed("board", t)
    assert presence.scan("board", 3.4, []) == []
    assert presence.scan("board", 3.8, []) == [Gone(3.8, "board", A)]


def test_a_card_that_is_read_badly_where_it_lies_gets_more_time() -> None:
    presence = make()
    assert play(presence, "x.x.x.x.x.x.x.x." + "." * 7) == [Seen(1.0, "board", A)]
    assert presence.counters.moves == 0
    out = play(presence, "...", t=1.0 + 23 * CYCLE)
    assert [type(value) for value in out] == [Gone]


def test_single_zones_can_have_thresholds_of_their_own() -> None:
    presence = Presence(
        ZONES,
        start=0.0,
        neighbours={},
        registered=bool,
        special={"muck": Thresholds(hits_to_arrive=1, absent_s=2.0, silent_s=5.0)},
    )
    assert play(presence, "x", zone="muck") == [Seen(1.0, "muck", A)]
    assert play(presence, "x", zone="board") == []
    assert play(presence, "." * 16, zone="muck", t=1.12) == []
    assert play(presence, ".", zone="muck", t=3.04) == [Gone(3.04, "muck", A)]
    assert {value.zone for value in presence.check(7.0)} == set(ZONES) - {"muck"}


def test_an_incomplete_scan_proves_no_absence_but_presence() -> None:
    presence = make()
    assert play(presence, "xx" + "?" * 40) == [Seen(1.0, "board", A)]
    assert presence.scan("board", 9.0, [A, B], complete=False) == []
    assert presence.scan("board", 9.1, [A, B], complete=False) == [Seen(9.0, "board", B)]


def test_a_repeated_scan_is_no_second_hit() -> None:
    presence = make()
    assert presence.scan("board", 1.0, [A]) == []
    assert presence.scan("board", 1.0, [A]) == []
    assert presence.counters.repeats == 1


def test_far_zones_do_not_contest() -> None:
    presence = make()
    play(presence, "xx", zone="seat/1")
    assert play(presence, "xx", zone="muck", t=1.05) == [Seen(1.05, "muck", A)]
    assert presence.counters.contests == 0


def both(presence: Presence, first: str, second: str, *, t: float = 1.0) -> list[Output]:
    """Seats 1 and 2, scanned in turn."""
    out: list[Output] = []
    for number, pair in enumerate(zip(first, second, strict=True)):
        at = t + number * CYCLE
        out += presence.scan("seat/1", round(at, 6), [A] if pair[0] == "x" else [])
        out += presence.scan("seat/2", round(at + 0.01, 6), [A] if pair[1] == "x" else [])
    return out


def test_a_neighbour_that_reads_along_gets_nothing_and_is_counted_once() -> None:
    presence = make()
    assert both(presence, "x" * 30, "." + "x" * 29) == [Seen(1.0, "seat/1", A)]
    assert presence.counters.contests == 1
    assert presence.counters.moves == 0


def test_an_incumbent_read_every_second_time_keeps_it() -> None:
    assert both(make(), "xx" + "x." * 15, ".." + "x" * 30) == [Seen(1.0, "seat/1", A)]


def test_a_card_pushed_next_door_is_gone_and_seen_at_its_first_hit_there() -> None:
    presence = make()
    assert both(presence, "xx....", "...xxx") == [
        Seen(1.0, "seat/1", A),
        Gone(1.37, "seat/1", A),
        Seen(1.37, "seat/2", A),
    ]
    assert presence.counters.contests == 0
    assert both(presence, "." * 20, "x" * 20, t=3.0) == []


def test_it_moves_at_the_third_hit_after_the_first_miss_and_not_before() -> None:
    presence = make()
    assert both(presence, "xxx..", ".xxxx") == [Seen(1.0, "seat/1", A)]
    assert both(presence, ".", "x", t=1.6) == [Gone(1.37, "seat/1", A), Seen(1.37, "seat/2", A)]
    assert presence.counters.moves == 1


def test_hits_that_may_lie_before_one_that_was_not_reported_move_nothing() -> None:
    """A scan that reads the same as the last is reported once a second only."""
    presence = make()
    assert both(presence, "xx", "..") == [Seen(1.0, "seat/1", A)]
    for t in (1.2, 1.3, 1.4, 1.5):
        assert presence.scan("seat/2", t, [A]) == []
    assert presence.scan("seat/1", 1.6, []) == []
    assert presence.scan("seat/1", 1.7, []) == []
    assert presence.counters.moves == 0


def test_the_loser_of_a_contest_can_win_it_back_with_three_new_hits() -> None:
    presence = make()
    both(presence, "xx....", "..xxxx")
    assert presence.counters.moves == 1
    assert both(presence, "xxx", "...", t=1.72) == []
    assert both(presence, "x", ".", t=2.08) == [Gone(1.84, "seat/2", A), Seen(1.84, "seat/1", A)]


def test_a_card_that_both_read_goes_to_whom_reads_it_more() -> None:
    presence = make()
    assert both(presence, ".xxxx", "x.x..") == [Seen(1.12, "seat/1", A)]


def test_a_card_that_both_read_alike_goes_to_the_first_with_six_hits() -> None:
    presence = make()
    assert both(presence, "xxxxx", "xxxxx") == []
    assert both(presence, "x", "x", t=1.6) == [Seen(1.0, "seat/1", A)]


def test_a_holder_that_hardly_reads_it_gives_way_to_one_that_reads_it_always() -> None:
    presence = make()
    assert both(presence, "xx", "..") == [Seen(1.0, "seat/1", A)]
    out = both(presence, "..x" * 12, "x" * 36, t=1.24)
    assert [type(value) for value in out] == [Gone, Seen]
    assert presence.present()["seat/2"] == {A}


def test_a_signal_that_is_six_decibels_stronger_moves_it_at_the_third_hit() -> None:
    for near, moves in ((-40.0, 1), (-45.0, 0)):
        presence = make()
        for scan in range(6):
            t = 1.0 + scan * CYCLE
            presence.scan("seat/1", t, [A], signals={A: -46.0})
            if scan > 1:
                presence.scan("seat/2", t + 0.01, [A], signals={A: near})
        assert presence.counters.moves == moves


def test_a_card_does_not_move_between_two_zones_that_both_hold_it() -> None:
    """Seats 1 and 3 are not neighbours, seat 2 is of both."""
    presence = make()
    play(presence, "xx", zone="seat/1")
    play(presence, "xx", zone="seat/3", t=1.01)
    play(presence, "..", zone="seat/1", t=1.3)
    assert play(presence, "xxxx", zone="seat/2", t=1.31) == []


def test_a_foreign_card_that_lies_there_is_no_ghost_of_later_ones() -> None:
    presence = make()
    for t in (1.0, 1.1):
        presence.scan("board", t, [A, UNION])
    out = [v for n in range(20) for v in presence.scan("board", 1.2 + n / 10, [A, B, UNION])]
    assert [v.tag for v in out if isinstance(v, Seen)] == [B]
    assert not any(isinstance(v, Gone) for v in out)


def test_two_hits_next_door_move_nothing() -> None:
    presence = make()
    assert both(presence, "xx...", "...xx") == [Seen(1.0, "seat/1", A)]
    assert presence.counters.moves == 0


def test_a_contested_card_that_is_lifted_does_not_go_next_door() -> None:
    presence = make()
    assert both(presence, "xxxxx" + "." * 9, ".xxxx" + "." * 9) == [
        Seen(1.0, "seat/1", A),
        Gone(2.32, "seat/1", A),
    ]


def test_never_in_two_neighbouring_zones_whatever_is_read() -> None:
    dice = random.Random(11)
    for _ in range(200):
        presence = make()
        where: set[str] = set()
        first, second = ("".join(dice.choices("x.", k=60)) for _ in range(2))
        for value in both(presence, first, second):
            assert not isinstance(value, Reader)
            if isinstance(value, Seen):
                assert value.zone not in where
                where.add(value.zone)
            else:
                where.remove(value.zone)
            assert len(where) <= 1


def test_a_union_of_two_present_tags_is_a_ghost() -> None:
    presence = make()
    for t in (1.0, 1.1):
        presence.scan("board", t, [A, B])
    for t in (1.2, 1.3, 1.4):
        assert presence.scan("board", t, [UNION, A, B]) == []
    for t in (1.5, 1.6, 1.7):
        assert presence.scan("board", t, [UNION]) == []
    assert presence.counters.ghosts == 6


def test_a_union_that_came_before_its_parts_never_arrives() -> None:
    presence = make()
    presence.scan("board", 1.0, [UNION])
    out = [v for t in (1.1, 1.2, 1.3, 1.4) for v in presence.scan("board", t, [A, B, UNION])]
    assert out == [Seen(1.1, "board", B), Seen(1.1, "board", A)]


def test_an_unregistered_tag_that_is_no_union_is_seen() -> None:
    presence = make()
    for t in (1.0, 1.1):
        presence.scan("board", t, [A, B])
    assert presence.scan("board", 1.2, [A, B, FOREIGN]) == []
    assert presence.scan("board", 1.3, [A, B, FOREIGN]) == [Seen(1.2, "board", FOREIGN)]


def test_an_unregistered_tag_that_only_contains_a_present_one_is_seen() -> None:
    presence = make()
    around = f"{int(A, 16) | 0x80:016X}"
    presence.scan("board", 1.0, [A, around])
    assert presence.scan("board", 1.1, [A, around]) == [
        Seen(1.0, "board", A),
        Seen(1.0, "board", around),
    ]


def test_a_collision_with_a_card_that_has_not_been_read_yet_never_arrives() -> None:
    presence = make()
    for t in (1.0, 1.1):
        presence.scan("board", t, [A])
    for t in (1.2, 1.3, 1.4, 1.5):
        assert presence.scan("board", t, [UNION]) == []
    assert presence.ghosts() == {"board": 4}


def test_a_uid_of_one_byte_repeated_never_arrives() -> None:
    presence = make()
    for t in (1.0, 1.1, 1.2):
        assert presence.scan("board", t, ["5A" * 8]) == []
    assert presence.counters.mangled == 3


def test_a_zone_holds_so_many_tags_and_no_more() -> None:
    many = [f"E0040150{number:08X}" for number in range(1 << 9, (1 << 9) + MAX_TAGS + 5)]
    presence = Presence(ZONES, start=0, neighbours={}, registered=lambda _: True)
    presence.scan("muck", 1.0, many)
    assert presence.counters.overflow == 5


def test_hits_far_apart_do_not_add_up_in_a_zone_that_is_never_complete() -> None:
    presence = make()
    assert play(presence, "x") == []
    for t in (3.0, 5.0):
        assert presence.scan("board", t, [], complete=False) == []
    assert presence.scan("board", 5.2, [A], complete=False) == []


def test_a_contest_is_reported_while_it_goes_on() -> None:
    presence = make()
    both(presence, "x" * 4, ".xx" + ".")
    assert presence.contested() == ()
    both(presence, "x" * 6, "x" * 6, t=1.6)
    assert presence.contested() == (("seat/1", "seat/2"),)
    presence.scan("board", 6.0, [])
    assert presence.contested() == (("seat/1", "seat/2"),)
    presence.scan("board", 8.0, [])
    assert presence.contested() == ()


def test_a_zone_is_reported_that_has_been_incomplete_for_two_seconds() -> None:
    presence = make()
    presence.scan("board", 1.0, [A])
    for t in (1.5, 2.0, 2.9):
        presence.scan("board", t, [A], complete=False)
    assert presence.incomplete() == ()
    presence.scan("board", 3.0, [A], complete=False)
    assert presence.incomplete() == ("board",)
    presence.scan("board", 3.1, [A])
    assert presence.incomplete() == ()


def test_a_registered_union_is_a_card() -> None:
    registered = frozenset((A, B, UNION)).__contains__
    presence = Presence(ZONES, start=0, neighbours={}, registered=registered)
    presence.scan("board", 1.0, [A, B, UNION])
    assert len(presence.scan("board", 1.1, [A, B, UNION])) == 3


def test_a_reader_that_comes_back_invents_nothing() -> None:
    presence = make()
    play(presence, "xx")
    presence.scan("board", 1.2, [A, B])
    assert presence.lost("board", 2.0) == [Reader(2.0, "board", "lost")]
    assert presence.lost("board", 2.1) == []
    assert presence.lost_zones() == ("board",)
    assert presence.scan("board", 60.0, [A]) == [Reader(60.0, "board", "ok")]
    assert play(presence, "xxxxxxxxxx", t=60.12) == []


def test_a_reader_is_never_back_before_it_was_lost() -> None:
    presence = make()
    presence.lost("board", 2.0)
    assert presence.scan("board", 1.99, []) == [Reader(2.0, "board", "ok")]


def test_what_was_taken_or_put_while_the_reader_was_lost_comes_out_afterwards() -> None:
    presence = make()
    play(presence, "xx")
    presence.lost("board", 2.0)
    assert presence.scan("board", 60.0, [C]) == [Reader(60.0, "board", "ok")]
    assert presence.scan("board", 60.3, [C]) == [Seen(60.0, "board", C)]
    assert presence.scan("board", 60.6, [C]) == []
    assert presence.scan("board", 60.9, [C]) == [Gone(60.9, "board", A)]


def test_a_tag_that_went_next_door_while_its_reader_was_lost() -> None:
    presence = make()
    play(presence, "xx", zone="seat/1")
    presence.lost("seat/1", 2.0)
    assert play(presence, "xx", zone="seat/2", t=3.0) == [Seen(3.0, "seat/2", A)]
    assert presence.scan("seat/1", 4.0, [A]) == [
        Reader(4.0, "seat/1", "ok"),
        Gone(4.0, "seat/1", A),
    ]


def test_a_silent_zone_is_lost_after_three_seconds() -> None:
    presence = make(start=10.0)
    assert presence.check(13.0) == []
    presence.scan("board", 13.0, [])
    lost = presence.check(13.1)
    assert {v.zone for v in lost} == set(ZONES) - {"board"}
    assert presence.check(13.2) == []
    assert presence.check(16.1) == [Reader(16.1, "board", "lost")]


def test_lost_frames_heal_through_full_sets() -> None:
    """A table where a third of all scans never reach the host ends up right."""
    dice = random.Random(5)
    presence = make()
    real: set[str] = set()
    known: set[str] = set()
    for scan in range(1, 600):
        t = scan * CYCLE
        if scan % 40 == 0 and scan < 560:
            real ^= {dice.choice((A, B, C))}
        if dice.random() < 1 / 3:
            continue
        for value in presence.scan("board", t, sorted(real)):
            assert not isinstance(value, Reader)
            (known.add if isinstance(value, Seen) else known.remove)(value.tag)
        if scan % 40 > 25:
            assert known == real
    assert known == real


@pytest.mark.parametrize(
    ("zones", "expected"),
    [
        (
            ("seat/1", "seat/2", "seat/4"),
            {"seat/1": {"seat/2"}, "seat/2": {"seat/1"}, "seat/4": set()},
        ),
        (("board", "board/1"), {"board": set(), "board/1": set()}),
        (("seat/9", "seat/10"), {"seat/9": {"seat/10"}, "seat/10": {"seat/9"}}),
    ],
)
def test_numbered_rows_are_neighbours(
    zones: tuple[str, ...], expected: dict[str, set[str]]
) -> None:
    assert rows(zones) == expected
