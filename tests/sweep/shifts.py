"""`python -m tests.sweep.shifts [DEALS] [FIRST]`: where did the deal begin?

Random deals of each kind by dealers whose pitches vary by 30 %, at tables with and without a puck:
how many of them are found, asked about and left alone.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from controller.library.books import Library, open_library
from tests.sweep.__main__ import CONFIG
from tests.sweep.hands import CARDS
from tests.sweep.judging import replay
from tests.sweep.telling import Line

VARIES = 0.3
LATE = 6.0
"""Seconds by which a card is read late at most."""

Ring = Sequence[int]


class Read(msgspec.Struct):
    """A card that is pitched to `seat` at `t`; `unread` by any antenna."""

    t: float
    seat: int
    unread: bool = False


class Deal(msgspec.Struct, frozen=True):
    """The log of a deal, and whether it began where it should."""

    lines: list[Line]
    right: bool


def _as_it_should(_: Random, ring: Ring) -> list[int]:
    return [*ring, *ring]


def _first_round_shifted(rng: Random, ring: Ring) -> list[int]:
    return [*_shifted(rng, ring), *ring]


def _whole_deal_shifted(rng: Random, ring: Ring) -> list[int]:
    return _shifted(rng, ring) * 2


def _first_seat_left_out(_: Random, ring: Ring) -> list[int]:
    return [*ring[1:], *ring[1:]]


def _shifted(rng: Random, ring: Ring) -> list[int]:
    by = rng.choice([1, 1, rng.randrange(1, len(ring))])
    return [*ring[by:], *ring[:by]]


def _well(_: Random, __: list[Read]) -> None:
    pass


def _slowly(rng: Random, reads: list[Read]) -> None:
    for read in reads:
        read.t += rng.uniform(0.0, 0.15)


def _one_late(rng: Random, reads: list[Read]) -> None:
    rng.choice(reads).t += rng.uniform(0.3, LATE)


def _first_late(rng: Random, reads: list[Read]) -> None:
    reads[0].t += rng.uniform(0.3, LATE)


def _one_unread(rng: Random, reads: list[Read]) -> None:
    rng.choice(reads).unread = True


def _first_unread(_: Random, reads: list[Read]) -> None:
    reads[0].unread = True


def _first_hand_unread(_: Random, reads: list[Read]) -> None:
    for read in reads:
        read.unread = read.seat == reads[0].seat


def _some_unread(rng: Random, reads: list[Read]) -> None:
    for read in reads:
        read.unread = rng.random() < 0.05


KINDS: dict[
    str, tuple[Callable[[Random, Ring], list[int]], Callable[[Random, list[Read]], None]]
] = {
    "right": (_as_it_should, _well),
    "right, read slowly": (_as_it_should, _slowly),
    "right, one card late": (_as_it_should, _one_late),
    "right, the first card late": (_as_it_should, _first_late),
    "right, one card unread": (_as_it_should, _one_unread),
    "right, the first card unread": (_as_it_should, _first_unread),
    "right, the first hand unread": (_as_it_should, _first_hand_unread),
    "right, some cards unread": (_as_it_should, _some_unread),
    "first round shifted": (_first_round_shifted, _well),
    "first round shifted, read slowly": (_first_round_shifted, _slowly),
    "whole deal shifted": (_whole_deal_shifted, _well),
    "whole deal shifted, read slowly": (_whole_deal_shifted, _slowly),
    "whole deal shifted, one card late": (_whole_deal_shifted, _one_late),
    "first seat left out": (_first_seat_left_out, _well),
}
"""How it is dealt, and how it is read."""


def deal(kind: str, number: int) -> Deal:
    """The same number, the same deal."""
    rng = Random(number)
    seats, read_them = KINDS[kind]
    count = rng.randint(2, 10)
    chairs = sorted(rng.sample(range(1, 11), count))
    turn = rng.randrange(count)
    ring = [*chairs[turn:], *chairs[:turn]]
    rhythm, t = rng.uniform(0.45, 1.2), 5.0
    reads = []
    for seat in seats(rng, ring):
        reads.append(Read(t, seat))
        t += rhythm * rng.uniform(1 - VARIES, 1 + VARIES)
    read_them(rng, reads)
    cards = iter(CARDS)
    lines: list[Line] = [
        {"kind": "seen", "t": read.t, "zone": f"seat/{read.seat}", "tag": next(cards)}
        for read in sorted(reads, key=lambda read: read.t)
        if not read.unread
    ]
    begin: list[Line] = [_table(ring), {"kind": "riffle", "t": 2.0}]
    if rng.random() < 0.5:
        begin.insert(1, {"kind": "seen", "t": 1.0, "zone": f"seat/{ring[-1]}", "tag": "PUCK"})
    lines = [*begin, *lines]
    first = ring[2 % count] if count > 2 else ring[1]
    end = max(line.get("t", 0.0) for line in lines) + rng.choice([1.0, 4.0])
    lines += [
        {"kind": "tick", "t": end},
        {"kind": "press", "t": end + 0.5, "seat": first, "button": "call"},
        {"kind": "tick", "t": end + 4.0},
    ]
    return Deal(lines, seats is _as_it_should)


def _table(ring: Ring) -> Line:
    return {
        "kind": "table",
        "v": 1,
        "table": "T1",
        "rulebook": "roberts",
        "button": ring[-1],
        "seats": [{"seat": seat, "stack": 1000} for seat in sorted(ring)],
        "blinds": {"small": 5, "big": 10},
        "objects": {"PUCK": "button"},
    }


def verdict(library: Library, one: Deal) -> str:
    """`seen` or `asked` where it is found that the deal began elsewhere, `remedied` where that was
    taken back, else the codes of what is found, or `nothing`."""
    events = replay(library, one.lines, None)
    found = [e for e in events if e["kind"] == "finding"]
    first = [e for e in found if e["code"] == "first-card-wrong-seat"]
    if not first:
        return " ".join(sorted({e["code"] for e in found})) or "nothing"
    if any(e["kind"] == "closed" and e["id"] == first[0]["id"] for e in events):
        return "remedied"
    bases = [first[0]["basis"], *(e.get("basis") for e in events if e["kind"] == "ruling")]
    return "seen" if "seen" in bases else "asked"


def count(library: Library, kind: str, numbers: range) -> Counter[str]:
    """The verdicts on so many deals of a kind."""
    return Counter(verdict(library, deal(kind, number)) for number in numbers)


def main(deals: int, first: int) -> None:
    library = open_library(CONFIG)
    for kind in KINDS:
        counts = count(library, kind, range(first, first + deals))
        said = ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())
        sys.stdout.write(f"{kind}: {said}\n")


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    main(*(words + [300, 0][len(words) :]))
