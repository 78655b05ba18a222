"""What is given out: PHH that PokerKit reads, tables, lines; and the command."""

from __future__ import annotations

import csv
import io
import json
import tomllib
import warnings
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from pokerkit import HandHistory

from controller.__main__ import main
from controller.archive.files import findings_csv, json_lines
from controller.archive.kept import Gap
from controller.archive.opening import open_archive
from controller.archive.phh import InexpressibleError, phh, phhs
from controller.contract.events import Result
from controller.library.books import Library
from tests.archive.nights import a_hand, told
from tests.archive.records import HANDS, played, record, records


def read(text: str) -> list[HandHistory]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if text.startswith("["):
            return [*HandHistory.loads_all(text)]
        return [HandHistory.loads(text)]


def the_same(text: str, board: tuple[str, ...]) -> bool:
    [history] = read(text)
    state = [*history][-1]
    dealt = tuple(repr(card) for street in state.board_cards for card in street)
    stacks = tomllib.loads(text)["finishing_stacks"]
    return not state.status and dealt == board and list(state.stacks) == stacks


@pytest.mark.parametrize("folder", ["clean", "faults", "incidents"])
def test_pokerkit_reads_the_same_board_and_stacks(library: Library, folder: str) -> None:
    became: Counter[str] = Counter()
    for path in sorted((HANDS / folder).glob("*.jsonl")):
        for each in records(library, path):
            try:
                text = phh(each)
            except InexpressibleError as error:
                became[str(error)] += 1
            else:
                assert the_same(text, each.hand.board), path.name
                became["written"] += 1
    assert became["written"] >= {"clean": 50, "faults": 3, "incidents": 1}[folder]
    assert became.keys() <= {"written", "who won what is not known", "it has no result"}


def test_only_what_was_tabled_is_told(library: Library) -> None:
    for path in sorted((HANDS / "clean").glob("*.jsonl"))[:20]:
        for each in records(library, path):
            public = {c for e in each.told for c in getattr(getattr(e, "event", None), "cards", ())}
            try:
                text = phh(each)
            except InexpressibleError:
                continue
            dealt = [a for a in tomllib.loads(text)["actions"] if a.startswith("d dh")]
            for line in dealt:
                cards = line.split()[-1]
                assert cards == "????" or {cards[:2], cards[2:]} <= public


def test_what_phh_cannot_express(library: Library) -> None:
    path = HANDS / "clean" / "hq_ftp_0078-press.jsonl"
    [whole] = records(library, path)
    events = [e for e in whole.told if not isinstance(e, Gap)]
    phh(whole)
    gap = replace(whole, told=(*whole.told[:3], Gap("T1", "1-18a0", 4, 4), *whole.told[3:]))
    unstarted = record(events[1:])
    unended = record([e for e in events if not isinstance(e.event, Result)])
    reasons = []
    for each in (gap, unstarted, unended, replace(whole, told=())):
        with pytest.raises(InexpressibleError) as caught:
            phh(each)
        reasons.append(str(caught.value))
    assert reasons == [
        "some of its events are missing",
        "its beginning was not seen",
        "it has no result",
        "its events are no longer kept",
    ]
    text, left_out = phhs([whole, unended, whole])
    assert len(read(text)) == 2
    assert [reason for _, reason in left_out] == ["it has no result"]


def test_findings_are_a_table_and_no_formulas() -> None:
    each = record(told([a_hand(3, finding=7, dealer="=1+1")]))
    [found] = each.hand.findings
    found = replace(found, reason='-2, "so"\nhe said', by="@Bob")
    each = replace(each, hand=replace(each.hand, findings=(found,)))
    text = findings_csv([each])
    assert text.count("\r\n") == 2
    [names, row] = csv.reader(io.StringIO(text, newline=""))
    line = dict(zip(names, row, strict=True))
    assert line["code"] == "burn-missing"
    assert (line["dealer"], line["by"]) == ("'=1+1", "'@Bob")
    assert line["reason"] == '\'-2, "so"\nhe said'
    assert (line["seconds"], line["seats"], line["asked"]) == ("2.0", "2", "yes")
    assert line["opened"] == "2023-11-14T22:18:30.000Z"


def test_lines_have_everything() -> None:
    each = record(told([a_hand(3, finding=7)]))
    each = replace(each, told=(*each.told, Gap("T1", "1-18a0", 90, 91, lost=True)))
    lines = [json.loads(line) for line in json_lines([each]).splitlines()]
    assert [line["kind"] for line in lines] == ["hand", *["event"] * (len(each.told) - 1), "gap"]
    assert lines[0]["findings"][0]["code"] == "burn-missing"
    assert lines[1]["event"]["kind"] == "start"
    assert lines[-1]["lost"] is True


@pytest.fixture
def night(tmp_path: Path, library: Library) -> Path:
    store = tmp_path / "history.sqlite"
    archive = open_archive(store)
    events = played(library, HANDS / "clean" / "hq_ftp_0078-press.jsonl")
    hands = [[replace(event, hand=n) for event in events] for n in (1, 2)]
    archive.add(told([*hands, a_hand(3, finding=1)[:-1]]))
    archive.close()
    return store


def test_the_command_writes_a_night(
    night: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    since = ["--since", "2023-11-14T00:00Z", "--store", str(night)]
    out = tmp_path / "night.phhs"
    assert main(["export", "night", *since, "-o", str(out)]) == 0
    assert "2 hands written, 1 that PHH can't express" in capsys.readouterr().err
    assert len(read(out.read_text())) == 2
    named = (tmp_path / "night.phhs.left-out.txt").read_text()
    assert named == "T1 hand 3: it has no result\n"
    assert main(["export", "night", *since, "-o", str(tmp_path / "folder")]) == 0
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == [
        "T1-000001.phh",
        "T1-000002.phh",
        "left-out.txt",
    ]
    assert main(["export", "night", *since, "--as", "csv"]) == 0
    assert capsys.readouterr().out.count("burn-missing") == 1
    assert main(["export", "night", *since, "--as", "json", "--table", "T1"]) == 0
    assert capsys.readouterr().out.count('"kind":"hand"') == 3


def test_the_command_writes_one_hand(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "hand", "T1", "2", "--store", str(night)]) == 0
    said = capsys.readouterr()
    assert tomllib.loads(said.out)["hand"] == 2
    assert main(["export", "hand", "T1", "9", "--store", str(night)]) == 1
    assert capsys.readouterr().err == ("cutcard export: no hand 9 is known at table T1\n")


def test_mistakes(night: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = str(tmp_path / "nothing.sqlite")
    assert main(["export", "hand", "T1", "1", "--store", nowhere]) == 1
    assert capsys.readouterr().err == f"cutcard export: {nowhere}: no such file\n"
    since = ["--since", "2023-11-14", "--store", str(night)]
    assert main(["export", "night", *since, "--table", "T9"]) == 2
    assert "no table 'T9' is known" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["export", "night", "--since", "yesterday"])
    assert caught.value.code == 2
    assert "not a time such as" in capsys.readouterr().err
