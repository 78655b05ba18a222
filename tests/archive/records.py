"""Real hands, as tables have told them and the archive gives them back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from controller.archive.fold import finding_of, fold_finding, fold_hand
from controller.archive.kept import HandRecord, KeptEvent
from controller.contract.events import Event
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.replay.log import read_log

HANDS = Path(__file__).parents[1] / "hands"
BEGAN_MS = 1_700_000_000_000


def heard(events: Sequence[Event], table: str = "T1") -> list[KeptEvent]:
    return [
        KeptEvent(table, "1-18a0", seq, BEGAN_MS + int(event.t * 1_000), event)
        for seq, event in enumerate(events, 1)
    ]


def record(told: Sequence[KeptEvent]) -> HandRecord:
    """One hand's events as a store would give them back."""
    ids = dict.fromkeys(finding_of(each.event) for each in told)
    findings = tuple(
        fold_finding([each for each in told if finding_of(each.event) == number])
        for number in ids
        if number is not None
    )
    return HandRecord(replace(fold_hand(told), findings=findings), tuple(told))


def played(library: Library, path: Path) -> list[Event]:
    engine = Engine(library.book)
    with path.open("rb") as log:
        return [e for _, each in read_log(path.name, log, []) for e in engine.observe(each)]


def records(library: Library, path: Path) -> list[HandRecord]:
    told = heard(played(library, path))
    hands = dict.fromkeys(each.event.hand for each in told)
    return [record([each for each in told if each.event.hand == hand]) for hand in hands]
