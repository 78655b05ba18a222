"""What antennas do: done to a night's log like people's habits, nothing at the table changes."""

from __future__ import annotations

from random import Random

from tests.sweep.nights.people import Habit
from tests.sweep.telling import Line

DEALT_TO = ("seat", "boar", "burn")
LASTS = (0.2, 0.45, 1.5, 4.0)
"""Seconds that a neighbour reads a card as well."""


def never_read(rate: float) -> Habit:
    """So many of the cards that come to a seat, the board or the burns are not read as long as
    they lie there."""

    def miss(rng: Random, log: list[Line]) -> int:
        kept: list[Line] = []
        unread: set[tuple[str, str]] = set()
        slips = 0
        for line in log:
            place = (line.get("zone", ""), line.get("tag", ""))
            if line["kind"] == "seen" and place[0][:4] in DEALT_TO and rng.random() < rate:
                unread.add(place)
                slips += 1
            elif line["kind"] == "gone" and place in unread:
                unread.remove(place)
            else:
                kept.append(line)
        log[:] = kept
        return slips

    return miss


def cross_talk(rate: float) -> Habit:
    """So many of the cards at a seat are read by the antenna beside it as well for a while."""

    def talk(rng: Random, log: list[Line]) -> int:
        more: list[Line] = []
        lying: dict[tuple[str, str], float] = {}
        last: float = log[-1]["t"]
        for line in reversed(log):
            if line["kind"] not in ("seen", "gone") or line["zone"][:4] != "seat":
                continue
            place = (line["zone"], line["tag"])
            if line["kind"] == "gone":
                lying[place] = line["t"]
            elif rng.random() < rate:
                begins = round(line["t"] + rng.uniform(0, 1), 3)
                left = lying.get(place, last)
                ends = round(min(begins + rng.choice(LASTS), left - 0.01), 3)
                if begins < ends:
                    zone = _beside(rng, line["zone"])
                    more.append({**line, "t": begins, "zone": zone})
                    more.append({"t": ends, "kind": "gone", "zone": zone, "tag": line["tag"]})
        log += more
        return len(more) // 2

    return talk


def _beside(rng: Random, zone: str) -> str:
    seat = int(zone.split("/")[1]) + rng.choice((-1, 1))
    return f"seat/{(seat - 1) % 10 + 1}"
