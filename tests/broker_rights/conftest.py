from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.broker.own import find_mosquitto
from tests.broker_rights.shipped import Shipped, a_broker


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shipped]:
    """One for the tests of a file, with two tables."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    with a_broker(tmp_path_factory.mktemp("mosquitto"), "--tables", "T1", "T2") as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """For a broker of one's own."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    return tmp_path
