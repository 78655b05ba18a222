"""The clock's desk fills in what follows, says so, and takes what somebody types instead."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.desk_page import BY, anew, field, opened, part, view
from tests.web.hall import Hall

FROM_ENTRIES = "entries less players out"


@pytest.fixture
def phone(shared: Hall, phone: Page) -> Page:
    """The desk's tournament, of which nothing was told."""
    opened(phone, anew(shared))
    part(phone, "game")
    return phone


def closed(page: Page) -> None:
    expect(page.locator("dialog")).to_have_count(0)


def told(hall: Hall, **fields: object) -> None:
    hall.do(lambda: hall.room.act("tournament", {**BY, **fields}))


def saved(page: Page, **typed: str) -> None:
    page.get_by_test_id("edit").tap()
    for name, text in typed.items():
        field(page, name).fill(text)
    page.get_by_test_id("game-save").tap()
    closed(page)


def test_entries_fill_in_the_rest_and_a_player_out_is_taken_from_them(
    phone: Page, shared: Hall
) -> None:
    note, known = phone.locator("#players-note"), phone.locator("#known")
    expect(note).to_be_empty()
    expect(phone.get_by_test_id("players")).to_have_text("–")
    expect(known).to_have_text("Starting stackfrom the structure10,000")
    told(shared, entries=20)
    expect(phone.get_by_test_id("players")).to_have_text("20")
    expect(note).to_have_text(FROM_ENTRIES)
    phone.get_by_test_id("bust").tap()
    expect(phone.locator("dialog .live")).to_have_text("Place 20")
    field(phone, "player").fill("Cleo")
    phone.get_by_test_id("out-save").tap()
    closed(phone)
    expect(phone.get_by_test_id("players")).to_have_text("19")
    expect(known).to_have_text(
        "Starting stackfrom the structure10,000"
        "Chips in playentries times starting stack200,000Average stack10,526"
    )
    phone.locator("#entered [data-count='1']").tap()
    expect(phone.get_by_test_id("players")).to_have_text("20")
    expect(phone.locator("#finishes li")).to_contain_text("Place 21: Cleo")
    phone.locator("#entered [data-count='-1']").tap()
    expect(phone.locator("#finishes li")).to_contain_text("Place 20: Cleo")
    phone.get_by_label("Back in: Place 20: Cleo").tap()
    expect(phone.get_by_test_id("players")).to_have_text("20")
    expect(known).to_contain_text("Average stack10,000")


def test_what_is_typed_holds_until_the_field_is_cleared(phone: Page, shared: Hall) -> None:
    note, known = phone.locator("#players-note"), phone.locator("#known")
    told(shared, entries=20)
    expect(note).to_have_text(FROM_ENTRIES)
    phone.get_by_test_id("edit").tap()
    for name, follows in (
        ("players_left", "20"),
        ("starting_stack", "10,000"),
        ("chips", "200,000"),
    ):
        assert field(phone, name).input_value() == ""
        assert field(phone, name).get_attribute("placeholder") == follows
    expect(phone.locator("dialog")).to_contain_text(f"empty: {FROM_ENTRIES}")
    phone.click("dialog .cancel")
    saved(phone, players_left="15", chips="150,000")
    expect(phone.get_by_test_id("players")).to_have_text("15")
    expect(note).to_have_text("as typed")
    expect(known).to_contain_text("Chips in playas typed150,000Average stack10,000")
    told(shared, entries=21)
    expect(phone.get_by_test_id("entered")).to_have_text("21")
    expect(phone.get_by_test_id("players")).to_have_text("15")
    saved(phone, players_left="", chips="")
    expect(phone.get_by_test_id("players")).to_have_text("21")
    expect(note).to_have_text(FROM_ENTRIES)
    expect(known).to_contain_text("starting stack210,000Average stack10,000")
    assert view(shared).told.players_left is None


def test_one_tap_on_players_left_is_a_number_that_was_typed(phone: Page, shared: Hall) -> None:
    told(shared, entries=20)
    expect(phone.get_by_test_id("players")).to_have_text("20")
    phone.locator("#players [data-count='-1']").tap()
    expect(phone.get_by_test_id("players")).to_have_text("19")
    expect(phone.locator("#players-note")).to_have_text("as typed")
