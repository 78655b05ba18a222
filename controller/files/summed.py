"""What is copied is summed on the way."""

from __future__ import annotations

import hashlib
from typing import IO

_PIECE = 1 << 20


def copy_summed(reading: IO[bytes], writing: IO[bytes], most: int) -> tuple[int, str]:
    """Copies to the end; returns how many bytes there were, and their SHA-256. It stops soon after
    `most`, where there are more. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    while size <= most and (piece := reading.read(_PIECE)):
        digest.update(piece)
        size += len(piece)
        writing.write(piece)
    return size, digest.hexdigest()
