from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from controller.broker.own import LOOPBACK, Kind, RunningBroker, find_mosquitto, start_broker

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
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])
