"""A table with two decks that is started again at any line has the right one in play."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.contract.cards import CARDS
from controller.contract.events import Event, Finding, Tabled
from controller.contract.observations import (
    Observation,
    Seen,
    Table,
    TableBlinds,
    TableSeat,
    Undo,
    decode,
)
from controller.contract.picture import Picture
from controller.contract.view import TableView
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.storage.committer import Committer
from controller.storage.journal import Journal
from controller.table.decks import Decks
from controller.table.publisher import Publisher
from controller.table.recorder import JournalRecorder, Restored
from controller.table.service import NoRecorder, TableService
from tests.journal.lines import kept as kept_lines

RED = {f"04AA{n:04X}": card for n, card in enumerate(CARDS)}
BLUE = {f"04BB{n:04X}": card for n, card in enumerate(reversed(CARDS))}
BOTH = {"red": RED, "blue": BLUE}
REDS, BLUES = list(RED), list(BLUE)


class Overheard(Engine):
    """An engine whose events are kept."""

    def __init__(self, library: Library) -> None:
        super().__init__(library.book)
        self.said: list[Event] = []

    def observe(self, observation: Observation) -> list[Event]:
        events = super().observe(observation)
        self.said += events
        return events


class Day:
    """What a table observes, step by step."""

    def __init__(self) -> None:
        self.t = 0.0
        self.log: list[Observation] = []
        seats = tuple(TableSeat(seat=seat, stack=1000) for seat in (1, 2, 3))
        self.log.append(
            Table(
                v=1,
                table="T1",
                rulebook="roberts",
                seats=seats,
                button=3,
                blinds=TableBlinds(small=5, big=10),
                deck=RED,
            )
        )
        self.log += Decks(BOTH).told(0.0)

    def say(self, **fields: object) -> None:
        self.t = round(self.t + 0.6, 3)
        self.log.append(decode(msgspec.json.encode({"t": self.t, **fields})))

    def wait(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.t += 0.4
            self.say(kind="tick")

    def enter(self, name: str, **fields: object) -> None:
        self.say(kind="dealer", input=name, **fields)

    def deal(self, tags: Sequence[str], first: int, *, riffle: bool) -> None:
        if riffle:
            self.say(kind="riffle")
        for n, tag in enumerate(tags[:6]):
            self.say(kind="seen", zone=f"seat/{(first - 1 + n) % 3 + 1}", tag=tag)
        self.wait(2)

    def press(self, seat: int, button: str, by: str = "seat") -> None:
        self.say(kind="press", seat=seat, button=button, by=by)

    def collect(self, tags: Sequence[str], first: int) -> None:
        for n, tag in enumerate(tags[:6]):
            self.say(kind="gone", zone=f"seat/{(first - 1 + n) % 3 + 1}", tag=tag)
        self.wait(3)


def a_day(*, riffle: bool) -> list[Observation]:
    """Red, then blue with an entry and an award taken back, then red again."""
    day = Day()
    day.deal(REDS, 1, riffle=riffle)
    day.press(3, "call")
    day.press(1, "call", by="dealer")
    day.enter("undo")
    day.enter("award")
    day.collect(REDS, 1)
    day.deal(BLUES, 2, riffle=riffle)
    for seat in (1, 2, 3):
        day.press(seat, "all-in", by="dealer")
        if seat == 1:
            day.enter("undo")
            day.press(seat, "all-in", by="dealer")
    day.enter("award")
    day.say(kind="deck", deck=RED)
    day.enter("undo")  # this hand goes on with the blue deck, the next one is dealt with the red
    day.enter("tabled", seat=2)
    day.enter("award")
    day.collect(BLUES, 2)
    day.deal(REDS[10:], 3, riffle=riffle)
    day.press(2, "call")
    return day.log


def a_table(
    library: Library, folder: Path, registered: dict[str, dict[str, str]]
) -> tuple[TableService, Restored, Journal, Overheard, Decks]:
    """What a start of the table's process makes of the folder."""
    journal = Journal.open(folder / "journal", report=lambda _: None)
    engine, decks = Overheard(library), Decks(registered)
    publisher = Publisher("s", "T1", session="1", version="1", now_ms=lambda: 0)
    recorder = JournalRecorder(
        Committer(journal), folder, engine, decks=decks, objects={}, publisher=publisher
    )
    restored = recorder.restore()
    engine.said.clear()
    picture = Picture("T1", "roberts", library.texts)
    picture.take(restored.events)
    service = TableService(
        engine,
        picture,
        publisher,
        publish=lambda _: None,
        show=lambda _: None,
        recorder=recorder,
        decks=decks,
        last_t=restored.t,
    )
    return service, restored, journal, engine, decks


def never_stopped(library: Library, log: list[Observation]) -> tuple[list[Event], TableView]:
    engine = Overheard(library)
    service = TableService(
        engine,
        Picture("T1", "roberts", library.texts),
        Publisher("s", "T1", session="1", version="1", now_ms=lambda: 0),
        publish=lambda _: None,
        show=lambda _: None,
        recorder=NoRecorder(),
        decks=Decks(BOTH),
    )
    for observation in log:
        service.observe(observation)
    return engine.said, service.view


def _place(log: list[Observation], tag: str) -> int:
    """Where a tag has been seen."""
    return 1 + next(n for n, o in enumerate(log) if isinstance(o, Seen) and o.tag == tag)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in kept_lines(folder / "journal")]


@pytest.mark.parametrize("riffle", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_it_says_what_one_that_never_stopped_says(
    library: Library, tmp_path: Path, riffle: bool, seed: int
) -> None:
    log = a_day(riffle=riffle)
    expected, shown = never_stopped(library, log)
    assert not [e for e in expected if isinstance(e, Finding)]
    [tabled] = [e for e in expected if isinstance(e, Tabled)]
    assert tabled.cards == (BLUE[BLUES[0]], BLUE[BLUES[3]])
    assert (shown.hand, shown.deck, shown.phase) == (3, "red", "preflop")
    rng, rest, said = random.Random(seed), list(log), list[Event]()
    while rest:
        service, _, journal, engine, _ = a_table(library, tmp_path, BOTH)
        with closing(journal):
            for _ in range(min(len(rest), rng.randrange(1, 9))):
                service.observe(rest.pop(0))
            while any(isinstance(o, Undo) for o in rest[:2]):
                service.observe(rest.pop(0))  # what ended a hand is final after a restart
        said += engine.said
    assert said == expected
    assert service.view == shown
    assert not any("04AA" in json.dumps(line) for line in lines(tmp_path))


def test_a_change_is_recorded_by_its_name_before_the_card_that_shows_it(
    library: Library, tmp_path: Path
) -> None:
    service, _, journal, _, _ = a_table(library, tmp_path, BOTH)
    with closing(journal):
        log = a_day(riffle=True)
        for observation in log[: _place(log, BLUES[5])]:
            service.observe(observation)
    kept = lines(tmp_path)
    told = [line.get("n") for line in kept if line["o"]["kind"] in ("table", "deck")]
    assert told == ["red", "blue", "red", "blue"]
    first = next(n for n, line in enumerate(kept) if n > 3 and line["o"]["kind"] == "deck")
    assert kept[first]["o"]["deck"] == {}
    assert [line["o"]["kind"] for line in kept[first - 1 : first + 2]] == ["riffle", "deck", "seen"]
    assert kept[first + 1]["c"] == "card"


@pytest.mark.parametrize("cut", [False, True])
def test_a_deck_that_is_registered_no_more_gives_way(
    library: Library, tmp_path: Path, cut: bool
) -> None:
    log = a_day(riffle=True)
    service, _, journal, _, decks = a_table(library, tmp_path, BOTH)
    with closing(journal):
        for observation in log[: _place(log, BLUES[5])]:
            service.observe(observation)
        assert decks.in_play == "blue"
    if cut:
        (tmp_path / "hand.key").unlink()
    for registered, name in ((BOTH, "blue"), ({"red": RED}, "red")):
        service, restored, journal, _, decks = a_table(library, tmp_path, registered)
        with closing(journal):
            assert (decks.in_play, service.view.deck) == (name, name)
            assert restored.lost_deck == ("" if name == "blue" else "blue")


def test_the_dealer_may_not_change_decks_in_a_hand(library: Library, tmp_path: Path) -> None:
    service, _, journal, _, decks = a_table(library, tmp_path, BOTH)
    with closing(journal):
        for observation in a_day(riffle=True)[:5]:
            service.observe(observation)
        assert service.change_deck("blue", 9.0) is False
        service.observe(decode(b'{"kind":"dealer","input":"misdeal","t":9}'))
        assert service.change_deck("green", 9.0) is False
        assert service.change_deck("red", 9.0) is True
        assert service.change_deck("blue", 9.0) is True
        assert (decks.in_play, service.view.deck) == ("blue", "blue")
    assert [line["o"]["kind"] for line in lines(tmp_path)].count("deck") == 3
