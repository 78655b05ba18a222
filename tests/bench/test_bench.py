"""The command `./run bench`."""

from __future__ import annotations

from itertools import count
from xml.etree import ElementTree

import msgspec
import pytest

from controller.contract.events import Closed, Event, Finding, Phase, Result
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.bench import blinds, drawing, history, late, memory, screen, speed, truth, wall, wires
from tests.bench.__main__ import main
from tests.bench.evening import Evening
from tests.bench.figures import Figure, table

UNITS = ("MiB", "s", "%", "ms")


@pytest.mark.parametrize(
    "arguments", [["--hands", "many"], ["--rounds", "-1"], ["--bogus"], ["x"], ["engine", "x"]]
)
def test_a_mistake_is_told_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("run bench: ")


def test_speed_is_told_beside_its_target(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["engine", "--rounds", "1", "--json"])
    told = msgspec.json.decode(capsys.readouterr().out)
    pokerkit, engine, share, _, _, means, parsed, replayed, replay = told["figures"]
    assert engine["target"] == pytest.approx(pokerkit["measured"] / 5)
    assert share["measured"] == pytest.approx(engine["measured"] / pokerkit["measured"])
    assert replay["measured"] == pytest.approx(replayed["measured"] / parsed["measured"])
    reached = all(each["measured"] <= each["target"] for each in (share, means, replay))
    assert status == (0 if reached else 1)
    assert "CPython" in told["machine"]


def test_the_bridge_is_measured_beside_a_bare_read() -> None:
    bare, whole, ratio, share = wires.measure(1, presses=30, seconds=0.5)
    assert bare.measured > 0
    assert ratio.measured == pytest.approx(whole.measured / bare.measured)
    # The devices are processes of their own; five reads of twelve zones a second are not nothing.
    assert share.measured > 0


def test_from_the_wire_to_the_room_is_measured_beside_what_it_takes_at_least() -> None:
    *least, whole, ratio, _, _, _ = (figures := wall.measure(1, hands=1, times=20))[:8]
    assert ratio.measured == pytest.approx(whole.measured / sum(each.measured for each in least))
    worst = [each.measured for each in figures[8:]]
    assert worst == sorted(worst, reverse=True)
    assert worst[0] >= whole.measured > 0
    assert all(" µs more than usual" in each.what for each in figures[8:])


def test_of_the_latest_presses_the_cause_is_told() -> None:
    usual = [late.Press(0.001, 0.0006, 0.0001)] * 20
    found = late.worst(
        [
            *usual,
            late.Press(0.004, 0.0006, 0.003),
            late.Press(0.003, 0.0026, 0.0001),
            late.Press(0.002, 0.0006, 0.0001),
        ]
    )
    assert [each.what for each in found[:3]] == [
        "… 1. worst: no processor was free, 2900 µs more than usual",
        "… 2. worst: more to compute, 2000 µs more than usual",
        "… 3. worst: disk, or the way between processes, 1000 µs more than usual",
    ]
    assert len(found) == late.WORST


@pytest.mark.skipif(bool(history.missing()), reason="PostgreSQL is not installed")
def test_searches_of_both_databases_are_told_by_the_slowest() -> None:
    told: list[str] = []
    figures = history.measure(3_000, postgres=True, store=None, say=told.append)
    slowest = [each for each in figures if "slowest" in each.what]
    assert [each.what.split(",")[0] for each in slowest] == ["SQLite"] * 2 + ["PostgreSQL"] * 2
    assert all(each.target == history.MOST_MS and each.measured > 0 for each in slowest)
    assert any("text that is nowhere" in line for line in told)


@pytest.mark.skipif(bool(blinds.missing()), reason="Chromium is not installed")
def test_the_blinds_screen_is_measured_with_all_of_its_browser() -> None:
    (figure,) = blinds.measure(1, seconds=1.0, started_s=2.0)
    assert figure.measured > 0.1


@pytest.mark.skipif(bool(screen.missing()), reason="Xvfb is not installed")
def test_screen_and_table_are_measured_as_processes() -> None:
    figures = screen.measure(1, seconds=0.5, events=10)
    by_unit = {unit: [one.measured for one in figures if one.unit == unit] for unit in UNITS}
    assert all(15 < mib < 200 for mib in by_unit["MiB"])
    # How fast it is, is the benchmark's to say: this machine may be busy.
    assert all(seconds > 0.05 for seconds in by_unit["s"])
    assert all(percent > 0 for percent in by_unit["%"])
    assert all(ms > 0.1 for ms in by_unit["ms"])
    assert len(figures) == sum(map(len, by_unit.values())) == 10


def test_a_figure_is_per_observation_and_per_operation(library: Library) -> None:
    """With a clock that ticks once a look, an observation takes 1 s and a whole hand, of some
    twenty operations, too."""
    seconds = count()
    pokerkit, engine, *_ = speed.measure(library, 1, lambda: float(next(seconds)))
    assert engine.measured == 1e6
    assert 1e6 / 100 < pokerkit.measured < 1e6 / 10


def test_a_target_that_was_missed_is_told() -> None:
    lines = table([Figure("a", 3.0, "s", 2.0), Figure("b", 1.0, "s", 2.0), Figure("c", 1000, "s")])
    assert [line.split("|")[-2].strip() for line in lines[2:]] == ["MISSED", "reached", ""]
    assert "3.00 s" in lines[2]
    assert "1,000 s" in lines[4]


def test_an_evening_has_all_kinds_of_hands(library: Library) -> None:
    engine = Engine(library.book)
    evening = Evening(seed=1)
    engine.observe(evening.table())
    told: list[Event] = []
    for number in range(100):
        for observation in evening.hand(number):
            evening.said = engine.observe(observation)
            told += evening.said
    results = [event for event in told if isinstance(event, Result)]
    assert len(results) == 98
    assert all(result.stacks for result in results)
    assert sum(event == Phase(event.t, event.hand, "misdeal") for event in told) == 2
    findings = [event.code for event in told if isinstance(event, Finding)]
    assert set(findings) == {"burn-missing"}
    assert len(findings) == sum(isinstance(event, Closed) for event in told)


def test_what_is_kept_of_every_hand_is_noticed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Event] = []
    observe = Engine.observe

    def keep(engine: Engine, observation: object) -> list[Event]:
        events = observe(engine, observation)  # type: ignore[arg-type]
        kept.extend(events)
        return events

    monkeypatch.setattr(memory, "TRACED", 20)
    monkeypatch.setattr(Engine, "observe", keep)
    figures = memory.measure(library, 2, lambda _: None)
    assert not figures[0].reached
    assert [figure.unit for figure in figures] == ["bytes", "MiB", "KiB"]


def test_what_is_claimed_asked_and_missed_is_drawn(library: Library) -> None:
    """Four panels of three lines, every point on its line."""
    curves = truth.measure(library, 1, hands=8)
    assert [len(curve.points) for curve in curves] == [5, 5, 5, 4]
    assert all(curve.points[0].claims == 0 for curve in curves)
    picture = ElementTree.fromstring(drawing.svg(curves))  # noqa: S314 - our own
    names = {"svg": "http://www.w3.org/2000/svg"}
    panels = picture.findall("svg:g[@class='panel']", names)
    assert [panel[0].text for panel in panels] == [curve.title for curve in curves]
    for panel, curve in zip(panels, curves, strict=True):
        drawn = [line.attrib["points"].split() for line in panel.findall("svg:polyline", names)]
        assert [len(points) for points in drawn] == [len(curve.points)] * 3
    words = [text.text for text in picture.iter(f"{{{names['svg']}}}text")]
    assert {measure.words for measure in drawing.MEASURES} <= set(words)


def test_more_slips_are_further_right_and_worse_is_higher() -> None:
    points = (truth.Point(0, 0, 0, 0), truth.Point(0.1, 1, 40, 20))
    curve = truth.Curve("One & all", "of the cards", points)
    picture = ElementTree.fromstring(drawing.svg([curve]))  # noqa: S314 - our own
    lines = picture.findall(".//{*}g/{*}polyline")
    ends = [line.attrib["points"].split()[-1].split(",") for line in lines]
    missed, asked, claims = (float(y) for _, y in ends)
    assert asked < missed < claims < float(lines[0].attrib["points"].split()[0].split(",")[1])
    assert len({x for x, _ in ends}) == 1
