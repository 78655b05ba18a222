"""A small tournament in a browser, from the first entry to the last prize: two tables deal, also
hand for hand, become a final table, and what is paid in is paid out."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.broker.own import find_mosquitto
from controller.contract.events import Blinds
from controller.library.books import Library
from controller.room.structure import Entry, Structure
from controller.room.view import RoomView
from tests.web.chromium import CHROMIUM
from tests.web.dealing_hall import dealing_hall
from tests.web.dealing_table import DealingTable
from tests.web.desk_page import field
from tests.web.hall import Hall
from tests.web.players_page import answers, row

TABLES = ("T1", "T2")
STACK = 10_000
NIGHT = Structure("night", (Entry(3_600_000, Blinds(100, 200)),), stack=STACK)

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or not CHROMIUM.exists(), reason="mosquitto or chromium not installed"
)


class Evening:
    """The room, its tables, and the pages of its director."""

    def __init__(self, hall: Hall, tables: dict[str, DealingTable], page: Page) -> None:
        self.hall = hall
        self.tables = tables
        self.page = page

    @property
    def view(self) -> RoomView:
        return self.hall.room.view()

    @property
    def left(self) -> int | None:
        return self.view.tournament.players_left

    def told(self) -> None:
        """The tables have what the register has."""
        states = {"pending", "taken"}
        playing = {at.table for at in self.view.register.by_seat}
        self.hall.until(
            lambda: {s.state for s in self.view.seating if s.table in playing} <= states
        )

    def hand(self, table: str, *all_in: int) -> None:
        self.told()
        self.hall.until(lambda: self.tables[table].view.is_open)
        self.hall.get(lambda: self.tables[table].deals(all_in))

    def loses(self, table: str) -> str:
        """Two go all in until one of them has nothing left, and his dealer says so."""
        before = self.left
        while not self.tables[table].view.broke:
            view = self.tables[table].view
            chips = {one.seat: one.chips or 0 for one in view.stacks or ()}
            few, many = sorted(chips, key=lambda seat: (chips[seat], seat))[:2]
            self.hand(table, many, few)  # the first of them has the aces
        seat = self.tables[table].view.broke[0]
        players = self.view.register.by_seat.items()
        name = next(p.name for at, p in players if (at.table, at.seat) == (table, seat))
        self.hall.get(self.tables[table].says_out)
        if self.view.together is None:
            self.hall.until(lambda: self.left == (before or 0) - 1)
        return name

    def post(self, name: str, **fields: object) -> None:
        self.hall.get(lambda: self.hall.room.act(name, {"actor": "Dora", **fields}))


@pytest.fixture
def evening(browser: Browser, library: Library) -> Iterator[Evening]:
    with dealing_hall(browser, library, NIGHT, TABLES) as (hall, tables, page):
        yield Evening(hall, tables, page)


def test_from_the_first_entry_to_the_last_prize(evening: Evening, tmp_path: Path) -> None:
    page, hall = evening.page, evening.hall

    # Eight enter, seven have paid; two tables of five, and the seats are drawn.
    names = [f"Player {n}" for n in range(1, 9)]
    file = tmp_path / "entries.csv"
    file.write_text(
        "name,paid\n" + "".join(f"{n},{'no' if n == names[7] else 'yes'}\n" for n in names)
    )
    page.get_by_test_id("import").click()
    page.set_input_files("dialog input[type=file]", file)
    page.get_by_test_id("import-do").click()
    answers(page, "8 players imported")
    page.get_by_test_id("tables").click()
    field(page, "tables").fill("T1 5\nT2 5")
    page.get_by_test_id("tables-save").click()
    page.get_by_test_id("draw").click()
    page.get_by_test_id("draw-do").click()
    expect(page.get_by_test_id("unseated")).to_have_text("0")

    # 20 each: the purse is 160, of which three places are paid.
    page.goto(f"{hall.url}money")
    page.get_by_test_id("ask-prices").click()
    field(page, "buy_in").fill("20")
    field(page, "currency").fill("€")
    page.get_by_test_id("prices-save").click()
    answers(page, "Prices saved")
    expect(page.get_by_test_id("purse")).to_have_text("€160")
    expect(page.get_by_test_id("owed")).to_have_text("€20")
    page.locator("#owing li").get_by_role("button").click()
    expect(page.get_by_test_id("owed")).to_have_text("€0")
    prizes = page.locator("#lines td.amount")
    expect(prizes).to_have_count(3)

    evening.post("start")
    page.goto(f"{hall.url}players")
    for table in TABLES:
        evening.hand(table)
    hall.until(lambda: {s.state for s in evening.view.seating} == {"taken"})

    # One is out at each table in a hand that both play, and who is out is placed as at one table.
    page.get_by_test_id("together").click()
    page.get_by_test_id("together-do").click()
    expect(page.get_by_test_id("round")).to_contain_text("Hand for hand, hand")
    for table in TABLES:
        hall.until(lambda table=table: evening.tables[table].view.is_open)  # type: ignore[misc]
    began = {name: evening.tables[name].view.hand for name in TABLES}
    for table in TABLES:
        chips = evening.tables[table].view.stacks or ()
        same = next(
            (one.seat, other.seat)
            for one, other in itertools.permutations(chips, 2)
            if (one.chips or 0) >= (other.chips or 0)
        )
        evening.hand(table, *same)
        assert evening.tables[table].view.hand == began[table] + 1
        hall.get(evening.tables[table].says_out)
    hall.until(lambda: evening.left == 6)
    places = sorted(one.place for one in evening.view.finishes)
    assert places in ([7, 8], [7, 7]), "by their stacks, as the book is silent"
    page.get_by_test_id("round").get_by_role("button", name="End hand for hand").click()
    answers(page, "Each table plays on by itself")

    # One more, and five have room at one table: all are redrawn for the final table.
    evening.loses("T1")
    line = page.get_by_test_id("moves").locator("li", has_text="all seats are redrawn")
    line.get_by_role("button", name="Draw…").click()
    field(page, "seed").fill("1234")
    page.get_by_test_id("redraw-do").click()
    answers(page, "Players drawn: 5, with the seed 1234")
    coming = [p for p in evening.view.register.players if p.coming]
    assert coming
    assert {p.came.table for p in coming if p.came} == {"T2"}
    hall.until(lambda: not evening.tables["T1"].view.is_open)
    for player in coming[1:]:
        assert player.at is not None
        seat, name = player.at.seat, player.name
        hall.get(lambda s=seat, n=name: evening.tables["T1"].says_here(s, n))  # type: ignore[misc]
    on_the_way = page.get_by_test_id("moves").locator("li", has_text="is on the way")
    expect(on_the_way).to_have_count(1)
    on_the_way.get_by_role("button", name="Arrived").click()
    page.get_by_role("button", name="Draw for it").click()
    answers(page, "T1: the button is at seat")
    button = evening.view.register.buttons[-1].seat
    evening.told()
    evening.hand("T1")
    assert evening.tables["T1"].view.button == button
    dealt = {each.seat for each in evening.tables["T1"].view.seats}
    assert dealt == {at.seat for at in evening.view.register.by_seat}

    # Until one has all the chips.
    while (evening.left or 0) > 1:
        evening.loses("T1")
    (winner,) = [p for p in evening.view.register.players if p.status != "out"]
    hall.until(lambda: evening.view.state == "ended")
    left = [one.chips for one in evening.tables["T1"].view.stacks or ()]
    assert left == [8 * STACK]
    expect(row(page, winner.name)).to_be_visible()

    # Everybody is paid, and it is all of what came in.
    page.goto(f"{hall.url}money")
    lines = page.locator("#lines tbody tr")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text(winner.name)
    for number in range(3):
        lines.nth(number).get_by_role("button").click()
        answers(page, "has been paid")
    expect(page.get_by_test_id("paid-out")).to_have_text("€160")
    text = page.request.get(f"{hall.url}payouts.csv").text().lstrip("\ufeff")
    paid = list(csv.DictReader(io.StringIO(text)))
    assert sum(round(100 * float(one["amount"])) for one in paid) == 16_000
    assert {one["paid_by"] for one in paid} == {"Dora"}
    page.goto(f"{hall.url}screen")
    expect(page.locator("body")).to_contain_text(winner.name)
    assert [each.code for table in evening.tables.values() for each in table.findings] == []
