"""An error on the felt, on its way round: read by the table's service, shown on a floorperson's
phone, taken and ruled there, told at the dealer's screen, closed everywhere, put right on the felt.
Nothing in between stands for something else but the cards and the hands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pygame
import pytest
from playwright.async_api import Locator, Page, async_playwright, expect

from controller.broker.own import find_mosquitto
from controller.contract.cards import CARDS
from display.web.serving.access.who import COOKIE
from tests.display_dealer.test_dealer_at_the_service import Screen
from tests.journal.lines import kept as kept_lines
from tests.table.felt import Felt, Room, a_table, pause, play_to_a_four_card_flop
from tests.waiting import until
from tests.web.chromium import CHROMIUM, FLAGS
from tests.web.floor_page import STILL
from tests.web.hall import EVENING, Hall

ALERT = "T1/1"

pytestmark = pytest.mark.skipif(
    find_mosquitto() is None or not CHROMIUM.exists(), reason="mosquitto or chromium not installed"
)


@asynccontextmanager
async def a_phone(hall: Hall, name: str) -> AsyncIterator[Page]:
    """The floor's page on the phone of somebody who is signed in."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        kept = await asyncio.to_thread(hall.cookie, "floor", name)
        await context.add_cookies([{"name": COOKIE, "value": kept, "url": hall.url}])
        phone = await context.new_page()
        await phone.goto(f"{hall.url}floor")
        await expect(phone.locator("#who")).to_have_text(name)
        await expect(phone.locator("#summary")).not_to_be_empty()
        yield phone
        await browser.close()


def button(phone: Page, name: str) -> Locator:
    return phone.locator(f"{STILL} .card[data-key='{ALERT}'] [data-act={name}]")


def said(screen: Screen) -> str:
    return " · ".join(one.text for one in screen.window.screen.labels)


async def put_right(felt: Felt, screen: Screen) -> None:
    before = said(screen)
    for card in CARDS[7:11]:
        felt.virtual.take("board", felt.tags[card])
    await screen.until(lambda: said(screen) != before)
    await pause(2.0)  # the first to be missed are told; a hand takes all four before it deals on
    for card in CARDS[11:14]:
        felt.place("board", card)
        await pause(0.15)


async def _round(felt: Felt, room: Room, screen: Screen, phone: Page) -> None:
    await play_to_a_four_card_flop(felt)
    card = phone.locator(f".card[data-key='{ALERT}']")
    await expect(card).to_contain_text("Four-card flop")
    await screen.until(lambda: "Four-card flop" in said(screen))

    await button(phone, "take").tap()
    await screen.until(lambda: "Ann" in screen.enabled.get("call-floor", ""))
    await expect(card.get_by_test_id("owner")).to_contain_text("the table knows you are coming")

    await button(phone, "rule").tap()
    await expect(card.get_by_test_id("owner")).to_have_text(
        "Ruled: redeal the flop, by Ann. Closed; can be changed until the next riffle."
    )
    await screen.until(lambda: "Ann: Redeal the flop" in said(screen))
    assert "Four-card flop" not in said(screen)
    await expect(phone.locator("#summary")).to_have_text("No open alerts")
    await until(lambda: room.last("T1/alerts/1") is None)

    await put_right(felt, screen)
    await screen.until(lambda: "Seat 1 to act" in said(screen))
    assert [one["code"] for one in room.events("finding")] == ["four-card-flop"]
    assert [one["how"] for one in room.events("closed")] == ["ruled"]
    lines = [json.loads(line)["o"] for line in kept_lines(felt.folder / "journal.sqlite")]
    [decided] = [line for line in lines if line["kind"] == "floor" and line["input"] == "ruling"]
    assert (decided["by"], decided["outcome"]) == ("Ann", "redeal-flop")


async def _everything(folder: Path) -> None:
    async with a_table(folder) as (felt, room, broker):
        hall, screen = Hall(broker, EVENING, [], site="demo"), Screen(felt)
        await asyncio.to_thread(hall.start)
        try:
            async with a_phone(hall, "Ann") as phone:
                await _round(felt, room, screen, phone)
        finally:
            await asyncio.to_thread(hall.stop)
            screen.link.close()
            pygame.display.quit()


def test_an_error_on_the_felt_goes_round_and_is_closed_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    asyncio.run(_everything(tmp_path))
