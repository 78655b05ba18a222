"""The events of a table's last hands, as far as they are kept: pure."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from controller.events import Start
from controller.messages import TableEvent
from controller.room.shift import Heard

MAX_EVENTS = 600
MAX_BYTES = 128 * 1024
HANDS = 2


class Ring(Struct, frozen=True):
    """`sizes` are the bytes of each event; `last` is the session and number that came last."""

    heard: Heard = Heard()
    sizes: tuple[int, ...] = ()
    last: tuple[str, int] | None = None


def with_event(ring: Ring, event: TableEvent, size: int) -> Ring:
    """One more event, of so many bytes. One that came before changes nothing."""
    place = (event.session, event.seq)
    if ring.last is not None and ring.last[0] == event.session and event.seq <= ring.last[1]:
        return ring
    follows = ring.last == (event.session, event.seq - 1) or (ring.last is None and event.seq == 1)
    events, sizes = (*ring.heard.events, event), (*ring.sizes, size)
    first = 0
    if isinstance(event.event, Start):
        oldest = event.event.hand - HANDS + 1
        first = next((i for i, each in enumerate(events) if _hand(each) >= oldest), 0)
    first = max(first, len(events) - MAX_EVENTS)
    while sum(sizes[first:]) > MAX_BYTES and first < len(events) - 1:
        first += 1
    events, sizes = events[first:], sizes[first:]
    kept = {(each.session, each.seq) for each in events}
    gaps = ring.heard.gaps if follows else ring.heard.gaps | {place}
    return Ring(Heard(events, gaps & kept, ring.heard.last + 1), sizes, place)


def cut(ring: Ring) -> Ring:
    """Something of this table was not taken in: what comes next does not follow."""
    return msgspec.structs.replace(ring, last=None) if ring.last is not None else ring


def _hand(event: TableEvent) -> int:
    return event.event.hand
