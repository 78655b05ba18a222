"""One hand as a page: what happened, what was found and ruled, and what is missing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from controller.archive.kept import HandRecord, KeptFinding, Place
from controller.archive.phh import InexpressibleError, phh
from controller.archive.telling import Decided, Moment, rulings, timeline
from controller.replay.account import INDENT
from display.web.history import hand_address
from display.web.speech import Speech, when

_FOUND = "*** "
"""How an account begins the line of a finding."""


class Rule(Struct, frozen=True):
    """A rule that was cited, in our words; `text` is empty for a house's own."""

    id: str
    text: str


class Decision(Struct, frozen=True):
    """What was ruled, or how it was closed. `after` is the time since the hand began."""

    after: str
    words: str
    book: str
    rules: tuple[Rule, ...]
    by: str
    reason: str
    closed: bool


class Found(Struct, frozen=True):
    """A finding with all that was decided."""

    id: int
    title: str
    code: str
    priority: int
    asked: bool
    became: str
    seats: str
    decisions: tuple[Decision, ...]


class AccountLine(Struct, frozen=True):
    """A piece of the account. `kind` is `heading`, `line`, `found` (a line that names a finding),
    `under` (belongs to the line before) or `gap`; `time` stands before a line."""

    kind: str
    text: str
    time: str = ""
    rank: int = 0


class Link(Struct, frozen=True):
    """A way to another page."""

    href: str
    words: str


class HandPage(Struct, frozen=True):
    """All that the page shows."""

    table: str
    hand: int
    began: str
    lasted: str
    state: str
    dealer: str
    board: str
    players: int
    notes: tuple[str, ...]
    found: tuple[Found, ...]
    told: tuple[AccountLine, ...]
    before: Link | None
    after: Link | None
    again: tuple[Link, ...]
    phh: str
    not_phh: str
    json: str


def hand_page(
    record: HandRecord,
    around: tuple[Place | None, Place | None],
    speech: Speech,
    beside: Mapping[str, str],
) -> HandPage:
    """The page of a hand, which is already without the names that may not be seen. `around` are
    the hands before and after it; `beside` goes along in every address."""
    hand = record.hand
    place = Place(hand.hand, hand.journal)

    def again(number: int | None) -> Place | None:
        return None if number is None else Place(number, hand.journal)

    not_phh = _not_phh(record)
    return HandPage(
        hand.table,
        hand.hand,
        when(hand.first_ms),
        speech.seconds(max(0, hand.last_ms - hand.first_ms) / 1_000),
        speech.phase(hand.phase) if hand.phase else speech.say("history", "no-beginning"),
        hand.dealer or "",
        speech.cards(hand.board),
        len(hand.seats),
        tuple(_notes(record, speech)),
        _found(record, speech),
        tuple(_told(timeline(record, speech.account()), speech)),
        _link(speech, "to-hand", hand.table, around[0], beside),
        _link(speech, "to-hand", hand.table, around[1], beside),
        tuple(
            link
            for link in (
                _link(speech, "redeal-of", hand.table, again(hand.redeal_of), beside),
                _link(speech, "redealt-as", hand.table, again(hand.redealt_as), beside),
            )
            if link is not None
        ),
        "" if not_phh else hand_address(hand.table, place, {}, ".phh"),
        not_phh,
        hand_address(hand.table, place, {}, ".json"),
    )


def paragraphs(lines: Iterable[str]) -> list[AccountLine]:
    """Lines of an account, which were not broken, without their columns."""
    told: list[AccountLine] = []
    for line in lines:
        time, text = line[:INDENT].strip(), line[INDENT:]
        if set(line) <= {"=", " "}:
            continue
        if not line.startswith(" "):
            told.append(AccountLine("heading", line.strip()))
        elif re.fullmatch(r"-?\d+:\d\d\.\d|[\d.]+", time) and line.startswith("  "):
            found = text.startswith(_FOUND)
            told.append(
                AccountLine("found" if found else "line", text.removeprefix(_FOUND).strip(), time)
            )
        elif time:
            told.append(AccountLine("under", re.sub(r" {2,}", " · ", line.strip())))
        else:
            told.append(AccountLine("under", text.strip(), rank=int(text.startswith("  "))))
    return told


def _told(moments: Sequence[Moment], speech: Speech) -> Iterable[AccountLine]:
    """The account in pieces. How the record ends is said in the page's notes."""
    for moment in moments:
        if moment.kind == "gap":
            key = "missing-lost" if moment.lost else "missing"
            count = speech.whole(moment.missing)
            yield AccountLine(
                "gap", speech.say("history", key, count=count), _clock(moment.after_ms)
            )
        elif moment.kind != "end":
            yield from paragraphs(moment.lines)


def _notes(record: HandRecord, speech: Speech) -> Iterable[str]:
    """What has to be known before it is read."""
    hand = record.hand
    if not record.told:
        yield speech.say("history", "deleted")
    elif not record.whole:
        yield speech.say("history", "not-whole")
    if hand.implied:
        yield speech.say("history", "implied")
    if record.told and hand.phase not in ("complete", "misdeal"):
        yield speech.say("history", "not-over")


def _found(record: HandRecord, speech: Speech) -> tuple[Found, ...]:
    decided = rulings(record)
    return tuple(
        Found(
            found.id,
            speech.title(found.code),
            found.code,
            found.priority,
            found.asked,
            speech.ending(found.how),
            ", ".join(map(str, found.seats)),
            tuple(_decision(each, record, speech) for each in decided if each.finding == found.id)
            or _kept(found, record, speech),
        )
        for found in record.hand.findings
    )


def _decision(each: Decided, record: HandRecord, speech: Speech) -> Decision:
    outcome = speech.outcome(each.outcome)
    words = outcome if each.closed is None else speech.ending(each.closed)
    return Decision(
        _clock(each.at_ms - record.hand.first_ms),
        words[:1].upper() + words[1:],
        speech.book(each.rulebook) if each.closed is None else "",
        tuple(Rule(cite, speech.rule(cite)) for cite in each.cites),
        each.by or "",
        speech.reason(each.reason or ""),
        each.closed is not None,
    )


def _kept(found: KeptFinding, record: HandRecord, speech: Speech) -> tuple[Decision, ...]:
    """The last ruling, where the events are not kept any more."""
    if not found.outcome:
        return ()
    last = Decided(
        found.id,
        found.code,
        found.opened_ms,
        found.outcome,
        found.rulebook,
        found.cites,
        by=found.by,
        reason=found.reason,
    )
    return (_decision(last, record, speech),)


def _not_phh(record: HandRecord) -> str:
    """Why PHH can't express the hand; empty where it can."""
    try:
        phh(record)
    except InexpressibleError as error:
        return str(error)
    return ""


def _link(
    speech: Speech, key: str, table: str, place: Place | None, beside: Mapping[str, str]
) -> Link | None:
    if place is None:
        return None
    words = speech.say("history", key, hand=place.hand)
    return Link(hand_address(table, place, beside), words)


def _clock(after_ms: int) -> str:
    """Minutes and seconds since the hand began."""
    tenths = round(max(0, after_ms) / 100)
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
