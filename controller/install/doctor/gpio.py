"""Buttons on the computer's own pins: libraries, device nodes and their rights."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from controller.install.doctor.check import Check, Probe, fail, ok, skipped, warn
from controller.install.doctor.system import Account, Node, System
from controller.table.attached import PanelWiring


class Pins(Struct, frozen=True):
    """What one board of buttons needs: the modules that are there of those it wants, and the
    node it is reached by. `allowed` is what the service's unit lets it open; None without one."""

    wanted: tuple[str, ...]
    missing: tuple[str, ...]
    path: str
    node: Node | None
    is_pi_5: bool = False
    allowed: str | None = None


def probes(
    system: System,
    account: Account,
    panels: Sequence[PanelWiring],
    shown: Mapping[str, str] | None,
) -> list[Probe]:
    """What there is to check; `shown` is what systemd knows of the table's unit."""
    if not panels:
        return [
            Probe("buttons on pins", lambda: [skipped("buttons on pins", "there is no [[gpio]]")])
        ]
    return [
        Probe(title(panel), lambda panel=panel: judge(panel, pins(system, panel, shown), account))  # type: ignore[misc]
        for panel in panels
    ]


def title(panel: PanelWiring) -> str:
    """A board's name."""
    if panel.expander is None:
        return "GPIO header"
    return f"expander {panel.expander:#04x} on bus {panel.bus}"


def pins(system: System, panel: PanelWiring, shown: Mapping[str, str] | None) -> Pins:
    """What is there for one board."""
    if panel.expander is not None:
        wanted: tuple[str, ...] = ("smbus2",)
        path = f"/dev/i2c-{panel.bus}"
    else:
        wanted = ("gpiozero", "lgpio" if panel.library == "lgpio" else "RPi")
        chips = system.names("/dev/gpiochip*")
        path = chips[0] if chips else "/dev/gpiochip0"
        if panel.library == "rpigpio":
            path = "/dev/gpiomem"
    return Pins(
        wanted,
        tuple(name for name in wanted if importlib.util.find_spec(name) is None),
        path,
        system.node(path),
        "Raspberry Pi 5" in (system.text("/proc/device-tree/model") or ""),
        None if shown is None or shown.get("LoadState") != "loaded" else shown.get("DeviceAllow"),
    )


def judge(panel: PanelWiring, seen: Pins, account: Account) -> list[Check]:
    """All that keeps a board's buttons from being read, the worst first."""
    name = title(panel)
    if panel.expander is None and panel.library == "rpigpio" and seen.is_pi_5:
        return [fail(name, "RPi.GPIO does not work on a Pi 5", 'Write library = "lgpio".')]
    if seen.missing:
        return [fail(name, f"{' and '.join(seen.missing)} not installed", _install(seen.missing))]
    if seen.node is None:
        enable = "sudo raspi-config nonint do_i2c 0 && sudo reboot"
        if panel.expander is None:
            enable = "Is this a Raspberry Pi? See: ls /dev/gpiochip*"
        return [fail(name, f"{seen.path} is not there", enable)]
    if not account.may(seen.node):
        return [
            fail(
                name,
                f"{account.user} may not open {seen.path}, which is for the group "
                f"{seen.node.group}",
                f"sudo usermod -aG {seen.node.group} {account.user}, and log in again or restart "
                "the service",
            )
        ]
    kind = "char-gpiochip" if panel.expander is None else "char-i2c"
    if seen.allowed is not None and kind not in seen.allowed and seen.path not in seen.allowed:
        return [
            warn(
                name,
                "the service's unit only lets it open serial ports",
                "Add the lines of docs/readers.md: sudo systemctl edit cutcard-table",
            )
        ]
    return [ok(name, f"{' and '.join(seen.wanted)}, and {account.user} may open {seen.path}")]


def _install(missing: Collection[str]) -> str:
    if "lgpio" in missing:
        return "sudo apt-get install -y python3-lgpio (see docs/readers.md)"
    extra = "gpio-legacy" if "RPi" in missing else "gpio"
    return f"{sys.executable} -m pip install 'cutcard[{extra}]'"
