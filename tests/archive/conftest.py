from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from controller.archive.kept import Archive
from controller.archive.opening import open_archive
from tests.archive.servers import new_database, running

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with running() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an archive that is still empty."""
    if request.param == "sqlite":
        return str(tmp_path / "history.sqlite")
    return new_database(request.getfixturevalue("postgres"), f"history{next(_NUMBERS)}")


@pytest.fixture
def opened(store: str) -> Iterator[Callable[..., Archive]]:
    """Opens the archive, once more each time."""
    open_ones: list[Archive] = []

    def again(*, read_only: bool = False) -> Archive:
        open_ones.append(open_archive(store, read_only=read_only))
        return open_ones[-1]

    yield again
    for each in open_ones:
        each.close()


@pytest.fixture
def archive(opened: Callable[..., Archive]) -> Archive:
    return opened()
