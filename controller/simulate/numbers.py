"""Numbers among a command's arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def number(
    least: float, most: float, kind: type[int] | type[float] = float
) -> Callable[[str], float]:
    """Reads one from `least` to `most`."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number from {least:g} to {most:g}")
        return value

    return read
