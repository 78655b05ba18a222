"""`cutcard pico copy`: the real mpremote, and MicroPython with a raw REPL at the other end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.__main__ import main as cutcard
from controller.install.pico.boards import board
from firmware_bridge.flashing.firmware import sources
from firmware_bridge.pico.sim.pico import interpreter

pytest.importorskip("mpremote")


@pytest.fixture
def at_the_repl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The port of a board whose files are those in `flash`."""
    found = interpreter()
    if found is None:
        pytest.skip("MicroPython's unix port is not installed (there is one for x86-64 only)")
    monkeypatch.chdir(tmp_path)
    flash = tmp_path / "flash"
    flash.mkdir()
    script = tmp_path / "raw_repl.py"
    shutil.copyfile(Path(__file__).with_name("raw_repl.py"), script)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    with subprocess.Popen([found, str(script)], stdin=ours, stdout=ours, cwd=flash) as process:
        yield os.ttyname(theirs)
        process.kill()
    os.close(ours)
    os.close(theirs)


def test_all_files_arrive(
    at_the_repl: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = cutcard(["pico", "copy", "E", "--port", at_the_repl])
    said = capsys.readouterr().err
    assert status == 0, said
    expected = {**sources(), "wiring.py": board("E", None).wiring.encode()}
    there = {path.name: path.read_bytes() for path in (tmp_path / "flash").iterdir()}
    assert there == expected
    assert f"{len(expected)} files copied; Pico E starts again" in said
    times = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "flash").iterdir()}
    assert max(times, key=times.__getitem__) == "main.py"


def test_nobody_at_the_port_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cutcard(["pico", "copy", "A", "--port", str(tmp_path / "none")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("cutcard pico: mpremote at ")
    assert "Is GPIO 0 at ground" in said
