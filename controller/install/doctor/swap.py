"""Whether what the table knows can be written to a disk as swap."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from controller.install.doctor.check import Check, Probe, fail, ok, skipped
from controller.install.doctor.system import System

NAME = "swap"
_PROGRAMS = ("cutcard", "python", "python3")
_OFF = "sudo swapoff -a, and for good: sudo systemctl disable --now dphys-swapfile"


def probes(system: System) -> list[Probe]:
    """What there is to check."""
    return [Probe(NAME, lambda: [judge(on_disks(system), locked(system))])]


def on_disks(system: System) -> list[str]:
    """The swap that is on a disk; zram is memory, unless it has one behind it."""
    lines = (system.text("/proc/swaps") or "").splitlines()[1:]
    names = [line.split()[0] for line in lines if line.strip()]
    return [name for name in names if not _is_memory(system, Path(name).name)]


def locked(system: System) -> list[bool]:
    """Of each running table, whether its memory is locked."""
    found = []
    for one in system.processes(_PROGRAMS):
        if any(_is_table(*words) for words in pairwise(one.words)):
            status = system.text(f"/proc/{one.pid}/status") or ""
            resident, kept = _figure(status, "VmRSS"), _figure(status, "VmLck")
            found.append(0 < resident <= kept)
    return found


def judge(swaps: Sequence[str], tables: Sequence[bool]) -> Check:
    """Whether nothing of a table is swapped to a disk."""
    if not swaps:
        return ok(NAME, "there is no swap on a disk")
    where = ", ".join(swaps)
    if not tables:
        return skipped(NAME, f"there is swap on {where}, and no table is running", _OFF)
    if all(tables):
        return ok(NAME, f"the table's memory is locked; nothing of it goes to {where}")
    return fail(
        NAME,
        f"the table's memory is not locked: the cards it knows can be written to {where}",
        f"Run it as cutcard-table.service, which may lock it, or turn swap off: {_OFF}",
    )


def _is_memory(system: System, name: str) -> bool:
    behind = system.text(f"/sys/block/{name}/backing_dev")
    return name.startswith("zram") and behind in (None, "none")


def _is_table(program: str, command: str) -> bool:
    return command == "table" and Path(program).name in ("cutcard", "controller")


def _figure(status: str, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) if found else 0
