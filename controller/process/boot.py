"""Which run of the machine this is."""

from __future__ import annotations

from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def this_boot() -> str:
    """A name that no other run of the machine has; empty where it can't be read."""
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return ""
