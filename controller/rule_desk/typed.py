"""What people type of a wager: amounts, chips, and what was said. Pure."""

from __future__ import annotations

import re
from typing import Literal, get_args

from controller.contract.wagered import Word

USUAL_BOOK = "uk-tda"
"""By which is judged where nobody says otherwise."""
WORDS: tuple[Word, ...] = tuple(word for word in get_args(Word) if word)
"""What may be said."""
MOST_CHIPS = 1_000
"""In one motion."""
_APART = re.compile(r"[,. '’\u00a0\u202f]")
"""What languages set thousands apart with."""
_AMOUNT = re.compile(rf"[0-9]{{1,12}}|[0-9]{{1,3}}(?:{_APART.pattern}[0-9]{{3}}){{1,3}}")
_CHIP = re.compile(r"(?:([0-9]{1,4})\s*x\s*)?([0-9]{1,12})")


class TypedError(ValueError):
    """What was typed is none of its `kind`; the message says so in English."""

    def __init__(self, kind: Literal["amount", "chips", "many", "said"], words: str) -> None:
        super().__init__(words)
        self.kind = kind


def usual_increment(big: int, bet: int) -> int:
    """What a bet raised by where that is not said: all of it, if nobody raised it."""
    return max(big, bet)


def amount(text: str) -> int:
    """`1,500` as a number of chips; raises TypedError."""
    if not _AMOUNT.fullmatch(text.strip()):
        raise TypedError("amount", f"{text!r} is no number of chips")
    return int(_APART.sub("", text.strip()))


def chips(text: str) -> tuple[int, ...]:
    """`1000,5x100` as chips by their values; raises TypedError."""
    found: list[int] = []
    for part in re.split("[,;+]", text):
        chip = _CHIP.fullmatch(part.strip().lower())
        if chip is None or not int(chip[2]):
            raise TypedError(
                "chips", f"{part.strip()!r} is no chip: write 1000, or 5x100 for five of them"
            )
        found += [int(chip[2])] * int(chip[1] or 1)
        if len(found) > MOST_CHIPS:
            raise TypedError("many", f"more than {MOST_CHIPS} chips in one motion")
    return tuple(found)


def said(text: str) -> tuple[Word, int | None]:
    """`raise 1,500` as a word and an amount, each of which may be missing; raises TypedError."""
    parts = text.lower().split()
    amounts = [amount(part) for part in parts if part[:1].isdigit()]
    named = [part for part in parts if not part[:1].isdigit()]
    word = next((word for word in WORDS if named == [word]), None)
    if len(amounts) > 1 or (named and word is None):
        listed = ", ".join(WORDS)
        raise TypedError("said", f"{text!r} is not one of {listed}, an amount, or both")
    return word or "", amounts[0] if amounts else None
