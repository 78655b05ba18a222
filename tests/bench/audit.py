"""What the auditor's record costs: time for each line, bytes for each hour of play."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from controller.contract.observations import Observation, Seen
from controller.library.books import Library
from controller.storage.journal import Journal
from controller.storage.sealing import Opener, Sealer, new_secret
from tests.audit.tables import AuditedTable, with_uids
from tests.bench.figures import Figure
from tests.journal.lines import append
from tests.sweep.nights.evening import night
from tests.sweep.nights.tables import log_of

HANDS = 40
LINES = 200


def measure(library: Library, rounds: int) -> list[Figure]:
    """Sealing beside one durable commit of the same lines, and a night with and without a key."""
    sealed, bare, taken = [], [], []
    for _ in range(rounds):
        sealed.append(median(commits(sealing=True)))
        bare.append(median(commits(sealing=False)))
        taken.append(_sealing_s())
    log, _ = log_of(night(3, HANDS))
    observed = with_uids(log)
    hours = max(each.t or 0.0 for each in observed) / 3_600
    written_bare, _ = _night(library, observed, None)
    written, boxes = _night(library, observed, new_secret())
    return [
        Figure("a durable commit of one line, median", 1e6 * median(bare), "µs"),
        Figure("… with what is sealed beside it", 1e6 * median(sealed), "µs"),
        Figure("sealing one line alone", 1e6 * median(taken), "µs"),
        Figure("… ÷ the bare commit", median(taken) / median(bare), "", 1.0),
        Figure(f"hands an hour in a night of {HANDS}", HANDS / hours, ""),
        Figure("journal: written an hour without an auditor", written_bare / hours / 2**20, "MiB"),
        Figure("journal: written an hour with one", written / hours / 2**20, "MiB"),
        Figure("sealed lines: kept of a hand", boxes / HANDS / 2**10, "KiB"),
    ]


def commits(*, sealing: bool, count: int = LINES, pace_s: float = 0.0) -> list[float]:
    """Seconds of each commit of a line; each follows the one before after `pace_s`."""
    sealer, took = Sealer(Opener(new_secret()).public), []
    with (
        TemporaryDirectory() as folder,
        closing(Journal.open(Path(folder) / "journal", report=_silent)) as journal,
    ):
        for number in range(count):
            time.sleep(pace_s)
            seen, line = _a_reading(number)
            began = time.perf_counter()
            box = sealer.observation(seen, line) if sealing else b""
            append(journal, line, hand=1, counters=journal.counters, box=box)
            took.append(time.perf_counter() - began)
    return took


def _sealing_s() -> float:
    sealer, took = Sealer(Opener(new_secret()).public), []
    for number in range(LINES):
        seen, line = _a_reading(number)
        began = time.perf_counter()
        sealer.observation(seen, line)
        took.append(time.perf_counter() - began)
    return median(took)


def _a_reading(number: int) -> tuple[Seen, bytes]:
    return Seen(float(number), "seat/3", "E004015012345678"), b"x" * 84


def _night(
    library: Library, observed: Sequence[Observation], secret: bytes | None
) -> tuple[int, int]:
    """Bytes written for a night, and bytes that the sealed lines have then."""
    with TemporaryDirectory() as folder:
        before = _written()
        table = AuditedTable(library, Path(folder), secret)
        for observation in observed:
            table.service.observe(observation)
        table.journal.close()
        written = _written() - before
        with closing(Journal.open(Path(folder) / "journal", report=_silent)) as journal:
            [[boxes]] = journal._database.rows("SELECT total(length(box) + 50) FROM sealed")
    return written, int(boxes)


def _written() -> int:
    """Bytes that this process has handed to the kernel."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("wchar")).split()[1])


def _silent(_line: str) -> None:
    """A new journal has nothing to report."""
