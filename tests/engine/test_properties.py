"""Whatever comes, in whatever order: the engine stands, agrees with itself and keeps secrets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.books import Library
from controller.cards import CARDS
from controller.engine.engine import Engine
from controller.events import Closed, Event, Finding, Ruling, encode_event
from controller.observations import HandTabled, Observation, Seen, decode

LOGS = sorted((Path(__file__).resolve().parents[1] / "hands").glob("*/*.jsonl"))
BOOKS = ["homepokertourney", "nl-2010", "roberts", "tda-2009", "uk-tda"]
ZONES = [*(f"seat/{n}" for n in range(1, 11)), "board", "board", "board/4", "burn", "muck", "stub"]
BUTTONS = ["check", "call", "bet", "raise", "fold", "all-in", "time"]

seats = st.integers(1, 10)
cards = st.sampled_from([*CARDS[:16], "X1", "E004STRANGE"])


def line(**fields: object) -> st.SearchStrategy[dict[str, Any]]:
    """A line of a table log without its time; a field is a strategy or a fixed value, and one
    whose name begins with `maybe_` may be missing."""
    given = {
        name: value if isinstance(value, st.SearchStrategy) else st.just(value)
        for name, value in fields.items()
    }
    return st.fixed_dictionaries(
        {name: value for name, value in given.items() if not name.startswith("maybe_")},
        optional={n[6:]: value for n, value in given.items() if n.startswith("maybe_")},
    )


OUTCOMES = st.sampled_from(["stands", "redeal-flop", "misdeal"])
ENTRIES = ["round-closed", "award", "misdeal", "reshuffled", "call-floor", "unwatched", "undo"]
findings = st.integers(1, 4)
zones = st.sampled_from(ZONES)
chips = st.integers(0, 3000)
acts: st.SearchStrategy[dict[str, Any]] = st.one_of(
    line(kind=st.sampled_from(["seen", "gone"]), zone=zones, tag=cards),
    line(
        kind="press",
        seat=seats,
        button=st.sampled_from(BUTTONS),
        maybe_amount=chips,
        maybe_by="dealer",
    ),
    line(kind=st.sampled_from(["riffle", "tick", "open", "close"])),
    line(kind="dealer", input=st.sampled_from(ENTRIES)),
    line(kind="dealer", input="tabled", seat=seats),
    line(kind=st.sampled_from(["dealer", "floor"]), input="dismiss", finding=findings),
    line(kind="dealer", input="confirm", finding=findings),
    line(kind="floor", input="ruling", finding=findings, outcome=OUTCOMES),
    line(kind="floor", input="pick"),
    line(
        kind="seat",
        seat=seats,
        status=st.sampled_from(["seated", "empty", "absent"]),
        maybe_stack=chips,
    ),
    line(kind="reader", zone=zones, status=st.sampled_from(["lost", "ok"])),
    line(kind="level", small=50, big=100),
)
gaps = st.sampled_from([0.0, 0.05, 0.15, 0.3, 0.6, 1.2, 3.0])


@st.composite
def interleavings(draw: st.DrawFn) -> list[Observation]:
    """A table with some seats and zones, and anything that could happen to it."""
    taken = sorted(draw(st.sets(seats, min_size=0, max_size=6)))
    table: dict[str, Any] = {
        "kind": "table", "v": 1, "table": "T1", "rulebook": draw(st.sampled_from(BOOKS)),
        "button": draw(seats),
        "seats": [{"seat": s, "stack": draw(st.integers(0, 400))} for s in taken],
        "blinds": {"small": 5, "big": 10, "ante": 1},
    }  # fmt: skip
    if draw(st.booleans()):
        table["zones"] = draw(st.lists(st.sampled_from(ZONES), unique=True))
    if draw(st.booleans()):
        table["buttons"] = draw(st.lists(seats, unique=True))
    lines = [table]
    t = 0.0
    for act in draw(st.lists(acts, max_size=60)):
        t += draw(gaps)
        lines.append({**act, "t": round(t, 3)})
    return [decode(msgspec.json.encode(line)) for line in lines]


@st.composite
def disturbed_hands(draw: st.DrawFn) -> list[Observation]:
    """A real hand from which lines are missing, doubled or moved, with others put in."""
    log = draw(st.sampled_from(LOGS))
    lines = [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]
    head, rest = lines[0], lines[1:]
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, max(0, len(rest) - 1)))
        match draw(st.sampled_from(["drop", "double", "insert", "zone", "later"])):
            case "drop":
                del rest[at : at + 1]
            case "double":
                rest[at:at] = rest[at : at + 1]
            case "insert":
                rest.insert(at, {**draw(acts), "t": rest[at]["t"] if rest else 0.0})
            case "zone" if rest and "zone" in rest[at] and rest[at]["kind"] != "reader":
                rest[at] = {**rest[at], "zone": draw(st.sampled_from(ZONES))}
            case "later" if rest:
                rest[at] = {**rest[at], "t": rest[at]["t"] + draw(gaps)}
            case _:
                pass
    rest.sort(key=lambda line: float(line["t"]))
    return [decode(msgspec.json.encode(line)) for line in (head, *rest)]


def run(library: Library, log: Sequence[Observation]) -> list[Event]:
    engine = Engine(library.book)
    return [event for observation in log for event in engine.observe(observation)]


@given(log=interleavings() | disturbed_hands())
@settings(deadline=None, max_examples=300)
def test_no_order_of_observations_breaks_the_engine(
    library: Library, log: list[Observation]
) -> None:
    events = run(library, log)
    times = [event.t for event in events]
    assert all(0 <= t <= (log[-1].t or 0) for t in times)


@given(log=interleavings() | disturbed_hands(), cut=st.floats(0, 1))
@settings(deadline=None, max_examples=100)
def test_a_prefix_and_the_rest_are_the_whole(
    library: Library, log: list[Observation], cut: float
) -> None:
    whole = run(library, log)
    at = round(cut * len(log))
    engine = Engine(library.book)
    first = [event for observation in log[:at] for event in engine.observe(observation)]
    # A journal is replayed to come back: the same prefix again, then the rest.
    again = Engine(library.book)
    assert [e for observation in log[:at] for e in again.observe(observation)] == first
    rest = [event for observation in log[at:] for event in again.observe(observation)]
    assert [encode_event(e) for e in first + rest] == [encode_event(e) for e in whole]


@given(log=interleavings() | disturbed_hands())
@settings(deadline=None, max_examples=200)
def test_findings_are_ruled_with_steps_and_closed_once(
    library: Library, log: list[Observation]
) -> None:
    open_findings: dict[int, Finding] = {}
    for event in run(library, log):
        if isinstance(event, Finding):
            assert event.id not in open_findings
            open_findings[event.id] = event
            assert event.basis == "seen" or event.priority > 1
        if isinstance(event, Finding | Ruling):
            assert event.ruling.steps
            assert event.ruling.cites
            assert event.id in open_findings
        elif isinstance(event, Closed):
            del open_findings[event.id]


CODE = re.compile(rb'"([2-9TJQKA][shdc])"')


@given(log=interleavings() | disturbed_hands())
@settings(deadline=None, max_examples=300)
def test_no_face_down_card_is_named(library: Library, log: list[Observation]) -> None:
    """Only a card that lay on the board, or at a seat whose hand was tabled, may be named."""
    engine = Engine(library.book)
    faced: set[str] = set()
    at_seat: dict[int, set[str]] = {}
    tabled: set[int] = set()
    for observation in log:
        if isinstance(observation, Seen):
            pile, _, number = observation.zone.partition("/")
            if pile == "board":
                faced.add(observation.tag)
            elif pile == "seat" and number.isdecimal():
                at_seat.setdefault(int(number), set()).add(observation.tag)
        elif isinstance(observation, HandTabled):
            tabled.add(observation.seat)
        public = faced.union(*(at_seat.get(seat, set()) for seat in tabled))
        for event in engine.observe(observation):
            named = {code.decode() for code in CODE.findall(encode_event(event))}
            assert named <= public, event
            assert "STRANGE" not in encode_event(event).decode()
            assert "STRANGE" not in repr(observation)
