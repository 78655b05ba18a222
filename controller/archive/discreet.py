"""What of a hand may leave the room: no player's name, a dealer's only for who may see it. Pure."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from controller.archive.fold import dealers_of
from controller.archive.kept import Gap, HandRecord, KeptEvent, KeptFinding, KeptHand
from controller.contract.events import Event, FloorCalled, Start


def discreet(record: HandRecord, *, dealers: bool) -> HandRecord:
    """The same hand without players' names, and without those of dealers unless `dealers`."""
    hidden = frozenset() if dealers else dealers_of(record.told, record.hand)
    told = tuple(
        each if isinstance(each, Gap) else _heard(each, hidden, dealers=dealers)
        for each in record.told
    )
    return HandRecord(_hand(record.hand, hidden, dealers=dealers), told)


def discreet_hand(hand: KeptHand, *, dealers: bool) -> KeptHand:
    """The same in short."""
    return _hand(hand, frozenset() if dealers else dealers_of((), hand), dealers=dealers)


def _hand(hand: KeptHand, hidden: Collection[str], *, dealers: bool) -> KeptHand:
    findings = tuple(_finding(each, hidden) for each in hand.findings)
    return replace(hand, dealer=hand.dealer if dealers else None, findings=findings)


def _finding(found: KeptFinding, hidden: Collection[str]) -> KeptFinding:
    return replace(found, by=None) if found.by in hidden else found


def _heard(each: KeptEvent, hidden: Collection[str], *, dealers: bool) -> KeptEvent:
    by = None if each.by in hidden else each.by
    return replace(each, by=by, event=_event(each.event, dealers=dealers))


def _event(event: Event, *, dealers: bool) -> Event:
    match event:
        case Start():
            seats = tuple(replace(seat, player=None) for seat in event.seats)
            return replace(event, seats=seats, dealer=event.dealer if dealers else None)
        case FloorCalled():
            return event if dealers else replace(event, by=None)
        case _:
            return event
