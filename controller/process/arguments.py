"""How a command reads its arguments, and how it says what is wrong with them."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


class ArgumentParser(argparse.ArgumentParser):
    """Tells a mistake in one line, `cutcard NAME: fault`, and ends with status 2."""

    def error(self, message: str) -> NoReturn:
        """See the class."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


def duration(text: str) -> float:
    """A time in seconds, from `30s`, `10m` or `2h`: an argument's `type`."""
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([smh])", text)
    if match is None or not float(match[1]):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a time like 30s, 10m or 2h")
    return float(match[1]) * _UNITS[match[2]]
