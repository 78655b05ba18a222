"""Searches and pages of a large history, in SQLite and in PostgreSQL, with a server of its own.

Each search is asked twice: the first time nothing of it was read before by this process, though the
machine may have some of the file in memory.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from controller.archive.kept import Archive, Query
from controller.archive.opening import open_archive
from tests.archive.big_night import BEGAN_MS, night
from tests.archive.servers import binaries, new_database, running
from tests.bench.figures import Figure
from tests.web.past import Past

MOST_MS = 100.0
PAGES = (
    "/history",
    "/history?table=T7",
    "/history?code=burn-missing",
    "/history?person=dealer+7",
    "/history?found=1",
    "/history?text=complete",
    "/history?text=zyzzyva",
    "/history/T7/412",
    "/statistics",
)


def missing() -> str:
    """What this can't be measured without, and is not there."""
    return "" if binaries() else "PostgreSQL (Debian's package postgresql)"


def measure(
    events: int, *, postgres: bool, store: Path | None, say: Callable[[str], None]
) -> list[Figure]:
    """So many events are kept and searched in SQLite, and with `postgres` in PostgreSQL as well. A
    `store` that is there already is only searched."""
    if store is not None and store.exists():
        return _searched("SQLite", str(store), say)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        file = store or Path(folder) / "history.sqlite"
        figures += _kept("SQLite", str(file), events, say)
        size = file.stat().st_size / events
        figures.append(Figure("SQLite, the file, an event", size, "bytes"))
        figures += _searched("SQLite", str(file), say)
    if postgres:
        with running() as server:
            database = new_database(server, "history")
            figures += _kept("PostgreSQL", database, events, say)
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")  # which it does by itself, but when it likes
                row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
                assert row is not None
                size = row[0] / events
                figures.append(Figure("PostgreSQL, the database, an event", size, "bytes"))
            figures += _searched("PostgreSQL", database, say)
    return figures


def _kept(name: str, store: str, events: int, say: Callable[[str], None]) -> list[Figure]:
    archive = open_archive(store)
    spent, made, told = 0.0, 0, 0.0
    for batch in night(events):
        began = time.perf_counter()
        archive.add(batch)
        spent, made = spent + time.perf_counter() - began, made + len(batch)
        if spent - told > 10:
            told = spent
            say(f"{name}: {made:,} of {events:,} events kept, {made / spent:,.0f} a second")
    archive.close()
    return [Figure(f"{name}, {made:,} events kept: an event", spent / made * 1e6, "µs")]


def _searches(archive: Archive) -> Iterator[tuple[str, Callable[[], object]]]:
    last = archive.search(Query(), limit=1).hands[0]
    middle = archive.search(Query(table="T7")).hands[0].hand // 2
    since = (BEGAN_MS + last.first_ms) // 2
    for name, query, limit in (
        ("newest 50", Query(), 50),
        ("newest 200 of a table", Query(table="T7"), 200),
        ("an hour in the middle", Query(since_ms=since, until_ms=since + 3_600_000), 50),
        ("a code", Query(code="burn-missing"), 50),
        ("a code at a table", Query(code="four-card-flop", table="T3"), 50),
        ("a code that never was", Query(code="joker-x"), 50),
        ("a dealer", Query(person="dealer 7"), 50),
        ("a floorperson", Query(person="floor 3"), 50),
        ("with a finding", Query(found=True), 50),
        ("hand 412 of every table", Query(hand=412), 50),
        ("text that is in nearly all", Query(text="complete"), 50),
        ("text: a card of the board", Query(text="ah"), 50),
        ("text: two words", Query(text="burn restore"), 50),
        ("text that is nowhere", Query(text="zyzzyva"), 50),
    ):
        yield name, lambda query=query, limit=limit: archive.search(query, limit=limit)  # type: ignore[misc]
    page = archive.search(Query(until_ms=since), limit=1)
    yield "a page far down", lambda: archive.search(Query(), limit=200, cursor=page.cursor)
    yield "one hand whole", lambda: archive.hand("T7", middle)
    yield "what is missing", archive.gaps


def _searched(name: str, store: str, say: Callable[[str], None]) -> list[Figure]:
    slowest, what = 0.0, ""
    reader = open_archive(store, read_only=True)
    for search, ask in _searches(reader):
        took = [_ms(ask) for _ in range(2)]
        say(f"{name}: {search:28} {took[0]:8.1f} ms, again {took[1]:8.1f} ms")
        if took[0] > slowest:
            slowest, what = took[0], search
    reader.close()
    figures = [Figure(f"{name}, the slowest search ({what})", slowest, "ms", MOST_MS)]
    slowest, what = 0.0, ""
    with Past(store) as past:
        past.answer("/history", "director")
        for path in PAGES:
            took = [_ms(lambda path=path: past.answer(path, "director")) for _ in range(2)]  # type: ignore[misc]
            say(f"{name}: {path:28} {took[0]:8.1f} ms, again {took[1]:8.1f} ms")
            if took[0] > slowest:
                slowest, what = took[0], path
    return [*figures, Figure(f"{name}, the slowest page ({what})", slowest, "ms", MOST_MS)]


def _ms(ask: Callable[[], object]) -> float:
    began = time.perf_counter()
    ask()
    return (time.perf_counter() - began) * 1_000
