"""What is made of the numbers of a simulation."""

from __future__ import annotations

import pytest

from controller.broker.client import Incoming
from controller.simulate.counter import Counts
from controller.simulate.machine import Usage
from controller.simulate.report import (
    Asked,
    Received,
    Report,
    as_text,
    by_counter,
    by_room,
    latency,
    lost_of,
    on_pages,
)
from controller.simulate.told import Counted, Tally

S = 1_000_000_000
SENT = Tally(sent={"events": 10, "hand": 5})


def report(**fields: object) -> Report:
    known: dict[str, object] = {
        "asked": Asked(2, 1, 10, 50, 1, 1, "mosquitto", 2, (0.1, 0.2)),
        "elapsed_s": 10.0,
        "connected": 2,
        "hands": 1,
        "sent": SENT.sent,
        "acked": 15,
        "superseded": 0,
        "unsent": 0,
        "refused": 0,
        "again": 0,
        "reconnects": 0,
        "late_ms": 1.0,
        "counted": Received(SENT.sent, 0),
        "room": None,
        "on_pages": None,
        "use": {"room": Usage(1.0, 10.0, 0.1, 0.2, 40.0, 50.0)},
    }
    return Report(**(known | fields))  # type: ignore[arg-type]


def test_more_of_one_kind_makes_up_for_nothing_that_is_missing_of_another() -> None:
    assert lost_of({"hand": 5, "events": 7}, {"hand": 9, "events": 4}) == 3


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({}, 0),
        ({"counted": Received({}, 3)}, 3),
        ({"room": Received({}, 4), "counted": Received({}, 3)}, 4),
        ({"unsent": 2}, 2),
    ],
)
def test_what_anyone_has_not_is_lost(fields: dict[str, object], lost: int) -> None:
    said = report(**fields)
    assert said.lost == lost
    assert said.is_right is (lost == 0)
    assert f"lost{lost:>19}" in as_text(said)


def test_a_run_in_which_somebody_died_is_not_right() -> None:
    assert not report(faults=("a generator has died",)).is_right
    assert not report(refused=1).is_right


def test_the_rooms_counts_are_of_this_run() -> None:
    before = {"events": 100, "hand": 50, "gaps": 1, "doubles": 2}
    after = {"events": 108, "hand": 55, "gaps": 3, "doubles": 3}
    heard = by_room(SENT, before, after)
    assert (heard.lost, heard.gaps, heard.doubles) == (2, 2, 1)
    assert heard.received["events"] == 8


def test_an_alert_that_a_page_did_not_show_is_missing_unless_it_was_gone_at_once() -> None:
    a, b, brief = ("T1", "1"), ("T1", "2"), ("T2", "1")
    opened = {a: 0, b: S, brief: 2 * S}
    shown = on_pages(
        opened,
        {brief: 2 * S + S // 10, a: 9 * S},
        [{a: S // 100, b: S + S // 50}, {a: S // 100}],
        [{a: 9 * S + S // 10}, {}],
        messages=7,
        bytes_=70,
        longest=10,
    )
    assert (shown.raised, shown.missing) == (3, 1)
    assert shown.appear is not None
    assert (shown.appear.count, shown.appear.p50, shown.appear.most) == (3, 10.0, 20.0)
    assert shown.vanish is not None
    assert (shown.vanish.count, shown.vanish.p99) == (1, 100.0)
    assert report(on_pages=shown).lost == 1


def test_percentiles_are_times_that_were_measured() -> None:
    times = latency(n * 1_000_000 for n in range(100, 0, -1))
    assert times is not None
    assert (times.p50, times.p99, times.most, times.count) == (50.0, 99.0, 100.0, 100)
    assert latency([]) is None


def test_the_counting_subscriber_counts_each_event_once_and_nobody_elses() -> None:
    counts = Counts("sim-1")

    def hears(table: str, seq: int, *, session: str = "sim-1-x", retain: bool = False) -> None:
        payload = f'{{"session":"{session}","seq":{seq}}}'.encode()
        counts.heard(Incoming(f"cutcard/1/main/tables/{table}/events", payload, retain))

    for seq in (1, 2, 2, 5):
        hears("sim-0001", seq)
    hears("sim-0001", 3, session="sim-2-x")
    hears("sim-0001", 3, retain=True)
    hears("T1", 3)
    counts.heard(Incoming("cutcard/1/main/tables/sim-0001/alerts/1", b"", False))
    assert counts.received == {"events": 3, "alerts": 1}
    assert (counts.doubles, counts.gaps) == (1, 2)
    told = Counted(received=counts.received, gaps=counts.gaps)
    assert by_counter(Tally(sent={"events": 5, "alerts": 1}), told).lost == 2
