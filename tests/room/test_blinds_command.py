from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.__main__ import main
from controller.room.structure import Structure, load_structure

FIT = ("--hours", "4", "--players", "18", "--stack", "10000", "--chips", "25,100,500,1000")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        status = main(["blinds", *words])
    except SystemExit as ended:
        status = int(str(ended.code))
    said = capsys.readouterr()
    return status, said.out, said.err


def test_they_are_listed_with_their_length(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "list")
    assert status == 0
    assert "club-evening   4:00  four hours with two breaks" in out


def test_one_is_shown_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "show", "standard")
    assert status == 0
    assert "  5   1:30    20        150        300        300\n" in out
    assert "      2:50    10      break  race off 25\n" in out


def test_an_ante_that_falls_is_noted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """TDA24-RP11B."""
    file = tmp_path / "ours.toml"
    levels = "".join(
        f"[[level]]\nminutes = 20\nsmall = {small}\nbig = {2 * small}\nante = {ante}\n"
        for small, ante in ((100, 200), (200, 200), (300, 100), (400, 0))
    )
    file.write_text(f'name = "Ours"\n{levels}')
    notes = [line for line in run(capsys, "show", str(file))[1].splitlines() if "note:" in line]
    assert [note.split()[2] for note in notes] == ["300/600", "400/800"]
    assert "TDA24-RP11B" in notes[0]
    assert "note:" not in run(capsys, "show", "standard")[1]


def test_what_is_fitted_is_written_and_read_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "ours.toml"
    more = ("--breaks", "90m/10m", "--name", 'Our "club"', "--json", "--out", str(file))
    status, out, _ = run(capsys, "fit", *FIT, *more)
    assert status == 0
    assert msgspec.json.decode(out, type=Structure) == load_structure(file)
    assert run(capsys, "show", str(file))[1].startswith('Our "club"\n')
    status, _, err = run(capsys, "fit", *FIT, "--out", str(file))
    assert (status, "already exists" in err) == (2, True)
    assert run(capsys, "fit", *FIT, "--out", str(file), "--force")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "standrd"), "no blind structure 'standrd'; did you mean 'standard'"),
        (("show", "none.toml"), "none.toml: No such file"),
        (("fit", *FIT, "--players", "0"), "'0' is not a whole number above 0"),
        (("fit", *FIT, "--hours", "nan"), "'nan' is not a number of hours"),
        (("fit", *FIT, "--breaks", "often"), "'often' is not like 90m/10m"),
        (("fit", *FIT, "--chips", "25,x"), "'x' is not a whole number"),
        (("fit", *FIT, "--out", "no/where.toml"), "no/where.toml: No such file"),
        (("fit", "--hours", "1", "--players", "9"), "needs --stack"),
    ],
)
def test_a_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
