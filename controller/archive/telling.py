"""One hand in poker's own words, with what is missing and what a person decided: pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from controller.archive.kept import Gap, HandRecord, KeptEvent
from controller.contract.events import Closed, Event, Finding, Ruling


class Teller(Protocol):
    """An account, as `controller.replay.account` makes it, for one hand."""

    def tell(self, events: Sequence[Event]) -> list[str]:
        """The lines for what follows from one observation."""

    def end(self) -> list[str]:
        """The lines after the last event."""


class Moment(Struct, frozen=True):
    """One thing that happened, `after_ms` the hand began, at wall time `at_ms`.

    `kind` is an event's, or `gap`: then so many events are `missing`, for good if `lost`.
    """

    at_ms: int
    after_ms: int
    kind: str
    lines: tuple[str, ...] = ()
    finding: int | None = None
    by: str | None = None
    reason: str | None = None
    missing: int = 0
    lost: bool = False


class Decided(Struct, frozen=True):
    """What was ruled on a finding, in the order of the rulings."""

    finding: int
    code: str
    at_ms: int
    outcome: str
    rulebook: str
    cites: tuple[str, ...]
    closed: str | None = None
    by: str | None = None
    reason: str | None = None


def account(record: HandRecord, teller: Teller, gap: Callable[[Gap], str]) -> list[str]:
    """The hand as lines of text, to be read aloud; `gap` says in one what is missing."""
    lines: list[str] = []
    for part in _together(record):
        lines += [gap(part)] if isinstance(part, Gap) else teller.tell([e.event for e in part])
    return [*lines, *teller.end()]


def timeline(record: HandRecord, teller: Teller) -> tuple[Moment, ...]:
    """The hand as moments, each with its lines of the account, if it has any. The lines after
    the last event are those of a last moment `end`."""
    began_ms = record.hand.first_ms
    moments: list[Moment] = []
    for part in _together(record):
        if isinstance(part, Gap):
            at_ms = moments[-1].at_ms if moments else began_ms
            count = part.last - part.first + 1
            after_ms = max(0, at_ms - began_ms)
            moments.append(Moment(at_ms, after_ms, "gap", missing=count, lost=part.lost))
            continue
        lead = _lead(part)
        moments.append(
            Moment(
                lead.at,
                max(0, lead.at - began_ms),
                str(lead.event.__struct_config__.tag),
                tuple(line for line in teller.tell([e.event for e in part]) if line),
                getattr(lead.event, "id", None),
                lead.by,
                lead.reason,
            )
        )
    end = tuple(line for line in teller.end() if line)
    if end:
        at_ms = record.hand.last_ms
        moments.append(Moment(at_ms, max(0, at_ms - began_ms), "end", end))
    return tuple(moments)


def rulings(record: HandRecord) -> tuple[Decided, ...]:
    """Every ruling on a finding of the hand, and how each was closed."""
    codes = {found.id: found.code for found in record.hand.findings}
    decided: list[Decided] = []
    for each in record.told:
        if isinstance(each, Gap):
            continue
        match each.event:
            case Finding() | Ruling() as event:
                said = event.ruling
                decided.append(
                    Decided(
                        event.id,
                        codes.get(event.id, ""),
                        each.at,
                        said.outcome,
                        said.rulebook,
                        tuple(said.cites),
                        by=each.by,
                        reason=each.reason,
                    )
                )
            case Closed() as event:
                before = [one for one in decided if one.finding == event.id]
                last = before[-1] if before else None
                decided.append(
                    Decided(
                        event.id,
                        codes.get(event.id, ""),
                        each.at,
                        last.outcome if last is not None else "",
                        last.rulebook if last is not None else "",
                        (),
                        closed=event.how,
                        by=each.by,
                        reason=each.reason,
                    )
                )
            case _:
                pass
    return tuple(decided)


def _together(record: HandRecord) -> list[Gap | list[KeptEvent]]:
    """The events that followed from one observation stand together: they have one time."""
    parts: list[Gap | list[KeptEvent]] = []
    for each in record.told:
        last = parts[-1] if parts else None
        if isinstance(each, Gap):
            parts.append(each)
        elif isinstance(last, list) and _same(last[-1], each):
            last.append(each)
        else:
            parts.append([each])
    return parts


def _same(one: KeptEvent, other: KeptEvent) -> bool:
    return (one.session, one.at, one.event.t) == (other.session, other.at, other.event.t)


def _lead(part: Sequence[KeptEvent]) -> KeptEvent:
    """Of what happened at once, what it is about."""
    found = [each for each in part if isinstance(each.event, Finding | Ruling | Closed)]
    decided = [each for each in found if each.by is not None]
    return (decided or found or part)[0]
