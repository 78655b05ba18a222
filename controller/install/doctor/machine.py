"""The computer: its kernel, processor and Python, and whether a Raspberry Pi gets enough power."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

from msgspec import Struct

from controller.install.doctor.check import Check, Probe, fail, ok, skipped, warn
from controller.install.doctor.system import System

OLDEST_PYTHON = (3, 11)
KNOWN = ("aarch64", "x86_64")

_BITS = {
    0: "the voltage is too low",
    1: "the processor is held back",
    2: "the processor is throttled",
    3: "it is too hot",
}
"""Of `vcgencmd get_throttled`; sixteen higher, the same since the start."""


class Computer(Struct, frozen=True):
    """`bits` are Python's: a 64-bit kernel may run 32-bit programs. `model` is a Pi's."""

    kernel: str
    machine: str
    bits: int
    python: tuple[int, int, int]
    cutcard: str
    model: str = ""


class Power(Struct, frozen=True):
    """`throttled` are the firmware's bits; None where they can't be asked for."""

    is_pi: bool
    throttled: int | None = None
    low_voltage: bool | None = None


def probes(system: System) -> list[Probe]:
    """What there is to check."""
    return [
        Probe("computer", lambda: judge_computer(computer(system))),
        Probe("power", lambda: [judge_power(power(system))]),
    ]


def computer(system: System) -> Computer:
    """This computer."""
    return Computer(
        platform.release(),
        platform.machine(),
        64 if sys.maxsize > 1 << 32 else 32,
        sys.version_info[:3],
        version("cutcard"),
        system.text("/proc/device-tree/model") or "",
    )


def power(system: System) -> Power:
    """How a Pi is fed, by its firmware or by the kernel's sensor."""
    is_pi = (system.text("/proc/device-tree/model") or "").startswith("Raspberry Pi")
    if not is_pi:
        return Power(is_pi)
    said = system.output("vcgencmd", "get_throttled") or ""
    try:
        throttled = int(said.partition("=")[2], 16)
    except ValueError:
        throttled = None
    for name in system.names("/sys/class/hwmon/*/name"):
        if system.text(name) == "rpi_volt":
            alarm = system.text(name.removesuffix("name") + "in0_lcrit_alarm")
            return Power(is_pi, throttled, alarm == "1")
    return Power(is_pi, throttled)


def judge_computer(seen: Computer) -> list[Check]:
    """Kernel and processor, and Python."""
    name = f"{seen.model or 'a computer'}, {seen.machine}, Linux {seen.kernel}"
    python = ".".join(map(str, seen.python))
    checks = []
    if seen.machine in KNOWN and seen.bits == 64:
        checks.append(ok("computer", name))
    else:
        what = f"{name}, with {seen.bits}-bit programs"
        checks.append(
            warn("computer", what, "Install the 64-bit Raspberry Pi OS: see docs/install.md.")
        )
    if seen.python[:2] < OLDEST_PYTHON:
        checks.append(
            fail("Python", f"Python {python} is too old", "sudo apt-get install python3.11")
        )
    else:
        checks.append(ok("Python", f"Python {python}, cutcard {seen.cutcard}"))
    return checks


def judge_power(seen: Power) -> Check:
    """Whether a Pi is short of power now, or was since its start."""
    if not seen.is_pi:
        return skipped("power", "this is no Raspberry Pi")
    if seen.throttled is None and seen.low_voltage is None:
        return skipped(
            "power",
            "the firmware can't be queried",
            "Install it or run this with sudo: sudo apt-get install raspi-utils",
        )
    bits = seen.throttled or 0
    now = [words for bit, words in _BITS.items() if bits >> bit & 1]
    before = [words for bit, words in _BITS.items() if bits >> bit + 16 & 1]
    if seen.low_voltage and _BITS[0] not in now:
        now.insert(0, _BITS[0])
    short = "Use the Pi's own power supply and a short cable; then: vcgencmd get_throttled"
    hot = "Give it air or a fan; then: vcgencmd measure_temp"
    todo = short if _BITS[0] in (now or before) else hot
    if now:
        return fail("power", "just now: " + ", ".join(now), todo)
    if before:
        return warn("power", "since boot: " + ", ".join(before), todo)
    return ok("power", "enough, and not too hot, since boot")
