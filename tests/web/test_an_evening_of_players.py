"""An evening with eight tables that deal, in a browser: from a file of players to who is out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.broker.own import find_mosquitto
from controller.contract.events import Blinds
from controller.library.books import Library
from controller.room.register import Player
from controller.room.seat_draw import AtSeat
from controller.room.structure import Entry, Structure
from tests.web.chromium import CHROMIUM
from tests.web.dealing_hall import dealing_hall
from tests.web.dealing_table import DealingTable
from tests.web.desk_page import field
from tests.web.hall import Hall
from tests.web.players_page import answers, row, tapped

NAMES = [f"T{number}" for number in range(1, 9)]
NIGHT = Structure("night", (Entry(3_600_000, Blinds(100, 200)),), stack=10_000)

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or not CHROMIUM.exists(), reason="mosquitto or chromium not installed"
)


class Evening:
    """The room, its tables and the director's page."""

    def __init__(self, hall: Hall, tables: dict[str, DealingTable], page: Page) -> None:
        self.hall = hall
        self.tables = tables
        self.page = page

    def hand(self, *names: str, all_in: tuple[int, ...] = ()) -> None:
        for name in names or NAMES:
            self.hall.get(lambda name=name: self.tables[name].deals(all_in))  # type: ignore[misc]

    def state(self, player: str) -> str:
        return self.of(player).status

    def of(self, player: str) -> Player:
        register = self.hall.room.view().register
        return next(each for each in register.players if each.name == player)

    def sitting(self, table: str) -> list[int]:
        by_seat = self.hall.room.view().register.by_seat
        return sorted(at.seat for at in by_seat if at.table == table)

    def dealt(self, table: str) -> list[int]:
        return [each.seat for each in self.tables[table].view.seats if each.state != "out"]

    def at(self, player: str) -> AtSeat:
        at = self.of(player).at
        assert at is not None
        return at

    def equal(self, table: str) -> tuple[int, ...]:
        """Two seats with the same chips, at which the players are there: all in, who loses has no
        more."""
        view = self.tables[table].view
        chips = {each.seat: each.stack for each in view.seats if each.seat not in view.absent}
        pairs = itertools.combinations(chips, 2)
        return next(pair for pair in pairs if chips[pair[0]] == chips[pair[1]])

    def all_told(self) -> None:
        """The tables have what the register has, from their next hand on."""
        told = {"pending", "taken"}
        self.hall.until(lambda: {each.state for each in self.hall.room.view().seating} <= told)

    def all_taken(self, state: str = "taken") -> None:
        self.hall.until(lambda: {each.state for each in self.hall.room.view().seating} == {state})
        assert [each for each in self.hall.room.view().seating if each.differs] == []


@pytest.fixture
def evening(browser: Browser, library: Library) -> Iterator[Evening]:
    with dealing_hall(browser, library, NIGHT, NAMES) as (hall, tables, page):
        yield Evening(hall, tables, page)


def test_an_evening(evening: Evening, tmp_path: Path) -> None:
    page, hall = evening.page, evening.hall
    file = tmp_path / "entries.csv"
    file.write_text("name,paid\n" + "".join(f"Player {n:02},yes\n" for n in range(1, 71)))

    page.get_by_test_id("import").click()
    page.set_input_files("dialog input[type=file]", file)
    page.get_by_test_id("import-do").click()
    answers(page, "70 players imported")
    page.get_by_test_id("tables").click()
    expect(field(page, "tables")).to_have_value("\n".join(f"{name} 9" for name in NAMES))
    page.get_by_test_id("tables-save").click()
    expect(page.get_by_test_id("free")).to_have_text("72")
    page.get_by_test_id("draw").click()
    page.get_by_test_id("draw-do").click()
    expect(page.get_by_test_id("unseated")).to_have_text("0")
    evening.all_taken("pending")

    hall.get(lambda: hall.room.act("start", {"actor": "Dora"}))
    evening.hand()
    evening.all_taken()
    for name in NAMES:
        assert evening.dealt(name) == evening.sitting(name)

    # One comes late, one is away, one has a penalty.
    page.get_by_test_id("name").fill("Late Lee")
    page.keyboard.press("Enter")
    answers(page, "Late Lee entered")
    page.get_by_test_id("draw").click()
    page.get_by_test_id("draw-do").click()
    hall.until(lambda: evening.of("Late Lee").at is not None)
    late = evening.at("Late Lee")
    tapped(page, "Player 05", "absent")
    answers(page, "Player 05 is absent")
    tapped(page, "Player 06", "conduct")
    page.get_by_test_id("conduct-penalise").click()
    field(page, "unit").select_option("hands")
    page.get_by_test_id("penalise-do").click()
    answers(page, "Player 06 has a penalty")
    evening.all_told()
    evening.hand()
    hall.until(lambda: evening.state("Player 06") == "seated")
    for _ in range(8):
        evening.hand(late.table)
    hall.until(lambda: evening.state("Late Lee") == "seated")
    assert evening.state("Player 05") == "absent"
    away = evening.at("Player 05")
    assert away.seat in evening.dealt(away.table)

    # A table is cut off, and hears afterwards what has changed.
    cut = next(name for name in NAMES if name != late.table)
    gone = next(p for p in hall.room.view().register.players if p.at and p.at.table == cut)
    hall.get(evening.tables[cut].lost)
    hall.until(lambda: {e.table: e.state for e in hall.room.view().seating}[cut] == "away")
    tapped(page, gone.name, "stand")
    answers(page, f"{gone.name} has no seat now")
    hall.get(evening.tables[cut].ready)
    evening.all_told()
    evening.hand()
    evening.all_taken()
    assert evening.dealt(cut) == evening.sitting(cut)

    # Two are all in, and who has nothing left is out with one tap.
    before = hall.room.view().tournament.players_left
    evening.hand(cut, all_in=evening.equal(cut))
    told = page.get_by_test_id("proposed").locator("li").first
    expect(told).to_contain_text("has no chips")
    out = hall.room.view().proposed[0]
    assert (out.table, out.began is not None) == (cut, True)
    told.get_by_role("button", name="Out", exact=True).click()
    answers(page, f"{out.player} is out")
    expect(row(page, out.player)).to_contain_text("out, place")
    assert hall.room.view().tournament.players_left == (before or 0) - 1
    evening.all_told()
    evening.hand()
    evening.all_taken()

    # Of another the dealer says so at the table, and nobody at the desk has to.
    other = next(name for name in NAMES if name not in (cut, late.table))
    evening.hand(other, all_in=evening.equal(other))
    expect(told).to_contain_text("has no chips")
    gone_too = hall.room.view().proposed[0]
    hall.get(evening.tables[other].says_out)
    expect(row(page, gone_too.player)).to_contain_text("out, place")
    assert hall.room.view().tournament.players_left == (before or 0) - 2
    evening.all_told()
    evening.hand()
    evening.all_taken()
    assert [each.code for t in evening.tables.values() for each in t.findings] == []
