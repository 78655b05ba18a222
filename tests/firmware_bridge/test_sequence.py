"""The order in which sensed values go out."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.sensed import Gone, Press, Reader, Seen, Sensed, Tick
from firmware_bridge.sequence import Sequence, Timed

CYCLE = 0.2
PRESS = Press(10.1, 1, "fold")


def test_nothing_waits_while_no_hit_is_open() -> None:
    sequence = Sequence(0.0)
    sequence.push([PRESS, Gone(10.05, "board", "AA")])
    assert sequence.release(10.1, [], CYCLE) == [Gone(10.05, "board", "AA"), PRESS]


def test_a_value_waits_for_the_second_hit_of_an_earlier_arrival() -> None:
    sequence = Sequence(0.0)
    sequence.push([PRESS])
    assert sequence.release(10.12, [10.0], CYCLE) == []
    sequence.push([Seen(10.0, "board", "AA")])
    assert sequence.release(10.2, [], CYCLE) == [Seen(10.0, "board", "AA"), PRESS]
    assert sequence.late == 0


def test_a_later_open_hit_holds_nothing_back() -> None:
    sequence = Sequence(0.0)
    sequence.push([PRESS])
    assert sequence.release(10.2, [10.15], CYCLE) == [PRESS]


def test_it_waits_a_cycle_and_a_quarter_at_most_and_what_comes_then_is_late() -> None:
    sequence = Sequence(0.0)
    sequence.push([PRESS])
    assert sequence.release(10.24, [10.0], CYCLE) == []
    assert sequence.release(10.26, [10.0], CYCLE) == [PRESS]
    sequence.push([Seen(10.0, "board", "AA")])
    assert sequence.release(10.4, [], CYCLE) == [Seen(10.1, "board", "AA")]
    assert sequence.late == 1


def test_values_of_one_time_stay_in_their_order() -> None:
    sequence = Sequence(0.0)
    values: list[Sensed] = [Reader(5.0, "muck", "lost"), Reader(5.0, "muck", "ok")]
    sequence.push(values)
    assert sequence.release(5.0, [], CYCLE) == values


def test_a_tick_never_passes_an_open_hit() -> None:
    sequence = Sequence(0.0)
    assert sequence.tick(10.0, [9.9], CYCLE) == Tick(9.9)
    assert sequence.tick(10.1, [9.9], CYCLE) is None
    assert sequence.tick(10.2, [9.9], CYCLE) == Tick(10.2)
    sequence.push([Seen(9.9, "board", "AA")])
    assert sequence.release(10.3, [], CYCLE) == [Seen(10.2, "board", "AA")]


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.3), st.lists(st.floats(0, 0.5)))))
def test_times_never_decrease_and_nothing_gets_lost(
    steps: list[tuple[float, float, list[float]]],
) -> None:
    sequence = Sequence(1.0)
    now = 1.0
    out: list[Timed] = []
    for pause, age, hits in steps:
        now += pause
        sequence.push([Press(max(now - age, 0.0), 1, "call")])
        out += sequence.release(now, [now - hit for hit in hits], CYCLE)
        tick = sequence.tick(now, [now - hit for hit in hits], CYCLE)
        out += [tick] if tick else []
    out += sequence.release(now + 1, [], CYCLE)
    assert all(a.t <= b.t for a, b in pairwise(out))
    assert sum(isinstance(value, Press) for value in out) == len(steps)
