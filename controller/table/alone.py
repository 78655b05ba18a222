"""One service at a time has a table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.process.lock import lock


class NotAloneError(Exception):
    """Another process has the table, or that can't be told; one line says so."""


@contextmanager
def alone(keys: Path) -> Iterator[None]:
    """A context in which no other process has the table whose `keys` are in this folder, which is
    made. It ends with the process, however that ends. Raises NotAloneError."""
    try:
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = lock(keys, os.O_RDONLY | os.O_DIRECTORY)
    except BlockingIOError:
        raise NotAloneError("this table's service runs already") from None
    except OSError as error:
        raise NotAloneError(f"{error.filename}: {error.strerror} ([journal] keys)") from None
    try:
        yield
    finally:
        os.close(held)
