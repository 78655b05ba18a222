"""A hand that was played again: what has to be said so that what was told before becomes what is so
now."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from controller.contract.events import (
    Board,
    Closed,
    Event,
    Finding,
    Phase,
    Prompt,
    Result,
    Ruling,
    Start,
    SubstantialAction,
    priority_anew,
)
from controller.contract.observations import Done, FloorRuling
from controller.contract.picture import Happening

AnEvent = TypeVar("AnEvent", bound=Event)


def differences(
    before: list[Happening], now: list[Happening], t: float, hand: int, said: Prompt | None
) -> list[Event]:
    """What has to be said of this hand so that what was told before becomes what is so now."""
    were, are = _open(before), _open(now)
    closed = {e.id: e.how for e in now if isinstance(e, Closed)}
    events: list[Event] = [
        Closed(t, hand, number, closed.get(number, "dismissed"))
        for number in were
        if number not in are
    ]
    for number, finding in are.items():
        if number not in were:
            events.append(replace(finding, t=t))
        elif finding != were[number]:
            events.append(Ruling(t, hand, number, finding.ruling, finding.basis))
    known = [e for e in before if not isinstance(e, Done | FloorRuling)]
    results: list[Event] = []
    is_over = any(isinstance(event, Result) for event in now)
    for event in now:
        if isinstance(event, Done | FloorRuling):
            continue
        if isinstance(event, SubstantialAction) and is_over:
            continue  # there is no misdeal to be called any more
        if isinstance(event, Start | Finding | Ruling | Closed | Prompt | Phase | Board):
            continue
        if event not in known:
            of_its_kind = results if isinstance(event, Result) else events
            of_its_kind.append(replace(event, t=t))
    for kind in (Board, Phase):
        last = _last(now, kind)
        if last is not None and last != _last(before, kind):
            events.append(replace(last, t=t))
    prompt = _last(now, Prompt)
    said_now = () if said is None else (said,)
    return [*events, *results, *said_now, *([] if prompt is None else [replace(prompt, t=t)])]


def _open(told: list[Happening]) -> dict[int, Finding]:
    """The findings that are open, each as it stands now."""
    found: dict[int, Finding] = {}
    for event in told:
        match event:
            case Finding():
                found[event.id] = event
            case Ruling() if event.id in found:
                known = found[event.id]
                basis = event.basis or known.basis
                priority = priority_anew(known.priority, event.ruling.outcome, basis)
                found[event.id] = replace(
                    known, ruling=event.ruling, basis=basis, priority=priority
                )
            case Closed():
                found.pop(event.id, None)
            case _:
                pass
    return found


def _last(told: list[Happening], kind: type[AnEvent]) -> AnEvent | None:
    return next((event for event in reversed(told) if isinstance(event, kind)), None)
