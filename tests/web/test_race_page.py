"""The worksheets of a chip race as the floor uses them, on a phone and a laptop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, expect

from controller.contract.events import Blinds
from controller.people.staff import Role
from controller.room.seater import Seater
from controller.room.structure import Entry, Structure
from tests.web.clockroom import MINUTE, ClockRoom, clock_room
from tests.web.players_page import NAMES, emptied, seated
from tests.web.test_players_sizes import MEASURES, SIDEWAYS, SMALL

CHIPS = Structure(
    "chips",
    (
        Entry(20 * MINUTE, Blinds(100, 200)),
        Entry(20 * MINUTE, None, (25,)),
        Entry(20 * MINUTE, Blinds(200, 400)),
        Entry(20 * MINUTE, None),
        Entry(20 * MINUTE, Blinds(500, 1000)),
    ),
    stack=10_000,
    chips=(25, 100, 500, 1_000),
)
PHONE = ViewportSize(width=390, height=844)
LAPTOP = ViewportSize(width=1280, height=800)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClockRoom]:
    """Four at T1 and one at T2, on the break at which the 25s go: of two the stacks are known."""
    chips = {"p1": 9_075, "p3": 75}
    monkeypatch.setattr(Seater, "chips", lambda _: chips)
    monkeypatch.setattr(Seater, "known", lambda _: chips)
    with clock_room() as running:
        emptied(running)
        running.act("structure", structure=msgspec.to_builtins(CHIPS))
        seated(running, *NAMES)
        running.act("enter", name="Dee", table="T2", seat=3)
        running.act("start")
        running.act("go", index=1)
        yield running


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, has_touch=True)
    yield context.new_page()
    context.close()


def opened(page: Page, room: ClockRoom, query: str = "", role: Role = "floor") -> Page:
    room.sign_in(page, role, "Dorothea" if role == "director" else "Florentine")
    page.goto(f"{room.url}race{query}")
    page.evaluate("document.fonts.ready")
    return page


def seat(sheet: Locator, number: int) -> Locator:
    return sheet.locator(f"[data-seat='{number}']")


def fill(sheet: Locator, number: int, **fields: str) -> None:
    for name, value in fields.items():
        seat(sheet, number).locator(f"[name={name}]").fill(value)


def test_a_race_is_entered_seat_by_seat_and_says_who_gets_what(
    phone: Page, room: ClockRoom
) -> None:
    """UK-22A: the stack tells what is odd; the highest cards win, and nobody is raced out."""
    opened(phone, room)
    expect(phone.get_by_test_id("to-do")).to_contain_text("2 tables to do")
    sheet = phone.get_by_test_id("sheet").first
    expect(sheet.locator("h2")).to_have_text("T1: 25 to 100")
    expect(seat(sheet, 1).locator("[name=chips]")).to_have_value("3")
    expect(seat(sheet, 3).locator("[name=only]")).to_be_checked()
    fill(sheet, 2, chips="6")
    fill(sheet, 4, chips="0")
    expect(seat(sheet, 2).locator("output")).to_have_text("2")
    expect(sheet.get_by_test_id("in-race")).to_have_text("Chips of 100 in the race: 2")
    fill(sheet, 1, cards="As 3c 2c")
    fill(sheet, 2, cards="Kh Kd")
    fill(sheet, 3, cards="Qh Jh")
    sheet.get_by_test_id("save").click()
    expect(sheet.locator(".refusal")).to_contain_text("seat 3 has 3 odd chips, and 2 cards")
    fill(sheet, 3, cards="Qh, Jh, 2d")
    sheet.get_by_test_id("save").click()
    done = phone.get_by_test_id("raced")
    expect(done.locator("li").nth(0)).to_contain_text("1 × 100")
    expect(done.locator("li").nth(0)).to_contain_text("9,100 now")
    expect(done.locator("li").nth(2)).to_contain_text("kept in: 1 × 100")
    expect(done.locator("li").nth(3)).to_contain_text("nothing")
    expect(done).to_contain_text("Before 200, now 300: +100 in play")
    expect(phone.get_by_test_id("to-do")).to_contain_text("1 table to do")
    done.get_by_role("button", name="Take back").click()
    expect(phone.get_by_test_id("to-do")).to_contain_text("2 tables to do")
    assert room.room.view().races.tables == ()


def test_nothing_can_be_tapped_before_the_page_listens(phone: Page, room: ClockRoom) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    room.sign_in(phone, "floor", "Florentine")
    phone.route("**/race/race.js", hold)
    phone.goto(f"{room.url}race", wait_until="commit")
    only_won = phone.get_by_role("button", name="Enter only who won", include_hidden=True).first
    expect(only_won).to_be_visible()
    expect(phone.locator("main")).to_have_attribute("inert", "")
    (asked,) = held
    asked.continue_()
    only_won.click()
    expect(only_won).to_have_attribute("aria-pressed", "true")


def test_who_won_is_enough(phone: Page, room: ClockRoom) -> None:
    opened(phone, room)
    sheet = phone.get_by_test_id("sheet").first
    for number in (2, 4):
        fill(sheet, number, chips="1")
    sheet.get_by_role("button", name="Enter only who won").click()
    fill(sheet, 4, won="1")
    fill(sheet, 1, won="1")
    sheet.get_by_test_id("save").click()
    expect(phone.get_by_test_id("raced").locator("li").nth(3)).to_contain_text("1 × 100")
    (raced,) = room.room.view().races.tables
    assert [(each.seat, each.won) for each in raced.seats] == [(1, 1), (2, 0), (3, 0), (4, 1)]


def test_the_director_colours_up_at_discretion_and_the_floor_does_not(
    phone: Page, room: ClockRoom
) -> None:
    """UK-23B: announced on the screens, which the room tells of it."""
    opened(phone, room)
    expect(phone.get_by_test_id("to-do")).to_be_visible()
    expect(phone.get_by_test_id("colour")).to_have_count(0)
    room.act("go", index=2)
    opened(phone, room, role="director")
    colour = phone.get_by_test_id("colour")
    expect(colour.locator("[name=chip]")).to_have_value("100")
    colour.get_by_role("button", name="On the next break").first.click()
    expect(phone.get_by_test_id("to-do")).to_contain_text("Next break: chips of 100")
    assert room.room.view().tournament.race_off == (100,)


@pytest.mark.parametrize(
    ("role", "what", "status"),
    [
        ("viewer", "race", 403),
        ("floor", "race", 409),
        ("floor", "colour-up", 403),
        ("director", "colour-up", 200),
        ("floor", "raze", 409),
    ],
)
def test_who_may_what(room: ClockRoom, role: Role, what: str, status: int) -> None:
    fields = {"chip": 100} if what == "colour-up" else {"table": "T9", "chip": 25, "seats": []}
    with room.client(role) as client:
        answer = client.post(f"race/{what}", json=fields)
        assert (answer.status_code, bool(answer.content)) == (status, True)


def test_nobody_else_sees_the_stacks(room: ClockRoom) -> None:
    with room.client("viewer") as client:
        assert client.get("race").status_code == 403
    with httpx.Client(base_url=room.url) as stranger:
        assert stranger.get("race").status_code in (303, 401)


@pytest.mark.parametrize(
    ("size", "language"),
    [((360, 640), "de"), ((390, 844), "fr"), ((800, 1280), "es"), ((1280, 800), "en")],
)
def test_everything_fits_a_thumb_and_nothing_goes_sideways(
    browser: Browser, room: ClockRoom, size: tuple[int, int], language: str
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = opened(context.new_page(), room, f"?lang={language}", role="director")
    for number in (2, 4):
        fill(page.get_by_test_id("sheet").first, number, chips="3")
    page.locator("[data-by=won]").first.click()
    fill(page.get_by_test_id("sheet").first, 1, won="1")
    for number in (2, 3):
        fill(page.get_by_test_id("sheet").first, number, won="1")
    page.get_by_test_id("save").first.click()
    expect(page.get_by_test_id("raced")).to_be_visible()
    page.wait_for_load_state()  # what was saved is told by a page of its own, with its styles
    texts: list[dict[str, Any]] = page.evaluate(MEASURES)
    assert [t["text"] for t in texts if t["contrast"] < 7] == []
    small = page.evaluate(
        SMALL.replace('"button, a, input,', '"button, a, input:not([type=checkbox]),')
    )
    assert small == []
    assert page.evaluate(SIDEWAYS) <= 0
    context.close()


def test_the_sheets_are_printed_to_be_written_on(browser: Browser, room: ClockRoom) -> None:
    context = browser.new_context(viewport=LAPTOP)
    page = opened(context.new_page(), room)
    expect(page.get_by_test_id("sheet")).to_have_count(2)
    page.emulate_media(media="print")
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.get_by_test_id("save").first).to_be_hidden()
    expect(page.get_by_test_id("sheet").first).to_be_visible()
    context.close()
