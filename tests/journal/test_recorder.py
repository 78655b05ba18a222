"""A table that is started again at any line goes on as if it had never stopped."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.contract.cards import CARDS
from controller.contract.events import Event, Finding, Start
from controller.contract.observations import Observation, Riffle, Seen, Table, Tick, decode
from controller.contract.picture import DecksNow, Picture
from controller.contract.view import TableView
from controller.engine.account import account
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.storage.committer import Committer
from controller.storage.journal import Journal
from controller.storage.key_ring import FILE
from controller.table.decks import Decks
from controller.table.publisher import Publisher
from controller.table.recorder import JournalRecorder, Restored
from controller.table.service import TableService
from tests.engine.simulation import deal
from tests.rules.table_talk import Talk

NO_AWARD = """
pitch 3 1 2 3 1 2 3; 3 call; 1 call; 2 check; burn; board 3; checks; collect
pitch 3 2 3 1 2 3 1; 1 call; exposed 2 2; undo; 2 call; 3 check; burn; board 4; wait 2; collect
pitch 3 3 1 2 3 1 2; dealt 2 fold; undo; dealt 2 call
"""
"""Hands that are over with the next riffle, and entries taken back in them."""


class Overheard(Engine):
    """An engine whose events are kept."""

    def __init__(self, library: Library) -> None:
        super().__init__(library.book)
        self.said: list[Event] = []

    def observe(self, observation: Observation) -> list[Event]:
        events = super().observe(observation)
        self.said += events
        return events


def a_table(
    library: Library,
    folder: Path,
    objects: dict[str, str] | None = None,
    *,
    is_cut: Callable[[Journal], bool] = lambda _: False,
) -> tuple[TableService, Restored, Journal, Overheard]:
    """What a start of the table's process makes of the folder."""
    journal = Journal.open(folder / "journal", report=lambda _: None)
    engine = Overheard(library)
    session = f"{journal.counters.session}-a"
    publisher = Publisher("s", "T1", session=session, version="1", now_ms=lambda: 0)
    decks = Decks({"deck": {c: c for c in CARDS}})
    recorder = JournalRecorder(
        Committer(journal),
        folder,
        engine,
        decks=decks,
        objects=objects or {},
        publisher=publisher,
    )
    restored = recorder.restore(is_cut=is_cut(journal))
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
    return service, restored, journal, engine


def started_again(
    library: Library, folder: Path, log: list[Observation]
) -> tuple[list[Event], TableView]:
    """What follows from a log when the process stops now and then, and the last picture."""
    rng = random.Random(5)
    rest, said = list(log), list[Event]()
    while True:
        service, _, journal, engine = a_table(library, folder)
        with closing(journal):
            for _ in range(min(len(rest), rng.randrange(1, 12))):
                service.observe(rest.pop(0))
        said += engine.said
        if not rest:
            return said, service.view


def logs(library: Library) -> dict[str, list[Observation]]:
    talk = Talk(library, "roberts")
    talk.tell(NO_AWARD)
    played = deal(library, "uk-tda", "pl_94_43", "four-card-flop", seed=3)
    return {"no award": [decode(line) for line in talk.log], "four-card flop": played.log}


@pytest.mark.parametrize("name", ["no award", "four-card flop"])
def test_it_says_what_one_that_never_stopped_says(
    library: Library, tmp_path: Path, name: str
) -> None:
    log = logs(library)[name]
    whole, picture = Engine(library.book), Picture("T1", "roberts", library.texts)
    expected = list[Event]()
    for observation in log:
        events = whole.observe(observation)
        picture.take(account(whole, observation, events))
        expected += events
    picture.with_now(DecksNow("deck", ("deck",)))
    picture.with_sight(whole.sight())
    said, view = started_again(library, tmp_path, log)
    assert said == expected
    assert view == picture.view


def test_a_hand_whose_award_was_taken_back_goes_on_after_a_restart(
    library: Library, tmp_path: Path
) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; exposed 3 2; preflop; burn; board 3; wait 2; award; wait 1; undo")
    until = len(talk.log)
    talk.tell("checks; burn; board 2; wait 3")
    log = [decode(line) for line in talk.log]
    said = list[Event]()
    for part in (log[:until], log[until:]):
        service, _, journal, engine = a_table(library, tmp_path)
        with closing(journal):
            for observation in part:
                service.observe(observation)
        said += engine.said
    assert said == talk.events
    assert [e.code for e in said if isinstance(e, Finding)] == [
        "exposed-card",
        "exposed-card",
        "too-many-turn",
    ]


def test_a_hand_that_the_next_riffle_ended_is_not_played_again(
    library: Library, tmp_path: Path
) -> None:
    said, _ = started_again(library, tmp_path, logs(library)["no award"])
    assert sum(isinstance(e, Start) for e in said) == 3
    _, restored, journal, _ = a_table(library, tmp_path)
    with closing(journal):
        starts = [e for e in restored.events if isinstance(e, Start)]
    assert {start.hand for start in starts} == {3}


def test_after_a_power_cut_the_button_is_still_no_card(library: Library, tmp_path: Path) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; preflop; award; wait 3")
    log = [decode(line) for line in talk.log]
    objects = {"the-puck": "button"}
    assert isinstance(log[0], Table)
    log[0] = msgspec.structs.replace(log[0], objects=objects)
    t = max(observation.t or 0.0 for observation in log)
    for part in (log, [Riffle(t=t + 5)]):
        service, _, journal, engine = a_table(library, tmp_path, objects)
        for observation in part:
            service.observe(observation)
        if part is log:
            journal.close()
            (tmp_path / FILE).unlink()
    service.observe(Seen(t + 6, f"seat/{service.view.button}", "the-puck"))
    service.observe(Tick(t + 12))
    journal.close()
    assert service.view.hand == 2
    assert not [event for event in engine.said if isinstance(event, Finding)]


def test_a_journal_with_one_flipped_bit_never_stops_the_table(
    library: Library, tmp_path: Path
) -> None:
    log = logs(library)["four-card flop"]
    service, _, journal, _ = a_table(library, tmp_path)
    for observation in log[: len(log) // 2]:
        service.observe(observation)
    journal.close()
    with closing(sqlite3.connect(tmp_path / "journal")) as db, db:
        rows = db.execute("SELECT n, line FROM observations").fetchall()
        row, line = rows[-7]
        db.execute("UPDATE observations SET line = ? WHERE n = ?", (line[:-9] + b"x", row))
    service, restored, journal, engine = a_table(library, tmp_path)
    assert restored.is_new
    for observation in log[len(log) // 2 :]:
        service.observe(observation)
    assert not [event for event in engine.said if isinstance(event, Finding)]
    journal.close()


def test_what_a_tick_brought_while_the_disk_was_full_is_told_once(
    library: Library, tmp_path: Path
) -> None:
    """The tick after which the disk takes the hand again brings a finding."""
    log = logs(library)["four-card flop"]
    whole = Overheard(library)
    at = None
    for n, observation in enumerate(log):
        events = whole.observe(observation)
        if isinstance(observation, Tick) and any(isinstance(e, Finding) for e in events):
            at = at or n
    assert at is not None
    said = list[Event]()
    for part in (log[: at + 1], log[at + 1 :]):
        service, _, journal, engine = a_table(library, tmp_path)
        pages = journal._database.connection
        with closing(journal):
            for n, observation in enumerate(part):
                is_full = part[0] is log[0] and n == at - 1
                pages.execute(f"PRAGMA max_page_count={1 if is_full else 10_000}")
                pages.execute(f"PRAGMA query_only={int(is_full)}")
                service.observe(observation)
        said += engine.said
    assert said == whole.said
