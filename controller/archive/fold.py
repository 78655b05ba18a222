"""What a hand and a finding come to: pure folds over their events, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from controller.archive.kept import KeptEvent, KeptFinding, KeptHand
from controller.contract.events import (
    Board,
    Closed,
    Finding,
    FloorCalled,
    FloorComing,
    Phase,
    Result,
    Ruling,
    RulingText,
    Start,
)

MOST_TERM = 60
"""Characters of a word by which it is found."""
_PARTS = re.compile(r"\W+")


def session_key(session: str) -> tuple[int, int, str]:
    """Sessions of one table sort by it as they followed one another.

    A table names a session by how often its journal was opened and when: `12-18a3…`.
    """
    number, dash, began = session.partition("-")
    if dash and number.isdecimal() and len(number) < 10 and len(began) < 16:
        try:
            return int(number), int(began, 16), session
        except ValueError:
            pass
    return 0, 0, session


def began(session: str) -> tuple[int, int, str]:
    """Sessions of one table sort by it as they began, whatever journal counted them."""
    number, at, name = session_key(session)
    return at, number, name


def in_order(told: Iterable[KeptEvent]) -> list[KeptEvent]:
    """Events of one table as they happened: within a session by `seq`, whatever the clock said."""
    return sorted(told, key=lambda each: (session_key(each.session), each.seq))


def finding_of(event: object) -> int | None:
    """The id of the finding that an event is about."""
    return event.id if isinstance(event, Finding | Ruling | Closed) else None


def fold_hand(told: Sequence[KeptEvent]) -> KeptHand:
    """The hand that these events are of, without its findings; there is at least one, and all
    are of one hand and in order. A second `start` (after an undo) counts."""
    hand = KeptHand(
        told[0].table,
        told[0].event.hand,
        min(each.at for each in told),
        max(each.at for each in told),
        len(told),
    )
    for each in told:
        match each.event:
            case Start() as start:
                hand = replace(
                    hand,
                    dealer=start.dealer,
                    seats=tuple(seat.seat for seat in start.seats),
                    implied=start.implied,
                    redeal_of=start.redeal_of,
                    phase="",
                    board=(),
                    result=None,
                )
            case Phase(phase=phase):
                hand = replace(hand, phase=phase)
            case Board(cards=cards):
                hand = replace(hand, board=cards)
            case Result() as result:
                hand = replace(hand, result=result)
            case _:
                pass
    return hand


def fold_finding(told: Sequence[KeptEvent]) -> KeptFinding:
    """The finding that these events are about; there is at least one, and they are in order."""
    first = told[0]
    found = KeptFinding(first.table, first.event.hand, finding_of(first.event) or 0)
    found = replace(found, opened_ms=first.at)
    for each in told:
        match each.event:
            case Finding() as event:
                found = _ruled(found, event.ruling)
                found = replace(
                    found,
                    hand=event.hand,
                    code=event.code,
                    priority=event.priority,
                    basis=event.basis,
                    seats=event.seats,
                    opened_ms=each.at,
                    asked=event.basis == "unseen",
                    closed_ms=None,
                    how=None,
                )
            case Ruling() as event:
                found = replace(_ruled(found, event.ruling), basis=event.basis or found.basis)
            case Closed() as event:
                found = replace(found, closed_ms=each.at, how=event.how)
            case _:
                continue
        if each.by is not None:
            found = replace(found, by=each.by, reason=each.reason)
    return found


def words_of_hand(told: Sequence[KeptEvent], hand: KeptHand) -> str:
    """What a search for text looks through, in lower case: no dealer's name, as not everybody who
    searches may see it."""
    dealers = dealers_of(told, hand)
    names = [each.event.by for each in told if isinstance(each.event, FloorComing)]
    deciders = [word for each in told for word in (each.by, each.reason)]
    words = [hand.phase, " ".join(hand.board), *names, *deciders]
    return _joined(word for word in words if word not in dealers)


def words_of_finding(found: KeptFinding) -> str:
    """What a search for text looks through, in lower case: no names, they are in the hand's."""
    return _joined(
        [found.code, found.outcome, found.rulebook, *found.cites, found.reason, found.how]
    )


def dealers_of(told: Iterable[object], hand: KeptHand) -> frozenset[str]:
    """The names of who dealt the hand."""
    events = [each.event for each in told if isinstance(each, KeptEvent)]
    names = [hand.dealer, *(each.dealer for each in events if isinstance(each, Start))]
    names += [each.by for each in events if isinstance(each, FloorCalled)]
    return frozenset(name for name in names if name)


def people_of(told: Sequence[KeptEvent], hand: KeptHand) -> dict[str, bool]:
    """Who dealt and who from the floor came or decided, in lower case; True for who dealt."""
    dealers = dealers_of(told, hand)
    others = [each.by for each in told]
    others += [each.event.by for each in told if isinstance(each.event, FloorComing)]
    people = {_key(name): False for name in others if name}
    return people | {_key(name): True for name in dealers}


def _key(name: str) -> str:
    return name.casefold().replace("\0", "")


def _ruled(found: KeptFinding, ruling: RulingText) -> KeptFinding:
    return replace(
        found, outcome=ruling.outcome, rulebook=ruling.rulebook, cites=tuple(ruling.cites)
    )


def terms(text: str) -> frozenset[str]:
    """What of such words a search finds them by: each, and its parts where it has any."""
    words = text.split()
    parts = (part for word in words for part in _PARTS.split(word))
    return frozenset(term[:MOST_TERM] for term in (*words, *parts) if term)


def _joined(words: Iterable[str | None]) -> str:
    return " ".join(dict.fromkeys(word.lower() for word in words if word))[:2_000].replace("\0", "")
