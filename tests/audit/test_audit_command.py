"""`cutcard audit`: keys, the trace of each opening, and what a person is told."""

from __future__ import annotations

import io
import json
import os
import random
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.__main__ import main
from controller.archive.kept import KeptHead
from controller.archive.opening import open_archive
from controller.storage.auditor_key import read_public, read_secret
from controller.storage.journal import verify
from controller.storage.sealing import Opener
from tests.audit.rewriting import rewrite
from tests.audit.tables import UIDS, Played

Capture = pytest.CaptureFixture[str]


def lines_of(heads: list[KeptHead]) -> str:
    return "".join(msgspec.json.encode(head).decode() + "\n" for head in heads)


def traces(key: Path) -> list[dict[str, object]]:
    file = key.with_name(key.name + ".openings")
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_a_pair_of_keys(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "auditor.key"
    assert main(["audit", "keygen", str(file)]) == 0
    public = capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Opener(read_secret(file.read_text())).public == read_public(public)
    assert main(["audit", "keygen", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"cutcard audit: {file}: File exists\n")
    assert read_public(public) == Opener(read_secret(file.read_text())).public


def test_what_is_opened_can_be_replayed(
    a_copy: Callable[[], Path], key: Path, tmp_path: Path, capsys: Capture
) -> None:
    asked = ["audit", "open", "--key", str(key), "--journal", str(a_copy()), "--hand", "3"]
    assert main(asked) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out.splitlines()[0])["deck"] == {uid: card for card, uid in UIDS.items()}
    log = tmp_path / "hand.jsonl"
    log.write_text(out)
    assert main(["replay", str(log)]) == 0
    assert "BEFORE THE FLOP" in capsys.readouterr().out


def test_each_opening_leaves_a_trace_in_two_places(
    a_copy: Callable[[], Path], key: Path, capsys: Capture
) -> None:
    journal = a_copy()
    asked = ["audit", "open", "--key", str(key), "--journal", str(journal)]
    assert main([*asked, "--hand", "3"]) == 0
    assert main([*asked, "--from", "2", "--to", "5"]) == 0
    assert main(asked) == 0
    capsys.readouterr()
    found = traces(key)
    assert [each["hands"] for each in found] == [[3, 3], [2, 5], [1, 7]]
    assert found[0]["before"] == ""
    assert len({str(each["before"]) for each in found}) == 3
    with closing(sqlite3.connect(journal)) as db:
        kept = [json.loads(line) for (line,) in db.execute("SELECT line FROM openings ORDER BY n")]
    assert kept == found
    assert found[0]["journal"] == str(journal)
    assert {"at", "who", "machine", "chain", "lines", "boxes"} <= found[0].keys()
    assert verify(journal) is None
    assert stat.S_IMODE(key.with_name("auditor.key.openings").stat().st_mode) == 0o600


def test_without_a_trace_nothing_is_opened(
    a_copy: Callable[[], Path], key: Path, capsys: Capture
) -> None:
    key.with_name("auditor.key.openings").mkdir()
    assert main(["audit", "open", "--key", str(key), "--journal", str(a_copy())]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("Is a directory; without a trace nothing is opened\n")
    assert err.count("\n") == 1


def test_a_journal_that_takes_no_note_is_opened_and_that_is_said(
    played: Played, key: Path, tmp_path: Path, capsys: Capture
) -> None:
    copy = tmp_path / "copy"
    assert main(["audit", "copy", "--journal", str(played.journal), str(copy)]) == 0
    with closing(sqlite3.connect(copy)) as db:
        db.execute("CREATE TRIGGER no BEFORE INSERT ON openings BEGIN SELECT RAISE(FAIL, ''); END")
    assert main(["audit", "open", "--key", str(key), "--journal", str(copy), "--hand", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") > 50
    assert err.startswith(f"cutcard audit open: no trace in the journal itself: {copy}: ")
    assert len(traces(key)) == 1


def test_a_copy_is_complete_and_never_put_over_something(
    played: Played, tmp_path: Path, capsys: Capture
) -> None:
    copy = tmp_path / "copy"
    assert main(["audit", "copy", "--journal", str(played.journal), str(copy)]) == 0
    assert not (tmp_path / "copy-wal").exists()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    heads = tmp_path / "heads"
    heads.write_text(lines_of(played.heads))
    copy.chmod(0o400)
    assert main(["audit", "check", "--journal", str(copy), "--heads", str(heads)]) == 0
    assert main(["audit", "copy", "--journal", str(played.journal), str(copy)]) == 2
    assert capsys.readouterr().err == f"cutcard audit: {copy}: File exists\n"
    assert main(["audit", "copy", "--journal", str(tmp_path / "none"), str(tmp_path / "x")]) == 2
    assert not (tmp_path / "x").exists()


def test_a_rewritten_journal_has_a_status_of_its_own(
    played: Played,
    a_copy: Callable[[], Path],
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = a_copy()
    asked = ["audit", "check", "--journal", str(journal), "--heads"]
    heads = tmp_path / "heads.jsonl"
    heads.write_text(lines_of(played.heads))
    assert main([*asked, str(heads)]) == 0
    assert capsys.readouterr().out.endswith("it is as the room has heard of it\n")
    rewrite(journal, "DELETE FROM observations WHERE n = 500")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(heads.read_bytes())))
    assert main([*asked, "-", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["differs"][0] == told["differs"][1]
    assert told["agree"] == told["differs"][0] - 1


def test_the_rooms_history_is_asked_as_it_lies_there(
    played: Played, a_copy: Callable[[], Path], tmp_path: Path, capsys: Capture
) -> None:
    store = tmp_path / "history.sqlite"
    with closing(open_archive(store)) as archive:
        archive.add_heads(played.heads)
    asked = ["--store", str(store)]
    assert main(["audit", "heads", *asked]) == 0
    assert capsys.readouterr().out == lines_of(played.heads)
    assert main(["audit", "heads", *asked, "--table", "T9"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["audit", "check", "--journal", str(a_copy()), *asked]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda key: key.chmod(0o640), "others can read it: chmod 600"),
        (
            lambda key: key.write_text("x"),
            "there is no line that begins with cutcard-audit-secret:",
        ),
        (lambda key: key.unlink(), "No such file or directory"),
        (lambda key: key.write_text(key.read_text()[:-3]), "a character is missing or wrong"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_no_trace(
    played: Played, key: Path, capsys: Capture, change: Callable[[Path], object], said: str
) -> None:
    secret = key.read_text()
    change(key)
    assert main(["audit", "open", "--key", str(key), "--journal", str(played.journal)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert secret[30:50] not in err
    assert traces(key) == []


def test_damage_anywhere_in_the_file_is_told_in_words(
    played: Played, key: Path, tmp_path: Path, capsys: Capture
) -> None:
    whole = tmp_path / "whole"
    assert main(["audit", "copy", "--journal", str(played.journal), str(whole)]) == 0
    heads = tmp_path / "heads"
    heads.write_text(lines_of(played.heads))
    content, rng = whole.read_bytes(), random.Random(4)
    statuses = set()
    for _ in range(25):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 20))):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        journal = tmp_path / "damaged"
        journal.write_bytes(damaged)
        for more in (["check", "--heads", str(heads)], ["open", "--key", str(key)]):
            status = main(["audit", *more, "--journal", str(journal)])
            out, err = capsys.readouterr()
            statuses.add(status)
            assert status in (0, 1, 2)
            assert status == 0 or out or err.count("\n") == 1
    assert statuses >= {1, 2}


def test_what_is_no_journal(key: Path, tmp_path: Path, capsys: Capture) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    text = tmp_path / "text"
    text.write_bytes(os.urandom(9_000))
    for path, said in (
        (empty, "this is not a journal"),
        (text, "it is damaged"),
        (tmp_path / "no", "it cannot be opened"),
    ):
        for more in (["check", "--heads", str(empty)], ["open", "--key", str(key)]):
            assert main(["audit", *more, "--journal", str(path)]) == 2
            assert said in capsys.readouterr().err
    assert main(["audit", "check", "--journal", str(empty), "--heads", str(text)]) == 2
    assert capsys.readouterr().err.startswith(f"cutcard audit: {text}: line 1: not a line of")
