from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from controller.settings import config_dir
from controller.view import TableView
from display.dealer.texts import Texts, load

HERE = Path(__file__).parent
VIEWS = sorted(path.stem for path in HERE.glob("*.json"))


@pytest.fixture
def texts() -> Texts:
    return load("en", config_dir())


@pytest.fixture
def read_view() -> Callable[[str], TableView]:
    def read(name: str) -> TableView:
        return msgspec.json.decode((HERE / f"{name}.json").read_bytes(), type=TableView)

    return read


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "view_name" in metafunc.fixturenames:
        metafunc.parametrize("view_name", VIEWS)
