"""Whatever order, doubles, gaps and restarts there were: the archive holds the same."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.archive.kept import Archive, Gap, KeptEvent, KeptHand, Query, Reached
from controller.archive.opening import open_archive
from tests.archive.nights import SESSION, a_hand, told

NIGHT = [
    *told([a_hand(1), a_hand(2, finding=1), a_hand(3, redeal_of=2, dealer="Cleo")]),
    *told([a_hand(4, finding=2), a_hand(5)], session="2-18b0"),
    *told([a_hand(1, finding=1, code="joker")], table="T2"),
]


def found(
    archive: Archive, *, code: str | None = None, person: str | None = None
) -> list[KeptHand]:
    """Hands that began at once at two tables stand in the order in which the tables came."""
    page = archive.search(Query(code=code, person=person), limit=200)
    return sorted(page.hands, key=lambda hand: (hand.table, hand.hand))


def contents(archive: Archive) -> dict[str, Any]:
    hands = found(archive)
    records = [archive.hand(hand.table, hand.hand) for hand in hands]
    return {
        "hands": hands,
        "records": records,
        "gaps": sorted((g.table, g.session, g.first, g.last) for g in archive.gaps()),
        "found": [found(archive, code=code) for code in ("burn-missing", "joker")],
        "people": [found(archive, person=name) for name in ("ann", "bob", "cleo")],
    }


def in_order(folder: Path, heard: Sequence[KeptEvent]) -> dict[str, Any]:
    archive = open_archive(folder / "in-order.sqlite")
    archive.add(sorted(heard, key=lambda each: (each.table, each.session, each.seq)))
    expected = contents(archive)
    archive.close()
    return expected


@settings(max_examples=15, deadline=None)
@given(
    st.permutations(NIGHT),
    st.lists(st.sampled_from(NIGHT), max_size=20),
    st.lists(st.integers(1, 30), min_size=1, max_size=10),
    st.sets(st.integers(0, len(NIGHT) - 1), max_size=6),
    st.lists(st.integers(1, 40), max_size=3),
)
def test_it_holds_the_same(
    order: list[KeptEvent],
    doubles: list[KeptEvent],
    sizes: list[int],
    never: set[int],
    reached: list[int],
) -> None:
    lost = [NIGHT[index] for index in never]
    heard = [each for each in order if each not in lost]
    coming = [*heard[::2], *(each for each in doubles if each not in lost), *heard[1::2]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = folder / "history.sqlite"
        archive = open_archive(store)
        place = 0
        for size in sizes * len(coming):
            archive.add(coming[place : place + size], now_ms=place)
            place += size
            if size % 3 == 0:  # a restart
                archive.close()
                archive = open_archive(store)
            if place >= len(coming):
                break
        for top in reached:
            archive.add([], [Reached("T1", SESSION, top)])
        top = max(each.seq for each in heard if each.session == SESSION and each.table == "T1")
        expected = in_order(folder, heard)
        got = contents(archive)
        archive.close()
        if max(reached, default=0) <= top:
            assert joined(got["gaps"]) == joined(expected["gaps"])
            assert plain(got) == plain(expected)
        assert got["hands"] == expected["hands"]
        assert got["found"] == expected["found"]
        assert got["people"] == expected["people"]


def joined(gaps: Sequence[tuple[str, str, int, int]]) -> set[tuple[str, str, int]]:
    return {(t, s, seq) for t, s, first, last in gaps for seq in range(first, last + 1)}


def plain(held: dict[str, Any]) -> list[list[Any]]:
    """Events in their order, and the place of each that is missing."""
    return [
        [
            place
            for each in record.told
            for place in (
                [each] if not isinstance(each, Gap) else list(range(each.first, each.last + 1))
            )
        ]
        for record in held["records"]
    ]
