"""The page of the players with a ruler, and its papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.room.balance import Halted, Mover, ProposedBreak, ProposedMove
from controller.room.seat_draw import AtSeat
from controller.room.seating import ProposedOut, SeatDiffers, TableSeating
from tests.web.clockroom import ClockRoom
from tests.web.players_page import NAMES, opened, part, row, seated

MEASURES = (Path(__file__).parent / "measures.js").read_text()
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
SMALL = """() => {
  const dialogs = document.querySelectorAll("dialog");
  const top = dialogs[dialogs.length - 1] || document;
  return [...top.querySelectorAll("button, a, input, select, textarea")]
    .filter((each) => each.getClientRects().length)
    .map((each) => [each.textContent || each.id || each.name, each.getBoundingClientRect()])
    .filter(([, r]) => r.width < 44 || r.height < 44 || r.left < 0 || r.right > innerWidth)
    .map(([name, r]) => `${name} ${r.width}x${r.height} at ${r.left}`);
}"""


@pytest.mark.parametrize(
    ("size", "language"),
    [((360, 640), "de"), ((390, 844), "fr"), ((800, 1280), "es"), ((1280, 800), "de")],
)
def test_everything_fits_a_thumb_and_nothing_goes_sideways(
    browser: Browser,
    room: ClockRoom,
    seen: dict[str, Any],
    size: tuple[int, int],
    language: str,
) -> None:
    seated(room, *NAMES)
    room.act("enter", name="Wolfeschlegelsteinhausenbergerdorff-Maximilianus the Younger")
    room.act("mark", player="p2", status="absent")
    room.act("late", level=6)
    seen["proposed"] = (ProposedOut("T1", 1, "p1", NAMES[0], 31),)
    movers = [Mover(f"p{n}", NAMES[n - 1], AtSeat("T1", n)) for n in (1, 2)]
    cites = ("HPT-MOVE-01", "HPT-MOVE-02", "HPT-MOVE-03")
    to = AtSeat("T2", 4)
    seen["to_move"] = (
        ProposedMove(movers[0], to, "all", cites, (movers[1],), low_card=True),
        ProposedMove(movers[0], to, "hand", cites),
    )
    seen["to_break"] = ProposedBreak(("T2",), ("T1",), True, 18, cites)
    seen["halted"] = (Halted("T2", 3, ("UK-09C",)),)
    seen["seating"] = (TableSeating("T1", "away", "", (SeatDiffers(2, "B"), SeatDiffers(9))),)
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 1000
    )
    page = opened(context.new_page(), room, f"?lang={language}")

    def troubles() -> list[str]:
        texts: list[dict[str, Any]] = page.evaluate(MEASURES)
        faint = [f"{t['text']} {t['contrast']:.1f}" for t in texts if t["contrast"] < 7]
        wide = page.evaluate(SIDEWAYS)
        return [*page.evaluate(SMALL), *faint, *([f"scrolls by {wide}"] if wide > 0 else [])]

    for name in ("players", "tables"):
        part(page, name)
        assert troubles() == [], name
    for button in ("tables", "draw", "late-ask", "even"):
        page.get_by_test_id(button).click()
        assert troubles() == [], button
        page.click("dialog .cancel")
    part(page, "players")
    page.get_by_test_id("import").click()
    assert troubles() == []
    page.click("dialog .cancel")
    for act in ("seat", "out", "apart", "rename", "withdraw"):
        row(page, NAMES[1]).click()
        assert troubles() == []
        page.get_by_test_id(f"player-{act}").click()
        assert troubles() == [], act
        page.click("dialog .cancel")
    row(page, NAMES[1]).click()
    page.get_by_test_id("player-stand").click()
    expect(page.get_by_test_id("undo")).to_be_visible()
    assert troubles() == []
    for paper in ("cards", "list"):
        page.goto(f"{room.url}players/{paper}?lang={language}")
        assert page.evaluate(SIDEWAYS) <= 0
    context.close()


def test_eight_cards_go_on_a_sheet(laptop: Page, room: ClockRoom) -> None:
    seated(room, *(f"Player {n}" for n in range(1, 10)))
    opened(laptop, room)
    laptop.get_by_role("link", name="Seat cards to print").click()
    expect(laptop.locator("article")).to_have_count(9)
    pages = laptop.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert pages == 2
    laptop.emulate_media(media="print")
    expect(laptop.locator("#bar")).to_be_hidden()
    box = laptop.locator(".sheet").first.bounding_box()
    assert box is not None
    assert box["height"] <= 277 * 96 / 25.4  # A4 without its margins
