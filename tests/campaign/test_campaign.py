"""Half a minute of the campaign, and the command."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.broker.own import find_mosquitto
from tests.campaign.__main__ import main
from tests.campaign.episode import Outcome, run
from tests.campaign.lineup import ROOT
from tests.campaign.plan import Plan, Planned
from tests.campaign.report import report
from tests.waiting import PATIENCE_S

needs_mosquitto = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")
AROUND_THE_TABLE = (
    Planned(0.5, "clock of table"),
    Planned(1.0, "room killed"),
    Planned(1.5, "screen killed"),
    Planned(2.0, "way of table drop"),
    Planned(3.5, "broker gone"),
    Planned(4.5, "way of table cut"),
    Planned(5.0, "room killed after-commit"),
)
THE_TABLE = (
    Planned(1.0, "table killed"),
    Planned(3.0, "table killed after-commit"),
    Planned(4.0, "table killed before-commit"),
)


def half_a_minute(faults: tuple[Planned, ...], kept: Path) -> Outcome:
    """How quick a machine with other work is, is told and not judged."""
    plan = Plan(23, 1, "mixed", (4, 7, 2), 4.0, 6.0, faults)
    return asyncio.run(run(plan, keep=kept, over=lambda: False))


@pytest.mark.long
@needs_mosquitto
@pytest.mark.parametrize(
    "faults",
    [
        pytest.param(AROUND_THE_TABLE, id="around"),
        pytest.param(THE_TABLE, id="table"),
    ],
)
def test_nothing_is_lost(faults: tuple[Planned, ...], tmp_path: Path) -> None:
    outcome = half_a_minute(faults, tmp_path)
    assert not outcome.failures, report("", [outcome])
    assert {hit.name for hit in outcome.hits} == {planned.name for planned in faults}
    assert outcome.hands >= 2
    assert outcome.presses
    assert outcome.events


@pytest.mark.parametrize("arguments", [["soon"], ["-5"], ["--only", "x"], ["--fault", "none"]])
def test_a_mistake_is_told_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("run campaign: ")


@needs_mosquitto
def test_ctrl_c_ends_it_with_the_report_so_far(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.campaign", "--seed", "5", "--to", str(tmp_path)]
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "seed 5\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "interrupted\n")
    assert out.startswith("./run campaign --seed 5: 0 episodes")
    assert not list(tmp_path.iterdir())
