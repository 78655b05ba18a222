"""The page Tables in a real browser: a code for a table, and no table more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from controller.install.pair.answers_file import read_answers
from controller.install.pair.meeting import authority_at, paired
from controller.pairing.codes import typed
from controller.pairing.proof import in_rows
from tests.install.pair.conftest import Room, room
from tests.web.hall import Hall

__all__ = ["room"]


@pytest.mark.parametrize("width", [320, 1280])
def test_an_admin_adds_a_table_and_removes_it(browser: Browser, room: Room, width: int) -> None:
    cookie = room.admin.headers["Cookie"].partition("=")
    context = browser.new_context(viewport={"width": width, "height": 800})
    context.add_cookies([{"name": cookie[0], "value": cookie[2], "url": room.url}])
    page = context.new_page()
    page.goto(f"{room.url}tables?lang=en")
    expect(page.locator("#none")).to_be_visible()
    expect(page.locator("#compare")).to_be_hidden()
    page.click("#add")
    page.fill("[name=table]", "a b")
    page.click("#ask-yes")
    expect(page.locator("#ask-told")).to_contain_text("'a b' is not a name")
    page.fill("[name=table]", "7")
    page.click("#ask-yes")
    offer = page.locator("[data-offer='7']")
    expect(offer).to_contain_text("Waiting for table 7")
    expect(offer).to_contain_text("Good for another 9 min")
    assert page.locator("#compare .rows span").all_inner_texts() == list(in_rows(room.fingerprint))
    with page.expect_download() as loading:
        offer.locator("a").click()
    answers = read_answers(loading.value.path())
    assert answers.fingerprint == "".join(in_rows(room.fingerprint)).replace(" ", "")
    assert answers.address is None  # by 127.0.0.1 no table finds this room
    code = typed(offer.locator(".code").inner_text())
    assert answers.code == code
    assert code is not None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    paired(room.address, authority_at(room.address), code)
    expect(offer).to_have_count(0)
    table = page.locator("[data-table='7']")
    expect(table).to_contain_text("Not connected")
    table.locator("[data-act=rename]").click()
    page.fill("[name=table]", "final")
    page.click("#ask-yes")
    expect(page.locator("[data-offer=final]")).to_contain_text("so far table 7")
    page.click("[data-offer=final] [data-act=withdraw]")
    expect(page.locator("[data-offer=final]")).to_have_count(0)
    table.locator("[data-act=remove]").click()
    expect(page.locator("#ask-title")).to_have_text("Remove table 7?")
    page.click("#ask-yes")
    expect(table).to_have_count(0)
    context.close()


def test_a_room_whose_broker_lets_no_tables_pair_says_so(fresh_hall: Hall) -> None:
    with fresh_hall.client("admin", "Ada") as client:
        page = client.get("tables?lang=en").text
        assert "cannot add tables by code yet" in page
        assert re.search(r"<button[^>]*id=\"add\"", page) is None
        assert client.get("tables.json").status_code == 404
        assert client.post("tables/add", json={"table": "7"}).status_code == 404
        assert 'href="/tables"' in client.get("/").text
    with fresh_hall.client("director", "Dora") as client:
        assert client.get("tables.json").status_code == 403
        assert 'href="/tables"' not in client.get("/").text
        assert client.post("tables/add", json={"table": "7"}).status_code == 403


def test_the_page_names_the_manual() -> None:
    assert (Path(__file__).parents[2] / "docs" / "pairing.md").is_file()
