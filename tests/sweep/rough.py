"""What readers and people do to a log without anybody having dealt wrongly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.sweep.telling import Line

type_ = Callable[[Random, list[Line]], list[Line]]
NEVER = 1e9


def _awarded(log: list[Line]) -> float:
    return next((line["t"] for line in log if line.get("input") == "award"), NEVER)


def _leaves(log: list[Line], one: Line) -> float:
    """When a tag leaves the zone to which it came, or the hand is over."""
    left = (
        m["t"] for m in log if m["kind"] == "gone" and m["tag"] == one["tag"] and m["t"] > one["t"]
    )
    return min(next(left, NEVER), _awarded(log))


def _cards(log: list[Line], place: str) -> list[Line]:
    return [
        line
        for line in log
        if line["kind"] == "seen" and line["zone"].startswith(place) and line["tag"] != "PUCK"
    ]


def _at(line: Line, t: float, **fields: object) -> Line:
    moved = {**line, "t": t, **fields}
    if moved["kind"] == "gone":
        moved.pop("face", None)
    return moved


def _beside(zone: str) -> str:
    return f"seat/{int(zone.split('/')[1]) % 10 + 1}"


def ghosts(rng: Random, log: list[Line]) -> list[Line]:
    """A neighbour's antenna reads a card as well."""
    out: list[Line] = []
    for line in _cards(log, "seat"):
        begins = line["t"] + rng.uniform(0, 1)
        ends = begins + rng.choice([0.2, 0.45, 1.5, 4.0])
        if rng.random() < 0.3 and ends < _leaves(log, line):
            zone = _beside(line["zone"])
            out += [_at(line, begins, zone=zone), _at(line, ends, kind="gone", zone=zone)]
    return out


def brushes(rng: Random, log: list[Line]) -> list[Line]:
    """A folded card brushes another zone on its way."""
    out: list[Line] = []
    for line in _cards(log, "muck"):
        if rng.random() < 0.5:
            zone = rng.choice(["board", "burn", f"seat/{rng.randint(1, 10)}"])
            begins = line["t"] - 0.04
            ends = begins + rng.choice([0.03, 0.3])
            out += [_at(line, begins, zone=zone), _at(line, ends, kind="gone", zone=zone)]
    return out


def flickers(rng: Random, log: list[Line]) -> list[Line]:
    """A card is not read for a moment."""
    out: list[Line] = []
    for line in _cards(log, rng.choice(["board", "burn", "muck", "seat"])):
        left = line["t"] + rng.uniform(0.05, 6.0)
        back = left + rng.uniform(0.05, 0.45)
        if rng.random() < 0.5 and back < _leaves(log, line):
            out += [_at(line, left, kind="gone"), _at(line, back)]
    return out


def lifts(rng: Random, log: list[Line]) -> list[Line]:
    """Players hold their cards in the hand, or one of them."""
    out: list[Line] = []
    zones = {line["zone"] for line in _cards(log, "seat")}
    for zone in sorted(zones):
        cards = [line for line in _cards(log, zone) if line["zone"] == zone]
        left = max(line["t"] for line in cards) + rng.uniform(0.2, 10.0)
        back = left + rng.choice([0.6, 2.0, 8.0, 25.0])
        if rng.random() < 0.6 and all(back < _leaves(log, line) for line in cards):
            for line in cards[: rng.choice([1, 2])]:
                out += [_at(line, left, kind="gone"), _at(line, back)]
    return out


def late_burns(rng: Random, log: list[Line]) -> list[Line]:
    """Burns are read after the street's first card."""
    for line in _cards(log, "burn"):
        line["t"] += rng.choice([0.3, 0.8, 1.2, 1.6])
    return []


def half_read_mucks(rng: Random, log: list[Line]) -> list[Line]:
    """One card of a fold is not read in the muck."""
    seen: set[str] = set()
    for line in _cards(log, "muck")[::2]:
        if rng.random() < 0.5:
            seen.add(line["tag"])
    log[:] = [m for m in log if not (m.get("zone") == "muck" and m.get("tag") in seen)]
    return []


def left_lying(_: Random, log: list[Line]) -> list[Line]:
    """Nothing is collected."""
    over = _awarded(log)
    log[:] = [m for m in log if not (m["kind"] == "gone" and m["t"] > over)]
    return []


def paces(rng: Random, log: list[Line]) -> list[Line]:
    """A quick or a slow dealer."""
    pace = rng.choice([0.55, 0.8, 1.5, 2.5])
    for line in log[1:]:
        line["t"] *= pace
    return []


def pauses(rng: Random, log: list[Line]) -> list[Line]:
    """The dealer stops for a while in the deal."""
    since, pause = rng.choice(_cards(log, "seat"))["t"], rng.choice([1, 2, 4, 9])
    for line in log[1:]:
        if line["t"] > since:
            line["t"] += pause
    return []


def late_presses(rng: Random, log: list[Line]) -> list[Line]:
    """Who has thrown the cards away presses after it."""
    for line in log:
        if line["kind"] == "press" and line["button"] == "fold":
            line["t"] += rng.choice([0.1, 0.5, 1.2])
    return []


def double_presses(rng: Random, log: list[Line]) -> list[Line]:
    """A button is pressed twice."""
    pressed = [line for line in log if line["kind"] == "press"]
    return [_at(line, line["t"] + 0.2) for line in pressed if rng.random() < 0.3]


def needless_presses(rng: Random, log: list[Line]) -> list[Line]:
    """Somebody presses while a street is awaited and nobody is to act."""
    cards = sorted(_cards(log, "b"), key=lambda line: line["t"])  # of the board and the burns
    acts = [line for line in log if line["kind"] == "press"]
    if not acts:
        return []
    seats = sorted({int(line["zone"].split("/")[1]) for line in _cards(log, "seat")})
    out: list[Line] = []
    for card in cards:
        before = [*acts, *_cards(log, "muck"), *cards]
        since = max(line["t"] for line in before if line["t"] < card["t"] or line is acts[0])
        if card["t"] - since > 1.0 and rng.random() < 0.7:
            for _ in range(rng.choice([1, 1, 2, 3])):
                press = {"kind": "press", "t": rng.uniform(since + 0.3, card["t"] - 0.1)}
                button = rng.choice(["check", "check", "call", "fold", "raise", "all-in"])
                out.append({**press, "seat": rng.choice(seats), "button": button})
    return out


ROUGH: tuple[type_, ...] = (
    ghosts,
    brushes,
    flickers,
    lifts,
    late_burns,
    half_read_mucks,
    left_lying,
    paces,
    pauses,
    late_presses,
    double_presses,
    needless_presses,
)
