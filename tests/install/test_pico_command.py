"""`cutcard pico`: from a board's settings to a Pico that says hello."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from controller.__main__ import main as cutcard
from controller.install.pico import boards, flash, stock
from controller.install.pico.boards import board
from controller.table.config import load_table_config
from firmware_bridge.flashing import drive, firmware
from firmware_bridge.flashing.chips import CHIPS
from firmware_bridge.flashing.firmware import MARK, digest, sources
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import SimulatedPico, interpreter
from tests.flashing import image
from tests.flashing.test_drive import RP2040, folder
from tests.waiting import PATIENCE_S, wait_until

GUIDE = Path(__file__).parents[2] / "docs" / "build.md"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with nothing built yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def bare(here: Path) -> Path:
    """MicroPython without our firmware."""
    (here / "mp.uf2").write_bytes(image.uf2(image.binary(version="v1.24.1")))
    return here / "mp.uf2"


# --- boards ---------------------------------------------------------------------------------------


def test_readers_are_as_supplied_and_all_of_e_as_in_the_guide(here: Path) -> None:
    told = GUIDE.read_text("utf-8").partition("<!-- wiring of Pico E -->\n```python\n")[2]
    (here / "guide.py").write_text(told.partition("```")[0], "utf-8")
    supplied = wiring.load(wiring.SHIPPED)
    assert boards.labels(None) == ("A", "B", "C", "D", "E", "one-seat")
    for label in "ABCDE":
        (here / "wiring.py").write_text(board(label, None).wiring, "utf-8")
        wired = wiring.load(here / "wiring.py")
        if label == "E":
            assert wired == wiring.load(here / "guide.py")
        else:
            assert (wired.spi, wired.readers, wired.zones) == (
                supplied.spi,
                supplied.readers,
                supplied.zones,
            )


def test_a_section_says_what_is_different(here: Path) -> None:
    (here / "boards.toml").write_text(
        '[boards.A]\nbuttons = []\n[boards.X]\nlike = "E"\ncycle_ms = 300\n', "utf-8"
    )
    changed = board("A", here / "boards.toml")
    assert changed.counts == (3, 0, 6)
    assert board("X", here / "boards.toml").counts == (6, 0, 0)
    assert "CYCLE_MS = 300\n" in board("X", here / "boards.toml").wiring
    assert changed.wiring.startswith(
        '"""What hangs on Pico A, by GPIO number. Written by `cutcard pico` from [boards.A] of '
        'boards.toml, like A."""\n'
    )
    assert changed == board("A", here / "boards.toml")


@pytest.mark.parametrize(
    ("text", "label", "said"),
    [
        ("", "F", "there is no board 'F': A, B, C, D, E, one-seat"),
        ("[boards.A]\nneighbors = []", "A", "[boards.A]: no key 'neighbors' here; did you mean"),
        ("[boards.F]\nbuttons = []", "F", "[boards.F]: there is no such board in the guide: say"),
        ('[boards.F]\nlike = "Q"', "F", "[boards.F] like: there is no board 'Q'"),
        ("[boads.A]", "A", "no section 'boads' here; did you mean 'boards'?"),
        ("boards = 3", "A", "[boards]: Expected `object`, got `int`"),
        ("[boards.A]\nzones = [[7, 0]]", "A", "[boards.A]: zone 0: there is no reader 7"),
        ("[boards.A]\nlamps = 3", "A", "[boards.A] lamps: 3 is not a list"),
    ],
)
def test_mistakes_are_named(
    here: Path, capsys: pytest.CaptureFixture[str], text: str, label: str, said: str
) -> None:
    (here / "boards.toml").write_text(text, "utf-8")
    assert cutcard(["pico", "wiring", label]) == 2
    assert said in capsys.readouterr().err


def test_a_tables_settings_may_have_the_section(here: Path) -> None:
    shipped = (Path(__file__).parents[2] / "config" / "table.toml").read_text("utf-8")
    (here / "table.toml").write_text(f"{shipped}\n[boards.B]\nbuttons = [2]\n", "utf-8")
    load_table_config(here / "table.toml")
    assert board("B", here / "table.toml").counts == (3, 1, 0)


# --- files ----------------------------------------------------------------------------------------


def test_only_the_file(here: Path, bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["pico", "flash", "E", "--micropython", str(bare), "--output", "E.uf2", "--json"]
    assert cutcard(asked) == 0
    told = capsys.readouterr()
    assert "no sum is pinned for this file" in told.err
    found = json.loads(told.out)
    assert found["made_for"] == "RPI_PICO"
    assert found["size"] == (here / "E.uf2").stat().st_size
    files = firmware.files_in((here / "E.uf2").read_bytes(), image.STORAGE)
    assert files == {**sources(), "wiring.py": board("E", None).wiring.encode()}


@pytest.mark.usefixtures("here")
def test_what_was_built_here_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    built = stock.built_file(CHIPS[0], stock.cache())
    built.parent.mkdir(parents=True)
    built.write_bytes(image.uf2(image.binary(description=MARK + digest(sources()))))
    assert cutcard(["pico", "flash", "A", "--dry-run", "--json"]) == 0
    told = capsys.readouterr()
    assert "with the firmware in it (built here)" in told.err
    assert json.loads(told.out)["frozen"] is True


@pytest.mark.usefixtures("here")
def test_without_micropython_it_says_where_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cutcard(["pico", "flash", "A", "--dry-run"]) == 2
    said = capsys.readouterr().err
    assert "`cutcard pico build RPI_PICO`" in said
    assert f"no MicroPython for a Pico in {stock.cache()}. Either" in said
    assert "RPI_PICO-20250415-v1.25.0.uf2" in said


def test_with_sudo_the_users_build_is_taken(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As root by sudo, HOME is root's; the build was made without it."""
    monkeypatch.setenv("SUDO_USER", "ann")
    monkeypatch.setattr(stock, "home_of", lambda name: here / "home" / name)
    assert cutcard(["pico", "flash", "A", "--dry-run"]) == 2
    theirs = here / "home" / "ann" / ".cache" / "cutcard" / "pico"
    assert f"in {stock.cache()} or {theirs}. Either" in capsys.readouterr().err
    built = stock.built_file(CHIPS[0], theirs)
    built.parent.mkdir(parents=True)
    built.write_bytes(image.uf2(image.binary(description=MARK + digest(sources()))))
    assert cutcard(["pico", "flash", "A", "--dry-run"]) == 0
    assert "(built here)" in capsys.readouterr().err


def test_of_two_builds_the_newer_is_taken(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "ann")
    monkeypatch.setattr(stock, "home_of", lambda name: here / "home" / name)
    own, theirs = (stock.built_file(CHIPS[0], folder) for folder in stock.caches())
    for file, of, at in ((own, MARK + "0" * 16, 1), (theirs, MARK + digest(sources()), 2)):
        file.parent.mkdir(parents=True)
        file.write_bytes(image.uf2(image.binary(description=of)))
        os.utime(file, (at, at))
    assert cutcard(["pico", "flash", "A", "--dry-run"]) == 0
    os.utime(own, (3, 3))
    assert cutcard(["pico", "flash", "A", "--dry-run"]) == 2


def test_nobodys_home_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "nobody-by-that-name")
    assert stock.caches() == (stock.cache(),)


def test_another_file_under_a_pinned_name_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mp.uf2").write_bytes(image.uf2(image.binary(version="v1.25.0")))
    assert cutcard(["pico", "flash", "A", "--micropython", "mp.uf2", "--dry-run"]) == 2
    assert f", not {stock.PINNED['RPI_PICO-20250415-v1.25.0.uf2']}\n" in capsys.readouterr().err


# --- a drive --------------------------------------------------------------------------------------


def test_a_wrong_board_is_refused_before_anything_is_written(
    here: Path, bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pico = folder(here / "drive", RP2040)
    (here / "two.uf2").write_bytes(image.uf2(image.binary(board="pico2"), image.PICO_2))
    for given in (
        ["--micropython", "two.uf2"],
        ["--board", "RPI_PICO2", "--micropython", str(bare)],
    ):
        assert cutcard(["pico", "flash", "A", "--drive", str(pico), *given]) == 2
        assert "Pico" in capsys.readouterr().err
    asked = ["pico", "flash", "A", "--drive", str(pico), "--micropython", str(bare), "--dry-run"]
    assert cutcard(asked) == 0
    assert "nothing was written to" in capsys.readouterr().err
    assert [path.name for path in pico.iterdir()] == ["INFO_UF2.TXT"]


def test_a_desktop_that_mounts_the_drive_first_is_no_fault(
    here: Path, bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The label is there before the automounter is done; then udisks says that it is mounted."""
    pico = drive.at(folder(here / "drive", RP2040))
    seen: Iterator[list[drive.Drive]] = iter([[], []])
    busy = "udisksctl mount: Device is already mounted"

    def refuses(_device: Path) -> NoReturn:
        raise drive.DriveError(busy)

    monkeypatch.setattr(drive, "unmounted", lambda: [here / "label"])
    monkeypatch.setattr(drive, "mounted", lambda: next(seen, [pico]))
    monkeypatch.setattr(drive, "mount", refuses)
    asked = ["pico", "flash", "A", "--micropython", str(bare), "--port", "none", "--wait", "0"]
    assert cutcard(asked) == 1  # nobody says hello
    assert (pico.path / drive.NAME).is_file()
    monkeypatch.setattr(drive, "mounted", list)
    monkeypatch.setattr(flash, "OTHERS_MOUNT_S", 0.0)
    capsys.readouterr()
    assert cutcard(asked) == 1
    assert busy in capsys.readouterr().err


@pytest.mark.usefixtures("bare")
def test_a_board_that_stays_silent_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pico = folder(here / "drive", RP2040)
    asked = ["pico", "flash", "A", "--drive", str(pico), "--micropython", "mp.uf2"]
    assert cutcard([*asked, "--wait", "0", "--port", str(here / "none")]) == 1
    assert "did not say hello within 0 s" in capsys.readouterr().err


@pytest.mark.usefixtures("bare")
def test_ctrl_c_while_it_waits_for_the_board(here: Path) -> None:
    """A port where nobody answers: once it is asked there, Ctrl-C comes."""
    pico = folder(here / "drive", RP2040)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    asked = ["flash", "A", "--drive", str(pico), "--micropython", "mp.uf2"]
    command = [sys.executable, "-m", "controller", "pico", *asked, "--port", os.ttyname(theirs)]
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, *sys.path])}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert os.read(ours, 1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 130
    assert "Traceback" not in said


@pytest.mark.skipif(interpreter() is None, reason="MicroPython's unix port is for x86-64 only")
@pytest.mark.parametrize(
    ("label", "has"), [("A", [3, 9, 6]), ("E", [6, 0, 0]), ("one-seat", [1, 0, 0])]
)
def test_what_is_written_runs_and_says_hello(
    here: Path, bare: Path, capsys: pytest.CaptureFixture[str], label: str, has: list[int]
) -> None:
    """A folder is the drive; the Pico is MicroPython with the files that the UF2 file has."""
    pico = folder(here / "drive", RP2040)
    done = threading.Event()

    def be_the_board() -> None:
        written = pico / drive.NAME
        wait_until(lambda: written.exists() and _whole(written))
        flash = here / "flash"
        flash.mkdir()
        for name, data in firmware.files_in(written.read_bytes(), image.STORAGE).items():
            (flash / name).write_bytes(data)
        wired = flash / "wiring.py"
        with SimulatedPico(wired, firmware=flash, link=here / "port"):
            wait_until(done.is_set)

    board_itself = threading.Thread(target=be_the_board)
    board_itself.start()
    try:
        asked = ["pico", "flash", label, "--drive", str(pico), "--micropython", str(bare)]
        status = cutcard([*asked, "--port", str(here / "port"), "--json"])
    finally:
        done.set()
        board_itself.join()
    told = capsys.readouterr()
    assert status == 0, told.err
    found = json.loads(told.out)
    assert [found["zones"], found["buttons"], found["lamps"]] == has
    assert found["firmware"].startswith("cutcard-pico ")
    assert f"Pico {label} is up at {here / 'port'}: " in told.err


def _whole(file: Path) -> bool:
    try:
        firmware.base(file.read_bytes())
    except ValueError:
        return False
    return True


# --- building -------------------------------------------------------------------------------------


def test_without_a_compiler_it_says_what_to_type(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(here))
    assert cutcard(["pico", "build", "RPI_PICO"]) == 1
    *_, line = capsys.readouterr().err.splitlines()
    assert line.startswith("sudo apt-get install -y --no-install-recommends gcc-arm-none-eabi ")
    assert {"cmake", "libnewlib-arm-none-eabi"} <= set(line.split())
    assert cutcard(["pico", "build", "RPI_PICO3"]) == 2
    assert "no board 'RPI_PICO3'; did you mean 'RPI_PICO" in capsys.readouterr().err


@pytest.mark.skipif(interpreter() is None, reason="MicroPython's unix port is for x86-64 only")
def test_hello(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SimulatedPico(link=here / "port"):
        assert cutcard(["pico", "hello", "--port", str(here / "port")]) == 0
    assert "3 zones, 10 buttons, 3 lamps, id " in capsys.readouterr().out
    assert cutcard(["pico", "hello", "--port", str(here / "port"), "--wait", "0"]) == 1
