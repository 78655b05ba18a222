"""The floor page as a person has it in the hand: opening it, and finding what is tapped."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from controller.contract.events import Event
from controller.contract.messages import TABLE_EVENT, TableEvent
from controller.people.staff import Role
from tests.commands.fake_table import SILENT, SITE
from tests.web.hall import Hall

TABLES = ("T1", "T2", "T3")


def opened(
    page: Page, hall: Hall, name: str = "Ann", *, role: Role = "floor", language: str = ""
) -> Page:
    """The page in the hands of somebody who has signed in."""
    hall.sign_in(page, role, name)
    # Whatever is looked for counts as a touch, which would allow the sound before it is asked for.
    with page.expect_request("**/floor/events"):
        page.goto(f"{hall.url}floor{f'?lang={language}' if language else ''}")
    expect(page.locator("#who")).to_have_text(name)
    expect(page.locator("#summary")).not_to_be_empty()
    page.evaluate("document.fonts.ready")
    return page


def card(page: Page, key: str) -> Locator:
    return page.locator(f".card[data-key='{key}']")


STILL = "body:not([data-settling])"
"""Where nothing has just slid under a thumb: before that no act is taken."""


def act(page: Page, key: str, name: str) -> Locator:
    """A button of the card itself, once the page is still."""
    return page.locator(f"{STILL} .card[data-key='{key}'] [data-act={name}]")


def behind(page: Page, name: str) -> Locator:
    """A button of the alert that is open, once the page is still."""
    return page.locator(f"{STILL} #opened [data-act={name}]")


def tap(page: Page, key: str, name: str) -> None:
    """Taps an act where it is: on the card, or behind it."""
    expect(card(page, key)).to_be_visible()
    if card(page, key).locator(f"[data-act={name}]").count():
        act(page, key, name).click()
    else:
        act(page, key, "more").click()
        behind(page, name).click()


def shut(page: Page) -> None:
    page.click("#opened-close")


def owner(page: Page, key: str) -> Locator:
    return card(page, key).get_by_test_id("owner")


def refusal(page: Page, key: str) -> Locator:
    return card(page, key).locator(".refusal")


def three(hall: Hall) -> None:
    hall.alert("T1", 1, "Burned too soon", age_s=70, priority=2)
    hall.alert("T2", 4, "Four-card flop", age_s=20, ruling=SILENT)
    hall.alert("T3", 9, "No burn card", age_s=40, seats=(3, 5), priority=2, basis="unseen")


def on_duty(hall: Hall, name: str, *sections: str, **more: object) -> None:
    does(hall, name, "duty", on=True, sections=sections, **more)


def does(hall: Hall, name: str, act: str, /, **fields: object) -> None:
    """Somebody does something on another page."""
    post(hall, name, f"alerts/{act}", fields)


def post(hall: Hall, name: str, path: str, fields: object) -> None:
    with hall.client("floor", name) as client:
        answer = client.post(path, json=fields)
        assert answer.is_success, answer.text


def tells(hall: Hall, table: str, seq: int, event: Event) -> None:
    """A table publishes an event."""
    message = TABLE_EVENT.message(SITE, table, payload=TableEvent(f"s-{table}", seq, 5, event))
    hall.do(lambda: hall.tables[table].says(message))
