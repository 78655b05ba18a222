"""What dealer and floor say at a terminal, where no antenna tells of cards at the seats."""

from __future__ import annotations

import getpass
import sys
import time

from controller.install.bench import BenchError
from controller.people.pins import TRIES, is_pin, nobody, wait_after
from controller.table.config import TableConfig

OPTION = "--no-hand"
HELP = (
    "where no antenna tells whether cards lie at the seats: dealer and floor say at this terminal "
    "that no hand is played (while the table's service runs they say so at the dealer's screen)"
)
_WORDS = "no hand"


def confirm(config: TableConfig) -> None:
    """Asks dealer and floor; the floor proves itself by PIN, where the table knows any. Raises
    BenchError where one of them does not say so, and ConfigError."""
    people = config.read_floor()
    _ask(f"Dealer: is no hand being played? Type {_WORDS!r}: ")
    if not people:
        _ask(f"Floor: is no hand being played? Type {_WORDS!r}: ")
        return
    name = _line(f"Floor: who are you ({', '.join(people)})? ")
    kept = people.get(name, nobody())
    for wrong in range(1, TRIES + 1):
        if is_pin(kept, _pin(name)) and name in people:
            return
        time.sleep(wait_after(wrong, 1) / 10)
    raise BenchError("that is not a floorperson's PIN: nothing is named")


def _ask(question: str) -> None:
    if _line(question).lower() != _WORDS:
        raise BenchError("a hand may be on: nothing is named")


def _line(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _pin(name: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"PIN of {name}: ")
    return _line(f"PIN of {name}: ")
