"""Words from outside never become elements, in a real browser."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import quote

import pytest
from playwright.sync_api import ConsoleMessage, Dialog, Page, expect

from controller.room.view import RoomView
from display.web.serving.access.headers import HEADERS
from display.web.serving.routes import clock
from tests.web.hall import Hall

MARK = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(1)</script>'\"><svg onload=alert(1)>"


FAULTS: list[str] = []


@pytest.fixture
def watched(page: Page) -> Page:
    """A page on which it is noted where a script of a stranger runs, or is tried."""
    FAULTS.clear()

    def said(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text:
            FAULTS.append(message.text)

    def ran(dialog: Dialog) -> None:
        FAULTS.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", ran)
    page.on("pageerror", lambda error: FAULTS.append(str(error)))
    page.on("console", said)
    return page


def clean(page: Page) -> None:
    assert page.locator("img[src]:not([src^='/']), [onerror], [onload]").count() == 0
    assert FAULTS == []


def test_what_tables_say_is_text_on_every_page(watched: Page, fresh_hall: Hall) -> None:
    fresh_hall.alert("T1", 1, MARK)
    fresh_hall.sign_in(watched, "admin", "Ada")
    watched.goto(f"{fresh_hall.url}floor")
    expect(watched.locator(".card .title")).to_have_text(MARK)
    clean(watched)
    for path in ("screen", "clock", "pocket", ""):
        watched.goto(f"{fresh_hall.url}{path}")
        watched.wait_for_timeout(600)
        clean(watched)


def test_what_people_say_is_text_on_every_page(watched: Page, fresh_hall: Hall) -> None:
    name = MARK[:40]
    with fresh_hall.client("admin", "Ada") as client:
        added = {"name": name, "role": "director", "pin": "4711"}
        assert client.post("people/add", json=added).status_code == 200
    with fresh_hall.client("director", name) as client:
        acts: dict[str, dict[str, object]] = {
            "notice": {"text": MARK, "minutes": 5},
            "pause": {"reason": MARK},
            "tournament": {"name": MARK},
        }
        for act, fields in acts.items():
            assert client.post(f"clock/{act}", json=fields).status_code == 200
    fresh_hall.sign_in(watched, "admin", "Ada")
    watched.goto(f"{fresh_hall.url}people")
    expect(watched.locator("#people li strong").first).to_have_text(name)
    assert MARK in watched.inner_text("#record")
    clean(watched)
    for path in ("screen", "clock", "pocket", "floor", ""):
        watched.goto(f"{fresh_hall.url}{path}")
        watched.wait_for_timeout(600)
        clean(watched)


@pytest.mark.parametrize(
    "path",
    [
        f"login?to=/{quote(SCRIPT)}&needs={quote(SCRIPT)}",
        f"join?code={quote(SCRIPT)}&to={quote(SCRIPT)}",
        f"setup?code={quote(SCRIPT)}&lang={quote(SCRIPT)}",
        f"trust?{quote(SCRIPT)}",
        f"nowhere/{quote(MARK)}",
    ],
)
def test_what_stands_in_an_address_is_text(watched: Page, one_hall: Hall, path: str) -> None:
    watched.goto(f"{one_hall.url}{path}")
    watched.wait_for_timeout(200)
    clean(watched)


def test_names_that_this_browser_has_kept_are_text(watched: Page, one_hall: Hall) -> None:
    watched.goto(f"{one_hall.url}login")
    watched.evaluate("mark => localStorage.setItem('cutcard-names', JSON.stringify([mark]))", MARK)
    watched.reload()
    expect(watched.locator("#names .chip").first).to_have_text(MARK)
    clean(watched)


def test_another_site_cannot_put_a_page_into_a_frame(watched: Page, one_hall: Hall) -> None:
    watched.goto("about:blank")
    watched.set_content(f"<iframe src='{one_hall.url}login'></iframe>")
    watched.wait_for_timeout(500)
    (frame,) = watched.frames[1:]
    assert frame.url != f"{one_hall.url}login" or frame.locator("#form").count() == 0


def test_a_bug_tells_nothing_and_is_as_guarded_as_any_answer(
    one_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_view: RoomView) -> NoReturn:
        raise ZeroDivisionError("a secret of the house")

    monkeypatch.setattr(clock, "desk", broken)
    with one_hall.client("viewer") as client:
        answer = client.get("clock.json")
    assert answer.status_code == 500
    assert answer.json() == {"error": "this room has a bug: see its log"}
    assert HEADERS.items() <= answer.headers.items()
