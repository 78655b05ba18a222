"""`kill -9` at any moment: whatever is in the journal is sealed beside it, once and in order."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from controller.contract.observations import Seen
from controller.storage.auditor_key import public_text
from controller.storage.journal import Journal, verify
from controller.storage.journal_reader import JournalReader
from controller.storage.sealing import Opener, line_digest, new_secret

WRITER = Path(__file__).parent / "sealing_writer.py"


def written_until_killed(path: Path, public: str, after: int) -> list[int]:
    """What a writer said was committed before it was killed in mid-stream."""
    writer = subprocess.Popen(
        [sys.executable, str(WRITER), str(path), public],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent.parent.parent,
    )
    assert writer.stdout is not None
    said = [writer.stdout.readline() for _ in range(after)]
    time.sleep(random.random() * 0.005)
    writer.kill()
    said += writer.stdout.readlines()
    writer.stdout.close()
    writer.wait()
    assert all(said)
    return [int(each) for each in said]


def test_no_line_is_without_its_box_and_no_box_without_its_line(tmp_path: Path) -> None:
    path, opener = tmp_path / "journal", Opener(new_secret())
    acknowledged: list[int] = []
    for _ in range(5):
        acknowledged += written_until_killed(path, public_text(opener.public), random.randrange(60))
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
