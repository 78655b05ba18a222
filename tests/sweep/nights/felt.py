"""What a dealer does with the cards between two deals: done to a night's log like people's habits,
nothing of the hands changes."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from tests.sweep.nights.people import Habit
from tests.sweep.telling import Line

MIDDLE = ("board", "burn", "muck")
BESIDE_THE_DEALER = ("seat/1", "seat/10")
COLLECTS_S = 6.0
SHUFFLES_S = 2.5


def gathered_across(rate: float) -> Habit:
    """So many of the cards brush another place as they are taken in, any one of the table's."""
    zones = [*MIDDLE, *(f"seat/{seat}" for seat in range(1, 11))]

    def gather(rng: Random, log: list[Line]) -> int:
        awards = [line["t"] for line in log if line.get("input") == "award"]
        more: list[Line] = []
        for line in log:
            at = bisect(awards, line.get("t", -1.0))
            is_taken_in = line["kind"] == "gone" and at and line["t"] - awards[at - 1] < COLLECTS_S
            if is_taken_in and rng.random() < rate:
                begins = line["t"] + rng.uniform(0.05, 0.4)
                zone = rng.choice([zone for zone in zones if zone != line["zone"]])
                more += _brush(line["tag"], zone, begins, begins + rng.uniform(0.1, 0.9))
        log += more
        return len(more) // 2

    return gather


def shuffled_on(zones: Sequence[str]) -> Habit:
    """After the first riffle the cards are spread and shuffled where these antennas read."""

    def shuffle(rng: Random, log: list[Line]) -> int:
        deck = sorted({line["tag"] for line in log if line["kind"] == "seen"})
        more: list[Line] = []
        spread = 0
        for riffle, pitch in pairwise([line for line in log if line["kind"] in ("riffle", "seen")]):
            if riffle["kind"] != "riffle" or pitch["kind"] != "seen":
                continue
            ends = min(pitch["t"] - 0.5, riffle["t"] + SHUFFLES_S)
            for tag in rng.sample(deck, rng.randint(8, 30)):
                begins = rng.uniform(riffle["t"] + 0.05, ends - 0.1)
                left = rng.uniform(begins + 0.05, ends)
                more += _brush(tag, rng.choice(zones), begins, left)
            spread += 1
        log += more
        return spread

    return shuffle


def flown_past(rate: float) -> Habit:
    """So many of the cards that are pitched, burned or turned up cross another place in the middle
    as they come, which reads them for a moment."""

    def fly(rng: Random, log: list[Line]) -> int:
        more: list[Line] = []
        for line in log:
            place = str(line.get("zone", "")).partition("/")[0]
            comes = line["kind"] == "seen" and place in ("seat", "burn", "board")
            if comes and rng.random() < rate:
                begins = line["t"] - rng.uniform(0.05, 0.3)
                zone = rng.choice([zone for zone in MIDDLE if zone != place])
                more += _brush(line["tag"], zone, begins, begins + rng.uniform(0.02, 0.25))
        log += more
        return len(more) // 2

    return fly


def burns_laid_on_another() -> Habit:
    """A burn is read no more once the next one lies on it."""

    def hide(_: Random, log: list[Line]) -> int:
        lies: str | None = None
        more: list[Line] = []
        for line in log:
            if line["kind"] == "riffle":
                lies = None
            elif line.get("zone") == "burn" and line["kind"] == "seen":
                if lies is not None:
                    more.append({**line, "kind": "gone", "tag": lies, "t": line["t"] + 0.15})
                lies = line["tag"]
        log += more
        return len(more)

    return hide


def _brush(tag: str, zone: str, begins: float, ends: float) -> list[Line]:
    return [
        {"t": round(begins, 3), "kind": "seen", "zone": zone, "tag": tag},
        {"t": round(ends, 3), "kind": "gone", "zone": zone, "tag": tag},
    ]
