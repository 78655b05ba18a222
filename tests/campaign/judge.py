"""What must be so after an episode, from the contract and not from the code."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.storage.journal import verify
from tests.campaign import evidence
from tests.campaign.evidence import Kept, Place, Row
from tests.campaign.faults import Allowed
from tests.campaign.hands import Truth
from tests.campaign.lineup import LineUp

What = Literal[
    "observation lost",
    "observation doubled",
    "event lost",
    "event altered",
    "event not journalled",
    "sequence gap",
    "gap unsaid",
    "chain broken",
    "hand number",
    "finding invented",
    "wrong result",
    "wrong cards",
    "final state",
    "secret told",
    "traceback",
    "not back",
    "gave up",
    "memory",
]
MOST_MIB = {"table": 120.0, "room": 200.0, "screen": 150.0}
_TRACEBACK = "Traceback (most recent call last)"


class Failure(Struct, frozen=True):
    """Something that was to be and was not."""

    what: What
    expected: str
    seen: str


class Calm(Struct, frozen=True):
    """A hand played after all was healed, and what the table told of it."""

    truth: Truth
    events: tuple[dict[str, Any], ...]


def judge(
    line_up: LineUp,
    played: Sequence[Truth],
    calm: Sequence[Calm],
    *,
    rows: Iterable[Row],
    allowed: frozenset[Allowed],
    unwatched: int,
) -> list[Failure]:
    """All failures. `played` are all hands in order, the calm ones among them; `rows` were in the
    journal at some moment; so often the table was `unwatched` for over a second."""
    kept = evidence.kept(line_up)
    heard, altered = once(evidence.heard(line_up))
    failures = [Failure("event altered", "one payload a place", place) for place in altered]
    forgets = "forgets" in allowed
    if not forgets:
        bad = verify(line_up.journal)
        if bad is not None:
            failures.append(Failure("chain broken", "the journal's chain holds", f"row {bad}"))
        failures += presses(line_up.people.presses, kept.lines, deaf="deaf" in allowed)
        failures += gaps_said(unwatched, kept.lines)
        failures += still_there(rows, kept.rows)
        failures += journalled(heard, kept.published)
        failures += without_gap(kept.published)
    failures += _archived(line_up, kept, heard, forgets=forgets)
    told = evidence.in_order(kept.published | heard, evidence.sessions(line_up))
    failures += numbers(told)
    failures += true(told, played)
    for each in calm[:1]:  # what was not seen before may be believed wrongly
        failures += known(each, button=not allowed)
    for each in calm[1:]:
        failures += known(each)
    if not allowed:
        failures += undisturbed(told, played)
    failures += clock_goes_on([each.fields for each in line_up.listener.of("room/clock")])
    failures += _processes(line_up, forgets=forgets)
    where = evidence.secrets_told(line_up)
    if where:
        failures.append(Failure("secret told", "no tag anywhere", ", ".join(where)[:300]))
    return failures


def once(heard: Iterable[tuple[Place, bytes]]) -> tuple[dict[Place, bytes], list[str]]:
    first: dict[Place, bytes] = {}
    altered = []
    for place, payload in heard:
        if first.setdefault(place, payload) != payload:
            altered.append(f"{place}: {first[place]!r}, then {payload!r}")
    return first, altered


def presses(made: Sequence[tuple[int, str]], kept: Sequence[bytes], *, deaf: bool) -> list[Failure]:
    """Each press at a seat is in the journal's lines, once and in order."""
    lines = (msgspec.json.decode(line)["o"] for line in kept)
    found = [
        (line["seat"], line["button"])
        for line in lines
        if line["kind"] == "press" and line.get("by", "seat") == "seat"
    ]
    missing, more = Counter(made) - Counter(found), Counter(found) - Counter(made)
    failures = []
    if missing and not deaf:
        told = f"{missing.total()} of {len(made)} missing: {dict(missing)}"
        failures.append(Failure("observation lost", "every press is in the journal", told))
    if more:
        failures.append(Failure("observation doubled", "each press once", f"{dict(more)}"))
    if not missing and not more and made != found:
        failures.append(Failure("observation lost", f"in this order: {made}", f"{found}"))
    return failures


def gaps_said(unwatched: int, kept: Sequence[bytes]) -> list[Failure]:
    """That nobody watched is an observation of its own. Times that run into one another are one."""
    said = sum(msgspec.json.decode(line)["o"]["kind"] == "gap" for line in kept)
    if not unwatched or said:
        return []
    return [Failure("gap unsaid", f"unwatched {unwatched} times, a `gap` in the journal", "none")]


def still_there(before: Iterable[Row], after: frozenset[Row]) -> list[Failure]:
    """What was committed once stays."""
    gone = sorted(n for n, _ in set(before) - after)
    told = f"rows {gone} are gone or others"
    return [Failure("observation lost", "what was committed stays", told)] if gone else []


def journalled(heard: dict[Place, bytes], published: dict[Place, bytes]) -> list[Failure]:
    """Nothing has left the process that was not committed."""
    return [
        Failure("event not journalled", f"{place} is in the journal as it was told", f"{payload!r}")
        for place, payload in heard.items()
        if published.get(place) != payload
    ]


def without_gap(published: dict[Place, bytes]) -> list[Failure]:
    failures = []
    for session, seqs in _by_session(published).items():
        if seqs != set(range(1, len(seqs) + 1)):
            lacks = sorted(set(range(1, max(seqs) + 1)) - seqs)
            failures.append(Failure("sequence gap", f"{session}: 1 to {max(seqs)}", f"no {lacks}"))
    return failures


def _archived(
    line_up: LineUp, kept: Kept, heard: dict[Place, bytes], *, forgets: bool
) -> list[Failure]:
    """The room's history has each event once: its key is the place."""
    archived = evidence.archived(line_up)
    due = heard if forgets else kept.published
    lacks = sorted(due.keys() - archived.keys())
    failures = []
    if lacks:
        told = f"{len(lacks)} of {len(due)} missing, from {lacks[0]} on"
        failures.append(Failure("event lost", "the room's history has every event", told))
    all_ = kept.published | heard
    for place, body in archived.items():
        payload = all_.get(place, b"")
        if payload and msgspec.json.decode(payload)["event"] != msgspec.json.decode(body):
            failures.append(Failure("event altered", f"{payload!r}", body))
    return failures


def numbers(told: Sequence[dict[str, Any]]) -> list[Failure]:
    """Hand ids and finding ids count on."""
    failures = []
    for kind, field in (("start", "hand"), ("finding", "id")):
        numbers = [event[field] for event in told if event["kind"] == kind]
        if numbers != sorted(set(numbers)):
            failures.append(Failure("hand number", f"{kind}s count on", f"{numbers}"))
    return failures


def true(told: Sequence[dict[str, Any]], played: Sequence[Truth]) -> list[Failure]:
    """Nothing is said that is not so: the dealer has made no error, and cards, pots and stacks are
    those of a hand that was played."""
    failures = [
        Failure("finding invented", "no finding", msgspec.json.encode(event).decode()[:400])
        for event in told
        if event["kind"] == "finding"
    ]
    boards = [set(truth.board) for truth in played]
    tabled = [(seat, {*cards}) for truth in played for seat, cards in truth.tabled.items()]
    ends, is_wrong = [truth.after for truth in played], False
    for event in told:
        match event["kind"]:
            case "board" if not any(board.issuperset(event["cards"]) for board in boards):
                failures.append(Failure("wrong cards", "a board that was dealt", f"{event}"))
            case "tabled" if not any(
                event["seat"] == seat and hand.issuperset(event["cards"]) for seat, hand in tabled
            ):
                failures.append(Failure("wrong cards", "a hand that was tabled", f"{event}"))
            case "result" if event.get("stacks") and not is_wrong:
                stacks = {int(seat): chips for seat, chips in event["stacks"].items()}
                is_wrong = stacks not in ends  # and all that follow from it
                if is_wrong:
                    failures.append(Failure("wrong result", "stacks that were so", f"{event}"))
    return failures


def known(calm: Calm, *, button: bool = True) -> list[Failure]:
    """A hand that was seen whole is told whole, whatever was before. `button`: where it lies was
    known before the hand."""
    truth, events = calm.truth, calm.events
    failures = []

    def demand(expected: str, seen: object, *, holds: bool) -> None:
        if not holds:
            failures.append(Failure("final state", expected, f"{seen}"))

    starts = [e for e in events if e["kind"] == "start"]
    demand("one hand begins", starts, holds=len(starts) == 1)
    if len(starts) != 1:
        return failures
    start = starts[0]
    seats = {each["seat"]: each.get("stack") for each in start["seats"]}
    demand(f"seats {sorted(truth.seats)}", sorted(seats), holds=seats.keys() == set(truth.seats))
    at = start["button"]
    demand(f"the button at {truth.button}", at, holds=not button or at == truth.button)
    wrong = {s: c for s, c in seats.items() if c is not None and c != truth.before.get(s)}
    demand(f"stacks {truth.before} or unknown", wrong, holds=not wrong)
    results = [e for e in events if e["kind"] == "result" and e["hand"] == start["hand"]]
    demand("one result", results, holds=len(results) == 1)
    boards = [tuple(e["cards"]) for e in events if e["kind"] == "board"]
    shown = boards[-1] if boards else ()
    demand(f"the board {truth.board}", shown, holds=shown == truth.board)
    if len(results) != 1 or wrong:
        return failures
    won = {int(s): c for s, c in (results[0].get("stacks") or {}).items()}
    if None not in seats.values():
        demand(f"stacks {truth.after}", won or results[0], holds=won == truth.after)
    return failures


def undisturbed(told: Sequence[dict[str, Any]], played: Sequence[Truth]) -> list[Failure]:
    """The table has seen everything: it has told every hand."""
    failures = []
    starts = sum(event["kind"] == "start" for event in told)
    if starts != len(played):
        failures.append(Failure("final state", f"{len(played)} hands", f"{starts} hands"))
    ends = [event.get("stacks") for event in told if event["kind"] == "result"]
    expected = [{str(seat): chips for seat, chips in truth.after.items()} for truth in played]
    if ends != expected:
        failures.append(Failure("final state", f"stacks {expected}", f"{ends}"))
    return failures


def clock_goes_on(said: Sequence[dict[str, Any]]) -> list[Failure]:
    """The blinds clock that was started runs to the same deadline, or asks: its room was away for
    longer, or the clock on the wall is another."""
    deadlines = {each["deadline_ms"] for each in said if each.get("state") == "running"}
    last = said[-1].get("state") if said else "never told"
    if len(deadlines) == 1 and last in ("running", "question"):
        return []
    told = f"{sorted(deadlines)}, at last {last}"
    return [Failure("final state", "the blinds clock runs to one deadline", told)]


def _processes(line_up: LineUp, *, forgets: bool) -> list[Failure]:
    failures = []
    by_us = {name: {-signal.SIGKILL} for name in line_up.services}
    if forgets:
        by_us["table"].add(1)  # no journal can be written: systemd tries again
    for name, text in evidence.logs(line_up).items():
        if _TRACEBACK in text:
            told = text[text.index(_TRACEBACK) :]
            last = [line for line in told.splitlines() if line and not line.startswith(" ")]
            words = f"{text.count(_TRACEBACK)} in {name}: {last[1] if len(last) > 1 else ''}"
            failures.append(Failure("traceback", "none", words))
    for name, service in line_up.services.items():
        bad = [status for _, status in service.ended if status not in by_us[name]]
        if bad:
            failures.append(Failure("gave up", f"{name} goes on", f"exit status {bad}"))
        if service.most_mib > MOST_MIB[name]:
            told = f"{service.most_mib:.0f} MiB"
            failures.append(Failure("memory", f"{name}: {MOST_MIB[name]:.0f} MiB at most", told))
    return failures


def _by_session(places: Iterable[Place]) -> dict[str, set[int]]:
    sessions: dict[str, set[int]] = {}
    for session, seq in places:
        sessions.setdefault(session, set()).add(seq)
    return sessions
