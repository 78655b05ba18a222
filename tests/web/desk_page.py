"""The clock's desk as a person uses it."""

from __future__ import annotations

import msgspec
from playwright.sync_api import Locator, Page, expect

from controller.contract.events import Blinds
from controller.people.staff import Role
from controller.room.structure import Entry, Structure
from controller.room.view import RoomView
from tests.web.hall import Hall

MINUTE = 60_000
EVENING = Structure(
    "Evening",
    (
        Entry(20 * MINUTE, Blinds(25, 50)),
        Entry(20 * MINUTE, Blinds(50, 100)),
        Entry(10 * MINUTE, None, (25,)),
        Entry(20 * MINUTE, Blinds(100, 200, 200)),
        Entry(20 * MINUTE, Blinds(200, 400, 400)),
    ),
    stack=10_000,
    chips=(25, 100, 500, 1_000),
)
BY = {"actor": "Bob"}


def anew(hall: Hall) -> Hall:
    """The room as it was at first: nothing started, and nothing told."""

    def back() -> None:
        room = hall.room
        if room.view().clock.deadline_ms is not None:
            room.act("end", BY)
        room.act("reset", BY)
        evening = msgspec.to_builtins(hall.evening)
        room.act("structure", {**BY, "structure": evening})
        room.act("rules", {**BY, "hold_for_hands": False, "pause_on_dispute": False})
        for notice in room.view().tournament.notices:
            room.act("unnotice", {**BY, "id": notice.id})

    hall.do(back)
    return hall


def opened(
    page: Page, hall: Hall, name: str = "Ann", query: str = "", role: Role = "director"
) -> Page:
    """The page of somebody who is signed in, once it shows the clock."""
    hall.sign_in(page, role, name)
    page.goto(f"{hall.url}clock{query}")
    expect(page.locator("#who")).to_have_text(name)
    expect(page.get_by_test_id("level")).not_to_be_empty()
    # Until then it takes no key; the name is there from the beginning.
    page.wait_for_selector("body[data-acts], #looks:not([hidden])", state="attached")
    page.evaluate("document.fonts.ready")
    return page


def part(page: Page, name: str) -> None:
    """Turn to a part of the desk, where a phone shows one at a time."""
    tab = page.locator(f"[data-show={name}]")
    if tab.is_visible():
        tab.click()


def field(page: Page, name: str) -> Locator:
    """A field of the dialog on top."""
    return page.locator(f"dialog [name={name}]").last


def entry(page: Page, index: int) -> Locator:
    """An entry in the list, counted from 0."""
    return page.locator(f"#entries [data-index='{index}']")


def shows(page: Page, state: str) -> None:
    """Wait for the clock's state; where it does not come, what the page says is told too."""
    try:
        expect(page.get_by_test_id("state")).to_have_attribute("data-state", state)
    except AssertionError as error:
        says = {each: page.locator(each).inner_text() for each in ("#refused", "#answer", "#who")}
        focus = page.evaluate("[document.hasFocus(), document.activeElement.outerHTML]")
        raise AssertionError(f"{error}\n{says}\n{focus}") from None


def view(hall: Hall) -> RoomView:
    """The room now."""
    return hall.room.view()


def seconds(page: Page) -> int:
    """The clock as it stands on the page, in seconds."""
    total = 0
    for each in page.get_by_test_id("clock").inner_text().split(":"):
        total = total * 60 + int(each)
    return total
