"""Chips leave play: when, at which tables, and what that makes of the stacks and the totals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.contract.events import Blinds
from controller.contract.messages import Racing, SeatsCommand
from controller.room.acts import ActError
from controller.room.races import Due, due
from controller.room.store import RoomStore
from controller.room.structure import Entry, Structure, load_structure, smallest_chip
from controller.rules.chip_race import ChipRace
from controller.rules.tournament_rules import TournamentRules
from tests.room.evening import MINUTE, Hall, Machine
from tests.room.told_tables import TEN, Tables

UK = ChipRace(cites=("UK-22A",), broke="more", most=1)
CHIPS = Structure(
    "chips",
    (
        Entry(MINUTE, Blinds(25, 50)),
        Entry(MINUTE, Blinds(100, 200)),
        Entry(MINUTE, None, (25,)),
        Entry(MINUTE, Blinds(200, 400)),
        Entry(MINUTE, Blinds(500, 1000)),
        Entry(MINUTE, None),
        Entry(MINUTE, Blinds(1000, 2000), (100,)),
    ),
    stack=10_000,
    chips=(25, 100, 500, 1000),
)
STACKS = {1: 9_075, 2: 11_050, 6: 75}
"""Ann has three odd 25s, Bob two, and Cy has nothing but three."""


@pytest.fixture
def hall() -> Hall:
    """Ann, Bob and Cy at T1, Dee at T2; the first break runs, and T1 has played its hand."""
    hall = Hall(structure=CHIPS, rules=lambda _: TournamentRules(race=UK))
    hall.room.link(True)
    hall.act("tables", tables=TEN)
    at = {"Ann": ("T1", 1), "Bob": ("T1", 2), "Cy": ("T1", 6), "Dee": ("T2", 1)}
    for name, (table, seat) in at.items():
        hall.act("enter", name=name, table=table, seat=seat)
    return hall


@pytest.fixture
def tables(hall: Hall) -> Tables:
    tables = Tables(hall)
    for table in ("T1", "T2"):
        hall.table(table)
        tables.shows(table, 0, {}, phase="complete")
    hall.act("start")
    hall.act("go", index=2)
    tables.takes("T1")
    tables.takes("T2")
    tables.shows("T1", 5, STACKS)
    tables.shows("T1", 5, STACKS, phase="complete")
    tables.shows("T2", 5, {1: 10_000}, phase="complete")
    hall.passes(1_000)
    return tables


def raced(
    *seats: tuple[int, int, str], only: tuple[int, ...] = (6,), **more: object
) -> dict[str, Any]:
    """Seats with their odd chips and cards."""
    at = [
        {"seat": seat, "chips": chips, "cards": cards.split(), "only": seat in only}
        for seat, chips, cards in seats
    ]
    return {"table": "T1", "chip": 25, "seats": at, **more}


WON_BY_ANN = raced((1, 3, "As 3c 2c"), (2, 2, "Kh Kd"), (6, 3, "Qh Jh 2d"))
"""Eight 25s are two 100s: Ann's and Bob's. Cy has lost his last chips, and gets one more."""


def taken(hall: Hall, tables: Tables, shown: dict[int, int] = STACKS) -> dict[int, int | None]:
    """The stacks that T1, which has `shown` its, is told now and takes and shows, by seat."""
    before = {command.id for _, command in hall.commands("seats")}
    hall.passes(1_000)
    found: dict[int, int | None] = {}
    for table, command in hall.commands("seats"):
        if table == "T1" and command.id not in before:
            assert isinstance(command, SeatsCommand)
            found |= {each.seat: each.stack for each in command.seats}
            hall.answers(command)
    now = {seat: stack for seat, stack in found.items() if stack is not None}
    tables.shows("T1", 5, shown | now, phase="complete")
    return found


def totals(hall: Hall) -> tuple[int | None, int | None]:
    told = hall.room.view().tournament
    return told.chips, told.average_stack


@pytest.mark.parametrize(
    ("index", "found"),
    [
        (0, ()),
        (1, ()),
        (2, (Due(25, 100),)),
        (3, (Due(25, 100),)),
        (5, (Due(100, 500),)),
        (6, (Due(100, 500),)),
    ],
)
def test_chips_go_on_their_break_and_are_to_do_until_the_next(
    index: int, found: tuple[Due, ...]
) -> None:
    """Those of a level that begins as a break ends go on that break."""
    assert due(CHIPS, index) == found


def test_of_two_chips_that_go_at_once_the_smaller_one_goes_first() -> None:
    """25s become 100s, and all 100s then 500s."""
    at_once = Structure(
        "",
        (
            Entry(MINUTE, Blinds(25, 50)),
            Entry(MINUTE, None, (100, 25)),
            Entry(MINUTE, Blinds(500, 500)),
        ),
        chips=(25, 100, 500),
    )
    assert due(at_once, 1) == (Due(25, 100), Due(100, 500))


def test_while_smaller_chips_stay_larger_ones_are_no_matter_of_a_race() -> None:
    """UK-22C: what has an equal value in play is exchanged for that."""
    odd = Structure(
        "", (Entry(MINUTE, Blinds(5, 10)), Entry(MINUTE, None, (10,))), chips=(5, 10, 25)
    )
    assert due(odd, 1) == ()


def test_a_race_reaches_the_stacks_and_the_totals(hall: Hall, tables: Tables) -> None:
    """UK-22A, TDA24-24A1, TDA24-24A2: 200 went as two chips, and Cy's chip is 100 more."""
    assert totals(hall) == (40_000, 10_000)
    hall.act("race", **WON_BY_ANN)
    assert taken(hall, tables) == {1: 9_100, 2: 11_100, 6: 100}
    assert taken(hall, tables) == {}, "once is enough"
    assert totals(hall) == (40_100, 10_025)
    (table,) = hall.room.view().races.tables
    assert (table.chips, table.cites, table.difference) == (2, ("UK-22A",), 100)
    assert [(s.name, s.won, s.kept, s.before, s.after) for s in table.seats] == [
        ("Ann", 1, False, 75, 100),
        ("Bob", 1, False, 50, 100),
        ("Cy", 0, True, 75, 100),
    ]


def test_a_race_that_was_taken_back_is_taken_off_again(hall: Hall, tables: Tables) -> None:
    hall.act("race", **WON_BY_ANN)
    taken(hall, tables)
    hall.act("unrace", id=1)
    assert taken(hall, tables) == STACKS
    assert totals(hall) == (40_000, 10_000)
    with pytest.raises(ActError, match="taken back already"):
        hall.act("unrace", id=1)


def test_a_race_survives_a_restart(tmp_path: Path) -> None:
    machine, file = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, structure=CHIPS, store=RoomStore.open(file))
    first.act("tables", tables=TEN)
    first.act("enter", name="Ann", table="T1", seat=1)
    first.act("start")
    first.act("go", index=2)
    first.act("race", **raced((1, 3, "As Ks Qs")))
    before = first.room.view()
    first.room.close()
    again = Hall(machine, structure=CHIPS, store=RoomStore.open(file))
    after = again.room.view()
    assert before.races.tables != ()
    assert (after.races, after.to_race) == (before.races, before.to_race)
    assert after.tournament.chips == before.tournament.chips == 10_025
    again.room.close()


@pytest.mark.usefixtures("tables")
def test_what_was_raced_is_gone_in_the_next_tournament(hall: Hall) -> None:
    hall.act("race", **WON_BY_ANN)
    hall.act("pause")
    hall.act("reset")
    assert hall.room.view().races.tables == ()
    assert totals(hall) == (40_000, 10_000)


@pytest.mark.usefixtures("tables")
def test_who_won_is_enough(hall: Hall) -> None:
    hall.act("race", **raced((1, 3, ""), (2, 2, ""), (6, 3, ""), won=[6, 2]))
    (table,) = hall.room.view().races.tables
    assert [each.won for each in table.seats] == [0, 1, 1]


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({**WON_BY_ANN, "chip": 100}, "chips of 100 are not to be raced now"),
        ({**WON_BY_ANN, "table": "T9"}, "there is no table T9"),
        (raced((3, 1, "As")), "nobody sits at table T1, seat 3"),
        (raced((1, 3, "As"), (2, 0, "")), "seat 1 has 3 odd chips, and 1 cards"),
        (
            raced(
                (1, 2, "As 1s"),
            ),
            "1s is no card",
        ),
    ],
)
def test_what_cannot_be_so_is_refused(hall: Hall, fields: dict[str, Any], told: str) -> None:
    with pytest.raises(ActError, match=told):
        hall.act("race", **fields)
    assert hall.room.view().races.tables == ()


@pytest.mark.usefixtures("tables")
def test_a_table_races_once(hall: Hall) -> None:
    assert hall.room.view().to_race == (Due(25, 100, ("T1", "T2")),)
    hall.act("race", **WON_BY_ANN)
    assert hall.room.view().to_race == (Due(25, 100, ("T2",)),)
    with pytest.raises(ActError, match="T1 has raced its chips of 25 already"):
        hall.act("race", **WON_BY_ANN)


@pytest.mark.usefixtures("tables")
def test_everybody_is_told_which_tables_race_now(hall: Hall) -> None:
    """On the break, and no longer: what is still to do then is the floor's to see."""
    assert hall.room.view().tournament.racing == (Racing(25, 100, ("T1", "T2")),)
    hall.act("race", **WON_BY_ANN)
    assert hall.room.view().tournament.racing == (Racing(25, 100, ("T2",)),)
    hall.passes(MINUTE)
    assert hall.room.view().tournament.racing == ()
    assert hall.room.view().to_race == (Due(25, 100, ("T2",)),)


# --- at discretion ---


def test_the_director_colours_up_on_the_next_break_and_all_are_told(hall: Hall) -> None:
    """UK-23B: at discretion, and announced."""
    hall.act("start")
    hall.act("go", index=3)
    assert hall.room.view().tournament.race_off == (100,), "as the schedule has it"
    hall.act("colour-up", chip=100, when="break")
    assert hall.room.view().entries[5].race_off == (100,)
    hall.passes(2 * MINUTE)
    assert hall.room.view().tournament.racing == (Racing(100, 500, ("T1", "T2")),)
    hall.act("colour-up", chip=100, when="now", ends=True)
    assert hall.room.view().entries[5].race_off == ()


def test_the_director_colours_up_at_once_and_all_are_told(hall: Hall) -> None:
    """UK-23B. The smallest chip in play is then another one, also for odd chips of a pot."""
    hall.act("start")
    hall.act("go", index=1)
    assert hall.room.view().tournament.racing == ()
    hall.act("colour-up", chip=25, when="now")
    assert hall.room.view().tournament.racing == (Racing(25, 100, ("T1", "T2"), on_break=False),)
    assert smallest_chip(hall.room.view().schedule, 1) == 100
    hall.act("colour-up", chip=25, when="now", ends=True)
    assert hall.room.view().tournament.racing == ()


def test_what_is_called_for_at_once_is_told_also_in_a_level_after_a_break() -> None:
    """UK-23B: what goes in such a level by the schedule was raced on its break."""
    entries = (
        Entry(MINUTE, Blinds(25, 50)),
        Entry(MINUTE, None),
        Entry(MINUTE, Blinds(100, 200), (25,)),
        Entry(MINUTE, None),
        Entry(MINUTE, Blinds(500, 1000)),
    )
    hall = Hall(structure=Structure("", entries, 10_000, (25, 100, 500)))
    hall.act("tables", tables=TEN)
    hall.act("enter", name="Ann", table="T1", seat=1)
    hall.act("start")
    hall.act("go", index=2)
    assert hall.room.view().tournament.racing == ()
    hall.act("go", index=4)
    hall.act("colour-up", chip=100, when="now")
    assert hall.room.view().tournament.racing == (Racing(100, 500, ("T1",), on_break=False),)


@pytest.mark.parametrize(
    ("index", "fields", "told"),
    [
        (0, {"chip": 25, "when": "now"}, "25 can't be paid, the smallest chip in play is 100"),
        (0, {"chip": 30}, "chips of 30 are not in play"),
        (1, {"chip": 100, "when": "now"}, "smaller chips stay: first those of 25 go"),
        (6, {"chip": 500}, "no break comes any more"),
        (1, {"chip": 25, "when": "now", "ends": True}, "chips of 25 do not go then"),
    ],
)
def test_chips_that_are_needed_stay(
    hall: Hall, index: int, fields: dict[str, Any], told: str
) -> None:
    """RR7-T-10: a chip goes when the blinds and antes need it no more."""
    hall.act("start")
    hall.act("go", index=index)
    with pytest.raises(ActError, match=told):
        hall.act("colour-up", **fields)


# --- the home game ---

HOME = load_structure(Path(__file__).parents[2] / "config/blinds/home-t1000.toml")


def test_a_level_without_a_break_before_it_has_its_own_race() -> None:
    """RR7-T-10: the 5s go as 25/50 begins, which needs none of them."""
    hall = Hall(structure=HOME)
    hall.act("tables", tables=TEN)
    hall.act("enter", name="Ann", table="T1", seat=1)
    hall.act("start")
    for index, racing in enumerate([(), (), (), (Racing(5, 25, ("T1",), on_break=False),), ()]):
        hall.act("go", index=index)
        assert hall.room.view().tournament.racing == racing


STACKS_OF_1000 = {"A": (20, 16, 5), "B": (15, 13, 6), "C": (10, 10, 7)}
"""HPT-TBL-STACKS: how many red, green and black chips each player gets."""
RED, GREEN, BLACK, PURPLE, YELLOW = 5, 25, 100, 500, 1_000
"""HPT-TBL-CHIPVAL; the white 1 is in no stack."""


@pytest.mark.parametrize("stack", STACKS_OF_1000.values(), ids=STACKS_OF_1000)
def test_the_stacks_of_the_home_game_are_made_of_its_chips(stack: tuple[int, int, int]) -> None:
    """HPT-TBL-CHIPVAL, HPT-TBL-STACKS: three ways to a thousand."""
    assert HOME.chips == (RED, GREEN, BLACK, PURPLE, YELLOW)
    reds, greens, blacks = stack
    assert reds * RED + greens * GREEN + blacks * BLACK == HOME.stack == 1_000


@pytest.mark.parametrize("stack", STACKS_OF_1000.values(), ids=STACKS_OF_1000)
def test_an_untouched_stack_of_the_home_game_has_no_odd_chip(stack: tuple[int, int, int]) -> None:
    """HPT-TBL-STACKS: its reds are full sets, and its greens with those that come for them."""
    (reds_go,), (greens_go,) = due(HOME, 3), due(HOME, 8)
    assert (reds_go.goes, reds_go.into) == (RED, GREEN)
    assert (greens_go.goes, greens_go.into) == (GREEN, BLACK)
    reds, greens, _ = stack
    assert reds_go.change.odd(reds) == 0
    assert greens_go.change.odd(greens + reds // reds_go.change.full_set) == 0


def test_the_chips_bought_for_ten_players_are_enough_to_change_all_reds() -> None:
    """HPT-TBL-SET10: 200 reds and 160 greens are in play, and 200 greens were bought."""
    (reds_go,) = due(HOME, 3)
    assert 10 * 20 // reds_go.change.full_set == 200 - 10 * 16


def test_chips_of_the_home_game_go_when_no_blind_needs_them() -> None:
    """RR7-T-10, HPT-TBL-BLINDS: 5s after 20/40, 25s after 150/300, 100s after 800/1,600."""
    goes = {each.race_off: HOME.entries[n - 1].blinds for n, each in enumerate(HOME.entries)}
    last = {off: (b.small, b.big) for off, b in goes.items() if off and b is not None}
    assert last == {(5,): (20, 40), (25,): (150, 300), (100,): (800, 1_600)}
