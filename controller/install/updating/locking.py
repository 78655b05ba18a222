"""One at a time changes what is installed on a machine."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.install.updating.steps import UpdateError


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """A context in which nobody else does. Raises UpdateError where somebody does, and OSError."""
    held = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UpdateError("another update or rollback is under way") from None
        yield
    finally:
        os.close(held)
