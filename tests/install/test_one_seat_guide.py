"""One seat and the first capture, as their pages say, with the real firmware on simulated chips."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from controller.install.pico.boards import board
from firmware_bridge.pico.sim.pico import SimulatedPico, interpreter
from tests.install.person import at_terminal, piped, sync

DOCS = Path(__file__).parents[2] / "docs"
SEAT = (DOCS / "one-seat.md").read_text("utf-8")
CAPTURE = (DOCS / "first-capture.md").read_text("utf-8")
TAG, OTHER = "E004015000000001", "E004015000000002"


def typed(page: str, command: str) -> list[str]:
    """The words after `cutcard` of the page's one command of this name."""
    (found,) = re.findall(rf"```sh\n(?:mkdir first\n)?cutcard ({command}(?!.*--raw).*)\n", page)
    return shlex.split(found)


@pytest.mark.skipif(interpreter() is None, reason="MicroPython's unix port is not installed")
@sync
async def test_from_nine_wires_to_a_capture(tmp_path: Path) -> None:
    *words, label = typed(SEAT, "pico flash")
    assert words == ["pico", "flash"]
    (tmp_path / "wiring.py").write_text(board(label, None).wiring, encoding="utf-8")
    (tmp_path / "dev").mkdir()
    with SimulatedPico(tmp_path / "wiring.py", link=tmp_path / "dev" / "pico") as pico:
        await init(tmp_path, pico)
        await doctor(tmp_path, pico)
        await capture(tmp_path, pico)
        assert not pico.crashes


async def init(folder: Path, pico: SimulatedPico) -> None:
    here = ("--ports", str(folder / "dev" / "*"))
    async with at_terminal(*typed(SEAT, "init"), *here, cwd=folder) as person:
        await person.answers("Name of the table")
        await person.answers("Seats [", "2")
        for question in ("Blinds", "Rule book [", "Antennas of the board", "with a card [yes]"):
            await person.answers(question)
        await person.sees("Lay any card on the antenna of seat/1 ")
        pico.air.place(0, TAG)
        await person.sees("  seat/1: antenna ")
        pico.air.take(0, TAG)
        for zone in ("seat/2", "board", "burn", "muck", "stub"):
            await person.answers(f"Lay any card on the antenna of {zone} ")
        for question in ("Screen [here]", "Broker [none]", "Write table.toml [yes]"):
            await person.answers(question)
        assert await person.leaves() == 0


async def doctor(folder: Path, pico: SimulatedPico) -> None:
    async with at_terminal(*typed(SEAT, "doctor"), cwd=folder) as person:
        await person.sees("1 antenna")
        await person.sees("Put one card on seat 1.")
        pico.air.place(0, TAG)
        await person.sees("ok       seat 1: ")
        await person.leaves()
        assert "FAIL" not in person.text
        pico.air.take(0, TAG)


async def capture(folder: Path, pico: SimulatedPico) -> None:
    """As on the page, for seconds instead of minutes; there is no deck yet."""
    assert "```sh\nmkdir first\n" in CAPTURE
    (folder / "first").mkdir()
    words = typed(CAPTURE, "capture")
    assert words[-2:] == ["--for", "2m"]
    pico.air.place(0, TAG)
    pico.air.place(0, OTHER)
    status, _, err = await piped(*words[:-1], "3s", cwd=folder)
    assert status == 0, err
    (file,) = (folder / "first").glob("capture-*.jsonl")
    said = file.read_text("utf-8")
    assert '"received"' in said
    assert TAG not in said
    assert OTHER not in said
    assert TAG[2:].lower() not in said.lower()
    words = typed(CAPTURE, "replay")
    assert words == ["replay", "first/capture-*.jsonl"]
    status, _, err = await piped("replay", str(file), cwd=folder)
    assert status == 0, err
