"""A journal of which the end is missing: the table goes on, and nothing is claimed of anybody."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.contract.events import Finding, Start
from controller.contract.observations import (
    Award,
    Gap,
    Gone,
    Observation,
    Riffle,
    Seen,
    Table,
    TableSeat,
)
from controller.library.books import Library
from tests.engine.table_logs import read
from tests.journal.test_recorder import a_table
from tests.sweep.nights.evening import night
from tests.sweep.nights.tables import log_of

HANDS = 4
CUTS = 6
MISSED_S = 3.0


@pytest.fixture(scope="module")
def log() -> list[Observation]:
    """A few hands in which nothing was wrong."""
    lines, _ = log_of(night(5, HANDS))
    return list(read(lines))


def t_of(observation: Observation) -> float:
    return observation.t or 0.0


def after(seconds: float, log: Sequence[Observation]) -> list[Observation]:
    return [replace(observation, t=t_of(observation) + seconds) for observation in log]


def lying(log: Sequence[Observation]) -> list[Seen]:
    """What lies on the table at its end."""
    last = {o.tag: o for o in log if isinstance(o, Seen | Gone)}
    return [o for o in last.values() if isinstance(o, Seen)]


def forgotten(table: Observation, t: float, there: Sequence[Seen]) -> list[Observation]:
    """What the table tells where all is lost but the numbers (`SetUp.begin`)."""
    assert isinstance(table, Table)
    seats = tuple(TableSeat(seat=seat) for seat in range(1, 11))
    told: list[Observation] = [replace(table, seats=seats, under_way=True)]
    if not any(seen.zone.startswith("seat/") for seen in there):
        told.append(Award(kind="dealer", t=t))
    return told


def go_on(
    library: Library, folder: Path, log: list[Observation], until: int, lines: int
) -> list[int]:
    """The table is started again on what is left, of so many lines, and the rest of the log is
    played. The numbers of its hands."""
    before, rest = log[:until], log[until:]
    there, t = lying(before), max(map(t_of, before)) + MISSED_S
    played = sum(isinstance(o, Riffle) for o in before)
    service, restored, journal, engine = a_table(
        library, folder, is_cut=lambda journal: journal.head.n < lines
    )
    with closing(journal):
        engine.count_on(max(journal.counters.hands, played), 0)
        if restored.is_new:
            for told in forgotten(log[0], t, there):
                service.observe(told)
        else:
            service.observe(Gap(t=t, since=min(restored.t, t), why="restart"))
        known = {(seen.zone, seen.tag) for seen in engine.lying() if isinstance(seen, Seen)}
        for zone, tag in known - {(seen.zone, seen.tag) for seen in there}:
            service.observe(Gone(t, zone, tag))
        for seen in there:
            service.observe(replace(seen, t=t))
        for observation in after(MISSED_S + 1, rest):
            service.observe(observation)
    assert not [event for event in engine.said if isinstance(event, Finding)]
    return [event.hand for event in engine.said if isinstance(event, Start)]


@pytest.mark.parametrize("share", [0.45, 0.62, 0.8])
@pytest.mark.parametrize("file", ["journal", "journal-wal"])
def test_wherever_a_file_is_cut(
    library: Library, tmp_path: Path, log: list[Observation], share: float, file: str
) -> None:
    until = int(share * len(log))
    whole = tmp_path / "whole"
    whole.mkdir()
    service, _, journal, _ = a_table(library, whole)
    for observation in log[:until]:
        service.observe(observation)
    size = (whole / file).stat().st_size
    for n in range(CUTS):
        folder = tmp_path / str(n)
        shutil.copytree(whole, folder)
        with (folder / file).open("r+b") as cut:
            cut.truncate(n * size // CUTS)
        hands = go_on(library, folder, log, until, journal.head.n)
        assert hands == sorted(set(hands))
    journal.close()
