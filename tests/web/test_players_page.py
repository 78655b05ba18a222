"""The page of the players in a browser: typed, imported, drawn, looked for, seated, out, back."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from controller.room.seating import ProposedOut, SeatDiffers, TableSeating
from tests.waiting import wait_until
from tests.web.clockroom import ClockRoom
from tests.web.desk_page import field
from tests.web.players_page import (
    NAMES,
    answers,
    opened,
    register,
    row,
    rows,
    seat,
    seated,
    tapped,
    undo,
)

FILE = "Name;Tisch;Platz;Telefon\r\n" + "".join(f"Player {n:02};;\r\n" for n in range(1, 71))
FILTERED = """async (typed) => {
  const input = document.getElementById("find");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const took = [];
  for (let end = 1; end <= typed.length; end += 1) {
    const begun = performance.now();
    input.value = typed.slice(0, end);
    input.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect(); // laid out
    took.push(performance.now() - begun);
    await frame();
  }
  return took;
}"""


def test_names_are_typed_one_after_the_other(laptop: Page, room: ClockRoom) -> None:
    opened(laptop, room)
    expect(laptop.locator("#none")).to_contain_text("Nobody has entered yet")
    laptop.get_by_test_id("name").click()
    for name in NAMES:
        laptop.keyboard.type(name)
        laptop.keyboard.press("Enter")
    expect(rows(laptop)).to_have_count(len(NAMES))
    expect(laptop.get_by_test_id("name")).to_be_focused()
    expect(laptop.get_by_test_id("entered")).to_have_text("4")
    assert list(register(room)) == list(NAMES)
    expect(laptop.get_by_test_id("answer")).to_be_visible()
    where = laptop.get_by_test_id("name").bounding_box()
    laptop.keyboard.type("ann lee")
    laptop.keyboard.press("Enter")
    expect(laptop.get_by_test_id("refused")).to_contain_text("has entered already")
    expect(laptop.get_by_test_id("name")).to_have_value("ann lee")
    laptop.get_by_test_id("name").fill("Ivan")
    laptop.keyboard.press("Enter")
    answers(laptop, "Ivan entered")
    undo(laptop)
    expect(laptop.get_by_test_id("answer")).to_be_hidden()
    assert laptop.get_by_test_id("name").bounding_box() == where  # nothing moves under a finger
    assert "Ivan" not in register(room)
    expect(rows(laptop)).to_have_count(len(NAMES))


def test_a_club_evening_from_a_file_to_the_first_player_out(
    laptop: Page, room: ClockRoom, tmp_path: Path
) -> None:
    opened(laptop, room)
    laptop.get_by_test_id("import").click()
    bad = tmp_path / "bad.csv"
    bad.write_text("name;table;seat\r\nAnn;T1;2\r\nBob;T1;x\r\n")
    laptop.set_input_files("dialog input[type=file]", bad)
    laptop.get_by_test_id("import-do").click()
    expect(laptop.locator("dialog .refusal")).to_have_text("line 3: 'x' is no seat")
    good = tmp_path / "good.csv"
    good.write_text(FILE)
    laptop.set_input_files("dialog input[type=file]", good)
    laptop.get_by_test_id("import-do").click()
    answers(laptop, "70 players imported; left out: Telefon")
    expect(laptop.get_by_test_id("unseated")).to_have_text("70")
    expect(laptop.get_by_test_id("draw")).to_be_disabled()

    laptop.get_by_test_id("tables").click()
    field(laptop, "tables").fill("T1 9\nT2")
    laptop.get_by_test_id("tables-save").click()
    expect(laptop.locator("dialog .refusal")).to_contain_text("Line 2")
    field(laptop, "tables").fill("\n".join(f"T{n} 9" for n in range(1, 9)))
    laptop.get_by_test_id("tables-save").click()
    expect(laptop.get_by_test_id("free")).to_have_text("72")

    laptop.get_by_test_id("draw").click()
    expect(laptop.locator("dialog .live")).to_have_text(
        "Players without a seat: 70. Free seats: 72."
    )
    laptop.get_by_test_id("draw-do").click()
    answers(laptop, "Seats drawn for 70 players with the seed")
    seed = room.room.view().register.draws[-1].draw.seed
    answers(laptop, seed)
    expect(laptop.get_by_test_id("drawn")).to_contain_text(seed)
    expect(laptop.get_by_test_id("unseated")).to_have_text("0")
    expect(laptop.locator("#cards article")).to_have_count(8)
    assert laptop.locator("#cards ol button").count() == 70

    laptop.get_by_test_id("find").fill("er 42")
    expect(rows(laptop)).to_have_count(1)
    tapped(laptop, "Player 42", "out")
    expect(laptop.locator("dialog .live")).to_have_text("Place 70")
    laptop.get_by_test_id("out-do").click()
    answers(laptop, "Player 42 is out")
    expect(row(laptop, "Player 42")).to_contain_text("out, place 70")
    expect(laptop.get_by_test_id("left")).to_have_text("69")
    where = register(room)["Player 41"]
    assert where[0] == "seated"
    undo(laptop)
    assert register(room)["Player 42"][0] == "seated"
    expect(laptop.get_by_test_id("left")).to_have_text("70")


def test_a_player_is_seated_stands_goes_away_and_each_is_taken_back(
    laptop: Page, room: ClockRoom
) -> None:
    seated(room, "Ann", "Bob")
    room.act("enter", name="Cleo")
    opened(laptop, room)
    tapped(laptop, "Cleo", "seat")
    field(laptop, "table").select_option("T2")
    field(laptop, "seat").select_option("4")
    laptop.get_by_test_id("seat-save").click()
    answers(laptop, "Cleo sits at T2, seat 4")
    expect(seat(laptop, "T2", 4)).to_contain_text("Cleo")
    undo(laptop)
    assert register(room)["Cleo"] == ("entered", "")

    tapped(laptop, "Ann", "stand")
    answers(laptop, "Ann has no seat now")
    undo(laptop)
    assert register(room)["Ann"] == ("seated", "T1/1")

    tapped(laptop, "Ann", "absent")
    answers(laptop, "Ann is absent")
    expect(seat(laptop, "T1", 1)).to_contain_text("absent")
    undo(laptop)
    assert register(room)["Ann"] == ("seated", "T1/1")

    tapped(laptop, "Ann", "seat")
    expect(field(laptop, "seat")).to_have_value("3")  # a free one: nobody is moved unasked
    field(laptop, "seat").select_option("2")
    laptop.get_by_test_id("seat-save").click()
    answers(laptop, "Ann sits at T1, seat 2")
    assert register(room)["Bob"] == ("seated", "T1/1")
    undo(laptop)
    assert register(room)["Bob"] == ("seated", "T1/2")


def test_a_player_is_renamed_pays_is_withdrawn_and_comes_back(
    laptop: Page, room: ClockRoom
) -> None:
    seated(room, "Ann", "Bob")
    opened(laptop, room)
    tapped(laptop, "Ann", "paid")
    answers(laptop, "Ann has paid")
    expect(row(laptop, "Ann").locator(".paid")).to_have_text("paid")
    tapped(laptop, "Ann", "rename")
    field(laptop, "name").fill("Anna <b>")
    laptop.get_by_test_id("rename-save").click()
    answers(laptop, "Now called Anna <b>")
    expect(row(laptop, "Anna <b>")).to_be_visible()
    tapped(laptop, "Anna <b>", "withdraw")
    laptop.get_by_test_id("withdraw-do").click()
    answers(laptop, "Anna <b> withdrawn")
    expect(rows(laptop)).to_have_count(1)
    undo(laptop)
    player = room.room.view().register.by_id["p1"]
    assert (player.name, player.paid) == ("Anna <b>", True)
    assert register(room)["Anna <b>"] == ("seated", "T1/1")


@pytest.mark.parametrize("count", [500])
def test_several_hundred_are_filtered_as_one_types(
    laptop: Page, room: ClockRoom, count: int
) -> None:
    room.act("import", players=[{"name": f"Élodie Player {n:03}"} for n in range(count)])
    opened(laptop, room)
    expect(rows(laptop)).to_have_count(count)
    # For slow machines: it is a frame or two on a laptop.
    wait_until(lambda: median(laptop.evaluate(FILTERED, "elodie 04")) < 100)
    there = sum("04" in f"{n:03} p{n + 1}" for n in range(count))
    expect(rows(laptop)).to_have_count(there)
    expect(laptop.get_by_test_id("found")).to_have_text(f"{there} of 500")
    laptop.get_by_test_id("find").fill("p17")
    expect(row(laptop, "Player 016")).to_be_visible()
    laptop.get_by_test_id("find").fill("nobody")
    expect(laptop.locator("#none")).to_have_text("Nobody matches.")


def test_who_seems_to_be_out_is_out_with_one_tap_or_not(
    laptop: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob", "Cleo")
    seen["proposed"] = (
        ProposedOut("T1", 3, "p3", "Cleo", 31),
        ProposedOut("T1", 2, "p2", "Bob", 31, 5_000),
        ProposedOut("T1", 1, "p1", "Ann Lee", 31, 2_400),  # out before who had more
    )
    opened(laptop, room)
    told = laptop.get_by_test_id("proposed").locator("li:has(span)")
    expect(told.first).to_contain_text("Seat 1 at T1, Ann Lee, has no chips after hand 31: out?")
    expect(told.last).to_contain_text("Cleo")
    told.last.get_by_role("button", name="Not out").click()
    expect(told).to_have_count(2)
    told.first.get_by_role("button", name="Out", exact=True).click()
    answers(laptop, "Ann Lee is out")
    assert [each[0] for each in register(room).values()] == ["out", "seated", "seated"]
    undo(laptop)
    assert register(room)["Ann Lee"] == ("seated", "T1/1")


def test_where_table_and_list_differ_either_side_is_one_tap(
    laptop: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann", "Bob")
    room.act("enter", name="Cleo")
    asked: list[Any] = []

    def told(route: Route) -> None:
        asked.append(route.request.post_data)
        route.fulfill(json={"accepted": True, "state": "ready", "revision": 0})

    laptop.route("**/players/tell-seats", told)
    seen["seating"] = (
        TableSeating("T1", "taken", "", (SeatDiffers(2, "Bob"), SeatDiffers(7))),
        TableSeating("T2", "refused", "a hand is under way"),
    )
    opened(laptop, room)
    card = laptop.locator("#cards [data-table=T1]")
    expect(card).to_contain_text("taken over by the table")
    expect(laptop.locator("#cards [data-table=T2]")).to_contain_text(
        "refused by the table: a hand is under way"
    )
    lines = card.locator("ul li")
    expect(lines.first).to_contain_text("Seat 2: Bob on the list, not dealt in at the table")
    lines.first.get_by_role("button", name="Tell the table again").click()
    answers(laptop, "T1 is told its seats again")
    assert asked == ['{"table":"T1"}']
    lines.first.get_by_role("button", name="Take the seat away").click()
    answers(laptop, "Bob has no seat now")
    expect(lines.last).to_contain_text("Seat 7: nobody on the list, dealt in at the table")
    lines.last.get_by_role("button", name="Who sits there").click()
    field(laptop, "player").fill("Nobody")
    laptop.get_by_test_id("who-save").click()
    expect(laptop.locator("dialog .refusal")).to_be_visible()
    field(laptop, "player").fill("Cleo")
    laptop.get_by_test_id("who-save").click()
    answers(laptop, "Cleo sits at T1, seat 7")
    assert register(room)["Cleo"] == ("seated", "T1/7")


def test_two_who_look_at_it_see_the_same(laptop: Page, phone: Page, room: ClockRoom) -> None:
    opened(laptop, room)
    opened(phone, room, role="floor")
    laptop.get_by_test_id("name").fill("Ann")
    laptop.keyboard.press("Enter")
    expect(row(phone, "Ann")).to_be_visible()
    expect(phone.locator("#looks")).to_be_visible()
    offered = phone.locator("main :is(button, input):visible:enabled").all()
    assert {each.get_attribute("id") or each.get_attribute("data-show") for each in offered} == {
        "find", "players", "tables", None,
    }  # fmt: skip
    row(phone, "Ann").click()
    offered = phone.locator("dialog .choices button").all()
    assert [each.inner_text() for each in offered] == ["Warning…"], "all that the floor may do"


def test_the_clocks_desk_asks_who_of_the_list_is_out(laptop: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob", "Cleo")
    room.act("import", players=[{"name": "Eve", "id": "c7"}, {"name": "Eve", "id": "c8"}])
    opened(laptop, room)
    laptop.goto(f"{room.url}clock")
    laptop.get_by_test_id("bust").click()
    expect(laptop.locator("dialog [name=table]")).to_have_count(0)
    suggested = laptop.locator("dialog datalist option")
    expect(suggested).to_have_count(5)
    labels = suggested.evaluate_all("(all) => all.map((each) => each.value)")
    assert labels[0] == "Ann Lee · Table T1, seat 1"
    save = laptop.get_by_test_id("out-save")
    assert labels[3:] == ["Eve (c7)", "Eve (c8)"]
    for typed in ("Nobody", "Eve"):  # two have that name
        field(laptop, "player").fill(typed)
        save.click()
        expect(laptop.locator("dialog .refusal")).to_have_text("Choose a player from the list")
    field(laptop, "player").fill("bob")
    save.click()
    expect(laptop.locator("#finishes")).to_contain_text("Place 5: Bob")
    laptop.get_by_test_id("bust").click()
    field(laptop, "player").fill(labels[0])
    save.click()
    expect(laptop.locator("#finishes")).to_contain_text("Place 4: Ann Lee")
    assert [each[0] for each in register(room).values()] == ["out", "out", "seated", "entered"]
    expect(laptop.get_by_test_id("players")).to_have_text("3")
