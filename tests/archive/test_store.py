"""What both stores do alike."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.archive.kept import Added, Archive, ArchiveError, Gap, Place, Query, Reached
from controller.archive.opening import open_archive
from tests.archive.nights import BEGAN_MS, SESSION, a_hand, told
from tests.archive.servers import end_connections, new_database


def spans(archive: Archive) -> list[tuple[str, int, int]]:
    return [(gap.session, gap.first, gap.last) for gap in archive.gaps()]


def test_a_hand_comes_back_as_it_was_told(archive: Archive) -> None:
    night = told([a_hand(1), a_hand(2, finding=7)])
    assert archive.add(night) == Added(len(night), 0)
    record = archive.hand("T1", 2)
    assert record is not None
    assert record.told == tuple(each for each in night if each.event.hand == 2)
    assert record.whole
    hand = record.hand
    assert (hand.dealer, hand.phase, hand.board) == ("Ann", "complete", ("Ah", "Kd", "7c"))
    assert hand.result is not None
    assert hand.result.awards == {"1": 20}
    [found] = hand.findings
    assert (found.code, found.outcome, found.how, found.by) == (
        "burn-missing",
        "floor",
        "ruled",
        "Bob",
    )
    assert (found.asked, found.basis, found.reason) == (True, "seen", "burn card shown")
    assert archive.hand("T1", 3) is None
    assert archive.hand("T2", 1) is None


def test_what_came_before_is_dropped(archive: Archive) -> None:
    night = told([a_hand(1, finding=1)])
    archive.add(night[:5])
    assert archive.add(night) == Added(len(night) - 5, 5)
    assert archive.add([*night, *night]) == Added(0, 2 * len(night))
    record = archive.hand("T1", 1)
    assert record is not None
    assert record.told == tuple(night)


def test_any_order_with_doubles_comes_to_the_same(archive: Archive) -> None:
    night = told([a_hand(1), a_hand(2, finding=1), a_hand(3, redeal_of=2)])
    more = told([a_hand(4, finding=2)], session="2-18b0")
    shuffled = [*night, *more, *night[::3]]
    random.Random(3).shuffle(shuffled)
    for index in range(0, len(shuffled), 4):
        archive.add(shuffled[index : index + 4])
    other = [*told([a_hand(1), a_hand(2, finding=1), a_hand(3, redeal_of=2)], table="T2")]
    archive.add([*other, *told([a_hand(4, finding=2)], session="2-18b0", table="T2")])
    assert archive.gaps() == ()
    for number in range(1, 5):
        one, two = archive.hand("T1", number), archive.hand("T2", number)
        assert one is not None
        assert two is not None
        assert [e.event for e in one.told if not isinstance(e, Gap)] == [
            e.event for e in two.told if not isinstance(e, Gap)
        ]
        assert one.hand.first_ms == two.hand.first_ms
        assert [f.code for f in one.hand.findings] == [f.code for f in two.hand.findings]


def test_a_hand_that_went_on_after_a_restart_is_in_order(archive: Archive) -> None:
    """The tenth session comes after the ninth, whichever was heard of first."""
    events = a_hand(1, finding=1)
    before = told([events[:9]], session="9-18a0")
    after = told([events[9:]], session="10-18b0")
    archive.add(after[::-1])
    archive.add(before[::-1])
    record = archive.hand("T1", 1)
    assert record is not None
    assert record.told == (*before, *after)
    assert record.hand.findings[0].how == "ruled"
    assert record.hand.phase == "complete"


def test_what_is_missing_is_known_until_it_comes(archive: Archive) -> None:
    night = told([a_hand(1)])
    archive.add([night[1], night[4], night[5]], now_ms=7)
    assert spans(archive) == [(SESSION, 1, 1), (SESSION, 3, 4)]
    assert archive.gaps()[0].since_ms == 7
    record = archive.hand("T1", 1)
    assert record is not None
    assert not record.whole
    assert [type(each).__name__ for each in record.told] == [
        "Gap",
        "KeptEvent",
        "Gap",
        "KeptEvent",
        "KeptEvent",
    ]
    archive.add([night[2]])
    assert spans(archive) == [(SESSION, 1, 1), (SESSION, 4, 4)]
    archive.add([night[0], night[3]])
    assert archive.gaps() == ()


def test_a_table_that_is_further_than_its_events(archive: Archive) -> None:
    archive.add(told([a_hand(1)])[:3], [Reached("T1", SESSION, 9), Reached("T1", "2-f", 4)])
    assert spans(archive) == [(SESSION, 4, 9), ("2-f", 1, 4)]
    archive.add([], [Reached("T1", SESSION, 2)])
    assert spans(archive) == [(SESSION, 4, 9), ("2-f", 1, 4)]


def test_what_is_lost_is_shown_and_not_asked_for_again(archive: Archive) -> None:
    night = told([a_hand(1)])
    archive.add([night[0], *night[8:]])
    [gap] = archive.gaps()
    archive.asked(gap, now_ms=4)
    archive.asked(gap, now_ms=5, told=True)
    assert [(g.asked, g.asked_ms) for g in archive.gaps()] == [(1, 5)]
    archive.lost(Gap("T1", SESSION, gap.first, gap.first + 1))
    assert spans(archive) == [(SESSION, gap.first + 2, gap.last)]
    record = archive.hand("T1", 1)
    assert record is not None
    assert [g.lost for g in record.told if isinstance(g, Gap)] == [True, False]
    archive.add(night)  # it was there after all
    record = archive.hand("T1", 1)
    assert record is not None
    assert record.told == tuple(night)


def test_searches(archive: Archive) -> None:
    archive.add(told([a_hand(1), a_hand(2, finding=1), a_hand(3, dealer="Cleo_1")]))
    archive.add(told([a_hand(1, finding=1, code="joker"), a_hand(2, redeal_of=1)], table="T2"))

    def found(**fields: object) -> list[tuple[str, int]]:
        page = archive.search(Query(**fields))  # type: ignore[arg-type]
        return [(hand.table, hand.hand) for hand in page.hands]

    assert sorted(found()) == [("T1", 1), ("T1", 2), ("T1", 3), ("T2", 1), ("T2", 2)]
    assert found(table="T1") == [("T1", 3), ("T1", 2), ("T1", 1)]
    assert found(table="T3") == []
    assert found(code="joker") == [("T2", 1)]
    assert sorted(found(found=True)) == [("T1", 2), ("T2", 1)]
    assert sorted(found(person="BOB")) == [("T1", 2), ("T2", 1)]
    assert found(person="cleo_1") == [("T1", 3)]
    assert found(person="cleo_1", dealers=False) == []
    assert sorted(found(person="bob", dealers=False)) == [("T1", 2), ("T2", 1)]
    assert found(text="cleo") == []
    assert sorted(found(text="Bob")) == [("T1", 2), ("T2", 1)]
    assert found(text="B%b") == []
    assert sorted(found(text="Card Shown")) == [("T1", 2), ("T2", 1)]
    assert sorted(found(hand=1)) == [("T1", 1), ("T2", 1)]
    assert sorted(found(since_ms=BEGAN_MS + 200_000, until_ms=BEGAN_MS + 300_000)) == [
        ("T1", 2),
        ("T2", 2),
    ]
    again = archive.hand("T2", 1)
    assert again is not None
    assert again.hand.redealt_as == 2


def test_pages_follow_one_another(archive: Archive) -> None:
    archive.add(told([a_hand(number) for number in range(1, 8)]))
    seen, cursor = [], None
    while True:
        page = archive.search(Query(), limit=3, cursor=cursor)
        seen += [hand.hand for hand in page.hands]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [7, 6, 5, 4, 3, 2, 1]
    page = archive.search(Query(), limit=3, oldest=True)
    assert [hand.hand for hand in page.hands] == [1, 2, 3]
    page = archive.search(Query(), limit=9, cursor=page.cursor, oldest=True)
    assert ([hand.hand for hand in page.hands], page.cursor) == ([4, 5, 6, 7], None)
    assert archive.beside("T1", Place(1)) == (None, Place(2))
    assert archive.beside("T1", Place(7)) == (Place(6), None)
    with pytest.raises(ValueError, match="cursor"):
        archive.search(Query(), cursor="1-2-x")


def test_old_hands_are_forgotten_in_small_pieces(archive: Archive) -> None:
    night = told([a_hand(number, finding=number) for number in range(1, 6)])
    for each in night:
        archive.add([each], now_ms=each.event.hand * 100)
    events, findings = 350, 150
    pieces = []
    while touched := archive.forget(events_ms=events, findings_ms=findings, most=2):
        pieces.append(touched)
    assert pieces == [1, 2]
    assert archive.hand("T1", 1) is None
    third = archive.hand("T1", 3)
    assert third is not None
    assert (third.told, third.hand.events, third.whole) == ((), 0, False)
    assert third.hand.findings[0].code == "burn-missing"
    fourth = archive.hand("T1", 4)
    assert fourth is not None
    assert fourth.whole
    assert archive.gaps() == ()
    assert archive.add(told([a_hand(1, finding=1)])).new == 0


def test_it_is_read_beside_whoever_adds(opened: Callable[..., Archive]) -> None:
    writer = opened()
    reader = opened(read_only=True)
    writer.add(told([a_hand(1)]))
    assert reader.hand("T1", 1) is not None
    with pytest.raises(ArchiveError):
        reader.add(told([a_hand(2)], first=50))
    assert writer.hand("T1", 2) is None


def test_two_may_add_to_one(opened: Callable[..., Archive]) -> None:
    night = told([a_hand(number, finding=number) for number in range(1, 4)])
    one, two = opened(), opened()
    for index in range(0, len(night), 2):
        one.add(night[index : index + 1])
        two.add(night[index + 1 : index + 2])
    assert one.gaps() == ()
    record = two.hand("T1", 3)
    assert record is not None
    assert record.whole
    assert record.hand.phase == "complete"
    assert record.hand.findings[0].how == "ruled"


def test_a_server_that_was_away_is_found_again(postgres: str) -> None:
    store = new_database(postgres, "away")
    archive = open_archive(store)
    night = told([a_hand(1)])
    archive.add(night[:3])
    end_connections(store)
    with pytest.raises(ArchiveError, match=r"cannot be reached|PostgreSQL reports"):
        archive.add(night)
    assert archive.add(night).new == len(night) - 3
    archive.close()


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs(x)")
    with pytest.raises(ArchiveError):
        open_archive(path)
    path.write_text("no database at all")
    with pytest.raises(ArchiveError, match="damaged"):
        open_archive(path)
    with pytest.raises(ArchiveError, match="no such file"):
        open_archive(tmp_path / "none.sqlite", read_only=True)


def test_an_address_without_a_server(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="cannot be reached") as caught:
        open_archive(f"postgresql://ann:secret@%2F{str(tmp_path)[1:].replace('/', '%2F')}/x")
    assert "secret" not in str(caught.value)
