"""A search of the room's history: what is asked in an address, and what is shown of hands. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal
from urllib.parse import quote

from msgspec import Struct

from controller.archive.discreet import discreet_hand
from controller.archive.kept import KeptFinding, KeptHand, Page, Place, Query
from display.web.speech import Speech, when
from display.web.ways import address

FIELDS = ("table", "from", "until", "code", "person", "hand", "text", "found")
"""What may be asked, by the names in an address."""
_BESIDE = ("cursor", "lang")
_LONGEST = {"person": 80, "text": 100}
_MOST_HAND = 2**31 - 1
_YEARS = range(1971, 9_000)


class Fault(Struct, frozen=True):
    """What is wrong with a field, and the valid value that is nearest, if any is near."""

    words: str
    nearest: str = ""


class Asked(Struct, frozen=True):
    """A search as it stands in an address: `given` by field, and what is wrong with it."""

    query: Query
    cursor: str | None
    given: Mapping[str, str]
    faults: Mapping[str, Fault]


class Badge(Struct, frozen=True):
    """A finding in short."""

    title: str
    priority: int
    became: str
    code: str


class Line(Struct, frozen=True):
    """A hand in the list."""

    href: str
    table: str
    hand: int
    began: str
    state: str
    board: str
    badges: tuple[Badge, ...]
    more: int = 0


class Results(Struct, frozen=True):
    """A page of hands; `following` is the address of the next."""

    lines: tuple[Line, ...]
    following: str
    downloads: Mapping[str, str]


_MOST_BADGES = 4


def asked(
    pairs: Sequence[tuple[str, str]], tables: Collection[str], speech: Speech, *, dealers: bool
) -> Asked:
    """What the pairs of an address ask for; an empty value asks nothing. `dealers`: a person may
    be a dealer."""
    given: dict[str, str] = {}
    reader = _Reader(speech)
    for name, value in pairs:
        if name in (*FIELDS, *_BESIDE):
            given[name] = value.strip()[:200]
        else:
            known = difflib.get_close_matches(name, FIELDS, n=1)
            near = known[0] if known else ""
            reader.faults[name[:40]] = Fault(reader.say("fault-unknown", given=name[:40]), near)
    given = {name: value for name, value in given.items() if value}
    query = Query(
        table=reader.one_of("table", given, tables),
        since_ms=reader.time("from", given),
        until_ms=reader.time("until", given),
        code=reader.one_of("code", given, speech.codes),
        person=reader.text("person", given),
        hand=reader.hand("hand", given),
        text=reader.text("text", given),
        found=reader.flag("found", given),
        dealers=dealers,
    )
    if query.since_ms is not None and query.until_ms is not None:
        reader.order(query.since_ms, query.until_ms)
    cursor = given.pop("cursor", None)
    if cursor is not None and not re.fullmatch(r"\d{1,17}-\d{1,17}-\d{1,17}", cursor):
        reader.faults["cursor"] = Fault(reader.say("fault-cursor"))
    given.pop("lang", None)
    return Asked(query, cursor, given, reader.faults)


def results(page: Page, asked_: Asked, speech: Speech, beside: Mapping[str, str]) -> Results:
    """What is shown of a page; `beside` goes along in every address, such as the language."""
    following = ""
    if page.cursor is not None:
        following = address("/history", {**asked_.given, **beside, "cursor": page.cursor})
    return Results(
        tuple(_line(hand, speech, beside) for hand in page.hands),
        following,
        {kind: address(f"/history.{kind}", asked_.given) for kind in ("csv", "phhs", "jsonl")},
    )


def hand_address(
    table: str, place: Place, beside: Mapping[str, str], ending: Literal["", ".json", ".phh"] = ""
) -> str:
    """Where the page of a hand is, or its file."""
    # Of one that has no name too: without it the newest hand of that number would be meant.
    named = {**beside, "journal": place.journal}
    return address(f"/history/{quote(table, safe='')}/{place.hand}{ending}", named)


def local_ms(text: str) -> int | None:
    """A time of this machine's clock, such as `2026-11-21 18:30`; None: it is none."""
    try:
        at = datetime.fromisoformat(text)
        return int(at.timestamp() * 1_000) if at.year in _YEARS else None
    except (ValueError, OverflowError, OSError):
        return None


def badge(found: KeptFinding, speech: Speech) -> Badge:
    """A finding in short."""
    return Badge(speech.title(found.code), found.priority, speech.ending(found.how), found.code)


def _line(hand: KeptHand, speech: Speech, beside: Mapping[str, str]) -> Line:
    shown = discreet_hand(hand, dealers=False)
    badges = [badge(each, speech) for each in sorted(shown.findings, key=_gravest)]
    return Line(
        hand_address(hand.table, Place(hand.hand, hand.journal), beside),
        hand.table,
        hand.hand,
        when(hand.first_ms),
        speech.phase(hand.phase) if hand.phase else speech.say("history", "no-beginning"),
        speech.cards(hand.board),
        tuple(badges[:_MOST_BADGES]),
        max(0, len(badges) - _MOST_BADGES),
    )


def _gravest(found: KeptFinding) -> tuple[int, int]:
    return found.priority or 9, found.id


class _Reader:
    """Reads fields and notes what is wrong with them, in words."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self.faults: dict[str, Fault] = {}

    def say(self, key: str, **given: object) -> str:
        return self._speech.say("history", key, **given)

    def one_of(self, field: str, given: Mapping[str, str], known: Collection[str]) -> str | None:
        value = given.get(field)
        if value is None or value in known:
            return value
        by_case: Mapping[str, str] = {each.casefold(): each for each in known}
        near = difflib.get_close_matches(value.casefold(), by_case, n=1, cutoff=0.4)
        nearest = by_case[near[0]] if near else ""
        self.faults[field] = Fault(self.say(f"fault-{field}", given=value[:40]), nearest)
        return None

    def time(self, field: str, given: dict[str, str]) -> int | None:
        value = given.get(field)
        at = None if value is None else local_ms(value)
        if value is not None and at is None:
            self.faults[field] = Fault(self.say("fault-time", given=value[:40]), _near_time(value))
        elif at is not None:
            given[field] = when(at).replace(" ", "T")  # as a browser's field takes it
        return at

    def order(self, since_ms: int, until_ms: int) -> None:
        if until_ms <= since_ms:
            self.faults["until"] = Fault(self.say("fault-order"))

    def hand(self, field: str, given: Mapping[str, str]) -> int | None:
        value = given.get(field)
        if value is None:
            return None
        if value.isascii() and value.isdecimal() and 0 < int(value) <= _MOST_HAND:
            return int(value)
        digits = "".join(c for c in value if c in "0123456789")
        near = min(_MOST_HAND, max(1, int(digits[:12] or 1)))
        self.faults[field] = Fault(self.say("fault-hand", given=value[:40]), str(near))
        return None

    def text(self, field: str, given: Mapping[str, str]) -> str | None:
        value, most = given.get(field), _LONGEST[field]
        if value is None or (len(value) <= most and value.isprintable()):
            return value
        near = "".join(c for c in value if c.isprintable())[:most]
        self.faults[field] = Fault(self.say("fault-text", most=most), near)
        return None

    def flag(self, field: str, given: Mapping[str, str]) -> bool:
        value = given.get(field)
        if value not in (None, "1"):
            self.faults[field] = Fault(self.say("fault-found", given=str(value)[:40]), "1")
        return value == "1"


def _near_time(text: str) -> str:
    """The time whose numbers stand in a text, as far as they make one."""
    numbers = [int(each) for each in re.findall(r"\d{1,4}", text)][:5]
    if len(numbers) < 3:
        return ""
    if numbers[0] < 100 <= numbers[2]:
        numbers[0], numbers[2] = numbers[2], numbers[0]
    for count in (5, 3):
        try:
            at = datetime(*numbers[:count])  # type: ignore[arg-type]
        except (ValueError, TypeError):
            continue
        if at.year in _YEARS:
            return f"{at:%Y-%m-%dT%H:%M}" if count == 5 else f"{at:%Y-%m-%d}"
    return ""
