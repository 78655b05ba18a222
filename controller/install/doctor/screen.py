"""What the dealer's screen needs: a display, an input, libraries and one pygame."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from msgspec import Struct

from controller.install.doctor.check import Check, Probe, fail, ok, warn
from controller.install.doctor.system import Account, Node, System

SMALLEST = (800, 480)

_LIBRARIES = {"libgbm.so.1": "libgbm1", "libdrm.so.2": "libdrm2"}
_DESKTOPS = ("Xorg", "labwc", "wayfire", "weston", "sway", "gnome-shell", "kwin_wayland")
_ASK_SDL = (
    "import pygame; pygame.display.init(); size = (pygame.display.get_desktop_sizes() or [(0, 0)])"
    "[0]; print(pygame.display.get_driver(), *size)"
)


class Display(Struct, frozen=True):
    """`environment` is of those variables that SDL goes by; `desktops` are running programs."""

    cards: tuple[tuple[str, Node], ...]
    inputs: tuple[tuple[str, Node], ...]
    environment: Mapping[str, str]
    desktops: tuple[str, ...] = ()
    dealer_runs: bool = False

    @property
    def has_window_system(self) -> bool:
        """Whether SDL would open a window in X11 or Wayland."""
        return bool(self.environment.get("DISPLAY") or self.environment.get("WAYLAND_DISPLAY"))


class Sdl(Struct, frozen=True):
    """What pygame chose to draw with, and how large its display is in pixels."""

    driver: str
    size: tuple[int, int]


def probes(system: System, account: Account, *, dealer_runs: bool) -> list[Probe]:
    """What there is to check."""
    return [
        Probe("display", lambda: judge_display(display(system, dealer_runs), account)),
        Probe("libraries", lambda: [judge_libraries(missing_libraries())]),
        Probe("pygame", lambda: [judge_pygame(installed("pygame-ce"), installed("pygame"))]),
        Probe("SDL", lambda: [judge_sdl(sdl(system), display(system, dealer_runs))]),
    ]


def display(system: System, dealer_runs: bool) -> Display:
    """What there is to draw on."""
    wanted = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return Display(
        _nodes(system, "/dev/dri/card*"),
        _nodes(system, "/dev/input/event*"),
        {key: os.environ[key] for key in wanted if os.environ.get(key)},
        tuple(sorted({one.name for one in system.processes(_DESKTOPS)})),
        dealer_runs,
    )


def missing_libraries() -> list[str]:
    """Those that SDL loads for KMSDRM and that are not there."""
    missing = []
    for library in _LIBRARIES:
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(library)
    return missing


def installed(distribution: str) -> str | None:
    """The version of a distribution; None if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def sdl(system: System) -> Sdl | None:
    """What pygame would draw with here; another process asks, since it may take the display."""
    given = [] if has_any_display() else ["SDL_VIDEODRIVER=kmsdrm"]
    said = system.output(
        "env", "PYGAME_HIDE_SUPPORT_PROMPT=1", *given, sys.executable, "-c", _ASK_SDL
    )
    words = (said or "").split()
    if len(words) != 3:
        return None
    return Sdl(words[0], (int(words[1]), int(words[2])))


def has_any_display() -> bool:
    """Whether the environment says how SDL is to draw."""
    return any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")))


def judge_display(seen: Display, account: Account) -> list[Check]:
    """The display's and the touch panel's devices."""
    if seen.has_window_system:
        how = "Wayland" if seen.environment.get("WAYLAND_DISPLAY") else "X11"
        return [ok("display", f"a window in {how}")]
    checks = []
    if not seen.cards:
        checks.append(
            warn(
                "display",
                "no display: there is no /dev/dri/card0",
                "On a Pi, put dtoverlay=vc4-kms-v3d into "
                "/boot/firmware/config.txt and reboot; a table without a "
                "dealer's screen needs nothing.",
            )
        )
    else:
        checks.append(_devices("display", seen.cards, "video", account))
        if seen.desktops:
            checks.append(
                warn(
                    "display",
                    f"a desktop has it: {', '.join(seen.desktops)}",
                    "sudo systemctl set-default multi-user.target && sudo reboot",
                )
            )
        if seen.inputs:
            checks.append(_devices("touch panel", seen.inputs, "input", account))
        else:
            checks.append(
                warn(
                    "touch panel",
                    "nothing to touch or type on",
                    "Plug the panel's USB or ribbon cable in, then: ls /dev/input/",
                )
            )
    return checks


def judge_libraries(missing: Sequence[str]) -> Check:
    """The system's own libraries."""
    if not missing:
        return ok("libraries", " and ".join(_LIBRARIES))
    packages = " ".join(_LIBRARIES[library] for library in missing)
    return fail(
        "libraries", f"{' and '.join(missing)} missing", f"sudo apt-get install -y {packages}"
    )


def judge_pygame(ce: str | None, plain: str | None) -> Check:
    """Exactly one pygame, and that one whose wheels can draw without a desktop."""
    if ce and plain:
        return fail(
            "pygame",
            f"pygame-ce {ce} and pygame {plain} are both installed and clash",
            f"{sys.executable} -m pip uninstall -y pygame pygame-ce && "
            f"{sys.executable} -m pip install 'pygame-ce>=2.5.8'",
        )
    if ce:
        return ok("pygame", f"pygame-ce {ce}")
    if plain:
        return warn(
            "pygame",
            f"pygame {plain} only draws on a desktop",
            f"{sys.executable} -m pip uninstall -y pygame && "
            f"{sys.executable} -m pip install 'pygame-ce>=2.5.8'",
        )
    return fail("pygame", "not installed", f"{sys.executable} -m pip install 'pygame-ce>=2.5.8'")


def judge_sdl(chosen: Sdl | None, seen: Display) -> Check:
    """What pygame draws with."""
    if chosen is None:
        if seen.dealer_runs:
            return ok("SDL", "the dealer's screen has the display right now")
        if not seen.cards and not seen.has_window_system:
            return warn("SDL", "it finds nothing to draw on", "See the line 'display'.")
        return fail(
            "SDL",
            "it finds nothing to draw on",
            "See the lines above, then: SDL_VIDEODRIVER=kmsdrm cutcard dealer --fullscreen",
        )
    if chosen.driver in ("offscreen", "dummy"):
        return warn(
            "SDL",
            f"it draws where nobody sees it ({chosen.driver})",
            "Unset it: unset SDL_VIDEODRIVER",
        )
    found = f"{chosen.driver}, {chosen.size[0]} × {chosen.size[1]} pixels"
    if chosen.size[0] < SMALLEST[0] or chosen.size[1] < SMALLEST[1]:
        return warn(
            "SDL",
            f"{found}: the dealer's screen wants {SMALLEST[0]} × {SMALLEST[1]}",
            "Set a larger mode, in /boot/firmware/cmdline.txt: video=HDMI-A-1:1280x800",
        )
    return ok("SDL", found)


def _devices(name: str, nodes: Sequence[tuple[str, Node]], group: str, account: Account) -> Check:
    path, node = nodes[0]
    if any(account.may(each) for _, each in nodes):
        return ok(name, f"{path}, and {account.user} may use it")
    return fail(
        name,
        f"{account.user} may not open {path}, which is for the group {node.group}",
        f"sudo usermod -aG {node.group or group} {account.user}, and log in again",
    )


def _nodes(system: System, pattern: str) -> tuple[tuple[str, Node], ...]:
    found = ((name, system.node(name)) for name in system.names(pattern))
    return tuple((name, node) for name, node in found if node is not None)
