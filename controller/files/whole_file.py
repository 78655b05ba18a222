"""A file that is there whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, text: str) -> None:
    """Writes a file, whole or not at all, and readable by its owner alone. Raises OSError."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    target = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(target, "w") as writing:
        writing.write(text)
        writing.flush()
        os.fsync(writing.fileno())
    fresh.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
