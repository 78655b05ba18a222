from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pygame
import pytest

from controller.contract.view import TableView
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench, Table
from tests.display_dealer.spoken import spoken

HERE = Path(__file__).parent
VIEWS = sorted(path.stem for path in HERE.glob("*.json"))


@pytest.fixture
def texts() -> Texts:
    return spoken("en")


@pytest.fixture
def read_view() -> Callable[[str], TableView]:
    def read(name: str) -> TableView:
        return msgspec.json.decode((HERE / f"{name}.json").read_bytes(), type=TableView)

    return read


@pytest.fixture(autouse=True)
def _closed_sockets() -> Iterator[None]:
    yield
    while Table.made:
        Table.made.pop().close()


@pytest.fixture(params=[(1280, 800), (800, 480)], ids=["large", "small"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, texts: Texts) -> Iterator[Bench]:
    made = Bench(tmp_path / "dealer.sock", texts, request.param)
    yield made
    made.link.close()
    pygame.display.quit()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "view_name" in metafunc.fixturenames:
        metafunc.parametrize("view_name", VIEWS)
