"""A night as big as they come, put into an archive and searched: `python -m tests.archive.big_night
STORE --events 10000000`. It prints what was measured."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from controller.archive.kept import Archive, KeptEvent, Query
from controller.archive.opening import is_postgres, open_archive
from controller.contract.events import Closed, Event, Finding, Ruling, Start
from controller.engine.engine import Engine
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.replay.log import read_log

_HANDS = Path(__file__).parents[1] / "hands"
_TABLES = 40
_FAULTY = 50
"""One hand of so many has an irregularity."""
_BEGAN_MS = 1_700_000_000_000


def _templates(folder: str) -> list[list[Event]]:
    library = open_library(config_dir())
    found = []
    for path in sorted((_HANDS / folder).glob("*.jsonl")):
        engine = Engine(library.book)
        with path.open("rb") as log:
            told = [e for _, each in read_log(path.name, log, []) for e in engine.observe(each)]
        first = [event for event in told if event.hand == told[0].hand]
        if len(first) > 10:
            found.append(first)
    return found


def night(count: int) -> Iterator[list[KeptEvent]]:
    """Batches as they come in: of 40 tables in turn, some hands each."""
    clean, faulty = _templates("clean"), _templates("faults")
    hands, findings, seqs = [0] * _TABLES, [0] * _TABLES, [0] * _TABLES
    made = 0
    n = 0
    batch: list[KeptEvent] = []
    while made < count:
        table = n % _TABLES
        played = faulty[n % len(faulty)] if n % _FAULTY == 0 else clean[n % len(clean)]
        n += 1
        hands[table] += 1
        top = 0
        at = _BEGAN_MS + hands[table] * 120_000 + table * 1_000
        for event in played:
            fields: dict[str, object] = {"hand": hands[table]}
            if isinstance(event, Start):
                fields |= {"dealer": f"Dealer {(n * 7) % 90}", "redeal_of": None}
            if isinstance(event, Finding | Ruling | Closed):
                top = max(top, event.id)
                fields["id"] = findings[table] + event.id
            seqs[table] += 1
            when = at + int(1_000 * (event.t - played[0].t))
            by = f"Floor {n % 9}" if isinstance(event, Closed) else None
            batch.append(
                KeptEvent(f"T{table}", "1-18a0", seqs[table], when, replace(event, **fields), by)
            )
        findings[table] += top
        made += len(played)
        if len(batch) >= 500:
            yield batch
            batch = []
    if batch:
        yield batch


def _fill(archive: Archive, count: int) -> None:
    spent, made, slowest = 0.0, 0, 0.0
    for index, batch in enumerate(night(count)):
        began = time.perf_counter()
        archive.add(batch)
        took = time.perf_counter() - began
        spent, made, slowest = spent + took, made + len(batch), max(slowest, took)
        if index % 1_000 == 999:
            _say(f"{made:>12,} events, {made / spent:,.0f} a second in the store")
    _say(f"{made:,} events in {spent:.0f} s: {made / spent:,.0f} a second")
    _say(f"slowest batch {slowest * 1_000:.0f} ms")


def _searches(archive: Archive) -> Iterator[tuple[str, Callable[[], object]]]:
    last = archive.search(Query(), limit=1).hands[0]
    middle = archive.search(Query(table="T7")).hands[0].hand // 2
    since = (_BEGAN_MS + last.first_ms) // 2
    cases: Sequence[tuple[str, Query]] = (
        ("newest 50", Query()),
        ("newest 200 of a table", Query(table="T7")),
        ("an hour in the middle", Query(since_ms=since, until_ms=since + 3_600_000)),
        ("a code", Query(code="burn-missing")),
        ("a code at a table", Query(code="four-card-flop", table="T3")),
        ("a code that never was", Query(code="joker-x")),
        ("a dealer", Query(person="dealer 7")),
        ("a floorperson", Query(person="floor 3")),
        ("with a finding", Query(found=True)),
        ("hand 412 of every table", Query(hand=412)),
        ("text that is common", Query(text="dealer")),
        ("text that is nowhere", Query(text="zyzzyva")),
    )
    for name, query in cases:
        limit = 200 if "200" in name else 50
        yield name, lambda query=query, limit=limit: archive.search(query, limit=limit)  # type: ignore[misc]
    page = archive.search(Query(since_ms=None, until_ms=since), limit=1)
    yield "a page far down", lambda: archive.search(Query(), limit=200, cursor=page.cursor)
    yield "one hand whole", lambda: archive.hand("T7", middle)
    yield "gaps", archive.gaps


def _search(archive: Archive) -> None:
    for name, ask in _searches(archive):
        began = time.perf_counter()
        found = ask()
        first = time.perf_counter() - began
        began = time.perf_counter()
        ask()
        again = time.perf_counter() - began
        count = len(getattr(found, "hands", ()) or getattr(found, "told", ()) or ())
        _say(f"{name:28} {first * 1_000:8.1f} ms, again {again * 1_000:8.1f} ms  ({count})")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--events", type=int, default=10_000_000, help="0: search what is there")
    given = parser.parse_args()
    archive = open_archive(given.store)
    if given.events:
        _fill(archive, given.events)
    archive.close()
    if not is_postgres(given.store):
        _say(f"file: {Path(given.store).stat().st_size / 1e6:,.0f} MB")
    reader = open_archive(given.store, read_only=True)
    _search(reader)
    reader.close()
    _say(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
