"""A trial of presence: so many reads from the simulated field, and what came of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from msgspec import Struct

from firmware_bridge.presence import Presence, PresenceCounters, Thresholds
from firmware_bridge.trial.antennas import Antennas, Device
from firmware_bridge.trial.facts import Facts
from firmware_bridge.trial.felt import Felt, beside
from firmware_bridge.trial.score import Delays, Score, delays

ARRIVAL_S = 0.6
"""In the median a card is seen after so long, or after two scan cycles where they take longer."""
DEPARTURE_S = 1.5
"""In the median a card is gone after so long: 0.8 s without a hit, and the scans that show it."""
PROGRESS_EVERY = 20_000


class Setup(Struct, frozen=True):
    """The parameters on trial: what scans which zones, and when reads become facts."""

    devices: tuple[Device, ...]
    neighbours: Mapping[str, frozenset[str]]
    thresholds: Thresholds = Thresholds()
    special: Mapping[str, Thresholds] = {}


class Target(Struct, frozen=True):
    """A figure and the most that it may be."""

    what: str
    measured: float
    most: float
    unit: str = ""

    @property
    def reached(self) -> bool:
        """Whether it is."""
        return self.measured <= self.most


class Outcome(Struct, frozen=True):
    """What came of a trial. `table_s` is how long the table was played at; the counts by cause are
    of all reads. `stood` is how long false arrivals were given out."""

    seed: int
    reads: int
    scans: int
    table_s: float
    cycle_s: float
    targets: tuple[Target, ...]
    arrivals: Delays
    departures: Delays
    stood: Delays
    false_arrivals: dict[str, int]
    false_departures: dict[str, int]
    missed: dict[str, int]
    stuck: int
    counters: PresenceCounters


def run(
    setup: Setup,
    *,
    reads: int,
    seed: int,
    progress: Callable[[int], None] = lambda _: None,
    facts: Facts | None = None,
) -> Outcome:
    """Return what presence makes of `reads` tags read; the same for the same arguments.

    `progress` is told how many have been read so far, every now and then.
    """
    facts = facts or Facts()
    dice = random.Random(seed)  # noqa: S311 - a trial can be repeated
    zones = tuple(zone for device in setup.devices for zone in device.zones)
    felt = Felt(zones, facts, dice)
    antennas = Antennas(setup.devices, felt, facts, dice)
    presence = Presence(
        zones,
        start=0.0,
        neighbours=setup.neighbours,
        registered=antennas.deck.__contains__,
        thresholds=setup.thresholds,
        special=setup.special,
    )
    score = Score(antennas, beside(zones))
    told = 0
    for scan in antennas.reported():
        values = presence.check(scan.t)
        if scan.failed:
            presence.failed(scan.zone, scan.t)
        else:
            values += presence.scan(scan.zone, scan.t, scan.tags, complete=scan.complete)
        score.take(scan, values)
        if antennas.reads - told >= PROGRESS_EVERY:
            told = antennas.reads
            progress(told)
        if antennas.reads >= reads:
            break
    return _outcome(setup, seed, antennas, score, presence.counters)


def _outcome(
    setup: Setup, seed: int, antennas: Antennas, score: Score, counters: PresenceCounters
) -> Outcome:
    arrivals, departures = delays(score.arrivals), delays(score.departures)
    cycle_s = max(device.cycle_s for device in setup.devices)
    ghosts = score.false_arrivals["collision"] + score.false_arrivals["mangled UID"]
    return Outcome(
        seed=seed,
        reads=antennas.reads,
        scans=antennas.scanned,
        table_s=antennas.t,
        cycle_s=cycle_s,
        targets=(
            Target("cards given out without a read", score.invented, 0),
            Target("cards in two neighbouring zones at once", score.at_two, 0),
            Target("collisions and mangled UIDs given out", ghosts, 0),
            Target("arrival, median", arrivals.median_s, max(ARRIVAL_S, 2 * cycle_s), "s"),
            Target("departure, median", departures.median_s, DEPARTURE_S, "s"),
        ),
        arrivals=arrivals,
        departures=departures,
        stood=delays(score.stood),
        false_arrivals=dict(score.false_arrivals.most_common()),
        false_departures=dict(score.false_departures.most_common()),
        missed=dict(score.missed.most_common()),
        stuck=score.stuck,
        counters=counters,
    )
