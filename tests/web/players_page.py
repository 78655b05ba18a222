"""The page of the players as a person uses it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, expect

from controller.people.staff import Role
from controller.room.shown_room import ShownRoom
from controller.room.view import RoomView
from tests.web.clockroom import ClockRoom

KNOWS_WHO = "body[data-acts], body[data-rules], body:has(#looks:not([hidden]))"
NAMES = ("Maximiliane Oberhuber-Schmidt", "Björn Öztürk", "Cleo Dubois", "Ann Lee")


def emptied(running: ClockRoom) -> ClockRoom:
    """The room as it is before anybody has entered."""
    if running.room.view().clock.deadline_ms is not None:
        running.act("end")
    running.act("reset")
    running.act("clear")
    running.act("late")
    running.act("tables", tables=[])
    return running


def opened(page: Page, room: ClockRoom, query: str = "", role: Role = "director") -> Page:
    room.sign_in(page, role, "Dorothea" if role == "director" else "Florentine")
    page.goto(f"{room.url}players{query}")
    expect(page.get_by_test_id("entered")).not_to_have_text("–")
    expect(page.locator(KNOWS_WHO)).to_be_visible()
    page.evaluate("document.fonts.ready")
    return page


def rows(page: Page) -> Locator:
    return page.locator("#players tr:visible")


def row(page: Page, name: str) -> Locator:
    return page.locator("#players tr", has_text=name)


def seat(page: Page, table: str, number: int) -> Locator:
    return page.locator(f"#cards [data-table='{table}'] ol li").nth(number - 1)


def part(page: Page, name: str) -> None:
    shown = page.locator(f"[data-show={name}]")
    if shown.is_visible():
        shown.click()


def tapped(page: Page, name: str, act: str) -> None:
    """Something is chosen for a player."""
    part(page, "players")
    row(page, name).click()
    page.get_by_test_id(f"player-{act}").click()


def answers(page: Page, text: str) -> None:
    expect(page.get_by_test_id("answer")).to_contain_text(text)


def undo(page: Page) -> None:
    page.get_by_test_id("undo").click()
    answers(page, "Undone")


def seated(room: ClockRoom, *names: str) -> None:
    """Players sit at T1 from the first seat on, of two tables."""
    room.act("tables", tables=[{"table": "T1", "seats": 9}, {"table": "T2", "seats": 9}])
    room.act(
        "import",
        players=[{"name": name, "table": "T1", "seat": n} for n, name in enumerate(names, 1)],
    )


def register(room: ClockRoom) -> dict[str, tuple[str, str]]:
    """The status and the seat of each by name."""
    return {
        each.name: (each.status, f"{each.at.table}/{each.at.seat}" if each.at else "")
        for each in room.room.view().register.players
    }


def tables_say(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the tables have said, beside what the room knows: a test fills it."""
    said: dict[str, Any] = {}
    view = ShownRoom.view

    def shown(self: ShownRoom) -> RoomView:
        return replace(view(self), **said)

    monkeypatch.setattr(ShownRoom, "view", shown)
    return said
