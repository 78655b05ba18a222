"""Two decks at a table: the dealer changes them, or the first cards show that they were changed;
a kill -9 after that leaves the same deck in play. A strange deck is one message."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from controller.contract.cards import CARDS
from tests.journal.lines import kept as kept_lines
from tests.table.felt import SEATS, Felt, Room, a_table, make_deck, pause
from tests.waiting import until

DECKS = {"red": make_deck(1), "blue": make_deck(2)}
STRANGE = make_deck(3)


def view(room: Room) -> dict[str, Any]:
    shown: dict[str, Any] = (room.last("T1/hand") or {}).get("view", {})
    return shown


async def deal(felt: Felt, deck: dict[str, str], *, first: int = 0, riffle: bool = True) -> None:
    """Deals from `first` on, to the left of the button: seat 1 in the first hand, then seat 2."""
    if riffle:
        await felt.enter(kind="riffle")
        await felt.shows(phase="deal")
    turn = list(SEATS)[first:] + list(SEATS)[:first]
    for card, seat in zip(CARDS[:6], turn * 2, strict=True):
        felt.virtual.place(f"seat/{seat}", deck[card])
        await pause(0.5)


async def end_hand(felt: Felt, room: Room, deck: dict[str, str]) -> None:
    await felt.shows(phase="preflop")
    await felt.enter(kind="dealer", input="award")
    await until(lambda: view(room).get("phase") == "complete")
    for card in CARDS[:6]:
        for seat in SEATS:
            felt.virtual.take(f"seat/{seat}", deck[card])
    await pause(3.0)


async def killed_and_back(felt: Felt, room: Room) -> None:
    session = (room.last("T1/hand") or {})["session"]
    await felt.kill()
    await until(lambda: (room.last("T1/$state") or {})["state"] == "lost")
    await felt.start()
    await until(lambda: (room.last("T1/hand") or {})["session"] != session)
    await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
    await until(lambda: all("not watched" in words for words in view(room).get("links", ())))


def journal(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in kept_lines(folder / "journal.sqlite")]


def changes(folder: Path) -> list[str]:
    """The decks that came into play after the table was set up, as the journal has them."""
    return [line["n"] for line in journal(folder) if line["o"]["kind"] == "deck"][2:]


def nothing_names_a_tag(folder: Path, room: Room) -> None:
    tags = [tag for deck in (*DECKS.values(), STRANGE) for tag in deck.values()]
    kept = b"".join(path.read_bytes() for path in folder.glob("journal.sqlite*"))
    heard = b"".join(payload for _, payload in room.messages)
    said = (folder / "said").read_bytes()
    for tag in tags:
        for text in (kept, heard, said):
            assert tag.encode() not in text.upper()
    lines = json.dumps(journal(folder))
    assert not any(f'"{card}"' in lines for card in CARDS)


def test_the_dealer_changes_decks_between_hands(tmp_path: Path) -> None:
    asyncio.run(_the_dealer_changes(tmp_path))


async def _the_dealer_changes(folder: Path) -> None:
    async with a_table(folder, decks=DECKS) as (felt, room, _):
        heard = await asyncio.open_unix_connection(folder / "dealer.sock")
        await until(lambda: view(room).get("deck"))
        assert (view(room)["deck"], view(room)["decks"]) == ("red", ["red", "blue"])
        await deal(felt, DECKS["red"])
        await felt.enter(kind="deck-change", deck="blue")  # a hand is open
        await end_hand(felt, room, DECKS["red"])
        await until(lambda: view(room).get("deck") == "red")
        await felt.enter(kind="deck-change", deck="blue")
        await until(lambda: view(room)["deck"] == "blue")
        for key in (False, True):
            if key:
                (folder / "keys" / "hand.key").unlink()
            await killed_and_back(felt, room)
            await until(lambda: view(room).get("deck") == "blue")
        await deal(felt, DECKS["blue"], first=1)
        await until(lambda: view(room).get("phase") == "preflop")
        assert changes(folder) == ["blue"]
        assert room.events("finding") == []
        nothing_names_a_tag(folder, room)
        shown = await heard[0].read(1 << 20)
        assert b"E0040150" not in shown
        assert not any(f'"{card}"'.encode() in shown for card in CARDS)
        heard[1].close()


def test_the_first_card_after_the_riffle_shows_that_decks_were_changed(tmp_path: Path) -> None:
    asyncio.run(_riffled(tmp_path))


async def _riffled(folder: Path) -> None:
    async with a_table(folder, decks=DECKS) as (felt, room, _):
        await deal(felt, DECKS["red"])
        await end_hand(felt, room, DECKS["red"])
        await deal(felt, DECKS["blue"], first=1)
        await until(lambda: view(room).get("phase") == "preflop")
        await until(lambda: view(room).get("deck") == "blue")
        await killed_and_back(felt, room)  # in the middle of its hand
        assert (view(room)["deck"], view(room)["phase"]) == ("blue", "preflop")
        for seat, label in ((1, "all-in"), (2, "all-in"), (3, "fold")):
            await felt.shows(to_act=seat)
            felt.virtual.press(seat, label)
        await felt.shows(to_act=None)
        await felt.enter(kind="dealer", input="tabled", seat=2)
        await until(lambda: room.events("tabled"))
        [tabled] = room.events("tabled")
        assert tabled["cards"] == [CARDS[0], CARDS[3]]  # the cards of the blue deck
        assert room.events("finding") == []
        assert changes(folder) == ["blue"]
        kinds = [line["o"]["kind"] for line in journal(folder)]
        change = len(kinds) - 1 - kinds[::-1].index("deck")
        told = journal(folder)[change + 1]
        assert kinds[change - 1 : change + 2] == ["riffle", "deck", "seen"]
        assert told["o"]["zone"] == "seat/2"
        assert told["c"] == "card"


def test_an_implied_hand_is_dealt_with_the_deck_that_came(tmp_path: Path) -> None:
    asyncio.run(_implied(tmp_path))


async def _implied(folder: Path) -> None:
    async with a_table(folder, decks=DECKS) as (felt, room, _):
        await deal(felt, DECKS["red"], riffle=False)
        await until(lambda: view(room).get("phase") == "preflop")
        await end_hand(felt, room, DECKS["red"])
        felt.virtual.place("seat/1", DECKS["blue"][CARDS[40]])  # it only passes by
        await pause(1.0)
        felt.virtual.take("seat/1", DECKS["blue"][CARDS[40]])
        await pause(6.0)
        await until(lambda: view(room).get("deck") == "red")
        await deal(felt, DECKS["blue"], first=1, riffle=False)
        await until(lambda: view(room).get("phase") == "preflop")
        assert (view(room)["deck"], view(room)["hand"]) == ("blue", 2)
        await killed_and_back(felt, room)
        await until(lambda: view(room).get("deck") == "blue")
        await end_hand(felt, room, DECKS["blue"])
        (folder / "keys" / "hand.key").unlink()
        await killed_and_back(felt, room)
        await deal(felt, DECKS["blue"], first=2, riffle=False)
        await until(lambda: view(room).get("hand") == 3)
        assert changes(folder) == ["blue"]
        assert room.events("finding") == []


def test_one_card_of_the_deck_that_rests_is_foreign(tmp_path: Path) -> None:
    asyncio.run(_one_card(tmp_path))


async def _one_card(folder: Path) -> None:
    async with a_table(folder, decks=DECKS) as (felt, room, _):
        mixed = DECKS["red"] | {CARDS[4]: DECKS["blue"][CARDS[4]]}
        await deal(felt, mixed)
        await until(lambda: room.events("finding"))
        [finding] = room.events("finding")
        assert (finding["code"], finding["seats"]) == ("foreign-card", [2])
        await until(lambda: view(room).get("deck") == "red")
        assert changes(folder) == []


def test_a_deck_that_is_not_registered_is_one_message(tmp_path: Path) -> None:
    asyncio.run(_strange_deck(tmp_path))


async def _strange_deck(folder: Path) -> None:
    async with a_table(folder, "uk-tda", decks=DECKS) as (felt, room, _):
        await deal(felt, STRANGE)
        await until(lambda: view(room).get("phase") == "preflop")
        for seat, label in ((3, "call"), (1, "call"), (2, "check")):
            await felt.shows(to_act=seat)
            felt.virtual.press(seat, label)
        await felt.shows(to_act=None)
        felt.virtual.place("burn", STRANGE[CARDS[6]])
        await felt.shows(burns=1)
        for card in CARDS[7:10]:
            felt.virtual.place("board", STRANGE[card])
            await pause(0.15)
        await until(lambda: view(room).get("phase") == "flop")
        await pause(3.0)
        [finding] = view(room)["findings"]
        assert (finding["code"], finding["seats"], finding["priority"]) == ("foreign-card", [], 2)
        assert finding["ruling"]["steps"][0]["id"] == "not-this-deck"
        assert changes(folder) == []
        nothing_names_a_tag(folder, room)
