"""One service at a time has a table."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NotAloneError(Exception):
    """Another process has the table, or that can't be told; one line says so."""


@contextmanager
def alone(keys: Path) -> Iterator[None]:
    """A context in which no other process has the table whose `keys` are in this folder, which is
    made. It ends with the process, however that ends. Raises NotAloneError."""
    try:
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = os.open(keys, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise NotAloneError(f"{error.filename}: {error.strerror} ([journal] keys)") from None
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotAloneError("this table's service runs already") from None
        yield
    finally:
        os.close(held)
