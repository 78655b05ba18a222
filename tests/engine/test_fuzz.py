"""The command `./run fuzz`."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.contract.events import Start
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.replay.command import main as replay
from tests.engine.fuzz import Soak, cut_down, main, try_out
from tests.engine.properties import Log
from tests.engine.table_logs import Line

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "arguments", [["soon"], ["-5"], ["inf"], ["1m", "--seed", "x"], ["--bogus"]]
)
def test_a_mistake_is_told_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("run fuzz: ")


def test_a_log_is_cut_down_to_what_matters() -> None:
    lines: list[Line] = [{"kind": "table"}, *({"kind": "tick", "t": t} for t in range(100))]
    wanted = [lines[0], lines[8], lines[70]]
    assert cut_down(lines, lambda less: all(one in less for one in wanted)) == wanted


def never_ends(_library: Library, _log: Log) -> None:
    """A property that hangs."""
    while True:
        pass


def test_what_hangs_is_a_fault(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.engine.fuzz.ENDLESS_S", 0.1)
    assert try_out(library, never_ends, []) == "there is no end to it within 0.1 s"


def no_third_hand(library: Library, log: Log) -> None:
    """A property that does not hold."""
    engine = Engine(library.book)
    starts = [e for o in log for e in engine.observe(o) if isinstance(e, Start)]
    assert len(starts) < 3


def test_what_breaks_a_property_is_kept_once_as_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.engine.fuzz.PROPERTIES", (no_third_hand,))
    soak = Soak(tmp_path)
    for seed in range(20):  # which logs a seed makes depends on the constants in the code
        soak.round(seed)
        if soak.faults:
            break
    assert len(soak.faults) == 1
    assert "A property that does not hold." in capsys.readouterr().out
    (log,) = tmp_path.iterdir()
    assert len(log.read_bytes().splitlines()) < 12
    assert replay([str(log), "--json"]) == 0
    assert capsys.readouterr().out.count('"kind":"start"') == 3


def test_cutting_down_ends_when_it_is_over() -> None:
    lines: list[Line] = [{"kind": "tick", "t": t} for t in range(100)]
    assert cut_down(lines, lambda _less: True, lambda: True) == lines


def test_ctrl_c_ends_it_with_a_summary(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.engine.fuzz",
        "1h",
        "--seed",
        "8",
        "--to",
        str(tmp_path),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as fuzz:
        assert fuzz.stdout is not None
        assert fuzz.stdout.readline() == "seed 8\n"
        fuzz.send_signal(signal.SIGINT)
        out = fuzz.stdout.read()
    assert fuzz.returncode == 0
    assert out.startswith("\ninterrupted\n")
    assert out.endswith("logs, no fault\n")
