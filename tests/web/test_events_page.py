"""Two events of a room in a real browser: two walls, two desks, and the page on which events come
and go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.contract.events import Finding, RulingText
from controller.room.event_file import asked
from controller.room.event_service import EventService
from tests.web.clockroom import MINUTE, ClockRoom, clock_room
from tests.web.floor_page import opened as floor_opened
from tests.web.floor_page import tap, tells
from tests.web.hall import Hall
from tests.web.test_players_sizes import SIDEWAYS

SIZES = ((1280, 800), (820, 1180), (390, 844))
BINDING = RulingText("uk-tda", "binding", ("UK-40",), ())


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ClockRoom]:
    """Its first event's clock runs; its event Turbo has 12 minutes left and stands."""
    with clock_room(store=tmp_path / "room.sqlite") as room:
        room.call(lambda: turbo_in(room))
        yield room


def turbo_in(room: ClockRoom) -> None:
    room.room.create(asked({"id": "turbo", "name": "Turbo"}))
    turbo = of(room)
    turbo.act("start", {"actor": "Ann"})
    turbo.act("pause", {"actor": "Ann"})
    turbo.act("time", {"actor": "Ann", "by_ms": -8 * MINUTE})


def of(room: ClockRoom | Hall) -> EventService:
    found = room.room.event("turbo")
    assert found is not None
    return found


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"{error}"))
    yield page
    context.close()


def test_two_walls_show_two_clocks(browser: Browser, room: ClockRoom) -> None:
    first, turbo = browser.new_page(), browser.new_page()
    first.goto(f"{room.url}screen")
    turbo.goto(f"{room.url}event/turbo/screen")
    expect(turbo).to_have_title("Turbo")
    expect(turbo.get_by_test_id("clock")).to_have_text("12:00")
    expect(turbo.get_by_test_id("state")).to_contain_text("PAUSED")
    expect(first.get_by_test_id("state")).not_to_contain_text("PAUSED")
    room.act("pause")
    room.act("time", by_ms=-60_000)
    room.call(lambda: of(room).act("next", {"actor": "Ann"}))
    expect(first.get_by_test_id("level")).to_have_text("Level 1")
    expect(turbo.get_by_test_id("level")).to_have_text("Level 2")
    expect(turbo.get_by_test_id("clock")).to_have_text("20:00")
    expect(first.get_by_test_id("state")).to_contain_text("PAUSED")
    first.close()
    turbo.close()


def test_a_desk_asks_its_own_event(laptop: Page, room: ClockRoom) -> None:
    room.sign_in(laptop, "director", "Dora")
    laptop.goto(f"{room.url}event/turbo/clock")
    expect(laptop.locator("body[data-acts]")).to_be_visible()
    expect(laptop.get_by_test_id("clock")).to_have_text("12:00")
    laptop.keyboard.press("Space")
    expect(laptop.get_by_test_id("state")).to_have_text("running")
    assert of(room).view().state == "running"
    room.act("pause")
    expect(laptop.get_by_test_id("state")).to_have_text("running")
    laptop.locator("#events a", has_text="First event").click()
    expect(laptop).to_have_url(f"{room.url}clock")
    expect(laptop.get_by_test_id("state")).to_have_text("paused")


def test_a_player_enters_in_one_event_and_not_in_the_other(laptop: Page, room: ClockRoom) -> None:
    room.sign_in(laptop, "director", "Dora")
    laptop.goto(f"{room.url}event/turbo/players")
    expect(laptop.locator("body[data-acts]")).to_be_visible()
    laptop.get_by_test_id("name").fill("Cleo Dubois")
    laptop.get_by_test_id("name").press("Enter")
    expect(laptop.locator("#players tr", has_text="Cleo Dubois")).to_be_visible()
    expect(laptop.get_by_test_id("entered")).to_have_text("1")
    assert [each.name for each in of(room).view().register.players] == ["Cleo Dubois"]
    laptop.locator("#events a", has_text="First event").click()
    expect(laptop.get_by_test_id("entered")).to_have_text("0")
    assert room.room.view().register.players == ()


def test_an_event_is_made_exported_taken_as_a_template_and_closed(
    laptop: Page, room: ClockRoom, tmp_path: Path
) -> None:
    room.sign_in(laptop, "director", "Dora")
    laptop.goto(room.url)
    laptop.locator("#to-events").click()
    with laptop.expect_download() as download:
        laptop.locator("[data-event=turbo] a[download]").click()
    file = tmp_path / "turbo.json"
    download.value.save_as(file)

    form = laptop.locator("#new")
    form.locator("[name=name]").fill("Über-Deepstack Nº 2")
    expect(form.locator("[name=id]")).to_have_value("uber-deepstack-n-2")
    form.locator("[value=template]").check()
    form.locator("[name=file]").set_input_files(file)
    form.locator("[type=submit]").click()
    expect(laptop.get_by_test_id("said")).to_have_text("Über-Deepstack Nº 2 is there.")
    expect(laptop.locator("#list li")).to_have_count(3)

    form.locator("[name=name]").fill("Turbo")
    form.locator("[type=submit]").click()
    expect(laptop.get_by_test_id("refused")).to_have_text(
        "Not done: there is an event turbo already"
    )
    rubbish = tmp_path / "rubbish.json"
    rubbish.write_text("no event")
    form.locator("[name=id]").fill("other")
    form.locator("[value=file]").check()
    form.locator("[name=file]").set_input_files(rubbish)
    form.locator("[type=submit]").click()
    expect(laptop.get_by_test_id("refused")).to_contain_text("it is not JSON")

    laptop.on("dialog", lambda dialog: dialog.accept())
    laptop.locator("[data-event=turbo] .close").click()
    expect(laptop.get_by_test_id("said")).to_contain_text("turbo.sqlite.closed-1")
    expect(laptop.locator("#list li")).to_have_count(2)


def test_the_tables_that_another_event_keeps_are_named(laptop: Page, room: ClockRoom) -> None:
    tables = [{"table": "5", "seats": 9}, {"table": "6", "seats": 9}]
    room.call(lambda: of(room).act("tables", {"actor": "Ann", "tables": tables}))
    room.sign_in(laptop, "director", "Dora")
    laptop.goto(f"{room.url}events")
    form = laptop.locator("#new")
    expect(form.locator("select")).to_be_hidden()
    form.locator("[name=name]").fill("Next")
    form.locator("[value=like]").check()
    form.locator("select").select_option("turbo")
    form.locator("[type=submit]").click()
    expect(laptop.get_by_test_id("said")).to_have_text(
        "Next is there. Not taken over, since other events have them: tables 5, 6."
    )
    assert [each.id for each in room.room.events()] == ["", "turbo", "next"]


def test_an_event_whose_clock_runs_has_no_way_to_be_closed(laptop: Page, room: ClockRoom) -> None:
    room.call(lambda: of(room).act("resume", {"actor": "Ann"}))
    room.sign_in(laptop, "director", "Dora")
    laptop.goto(f"{room.url}events")
    expect(laptop.locator("[data-event=turbo] .close")).to_be_disabled()
    expect(laptop.locator('[data-event=""] .close')).to_have_count(0)


@pytest.mark.parametrize("path", ["", "events", "event/turbo/clock", "event/turbo/pocket"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_goes_sideways(
    laptop: Page, room: ClockRoom, path: str, size: tuple[int, int]
) -> None:
    name = "A main event with a name that is as long as names of main events are in a large house"
    room.act("tournament", name=name)
    room.sign_in(laptop, "director", "Dora")
    laptop.set_viewport_size({"width": size[0], "height": size[1]})
    laptop.goto(f"{room.url}{path}?lang=de")
    laptop.evaluate("document.fonts.ready")
    assert not laptop.evaluate(SIDEWAYS)


def test_the_floor_warns_a_player_of_the_tables_event(phone: Page, hall: Hall) -> None:
    """T1 is the event's: who sits there has entered there."""

    def begin() -> None:
        hall.room.create(asked({"id": "turbo", "name": "Turbo"}))
        for name, fields in (
            ("tables", {"tables": [{"table": "T1", "seats": 9}]}),
            ("import", {"players": [{"name": "Cleo", "table": "T1", "seat": 2}]}),
        ):
            of(hall).act(name, {"actor": "Dora", **fields})

    hall.do(begin)
    found = Finding(1.0, 12, 1, "out-of-turn", 2, "seen", (2,), (), BINDING)
    tells(hall, "T1", 1, found)
    hall.alert("T1", 1, "Action out of turn", seats=(2,), ruling=BINDING)
    floor_opened(phone, hall)
    tap(phone, "T1/1", "conduct")
    expect(phone.locator("#ask-title")).to_have_text("Cleo, seat 2")
    phone.locator("#ask-choices button").first.tap()
    hall.until(lambda: of(hall).view().conduct.given)
    (given,) = of(hall).view().conduct.given
    assert (given.name, given.given, given.table) == ("Cleo", "warning", "T1")
    assert hall.room.first.view().conduct.given == ()
