"""A screen may ask for a deck by its name, and for nothing more; a button set by the room leaves
the deck in play."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from controller.contract.cards import CARDS
from controller.contract.observations import Observation, Table, TableBlinds, TableSeat
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.table.anew import with_button
from controller.table.decks import Decks
from controller.table.screens import Screens
from tests.waiting import until

BOTH = {name: {f"04{name[0]}{n:02}": card for n, card in enumerate(CARDS)} for name in ("A1", "B1")}


def test_a_screen_asks_for_a_deck(tmp_path: Path) -> None:
    asked, taken, refused = asyncio.run(
        _asked(
            tmp_path / "socket",
            {"kind": "deck-change", "deck": "blue"},
            {"kind": "deck-change", "deck": "no"},
            {"kind": "deck-change", "deck": "neither"},
            {"kind": "deck-change", "deck": "blue", "t": 3},
            {"kind": "deck-change"},
            {"kind": "deck-change", "deck": {"04AA": "As"}},
            {"kind": "deck-change", "deck": "x" * 65},
            {"kind": "deck", "deck": {"04AA": "As"}},
            {"kind": "riffle"},
        )
    )
    assert asked == ["blue", "no", "neither"]
    assert [type(one).__name__ for one in taken] == ["Riffle"]
    assert refused == 7


async def _asked(path: Path, *lines: object) -> tuple[list[str], list[Observation], int]:
    screens, asked, taken = Screens(path), list[str](), list[Observation]()

    def change(name: str) -> bool:
        asked.append(name)
        return name == "blue"

    running = asyncio.create_task(screens.run(taken.append, lambda: 1.0, change))
    await until(path.exists)
    _, writer = await asyncio.open_unix_connection(path)
    writer.writelines(json.dumps(line).encode() + b"\n" for line in lines)
    await writer.drain()
    await until(lambda: taken)  # the last line
    refused = screens.refused
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    writer.close()
    return asked, taken, refused


def test_the_table_is_set_up_anew_with_the_deck_in_play(library: Library) -> None:
    decks, engine = Decks(BOTH), Engine(library.book)
    seats = tuple(TableSeat(seat=seat, stack=100) for seat in (1, 2, 3))
    blinds = TableBlinds(small=5, big=10)
    table = Table(
        v=1, table="1", rulebook="roberts", seats=seats, button=3, blinds=blinds, deck=decks.deck
    )

    def tell(*told: Observation | None) -> None:
        for one in told:
            assert one is not None
            decks.follow(one)
            engine.observe(one)

    tell(table, *decks.told(0.0))
    assert decks.in_play == "A1"
    tell(decks.change("B1", 1.0))
    assert decks.in_play == "B1"
    state = engine.state()
    assert state is not None
    tell(*with_button(state, 2, deck=decks.deck, lying=(), t=2.0))
    tell(*decks.told(2.0))
    assert (decks.in_play, decks.deck) == ("B1", BOTH["B1"])
    assert set(decks.resting) == BOTH["A1"].keys()


def test_no_repr_names_a_tag() -> None:
    decks = Decks(BOTH)
    assert repr(decks) == "Decks(A1, B1; in play: A1)"
    assert "04A" not in repr(decks.change("B1", 1.0))
    assert decks.change("A1", 1.0) is None
    assert Decks({}).told(1.0) == Decks({"A1": BOTH["A1"]}).told(1.0) == []
    assert (Decks({}).deck, Decks({}).in_play) == (None, "")
