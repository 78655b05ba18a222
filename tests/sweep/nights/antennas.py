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


def not_watched(every: float) -> Habit:
    """Once in so many seconds on average nobody watches for a while. Then all that lies there is
    told of, and what has left is not; and what the room said meanwhile."""

    def away(rng: Random, log: list[Line]) -> int:
        told: list[Line] = []
        lying: dict[tuple[str, str], None] = {}
        gaps = 0
        since, t = _next_gap(rng, 0.0, every)
        for line in log:
            now = line.get("t", 0.0)
            if now >= t:
                told.append({"kind": "gap", "t": t, "since": since, "why": "restart"})
                told += [{"kind": "seen", "t": t, "zone": z, "tag": tag} for z, tag in lying]
                since, t = _next_gap(rng, now, every)
                gaps += 1
            if line["kind"] == "seen":
                lying[line["zone"], line["tag"]] = None
            elif line["kind"] == "gone":
                lying.pop((line["zone"], line["tag"]), None)
            if now < since:
                told.append(line)
            elif line["kind"] in ("seat", "level"):
                told.append({**line, "t": t + 0.1})
        log[:] = told
        return gaps

    return away


def readers_lost(every: float) -> Habit:
    """Once in so many seconds on average one of the readers is missing for a while. When it is
    back, what lies there then is told of, and what has left meanwhile."""
    zones = [*(f"seat/{seat}" for seat in range(1, 11)), "board", "burn", "muck"]

    def lose(rng: Random, log: list[Line]) -> int:
        told: list[Line] = []
        true: dict[str, set[str]] = {zone: set() for zone in zones}
        known: dict[str, set[str]] = {zone: set() for zone in zones}
        lost, losses = "", 0
        t = rng.expovariate(1 / every)
        for line in log:
            while "t" in line and t <= line["t"]:
                if not lost:
                    lost = rng.choice(zones)
                    told.append(_reader(t, lost, "lost"))
                    t += rng.uniform(5, 60)
                    losses += 1
                    continue
                told.append(_reader(t, lost, "ok"))
                for kind, tags in (
                    ("gone", known[lost] - true[lost]),
                    ("seen", true[lost] - known[lost]),
                ):
                    at = {"t": round(t, 3), "kind": kind, "zone": lost}
                    told += [{**at, "tag": tag} for tag in sorted(tags)]
                known[lost] = set(true[lost])
                lost = ""
                t += rng.expovariate(1 / every)
            if line["kind"] in ("seen", "gone"):
                at_once = (true, known) if line["zone"] != lost else (true,)
                for lies in at_once:
                    here = lies[line["zone"]]
                    (here.add if line["kind"] == "seen" else here.discard)(line["tag"])
                if line["zone"] == lost:
                    continue
            told.append(line)
        log[:] = told
        return losses

    return lose


def _reader(t: float, zone: str, status: str) -> Line:
    return {"t": round(t, 3), "kind": "reader", "zone": zone, "status": status}


def _next_gap(rng: Random, after: float, every: float) -> tuple[float, float]:
    since = round(after + rng.expovariate(1 / every), 3)
    return since, round(since + rng.uniform(2, 30), 3)


def _beside(rng: Random, zone: str) -> str:
    seat = int(zone.split("/")[1]) + rng.choice((-1, 1))
    return f"seat/{(seat - 1) % 10 + 1}"
