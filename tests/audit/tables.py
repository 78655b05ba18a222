"""An audited table: a night with real UIDs, a real journal, and what the room hears of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from controller.archive.incoming import head_heard
from controller.archive.kept import KeptHead
from controller.contract.events import Event
from controller.contract.messages import Message
from controller.contract.observations import Observation, Table
from controller.contract.picture import Picture
from controller.library.books import Library
from controller.storage.committer import Committer
from controller.storage.journal import Journal
from controller.storage.sealing import Opener
from controller.table.auditing import Auditing
from controller.table.chain_teller import ChainTeller
from controller.table.decks import Decks
from controller.table.publisher import Publisher
from controller.table.recorder import JournalRecorder
from controller.table.service import TableService
from tests.engine.table_logs import read
from tests.journal.test_recorder import Overheard
from tests.sweep.nights.evening import night
from tests.sweep.nights.tables import log_of
from tests.table.felt import make_deck

UIDS = make_deck(1)


@dataclass(frozen=True)
class Played:
    """What was observed and said, and what the room has heard of the journal in `folder`."""

    folder: Path
    secret: bytes
    observed: list[Observation]
    said: list[Event]
    heads: list[KeptHead]

    @property
    def journal(self) -> Path:
        return self.folder / "journal"


class AuditedTable:
    """A table's service on a journal; without a `secret` nothing is sealed."""

    def __init__(self, library: Library, folder: Path, secret: bytes | None) -> None:
        self.journal = Journal.open(folder / "journal", report=lambda _: None)
        self.engine = Overheard(library)
        self.heads: list[KeptHead] = []
        times = count(1)
        publisher = Publisher("s", "T1", session="1-a", version="1", now_ms=lambda: next(times))
        decks = Decks({"deck": {uid: card for card, uid in UIDS.items()}})
        auditing = None
        if secret is not None:
            auditing = Auditing(Opener(secret).public, self.engine, decks)
        recorder = JournalRecorder(
            Committer(self.journal),
            folder,
            self.engine,
            decks=decks,
            objects={},
            publisher=publisher,
            auditing=auditing,
        )
        restored = recorder.restore()
        self.engine.said.clear()
        picture = Picture("T1", "roberts", library.texts)
        picture.take(restored.events)
        chain = ChainTeller(self.journal, publisher, self._heard)
        self.service = TableService(
            self.engine,
            picture,
            publisher,
            publish=lambda _: None,
            show=lambda _: None,
            told=chain.look,
            recorder=recorder,
            decks=decks,
            last_t=restored.t,
        )

    def _heard(self, message: Message) -> None:
        self.heads.append(head_heard("T1", message.payload, len(self.heads)))


def with_uids(log: Sequence[dict[str, object]]) -> list[Observation]:
    """A log whose tags are card codes, as antennas read it: UIDs, and a deck that names them."""
    told = []
    for line in log:
        changed = {**line}
        if "tag" in line:
            changed["tag"] = UIDS[str(line["tag"])]
        if line["kind"] == "table":
            changed["deck"] = {uid: card for card, uid in UIDS.items()}
        told.append(changed)
    return list(read(told))


def play(library: Library, folder: Path, secret: bytes | None, *, hands: int) -> Played:
    """A night of so many hands; the last is broken off in the middle of it."""
    log, _ = log_of(night(3, hands))
    last = max(at for at, line in enumerate(log) if line["kind"] == "riffle")
    observed = with_uids(log[: last + 40])
    table = AuditedTable(library, folder, secret)
    with closing(table.journal):
        for observation in observed:
            table.service.observe(observation)
    assert table.engine.hand == hands
    assert isinstance(observed[0], Table)
    return Played(folder, secret or b"", observed, table.engine.said, table.heads)
