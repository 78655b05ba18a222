"""What the dealer's screen needs: a display, an input, libraries and one pygame."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from msgspec import Struct

from controller.install.doctor import mode
from controller.install.doctor.check import Check, Probe, fail, ok, warn
from controller.install.doctor.system import Account, Node, System

_LIBRARIES = {
    "libgbm.so.1": "libgbm1",
    "libdrm.so.2": "libdrm2",
    "libEGL.so.1": "libegl1",
    "libEGL_mesa.so.0": "libegl-mesa0",
    "libGLESv2.so.2": "libgles2",
}
_DRIVERS = ("/usr/lib/*/dri/*_dri.so", "libgl1-mesa-dri")
"""Mesa's drivers, by the names that they have in Debian, and their package."""


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


def probes(system: System, account: Account, *, dealer_runs: bool) -> list[Probe]:
    """What there is to check."""
    return [
        Probe("display", lambda: judge_display(display(system, dealer_runs), account)),
        Probe("libraries", lambda: [judge_libraries(missing_packages(system))]),
        Probe("pygame", lambda: [judge_pygame(installed("pygame-ce"), installed("pygame"))]),
        Probe("SDL", lambda: [_try(system, dealer_runs)]),
    ]


def display(system: System, dealer_runs: bool) -> Display:
    """What there is to draw on."""
    wanted = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return Display(
        _nodes(system, "/dev/dri/card*"),
        _nodes(system, "/dev/input/event*"),
        {key: os.environ[key] for key in wanted if os.environ.get(key)},
        tuple(sorted({one.name for one in system.processes(mode.DESKTOPS)})),
        dealer_runs,
    )


def missing_packages(system: System) -> list[str]:
    """The packages whose libraries SDL loads for KMSDRM and that are not there."""
    missing = []
    for library, package in _LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    drivers, package = _DRIVERS
    return missing if system.names(drivers) else [*missing, package]


def installed(distribution: str) -> str | None:
    """The version of a distribution; None if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _try(system: System, dealer_runs: bool) -> Check:
    seen = mode.cards(system)
    made = [] if dealer_runs else mode.trials(system, seen)
    return mode.judge(made, seen, dealer_runs=dealer_runs)


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
        return ok("libraries", "those for KMSDRM and OpenGL ES are there")
    packages = " ".join(missing)
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
