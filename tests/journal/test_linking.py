"""Who has the journal and nothing else learns no card that lay face down, though everybody saw the
same card on another hand's board."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.contract.events import Board, Event, Tabled
from controller.library.books import Library
from tests.engine.table_logs import read
from tests.journal.lines import kept as kept_lines
from tests.journal.test_recorder import a_table
from tests.sweep.nights.evening import night
from tests.sweep.nights.people import Habit, input_forgotten, no_buttons
from tests.sweep.nights.tables import log_of


class Attacker:
    """Reads a journal: what everybody saw names a pseudonym, and so does another one at the same
    place and time."""

    def __init__(self, journal: Path, events: Sequence[Event]) -> None:
        with closing(sqlite3.connect(journal)) as db:
            rows = db.execute("SELECT hand, line FROM observations ORDER BY n").fetchall()
        told = [(hand, json.loads(line)["o"]) for hand, line in rows]
        seen = {(o["t"], o["zone"], o["tag"]): (hand, o) for hand, o in reversed(told) if _seen(o)}
        self._seen = [*reversed(seen.values())]  # each reading once: a checkpoint repeats some
        self._cards: dict[str, str] = {}
        self._same: dict[tuple[float, str], set[str]] = defaultdict(set)
        for _, o in self._seen:
            self._same[o["t"], o["zone"]].add(o["tag"])
        for event in events:
            if isinstance(event, Board):
                self._learn(event.hand, "board", event.cards)
            elif isinstance(event, Tabled):
                self._learn(event.hand, f"seat/{event.seat}", event.cards)

    def _learn(self, hand: int, zone: str, cards: Sequence[str]) -> None:
        lay = [o for number, o in self._seen if number == hand and o["zone"] == zone]
        for o, card in zip(lay, cards, strict=False):
            self._cards[o["tag"]] = card

    def names(self) -> dict[tuple[int, int, int], str]:
        """Card that is read out of the journal, by hand, seat and which of its cards it is."""
        for _ in range(3):
            for alike in self._same.values():
                known = {self._cards[tag] for tag in alike if tag in self._cards}
                if len(known) == 1:
                    self._cards |= dict.fromkeys(alike, *known)
        found: dict[tuple[int, int, int], str] = {}
        dealt: dict[tuple[int, int], list[str]] = defaultdict(list)
        for hand, o in self._seen:
            place, _, seat = o["zone"].partition("/")
            if place != "seat" or o["tag"] in dealt[hand, int(seat)]:
                continue
            dealt[hand, int(seat)].append(o["tag"])
            if o["tag"] in self._cards:
                found[hand, int(seat), len(dealt[hand, int(seat)])] = self._cards[o["tag"]]
        return found


def _seen(o: dict[str, Any]) -> bool:
    return bool(o["kind"] == "seen")


@pytest.mark.parametrize(
    ("habits", "hands"),
    [((), 100), ((input_forgotten("award", 0.3),), 30), ((no_buttons,), 20)],
    ids=["told", "awards forgotten", "no buttons"],
)
def test_no_card_is_known_again(
    library: Library, tmp_path: Path, habits: tuple[Habit, ...], hands: int
) -> None:
    evening = night(3, hands)
    log, _ = log_of(evening, habits)
    service, _, journal, engine = a_table(library, tmp_path)
    for observation in read(log):
        service.observe(observation)
    journal.close()
    shown: set[tuple[int, int]] = {
        (event.hand, event.seat) for event in engine.said if isinstance(event, Tabled)
    }
    named = Attacker(tmp_path / "journal", engine.said).names()
    assert any((hand, seat) in shown for hand, seat, _ in named), "he knows what everybody saw"
    assert [where for where in named if where[:2] not in shown] == []
    assert _is_blind_to_tags(tmp_path / "journal", log)


def _is_blind_to_tags(journal: Path, log: Sequence[dict[str, Any]]) -> bool:
    tags = {str(line["tag"]).encode() for line in log if "tag" in line}
    lines = kept_lines(journal)
    return not any(f'"{tag.decode()}"'.encode() in line for tag in tags for line in lines)
