"""Whether SDL draws on a display, and what the doctor makes of what the trial said.

What is quoted was printed by pygame-ce 2.5.8 (SDL 2.32.10): here, where there is no /dev/dri, and
on Debian 12's kernel 6.1 in an emulated machine (QEMU, virtio-gpu), with libraries hidden, the
display taken, its cable out, by a user without rights. `PI5` is what libsdl-org/SDL #13705 quotes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.install.doctor import mode
from controller.install.doctor.mode import Cards, Told, Trial
from controller.install.doctor.system import Holder, Said, System

COUNTED = "DEBUG: /dev/dri/card0 connector, encoder and CRTC counts are: 1 1 1\n" * 2
OPENED = (
    COUNTED
    + "DEBUG: KMSDRM_VideoInit()\nDEBUG: Opening device /dev/dri/card0\nDEBUG: Opened DRM FD (3)\n"
)
DRAWN = (
    '{"driver": "KMSDRM", "size": [1280, 800], "renderer": "opengl", '
    '"gpu": "llvmpipe (LLVM 15.0.6, 256 bits)"}'
)
NONE = '{"step": "init", "error": "kmsdrm not available"}'
NO_UDEV = (
    '{"step": "init", "error": "Failed loading udev_device_get_action: libSDL2-2-50d19f93.0.so.0.'
    '3200.10: undefined symbol: _udev_device_get_action"}'
)
PI5 = (
    "DEBUG: /dev/dri/card2 connector, encoder and CRTC counts are: 1 1 1\n"
    "DEBUG: Failed to open KMSDRM device /dev/dri/card2, errno: 22\n"
    "DEBUG: /dev/dri/card0 connector, encoder and CRTC counts are: 2 4 4\n"
    "DEBUG: Failed to open KMSDRM device /dev/dri/card0, errno: 22\n"
    "DEBUG: Failed to open KMSDRM device /dev/dri/card1, errno: 95\n"
)
ONE = Cards(("0",), ("card0-Virtual-1",))


def said(out: str, err: str = "", status: int = 1) -> Said:
    return Said(status, out, err)


def test_a_mode_that_was_set() -> None:
    trial = mode.read(said(DRAWN, OPENED, 0))
    assert trial.draws
    check = mode.judge([trial], ONE, dealer_runs=False)
    assert check.status == "ok"
    assert check.found == ("KMSDRM, 1280 × 800 pixels, opengl on llvmpipe (LLVM 15.0.6, 256 bits)")


@pytest.mark.parametrize(
    ("child", "index", "seen", "status", "words"),
    [
        (said(NONE), "", Cards(), "warn", ["nothing to draw on", "kmsdrm not available"]),
        (said(NONE, COUNTED), "", Cards(("0",)), "fail", ["no display is plugged in at card0"]),
        (
            said(NONE, "DEBUG: Failed to open KMSDRM device /dev/dri/card0, errno: 13\n"), "", ONE,
            "fail", ["may not open /dev/dri/card0", "usermod -aG video,render,input"],
        ),
        (
            said(NONE, COUNTED), "", Cards(("0",), ("card0-Virtual-1",), (Holder(7, "labwc"),)),
            "fail", ["labwc (process 7) has the display", "multi-user.target"],
        ),
        (
            said(NONE, COUNTED), "", Cards(("0",), ("card0-Virtual-1",), (Holder(144, "sleep"),)),
            "fail", ["sleep (process 144) has the display", "sudo kill 144"],
        ),
        (said(NONE, COUNTED), "", ONE, "fail", ["draw on card0-Virtual-1", "sudo cutcard doctor"]),
        (
            said('{"step": "mode", "error": "EGL not initialized"}', OPENED), "", ONE,
            "fail", ["opened /dev/dri/card0", "EGL not initialized", "install -y libegl1"],
        ),
        (
            said(
                '{"step": "mode", "error": "Can\'t load EGL/GL library on window creation."}',
                OPENED,
            ),
            "", ONE, "fail", ["no OpenGL for it", "libgl1-mesa-dri"],
        ),
        (
            said(NO_UDEV, "DEBUG: Opening device /dev/dri/card1\n"), "1", ONE,
            "fail", ["SDL_KMSDRM_DEVICE_INDEX=1, and there is card0", "dealer.env"],
        ),
        (
            said(NONE, PI5), "", Cards(("0", "1", "2"), ("card2-DSI-1",)),
            "fail", ["can't draw on card2-DSI-1", "card2: Invalid argument", "not supported"],
        ),
        (said("", OPENED, -11), "", ONE, "fail", ["broke off: Segmentation fault"]),
        (said("", "a\nImportError: b"), "", ONE, "fail", ["broke off: ImportError: b"]),
        (said('{"driver": 5}'), "", ONE, "fail", ["broke off: it said nothing"]),
    ],
)  # fmt: skip
def test_why_it_does_not_draw(
    child: Said, index: str, seen: Cards, status: str, words: list[str]
) -> None:
    trial = mode.read(child, index)
    assert not trial.draws
    check = mode.judge([trial], seen, dealer_runs=False)
    assert check.status == status
    whole = check.found + check.todo
    for word in words:
        assert word in whole
    assert check.todo
    assert "\n" not in whole


def test_a_trial_that_hangs() -> None:
    check = mode.judge([mode.read(None)], ONE, dealer_runs=False)
    assert (check.status, "and hung" in check.found) == ("fail", True)


def test_the_dealers_screen_is_left_alone() -> None:
    check = mode.judge([], ONE, dealer_runs=True)
    assert check.status == "ok"
    assert "it was not tried" in check.found


@pytest.mark.parametrize(
    ("told", "status", "word"),
    [
        (Told("KMSDRM", (480, 320), "opengles2"), "warn", "800 × 480"),
        (Told("dummy", (1024, 768)), "warn", "nobody sees"),
        (Told("x11", (1280, 800)), "ok", "x11, 1280 × 800 pixels"),
    ],
)
def test_what_draws_and_is_not_enough(told: Told, status: str, word: str) -> None:
    check = mode.judge([Trial(told=told)], ONE, dealer_runs=False)
    assert check.status == status
    assert word in check.found


class Machine(System):
    """A made-up tree, on which only some cards draw; it notes which were tried."""

    def __init__(self, root: Path, drawing: str) -> None:
        super().__init__(root)
        self.drawing = drawing
        self.tried: list[str] = []

    def said(self, *command: str, seconds: float | None = None) -> Said | None:
        assert seconds == mode.TRIAL_S
        given = dict(word.split("=", 1) for word in command if "=" in word)
        self.tried.append(given.get(mode.INDEX, ""))
        return said(DRAWN, "", 0) if self.tried[-1] == self.drawing else said(NONE, PI5)


def pi5(root: Path, drawing: str, dealer_env: str = "") -> Machine:
    for name, text in {
        "dev/dri/card0": "",
        "dev/dri/card1": "",
        "dev/dri/card2": "",
        "sys/class/drm/card0-HDMI-A-1/status": "disconnected\n",
        "sys/class/drm/card2-DSI-1/status": "connected\n",
        "etc/cutcard/dealer.env": dealer_env,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Machine(root, drawing)


@pytest.fixture(autouse=True)
def no_window_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", mode.INDEX):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("drawing", "dealer_env", "tried", "words"),
    [
        ("", "", [""], "ok: KMSDRM, 1280 × 800"),
        ("2", "", ["", "2"], "warn: on its own it can't draw; on card2 it does: KMSDRM"),
        ("2", "", ["", "2"], "-> echo SDL_KMSDRM_DEVICE_INDEX=2 | sudo tee -a /etc/cutcard"),
        ("2", 'DEALER_OPTIONS=--mute\nSDL_KMSDRM_DEVICE_INDEX="2"\n', ["2"], "ok: KMSDRM"),
        ("2", "SDL_KMSDRM_DEVICE_INDEX=1\n", ["1", "2"], "warn: with SDL_KMSDRM_DEVICE_INDEX=1"),
        ("9", "", ["", "2"], "fail: it can't draw on card2-DSI-1"),
    ],
)
def test_on_a_pi_5_the_card_of_the_panel_is_found(
    drawing: str, dealer_env: str, tried: list[str], words: str, tmp_path: Path
) -> None:
    machine = pi5(tmp_path, drawing, dealer_env)
    seen = mode.cards(machine)
    assert seen.numbers == ("0", "1", "2")
    assert seen.plugged == ("card2-DSI-1",)
    check = mode.judge(mode.trials(machine, seen), seen, dealer_runs=False)
    assert machine.tried == tried
    assert words in f"{check.status}: {check.found} -> {check.todo}"


def test_who_has_a_card_is_seen_and_nothing_else_is_tried(tmp_path: Path) -> None:
    machine = pi5(tmp_path, "2")
    (tmp_path / "proc/12/fd").mkdir(parents=True)
    (tmp_path / "proc/12/comm").write_text("weston\n")
    (tmp_path / "proc/12/fd/5").symlink_to("/dev/dri/card2")
    seen = mode.cards(machine)
    assert [one.name for one in seen.holders] == ["weston"]
    assert len(mode.trials(machine, seen)) == 1


@pytest.mark.parametrize(
    ("own", "of_dealer", "driver"),
    [
        ({}, "", "kmsdrm"),
        ({"DISPLAY": ":0"}, "", None),
        ({"SDL_VIDEODRIVER": "dummy"}, "", "dummy"),
        ({}, "SDL_VIDEODRIVER=offscreen", "kmsdrm"),
    ],
)
def test_what_the_trial_is_given(
    own: Mapping[str, str], of_dealer: str, driver: str | None
) -> None:
    given = mode.environment(own, of_dealer + "\nHOME=/root\n# SDL_X=1\n")
    assert given.get("SDL_VIDEODRIVER") == driver
    assert set(given) <= {"SDL_VIDEODRIVER", "SDL_LOGGING"}


@pytest.mark.parametrize(("driver", "draws"), [("dummy", True), ("offscreen", True), ("no", False)])
def test_the_trial_itself(driver: str, draws: bool) -> None:
    """The real child: what it prints is what is read, whether it draws or not."""
    trial = mode.attempt(System(), {"SDL_VIDEODRIVER": driver, "SDL_LOGGING": "video=debug"})
    assert trial.told is not None
    assert trial.draws is draws
    if draws:
        assert trial.told.driver == driver
        assert trial.told.size > (0, 0)
    else:
        assert trial.told.step == "init"
        assert trial.told.error


@pytest.mark.skipif(Path("/dev/dri").exists(), reason="there is a graphics card")
def test_a_machine_without_a_card() -> None:
    system = System()
    seen = mode.cards(system)
    (trial,) = mode.trials(system, seen)
    assert trial.told == Told(step="init", error="kmsdrm not available")
    assert mode.judge([trial], seen, dealer_runs=False).status == "warn"
