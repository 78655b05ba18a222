"""`kill -9` at any moment: whatever is in the journal is sealed beside it, once and in order."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

from controller.contract.observations import Seen
from controller.storage.auditor_key import public_text
from controller.storage.journal import Journal, verify
from controller.storage.journal_reader import JournalReader
from controller.storage.sealing import Opener, line_digest, new_secret
from tests.journal.killed import written_until_killed

WRITER = Path(__file__).parent / "sealing_writer.py"


def test_no_line_is_without_its_box_and_no_box_without_its_line(tmp_path: Path) -> None:
    path, opener = tmp_path / "journal", Opener(new_secret())
    acknowledged: list[int] = []
    for _ in range(5):
        acknowledged += written_until_killed(
            WRITER,
            str(path),
            public_text(opener.public),
            after=random.randrange(not acknowledged, 60),
        )
        assert verify(path) is None
        with closing(JournalReader(path)) as reader:
            lines = dict(reader.between(1, 10**6))
            found = [(box, opener.open(box.box)) for box in reader.boxes(1, 10**6)]
            assert reader.sealed().bad is None
            assert reader.sealed().last == len(found)
        beside = [(box.n, each.line) for box, each in found if each.line]
        assert beside == [(n, line_digest(line)) for n, line in lines.items()]
        numbers = [int(line) for line in lines.values()]
        told = [each.observations for _, each in found if each.line]
        assert told == [(Seen(float(number), "seat/1", "E004"),) for number in numbers]
        assert set(acknowledged) <= set(numbers)
    journal = Journal.open(path, report=lambda _: None)
    assert journal.head.boxes == len(found)
    journal.close()
