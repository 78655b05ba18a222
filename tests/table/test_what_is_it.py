"""What is it? asked at the socket of a real table, by taps on the real screen."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pygame

from controller.contract.observations import Observation
from controller.contract.wagered import MOST_CHIPS, WagerQuestion
from controller.table.screens import Screens
from tests.display_dealer.test_dealer_at_the_service import Screen
from tests.table.felt import Felt, Room, a_table
from tests.waiting import until


def test_one_chip_over_the_bet_is_a_call_by_the_books_own_rule(tmp_path: Path) -> None:
    asyncio.run(_one_chip(tmp_path))


async def _one_chip(folder: Path) -> None:
    async with a_table(folder, "uk-tda") as (felt, room, _):
        screen = Screen(felt)
        try:
            await _asked(felt, room, screen)
        finally:
            screen.link.close()
            pygame.display.quit()


def shown(screen: Screen, region: str) -> str:
    labels = screen.window.screen.labels
    return next((one.text for one in labels if one.region == region), "")


async def _asked(felt: Felt, room: Room, screen: Screen) -> None:
    await felt.deal()
    await felt.shows(to_act=3)
    await screen.until(lambda: "pick-seat:3" in screen.enabled)
    await screen.tap("pick-seat:3", "what-is-it", "key:chip:100", "ask")
    await screen.until(lambda: shown(screen, "dialog-main") == "Call 10.")
    assert screen.enabled["wager-why"] == "Why? UK-44"
    # Whoever takes something back asks anew.
    await felt.enter(kind="dealer", input="undo")
    await screen.until(lambda: not shown(screen, "dialog-main"))
    await felt.shows(to_act=3)
    await screen.tap("pick-seat:3", "what-is-it", "key:chip:100", "ask", "wager-why")
    await screen.until(lambda: shown(screen, "dialog-text").startswith("UK-44: "))
    await screen.tap("cancel", "enter-it:0")
    await screen.until(lambda: room.events("action"))
    [act] = room.events("action")
    assert (act["seat"], act["action"], act["amount"]) == (3, "call", 10)
    await felt.shows(to_act=1)
    heard = [payload for topic, payload in room.messages if topic.endswith("T1/hand")]
    assert heard
    assert not [payload for payload in heard if b'"answer"' in payload]


def test_a_screen_asks_what_can_have_been_seen(tmp_path: Path) -> None:
    chip = {"kind": "wager", "seat": 2, "motions": [[100]]}
    lines = (
        chip,
        {"kind": "wager", "seat": 2, "word": "raise", "amount": 500, "first": "chips"},
        {**chip, "first": "together", "unclear": True, "mistaken": True, "unaware": True},
        {"kind": "wager", "seat": 2, "pulled_back": True},
        {**chip, "first": "both"},
        {**chip, "unclear": 1},
        {"kind": "wager", "seat": 9, "word": "call"},
        {**chip, "word": "maybe"},
        {**chip, "motions": [[]]},
        {**chip, "motions": [[0]]},
        {**chip, "motions": [[1]] * 4},
        {**chip, "motions": [[1] * (MOST_CHIPS + 1)]},
        {**chip, "amount": -5},
        {**chip, "t": 3},
        {"kind": "wager"},
        {"kind": "riffle"},
    )
    asked, refused = asyncio.run(_lines(tmp_path / "socket", *lines))
    assert asked == [
        WagerQuestion(2, motions=((100,),)),
        WagerQuestion(2, word="raise", amount=500, first="chips"),
        WagerQuestion(
            2, motions=((100,),), first="together", unclear=True, mistaken=True, unaware=True
        ),
        WagerQuestion(2, pulled_back=True),
        WagerQuestion(9, word="call"),
    ]
    assert refused == 11, "one of a table that is not set up, and what is no question"


async def _lines(path: Path, *lines: object) -> tuple[list[WagerQuestion], int]:
    screens, asked, taken = Screens(path), list[WagerQuestion](), list[Observation]()

    def ask(question: WagerQuestion) -> bool:
        asked.append(question)
        return question.seat != 9

    running = asyncio.create_task(screens.run(taken.append, lambda: 1.0, lambda _: False, ask=ask))
    await until(path.exists)
    _, writer = await asyncio.open_unix_connection(path)
    writer.writelines(json.dumps(line).encode() + b"\n" for line in lines)
    await writer.drain()
    await until(lambda: taken)  # the last line
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    writer.close()
    return asked, screens.refused
