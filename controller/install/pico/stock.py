"""Which MicroPython a Pico gets: one that was built here, or one that was downloaded.

What is downloaded is compared with a sum that is pinned here, where a public source has one.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.flashing.chips import Chip
from firmware_bridge.flashing.firmware import Base

VERSION = "v1.25.0"
RELEASED = "20250415"
PINNED = {
    # BrianPugh/tamp (GitHub), tests/test_decompressor_v1.py, lists it for its copy of the file; not
    # compared with micropython.org, which could not be reached.
    "RPI_PICO-20250415-v1.25.0.uf2": (
        "e0c40eacf1afc550a6add74888c48bb981b28788a6d75a62a0e2444e997b9864"
    ),
}
"""File at micropython.org → SHA-256. There is no public source for RPI_PICO2's."""


def file_name(chip: Chip) -> str:
    """What micropython.org calls the file for a chip."""
    return f"{chip.board}-{RELEASED}-{VERSION}.uf2"


def page(chip: Chip) -> str:
    """Where it can be downloaded."""
    return f"https://micropython.org/download/{chip.board}/"


def cache(environment: Mapping[str, str] = os.environ) -> Path:
    """Where `cutcard pico build` puts what it builds."""
    given = environment.get("XDG_CACHE_HOME", "")
    home = Path(given) if given else Path(environment.get("HOME", "/")) / ".cache"
    return home / "cutcard" / "pico"


def caches(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where builds may be: one's own, and with sudo that of who called it, since HOME is root's."""
    own, user = cache(environment), environment.get("SUDO_USER", "")
    home = home_of(user) if user else None
    theirs = own if home is None else cache({"HOME": str(home)})
    return (own,) if theirs == own else (own, theirs)


def home_of(user: str) -> Path | None:
    """Somebody's home; None if there is nobody by that name."""
    try:
        return Path(pwd.getpwnam(user).pw_dir)
    except KeyError:
        return None


def built_file(chip: Chip, folder: Path) -> Path:
    """The file that `cutcard pico build` writes for a chip."""
    return folder / f"{chip.board}.uf2"


def verdict(base: Base) -> str:
    """What is known of a MicroPython that was not built here. Raises ValueError where it has the
    version and board of a pinned one and is another file."""
    pinned = PINNED.get(file_name(base.chip))
    if base.info.version == VERSION and pinned is not None:
        if base.sha256 != pinned:
            raise ValueError(
                f"it says that it is {base.info.version} for {base.chip.board}, and its SHA-256 is "
                f"{base.sha256}, not {pinned}"
            )
        return f"SHA-256 {base.sha256}, as pinned"
    return (
        f"SHA-256 {base.sha256}: no sum is pinned for this file, "
        f"compare it with what {page(base.chip)} says, if it does"
    )
