"""What can be answered to the questions about a table; all raise AnswerError."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path

from controller.contract.messages import TABLE_STATE
from controller.contract.observations import nearest
from controller.contract.zones import SEATS
from controller.install.init_plan import AnswerError
from controller.table.attached import LABELS
from firmware_bridge.families import FAMILIES
from firmware_bridge.family import Family
from firmware_bridge.sensed import SeatButton

MOST_CHIPS = 1_000_000_000
NONE = "none"
HERE = "this machine"


def table_id(text: str) -> str:
    """A table's name, as topics allow it."""
    try:
        TABLE_STATE.name("site", text)
    except ValueError as error:
        raise AnswerError(str(error)) from None
    return text


def site(text: str) -> str:
    """A site's name, likewise."""
    try:
        TABLE_STATE.name(text, "table")
    except ValueError as error:
        raise AnswerError(str(error)) from None
    return text


def seats(text: str) -> tuple[int, ...]:
    """`9`, or the seats that there are: `1 2 4 5`."""
    words = text.replace(",", " ").split()
    if not words or not all(word.isdecimal() and len(word) < 3 for word in words):
        raise AnswerError("a number of seats, 2 to 10, or the seats there are: 1 2 4 5")
    numbers = [int(word) for word in words]
    if len(numbers) == 1:
        numbers = list(range(1, numbers[0] + 1))
    if not 2 <= len(numbers) <= SEATS or not all(1 <= seat <= SEATS for seat in numbers):
        raise AnswerError(f"a table has 2 to {SEATS} seats")
    if len(set(numbers)) < len(numbers):
        raise AnswerError("a seat is listed twice")
    return tuple(numbers)


def blinds(text: str) -> tuple[int, int]:
    """`25/50`."""
    found = re.fullmatch(r"(\d{1,10})\s*[/ ]\s*(\d{1,10})", text)
    if not found:
        raise AnswerError("small and big blind in chips, such as 25/50")
    small, big = int(found[1]), int(found[2])
    if not 0 < big <= MOST_CHIPS:
        raise AnswerError(f"the big blind has to be 1 to {MOST_CHIPS}")
    if small > big:
        raise AnswerError("the small blind is more than the big one")
    return small, big


def board(text: str) -> int:
    """How many antennas lie under the board."""
    if text not in {"1", "5"}:
        raise AnswerError("1, or 5 (one per card)")
    return int(text)


def one_of(names: Collection[str], what: str) -> Callable[[str], str]:
    """One of these names."""

    def parse(text: str) -> str:
        if text not in names:
            raise AnswerError(
                f"there is no {what} {text[:40]!r}{nearest(text, names) or ': ' + ', '.join(names)}"
            )
        return text

    return parse


def rulebook(names: Collection[str], folder: Path) -> Callable[[str], str]:
    """One of these books, or a house's own file, whose path counts from `folder`."""

    def parse(text: str) -> str:
        if not text.endswith(".toml"):
            return one_of(names, "rule book")(text)
        if not (folder / text).is_file():
            raise AnswerError(f"{folder / text}: no such file")
        return text

    return parse


def labels(text: str) -> tuple[SeatButton, ...]:
    """What a seat's buttons say, in order."""
    found: list[SeatButton] = []
    for word in text.replace(",", " ").split():
        one_of(LABELS, "label")(word)
        found += [label for label in LABELS if label == word]
    if len(set(found)) < len(found):
        raise AnswerError("a label is listed twice")
    if not found:
        raise AnswerError(f"some of {', '.join(LABELS)}")
    return tuple(found)


def reader(text: str) -> Family | None:
    """What sits at a port where nobody answers; None if nothing."""
    if text == NONE:
        return None
    return FAMILIES[one_of((NONE, *FAMILIES), "reader")(text)]


def broker(text: str) -> tuple[str, int | None] | None:
    """`none`, `this machine`, or `HOST` or `HOST:PORT`."""
    if text in {NONE, "-"}:
        return None
    if text in {HERE, "here"}:
        return "localhost", None
    found = re.fullmatch(r"(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]{1,190})(?::(\d{1,5}))?", text)
    if not found:
        close = nearest(text, (NONE, HERE))
        raise AnswerError(f"{text[:40]!r} is not a host name{close or f': or {NONE}, or {HERE}'}")
    if found[2] and not 1 <= int(found[2]) <= 65535:
        raise AnswerError(f"{found[2]} is not a port: 1 to 65535")
    return found[1], int(found[2]) if found[2] else None
