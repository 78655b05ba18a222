"""Table logs for property tests: any table and any line, and real hands that went astray.

A log is a list of lines as JSON objects, the table record first. Tags are recognisable: with a
deck map each begins with `TAG`, without one the tags that are no card codes do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
from hypothesis import strategies as st

from controller.contract.cards import CARDS
from controller.contract.events import OutcomeName
from controller.contract.observations import Observation, decode, encode
from controller.contract.zones import ZONES
from controller.demo.errors import ERRORS
from controller.library.books import open_library
from controller.rules import IRREGULARITIES
from tests.engine.simulation import HANDS, deal

Line = dict[str, Any]
Draw = st.DrawFn

CONFIG = Path(__file__).resolve().parents[2] / "config"
LOGS = sorted((Path(__file__).resolve().parents[1] / "hands").glob("*/*.jsonl"))
PLAYED = sorted(path.stem for path in HANDS.glob("*.phh"))[::4]
BOOKS = ["homepokertourney", "nl-2010", "roberts", "tda-2009", "tda-2024", "uk-tda"]
CODES = sorted({rule.code for rule in IRREGULARITIES})
TAG = "04E1"
FOREIGN = TAG + "F0REIGN"
OBJECTS = {
    f"{TAG}0B01": "button",
    f"{TAG}0B02": "all-in",
    f"{TAG}0B03": "cut-card",
    f"{TAG}0B04": "badge:FLOOR",
}
RESTING = {f"{TAG}5EC0{n:02X}": code for n, code in enumerate(CARDS)}
MAPPED = {f"{TAG}AA{n:02X}": code for n, code in enumerate((*CARDS, "X1", "X2"))}
TWIN = f"{TAG}AAFF"
TAG_OF = {code: tag for tag, code in MAPPED.items()}


class Tags(NamedTuple):
    """The deck in play, if it is mapped, and the tags that may turn up."""

    deck: dict[str, str] | None
    lying: tuple[str, ...]


UNMAPPED = Tags(None, (*CARDS[:16], "X1", FOREIGN, *OBJECTS))


def mapped(twin_of: str) -> Tags:
    """A deck with a map, in which one card has a twin."""
    deck = {**MAPPED, TWIN: twin_of}
    some = [tag for tag, code in deck.items() if code in CARDS[:16]]
    return Tags(deck, (*some, TAG_OF["X1"], FOREIGN, *list(RESTING)[:2], *OBJECTS))


# --- any line ---------------------------------------------------------------------------------


def line(**fields: object) -> st.SearchStrategy[Line]:
    """A line without its time; a field is a strategy or a fixed value, and one whose name begins
    with `maybe_` may be missing."""
    given = {
        name: value if isinstance(value, st.SearchStrategy) else st.just(value)
        for name, value in fields.items()
    }
    return st.fixed_dictionaries(
        {name: value for name, value in given.items() if not name.startswith("maybe_")},
        optional={n[6:]: value for n, value in given.items() if n.startswith("maybe_")},
    )


def several(*parts: tuple[int, st.SearchStrategy[Line]]) -> st.SearchStrategy[Line]:
    """One of these, each as often as it says."""
    return st.one_of([part for weight, part in parts for _ in range(weight)])


seats = st.integers(1, 10)
zones = st.sampled_from([*ZONES, "board", "board", "burn", "muck"])
chips = st.integers(0, 3000)
findings = st.integers(1, 5)
gaps = st.sampled_from([0.0, 0.05, 0.15, 0.3, 0.6, 1.2, 3.0, 45.0])
books = st.sampled_from(BOOKS)
outcomes = st.sampled_from(get_args(OutcomeName))
stati = st.sampled_from(["seated", "empty", "present", "absent", "penalty"])
names = st.sampled_from(["Ann", "Bo"])
level = {"small": st.integers(0, 50), "big": st.integers(1, 100), "maybe_ante": st.integers(0, 20)}


@cache
def entries() -> st.SearchStrategy[Line]:
    """What is entered at the dealer's display or by the floor, and names no tag."""
    dealer: dict[str, object] = {"kind": "dealer", "maybe_by": names, "maybe_reason": "why"}
    floor: dict[str, object] = {"kind": "floor", "maybe_by": names, "maybe_reason": "why"}
    plain = ["round-closed", "award", "reshuffled", "call-floor", "misdeal", "unwatched", "undo"]
    return several(
        (3, line(**dealer, input=st.sampled_from(plain))),
        (2, line(**dealer, input=st.sampled_from(["confirm", "dismiss"]), finding=findings)),
        (2, line(**dealer, input=st.sampled_from(["tabled", "clock"]), seat=seats)),
        (1, line(**dealer, input="sign-in", name=names)),
        (1, line(**dealer, input="done", finding=findings, step=st.sampled_from(["ask-burn", ""]))),
        (3, line(**floor, input="ruling", finding=findings, outcome=outcomes)),
        (1, line(**floor, input="dismiss", finding=findings)),
        (1, line(**floor, input=st.sampled_from(["misdeal", "clock-cancel", "coming", "pick"]))),
        (1, line(**floor, input="clock", seat=seats)),
        (
            1,
            line(
                **floor,
                input="mute",
                code=st.sampled_from(CODES),
                hands=st.integers(1, 3),
                maybe_zone=zones,
            ),
        ),
    )


@cache
def acts(lying: tuple[str, ...]) -> st.SearchStrategy[Line]:
    """Any line but a table record."""
    tags = st.sampled_from(lying)
    nth = st.integers(1, 3)
    at = {"maybe_seat": seats, "maybe_nth": nth, "maybe_tag": tags}
    buttons = ["check", "call", "bet", "raise", "fold", "all-in", "time"]
    faces = st.sampled_from(["up", "down"])
    check = st.lists(tags, max_size=4) | st.just([*lying])
    causes = st.sampled_from(["dealer", "player"])
    sensed = st.sampled_from(["seen", "seen", "gone"])
    return several(
        (6, line(kind="seen", zone=zones, tag=tags, maybe_face=faces)),
        (4, line(kind=sensed, zone=zones, tag=tags)),
        (
            3,
            line(
                kind="press",
                seat=seats,
                button=st.sampled_from(buttons),
                maybe_amount=chips,
                maybe_by=st.sampled_from(["seat", "dealer"]),
            ),
        ),
        (1, line(kind=st.sampled_from(["riffle", "tick", "open", "close"]))),
        (4, entries()),
        (1, line(kind="dealer", input="exposed", cause=causes, **at)),
        (1, line(kind="dealer", input="boxed", **at)),
        (1, line(kind="floor", input="pick", maybe_tag=tags)),
        (1, line(kind="seat", seat=seats, status=stati, maybe_stack=chips, maybe_player=names)),
        (1, line(kind="reader", zone=zones, status=st.sampled_from(["lost", "ok"]))),
        (1, line(kind="level", **level)),
        (1, line(kind="deck-check", tags=check)),
        (1, line(kind="gap", since=0.0, why="restart")),
        (1, line(kind="timing", order_window=st.sampled_from([0.0, 0.1, 1.0]))),
        (1, line(kind="deck", deck=st.sampled_from([RESTING, MAPPED]))),
    )


@st.composite
def tables(draw: Draw, tags: Tags) -> Line:
    """Any table."""
    taken = draw(st.lists(seats, unique=True, min_size=0, max_size=10))
    places = [
        {"seat": seat, **draw(line(maybe_stack=chips, maybe_player=names, maybe_status=stati))}
        for seat in taken
    ]
    found: Line = draw(
        line(
            kind="table",
            v=1,
            table="T1",
            rulebook=books,
            button=seats,
            blinds=line(**level),
            maybe_zones=st.lists(st.sampled_from(ZONES), unique=True),
            maybe_buttons=st.lists(seats, unique=True),
            maybe_mode=st.sampled_from(["tournament", "cash"]),
            maybe_posts=st.lists(seats, max_size=2, unique=True),
            maybe_under_way=st.booleans(),
            maybe_game="holdem",
            maybe_objects=OBJECTS,
            maybe_timing=line(
                maybe_order_window=st.sampled_from([0.0, 0.1, 1.0]),
                maybe_settle=st.sampled_from([0.0, 0.2, 2.0]),
                maybe_flicker=st.sampled_from([0.0, 0.2, 2.0]),
                maybe_press_window=st.sampled_from([0.0, 1.0, 5.0]),
            ),
        )
    )
    if tags.deck is not None:
        found["deck"] = tags.deck
    return {**found, "seats": places}


tag_sets = st.one_of(st.just(UNMAPPED), st.sampled_from(CARDS[:16]).map(mapped))


@st.composite
def interleavings(draw: Draw) -> list[Line]:
    """Any table, and anything that could happen to it."""
    tags = draw(tag_sets)
    lines = [draw(tables(tags))]
    t = 0.0
    for act in draw(st.lists(acts(tags.lying), max_size=60)):
        t += draw(gaps)
        is_gap = act["kind"] == "gap"
        since = {"since": max(0.0, round(t - draw(gaps), 3))} if is_gap else {}
        lines.append({**act, **since, "t": round(t, 3)})
    if draw(st.booleans()):
        at = draw(st.integers(0, len(lines)))
        lines.insert(at, {**draw(tables(tags)), "t": lines[at - 1].get("t", 0.0)})
    if "t" in lines[0] and len(lines) > 1:
        lines[0]["t"] = 0.0
    return lines


# --- real hands -------------------------------------------------------------------------------


@cache
def _library() -> Any:  # noqa: ANN401
    return open_library(CONFIG)


@cache
def recorded(log: Path) -> list[Line]:
    """The lines of a log among the tests."""
    return [msgspec.json.decode(text) for text in log.read_bytes().splitlines()]


@cache
def simulated(rulebook: str, name: str, error: str | None) -> list[Line]:
    """A played hand that the demo's dealer deals with an error, and puts right."""
    return [msgspec.json.decode(encode(o)) for o in deal(_library(), rulebook, name, error).log]


real_hands: st.SearchStrategy[list[Line]] = st.one_of(
    st.sampled_from(LOGS).map(recorded),
    st.builds(simulated, books, st.sampled_from(PLAYED), st.sampled_from([None, *ERRORS, *ERRORS])),
)


def _moved(lines: list[Line], by: float) -> list[Line]:
    return [{**one, "t": round(one.get("t", 0.0) + by, 3)} for one in lines]


def _drop(draw: Draw, rest: list[Line], at: int) -> None:
    del rest[at : at + draw(st.integers(1, 3))]


def _double(draw: Draw, rest: list[Line], at: int) -> None:
    rest.insert(at, {**rest[at], "t": rest[at]["t"] + draw(gaps)})


def _swap(_draw: Draw, rest: list[Line], at: int) -> None:
    if at + 1 < len(rest):
        one, other = rest[at], rest[at + 1]
        rest[at], rest[at + 1] = {**other, "t": one["t"]}, {**one, "t": other["t"]}


def _delay(draw: Draw, rest: list[Line], at: int) -> None:
    rest[at] = {**rest[at], "t": rest[at]["t"] + draw(gaps)}


def _pause(draw: Draw, rest: list[Line], at: int) -> None:
    rest[at:] = _moved(rest[at:], draw(gaps))


def _rush(_draw: Draw, rest: list[Line], at: int) -> None:
    """Several lines are read in one cycle."""
    for later in range(at + 1, min(at + 4, len(rest))):
        rest[later] = {**rest[later], "t": rest[at]["t"]}


def _astray(draw: Draw, rest: list[Line], at: int) -> None:
    if rest[at]["kind"] in ("seen", "gone"):
        rest[at] = {**rest[at], "zone": draw(zones)}


def _ghost(draw: Draw, rest: list[Line], at: int) -> None:
    """A tag is read in a second zone, and leaves it after a while."""
    if rest[at]["kind"] == "seen":
        where = {**rest[at], "zone": draw(zones)}
        t = where["t"] + draw(gaps)
        rest += [{**where, "t": t}, {**where, "kind": "gone", "t": t + draw(gaps)}]


def _missed(draw: Draw, rest: list[Line], at: int) -> None:
    """A tag is not read for a while."""
    if rest[at]["kind"] == "seen":
        t = rest[at]["t"] + draw(gaps)
        rest += [{**rest[at], "kind": "gone", "t": t}, {**rest[at], "t": t + draw(gaps)}]


def _silent(draw: Draw, rest: list[Line], at: int) -> None:
    """A zone is not read from here on, with or without its reader being missed."""
    zone = rest[at].get("zone")
    if zone is not None:
        t = rest[at]["t"]
        rest[:] = [one for one in rest if one.get("zone") != zone or one["t"] < t]
        if draw(st.booleans()):
            rest.append({"kind": "reader", "zone": zone, "status": "lost", "t": t})


def _without(_draw: Draw, rest: list[Line], at: int) -> None:
    """Nothing of this line's kind is told from here on."""
    kind, t = rest[at]["kind"], rest[at]["t"]
    rest[:] = [one for one in rest if one["kind"] != kind or one["t"] < t]


def _entry(draw: Draw, rest: list[Line], at: int) -> None:
    rest.insert(at, {**draw(entries()), "t": rest[at]["t"]})


MUTATIONS: tuple[Callable[[Draw, list[Line], int], None], ...] = (
    _drop, _double, _swap, _delay, _pause, _rush, _astray, _ghost, _missed, _silent, _without,
    _entry, _entry, _entry,
)  # fmt: skip


def _with_map(lines: list[Line], tags: Tags) -> list[Line]:
    """The log of a table with a deck map: card codes become tags."""

    def hide(one: Line) -> Line:
        if "tag" in one:
            return {**one, "tag": TAG_OF.get(one["tag"], one["tag"])}
        if "tags" in one:
            return {**one, "tags": [TAG_OF.get(tag, tag) for tag in one["tags"]]}
        return one

    if "deck" in lines[0]:
        return lines
    return [{**lines[0], "deck": tags.deck}, *(hide(one) for one in lines[1:])]


@st.composite
def disturbed_hands(draw: Draw) -> list[Line]:
    """One to three real hands from which lines are missing, doubled, moved or astray, with others
    put in, at a table that may lack what theirs had."""
    lines = list(draw(real_hands))
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        end = lines[-1].get("t", 0.0) + draw(gaps)
        more = draw(real_hands)
        lines += _moved(more[draw(st.integers(0, 1)) :], end)
        if draw(st.booleans()):  # cut off in the middle
            del lines[draw(st.integers(1, len(lines))) :]
    tags = draw(tag_sets)
    if tags.deck is not None and "deck" not in lines[0]:
        lines = _with_map(lines, tags)
    head, rest = lines[0], lines[1:]
    for _ in range(draw(st.integers(0, 8))):
        if rest:
            at = draw(st.integers(0, len(rest) - 1))
            draw(st.sampled_from(MUTATIONS))(draw, rest, at)
    t = 0.0
    for act in draw(st.lists(acts(tags.lying), max_size=6)):
        t = draw(st.sampled_from(rest))["t"] if rest else t
        rest.append({**act, "t": t})
    change = draw(
        line(
            maybe_rulebook=books,
            maybe_mode=st.sampled_from(["tournament", "cash"]),
            maybe_under_way=st.booleans(),
            maybe_buttons=st.lists(seats, unique=True),
            maybe_objects=OBJECTS,
            maybe_zones=st.sets(st.sampled_from(ZONES), max_size=2).map(
                lambda lacks: [zone for zone in ZONES if zone not in lacks]
            ),
        )
    )
    rest.sort(key=lambda one: float(one.get("t", 0.0)))
    return [{**head, **change}, *rest]


logs = interleavings() | disturbed_hands() | disturbed_hands()


def read(lines: list[Line]) -> list[Observation]:
    """The log as the engine takes it."""
    return [decode(msgspec.json.encode(one)) for one in lines]
