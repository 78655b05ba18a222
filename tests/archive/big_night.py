"""A night as big as they come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from controller.archive.kept import KeptEvent
from controller.contract.events import Closed, Event, Finding, Ruling, Start
from controller.engine.engine import Engine
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.replay.log import read_log

_HANDS = Path(__file__).parents[1] / "hands"
_TABLES = 40
_FAULTY = 49
"""One hand of so many has an irregularity, at every table some."""
BEGAN_MS = 1_700_000_000_000


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
        bad, good = faulty[n // _FAULTY % len(faulty)], clean[n % len(clean)]
        played = bad if n % _FAULTY == 0 else good
        n += 1
        hands[table] += 1
        top = 0
        at = BEGAN_MS + hands[table] * 120_000 + table * 1_000
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
