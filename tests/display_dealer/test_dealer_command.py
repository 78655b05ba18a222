"""The command `cutcard dealer`: shots, mistakes, signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pygame
import pytest

from display.dealer.theme import GROUND, STYLES
from tests.display_dealer.bench import Table

HERE = Path(__file__).parent


def shot(tmp_path: Path, view: bytes, *arguments: str) -> pygame.Surface:
    target = tmp_path / "shot.png"
    done = run_command(["--shot", str(target), *arguments], view)
    assert done.returncode == 0, done.stderr
    return pygame.image.load(str(target))


def run_command(
    arguments: list[str], given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        input=given,
        capture_output=True,
        timeout=20,
        env={name: value for name, value in {**os.environ, **environment}.items() if value},
        check=False,
    )


COMMAND = "import sys; from display.dealer.command import main; sys.exit(main(sys.argv[1:]))"


def share(picture: pygame.Surface, rect: tuple[int, int, int, int], colour: object) -> float:
    """The share of the pixels of `rect` that have about this colour."""
    part = picture.subsurface(rect)
    mask = pygame.mask.from_threshold(part, colour, (6, 6, 6))  # type: ignore[arg-type]
    return mask.count() / (rect[2] * rect[3])


def test_shot_shows_cards_turn_and_buttons(tmp_path: Path) -> None:
    view = (HERE / "flop_betting.json").read_bytes()
    picture = shot(tmp_path, view)
    assert picture.get_size() == (1280, 800)
    white = (255, 255, 255)
    assert share(picture, (20, 90, 1240, 120), white) > 0.05  # the prompt, in big words
    assert share(picture, (230, 340, 480, 200), white) > 0.6  # three cards
    assert share(picture, (720, 340, 320, 200), STYLES["felt"].fill) > 0.7  # two places
    assert share(picture, (870, 560, 180, 96), STYLES["plate-turn"].fill) > 0.4  # seat 9
    assert share(picture, (1020, 680, 240, 100), STYLES["floor"].fill) > 0.6
    assert share(picture, (20, 680, 180, 100), GROUND) > 0.6  # New hand: disabled


@pytest.mark.parametrize(
    ("name", "style"), [("four_card_flop_uk", "priority-1"), ("question_burn", "priority-2")]
)
def test_shot_of_a_finding_has_its_colour_and_its_shape(
    tmp_path: Path, name: str, style: str
) -> None:
    view = (HERE / f"{name}.json").read_bytes()
    picture = shot(tmp_path, view, "--size", "800x480")
    assert picture.get_size() == (800, 480)
    colours = {key: value.fill for key, value in STYLES.items()}
    assert share(picture, (10, 65, 680, 48), colours[style]) > 0.5  # type: ignore[index]
    assert share(picture, (580, 130, 200, 90), colours["main"]) > 0.5


def test_shot_after_taps_shows_the_menu_and_the_seats_in_question(tmp_path: Path) -> None:
    view = (HERE / "flop_betting.json").read_bytes()
    green = STYLES["plate-pick"].fill
    assert share(shot(tmp_path, view), (870, 560, 180, 96), green) < 0.1
    asked = shot(tmp_path, view, "--tap", "more", "--tap", "clock")
    assert share(asked, (870, 560, 180, 96), green) > 0.4  # seat 9 can be meant
    assert share(asked, (10, 480, 190, 96), green) < 0.1  # seat 2 has folded


def test_shot_of_a_lost_table_is_never_blank(tmp_path: Path) -> None:
    picture = shot(tmp_path, b"")
    assert share(picture, (20, 90, 1240, 120), STYLES["lost"].fill) > 0.5
    seen = (HERE / "flop_betting.json").read_bytes()
    stale, fresh = shot(tmp_path, seen, "--lost", "12"), shot(tmp_path, seen)
    cards = (230, 340, 480, 200)
    white = (255, 255, 255)
    assert share(stale, cards, white) < 0.95 * share(fresh, cards, white)


@pytest.mark.parametrize(
    ("arguments", "given", "fault"),
    [
        (["--shot", "x.png"], b"{", b"standard input"),
        (["--shot", "/nowhere/x.png"], b"", b"/nowhere/x.png"),
        (["--shot", "x.png", "--tap", "mroe"], b"", b"--tap mroe"),
        (["--language", "ene"], b"", b"unknown language 'ene'; did you mean 'en'?"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], given: bytes, fault: bytes) -> None:
    done = run_command(arguments, given)
    assert done.returncode == 2
    assert fault in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_without_a_display_it_says_so(tmp_path: Path) -> None:
    environment = {"SDL_VIDEODRIVER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run_command(["--socket", str(tmp_path / "x")], b"", **environment)
    assert done.returncode == 3
    assert done.stderr.startswith(b"cutcard dealer: no display to draw on")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_a_second(tmp_path: Path, number: int) -> None:
    table = Table(tmp_path / "dealer.sock")
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--socket", str(table.path)],
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
    )
    assert table.peer is not None  # it has connected
    begun = time.monotonic()
    process.send_signal(number)
    assert process.wait(5) == 0
    assert time.monotonic() - begun < 1
