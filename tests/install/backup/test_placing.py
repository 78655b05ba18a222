"""Ended at any moment, a restore leaves what was there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from controller.install.backup.places import place_of, under
from controller.install.backup.placing import Placing

JOURNAL = PurePosixPath("/var/lib/cutcard/journal.sqlite")


def owner(_folder: Path) -> tuple[int, int]:
    return 0, 0


def copied(source: Path, target: Path) -> None:
    """As between two disks, cut off before the source goes."""
    shutil.copy2(source, target)


def moved(source: Path, target: Path) -> None:
    source.rename(target)


@pytest.mark.parametrize("step", [copied, moved])
def test_ended_within_a_move(
    step: Callable[[Path, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = place_of(JOURNAL)
    assert place is not None
    only, staged = under(tmp_path, JOURNAL), tmp_path / "staged"
    only.parent.mkdir(parents=True)
    only.write_bytes(b"all hands")
    staged.write_bytes(b"of the backup")
    move = shutil.move

    def ended(source: Path, target: Path) -> None:
        monkeypatch.setattr(shutil, "move", move)
        step(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "move", ended)
    with pytest.raises(KeyboardInterrupt), Placing(tmp_path, tmp_path / "aside") as putting:
        putting.put(staged, JOURNAL, place, 0o600, owner)
    assert only.read_bytes() == b"all hands"
    assert not (tmp_path / "aside").exists()


def test_what_came_into_its_place_meanwhile_goes(tmp_path: Path) -> None:
    """As SQLite's own files do, where somebody opens the journal just then."""
    place = place_of(JOURNAL)
    assert place is not None
    journal, staged = under(tmp_path, JOURNAL), tmp_path / "staged"
    beside = journal.with_name("journal.sqlite-wal")
    journal.parent.mkdir(parents=True)
    journal.write_bytes(b"all hands")
    beside.write_bytes(b"and the last one")
    staged.write_bytes(b"of the backup")
    putting = Placing(tmp_path, tmp_path / "aside").__enter__()
    putting.put(staged, JOURNAL, place, 0o600, owner)
    beside.write_bytes(b"of the backup's")
    putting.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert (journal.read_bytes(), beside.read_bytes()) == (b"all hands", b"and the last one")
