"""Piles beside a seat: read over several cycles, told as one set, and no seat kept waiting."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest

from firmware_bridge.flashing.form import values_of
from firmware_bridge.link.messages import SetScan
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.pico.sim.pace import Pace
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.wiring import SHIPPED
from firmware_bridge.trial import cycles
from firmware_bridge.trial.cycles import CASES, Case, Figures, measure, table
from tests.firmware_pico.host import Host, flawless
from tests.firmware_pico.test_pico_codec import run

PAGE_DIR = Path(__file__).parents[2] / "docs"
PAGE = (PAGE_DIR / "pico.md").read_text("utf-8")
BOARDS = PAGE_DIR.parent / "config" / "boards"
MUCK = {f"E00401500000{number * 0x137:04X}" for number in range(20)}
STUB = {f"E00401600000{number * 0x0A5:04X}" for number in range(30)}
SEAT = {"E004015000000001", "E004015000000012"}

# A chip whose inventory asks one mask in each visit and finds one tag by each; `more` are left.
SCHEDULER = """
import json, sys
import messages, scheduler, tally
given = json.load(sys.stdin)
now = [0]
def clock():
    now[0] += given["us"]
    return now[0]
class Chip:
    settle_us = 0
    piecemeal = True
    def __init__(self, tags): self.tags, self.lit, self.counts = tags, 0, tally.Counts()
    def kill(self): pass
    def start(self): yield
    def field_on(self): self.lit += 1; yield
    def field_off(self): yield
    def inventory(self, job, until):
        if job.masks is None: job.masks = list(range(self.tags))
        if job.masks: job.uids.add(job.masks.pop().to_bytes(2, "big"))
        yield
told = []
def report(zone, flags, t, uids, took): told.append([zone, flags, len(uids), t, took])
chips = [Chip(tags) for tags in given["tags"]]
readers = [scheduler.Reader("r", chip) for chip in chips]
scan = scheduler.Scheduler([(r, 0) for r in readers], (), clock, report, given["cycle"])
steps = scan.run()
while now[0] < given["until"]: next(steps)
print(json.dumps([told, [chip.lit for chip in chips], scan.slowest(), scan.slowest()]))
"""


class Scheduled(msgspec.Struct, array_like=True):
    """What was told (zone, flags, tags, time, how long it took), how often each was lit, and the
    slowest cycle, twice."""

    told: list[tuple[int, int, int, int, int]]
    lit: list[int]
    slowest: int
    again: int


def scheduled(
    micropython: str, tags: list[int], until: int, us: int = 100, cycle: int = 20
) -> Scheduled:
    given = {"tags": tags, "until": until, "us": us, "cycle": cycle}
    [line] = run(micropython, SCHEDULER, given)
    return msgspec.json.decode(line, type=Scheduled)


def test_a_pile_is_told_once_all_of_it_is_read_and_the_seat_in_every_cycle(
    micropython: str,
) -> None:
    ran = scheduled(micropython, [1, 7], 1_000_000)
    seat = [scan for scan in ran.told if scan[0] == 0]
    pile = [scan for scan in ran.told if scan[0] == 1]
    assert len(seat) > 30
    assert abs(len(pile) - len(seat) / 7) < 2
    assert {(flags, size) for _, flags, size, *_ in pile} == {(0, 7)}
    assert {(flags, size) for _, flags, size, *_ in seat} == {(0, 1)}
    assert abs(ran.lit[0] - ran.lit[1]) <= 1  # each antenna has one turn in a cycle
    assert 20_000 <= ran.slowest < 25_000
    assert ran.again < 20_000  # of the cycle that goes on
    assert all(6 * 20_000 < took < 7 * 25_000 for *_, took in pile)
    assert all(took < 20_000 for *_, took in seat)


def test_what_is_left_of_a_cycle_is_the_piles(micropython: str) -> None:
    ran = scheduled(micropython, [1, 7, 9], 1_000_000, cycle=100)
    assert 90_000 < ran.slowest < 101_000  # and not a moment more
    for zone, size in ((0, 1), (1, 7), (2, 9)):
        mine = [(flags, tags) for at, flags, tags, *_ in ran.told if at == zone]
        assert set(mine) == {(0, size)}
        assert 9 <= len(mine) <= 11  # once in each cycle, and not begun anew in its rest
    assert 9 <= ran.lit[0] <= 11


def test_a_pile_is_dated_at_its_last_visit_and_never_early(micropython: str) -> None:
    times = [t for *_, t, _ in scheduled(micropython, [7], 400_000).told]
    assert times[0] > 6 * 20_000
    assert all(b - a > 6 * 20_000 for a, b in pairwise(times))


def test_a_set_that_takes_too_long_is_told_in_parts_that_are_incomplete(micropython: str) -> None:
    told = scheduled(micropython, [150], 10_000_000, us=5000).told
    assert {flags for _, flags, *_ in told} == {1}
    sizes = [size for _, _, size, *_ in told]
    first = next(n for n in range(len(sizes)) if sum(sizes[: n + 1]) >= 150)
    assert sum(sizes[: first + 1]) == 150  # no tag is in two parts, and none is left out
    assert first >= 1
    times = [0, *(t for *_, t, _ in told)]
    assert all(b - a < 2_500_000 for a, b in pairwise(times))


def test_a_cycle_that_goes_on_counts_with_what_it_has_taken(micropython: str) -> None:
    slowest = scheduled(micropython, [0], 415_000, cycle=400).slowest  # the first had a start
    assert 10_000 < slowest <= 16_000


LEAVES = """
import json, sys
import inventory
job = inventory.Inventory(0)
job.uids = {bytes([int(pair, 16) for pair in uid]) for uid in json.load(sys.stdin)}
print(json.dumps(inventory.apart(job.found())))
"""


@pytest.mark.parametrize("count", [0, 1, 2, 9, 48])
def test_tags_that_are_known_are_asked_one_by_one_and_no_other_is_left_out(
    micropython: str, count: int
) -> None:
    dice = Random(count)
    uids = [dice.getrandbits(64) for _ in range(count)]
    given = [uid.to_bytes(8, "big").hex(" ").split() for uid in uids]
    [line] = run(micropython, LEAVES, given)
    masks = msgspec.json.decode(line, type=list[tuple[int, int]])

    def asked(uid: int) -> list[tuple[int, int]]:
        return [(bits, low) for bits, low in masks if (uid ^ low) & ((1 << bits) - 1) == 0]

    mine = [asked(uid) for uid in uids]
    assert [len(each) for each in mine] == [1] * count
    assert len({each[0] for each in mine}) == count
    assert {len(asked(dice.getrandbits(64))) for _ in range(200)} == {1}


def test_tags_that_end_alike_are_asked_together(micropython: str) -> None:
    given = [["E0", "04", "01", end, "AA", "12", "34", "56"] for end in ("01", "02")]
    assert run(micropython, LEAVES, given) == ["[[0, 0]]"]


def test_a_part_hands_on_what_was_known_before_it(micropython: str) -> None:
    source = """
import inventory
job = inventory.Inventory(0, {1})
job.uids.add(b"\\0\\0\\0b")
job.masks = [(1, 1)]
rest = job.rest(5)
print(rest.masks, rest.complete, sorted(rest.known), sorted(rest.uids), rest.began)
rest.uids.add(b"\\0\\0\\0c")
print(sorted(rest.found()), sorted(job.found()))
"""
    assert run(micropython, source) == [
        "[(1, 1)] False [] [] 5",
        "[98, 99] [98]",
    ]


@pytest.mark.usefixtures("micropython")
def test_real_piles_are_never_told_in_part() -> None:
    pico = SimulatedPico()
    for zone, tags in ((0, SEAT), (1, MUCK), (2, STUB)):
        for tag in tags:
            pico.air.place(zone, tag)
    with pico, Host(pico.port) as host:
        host.up()
        host.session.command(SetScan(0))
        lit = pico.air.energised

        def whole(zone: int) -> list[frozenset[str]]:
            """What was told as complete: on a machine that is slow a set may take too long."""
            scans = (scan for scan in host.got(ZoneScan) if scan.zone == zone)
            return [frozenset(scan.tags) for scan in scans if scan.complete]

        host.until(lambda: all(len(whole(zone)) > 2 for zone in range(3)) and lit[0] > 20)
        assert max(lit) - min(lit) <= 1
        assert [set(whole(zone)) for zone in range(3)] == [
            {frozenset(p)} for p in (SEAT, MUCK, STUB)
        ]
        gone = sorted(MUCK)[3]
        pico.air.take(1, gone)
        host.sees(1, *(MUCK - {gone}))
        flawless(pico)


# --- simulated time ---------------------------------------------------------------------------


ROW = re.compile(
    r"^\| ([^|]+) \| ([\d +]+) \| ([^|]*) ?\| (\d+) ms \| (\d+) ms \| (\d+) ms \|$", re.M
)


def row(board: str, *cards: int, **differs: int) -> Case:
    """The case of that board with these cards, as shipped but for what differs."""
    wanted = Case(board, cards, **differs)  # type: ignore[arg-type]
    [found] = [c for c in CASES if msgspec.structs.replace(c, neighbours=()) == wanted]
    return found


def told(case: Case) -> tuple[int, int, int]:
    """What the page says: the cycle, a whole set, and the same again, in milliseconds."""
    cards = " + ".join(map(str, case.cards))
    wanted = (case.board, cards, case.what_differs)
    [found] = [each[3:] for each in ROW.findall(PAGE) if (*each[:2], each[2].strip()) == wanted]
    cycle, whole, again = map(int, found)
    return cycle, whole, again


A, D, E = "A: three seats", "D: seat, muck, stub", "E: board and burn"
SEATS = row(A, 2, 2, 2)
BOARD = row(E, 1, 1, 1, 1, 1, 3)
PILES = [row(D, *cards, cycle_ms=280) for cards in ((2, 20, 30), (2, 10, 40), (2, 0, 48))]
ALONE = [row("muck and stub alone", *cards, visit_ms=0) for cards in ((20, 30), (0, 48))]


def test_the_table_of_cycles_on_the_page_has_all_cases_in_their_order() -> None:
    wanted = [(c.board, " + ".join(map(str, c.cards)), c.what_differs) for c in CASES]
    assert [(each[0], each[1], each[2].strip()) for each in ROW.findall(PAGE)] == wanted


# Each takes about a second. The others differ from one of these by the pins or the bus's speed.
@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize(
    "case",
    [row("one seat", 0), row("one seat", 2), SEATS, BOARD, *PILES, *ALONE],
    ids=lambda case: f"{case.board}, {case.cards}",
)
def test_the_page_says_what_the_simulator_yields(case: Case) -> None:
    assert table([measure(case)]).splitlines()[-1] in PAGE


def test_the_cycles_that_boards_are_set_to_are_those_that_they_need() -> None:
    def cycle_ms(board: str) -> int:
        given = tomllib.loads((BOARDS / f"{board}.toml").read_text("utf-8"))
        found: int = given.get("cycle_ms") or values_of(SHIPPED.read_text("utf-8"))["CYCLE_MS"]
        return found

    assert told(SEATS)[0] <= cycle_ms("A") < told(SEATS)[0] * 1.1
    assert told(BOARD)[0] <= cycle_ms("E") < told(BOARD)[0] * 1.1
    for case in PILES:
        assert case.cycle_ms == told(case)[0] == cycle_ms("D")  # piles do not make it longer
        assert told(case)[1] < 1500  # far from the 2.2 s after which a set is told in part


def test_the_guide_says_of_piles_what_the_table_says() -> None:
    guide = " ".join((PAGE_DIR / "build.md").read_text("utf-8").split())
    seat, pile = told(PILES[0])[0], max(told(case)[1] for case in PILES)
    again = max(told(case)[2] for case in PILES)
    alone, once = (max(told(case)[at] for case in ALONE) for at in (0, 1))
    assert (
        f"the seat is read every {seat / 1e3:.1f} s, a pile that is put down within "
        f"{pile / 1e3:.1f} s, and from then on every {again / 1e3:.1f} s"
    ) in guide
    assert f"up to {2 * again / 1e3:.1f} s ({2 * alone / 1e3:.1f} s) after it" in guide
    assert f"reads new ones within {once / 1e3:.1f} s, and every {alone / 1e3:.1f} s" in guide


@pytest.mark.usefixtures("micropython")
def test_everything_that_takes_time_is_charged() -> None:
    def cycle(case: Case, pace: Pace | None = None) -> Figures:
        return measure(case, pace)

    seat = Case("a seat", (2,))
    as_shipped = cycle(seat).cycle_ms
    assert cycle(msgspec.structs.replace(seat, spi_hz=250_000)).cycle_ms > as_shipped + 5
    assert cycle(seat, Pace(call_us=30)).cycle_ms > as_shipped + 5
    # On the air alone: two requests' and two answers' worth, and 14 slots of silence.
    assert cycle(seat, Pace(10, 10)).set_ms > 1.6 + 2 * 4.2 + 14 * 1.0


def test_the_command_says_what_boards_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cycles.main(["--board", "Z"]) == 2
    assert "no board 'Z'; there are: one seat, A: three seats" in capsys.readouterr().err
