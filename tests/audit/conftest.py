"""A table that an auditor may look into, played once for all tests that do not change it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.library.books import Library
from controller.storage.auditor_key import secret_text
from controller.storage.sealing import new_secret
from tests.audit.tables import Played, play


@pytest.fixture(scope="session")
def played(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Seven hands that are over, and one that is being played."""
    return play(library, tmp_path_factory.mktemp("audited"), new_secret(), hands=8)


@pytest.fixture
def a_copy(played: Played, tmp_path: Path) -> Callable[[], Path]:
    """Returns a function that copies the journal to where it may be changed."""

    def copy() -> Path:
        for each in played.folder.glob("journal*"):
            shutil.copy(each, tmp_path)
        return tmp_path / "journal"

    return copy


@pytest.fixture
def key(played: Played, tmp_path: Path) -> Path:
    """The auditor's file."""
    file = tmp_path / "auditor.key"
    file.write_text(secret_text(played.secret) + "\n")
    os.chmod(file, 0o600)  # noqa: PTH101
    return file
