from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.broker.mosquitto import new_password
from controller.broker.own import find_mosquitto
from tests.broker_rights.shipped import Shipped, a_broker


@pytest.fixture(scope="module", params=["by file", "by room", "let in"])
def shipped(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shipped]:
    """One for the tests of a file, with two tables; its logins are in files that it reads, or kept
    by itself; or the room's steward lets the tables in while it runs."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    how, tables = request.param, ("T1", "T2")
    words = () if how == "let in" else ("--tables", *tables)
    folder = tmp_path_factory.mktemp("mosquitto")
    with a_broker(folder, *words, by_room=how != "by file") as running:
        for table in tables if how == "let in" else ():
            running.let_in(table, password := new_password())
            (folder / "passwords" / f"table-{table}.password").write_text(f"{password}\n")
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """For a broker of one's own."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    return tmp_path
