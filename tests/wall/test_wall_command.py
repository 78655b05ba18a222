from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.waiting import PATIENCE_S

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.__main__ import main
from tests.wall.rooms import LEVEL, PAUSED


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        status = main(["wall", *words])
    except SystemExit as ended:
        status = int(str(ended.code))
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.fixture
def clock_file(tmp_path: Path) -> Path:
    file = tmp_path / "clock.json"
    file.write_bytes(msgspec.json.encode(LEVEL))
    return file


def shot(folder: Path, *words: str) -> pygame.Surface:
    picture = folder / "shot.png"
    assert main(["wall", "--shot", str(picture), *words]) == 0
    return pygame.image.load(str(picture))


def test_a_picture_needs_neither_display_nor_broker(clock_file: Path, tmp_path: Path) -> None:
    env = {key: text for key, text in os.environ.items() if not key.startswith(("SDL_", "DISPLAY"))}
    picture = tmp_path / "wall.png"
    words = ("--clock", str(clock_file), "--shot", str(picture), "--size", "1080x1920")
    ended = subprocess.run(
        [sys.executable, "-m", "controller", "wall", *words],
        env=env,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert pygame.image.load(str(picture)).get_size() == (1080, 1920)


def test_it_shows_what_was_asked_for(clock_file: Path, tmp_path: Path) -> None:
    words = ("--clock", str(clock_file))
    level = pygame.image.tobytes(shot(tmp_path, *words), "RGB")
    about = tmp_path / "about.json"
    about.write_text('{"v": 1, "players_left": 9, "average_stack": 4000}')
    logo = tmp_path / "logo.png"
    pygame.image.save(pygame.Surface((3000, 900)), str(logo))
    paused = tmp_path / "paused.json"
    paused.write_bytes(msgspec.json.encode(PAUSED))
    pictures = {
        pygame.image.tobytes(shot(tmp_path, *words, *more), "RGB")
        for more in (
            ("--left", "42"),
            ("--lost", "9"),
            ("--theme", "light"),
            ("--language", "de"),
            ("--diagonal", "190cm"),
            ("--tournament", str(about)),
            ("--logo", str(logo)),
            ("--clock", str(paused)),
        )
    }
    assert len(pictures | {level}) == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--theme", "lihgt"), "no theme 'lihgt'; did you mean 'light'"),
        (("--language", "ed"), "unknown language 'ed'"),
        (("--broker", "room"), "--broker 'room' is not HOST:PORT"),
        (("--broker", "room:99999"), "is not HOST:PORT"),
        (("--site", "my club"), "--site 'my club' is not a name"),
        (("--event", "../Turbo"), "'../Turbo' is not an event"),
        (("--tls-ca", "no.pem"), "--tls-ca no.pem: no such file"),
        (("--password-file", "no.pw"), "--password-file no.pw: No such file"),
        (("--logo", "no.png"), "--logo no.png: No such file"),
        (("--logo", "pyproject.toml"), "--logo pyproject.toml: "),
        (("--diagonal", "big"), "'big' is not a diagonal like 55in or 140cm"),
        (("--diagonal", "1in"), "'1in' is not a diagonal"),
        (("--distance", "0m"), "'0m' is not a distance"),
        (("--turn", "45"), "argument --turn: invalid choice: 45"),
        (("--size", "20x20"), "'20x20' is not a size"),
        (("--shot", "wall.png"), "--shot needs --clock"),
        (("--shot", "wall.jpg"), "'wall.jpg' is not a FILE.png"),
        (("--left", "5"), "--left needs --shot"),
        (("--shot", "a.png", "--clock", "no.json"), "--clock no.json: No such file"),
        (("--shot", "a.png", "--clock", "pyproject.toml"), "not what a room publishes on room/"),
    ],
)
def test_a_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.startswith("cutcard wall: ")
    assert err.count("\n") == 1


def test_a_picture_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], clock_file: Path
) -> None:
    status, _, err = run(capsys, "--clock", str(clock_file), "--shot", "/no/where.png")
    assert (status, err) == (2, "cutcard wall: --shot /no/where.png: No such file or directory\n")


def test_without_a_display_it_says_so() -> None:
    env = {key: text for key, text in os.environ.items() if not key.startswith("DISPLAY")}
    env["SDL_VIDEODRIVER"] = "x11"
    ended = subprocess.run(
        [sys.executable, "-m", "controller", "wall"],
        env=env,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 3
    assert ended.stderr.startswith("cutcard wall: no display to draw on: ")
    assert ended.stderr.count("\n") == 1
