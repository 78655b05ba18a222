"""Antennas, one by one, with one card: how often is it read, and does a neighbour read it too?

A board reports each scan that differs from its last report, all scans for a second after that,
and else one a second. So scans that were not reported read what the report before them did, and
their number follows from the time between two reports (`counted`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from itertools import pairwise
from statistics import median

from msgspec import Struct

from controller.install.bench import Bench, BenchRefusedError
from controller.install.doctor.check import Check, fail, ok, refused, skipped, warn
from controller.install.doctor.person import LeftError, NobodyError, Person
from controller.install.doctor.readers import spoken
from controller.table.bench import Scan, hand_is_open
from controller.table.config import TableConfig

SCANS = 40
LONGEST_S, NOTHING_S = 12.0, 3.0
"""An antenna is listened to for so long at most; for less if it reads nothing at all."""
GOOD, POOR = 0.9, 0.6
"""A card that is read in nine of ten scans is never missed for the 0.8 s after which it counts as
gone; below six of ten that happens now and then."""
CROSS_TALK = 0.05
BURST_GAP_S = 0.7
"""Reports closer together than that are of scan after scan."""
SURE = 3
"""A card that was read in so many reports in a row has been put down."""

Antenna = tuple[str, str]
"""A port and one of its zones."""


class Counted(Struct, frozen=True):
    """So many scans of an antenna, and in how many of them the card was read."""

    hits: int = 0
    scans: int = 0

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.hits / self.scans if self.scans else 0.0

    def __str__(self) -> str:
        return f"{self.hits} of {self.scans} scans, {self.share:.0%}".replace("%", " %")


class Reading(Struct, frozen=True):
    """What came of one card at one antenna: there, and at every other one that read it."""

    here: Counted
    elsewhere: Mapping[str, Counted]
    failed: int = 0
    cards: int = 1


def counted(scans: Sequence[Scan], tag: str, cycle_s: float) -> Counted:
    """How often one antenna read a tag; what was not reported was as before. `cycle_s` is the
    time between two scans, where the reports don't tell."""
    whole = [scan for scan in scans if not scan.failed]
    gaps = [b.t - a.t for a, b in pairwise(whole) if b.t > a.t]
    if not gaps:
        return Counted(sum(tag in scan.tags for scan in whole), len(whole))
    shortest = min(gaps)
    cycle = cycle_s
    if shortest < BURST_GAP_S:
        cycle = median(gap for gap in gaps if gap < 1.6 * shortest)
    hits, number = int(tag in whole[0].tags), 1
    for before, scan in pairwise(whole):
        silent = max(round((scan.t - before.t) / cycle) - 1, 0)
        hits += silent * (tag in before.tags) + (tag in scan.tags)
        number += silent + 1
    return Counted(hits, number)


def reading(
    scans: Mapping[Antenna, Sequence[Scan]],
    antenna: Antenna,
    before: Mapping[Antenna, frozenset[str]],
    cycle_s: float,
) -> Reading:
    """What an antenna and all others read of the card that it reads most; or, where it reads
    none, of what others did not read `before`."""
    mine = scans.get(antenna, ())
    often = Counter(tag for scan in mine for tag in scan.tags)
    failed = sum(scan.failed for scan in mine)
    if not often:
        fresh = _fresh(scans, antenna, before, cycle_s)
        return Reading(counted(mine, "", cycle_s), fresh, failed, 0)
    tag = often.most_common(1)[0][0]
    elsewhere = {
        zone: found
        for (port, zone), others in scans.items()
        if (port, zone) != antenna and (found := counted(others, tag, cycle_s)).hits
    }
    alone = sum(number > often[tag] / 2 for number in often.values())
    return Reading(counted(mine, tag, cycle_s), elsewhere, failed, alone)


def judge(zone: str, seen: Reading) -> list[Check]:
    """One antenna: does it read its card, and it alone?"""
    name = spoken(zone)
    if not seen.here.scans:
        what = "its reader is failing" if seen.failed else "it does not report"
        return [
            fail(name, what, "Check the reader's cable and supply: cutcard doctor --only readers")
        ]
    checks = []
    if not seen.here.hits:
        instead = [spoken(zone) for zone in seen.elsewhere]
        if instead:
            return [
                fail(
                    name,
                    f"{seen.here}; {' and '.join(instead)} read a card instead",
                    "If the two are mixed up, swap them in `zones` of [[port]], or swap cables.",
                )
            ]
        return [
            fail(
                name,
                f"{seen.here}",
                "Check the antenna's cable, the distance to the card and its kind of tag "
                "(docs/readers.md).",
            )
        ]
    place = "Move the antenna closer to the felt, away from metal, and try again: "
    again = "cutcard doctor --only antennas"
    if seen.here.share >= GOOD:
        checks.append(ok(name, f"{seen.here}"))
    elif seen.here.share >= POOR:
        checks.append(warn(name, f"{seen.here}: good enough, but only just", place + again))
    else:
        checks.append(fail(name, f"{seen.here}: cards will come and go", place + again))
    if seen.cards > 1:
        checks.append(
            warn(name, f"there were {seen.cards} cards", "Try it with just one: " + again)
        )
    for other, found in seen.elsewhere.items():
        if found.share < CROSS_TALK:
            continue
        words = f"{spoken(other)} reads it too in {found.share:.0%}".replace("%", " %")
        apart = "Move the two antennas apart or put shielding between them, and try again: "
        if found.share >= seen.here.share:
            checks.append(fail(name, f"{words}: as well as {name} does", apart + again))
        else:
            checks.append(warn(name, words, apart + again))
    return checks


def antennas(config: TableConfig) -> list[tuple[Antenna, bool]]:
    """All of a table, and whether each reads the puck and no cards."""
    return [
        ((wiring.port, zone), wiring.reads_pucks)
        for wiring in config.wirings()
        for zone in wiring.zones
    ]


async def guide(config: TableConfig, bench: Bench, person: Person) -> AsyncGenerator[Check, None]:
    """Asks for a card at each antenna in turn and tells what came of it. Raises BenchError."""
    health = await bench.health()
    if health.hand is not None:
        yield refused("antennas", hand_is_open(health.hand))
        return
    heard = _Heard(health.cycle_s)
    person.say(
        "One card, moved from place to place. Enter: it is there; s: "
        "skip this one; q: end this part."
    )
    try:
        async with aclosing(bench.scans(named=False)) as scans:
            listening = asyncio.create_task(heard.listen(scans))
            try:
                for antenna, is_puck in antennas(config):
                    async for check in _one(antenna, is_puck, heard, listening, person):
                        yield check
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
    except BenchRefusedError as error:
        yield refused("antennas", error.reason)
    except NobodyError:
        yield skipped("antennas", "nobody answers: there is no terminal")
    except LeftError:
        yield skipped("antennas", "the rest was skipped")


async def _one(
    antenna: Antenna,
    is_puck: bool,
    heard: _Heard,
    listening: asyncio.Task[None],
    person: Person,
) -> AsyncGenerator[Check, None]:
    name = spoken(antenna[1])
    again: bool | None = True
    left = None
    while again:
        person.say(f"Put {'the puck' if is_puck else 'one card'} on {name}.")
        before = heard.all_tags()
        if not await _is_there(antenna, heard, listening, person):
            yield skipped(name, "skipped")
            return
        scans = await _measured(antenna, heard, listening)
        checks = judge(antenna[1], reading(scans, antenna, before, heard.cycle_s))
        again = False
        if any(check.status != "ok" for check in checks):
            for check in checks:
                person.say(f"  {check.found}")
            try:
                again = await person.yes(f"Once more for {name}?")
            except (NobodyError, LeftError) as error:
                left = error
    for check in checks:
        yield check
    if left is not None:
        raise left


async def _is_there(
    antenna: Antenna, heard: _Heard, listening: asyncio.Task[None], person: Person
) -> bool:
    """Wait until the card was put there, or somebody says so; False if it is to be skipped."""
    before = heard.tags(antenna)
    answer = asyncio.create_task(person.line())
    try:
        while not heard.has_new(antenna, before):
            moved = asyncio.create_task(heard.moved.wait())
            await asyncio.wait((answer, listening, moved), return_when=asyncio.FIRST_COMPLETED)
            moved.cancel()
            heard.moved.clear()
            if listening.done():
                await listening
            if answer.done():
                match answer.result().lower():
                    case "s":
                        return False
                    case "q":
                        raise LeftError
                break
        return True
    finally:
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)


async def _measured(
    antenna: Antenna, heard: _Heard, listening: asyncio.Task[None]
) -> Mapping[Antenna, Sequence[Scan]]:
    heard.forget()
    now = asyncio.get_running_loop().time
    began = now()
    while now() - began < LONGEST_S:
        await asyncio.wait((listening,), timeout=0.1)
        if listening.done():
            await listening
        mine = heard.scans.get(antenna, ())
        reads = any(scan.tags for scan in mine)
        if reads and counted(mine, "", heard.cycle_s).scans >= SCANS:
            break
        if not reads and now() - began > NOTHING_S:
            break
    return heard.scans


class _Heard:
    """The scans since the last `forget`, by antenna."""

    def __init__(self, cycle_s: float) -> None:
        self.cycle_s = cycle_s
        self.scans: dict[Antenna, list[Scan]] = {}
        self._last: dict[Antenna, frozenset[str]] = {}
        self.moved = asyncio.Event()

    async def listen(self, scans: AsyncGenerator[Scan, None]) -> None:
        async for scan in scans:
            self.scans.setdefault((scan.port, scan.zone), []).append(scan)
            self.moved.set()

    def forget(self) -> None:
        """All scans; what each antenna read last is still known."""
        self._last = self.all_tags()
        self.scans = {}

    def tags(self, antenna: Antenna) -> frozenset[str]:
        """What the antenna read last."""
        scans = self.scans.get(antenna)
        return frozenset(scans[-1].tags) if scans else self._last.get(antenna, frozenset())

    def all_tags(self) -> dict[Antenna, frozenset[str]]:
        """What each antenna read last."""
        return {antenna: self.tags(antenna) for antenna in {*self._last, *self.scans}}

    def has_new(self, antenna: Antenna, before: frozenset[str]) -> bool:
        """Whether something has lain there for a moment that was not there before."""
        last = self.scans.get(antenna, [])[-SURE:]
        return len(last) == SURE and bool(
            frozenset.intersection(*(frozenset(scan.tags) for scan in last)) - before
        )


def _fresh(
    scans: Mapping[Antenna, Sequence[Scan]],
    antenna: Antenna,
    before: Mapping[Antenna, frozenset[str]],
    cycle_s: float,
) -> dict[str, Counted]:
    found: dict[str, Counted] = {}
    for other, told in scans.items():
        new = {tag for scan in told for tag in scan.tags} - before.get(other, frozenset())
        if new and other != antenna:
            found[other[1]] = counted(told, min(new), cycle_s)
    return found
