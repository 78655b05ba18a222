"""`python -m tests.sweep.fingerprint [LOGS]`: what the engine makes of thousands of logs, a line
each, so that `diff` shows what a change of its structure has changed in what it says.

The hands and cases of the tests, so many logs of each kind of the sweep, and 2,000 fuzzed ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, Phase, given, seed, settings

from controller.contract.events import Event, encode_event
from controller.contract.observations import Observation, decode
from controller.engine.engine import Engine
from controller.library.books import Library, open_library
from tests.engine.table_logs import Line, logs, read
from tests.rules.coverage import read_case_files
from tests.rules.table_talk import Talk
from tests.sweep.__main__ import CONFIG
from tests.sweep.cases import KINDS

HANDS = Path(__file__).resolve().parents[1] / "hands"
FUZZED = 2_000

Told = tuple[str, list[Event]]


def played(engine: Engine, log: Iterable[Observation]) -> list[Event]:
    return [event for observation in log for event in engine.observe(observation)]


def hands(library: Library) -> Iterator[Told]:
    for path in sorted(HANDS.glob("*/*.jsonl")):
        for book in library.ids:
            engine = Engine(library.book, book)
            lines = [line for line in path.read_bytes().splitlines() if line.strip()]
            yield f"hand {path.stem} {book}", played(engine, map(decode, lines))


def cases(library: Library) -> Iterator[Told]:
    for file, all_of_it in read_case_files().items():
        for case in all_of_it:
            for book in case.books:
                talk = Talk(library, book, **case.table)
                talk.tell(case.log)
                yield f"case {file}: {case.name} ({book})", talk.events


def swept(library: Library, count: int) -> Iterator[Told]:
    for kind, make in KINDS.items():
        for number in range(count):
            if (case := make(number)) is None:
                continue
            lines = [decode(msgspec.json.encode(line)) for line in case.lines]
            for book in case.books:
                told = played(Engine(library.book, book), lines)
                yield f"sweep {kind} {number} {book}", told


def fuzzed(library: Library) -> list[Told]:
    told: list[Told] = []

    @seed(1)
    @settings(
        max_examples=FUZZED,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(lines=logs)
    def hear(lines: list[Line]) -> None:
        engine = Engine(library.book)
        told.append((f"fuzz {len(told)}", played(engine, read(lines))))

    hear()
    return told


def printed(told: Iterable[Told]) -> None:
    for name, events in told:
        digest = sha256(b"\n".join(map(encode_event, events))).hexdigest()[:16]
        sys.stdout.write(f"{digest} {len(events)} {name}\n")


if __name__ == "__main__":
    books = open_library(CONFIG)
    printed(hands(books))
    printed(cases(books))
    printed(swept(books, int(sys.argv[1]) if len(sys.argv) > 1 else 150))
    printed(fuzzed(books))
