"""`python -m firmware_bridge.pico.sim`: the port it makes, its scripts, its verdict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.link.values import ButtonEdge, Up, ZoneScan
from firmware_bridge.pico.sim.__main__ import main
from firmware_bridge.pico.sim.script import COMMANDS, ScriptError, Step, parse
from tests.firmware_pico.borders import wirings
from tests.firmware_pico.host import Host, edited
from tests.waiting import wait_until

SCRIPT = """
# A card, a press, a reader that hangs, a power failure.
1.0 place 0 E004015000A1B2C3
1.2 press 3 2
1.4 hang 1 mute
3.0 heal 1
3.3 reboot
6.0 take 0 E004015000A1B2C3
6.5 end
"""


@pytest.mark.usefixtures("micropython")
def test_a_script_is_played_on_a_port_of_ones_choice(tmp_path: Path) -> None:
    port, script = tmp_path / "port", tmp_path / "script.txt"
    script.write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "firmware_bridge.pico.sim", str(port)]
    with subprocess.Popen([*command, "--script", str(script)], stderr=subprocess.PIPE) as process:
        wait_until(port.exists)
        with Host(str(port)) as host:
            host.until(lambda: len(host.got(Up)) == 2)
        assert process.stderr
        said = process.stderr.read().decode()
    assert process.returncode == 0, said
    assert "booted 2 times, antennas energised [" in said
    assert [up.rebooted for up in host.got(Up)] == [False, True]
    assert {edge.button for edge in host.got(ButtonEdge)} == {3}
    assert {scan.tags for scan in host.got(ZoneScan)} == {(), ("E004015000A1B2C3",)}
    assert [scan for scan in host.got(ZoneScan) if scan.failed and scan.zone == 1]
    assert not port.is_symlink()


@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize(
    ("steps", "status", "said"),
    [
        ("0.6 end", 0, "booted 1 and 1 times, antennas energised ["),
        ("0.3 cut\n3.5 end", 1, "are neighbours and were energised together"),
    ],
)
def test_two_picos_that_meet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], steps: str, status: int, said: str
) -> None:
    one, two = (
        edited(file, file.with_name(f"fast-{file.name}"), ("CYCLE_MS = 160", "CYCLE_MS = 20"))
        for file in wirings(tmp_path)
    )
    (tmp_path / "script").write_text(steps, "utf-8")
    ports = tmp_path / "one", tmp_path / "two"
    asked = [ports[0], "--wiring", one, "--beside", ports[1], two, "--script", tmp_path / "script"]
    assert main([str(word) for word in asked]) == status
    told = capsys.readouterr().err
    assert said in told
    assert f"the Pico is at {ports[1]}" in told
    assert ("together" in told) == bool(status)


@pytest.mark.usefixtures("micropython")
def test_two_wirings_that_do_not_meet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, _ = wirings(tmp_path)
    ports = [str(tmp_path / "one"), str(tmp_path / "two")]
    assert main([ports[0], "--beside", ports[1], str(one)]) == 2
    assert capsys.readouterr().err.endswith("need the same number of BORDERS\n")


@pytest.mark.usefixtures("micropython")
def test_what_is_there_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = tmp_path / "file"
    precious.write_text("precious", "utf-8")
    assert main([str(precious)]) == 2
    assert "not a symbolic link" in capsys.readouterr().err
    assert precious.read_text("utf-8") == "precious"


@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("0 place 9 E004015000A1B2C3", "at 0 s: place 9 ...: "),
        ("0 hang 0 sulk", "'sulk' is not a valid Trouble"),
        ("0 reboot now", "at 0 s: reboot now ...: "),
    ],
)
def test_a_step_that_fits_nothing_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, complaint: str
) -> None:
    script = tmp_path / "script"
    script.write_text(line, "utf-8")
    assert main([str(tmp_path / "port"), "--script", str(script)]) == 2
    assert complaint in capsys.readouterr().err


def test_a_script_is_read() -> None:
    assert parse(["", "# nothing", "0.5 press 3 # soon", "1 end"], "x") == [
        Step(0.5, "press", ("3",)),
        Step(1.0, "end", ()),
    ]


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["soon press 1"], "x:1: 'soon' is no number of seconds"),
        (["1 end", "2 plase 0 E0"], "x:2: no command 'plase'; did you mean place?"),
        (["2 end", "1 end"], "x:2: time runs backwards"),
        (["1"], "x:1: no command ''"),
    ],
)
def test_a_script_that_is_none(lines: list[str], complaint: str) -> None:
    with pytest.raises(ScriptError) as error:
        parse(lines, "x")
    assert str(error.value).startswith(complaint)


def test_every_command_is_explained() -> None:
    words = parse.__globals__["__doc__"]
    assert all(f" {command}" in words for command in COMMANDS)
