"""The clock's desk and who is signed in: what is offered to whom, and who comes and goes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.people.staff import Role
from tests.web.desk_page import BY, EVENING, MINUTE, anew, field, opened, part, shows, view
from tests.web.hall import Hall


@pytest.fixture
def hall(shared: Hall) -> Hall:
    return anew(shared)


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def out(hall: Hall, name: str) -> None:
    """Whoever this is is signed out on every device."""
    hall.get(lambda: hall.door.store.sign_out_all(name))


def test_strangers_are_led_to_sign_in_and_back(laptop: Page, hall: Hall) -> None:
    laptop.goto(f"{hall.url}clock?lang=de")
    assert "/login?to=/clock%3Flang%3Dde" in laptop.url
    hall.sign_in(laptop, "director")
    laptop.reload()
    expect(laptop).to_have_url(f"{hall.url}clock?lang=de")
    expect(laptop.get_by_test_id("start")).to_have_text("Starten")


@pytest.mark.parametrize("role", ["viewer", "floor"])
def test_whoever_may_only_look_is_offered_nothing_else(
    laptop: Page, hall: Hall, role: Role
) -> None:
    hall.do(lambda: hall.room.act("notice", {**BY, "text": "Tea"}))
    hall.do(lambda: hall.room.act("start", BY))
    opened(laptop, hall, "Vera", role=role)
    shows(laptop, "running")
    expect(laptop.locator("#looks")).to_have_text("View only: directors make the changes here")
    expect(laptop.locator("#notices")).to_contain_text("Tea")
    assert laptop.locator("#entries li").count() == len(EVENING.entries)
    offered = laptop.locator("a:not(#ways a):visible, :is(button, input):visible:enabled").all()
    assert {each.get_attribute("id") for each in offered} == {"watch", "keys", "who", "save"}
    before = view(hall).clock
    for key in (" ", "+", "-", "ArrowRight", "ArrowLeft", "b", "n", "Enter"):
        laptop.keyboard.press(key)
    laptop.locator("#entries [data-index='1']").click()
    assert laptop.locator("dialog").count() == 0
    assert view(hall).clock == before
    laptop.keyboard.press("?")
    expect(laptop.locator("dialog dt")).to_have_text(["W", "?"])
    laptop.click("dialog .cancel")
    laptop.keyboard.press("w")
    laptop.mouse.click(600, 200)
    expect(laptop.locator("#watch-bar button:visible")).to_have_text(["Desk"])


def test_a_director_acts_and_the_room_knows_who_it_was(laptop: Page, hall: Hall) -> None:
    opened(laptop, hall, "Dora")
    expect(laptop.locator("#looks")).to_be_hidden()
    laptop.get_by_test_id("start").click()
    shows(laptop, "running")
    assert view(hall).history[-1].actor == "Dora"
    laptop.click("#who")
    expect(laptop.locator("#in-as")).to_contain_text("Dora")
    laptop.click("#go-on")
    expect(laptop).to_have_url(f"{hall.url}clock")


def test_whoever_is_put_out_is_led_to_sign_in(laptop: Page, hall: Hall) -> None:
    opened(laptop, hall)
    out(hall, "Ann")
    expect(laptop).to_have_url(f"{hall.url}login?to=%2Fclock")


def test_whoever_is_put_out_while_typing_loses_nothing(laptop: Page, hall: Hall) -> None:
    hall.do(lambda: hall.room.act("start", BY))
    opened(laptop, hall)
    shows(laptop, "running")
    laptop.get_by_test_id("break").click()
    field(laptop, "count").fill("17")
    out(hall, "Ann")
    expect(laptop.locator("#offline")).to_be_visible()
    laptop.get_by_test_id("break-call").click()
    expect(laptop.locator("dialog .refusal")).to_contain_text("you are signed out")
    assert field(laptop, "count").input_value() == "17"
    assert view(hall).state == "running"
    hall.sign_in(laptop, "director")  # as in another tab
    laptop.get_by_test_id("break-call").click()
    shows(laptop, "break")
    assert view(hall).clock.duration_ms == 17 * MINUTE


def test_somebody_else_on_the_same_browser_is_shown_and_has_their_own_rights(
    laptop: Page, hall: Hall
) -> None:
    opened(laptop, hall)
    part(laptop, "levels")
    hall.sign_in(laptop, "viewer", "Vera")
    out(hall, "Ann")
    expect(laptop.locator("#who")).to_have_text("Vera")
    expect(laptop.locator("#main")).to_be_hidden()
    assert laptop.locator("#entries button").count() == 0
    hall.sign_in(laptop, "director", "Dora")
    out(hall, "Vera")
    expect(laptop.locator("#who")).to_have_text("Dora")
    expect(laptop.locator("#main")).to_be_visible()
    laptop.locator("#entries button").nth(1).click()
    expect(laptop.get_by_test_id("entry")).to_be_visible()
