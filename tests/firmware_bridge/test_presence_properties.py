"""Whatever is read, presence invents nothing and keeps its bounds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.presence import Output, Presence, Thresholds, rows
from firmware_bridge.sensed import Gone, Reader, Seen

ZONES = ("seat/1", "seat/2", "seat/3")
CARDS = ("E004015000000001", "E004015000000002", "E004015000000004")
UNION, FOREIGN = "E004015000000003", "E0040150FFFF0000"
CYCLE = 0.12
LIMITS = Thresholds()

Step = tuple[str, frozenset[str], str]
"""A zone, what it read, and how: complete, incomplete, failed, lost."""

step = st.tuples(
    st.sampled_from(ZONES),
    st.frozensets(st.sampled_from((*CARDS, UNION, FOREIGN)), max_size=4),
    st.sampled_from(("complete",) * 12 + ("incomplete", "incomplete", "failed", "lost")),
)
steady = st.builds(  # runs of one reading, as cards lie
    lambda one, times: [one] * times, step, st.integers(min_value=1, max_value=12)
)
script = st.lists(steady, max_size=25).map(lambda runs: [one for run in runs for one in run])


def play(steps: list[Step], pause: float) -> list[tuple[float, Step, list[Output]]]:
    presence = Presence(
        ZONES, start=0.0, neighbours=rows(ZONES), registered=frozenset(CARDS).__contains__
    )
    history = []
    for number, (zone, tags, how) in enumerate(steps, 1):
        t = round(number * pause, 6)
        out = presence.check(t)
        match how:
            case "lost":
                out += presence.lost(zone, t)
            case "failed":
                presence.failed(zone, t)
            case _:
                out += presence.scan(zone, t, tags, complete=how == "complete")
        history.append((t, (zone, tags, how), out))
    return history


@settings(max_examples=150, deadline=None)
@given(script, st.sampled_from((0.03, 0.12, 0.4)))
def test_nothing_is_invented(steps: list[Step], pause: float) -> None:
    history = play(steps, pause)
    read = {
        (zone, tag, t)
        for t, (zone, tags, how), _ in history
        if how in ("complete", "incomplete")
        for tag in tags
    }
    here: set[tuple[str, str]] = set()
    lost: set[str] = set()
    for now, _, out in history:
        for value in out:
            match value:
                case Reader():
                    assert (value.status == "lost") == (value.zone not in lost)
                    lost ^= {value.zone}
                case Seen():
                    assert (value.zone, value.tag, value.t) in read
                    hits = [
                        t for zone, tag, t in read
                        if (zone, tag) == (value.zone, value.tag) and value.t <= t <= now
                    ]  # fmt: skip
                    assert len(hits) >= LIMITS.hits_to_arrive or _moved(value, out)
                    assert (value.zone, value.tag) not in here
                    here.add((value.zone, value.tag))
                case Gone():
                    here.remove((value.zone, value.tag))
        for one, other in pairwise(ZONES):
            both = {tag for zone, tag in here if zone == one} & {
                tag for zone, tag in here if zone == other
            }
            assert not both or lost & {one, other}


def _moved(seen: Seen, out: list[Output]) -> bool:
    return any(isinstance(value, Gone) and value.tag == seen.tag for value in out)


@settings(max_examples=150, deadline=None)
@given(script, st.sampled_from((0.03, 0.12, 0.4)))
def test_nothing_leaves_before_its_time(steps: list[Step], pause: float) -> None:
    """Three complete scans and 0.8 s, less one cycle: the last hit need not have been reported."""
    history = play(steps, pause)
    back: dict[str, float] = {}
    for number, (now, _, out) in enumerate(history):
        for value in out:
            if isinstance(value, Reader) and value.status == "ok":
                back[value.zone] = now
            if not isinstance(value, Gone) or back.get(value.zone) == now:
                continue
            if any(isinstance(v, Seen) and v.tag == value.tag for v in out):
                continue
            misses = 0
            last = back.get(value.zone, -1.0)
            for t, (zone, tags, how), _ in reversed(history[: number + 1]):
                if zone != value.zone or how not in ("complete", "incomplete"):
                    continue
                if value.tag in tags:
                    last = max(last, t)
                    break
                misses += how == "complete"
            assert misses >= 1
            assert now - last >= LIMITS.absent_s - 1e-9


@settings(max_examples=100, deadline=None)
@given(script, st.sampled_from(CARDS), st.sampled_from(ZONES))
def test_what_lies_alone_and_is_read_is_seen_and_what_left_is_gone(
    steps: list[Step], tag: str, zone: str
) -> None:
    """Whatever came before."""
    nothing: frozenset[str] = frozenset()
    quiet: list[Step] = [(name, nothing, "complete") for name in ZONES] * 20
    lies: list[Step] = [
        (name, frozenset({tag} if name == zone else ()), "complete") for name in ZONES
    ] * 4
    history = play([*steps, *quiet, *lies], CYCLE / 3)
    here: set[tuple[str, str]] = set()
    for number, (_, _, out) in enumerate(history):
        for value in out:
            if isinstance(value, Seen):
                here.add((value.zone, value.tag))
            elif isinstance(value, Gone):
                here.remove((value.zone, value.tag))
        if number == len(steps) + len(quiet) - 1:
            assert not here
    assert here == {(zone, tag)}
