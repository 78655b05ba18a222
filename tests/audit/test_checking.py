"""A journal that was rewritten shows, and from which hand on; one that was not does not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.archive.kept import KeptHead
from controller.audit.checking import Other, Verdict, check, wanted, words
from controller.library.books import Library
from controller.storage.journal import Journal, verify
from controller.storage.journal_reader import JournalReader
from tests.audit.rewriting import rewrite
from tests.audit.tables import AuditedTable, Played, play

A_LINE_OF_HAND_4 = (
    "SELECT max(n) - 5 FROM observations WHERE hand = 4 AND instr(line, 'press') GROUP BY hand"
)


def verdict_on(journal: Path, heads: Sequence[KeptHead]) -> Verdict:
    with closing(JournalReader(journal)) as reader:
        lines, boxes = wanted(reader.name, heads)
        return check(reader.name, reader.lines(lines), reader.sealed(boxes), heads)


def test_an_untouched_one_is_as_the_room_has_heard(played: Played) -> None:
    assert [head.hand for head in played.heads] == [1, 2, 3, 4, 5, 6, 7]
    verdict = verdict_on(played.journal, played.heads)
    assert verdict.is_whole
    assert (verdict.agree, verdict.too_old, verdict.others) == (7, 0, ())
    assert words(verdict)[-1] == "it is as the room has heard of it"


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE observations SET line = CAST(replace(CAST(line AS TEXT), '\"t\":', '\"t\":0') AS"
        f" BLOB) WHERE n = ({A_LINE_OF_HAND_4})",
        f"DELETE FROM observations WHERE n = ({A_LINE_OF_HAND_4})",
        f"UPDATE observations SET hand = 5 WHERE n = ({A_LINE_OF_HAND_4})",
        "UPDATE sealed SET box = (SELECT box FROM sealed WHERE hand = 2 LIMIT 1)"
        " WHERE k = (SELECT max(k) - 5 FROM sealed WHERE hand = 4)",
        "DELETE FROM sealed WHERE k = (SELECT max(k) - 5 FROM sealed WHERE hand = 4)",
        "UPDATE sealed SET n = n + 1 WHERE k = (SELECT max(k) - 5 FROM sealed WHERE hand = 4)",
    ],
)
def test_a_rewritten_one_names_the_hand(
    played: Played, a_copy: Callable[[], Path], sql: str
) -> None:
    journal = a_copy()
    rewrite(journal, sql)
    assert verify(journal) is None, "the journal alone shows nothing"
    Journal.open(journal, report=pytest.fail).close()
    verdict = verdict_on(journal, played.heads)
    assert not verdict.is_whole
    assert verdict.differs == (4, 4)
    assert verdict.agree == 3
    assert "REWRITTEN from hand 4 on" in words(verdict)


def test_without_the_words_between_it_is_one_of_several_hands(
    played: Played, a_copy: Callable[[], Path]
) -> None:
    journal = a_copy()
    rewrite(journal, f"DELETE FROM observations WHERE n = ({A_LINE_OF_HAND_4})")
    verdict = verdict_on(journal, [head for head in played.heads if head.hand in (2, 6)])
    assert verdict.differs == (3, 6)
    assert "REWRITTEN from hands 3 to 6 on" in words(verdict)


def test_one_that_was_cut_short_shows(played: Played, a_copy: Callable[[], Path]) -> None:
    journal = a_copy()
    for table, number in (("observations", "n"), ("sealed", "k")):
        middle = f"SELECT max({number}) - 20 FROM {table} WHERE hand = 6"
        rewrite(journal, f"DELETE FROM {table} WHERE {number} > ({middle})")
    verdict = verdict_on(journal, played.heads)
    assert verdict.differs == (6, 6)
    assert "it ends with line" in verdict.faults[0]


def test_hands_of_which_nothing_was_heard_are_named(played: Played) -> None:
    heads = [head for head in played.heads if head.hand <= 4]
    verdict = verdict_on(played.journal, heads)
    assert (verdict.differs, verdict.uncovered, verdict.is_whole) == (None, (5, 6, 7), False)
    assert any(line.startswith("NOT COVERED: hands 5 to 7") for line in words(verdict))
    # One word stands for all lines before it.
    assert verdict_on(played.journal, played.heads[-1:]).is_whole
    assert verdict_on(played.journal, []).uncovered == (1, 2, 3, 4, 5, 6, 7)


def test_a_line_that_was_only_changed_shows_without_the_room(
    played: Played, a_copy: Callable[[], Path]
) -> None:
    journal = a_copy()
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("UPDATE observations SET line = x'00' WHERE n = 400")
        db.execute("UPDATE sealed SET box = x'00' WHERE k = 90")
    faults = verdict_on(journal, played.heads).faults
    assert "line 400 does not follow from the one before" in faults
    assert "sealed line 90 does not follow from the one before" in faults


def test_two_words_of_one_line_are_one_too_many(played: Played) -> None:
    third = played.heads[2]
    heads = [*played.heads, replace(third, link="0" * 64, session="2-b")]
    verdict = verdict_on(played.journal, heads)
    assert verdict.differs == (3, 3)
    assert verdict.faults == (f"line {third.n} is not the one that the room has heard of",)


def test_another_journal_in_its_place_is_not_taken_for_it(
    library: Library, played: Played, tmp_path: Path
) -> None:
    other = play(library, tmp_path, played.secret, hands=3)
    verdict = verdict_on(other.journal, played.heads)
    assert verdict.uncovered == (1, 2)
    assert verdict.others == (Other("T1", played.heads[0].chain, 7, 7),)
    both = verdict_on(other.journal, [*played.heads, *other.heads])
    assert both.is_whole
    assert len(both.others) == 1


def test_a_journal_without_a_key_is_checked_too(library: Library, tmp_path: Path) -> None:
    bare = play(library, tmp_path, None, hands=3)
    assert {head.boxes for head in bare.heads} == {0}
    assert verdict_on(bare.journal, bare.heads).is_whole
    rewrite(bare.journal, "DELETE FROM observations WHERE n = 150")
    assert not verdict_on(bare.journal, bare.heads).is_whole


def test_what_is_not_kept_any_more_is_counted_and_the_sealed_rest_checked(
    library: Library, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Journal.open
    monkeypatch.setattr(
        Journal, "open", lambda path, **more: opened(path, keep_hands=2, keep_sealed=4, **more)
    )
    table = AuditedTable(library, tmp_path, played.secret)
    for observation in played.observed:
        table.service.observe(observation)
    table.journal.close()
    with closing(JournalReader(tmp_path / "journal")) as reader:
        lines, sealed = reader.lines(), reader.sealed()
        assert lines.spans[0].hand == 7
        assert sealed.spans[0].hand == 5
        assert (lines.bad, sealed.bad) == (None, None)
    verdict = verdict_on(tmp_path / "journal", table.heads)
    assert (verdict.agree, verdict.too_old, verdict.is_whole) == (4, 3, True)
    rewrite(tmp_path / "journal", "DELETE FROM sealed WHERE k = (SELECT min(k) + 20 FROM sealed)")
    assert verdict_on(tmp_path / "journal", table.heads).differs == (5, 5)
