"""Which driver draws, how large the panel is, and a display that goes and comes back."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
import pytest

from display.dealer.geometry import LARGE, SMALL, metrics
from display.dealer.panel import Panel, PanelError, edids, fit, read_panel, reported
from display.dealer.theme import STYLES
from display.drawing import video
from display.drawing.video import drivers
from tests.display_dealer.bench import Table
from tests.waiting import PATIENCE_S, wait_until

COMMAND = (sys.executable, "-m", "controller", "dealer")
XVFB = ("-screen", "0", "1280x800x24", "-nolisten", "tcp")
HEAD = bytes((0, 255, 255, 255, 255, 255, 255, 0))


@pytest.mark.parametrize(
    ("environment", "tried"),
    [
        ({}, ("kmsdrm",)),
        ({"DISPLAY": ":0"}, ("x11", "kmsdrm")),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-1"}, ("wayland", "x11", "kmsdrm")),
        ({"DISPLAY": ":0", "SDL_VIDEODRIVER": "offscreen"}, ("offscreen",)),
        ({"SDL_VIDEODRIVER": "wayland,x11"}, ("wayland", "x11")),
    ],
)
def test_what_is_there_draws(environment: dict[str, str], tried: tuple[str, ...]) -> None:
    assert drivers(environment) == tried


@pytest.mark.parametrize("driver", ["kmsdrm", "wayland", "offscreen"])
def test_what_x11_is_told_of_acceleration_is_not_told_to_others(
    driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With it SDL 2.32 says on KMSDRM: Window framebuffer support not available."""
    monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", "1")
    monkeypatch.setattr(video, "_GIVEN", None)
    video.prepare("x11")
    assert os.environ["SDL_FRAMEBUFFER_ACCELERATION"] == "0"
    video.prepare(driver)
    assert "SDL_FRAMEBUFFER_ACCELERATION" not in os.environ
    monkeypatch.setattr(video, "_GIVEN", "software")
    monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", "software")
    video.prepare(driver)
    assert os.environ["SDL_FRAMEBUFFER_ACCELERATION"] == "software"


@pytest.mark.parametrize(
    ("error", "index", "words"),
    [
        ("EGL not initialized", "", "libegl1, libgles2 or libgl1-mesa-dri"),
        ("Can't load EGL/GL library on window creation.", "", "libegl1"),
        ("kmsdrm not available", "3", "SDL_KMSDRM_DEVICE_INDEX=3"),
        ("kmsdrm not available", "", "no display is plugged in, another program has it"),
    ],
)
def test_what_sdl_says_of_kmsdrm_is_explained(
    error: str, index: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "card0").touch()
    monkeypatch.setenv("SDL_KMSDRM_DEVICE_INDEX", index)
    told = video._reason("kmsdrm", error, tmp_path)
    assert told.startswith(error)
    assert words in told


def start(arguments: list[str], **environment: str) -> subprocess.Popen[bytes]:
    sdl = {name: value for name, value in os.environ.items() if not name.startswith("SDL_")}
    given = {name: value for name, value in {**sdl, **environment}.items() if value}
    return subprocess.Popen([*COMMAND, *arguments], env=given, stderr=subprocess.PIPE)


def test_where_nothing_draws_each_reason_is_told_and_what_to_do(tmp_path: Path) -> None:
    nobody = start(["--socket", str(tmp_path / "x")], DISPLAY=":9999", WAYLAND_DISPLAY="")
    _, said = nobody.communicate(timeout=PATIENCE_S)
    assert nobody.returncode == 3
    assert said.count(b"\n") == 1
    for part in (b"x11: ", b"; kmsdrm: ", b"cutcard doctor --only screen"):
        assert part in said


def test_a_display_is_waited_for_where_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "card0-HDMI-A-1").mkdir()
    status = tmp_path / "card0-HDMI-A-1" / "status"
    status.write_text("disconnected\n")
    code = (
        "import sys; from pathlib import Path; from display.drawing import video;"
        f"video.CONNECTORS = Path({str(tmp_path)!r});"
        "from display.dealer.command import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["-c", code, "--socket", str(tmp_path / "x"), "--wait-for-display"]
    for is_there in (False, True):
        waiting = subprocess.Popen(
            [sys.executable, *arguments],
            env={**os.environ, "SDL_VIDEODRIVER": "kmsdrm"},
            stderr=subprocess.PIPE,
        )
        if is_there:  # and SDL is asked, which has nothing to draw on here
            _, said = waiting.communicate(timeout=PATIENCE_S)
            assert said.startswith(b"cutcard dealer: no display to draw on: kmsdrm: ")
            assert waiting.returncode == 3
            continue
        assert waiting.stderr is not None
        line = b"cutcard dealer: no display is connected: waiting for one\n"
        assert waiting.stderr.readline() == line
        waiting.terminate()
        assert waiting.communicate(timeout=PATIENCE_S)[1] == b""
        assert waiting.returncode == -signal.SIGTERM
        status.write_text("connected\n")


def test_it_is_opened_once_it_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there, said, waited = pygame.Surface((1, 1)), list[str](), list[float]()
    connector = tmp_path / "card1-DSI-1"
    connector.mkdir()

    def passes(seconds: float) -> None:
        waited.append(seconds)
        stand = "connected" if len(waited) == 3 else "disconnected"
        (connector / "status").write_text(f"{stand}\n")

    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    monkeypatch.setattr(video, "CONNECTORS", tmp_path)
    monkeypatch.setattr(video, "open_display", lambda *_, **__: there)
    found = video.await_display((800, 480), fullscreen=True, say=said.append, pause=passes)
    assert found is there
    assert said == ["no display is connected: waiting for one"]
    assert waited == [video.LOOK_S] * 3


@pytest.mark.parametrize(
    ("text", "panel"),
    [
        ("217x136mm", Panel(217, 136)),
        ("154.1x85.9mm", Panel(154.1, 85.9)),
        ("10in", Panel(diagonal=254)),
        ('10"', Panel(diagonal=254)),
    ],
)
def test_a_panel_is_given_by_its_sides_or_its_diagonal(text: str, panel: Panel) -> None:
    assert read_panel(text) == panel


@pytest.mark.parametrize("text", ["10.1", "217x136", "0x5mm", "-7in", "1e3in", "9x9999mm"])
def test_what_is_no_panel_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text.replace(".", "[.]")):
        read_panel(text)


def edid(width: int, height: int, *, timing: int = 1) -> bytes:
    parts = bytes((timing, timing, *[0] * 10, width & 255, height & 255))
    parts += bytes(((width >> 8) << 4 | height >> 8,))
    return (HEAD + bytes(46) + parts).ljust(128, b"\0")


def test_a_panel_says_how_large_it_is() -> None:
    assert reported([edid(217, 136)]) == Panel(217, 136)
    assert reported([edid(698, 393)]) == Panel(698, 393)
    for nothing in ([], [b""], [edid(0, 0)], [edid(217, 136, timing=0)], [b"x" * 128]):
        assert reported(nothing) is None
    assert reported([edid(217, 136), edid(698, 393)]) is None
    assert reported([edid(217, 136), b""]) == Panel(217, 136)


def test_connected_panels_are_asked(tmp_path: Path) -> None:
    for name, status in (("card0-HDMI-A-1", "connected"), ("card0-HDMI-A-2", "disconnected")):
        connector = tmp_path / name
        connector.mkdir()
        (connector / "status").write_text(status + "\n")
        (connector / "edid").write_bytes(edid(217, 136))
    (tmp_path / "card0-DSI-1").mkdir()
    assert edids(tmp_path) == [edid(217, 136)]
    assert edids(tmp_path / "nowhere") == []


def test_what_is_given_goes_before_what_is_reported_and_that_before_a_guess() -> None:
    size = (1280, 800)
    assert fit(size, Panel(400, 250), Panel(217, 136)) == (3.2, "")
    assert fit(size, None, Panel(400, 250)) == (3.2, "")
    assert fit(size, None, None) == (LARGE.density, "")
    assert fit((800, 480), None, None) == (SMALL.density, "")
    for untrue in (Panel(160, 90), Panel(4, 3), Panel(1600, 1000)):
        assert fit((1024, 768), None, untrue) == (SMALL.density, "")


def test_a_panel_a_little_too_small_is_told_and_one_much_too_small_refused() -> None:
    density, remark = fit((800, 480), Panel(154.1, 85.9), None)
    assert "buttons are 19 mm" in remark
    assert "153 x 92 mm" in remark
    assert metrics(800, 480, density) == SMALL.sizes
    with pytest.raises(PanelError, match=r"targets under 10 mm.* 153 x 92 mm"):
        fit((800, 480), read_panel("126x76mm"), None)
    with pytest.raises(PanelError, match="no panel of 217 x 136 mm has 800x800"):
        fit((800, 800), Panel(217, 136), None)


@pytest.mark.parametrize(
    ("panel", "fault"),
    [("10", b"217x136mm or 10.1in"), ("5in", b"153 x 92 mm"), ("90x90mm", b"no panel of 90 x 90")],
)
def test_a_mistaken_panel_is_one_line(panel: str, fault: bytes, tmp_path: Path) -> None:
    small = ["--size", "800x480", "--socket", str(tmp_path / "x")]
    process = start([*small, "--panel", panel], SDL_VIDEODRIVER="dummy")
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert fault in said
    assert said.count(b"\n") == 1


class Screen:
    """An Xvfb whose pixels can be read, and the dealer's screen on it."""

    def __init__(self, folder: Path, display: str) -> None:
        self._file = folder / "Xvfb_screen0"
        self.display = display

    def shows(self) -> bool:
        """Whether the button that calls the floor is there, in its colour."""
        red, green, blue = STYLES["floor"].fill
        return self._file.read_bytes().count(bytes((blue, green, red))) > 5_000

    def xdo(self, *arguments: str) -> str:
        # What is off has no size, which xrandr complains of when it is done.
        environment = {**os.environ, "DISPLAY": self.display}
        done = subprocess.run(arguments, env=environment, check=False, capture_output=True)
        return done.stdout.decode()


@contextmanager
def a_screen(folder: Path) -> Iterator[Screen]:
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-fbdir", str(folder), *XVFB],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        display = f":{told.readline().strip()}"
    try:
        yield Screen(folder, display)
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


needs_x11 = pytest.mark.skipif(
    not all(map(shutil.which, ("Xvfb", "xdotool", "xrandr"))),
    reason="Xvfb, xdotool and xrandr are not installed",
)


@needs_x11
def test_under_x11_a_display_that_goes_and_comes_back_is_drawn_on_again(tmp_path: Path) -> None:
    table = Table(tmp_path / "dealer.sock")
    with a_screen(tmp_path) as screen:
        window = start(["--socket", str(table.path), "--fullscreen"], DISPLAY=screen.display)
        assert window.stderr is not None
        assert window.stderr.readline() == b"cutcard dealer: 1280x800 pixels, 5.9 a mm, x11\n"
        wait_until(screen.shows)
        try:
            known = screen.xdo("xdotool", "search", "--pid", str(window.pid)).strip()
            screen.xdo("xdotool", "windowunmap", known)
            wait_until(lambda: not screen.shows())
            screen.xdo("xdotool", "windowmap", known)
            wait_until(screen.shows)
            screen.xdo("xrandr", "--output", "screen", "--off")
            screen.xdo("xrandr", "--output", "screen", "--auto")
            wait_until(screen.shows)
            assert window.poll() is None
        finally:
            window.terminate()
            window.communicate(timeout=PATIENCE_S)
        assert window.returncode == 0
