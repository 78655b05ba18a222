"""The events of a table's last hands, as far as they are kept: pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from controller.contract.events import Start
from controller.contract.messages import TableEvent
from controller.room.shift import LastEvents

MAX_EVENTS = 600
MAX_BYTES = 128 * 1024
HANDS = 2
SESSIONS = 8


class Ring(Struct, frozen=True):
    """`sizes` are the bytes of each event. `tops` is how far each of the last sessions has come,
    the one that goes on at the end. `cut`: something is missing before what comes next."""

    heard: LastEvents = LastEvents()
    sizes: tuple[int, ...] = ()
    tops: Mapping[str, int] = {}
    cut: bool = False


def with_event(ring: Ring, event: TableEvent, size: int) -> Ring:
    """One more event, of so many bytes. One that came before, or is of a session before the one
    that goes on, changes nothing: tables say events again to whoever has missed them."""
    if _is_told_again(ring, event):
        return ring
    place = (event.session, event.seq)
    goes_on = not ring.tops or list(ring.tops)[-1] == event.session
    follows = goes_on and not ring.cut and event.seq == ring.tops.get(event.session, 0) + 1
    others = {name: top for name, top in ring.tops.items() if name != event.session}
    tops = {name: others[name] for name in list(others)[1 - SESSIONS :]}
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
    heard = LastEvents(events, gaps & kept, ring.heard.last + 1)
    return Ring(heard, sizes, tops | {event.session: event.seq})


def cut(ring: Ring) -> Ring:
    """Something of this table was not taken in: what comes next does not follow."""
    return msgspec.structs.replace(ring, cut=True)


def _is_told_again(ring: Ring, event: TableEvent) -> bool:
    if event.seq <= ring.tops.get(event.session, 0):
        return True
    last = ring.heard.events[-1] if ring.heard.events else None
    return (
        last is not None
        and event.session != last.session
        and event.at < last.at
        and _hand(event) <= _hand(last)
    )


def _hand(event: TableEvent) -> int:
    return event.event.hand
