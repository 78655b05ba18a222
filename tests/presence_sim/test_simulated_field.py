"""The simulated field: it is what its facts say, and a trial of presence on it finds faults."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import islice, pairwise

import msgspec
import pytest

from firmware_bridge.presence import Thresholds, rows
from firmware_bridge.sensed import Seen
from firmware_bridge.trial.antennas import Antennas, Device, Scan
from firmware_bridge.trial.facts import Facts
from firmware_bridge.trial.felt import Felt, beside
from firmware_bridge.trial.run import Outcome, Setup, run
from firmware_bridge.trial.score import Score, delays

ZONES = (*(f"seat/{n}" for n in range(1, 10)), "board", "burn", "muck", "stub")
CYCLE = 0.24
PERFECT = Facts(
    miss=0, alternating=0, gap_every_s=1e9, stall_every_s=1e9, stale=0, dead=0, at_edge=0,
    stack_miss=0, unresolved=0, union=0, mangled=0, echo=0, hand_miss=0, frame_lost=0,
)  # fmt: skip


def field(facts: Facts, seed: int = 1) -> Antennas:
    dice = random.Random(seed)
    return Antennas([Device(ZONES, CYCLE)], Felt(ZONES, facts, dice), facts, dice)


def trial(
    facts: Facts | None = None, *, reads: int = 30_000, seed: int = 1, **limits: float
) -> Outcome:
    thresholds = msgspec.convert(limits, Thresholds)
    setup = Setup((Device(ZONES, CYCLE),), rows(ZONES), thresholds)
    return run(setup, reads=reads, seed=seed, facts=facts)


def scans(facts: Facts, count: int = 60_000) -> list[Scan]:
    return list(islice(field(facts).reported(), count))


def test_every_hand_deals_two_cards_to_every_seat_and_a_board() -> None:
    felt = Felt(ZONES, PERFECT, random.Random(3))
    for stays in islice(felt.hands(), 20):
        resting = [stay for stay in stays if not stay.slides]
        for seat in range(1, 10):
            assert len({stay.tag for stay in resting if stay.zone == f"seat/{seat}"}) == 2
        assert Counter(stay.zone for stay in resting)["board"] == 5
        assert len({stay.tag for stay in resting if stay.zone == "burn"}) == 3
        assert all(stay.begins < stay.ends for stay in stays)
        for one in resting:  # no card lies in two places
            for other in resting:
                apart = one is other or one.tag != other.tag
                assert apart or one.ends <= other.begins or other.ends <= one.begins


def test_scans_come_in_the_order_of_time_and_a_still_zone_once_a_second() -> None:
    seen = scans(PERFECT, 5_000)
    assert all(one.t <= other.t for one, other in pairwise(seen))
    stub = [scan.t for scan in seen if scan.zone == "stub"]
    pauses = [b - a for a, b in pairwise(stub)]
    assert min(pauses) == pytest.approx(CYCLE)  # for a second after the first report
    assert Counter(pause > 0.9 for pause in pauses[5:]) == {True: len(pauses) - 5}
    assert max(pauses) < 1.0 + CYCLE + 1e-6


def test_the_facts_come_up_as_often_as_they_say() -> None:
    antennas = field(msgspec.structs.replace(PERFECT, miss=0.1))
    hits = misses = 0
    for scan in antennas.reported():
        for stay in antennas.lying(scan.zone):
            if not stay.slides and stay.ends > scan.t:
                hits += stay.tag in scan.tags
                misses += stay.tag not in scan.tags
        if antennas.reads > 40_000:
            break
    # Scans that read what the last one read are left out, so misses are over-represented.
    assert 0.08 < misses / (hits + misses) < 0.25


@pytest.mark.parametrize(
    ("facts", "shows"),
    [
        ({"stall_every_s": 10.0}, lambda scan, deck: scan.failed),  # noqa: ARG005
        ({"unresolved": 0.5}, lambda scan, deck: not scan.complete),  # noqa: ARG005
        ({"union": 0.5}, lambda scan, deck: bool(scan.tags - deck)),
        ({"mangled": 0.01}, lambda scan, deck: bool(scan.tags - deck)),
    ],
)
def test_each_trouble_comes_from_its_fact_alone(
    facts: dict[str, float], shows: Callable[[Scan, frozenset[str]], bool]
) -> None:
    def count(facts: Facts) -> int:
        antennas = field(facts)
        return sum(shows(scan, antennas.deck) for scan in islice(antennas.reported(), 20_000))

    assert count(PERFECT) == 0
    assert count(msgspec.structs.replace(PERFECT, **facts)) > 10


def test_a_card_at_the_edge_is_read_by_its_neighbour_and_by_no_other() -> None:
    antennas = field(msgspec.structs.replace(PERFECT, at_edge=1.0))
    heard = Counter[bool]()
    around = beside(ZONES)
    for scan in islice(antennas.reported(), 20_000):
        here = {stay.tag for stay in (*antennas.lying(scan.zone), *antennas.left(scan.zone))}
        for tag in scan.tags - here:
            near = {s.tag for zone in around[scan.zone] for s in antennas.lying(zone)}
            heard[tag in near] += 1
    assert set(heard) == {True}


def test_on_a_perfect_field_nothing_goes_wrong() -> None:
    outcome = trial(PERFECT)
    # What is left slides for longer than two hits take.
    assert set(outcome.false_arrivals) <= {"sliding through"}
    assert (outcome.false_departures, outcome.missed, outcome.stuck) == ({}, {}, 0)
    assert all(target.reached for target in outcome.targets)
    assert outcome.arrivals.most_s <= 2 * CYCLE + 1e-6
    assert outcome.departures.most_s <= 0.8 + 2 * CYCLE
    assert 0.8 - CYCLE <= outcome.departures.median_s <= 0.8 + 2 * CYCLE


def test_a_trial_is_the_same_for_the_same_seed_and_no_other() -> None:
    assert trial(reads=5_000) == trial(reads=5_000)
    assert trial(reads=5_000).arrivals != trial(reads=5_000, seed=2).arrivals


def test_thresholds_that_are_too_quick_show() -> None:
    usual = trial()
    assert all(target.reached for target in usual.targets)
    hasty = trial(misses_to_leave=1, absent_s=0.1, patience=0.0)
    slow = trial(absent_s=4.0)
    rash = trial(hits_to_arrive=1)

    def total(causes: dict[str, int]) -> int:
        return sum(causes.values())

    assert total(hasty.false_departures) > 20 * total(usual.false_departures)
    assert hasty.departures.median_s < usual.departures.median_s
    assert slow.stuck > 100 > usual.stuck
    assert not all(target.reached for target in slow.targets)
    assert total(rash.false_arrivals) > 4 > total(usual.false_arrivals)


def test_cards_that_are_never_read_are_told_apart_from_those_missed() -> None:
    outcome = trial(msgspec.structs.replace(PERFECT, dead=0.2))
    assert set(outcome.missed) == {"never read"}


def test_progress_is_told() -> None:
    told: list[int] = []
    setup = Setup((Device(ZONES, CYCLE),), rows(ZONES))
    run(setup, reads=50_000, seed=1, progress=told.append)
    assert len(told) == 2
    assert told == sorted(told)


def test_delays_are_ranked() -> None:
    found = delays([float(n) for n in range(100, 0, -1)])
    assert (found.count, found.median_s, found.p99_s, found.most_s) == (100, 50.0, 99.0, 100.0)
    assert delays([]).count == 0


def test_what_was_never_read_and_what_lies_in_two_zones_is_counted() -> None:
    antennas = field(PERFECT)
    score = Score(antennas, beside(ZONES))
    tag = min(antennas.deck)
    for scan in islice(antennas.reported(), 200):
        score.take(scan, [])
    nothing = Scan(antennas.t, "seat/1", frozenset(), True, False)
    read = Scan(antennas.t, "seat/2", frozenset({tag}), True, False)
    score.take(nothing, [Seen(antennas.t, "seat/1", tag)])
    assert (score.invented, score.at_two) == (1, 0)
    score.take(read, [Seen(antennas.t, "seat/2", tag)])
    assert (score.invented, score.at_two) == (1, 1)
