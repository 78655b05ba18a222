"""Whatever comes, in whatever order: the engine stands, agrees with itself and keeps secrets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from controller.library.books import Library
from tests.engine.properties import PROPERTIES, Property
from tests.engine.table_logs import Line, logs, read


@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda one: one.__name__)
def test_of_every_log(library: Library, holds: Property) -> None:
    @given(lines=logs)
    @settings(deadline=None, max_examples=75, database=None)  # one key for all of them
    def check(lines: list[Line]) -> None:
        holds(library, read(lines))

    check()
