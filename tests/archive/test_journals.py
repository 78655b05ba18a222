"""Hands are numbered by a table's journal: one that begins anew has a hand 1 of its own."""

from __future__ import annotations

from msgspec.structs import replace

from controller.archive.kept import Archive, KeptEvent, Place, Query
from controller.archive.statistics import in_pieces
from controller.contract.events import Closed
from tests.archive.nights import BEGAN_MS, a_hand, told

LATER_MS = 5_000_000_000
OLD, NEW = "0a" * 8, "0b" * 8


def january() -> list[KeptEvent]:
    told_then = told([a_hand(1, dealer="Ann"), a_hand(2, finding=1, dealer="Bob")])
    return [replace(each, journal=OLD) for each in told_then]


def march() -> list[KeptEvent]:
    told_now = told(
        [a_hand(1, finding=1, dealer="Cleo"), a_hand(2, dealer="Dan", redeal_of=1)],
        session="1-18b0",
    )
    return [replace(each, at=each.at + LATER_MS, journal=NEW) for each in told_now]


def shuffled() -> list[KeptEvent]:
    both = [*january(), *march()]
    return [*both[::2], *both[1::2]]


def test_a_hand_of_another_journal_is_another_hand(archive: Archive) -> None:
    archive.add(shuffled())
    found = archive.search(Query(table="T1")).hands
    assert [(each.journal, each.hand, each.dealer) for each in found] == [
        (NEW, 2, "Dan"),
        (NEW, 1, "Cleo"),
        (OLD, 2, "Bob"),
        (OLD, 1, "Ann"),
    ]
    assert [len(each.findings) for each in found] == [0, 1, 1, 0]
    assert [each.redealt_as for each in found] == [None, 2, None, None]
    assert archive.tables() == ("T1",)


def test_without_its_journal_the_newest_of_a_number_is_meant(archive: Archive) -> None:
    archive.add(shuffled())
    told_of = {
        journal: record.hand.dealer
        for journal in (None, OLD, NEW)
        if (record := archive.hand("T1", 1, journal)) is not None
    }
    assert told_of == {None: "Cleo", OLD: "Ann", NEW: "Cleo"}
    assert archive.hand("T1", 1, "0c" * 8) is None
    record = archive.hand("T1", 1, OLD)
    assert record is not None
    assert record.whole
    assert {each.session for each in record.told} == {"1-18a0"}


def test_beside_the_last_of_a_journal_is_the_first_of_the_next(archive: Archive) -> None:
    archive.add(shuffled())
    assert archive.beside("T1", Place(1, OLD)) == (None, Place(2, OLD))
    assert archive.beside("T1", Place(2, OLD)) == (Place(1, OLD), Place(1, NEW))
    assert archive.beside("T1", Place(1, NEW)) == (Place(2, OLD), Place(2, NEW))
    assert archive.beside("T1", Place(2, NEW)) == (Place(1, NEW), None)
    assert archive.beside("T1", Place(1)) == (None, None)


def test_a_search_finds_each_by_its_own(archive: Archive) -> None:
    archive.add(shuffled())

    def found(query: Query) -> list[tuple[str, int]]:
        return [(each.journal, each.hand) for each in archive.search(query).hands]

    assert found(Query(person="Dan")) == [(NEW, 2)]
    assert found(Query(found=True)) == [(NEW, 1), (OLD, 2)]
    assert found(Query(table="T1", code="burn-missing")) == [(NEW, 1), (OLD, 2)]
    assert found(Query(hand=2)) == [(NEW, 2), (OLD, 2)]


def test_both_are_counted(archive: Archive) -> None:
    archive.add(shuffled())
    period = in_pieces(BEGAN_MS, BEGAN_MS + 2 * LATER_MS, "T1")
    counts = archive.counts(period, dealers=True)
    assert sum(each.hands for each in counts.hands) == 4
    assert sum(each.count for each in counts.found) == 2
    assert {each.dealer for each in counts.dealt} == {"Ann", "Bob", "Cleo", "Dan"}


def test_what_is_too_old_goes_by_its_journal(archive: Archive) -> None:
    archive.add(january(), now_ms=1_000)
    archive.add(march(), now_ms=2_000)
    while archive.forget(events_ms=1_500, findings_ms=1_500):
        pass
    found = archive.search(Query()).hands
    assert [(each.journal, each.hand, each.events > 0) for each in found] == [
        (NEW, 2, True),
        (NEW, 1, True),
    ]
    assert archive.hand("T1", 1, OLD) is None


def numbered(archive: Archive) -> list[tuple[str, int]]:
    return [(each.journal, each.hand) for each in archive.search(Query(table="T1")).hands]


def unnamed(events: list[KeptEvent], session: str = "1-18a0") -> list[KeptEvent]:
    return [replace(each, journal="", session=session) for each in events]


def test_a_table_that_begins_to_say_its_journal_goes_on_with_it(archive: Archive) -> None:
    archive.add(unnamed(january()))
    rest = [replace(each, session="2-18b0", journal=OLD) for each in told([a_hand(2), a_hand(3)])]
    archive.add(rest)
    assert numbered(archive) == [(OLD, 3), (OLD, 2), (OLD, 1)]


def test_one_whose_hands_begin_anew_has_another(archive: Archive) -> None:
    archive.add(unnamed(january()))
    archive.add(march())
    assert numbered(archive) == [(NEW, 2), (NEW, 1), ("", 2), ("", 1)]
    record = archive.hand("T1", 1, "")
    assert record is not None
    assert record.hand.dealer == "Ann"


def test_what_an_older_table_tells_belongs_to_the_newest(archive: Archive) -> None:
    archive.add([*january(), *march()])
    more = told([a_hand(3)], session="3-18c0")
    archive.add([replace(each, at=each.at + LATER_MS) for each in more])
    assert numbered(archive)[0] == (NEW, 3)


def test_what_is_missing_of_a_session_is_of_its_journal(archive: Archive) -> None:
    night = january()
    archive.add(night[:4])
    archive.add(march())
    archive.add(unnamed(night[4:]))
    assert numbered(archive) == [(NEW, 2), (NEW, 1), (OLD, 2), (OLD, 1)]


def test_a_late_end_of_a_finding_that_was_forgotten_takes_nothing_of_it(archive: Archive) -> None:
    archive.add(january(), now_ms=1_000)
    while archive.forget(events_ms=1_500, findings_ms=0):
        pass
    late = replace(january()[-4], session="2-18b0", seq=1, event=Closed(9, 5, 1, "ruled"))
    archive.add([late], now_ms=2_000)
    (found,) = archive.search(Query(table="T1", hand=2)).hands[0].findings
    assert (found.code, found.priority, found.hand) == ("burn-missing", 2, 2)
