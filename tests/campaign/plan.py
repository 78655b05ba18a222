"""What is done in which episode: a pure function of the seed and the episode's number."""

from __future__ import annotations

import random

from msgspec import Struct

from tests.campaign.faults import FAULTS

CONTROL = "control"
_THEMES = ("kill", "point", "still", "clock", "wire", "broker", "disk", "damage", "mixed")
_SEATS = range(1, 11)
_CUTS = ("bit flipped", "file halved")
_POWER_CUT = "power cut"
"""It takes the stamp away by which the table knows that the end of its journal is missing, so that
it does not come with these."""
_SPEEDS = (1.0, 2.0, 3.0, 4.0, 4.0, 4.0)


class Planned(Struct, frozen=True, order=True):
    """A fault of this name, so many seconds after play began."""

    at_s: float
    name: str


class Plan(Struct, frozen=True):
    """One episode: `seconds` of play under faults by people of these seats, `speed` times as fast
    as real ones, and what happens then."""

    seed: int
    number: int
    theme: str
    seats: tuple[int, ...]
    speed: float
    seconds: float
    faults: tuple[Planned, ...]


def plan(seed: int, number: int, *, fault: str | None = None, speed: float | None = None) -> Plan:
    """The episode of this number. The first of all has no faults: what is demanded of the others
    must be so without them. With `fault` there is no other; `speed` overrides the drawn one."""
    rng = random.Random(f"{seed} {number}")
    themes = list(_THEMES)
    random.Random(f"{seed} order {(number - 1) // len(themes)}").shuffle(themes)
    theme = CONTROL if number == 0 else themes[(number - 1) % len(themes)]
    if number and fault is not None:
        theme = FAULTS[fault].theme
    players = rng.randint(3, 6)
    ring = sorted(rng.sample(_SEATS, players))
    turn = rng.randrange(players)
    drawn = rng.choice(_SPEEDS)
    seconds = rng.uniform(8.0, 16.0)
    able = sorted(name for name, each in FAULTS.items() if theme in ("mixed", each.theme))
    count = 0 if theme == CONTROL else rng.randint(2, 5)
    drawn_faults = [
        Planned(round(rng.uniform(0.5, seconds), 2), fault or rng.choice(able))
        for _ in range(count)
    ]
    if any(planned.name in _CUTS for planned in drawn_faults):
        drawn_faults = [planned for planned in drawn_faults if planned.name != _POWER_CUT]
    return Plan(
        seed,
        number,
        theme,
        (*ring[turn:], *ring[:turn]),
        speed or drawn,
        round(seconds, 1),
        tuple(sorted(drawn_faults)),
    )
