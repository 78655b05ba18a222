"""`cutcard replay` as a user has it: output, exit status and the one line about a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

HANDS = Path(__file__).resolve().parents[1] / "hands"
CLEAN = HANDS / "clean" / "pl_94_43-plain.jsonl"
FAULT = HANDS / "faults" / "four_card_flop-0.jsonl"


def replay(*arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "controller", "replay", *arguments],
        input=stdin,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_json_is_one_event_a_line() -> None:
    done = replay(str(CLEAN), "--json")
    assert done.returncode == 0
    assert done.stderr == b""
    kinds = [json.loads(line)["kind"] for line in done.stdout.splitlines()]
    assert kinds[0] == "start"
    assert {"phase", "board", "action", "prompt", "result"} <= set(kinds)


def test_the_account_can_be_read_by_a_floorperson() -> None:
    done = replay(str(FAULT), "--rulebook", "uk-tda")
    text = done.stdout.decode()
    assert "Hand 1 begins at 1.0 on the table's clock." in text
    assert "Blinds 50/100. Button: seat 6." in text
    assert "Seat 9 raises to 350." in text
    assert "*** FINDING 1: Four-card flop" in text
    assert "UK casino rules (TDA-based): the floor picks one of the cards as the burn," in text
    assert "3. The floor picks one: it goes to the burns." in text


def test_help_says_what_is_printed_and_which_books_there_are() -> None:
    text = replay("--help").stdout.decode()
    assert "prints an account of its hands" in text
    assert "homepokertourney, nl-2010, roberts," in text
    assert "cutcard replay - --json <hand.jsonl" in text


def test_standard_input_gives_the_same() -> None:
    assert (
        replay("-", "--json", stdin=CLEAN.read_bytes()).stdout
        == replay(str(CLEAN), "--json").stdout
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda lines: lines[1:], "line 1: a log begins with a table record"),
        (lambda _: [], "line 1: a log begins with a table record, and this one is empty"),
        (lambda lines: [*lines[:3], b"{nonsense}\n", *lines[3:]], "line 4: this is not a JSON"),
        (lambda lines: [*lines[:5], lines[3], *lines[5:]], "line 6: time runs backwards, from"),
        (
            lambda lines: [lines[0].replace(b'"roberts"', b'"robrts"'), *lines[1:]],
            "line 1: unknown rule book 'robrts'; did you mean 'roberts'?",
        ),
        (
            lambda lines: [*lines[:2], lines[2].replace(b'"zone"', b'"zome"'), *lines[3:]],
            "line 3: unknown field 'zome'; did you mean 'zone'?",
        ),
    ],
)
def test_a_fault_is_one_line_with_file_and_line(
    tmp_path: Path, change: Callable[[list[bytes]], list[bytes]], fault: str
) -> None:
    log = tmp_path / "a log.jsonl"
    log.write_bytes(b"".join(change(CLEAN.read_bytes().splitlines(keepends=True))))
    done = replay(str(log))
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"cutcard: {log}: {fault}")
    assert done.stderr.count(b"\n") == 1


def test_a_last_line_cut_short_is_dropped_with_a_warning(tmp_path: Path) -> None:
    whole = CLEAN.read_bytes().rstrip(b"\n")
    log = tmp_path / "cut.jsonl"
    log.write_bytes(whole[:-9])
    done = replay(str(log), "--json")
    assert done.returncode == 0
    assert b"cut short at the end of the file, dropped" in done.stderr
    log.write_bytes(whole)
    assert replay(str(log)).stderr == b""


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        ([str(HANDS)], "Is a directory"),
        ([str(CLEAN), "--rulebook", "tda2009"], "did you mean 'tda-2009'?"),
        ([], "the following arguments are required: LOG"),
    ],
)
def test_a_mistake_of_the_users_is_told_without_a_traceback(
    arguments: list[str], fault: str
) -> None:
    done = replay(*arguments)
    assert done.returncode == 2
    assert fault in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_an_amount_that_is_too_great_names_its_line(tmp_path: Path) -> None:
    lines = CLEAN.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if '"amount":' in line)
    press = {**json.loads(lines[number - 1]), "amount": 10**30}
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join([*lines[: number - 1], json.dumps(press), *lines[number:]]))
    done = replay(str(log), "--json")
    assert done.returncode == 2
    fault = f"cutcard: {log}: line {number}: amount is more than 1,000,000,000,000\n"
    assert done.stderr.decode() == fault
