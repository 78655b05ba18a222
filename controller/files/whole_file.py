"""A file that is there whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, content: str | bytes) -> None:
    """Writes a file, whole or not at all, and readable by its owner alone. Raises OSError."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    target = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(target, "wb") as writing:
        writing.write(content.encode() if isinstance(content, str) else content)
        writing.flush()
        os.fsync(writing.fileno())
    fresh.replace(file)
    sync(file.parent)


def sync(path: Path) -> None:
    """A file or a folder as it is now outlives a power cut. Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
