"""A new PIN, typed by a person: twice on a terminal, else once on standard input."""

from __future__ import annotations

import getpass
import sys

from controller.people.pins import hashed


class PinError(ValueError):
    """What was typed is no PIN, or not the same twice."""


def typed(name: str) -> str:
    """The hash of the PIN that is typed for somebody. Raises PinError."""
    try:
        if sys.stdin.isatty():
            pin = getpass.getpass(f"PIN for {name}: ")
            kept = hashed(pin)
            if getpass.getpass("Repeat it: ") != pin:
                raise PinError("the PINs don't match; nothing was written")
            return kept
        return hashed(sys.stdin.readline().rstrip("\r\n"))
    except EOFError:
        raise PinError("no PIN given; nothing was written") from None
    except ValueError as error:
        raise PinError(str(error)) from None
