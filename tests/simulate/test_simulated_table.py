"""What a simulated table says is what a real one would say."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest

from controller.broker.client import Endpoint
from controller.contract.events import Closed, Finding
from controller.contract.messages import TABLE_EVENT, TABLE_HAND, Message
from controller.demo.errors import ERRORS
from controller.files.settings import config_dir
from controller.library.books import Library, open_library
from controller.simulate.hands import Evening, deal_evening
from controller.simulate.table import SimulatedTable
from controller.simulate.told import kind_of
from tests.mqtt.schema import check


@pytest.fixture(scope="module")
def evening() -> Evening:
    library: Library = open_library(config_dir())
    return asyncio.run(deal_evening(library, 3))


def told(
    evening: Evening, errors: float, steps: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Message], list[tuple[str, bool]]]:
    said: list[Message] = []
    alerts: list[tuple[str, bool]] = []
    table = SimulatedTable(
        "main",
        "sim-0001",
        Endpoint("nowhere", 1),
        evening,
        random.Random(5),
        run="sim-x",
        errors=errors,
        on_alert=lambda _table, finding, opened: alerts.append((finding, opened)),
        report=lambda _line: None,
    )
    monkeypatch.setattr(table.client, "publish", said.append)
    for _ in range(steps):
        table.go_on()
    return said, alerts


def test_every_error_is_dealt_found_and_put_right(evening: Evening) -> None:
    assert [hand.error for hand in evening.wrong] == list(ERRORS)
    for hand in evening.wrong:
        events = [event for step in hand.steps for event in step.events]
        assert any(isinstance(event, Finding) for event in events), hand.error
        assert not hand.steps[-1].view.findings, hand.error
    for hand in evening.clean:
        assert not any(isinstance(e, Finding) for step in hand.steps for e in step.events)


def test_events_follow_each_other_and_hands_and_findings_are_numbered_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, alerts = told(evening, 1_000, 400, monkeypatch)
    seqs, hands, findings, shown = [], [], [], []
    for message in said:
        check("main", message.topic, message.payload)
        if kind_of(message.topic) == "events":
            event = TABLE_EVENT.decode(message.payload).value
            seqs.append(event.seq)
            hands.append(event.event.hand)
            if isinstance(event.event, Finding | Closed):
                findings.append(event.event.id)
        elif kind_of(message.topic) == "hand":
            picture = TABLE_HAND.decode(message.payload).value
            assert (picture.seq, picture.view.table) == (seqs[-1], "sim-0001")
            shown.append(picture.view.hand)
    assert seqs == list(range(1, len(seqs) + 1))
    assert hands == sorted(hands)
    assert shown == sorted(shown)
    assert hands[-1] == shown[-1] > 10
    assert max(findings) > 10
    opened = [finding for finding, is_open in alerts if is_open]
    assert len(opened) == len(set(opened)) > 10
    assert all(
        msgspec.json.decode(m.payload)["session"] == "sim-x-sim-0001" for m in said if m.payload
    )


def test_without_errors_there_is_no_alert(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, alerts = told(evening, 0, 200, monkeypatch)
    assert not alerts
    assert {kind_of(message.topic) for message in said} == {"events", "hand"}
