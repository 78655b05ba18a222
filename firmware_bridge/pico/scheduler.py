"""Which antenna is on when: neighbours never together, no matter which reader fails how.

The field of the next antenna settles while this one's tags are read, unless the two are
neighbours or share a reader. A reader that fails is held in reset, which ends its field
for certain, and is tried again later and later; its zones are reported as failed. One that
senses another field and so keeps its own off is tried again after the others; it has failed once
it was left out of three cycles.

Each antenna is visited once in a cycle, for so long at most. A pile that takes longer is
read on in what is left of the cycle, and in the next, so that the seats beside it have their
turn, and told once all of it has been read: as one set, of the time of its last visit. After
2.2 s what there is is told as incomplete, and the rest goes into the next set, which is
incomplete too.

Where antennas of two Picos meet, each tells the other by a wire that its own is lit, or about
to be (Dekker's way, with a fixed side that goes first): it raises its flag, then looks at the
other's, so of two that come at once at least one sees the other. The first leaves its flag up
and looks again, the other withdraws its own until the first's is down.
"""

import messages
from faults import FieldBarredError, ReaderError
from inventory import Inventory
from micropython import const

FASTEST_US = const(20000)
_TURN_US = const(200000)
_FIRST_RETRY_US = const(500000)
_LAST_RETRY_US = const(8000000)
_LEFT_OUT = const(3)
_BETWEEN_TRIES_US = const(2000)
_SET_US = const(2200000)  # a zone that says nothing for 3 s is lost to the host
_OVER_US = const(12000)  # a visit ends so much late at most: with one request, and its field's end
_WORTH_US = const(30000)
_NO_LIMIT_US = const(1000000000)


class Reader:
    """A chip, whether it works, and when it is tried again. `select` are its antenna switch."""

    def __init__(self, name, chip, select=()):
        self.name = name
        self.chip = chip
        self.select = select
        self.works = False
        self.retry_at = 0
        self.patience = _FIRST_RETRY_US
        self.is_barred = False
        self.left_out = 0


class Border:
    """Where the antennas `zones` meet another Pico's; `ours` and `theirs` are the flags' pins."""

    def __init__(self, zones, ours, theirs, first):
        self.zones = zones
        self.ours = ours
        self.theirs = theirs
        self.first = first


class Scheduler:
    """Scans `zones`, (reader, antenna) each, for ever; `neighbours` are pairs of zones.

    `report(zone, flags, t, uids, took_us)` gets each scan: when its last visit began, and how
    long it took from its first. A zone at a border whose turn does not come
    within 200 ms after all others were scanned is left out, and counted in `faults`.
    `visit_ms` is the longest visit, 0: no limit.
    """

    def __init__(self, zones, neighbours, clock, report, cycle_ms=120, borders=(), visit_ms=0):
        self.faults = 0
        self.alive_at = 0
        self._slowest = 0
        self._begun = 0
        self._starts = False
        self._visit_us = visit_ms * 1000 or _NO_LIMIT_US
        self._left = [None] * len(zones)
        self._known = [()] * len(zones)
        self._zones = zones
        self._together = {(a, b) for a, b in neighbours} | {(b, a) for a, b in neighbours}
        self._order = self._plan()
        self._clock = clock
        self._report = report
        self._borders = borders
        self._lit = []
        self.set_cycle(cycle_ms)

    def set_cycle(self, cycle_ms):
        """Take so long for a full cycle; what is too fast is the fastest."""
        self.cycle_ms = max(cycle_ms, FASTEST_US // 1000)

    def may_be_lit_together(self, a, b):
        """Whether these two antennas may be energised at the same time."""
        return (a, b) not in self._together and self._zones[a][0] is not self._zones[b][0]

    def run(self):
        """Scan; a generator that never ends and yields whenever it waits."""
        for reader in {id(zone[0]): zone[0] for zone in self._zones}.values():
            reader.chip.kill()
        self._begun = self._clock()
        while True:
            left = list(self._order)
            last_call = self._begun + _TURN_US
            while left:
                zone = left.pop(0)
                if (yield from self._scan(zone, left[0] if left else None)):
                    last_call = self._clock() + _TURN_US
                elif self._clock() < last_call:
                    left.append(zone)
                    yield
                else:
                    self.faults += 1
                    self._lower()
                    self._leave_out(self._zones[zone][0])
            end = self._begun + self.cycle_ms * 1000
            yield from self._read_on(end)
            yield from self._until(end)
            now = self._clock()
            if not self._starts:
                self._slowest = max(self._slowest, now - self._begun)
            self._begun = now
            self._starts = False
            yield

    def slowest(self):
        """Return how long the slowest cycle took since this was last asked, 0 if there is none.

        A cycle that goes on counts with what it has taken so far, one in which a reader is
        started does not count.
        """
        so_far = 0 if self._starts else self._clock() - self._begun
        told = max(self._slowest, so_far)
        self._slowest = 0
        return told

    def _plan(self):
        """Order the zones so that as few as can be are followed by a neighbour."""
        left = list(range(len(self._zones)))
        order = []
        while left:
            free = [z for z in left if not order or self.may_be_lit_together(order[-1], z)]
            zone = (free or left)[0]
            left.remove(zone)
            order.append(zone)
        return order

    def _until(self, t):
        while self._clock() < t:
            self.alive_at = self._clock()
            yield

    def _read_on(self, end):
        """Go on with sets that are not whole yet, by turns, as long as there is time."""
        zones = [zone for zone in self._order if self._left[zone]]
        while zones and end - self._clock() > _WORTH_US:
            zone = zones.pop(0)
            if not (yield from self._scan(zone, None, end - _OVER_US)):
                self._lower()
            elif self._left[zone]:
                zones.append(zone)

    def _scan(self, zone, after, end=None):
        """Scan a zone; return False if another Pico's antenna is in the way."""
        began = self._clock()
        self.alive_at = began
        first = began
        uids = ()
        flags = 0
        reader = self._zones[zone][0]
        try:
            settled = yield from self._light(zone)
            if settled is None:
                if reader.works:
                    return False
                flags = messages.FAILED
            else:
                if after is not None and self.may_be_lit_together(zone, after):
                    yield from self._light_early(after)
                while self._clock() < settled:
                    yield
                began = first = self._clock()
                job = self._left[zone] or Inventory(began, self._known[zone])
                self._left[zone] = job
                until = began + self._visit_us
                yield from self._read(reader.chip, job, until if end is None else min(until, end))
                yield from self._dark(zone)
                reader.patience = _FIRST_RETRY_US
                reader.left_out = 0
                if job.masks and self._clock() - job.began < _SET_US:
                    return True
                self._end(zone, job)
                first = job.began
                uids = job.uids
                if job.masks or not job.complete:
                    flags = messages.INCOMPLETE
        except ReaderError:
            self._fail(reader)
            flags = messages.FAILED
        if flags == messages.FAILED:
            self._left[zone] = None
        self._report(zone, flags, began, uids, self._clock() - first)
        return True

    def _read(self, chip, job, until):
        """Read on for this set; a chip that can't stop and go on reads all of it."""
        if chip.piecemeal:
            yield from chip.inventory(job, until)
        else:
            job.complete = yield from chip.inventory(job.uids)
            job.masks = []

    def _end(self, zone, job):
        """A set has been read, or takes too long."""
        self._left[zone] = job.rest(self._clock()) if job.masks else None
        self._known[zone] = job.found()

    def _light(self, zone):
        """Energise an antenna; return when it has settled, None if it can't be now."""
        for lit, settled in self._lit:
            if lit == zone:
                return settled
        reader, antenna = self._zones[zone]
        for lit, _ in list(self._lit):
            if not self.may_be_lit_together(zone, lit):
                yield from self._dark_or_dead(lit)
        if not reader.works:
            if self._clock() < reader.retry_at:
                return None
            self._starts = True
            yield from reader.chip.start()
            reader.works = True
        reader.is_barred = False
        for bit, pin in enumerate(reader.select):
            pin(antenna >> bit & 1)
        if not self._enter(zone):
            return None
        self._lit.append((zone, 0))
        try:
            yield from reader.chip.field_on()
        except FieldBarredError:
            reader.is_barred = True
            reader.chip.counts.retries += 1
            self._lit.pop()
            self._lower()
            yield from self._until(self._clock() + _BETWEEN_TRIES_US)
            return None
        settled = self._clock() + reader.chip.settle_us
        self._lit[-1] = (zone, settled)
        return settled

    def _enter(self, zone):
        """Raise the flags of this zone's borders; return whether nothing beyond them is lit."""
        for border in self._borders:
            if zone not in border.zones:
                continue
            if border.first or not border.theirs():
                border.ours(1)
                if not border.theirs():
                    continue
            if not border.first:
                self._lower()
            return False
        return True

    def _lower(self):
        """Lower the flag of each border at which nothing of ours is lit."""
        for border in self._borders:
            if not [zone for zone, _ in self._lit if zone in border.zones]:
                border.ours(0)

    def _light_early(self, zone):
        """Energise the next antenna if its reader works; its failures are its own."""
        reader = self._zones[zone][0]
        if reader.works:
            try:
                yield from self._light(zone)
            except ReaderError:
                self._fail(reader)

    def _dark(self, zone):
        yield from self._zones[zone][0].chip.field_off()
        self._lit = [entry for entry in self._lit if entry[0] != zone]
        self._lower()

    def _dark_or_dead(self, zone):
        try:
            yield from self._dark(zone)
        except ReaderError:
            self._fail(self._zones[zone][0])

    def _leave_out(self, reader):
        """Its turn did not come in this cycle; what senses a field again and again is reset."""
        if reader.is_barred:
            reader.left_out += 1
            if reader.left_out >= _LEFT_OUT:
                self._fail(reader)

    def _fail(self, reader):
        reader.chip.kill()
        reader.works = False
        self._lit = [entry for entry in self._lit if self._zones[entry[0]][0] is not reader]
        self._lower()
        self.faults += 1
        reader.chip.counts.errors += 1
        reader.retry_at = self._clock() + reader.patience
        reader.patience = min(2 * reader.patience, _LAST_RETRY_US)
