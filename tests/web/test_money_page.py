"""The page of the evening's money as a director uses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from controller.room.payouts import lines
from display.web.money import account
from tests.web.clockroom import ClockRoom, clock_room
from tests.web.desk_page import field
from tests.web.players_page import NAMES, answers, emptied, seated, tapped, undo
from tests.web.players_page import opened as players_opened
from tests.web.test_players_sizes import SIDEWAYS, SMALL

MEASURES = (Path(__file__).parent / "measures.js").read_text()


@pytest.fixture
def room() -> Iterator[ClockRoom]:
    with clock_room() as running:
        yield emptied(running)


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def opened(page: Page, room: ClockRoom, query: str = "") -> Page:
    room.sign_in(page, "director", "Dorothea")
    page.goto(f"{room.url}money{query}")
    expect(page.locator("body[data-acts]")).to_be_visible()
    page.evaluate("document.fonts.ready")
    return page


def line(page: Page, text: str) -> Locator:
    return page.locator("#lines tbody tr", has_text=text)


def evening(room: ClockRoom) -> ClockRoom:
    """Four at 50.00 with a fee of 5.00, of whom the first has paid; the last one is out."""
    seated(room, *NAMES)
    room.act("start")
    room.act("money", buy_in=5_000, fee=500, currency="€")
    room.act("correct", player="p1", paid=True)
    room.act("bust", entrant="p4")
    return room


def test_prices_are_set_and_what_is_owed_is_ticked_off(laptop: Page, room: ClockRoom) -> None:
    seated(room, *NAMES)
    opened(laptop, room)
    expect(laptop.get_by_test_id("purse")).to_have_text("–")
    laptop.get_by_test_id("ask-prices").click()
    field(laptop, "buy_in").fill("50")
    field(laptop, "fee").fill("5,50")
    field(laptop, "currency").fill("€")
    laptop.get_by_test_id("prices-save").click()
    answers(laptop, "Prices saved")
    expect(laptop.get_by_test_id("purse")).to_have_text("€200")
    expect(laptop.get_by_test_id("owed")).to_have_text("€222")
    first = laptop.locator("#owing li").first
    expect(first).to_contain_text(NAMES[0])
    first.get_by_role("button").click()
    answers(laptop, "has paid")
    expect(laptop.get_by_test_id("collected")).to_have_text("€55.50")
    undo(laptop)
    expect(laptop.get_by_test_id("collected")).to_have_text("€0")


def test_a_rebuy_that_was_announced_is_owed(laptop: Page, room: ClockRoom) -> None:
    """RR7-T-33, UK-25, TDA09-19, TDA24-27."""
    evening(room).act("offer", what="rebuy")
    players_opened(laptop, room)
    tapped(laptop, NAMES[0], "rebuy")
    laptop.get_by_test_id("buy-behind").click()
    answers(laptop, "Rebuy")
    opened(laptop, room)
    first = laptop.locator("#owing li").first
    expect(first).to_contain_text("rebuy")
    expect(first).to_contain_text("€50")


def test_prizes_are_typed_and_what_is_wrong_is_said(laptop: Page, room: ClockRoom) -> None:
    """HPT-PAY-01."""
    evening(room)
    opened(laptop, room)
    laptop.get_by_test_id("ask-split").click()
    field(laptop, "way").select_option("percentages")
    field(laptop, "typed").fill("50\n30\n10")
    laptop.get_by_test_id("split-save").click()
    expect(laptop.locator("dialog .refusal")).to_contain_text("90.00 %: 10.00 % too little")
    field(laptop, "typed").fill("50\n30\n20")
    laptop.get_by_test_id("split-save").click()
    answers(laptop, "Prizes saved")
    expect(laptop.locator("#lines tbody tr")).to_have_count(3)
    expect(laptop.locator("#lines td.amount")).to_have_text(["€100", "€60", "€40"])


def test_a_deal_is_paid_and_who_paid_is_said(laptop: Page, room: ClockRoom) -> None:
    """HPT-WIN-03, RR7-T-37."""
    evening(room).act("payout", hundredths=[5_000, 3_000, 2_000])
    room.act("bust", entrant="p3")
    opened(laptop, room)
    laptop.get_by_test_id("ask-deal").click()
    expect(laptop.locator("dialog .live")).to_contain_text("€160")
    for name, amount in zip(NAMES[:2], ("80", "75"), strict=True):
        laptop.get_by_label(name).fill(amount)
    laptop.get_by_label("Pay by this deal").check()
    laptop.get_by_test_id("deal-save").click()
    expect(laptop.locator("dialog .refusal")).to_contain_text("5.00 less than the prizes")
    laptop.get_by_label("For the winner").fill("5")
    laptop.get_by_test_id("deal-save").click()
    answers(laptop, "Deal noted")
    expect(laptop.get_by_test_id("deals")).to_contain_text("Paid by this deal")
    line(laptop, NAMES[1]).get_by_role("button").click()
    expect(laptop.get_by_test_id("paid-out")).to_have_text("€75")
    undo(laptop)
    room.act("bust", entrant="p2")
    expect(line(laptop, NAMES[0]).locator(".amount")).to_have_text("€85")
    line(laptop, NAMES[0]).get_by_role("button").click()
    answers(laptop, "has been paid")
    expect(line(laptop, NAMES[0])).to_contain_text("paid by Dorothea")
    expect(laptop.get_by_test_id("paid-out")).to_have_text("€85")
    undo(laptop)
    expect(laptop.get_by_test_id("paid-out")).to_have_text("€0")


def test_the_sheet_and_the_file_have_every_cent(laptop: Page, room: ClockRoom) -> None:
    """HPT-PAY-01."""
    evening(room).act("bust", entrant="p3")
    opened(laptop, room)
    assert sum(each.amount for each in lines(account(room.room.view()))) == 20_000
    laptop.get_by_role("link", name="Payout sheet to print").click()
    expect(laptop.locator("tbody tr")).to_have_count(2)
    expect(laptop.locator("dl .all dd")).to_have_text("€200")
    saved = laptop.request.get(f"{room.url}payouts.csv").text().splitlines()
    assert saved[0].lstrip("\ufeff") == "place,shared,name,id,amount,deal,paid,paid_by,paid_at"
    assert [row.split(",")[4] for row in saved[1:]] == ["117.00", "83.00"]


@pytest.mark.parametrize(
    ("size", "language"),
    [((360, 640), "de"), ((390, 844), "fr"), ((800, 1280), "es"), ((1280, 800), "de")],
)
def test_everything_fits_a_thumb_and_nothing_goes_sideways(
    browser: Browser, room: ClockRoom, size: tuple[int, int], language: str
) -> None:
    evening(room)
    room.act("enter", name="Wolfeschlegelsteinhausenbergerdorff-Maximilianus the Younger")
    room.act("money", buy_in=1_234_567, guarantee=10**9, currency="CHF")
    room.act("payout", places=3)
    for player in ("p5", "p3"):
        room.act("bust", entrant=player)
    gone = next(each.finish for each in lines(account(room.room.view())) if each.finish)
    room.act("pay-out", finish=gone)
    room.act("money", guarantee=10**9 + 5)
    shares = [{"player": "p1", "amount": 12_345_678}, {"player": "p2", "amount": 1}]
    room.act("deal", shares=shares, at_stake=5, text="Whoever wins drives the other one home")
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 1000
    )
    page = opened(context.new_page(), room, f"?lang={language}")
    expect(page.locator("#lines tbody tr")).to_have_count(3)

    def troubles() -> list[str]:
        texts: list[dict[str, Any]] = page.evaluate(MEASURES)
        faint = [f"{t['text']} {t['contrast']:.1f}" for t in texts if t["contrast"] < 7]
        wide = page.evaluate(SIDEWAYS)
        return [*page.evaluate(SMALL), *faint, *([f"scrolls by {wide}"] if wide > 0 else [])]

    for name, buttons in (("paid-in", ("ask-prices",)), ("prizes", ("ask-split", "ask-deal"))):
        shown = page.locator(f"[data-show={name}]")
        if shown.is_visible():
            shown.click()
        assert troubles() == [], name
        for button in buttons:
            page.get_by_test_id(button).click()
            assert troubles() == [], button
            page.click("dialog .cancel")
    page.goto(f"{room.url}money/sheet?lang={language}")
    assert page.evaluate(SIDEWAYS) <= 0
    context.close()
