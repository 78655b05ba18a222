"""`python -m tests.sweep [LOGS] [FIRST]`: so many logs of each kind against the engine;
`python -m tests.sweep nights [NIGHTS] [FIRST]`: so many whole nights (`nights/`).

Says what is not as expected, the most frequent first, and keeps one log of each among the
temporary files.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from tempfile import gettempdir

from controller.library.books import open_library
from tests.sweep.cases import KINDS, Case, faults
from tests.sweep.nights import measuring as nights

CONFIG = Path(__file__).resolve().parents[2] / "config"


def main(logs: int, first: int) -> int:
    """Runs the sweep; returns its exit status, 1 if anything is not as expected."""
    library = open_library(CONFIG)
    counts: Counter[tuple[str, str]] = Counter()
    kept: dict[tuple[str, str], tuple[int, str, Case]] = {}
    total = 0
    for kind, make in KINDS.items():
        for number in range(first, first + logs):
            case = make(number)
            if case is None:
                continue
            total += len(case.books)
            for book, fault in faults(library, case):
                counts[kind, fault] += 1
                kept.setdefault((kind, fault), (number, book, case))
    folder = Path(gettempdir()) / "sweep"
    for n, ((kind, fault), count) in enumerate(counts.most_common()):
        number, book, case = kept[kind, fault]
        folder.mkdir(exist_ok=True)
        lines = [{**case.lines[0], "rulebook": book}, *case.lines[1:]]
        log = folder / f"{n}.jsonl"
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        where = f"{kind} {number}, {book}, {log}"
        sys.stdout.write(f"{count} {kind} {case.name}: {fault} ({where})\n")
    sys.stdout.write(f"{total - counts.total()} of {total} as expected\n")
    return bool(counts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["nights"]:
        nights.main(*(int(word) for word in sys.argv[2:]))
        sys.exit()
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(numbers + [500, 0][len(numbers) :])))
