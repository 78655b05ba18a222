"""Readers over the felt: what each scan of each antenna reads, and which of it is reported.

A device reports as the link's protocol asks: a scan that differs from its last report,
every one for a second after that, and else one a second.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from heapq import heapify, heapreplace
from math import inf

from msgspec import Struct

from firmware_bridge.trial.facts import Facts
from firmware_bridge.trial.felt import Felt, Stay

STACKS = frozenset(("burn", "muck"))
BURST_S = 1.0
REPORT_EVERY_S = 1.0
REMEMBERED_S = 10.0


class Device(Struct, frozen=True):
    """One reader and the antennas that it scans in turn; a whole turn takes `cycle_s`."""

    zones: tuple[str, ...]
    cycle_s: float


class Scan(Struct, frozen=True, gc=False):
    """What one antenna read at `t`; of a `failed` scan nothing is known."""

    t: float
    zone: str
    tags: frozenset[str]
    complete: bool
    failed: bool

    def __repr__(self) -> str:
        return f"Scan(t={self.t}, zone={self.zone!r}, tags={len(self.tags)})"


class _Antenna:
    def __init__(self, zone: str) -> None:
        self.zone = zone
        self.stays: list[Stay] = []
        self.overheard: list[Stay] = []
        self.left: list[Stay] = []
        self.last: Scan | None = None
        self.changed = self.sent = -inf


class _Reader:
    """`stalls` and `until` are when its next stall begins and ends."""

    def __init__(self, device: Device) -> None:
        self.antennas = [_Antenna(zone) for zone in device.zones]
        self.step = device.cycle_s / len(device.zones)
        self.next = 0
        self.stalls = self.until = inf


class Antennas:
    """The antennas of all devices over one felt.

    `t` is the time of the last scan, `reads` the number of tags read so far, `scanned` that of
    scans. `ended` collects the stays that are over; whoever takes them empties it.
    """

    def __init__(
        self, devices: Sequence[Device], felt: Felt, facts: Facts, dice: random.Random
    ) -> None:
        self.reads = self.scanned = 0
        self.t = 0.0
        self.ended: list[Stay] = []
        self._facts = facts
        self._dice = dice
        self.deck = frozenset(felt.deck)
        self._hands = felt.hands()
        self._coming: list[Stay] = []
        self._readers = [_Reader(device) for device in devices]
        for reader in self._readers:
            self._stall_again(reader, 0.0)
        self._by_zone = {a.zone: a for reader in self._readers for a in reader.antennas}
        self._collide = [1.0]
        for taken in range(facts.slots):
            self._collide.append(self._collide[-1] * (1 - taken / facts.slots))

    def reported(self) -> Iterator[Scan]:
        """The scans that reach the host, in the order of their times, for ever."""
        due = [(reader.step, number) for number, reader in enumerate(self._readers)]
        heapify(due)
        while True:
            t, number = due[0]
            reader = self._readers[number]
            heapreplace(due, (t + reader.step, number))
            antenna = reader.antennas[reader.next]
            reader.next = (reader.next + 1) % len(reader.antennas)
            self.t = t
            self._move(t)
            scan = self._scan(reader, antenna, t)
            self.scanned += 1
            self.reads += len(scan.tags)
            if self._is_due(antenna, scan) and self._dice.random() >= self._facts.frame_lost:
                yield scan

    def lying(self, zone: str) -> Sequence[Stay]:
        """The stays in a field now, those that slide through among them."""
        return self._by_zone[zone].stays

    def left(self, zone: str) -> Sequence[Stay]:
        """The stays that ended there of late, the latest last."""
        return self._by_zone[zone].left

    def _stall_again(self, reader: _Reader, t: float) -> None:
        reader.stalls = t + self._dice.expovariate(1 / self._facts.stall_every_s)
        reader.until = reader.stalls + self._dice.uniform(*self._facts.stall)

    def _move(self, t: float) -> None:
        """Cards come; those that leave are taken out when their antenna is next scanned."""
        while not self._coming or self._coming[-1].begins <= t:
            if not self._coming:
                self._coming = next(self._hands)[::-1]
                continue
            stay = self._coming.pop()
            self._by_zone[stay.zone].stays.append(stay)
            if stay.beside:
                self._by_zone[stay.beside].overheard.append(stay)

    def _scan(self, reader: _Reader, antenna: _Antenna, t: float) -> Scan:
        if t >= reader.until:
            self._stall_again(reader, t)
            if antenna.last and self._dice.random() < self._facts.stale:
                return Scan(t, antenna.zone, antenna.last.tags, True, False)
        if t >= reader.stalls:
            return Scan(t, antenna.zone, frozenset(), False, True)
        tags = self._read(antenna, t)
        complete = True
        if len(tags) > 1 and self._dice.random() >= self._all_apart(len(tags)):
            tags, complete = self._collision(tags)
        if self._dice.random() < self._facts.mangled:
            tags.append(f"{self._dice.getrandbits(8):02X}" * 8)
        return Scan(t, antenna.zone, frozenset(tags), complete, False)

    def _all_apart(self, tags: int) -> float:
        """The chance that no two of so many tags answer in one slot."""
        return self._collide[tags] if tags < len(self._collide) else 0.0

    def _read(self, antenna: _Antenna, t: float) -> list[str]:
        facts, chance = self._facts, self._dice.random
        leaving = [stay for stay in antenna.stays if stay.ends <= t]
        if leaving:
            antenna.stays = [stay for stay in antenna.stays if stay.ends > t]
            antenna.left = [s for s in antenna.left if t - s.ends < REMEMBERED_S] + leaving
            self.ended += leaving
        tags = [
            stay.tag
            for stay in antenna.left
            if t - stay.ends < facts.echo_within_s and chance() < facts.echo
        ]
        stacked = antenna.zone in STACKS
        for nth, stay in enumerate(antenna.stays, 1):
            if stay.dead or stay.gap.least <= t < stay.gap.most:
                continue
            if stay.alternating:
                stay.odd = not stay.odd
                if stay.odd:
                    continue
            miss = facts.miss
            if stay.covered.least <= t < stay.covered.most:
                miss = facts.hand_miss
            elif stay.beside:
                miss = facts.edge_miss
            elif stacked and nth >= facts.stack_iffy:
                miss = facts.stack_miss
            if chance() >= miss:
                tags.append(stay.tag)
        if antenna.overheard:
            antenna.overheard = [stay for stay in antenna.overheard if stay.ends > t]
            tags += [
                stay.tag
                for stay in antenna.overheard
                if not stay.dead and chance() < facts.cross_talk
            ]
        return tags

    def _collision(self, tags: list[str]) -> tuple[list[str], bool]:
        """Two answered in one slot: mostly a further round tells them apart."""
        dice = self._dice.random()
        if dice < self._facts.union:
            one, other = self._dice.sample(tags, 2)
            rest = [tag for tag in tags if tag not in (one, other)]
            return [*rest, f"{int(one, 16) | int(other, 16):016X}"], True
        if dice < self._facts.union + self._facts.unresolved:
            lost = self._dice.choice(tags)
            return [tag for tag in tags if tag != lost], False
        return tags, True

    def _is_due(self, antenna: _Antenna, scan: Scan) -> bool:
        last = antenna.last
        if (
            last is None
            or scan.tags != last.tags
            or (scan.complete, scan.failed) != (last.complete, last.failed)
        ):
            antenna.changed = scan.t
        elif scan.t - antenna.changed > BURST_S and scan.t - antenna.sent < REPORT_EVERY_S:
            return False
        antenna.last = scan
        antenna.sent = scan.t
        return True
