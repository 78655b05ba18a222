"""The dealer's window on the socket of a real `cutcard table`: taps, and what the room hears."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pygame

from controller.files.settings import config_dir
from controller.people.pins import hashed
from display.dealer.drawn.window import KEY_BOUNCE, Window
from display.dealer.link import Link
from display.dealer.texts import load
from display.drawing.video import open_display
from tests.table.felt import Felt, Room, a_table, pause, play_to_a_four_card_flop
from tests.waiting import until

PIN = "08154711"


def with_ann(folder: Path) -> None:
    (folder / "floor.toml").write_text(f'"Ann" = "{hashed(PIN)}"\n')
    settings = folder / "table.toml"
    settings.write_text(settings.read_text() + '[floor]\nfile = "floor.toml"\n')


class Screen:
    """The window, stepped while all else goes on."""

    def __init__(self, felt: Felt) -> None:
        self.surface = open_display((800, 480), fullscreen=False)
        self.link = Link(felt.folder / "dealer.sock", time.monotonic())
        texts = load("en", config_dir())
        self.window = Window(self.surface, self.link, texts, config_dir(), time.monotonic)

    async def until(self, true: Callable[[], object]) -> None:
        def holds() -> object:
            self.window.step(0)
            return true()

        await until(holds)

    async def tap(self, *buttons: str) -> None:
        for one in buttons:
            await self.until(lambda name=one: name in self.enabled)  # type: ignore[misc]
            rect = self.window.regions[one]
            where = (rect.x + rect.w // 2, rect.y + rect.h // 2)
            pygame.event.post(
                pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=where, button=1, touch=False)
            )
            self.window.step(0)
            await asyncio.sleep(1.1 * KEY_BOUNCE)

    @property
    def enabled(self) -> dict[str, str]:
        return {one.id: one.label for one in self.window.screen.buttons if one.enabled}


def test_a_floorperson_rules_at_the_screen_and_the_dealer_deals_by_hand(tmp_path: Path) -> None:
    asyncio.run(_at_the_screen(tmp_path))


async def _at_the_screen(folder: Path) -> None:
    async with a_table(folder, prepare=with_ann) as (felt, room, _):
        screen = Screen(felt)
        try:
            await _rules(felt, room, screen)
        finally:
            screen.link.close()
            pygame.display.quit()


async def _rules(felt: Felt, room: Room, screen: Screen) -> None:
    await play_to_a_four_card_flop(felt)
    await screen.tap("floor", *(f"key:{digit}" for digit in PIN[::-1]), "enter")
    await screen.until(lambda: any("Wrong PIN" in one.text for one in screen.window.screen.labels))
    await screen.tap(*(f"key:{digit}" for digit in PIN), "enter")
    await screen.until(lambda: screen.enabled.get("call-floor") == "Floor: Ann")
    await screen.tap("floor-outcome:stands")
    await screen.until(lambda: room.events("closed"))
    assert [one["how"] for one in room.events("closed")] == ["ruled"]
    await screen.tap("call-floor", "floor-sign-out")
    await screen.until(lambda: screen.enabled.get("call-floor") == "Call floor")
    await screen.tap("more", "sensors", "sensors-yes")
    await screen.until(lambda: (room.last("T1/hand") or {})["view"].get("sensors") is False)
    await screen.tap("pick-seat:2", "away")
    await screen.until(lambda: (room.last("T1/hand") or {})["view"].get("absent") == [2])
    await screen.tap("pick-seat:2", "away", "more", "sensors")
    await screen.until(lambda: "absent" not in (room.last("T1/hand") or {})["view"])
    await pause(0.5)
    await screen.until(lambda: "sensors" not in (room.last("T1/hand") or {})["view"])
    # The call: sent, and that the room has it.
    await screen.tap("call-floor")
    await screen.until(lambda: screen.enabled["call-floor"].startswith("Called"))
