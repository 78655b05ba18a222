"""What is missing: ranges, which of it is asked for next, and when that ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.archive import missing
from controller.archive.kept import Gap
from controller.archive.spans import Progress, mark, take

BLANK = Gap("T1", "s", 0, 0)


def gap(first: int, last: int, **fields: object) -> Gap:
    return replace(BLANK, first=first, last=last, **fields)


def gaps_of(progress: Progress) -> set[int]:
    return {seq for each in progress.missing for seq in range(each.first, each.last + 1)}


@given(st.lists(st.lists(st.integers(1, 60), max_size=12), max_size=8), st.integers(0, 70))
def test_what_is_missing_is_what_never_came(batches: list[list[int]], reached: int) -> None:
    progress, came = Progress(0, ()), set[int]()
    for batch in batches:
        progress, fresh = take(progress, BLANK, batch)
        assert set(fresh) == set(batch) - came
        came |= set(batch)
    progress, _ = take(progress, BLANK, (), reached)
    assert progress.top == max([reached, *came])
    assert gaps_of(progress) == set(range(1, progress.top + 1)) - came
    assert list(progress.missing) == sorted(progress.missing, key=lambda each: each.first)


@given(st.integers(1, 20), st.integers(0, 20), st.integers(1, 20), st.integers(0, 20))
def test_a_part_is_marked_and_the_rest_stays(a: int, b: int, c: int, d: int) -> None:
    before = [gap(a, a + b), gap(60, 70)]
    after = mark(before, gap(c, c + d), lambda each: replace(each, lost=True))
    assert gaps_of(Progress(99, tuple(after))) == gaps_of(Progress(99, tuple(before)))
    lost = {seq for each in after if each.lost for seq in range(each.first, each.last + 1)}
    assert lost == set(range(a, a + b + 1)) & set(range(c, c + d + 1))


def due(*gaps: Gap, busy: tuple[str, ...] = ()) -> list[tuple[str, str, int, int]]:
    pieces, _ = missing.next_pieces(gaps, now_ms=1_000_000, busy=busy)
    return [(each.table, each.session, each.first, each.last) for each in pieces]


def test_the_newest_first_and_many_gaps_at_once() -> None:
    assert due(gap(1, 2_000)) == [("T1", "s", 1_501, 2_000)]
    assert due(gap(3, 3), gap(5, 5), gap(400, 402)) == [("T1", "s", 3, 402)]
    assert due(gap(1, 1), gap(700, 700), gap(900, 901)) == [("T1", "s", 700, 901)]
    assert due(gap(3, 4), gap(9, 9, session="t")) == [("T1", "s", 3, 4)]
    assert due(gap(3, 4), gap(1, 1, table="T2")) == [("T1", "s", 3, 4), ("T2", "s", 1, 1)]
    assert due(gap(3, 4), gap(1, 1, table="T2"), busy=("T1",)) == [("T2", "s", 1, 1)]


def test_not_at_once_not_too_often_and_not_for_ever() -> None:
    assert due(gap(1, 1, since_ms=999_000)) == []
    assert due(gap(1, 1, asked_ms=996_000)) == []
    assert due(gap(1, 1, asked=2, asked_ms=985_000)) == []
    assert due(gap(1, 1, asked=2, asked_ms=979_000)) == [("T1", "s", 1, 1)]
    tired = gap(1, 1, asked=missing.MOST_ASKED)
    assert missing.next_pieces([tired], now_ms=10**9, busy=()) == ([], [tired])


def test_a_table_forgets_from_the_front() -> None:
    assert missing.unkept(gap(7, 9)) == gap(7, 9)
    assert missing.unkept(gap(501, 1_000)) == gap(1, 1_000)


def test_a_silent_table_is_left_alone_for_longer_and_longer() -> None:
    silence, waits = missing.NoAnswer(), []
    for _ in range(8):
        silence = missing.unanswered(silence, 0)
        waits.append(silence.until_ms)
    assert waits[:3] == [10_000, 20_000, 40_000]
    assert waits[-1] == missing.MOST_AGAIN_MS
