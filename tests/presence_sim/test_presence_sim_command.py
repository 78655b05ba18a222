"""`cutcard presence-sim` as a process: tables, JSON, exit status, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.install.presence_sim import main
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
COMMAND = [
    sys.executable,
    "-c",
    # Whoever runs the tests in the background ignores Ctrl-C, and its children with it.
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from controller.__main__ import main; sys.exit(main(['presence-sim', *sys.argv[1:]]))",
]
TABLE = """
[table]
id = "7"
rulebook = "uk-tda"
seats = 3
blinds = { small = 5, big = 10 }
[[port]]
device = "/dev/a"
zones = ["seat/1", "seat/2", "seat/3", "board"]
"""


def cutcard(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_table_with_targets_beside_the_figures() -> None:
    done = cutcard("--reads", "20000", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("20,0")
    assert ", seed 3." in done.stdout.splitlines()[0]
    for words in ("target, at most", "false arrivals", "false departures", "median", "reached"):
        assert words in done.stdout
    assert "E0040150" not in done.stdout


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--reads", "5000", "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert err == ""
    assert (told["seed"], told["reads"] >= 5000) == (1, True)
    assert {"what", "measured", "most", "unit"} == told["targets"][0].keys()
    assert told["arrivals"]["count"] > 20


def test_a_missed_target_is_exit_status_1_and_the_tables_parameters_count(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE)
    assert cutcard("--config", str(path), "--reads", "3000").returncode == 0
    path.write_text(f"{TABLE}presence = {{ absent_s = 5 }}\n")
    done = cutcard("--config", str(path), "--reads", "3000")
    assert done.returncode == 1
    assert "MISSED" in done.stdout


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE.replace('"seat/1", "seat/2", "seat/3", "board"', '"stub"'))
    for arguments, words in (
        (("--config", str(path)), f"{path}: [[port]] zones: cards need a seat or a board"),
        (("--config", str(tmp_path / "none.toml")), "none.toml: No such file"),
        (("--reads", "0"), "argument --reads: '0' is not a number of reads from 1 to 1000000000"),
        (("--reads", "many"), "argument --reads: 'many' is not"),
        (("--seed", "x"), "argument --seed"),
    ):
        done = cutcard(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("cutcard presence-sim: ")
        assert words in done.stderr
        assert done.stderr.count("\n") == 1


def test_help() -> None:
    done = cutcard("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("--config", "--reads", "--seed", "--json"))


def test_progress_on_a_terminal_and_a_clean_end_by_ctrl_c() -> None:
    near, far = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--reads", "100000000"], cwd=ROOT, stdout=subprocess.PIPE, stderr=far
    )
    os.close(far)
    shown = b""
    until = time.monotonic() + PATIENCE_S
    while b" reads " not in shown and time.monotonic() < until:
        shown += os.read(near, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE_S)
    shown += os.read(near, 4096)
    os.close(near)
    assert process.returncode == 130
    assert out == b""
    assert b"of 100,000,000 reads" in shown
    assert b"Traceback" not in shown
