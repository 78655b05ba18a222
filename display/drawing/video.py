"""The display: which of SDL's drivers draws, and why none does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pygame

CARDS = Path("/dev/dri")
CONNECTORS = Path("/sys/class/drm")

_HINTS = {
    "SDL_MOUSE_TOUCH_EVENTS": "0",
    "SDL_TOUCH_MOUSE_EVENTS": "0",
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
}

_ACCELERATION = "SDL_FRAMEBUFFER_ACCELERATION"
_GIVEN = os.environ.get(_ACCELERATION)
_WITHOUT = ("x11",)
"""Drivers that draw 97 MiB smaller, and faster, without acceleration. KMSDRM has nothing else:
there SDL then says "Window framebuffer support not available" (seen with SDL 2.32.10). Wayland was
not tried."""

LOOK_S = 5.0
"""Seconds between two looks for a display that is waited for."""

DrawingError = pygame.error
"""The display is gone, or SDL can't draw on it any more."""


class NoDisplayError(Exception):
    """There is nothing to draw on; the message says why, and what to do."""


def drivers(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the drivers to try, in this order: SDL_VIDEODRIVER's, else what there is."""
    if given := environment.get("SDL_VIDEODRIVER"):
        return tuple(given.split(","))
    found = []
    if environment.get("WAYLAND_DISPLAY"):
        found.append("wayland")
    if environment.get("DISPLAY"):
        found.append("x11")
    return (*found, "kmsdrm")


def prepare(driver: str) -> None:
    """Say how SDL is to draw, before it is initialised; what was in the environment goes first."""
    for name, value in _HINTS.items():
        os.environ.setdefault(name, value)
    if _GIVEN is None and driver in _WITHOUT:
        os.environ[_ACCELERATION] = "0"
    elif _GIVEN is None:
        os.environ.pop(_ACCELERATION, None)


def open_display(size: tuple[int, int], *, fullscreen: bool) -> pygame.Surface:
    """Open the window; `size` is in pixels and ignored in full screen. Raises NoDisplayError.

    `driver` then says what draws.
    """
    given = os.environ.get("SDL_VIDEODRIVER")
    faults = []
    for driver in drivers(os.environ):
        os.environ["SDL_VIDEODRIVER"] = driver
        prepare(driver)
        try:
            return _open(size, fullscreen=fullscreen)
        except pygame.error as error:
            pygame.display.quit()
            faults.append(f"{driver}: {_reason(driver, str(error))}")
        finally:
            if given is None:
                del os.environ["SDL_VIDEODRIVER"]
            else:
                os.environ["SDL_VIDEODRIVER"] = given
    raise NoDisplayError(f"{'; '.join(faults)}. cutcard doctor --only screen says what to do")


def await_display(
    size: tuple[int, int],
    *,
    fullscreen: bool,
    say: Callable[[str], None],
    pause: Callable[[float], None] = time.sleep,
) -> pygame.Surface:
    """The same, as soon as a display is connected; that it is waited for is said once. SDL is not
    asked before: from then on it keeps SIGTERM to itself. Raises NoDisplayError where SDL can't
    draw on it."""
    if not _has_display():
        say("no display is connected: waiting for one")
        while not _has_display():
            pause(LOOK_S)
    return open_display(size, fullscreen=fullscreen)


def _has_display() -> bool:
    """Whether another program shows what is drawn, or a connector has something on it."""
    if drivers(os.environ) != ("kmsdrm",):
        return True
    for status in CONNECTORS.glob("card*-*/status"):
        with suppress(OSError):
            if status.read_text().strip() != "disconnected":
                return True
    return False


def hide_pointer() -> None:
    """Nobody points at what is shown."""
    pygame.mouse.set_visible(False)


def driver() -> str:
    """Which driver draws."""
    return pygame.display.get_driver()


def close_display() -> None:
    """Nothing is shown any more."""
    pygame.display.quit()


def set_full_screen() -> pygame.Surface:
    """The whole display, in the mode that it has. Raises DrawingError."""
    return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)


def _open(size: tuple[int, int], *, fullscreen: bool) -> pygame.Surface:
    pygame.display.init()
    if fullscreen:
        surface = set_full_screen()
        pygame.mouse.set_visible(False)
    else:
        surface = pygame.display.set_mode(size)
    pygame.display.set_allow_screensaver(False)
    pygame.display.set_caption("cutcard")
    return surface


def _reason(driver: str, error: str, cards: Path = CARDS) -> str:
    """Return why a driver does not draw: SDL itself says little of KMSDRM."""
    if driver != "kmsdrm":
        return error
    nodes = sorted(cards.glob("card*"))
    if not nodes:
        return f"there is no {cards}/card0"
    if not any(os.access(node, os.R_OK | os.W_OK) for node in nodes):
        return f"may not open {nodes[0]}: join the groups video, render and input"
    if "EGL" in error:  # seen without libegl1, and without libegl-mesa0
        return f"{error} (libegl1, libgles2 or libgl1-mesa-dri is missing)"
    if index := os.environ.get("SDL_KMSDRM_DEVICE_INDEX"):
        return f"{error} (SDL_KMSDRM_DEVICE_INDEX={index}: is there a display at card{index}?)"
    return f"{error} (no display is plugged in, another program has it, or libgbm1 is missing)"
