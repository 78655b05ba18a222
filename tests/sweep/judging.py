"""Runs the engine over a log and says what differs from what is expected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from controller.contract.events import encode_event
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.sweep.telling import Line

BOOKS = ("homepokertourney", "uk-tda", "roberts", "nl-2010", "tda-2009")


class Want(msgspec.Struct, frozen=True):
    """What is to be found: the code once, nothing beside it but `beside`; each book's outcomes
    (a book that is left out may say anything) and, if given, how it is closed at last."""

    code: str
    outcome: dict[str, tuple[str, ...]] = {}
    beside: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    cites: dict[str, tuple[str, ...]] = {}


def replay(library: Library, lines: Sequence[Line], book: str | None) -> list[dict[str, Any]]:
    engine = Engine(library.book, book)
    return [
        json.loads(encode_event(event))
        for line in lines
        for event in engine.observe(decode(json.dumps(line).encode()))
    ]


def clean_fault(events: Sequence[Mapping[str, Any]], *, blind: bool = False) -> str | None:
    found = [
        f"{e['code']}({e['basis']})"
        for e in events
        if e["kind"] == "finding" and not (blind and e["basis"] == "unseen")
    ]
    return " ".join(found) or None


def judge(want: Want, book: str, events: Sequence[Mapping[str, Any]]) -> str | None:
    """Says what is not as wanted, None if all is."""
    found = [e for e in events if e["kind"] == "finding"]
    hits = [e for e in found if e["code"] == want.code]
    codes = [f"{e['code']}({e['basis'][0]})" for e in found]
    if len(hits) != 1:
        return f"{want.code} found {len(hits)} times, all: {codes}"
    beside = {e["code"] for e in found} - {want.code, *want.beside}
    if beside:
        return f"also found {sorted(beside)}"
    finding = hits[0]["id"]
    last = [
        e["ruling"] for e in events if e["kind"] in ("finding", "ruling") and e["id"] == finding
    ][-1]
    if not last.get("steps"):
        return "no steps"
    outcomes = want.outcome.get(book)
    if outcomes and last["outcome"] not in outcomes:
        return f"outcome {last['outcome']}, expected one of {outcomes}"
    cites = want.cites.get(book)
    if cites and not any(c.endswith(end) for c in last["cites"] for end in cites):
        return f"cites {last['cites']}, expected one of {cites}"
    how = [e["how"] for e in events if e["kind"] == "closed" and e["id"] == finding]
    if want.closed and (how[-1] if how else "open") not in want.closed:
        return f"closed {how}, expected {want.closed}"
    return None


def named_face_down(lines: Sequence[Line], events: Sequence[Mapping[str, Any]]) -> str | None:
    """A card or tag that an event names although it never lay on the board and its seat was
    never tabled; None if there is none."""
    deck: dict[str, str] = {}
    for line in lines:
        deck.update(line.get("deck", {}))
    tags = {line["tag"] for line in lines if "tag" in line and line["kind"] == "seen"} - {"PUCK"}
    cards = {deck.get(tag, tag) for tag in tags}
    public = {
        deck.get(line["tag"], line["tag"])
        for line in lines
        if line["kind"] == "seen" and line["zone"].startswith("board")
    }
    shown: set[str] = set()
    for event in events:
        if event["kind"] == "tabled":
            shown |= set(event["cards"])
        text = set(_words(event))
        bad = (text & (cards - public - shown)) | (text & (tags - cards))
        if bad:
            return (
                f"{event['kind']} {event.get('code', event.get('text_id', ''))} names {sorted(bad)}"
            )
    return None


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return value.replace(".", " ").replace(",", " ").split()
    if isinstance(value, Mapping):
        return [w for k, v in value.items() for w in [*_words(k), *_words(v)]]
    if isinstance(value, list):
        return [w for v in value for w in _words(v)]
    return []
