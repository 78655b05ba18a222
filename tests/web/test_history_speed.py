"""A search of 100,000 events is answered while somebody waits for it: in less than 200 ms where a
million squares take 60, and in as much longer as the machine is slower."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from controller.archive.opening import open_archive
from tests.archive.big_night import night
from tests.waiting import wait_until
from tests.web.past import Past

EVENTS = 100_000
LIMIT_S = 0.2
SQUARES_S = 0.06


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Past]:
    store = tmp_path_factory.mktemp("speed") / "history.sqlite"
    archive = open_archive(store)
    for batch in night(EVENTS):
        archive.add(batch)
    archive.close()
    with Past(str(store)) as running:
        yield running


def limit_s() -> float:
    """What a search may take on this machine, as it is now."""
    began = time.perf_counter()
    sum(number * number for number in range(1_000_000))
    return LIMIT_S * max(1.0, (time.perf_counter() - began) / SQUARES_S)


def test_searches_and_figures_take_less_than_200_ms(past: Past) -> None:
    for path in (
        "/history",
        "/history?table=T7",
        "/history?code=burn-missing",
        "/history?code=four-card-flop&table=T3",
        "/history?person=dealer+7",
        "/history?person=floor+3",
        "/history?found=1",
        "/history?hand=41",
        "/history?text=burn",
        "/history?text=zyzzyva",
        "/history?from=2023-11-14T23:00&until=2023-11-15T00:00",
        "/history/T7/40",
        "/statistics?span=all",
    ):

        def is_quick(path: str = path) -> bool:
            began = time.perf_counter()
            answer = past.answer(path, "director")
            took = time.perf_counter() - began
            assert answer.status_code == 200
            assert len(answer.text) > 1_000
            return took <= limit_s()

        wait_until(is_quick)  # the machine may be busy with something else for a while
