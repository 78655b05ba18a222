"""Which antenna is which zone: what is suggested, and how it is written in a line. Pure.

A device's zones, buttons and lamps are named in its own order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from controller.contract.observations import nearest
from controller.contract.zones import BOARD_ZONES, SEAT_ZONES, SEATS, ZONES
from firmware_bridge.probe import Answer
from firmware_bridge.sensed import SeatButton

PILES = ("burn", "muck", "stub")
LABEL_SETS: tuple[tuple[SeatButton, ...], ...] = (
    ("fold",),
    ("fold", "call"),
    ("fold", "call", "raise"),
    ("fold", "call", "raise", "all-in"),
    ("fold", "check", "call", "raise", "all-in"),
    ("fold", "check", "call", "bet", "raise", "all-in"),
    ("fold", "check", "call", "bet", "raise", "all-in", "time"),
)
"""What a seat's buttons are likely to say, by how many there are."""

_RANGE = re.compile(r"(seat|board)/(\d{1,2})(?:-|\.\.|…)(?:\1/)?(\d{1,2})")

T = TypeVar("T")
Buttons = tuple[tuple[int, SeatButton], ...]


class Fitted(Struct, frozen=True):
    """A device with what its antennas, buttons (seat, label) and lamps (seat) are. One without
    zones and buttons is left out of the table."""

    answer: Answer
    zones: tuple[str, ...] = ()
    buttons: Buttons = ()
    lamps: tuple[int, ...] = ()


class AnswerError(ValueError):
    """An answer that can't be taken, in one line that says why."""


def wanted(seats: Sequence[int], board: int = 1) -> tuple[str, ...]:
    """The zones of a table with these seats and so many antennas under the board, in the order in
    which antennas are given to them."""
    row = BOARD_ZONES[1 : board + 1] if board > 1 else BOARD_ZONES[:1]
    return (*(f"seat/{seat}" for seat in seats), *row, *PILES)


def reads_pucks(answer: Answer) -> bool:
    """Whether a device reads the puck, and so may lie where another reads cards."""
    return answer.manner.family.reads == "puck"


def _reads_few(answer: Answer) -> bool:
    """Whether its antennas are for a player's cards, or one card, and not for piles."""
    family = answer.manner.family
    return family.reads == "cards" and family.most_tags is not None


def likely_seats(answers: Collection[Answer]) -> int:
    """How many seats the antennas that were found are likely to be for."""
    many = _on_boards(answers)
    few = _for_few(answers)
    if few:
        return min(max(few, 2), 10)
    return min(max(many - len(PILES) - 1, 2), 10) if many else 9


def likely_board(answers: Collection[Answer], seats: Sequence[int]) -> int:
    """How many antennas are likely to lie under the board: one, or one a card."""
    small = _for_few(answers) + _on_boards(answers)
    enough = small >= len(seats) + 5 + len(PILES) or _for_few(answers) >= len(seats) + 5
    return 5 if enough and not any(map(_reads_piles, answers)) else 1


def _for_few(answers: Collection[Answer]) -> int:
    return sum(each.zones for each in answers if _reads_few(each))


def _on_boards(answers: Collection[Answer]) -> int:
    return sum(each.zones for each in answers if each.manner.family.is_board)


def _reads_piles(answer: Answer) -> bool:
    """Whether it is a reader of cards, as many as lie there."""
    family = answer.manner.family
    return family.reads == "cards" and family.most_tags is None and not family.is_board


def suggest_zones(
    answers: Sequence[Answer], seats: Sequence[int], board: int = 1
) -> list[tuple[str, ...]]:
    """What the antennas of each device may be: seats first, then board, burn, muck and stub.

    Those that read few tags get the seats, and the others what is left. A reader of the puck lies
    under seat 1, say, where a reader of cards may be too; one of chips gets no zone.
    """
    left = list(wanted(seats, board))
    spare = [zone for zone in (*SEAT_ZONES, *BOARD_ZONES[1:]) if zone not in left]
    given: dict[str, tuple[str, ...]] = {}
    for each in sorted(answers, key=lambda each: not _reads_few(each)):
        family = each.manner.family
        if family.reads == "puck":
            given[each.port] = (f"seat/{seats[0]}",)
            continue
        free = left
        if family.reads == "chips":
            free = []
        elif family.is_board:
            free = [*left, *spare]
        elif _reads_few(each):
            free = [zone for zone in (*left, *spare) if zone.startswith(("seat/", "board/"))]
        given[each.port] = tuple(free[: each.zones])
        left = [zone for zone in left if zone not in given[each.port]]
        spare = [zone for zone in spare if zone not in given[each.port]]
    return [given[each.port] for each in answers]


def suggest_buttons(answer: Answer, zones: Sequence[str], seats: Sequence[int]) -> Buttons:
    """What a device's buttons may say: the same at each of the seats that it reads. Those that
    are too many for that are not in it; they come last."""
    if not answer.buttons:
        return ()
    read = [seat for seat in seats if f"seat/{seat}" in zones] or list(seats)
    read = read[: answer.buttons]
    each = min(answer.buttons // len(read), len(LABEL_SETS))
    return tuple((seat, label) for seat in read for label in LABEL_SETS[each - 1])


def suggest_lamps(answer: Answer, zones: Sequence[str], seats: Sequence[int]) -> tuple[int, ...]:
    """Whose lamps a device's may be: those of the seats that it reads."""
    read = [seat for seat in seats if f"seat/{seat}" in zones] or list(seats)
    return tuple(read[: answer.lamps])


def fill(found: dict[int, str], count: int, taken: Collection[str]) -> tuple[str, ...]:
    """The names of `count` antennas of which some are found; the others get what nobody has, for
    as long as there are names."""
    names = (*SEAT_ZONES[::-1], *BOARD_ZONES[:0:-1])
    return _filled(found, count, [zone for zone in names if zone not in taken])


def fill_buttons(
    found: dict[int, tuple[int, SeatButton]],
    count: int,
    taken: Collection[tuple[int, SeatButton]],
) -> Buttons:
    """What `count` buttons say of which some were pressed; like `fill`."""
    names = [(seat, label) for label in LABEL_SETS[-1][::-1] for seat in range(SEATS, 0, -1)]
    return _filled(found, count, [each for each in names if each not in taken])


def _filled(found: dict[int, T], count: int, names: Sequence[T]) -> tuple[T, ...]:
    free = iter([name for name in names if name not in found.values()])
    row: list[T] = []
    for number in range(count):
        if number in found:
            row.append(found[number])
        elif (name := next(free, None)) is not None:
            row.append(name)
        else:
            break
    return tuple(row)


def spell(zones: Iterable[str]) -> str:
    """Zones in a line, rows of them shortened: `seat/1-9 board burn`."""
    rows: list[list[str]] = []
    for zone in zones:
        before = rows[-1][-1] if rows else ""
        pile, _, number = before.partition("/")
        if number and zone == f"{pile}/{int(number) + 1}":
            rows[-1].append(zone)
        else:
            rows.append([zone])
    words = []
    for row in rows:
        last = row[-1].partition("/")[2]
        words.append(f"{row[0]}-{last}" if len(row) > 2 else " ".join(row))
    return " ".join(words)


def read_zones(text: str) -> tuple[str, ...]:
    """Zones as `spell` writes them; commas and `seat/1 … seat/9` will do too.

    Raises AnswerError.
    """
    text = re.sub(r"\s*(…|\.{2,3})\s*", "…", text)
    zones: list[str] = []
    for word in text.replace(",", " ").split():
        row = _RANGE.fullmatch(word)
        if row and int(row[2]) <= int(row[3]):
            zones += [f"{row[1]}/{number}" for number in range(int(row[2]), int(row[3]) + 1)]
        else:
            zones.append(word)
    for zone in zones:
        if zone not in ZONES:
            raise AnswerError(f"there is no zone {zone[:40]!r}{nearest(zone, ZONES)}")
        if zones.count(zone) > 1:
            raise AnswerError(f"{zone} is listed twice")
    return tuple(zones)


def check_zones(zones: Sequence[str], answer: Answer, taken: Collection[str]) -> None:
    """Raises AnswerError where a device can't have these zones."""
    exact = answer.manner.family.is_board
    if len(zones) > answer.zones or (exact and len(zones) < answer.zones):
        has = f"{answer.zones} antenna{'s'[: answer.zones != 1]}"
        were = "1 was" if len(zones) == 1 else f"{len(zones)} were"
        raise AnswerError(f"it has {has}{'' if exact else ' at most'}, but {were} named")
    for zone in zones:
        if zone in taken and not reads_pucks(answer):
            raise AnswerError(f"{zone} already belongs to another device")
