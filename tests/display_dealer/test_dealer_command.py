"""The command `cutcard dealer`: shots, mistakes, signals."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from display.dealer.drawn.viewer import show
from display.dealer.replay.watching import Watched
from display.dealer.theme import STYLES
from display.drawing.video import open_display
from tests.display_dealer.bench import Table
from tests.display_dealer.replays import HANDS
from tests.waiting import PATIENCE_S

FOUR = str(HANDS / "faults" / "four_card_flop_tda_through-0.jsonl")
FINDING, BETTING = 37.0, 52.0  # seconds in its hand


def shot(tmp_path: Path, at: float, *arguments: str) -> pygame.Surface:
    target = tmp_path / "shot.png"
    done = run_command(["--replay", FOUR, "--at", f"{at}", "--shot", str(target), *arguments])
    assert done.returncode == 0, done.stderr
    assert done.stdout == b""
    return pygame.image.load(str(target))


def run_command(
    arguments: list[str], given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        input=given,
        capture_output=True,
        timeout=PATIENCE_S,
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
    picture = shot(tmp_path, BETTING)
    assert picture.get_size() == (1280, 800)
    white = (255, 255, 255)
    assert share(picture, (20, 90, 1240, 120), white) > 0.05  # the prompt, in big words
    assert share(picture, (382, 366, 307, 139), white) > 0.6  # three cards
    assert share(picture, (700, 370, 190, 130), STYLES["felt"].fill) > 0.7  # two places
    assert share(picture, (1032, 520, 234, 130), STYLES["plate-turn"].fill) > 0.4  # seat 9
    assert share(picture, (940, 675, 320, 105), STYLES["floor"].fill) > 0.6
    assert share(picture, (20, 680, 330, 100), STYLES["button"].fill) > 0.5  # Betting done


def test_shot_of_a_finding_has_its_colour_and_its_shape(tmp_path: Path) -> None:
    picture = shot(tmp_path, FINDING, "--size", "800x480")
    assert picture.get_size() == (800, 480)
    assert share(picture, (275, 68, 515, 78), STYLES["priority-1"].fill) > 0.5
    assert share(picture, (10, 372, 275, 98), STYLES["main"].fill) > 0.5


def test_shot_after_taps_shows_the_menu_and_the_seats_in_question(tmp_path: Path) -> None:
    green = STYLES["plate-pick"].fill
    assert share(shot(tmp_path, BETTING), (1032, 520, 234, 130), green) < 0.1
    asked = shot(tmp_path, BETTING, "--tap", "more", "--tap", "boxed")
    assert share(asked, (1032, 520, 234, 130), green) > 0.4  # seat 9 can be meant
    assert share(asked, (14, 520, 234, 130), green) < 0.1  # seat 2 is empty


def test_shot_of_a_lost_table_is_never_blank(tmp_path: Path) -> None:
    stale, fresh = shot(tmp_path, BETTING, "--lost", "12"), shot(tmp_path, BETTING)
    assert share(stale, (20, 90, 1240, 120), STYLES["lost"].fill) > 0.5
    cards, white = (382, 366, 307, 139), (255, 255, 255)
    assert share(stale, cards, white) < 0.95 * share(fresh, cards, white)


def test_the_model_says_what_the_shot_shows(tmp_path: Path) -> None:
    target = tmp_path / "shot.png"
    given = Path(FOUR).read_bytes()
    arguments = ["--replay", "-", "--at", "37", "--model", "--shot", str(target)]
    nowhere = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""}
    done = run_command(arguments, given, **nowhere)
    assert done.returncode == 0, done.stderr
    elements = {one["id"]: one for one in json.loads(done.stdout)}
    assert done.stdout.count(b"\n") == 1
    assert set(elements["done"]) == {"id", "text", "rect", "font_px", "fg", "bg", "touch"}
    assert elements["done"]["text"] == "Call floor"
    assert elements["done"]["touch"]
    picture = pygame.image.load(str(target))
    x, y, w, _ = elements["done"]["rect"]
    red, green, blue, _ = picture.get_at((x + w // 2, y + 5))
    assert elements["done"]["bg"] == f"#{red:02X}{green:02X}{blue:02X}"


def test_a_log_that_was_cut_short_is_shown_with_a_warning() -> None:
    done = run_command(["--replay", "-", "--model"], Path(FOUR).read_bytes() + b'{"t": 99, "ki')
    assert done.returncode == 0
    assert b"cut short" in done.stderr
    assert len(json.loads(done.stdout)) > 20


def test_a_log_four_times_as_long_takes_at_most_four_times_as_long() -> None:
    assert spent_on(40) < 4 * spent_on(10)


def spent_on(hands: int) -> float:
    """The processor's seconds for a log of so many hands."""
    table, *hand = Path(FOUR).read_text().splitlines()
    lines = [table]
    for number in range(hands):
        for line in hand:
            fields = json.loads(line)
            fields["t"] += 100 * number
            lines.append(json.dumps(fields))
    begun = processor_time()
    done = run_command(["--replay", "-", "--model"], "\n".join(lines).encode())
    assert done.returncode == 0, done.stderr
    assert len(lines) > 75 * hands
    return processor_time() - begun


def processor_time() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


@pytest.mark.parametrize(
    ("arguments", "given", "fault"),
    [
        (["--replay", "-", "--model"], b"{", b"-: line 1: "),
        (["--replay", "-", "--model"], b"", b"-: line 1: "),
        (["--replay", "/nowhere.jsonl", "--model"], b"", b"/nowhere.jsonl: No such file"),
        (["--replay", FOUR, "--shot", "/nowhere/x.png"], b"", b"/nowhere/x.png: No such file"),
        (["--replay", FOUR, "--shot", "x.gif"], b"", b"x.gif"),
        (["--replay", FOUR, "--model", "--tap", "mroe"], b"", b"did you mean 'more'"),
        (["--replay", FOUR, "--model", "--rulebook", "uk-tad"], b"", b"did you mean 'uk-tda'"),
        (["--replay", FOUR, "--model", "--at", "noon"], b"", b"'noon'"),
        (["--shot", "x.png"], b"", b"--shot needs --replay"),
        (["--language", "ene"], b"", b"unknown language 'ene'; did you mean 'en'?"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], given: bytes, fault: bytes) -> None:
    done = run_command(arguments, given)
    assert done.returncode == 2
    assert fault in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_without_shot_and_model_a_window_shows_it_until_it_is_closed() -> None:
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--replay", FOUR], env=environment, stderr=subprocess.PIPE
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1.5)
    process.terminate()
    process.communicate(timeout=PATIENCE_S)


def test_left_and_right_step_from_picture_to_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [pygame.K_RIGHT, pygame.K_LEFT, pygame.K_LEFT, pygame.K_LEFT, pygame.K_RIGHT]
    events = [pygame.event.Event(pygame.KEYDOWN, key=key) for key in (*keys, pygame.K_ESCAPE)]
    shown: list[float] = []
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    surface = open_display((800, 480), fullscreen=False)
    monkeypatch.setattr(pygame.event, "wait", lambda: events.pop(0))
    try:
        show(surface, [Watched(1), Watched(2), Watched(3)], lambda _, one: shown.append(one.t))
    finally:
        pygame.display.quit()
    assert shown == [3, 3, 2, 1, 1, 2]


def test_without_a_display_it_says_so(tmp_path: Path) -> None:
    environment = {"SDL_VIDEODRIVER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run_command(["--socket", str(tmp_path / "x")], b"", **environment)
    assert done.returncode == 3
    assert done.stderr.startswith(b"cutcard dealer: no display to draw on")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(tmp_path: Path, number: int) -> None:
    table = Table(tmp_path / "dealer.sock")
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--socket", str(table.path)],
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
    )
    assert table.peer is not None  # it has connected
    process.send_signal(number)
    assert process.wait(PATIENCE_S) == 0
