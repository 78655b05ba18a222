"""One at a time changes what is installed on a machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.install.updating.steps import UpdateError
from controller.process.lock import lock


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """A context in which nobody else does; the folder is made. Raises UpdateError where somebody
    does, and OSError."""
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    try:
        held = lock(folder / "lock", os.O_RDWR | os.O_CREAT)
    except BlockingIOError:
        raise UpdateError("another update or rollback is under way") from None
    try:
        yield
    finally:
        os.close(held)
