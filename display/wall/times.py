"""Lengths of time as a wall shows them."""

from __future__ import annotations

from math import ceil


def time_text(ms: float) -> str:
    """A length of time: 12:34, or 1:02:03 from an hour on. A second begun is a second."""
    minutes, seconds = divmod(ceil(ms / 1000), 60)
    if minutes < 60:
        return f"{minutes:02}:{seconds:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
