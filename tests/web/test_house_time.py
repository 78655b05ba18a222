"""The house's time in files: a moment has the offset that held then."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from display.web.serving.answers import house_time


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("utc", "shown"),
    [
        (datetime(2026, 10, 24, 23, 30, tzinfo=UTC), "2026-10-25T01:30:00+02:00"),
        (datetime(2026, 10, 25, 3, 0, tzinfo=UTC), "2026-10-25T04:00:00+01:00"),
    ],
)
def test_on_the_night_when_the_clocks_change(utc: datetime, shown: str) -> None:
    assert house_time(int(utc.timestamp()) * 1_000).isoformat() == shown
