"""Serial ports: are they there, may the table open them, and does nobody else?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from controller.install.doctor import services
from controller.install.doctor.check import Check, Probe, fail, ok, warn
from controller.install.doctor.system import Account, Holder, Node, System

SLOW_FTDI_MS = 2
"""More than so much and a reader's answers come late; FTDI's drivers begin with 16."""

_STABLE = ("/dev/serial/by-id/", "/dev/serial/by-path/")
_ONES_FOR_ALL = ("/dev/ttyUSB", "/dev/ttyACM")
"""Names that go to whatever comes up first."""

_MODEMS = "ModemManager"
_MEDDLERS = (_MODEMS, "brltty", "gpsd")
"""Programs that open serial ports nobody gave them."""


class Port(Struct, frozen=True):
    """A port as it is: `real` is the device behind its name, `names` the ones that always lead
    to it, `others` those of all ports that there are now."""

    path: str
    real: str
    node: Node | None
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    holders: tuple[Holder, ...] = ()
    latency_ms: int | None = None
    is_console: bool = False


def probes(system: System, account: Account, paths: Sequence[str]) -> list[Probe]:
    """What there is to check."""
    return [
        *(
            Probe(path, lambda path=path: judge(port(system, path), account))  # type: ignore[misc]
            for path in paths
        ),
        Probe("other programs", lambda: [_meddlers(system)]),
    ]


def port(system: System, path: str) -> Port:
    """How one port is."""
    real = system.real(path)
    stable = [name for folder in _STABLE for name in system.names(folder + "*")]
    latency = system.text(f"/sys/bus/usb-serial/devices/{real.split('/')[-1]}/latency_timer")
    return Port(
        path,
        real,
        system.node(path),
        names=tuple(name for name in stable if system.real(name) == real),
        others=tuple(stable) or tuple(n for p in _ONES_FOR_ALL for n in system.names(p + "*")),
        holders=tuple(system.holders(real)),
        latency_ms=int(latency) if latency and latency.isdecimal() else None,
        is_console=real in map(system.real, consoles(system.text("/proc/cmdline") or "")),
    )


def consoles(kernel_line: str) -> set[str]:
    """The devices on which the kernel says what it does, from its command line."""
    return {
        "/dev/" + word.removeprefix("console=").partition(",")[0]
        for word in kernel_line.split()
        if word.startswith("console=")
    }


def judge(seen: Port, account: Account) -> list[Check]:
    """All that can be wrong with one port, the worst first."""
    name = seen.path
    if seen.node is None:
        there = ", ".join(seen.others[:8]) or "no serial port at all"
        return [
            fail(
                name,
                f"it is not there; there is {there}",
                "Plug the device in, or give [[port]] device the name it has: "
                "ls -l /dev/serial/by-id/",
            )
        ]
    if seen.node.kind != "char":
        return [
            fail(
                name,
                "this is not a device",
                "Give [[port]] device a name of: ls /dev/serial/by-id/",
            )
        ]
    if seen.is_console:
        return [
            fail(
                name,
                "the kernel's console uses it, and writes and reads there",
                "sudo raspi-config nonint do_serial_cons 1 && sudo reboot",
            )
        ]
    if not account.may(seen.node):
        return [_forbidden(name, seen.node, account)]
    strangers = [one for one in seen.holders if not is_the_table(one)]
    if strangers:
        who = ", ".join(f"{one.name} (process {one.pid})" for one in strangers)
        return [fail(name, f"{who} has it open", _end(strangers[0]))]
    by = "the table's service has it" if seen.holders else f"{account.user} may open it"
    checks = [ok(name, f"there, and {by}")]
    if name.startswith(_ONES_FOR_ALL):
        better = (
            f"as {seen.names[0]}" if seen.names else "by its USB socket: ls /dev/serial/by-path/"
        )
        checks.append(
            warn(
                name,
                "another device can get this name after a reboot",
                f"Give [[port]] device {better}",
            )
        )
    if seen.latency_ms is not None and seen.latency_ms > SLOW_FTDI_MS:
        timer = f"/sys/bus/usb-serial/devices/{seen.real.split('/')[-1]}/latency_timer"
        checks.append(
            warn(
                name,
                f"its FTDI adapter holds bytes for {seen.latency_ms} ms",
                f"echo 1 | sudo tee {timer}",
            )
        )
    return checks


def _meddlers(system: System) -> Check:
    unit = services.unit(system, _MODEMS) or {}
    return judge_meddlers(system.processes(_MEDDLERS), waiting=_starts(unit))


def _starts(unit: Mapping[str, str]) -> bool:
    """Whether ModemManager's unit is there and comes up at the next boot or at a modem's call."""
    return unit.get("LoadState") == "loaded" and unit.get("UnitFileState") == "enabled"


def judge_meddlers(running: Sequence[Holder], *, waiting: bool = False) -> Check:
    """Programs that would open the table's ports one day. `waiting`: ModemManager does not run,
    and will from the next start on."""
    names = sorted({one.name for one in running})
    if names:
        return warn(
            "other programs",
            f"{' and '.join(names)} opens every serial port that appears",
            "; ".join(map(_off, names)),
        )
    if waiting:
        return warn(
            "other programs",
            f"{_MODEMS} is not running, and will at the next start",
            _off(_MODEMS),
        )
    return ok("other programs", "none that grabs serial ports")


def _off(name: str) -> str:
    """How a program that grabs ports is turned off. ModemManager is masked: NetworkManager would
    have D-Bus start it again."""
    if name != _MODEMS:
        return f"sudo systemctl disable --now {name}"
    return (
        f"sudo systemctl mask --now {name} (if this machine has a modem, tell it to keep off "
        "instead, with ID_MM_DEVICE_IGNORE: docs/computer.md)"
    )


def is_the_table(holder: Holder) -> bool:
    """Whether a process is `cutcard table`."""
    program = any(word.split("/")[-1] in ("cutcard", "controller") for word in holder.words)
    return program and "table" in holder.words


def _forbidden(name: str, node: Node, account: Account) -> Check:
    found = f"{account.user} may not open it: it is for {node.owner} and the group {node.group}"
    if node.mode >> 3 & 0o6 != 0o6:
        return fail(name, found, f"sudo chmod g+rw {name}")
    return fail(
        name,
        found,
        f"sudo usermod -aG {node.group} {account.user}, and log in again or restart the service",
    )


def _end(holder: Holder) -> str:
    if holder.name in _MEDDLERS:
        return _off(holder.name)
    if holder.name in ("agetty", "login"):
        return "sudo raspi-config nonint do_serial_cons 1 && sudo reboot"
    return f"End that program: sudo kill {holder.pid}"
