from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.broker.own import Kind, RunningBroker, find_mosquitto, start_broker
from controller.broker.ports import free_port

needs_mosquitto = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


@pytest.fixture(params=[pytest.param("mosquitto", marks=needs_mosquitto), "iotcore"])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@pytest.fixture
def broker(kind: Kind) -> Iterator[RunningBroker]:
    with start_broker("hall", ["T1", "T2"], kind=kind) as running:
        yield running


@pytest.fixture
def mosquitto() -> Iterator[RunningBroker]:
    if find_mosquitto() is None:
        pytest.skip("mosquitto not installed")
    with start_broker("hall", ["T1", "T2"], kind="mosquitto") as running:
        yield running


@pytest.fixture
def unused_port() -> int:
    return free_port()
