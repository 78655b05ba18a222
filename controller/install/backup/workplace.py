"""A folder in which a backup is made or unpacked."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ENDS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}


@contextmanager
def workplace(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, of this user alone, which is gone in the end. Whoever ends us finds
    none of it: signals wait while it is made and taken away, in a process of one thread."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
    try:
        with tempfile.TemporaryDirectory(prefix=".cutcard-", dir=parent) as folder:
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                yield Path(folder)
            finally:
                signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
