"""One hand in words, with what is missing and what was decided."""

from __future__ import annotations

from msgspec.structs import replace

from controller.archive.kept import Gap
from controller.archive.telling import account, rulings, timeline
from controller.files.settings import config_dir
from controller.library.books import Library
from controller.replay.account import Account, open_account
from tests.archive.nights import a_hand, told
from tests.archive.records import HANDS, heard, played, record


def an_account(library: Library) -> Account:
    return open_account(library, config_dir())


def missing(gap: Gap) -> str:
    return f"({gap.last - gap.first + 1} missing)"


def test_it_is_the_account_of_the_replay(library: Library) -> None:
    events = played(library, HANDS / "clean" / "hq_ftp_0078-press.jsonl")
    lines = account(record(heard(events)), an_account(library), missing)
    whole = an_account(library)
    assert [x for x in lines if x] == [x for x in [*whole.tell(events), *whole.end()] if x]
    assert any("raises" in line for line in lines)


def test_what_is_missing_is_said_where_it_is_missing(library: Library) -> None:
    whole = record(told([a_hand(1)]))
    holed = replace(whole, told=(*whole.told[:5], Gap("T1", "1-18a0", 6, 7), *whole.told[7:]))
    lines = account(holed, an_account(library), missing)
    assert lines.count("(2 missing)") == 1
    before, after = lines[: lines.index("(2 missing)")], lines[lines.index("(2 missing)") :]
    assert any("calls" in line for line in before)
    assert any("A♥" in line for line in after)
    moments = timeline(holed, an_account(library))
    [gap] = [each for each in moments if each.kind == "gap"]
    assert (gap.missing, gap.lost, gap.after_ms) == (2, False, 6_000)


def test_moments_and_rulings_name_who_decided(library: Library) -> None:
    whole = record(told([a_hand(2, finding=7)]))
    moments = timeline(whole, an_account(library))
    assert [each.after_ms for each in moments] == sorted(each.after_ms for each in moments)
    assert moments[0].kind == "start"
    assert any("Dealer" in line or "Ann" in line for line in moments[0].lines)
    closed = [each for each in moments if each.kind == "closed"]
    assert [(each.finding, each.by, each.reason) for each in closed] == [
        (7, "Bob", "burn card shown")
    ]
    found, anew, ended = rulings(whole)
    assert (found.outcome, anew.outcome, ended.outcome) == ("correct-burn", "floor", "floor")
    assert (found.closed, ended.closed, ended.by) == (None, "ruled", "Bob")
    assert {each.code for each in (found, anew, ended)} == {"burn-missing"}
