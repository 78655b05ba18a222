"""What one process at a time has, on this machine."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def lock(path: Path, flags: int) -> int:
    """Opens a file or folder with these flags of `os.open`, and locks it; returns its descriptor,
    which holds the lock until it is closed or the process is gone, however that ends.

    Raises BlockingIOError where another process has it, and OSError where it can't be opened."""
    held = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(held)
        raise
    return held
