"""What the demo's dealer does at the steps of a remedy, and that there is none unknown to it."""

from __future__ import annotations

import asyncio
import random
import tomllib
from collections.abc import Sequence
from typing import Any

import pytest

from controller.contract.view import FindingView
from controller.demo.deck import Deck
from controller.demo.movements import MOVEMENTS, STILL, Movements
from controller.files.settings import config_dir


def test_every_step_of_the_books_is_known_and_no_other() -> None:
    steps: set[str] = set()
    for path in sorted((config_dir() / "rulebooks").glob("*.toml")):
        book = tomllib.loads(path.read_text())
        for ruling in (*book.get("ruling", ()), book.get("silent", {})):
            steps.update(ruling.get("steps", ()))
    assert not MOVEMENTS.keys() & STILL
    assert MOVEMENTS.keys() | STILL == steps


class Hand:
    """A felt on which nothing is sensed, and a hand that goes on by itself."""

    burns = 1

    def place(self, zone: str, card: str) -> None: ...

    def take(self, zone: str, card: str) -> None: ...

    def press(self, seat: int, button: str) -> None: ...

    def enter(self, **fields: Any) -> None: ...  # noqa: ANN401

    def findings(self) -> Sequence[FindingView]:
        return ()

    async def finish_round(self) -> None: ...

    def begin_street(self) -> bool:
        return True

    async def deal_again(self) -> None: ...

    async def move_button(self) -> None: ...


def do(steps: str, street: str, *, board: str, burns: str, faulty: str = "") -> Deck:
    """Does steps on a table where these cards lie, seat 1 with `h1` and `h2`."""

    async def at_once(_: float) -> None: ...

    hand, rng = Hand(), random.Random(1)
    deck = Deck(hand, at_once, rng, ["s1", "s2", "s3"])
    for card in burns.split():
        deck.lay("burn", card)
    for card in board.split():
        deck.lay("board", card)
        deck.board.append(card)
    for card in ("h1", "h2"):
        deck.lay("seat/1", card)
    deck.faulty = faulty.split()
    hands = Movements(hand, deck, rng, hand, street=street, seats=(1,))

    async def run() -> None:
        for step in steps.split():
            await MOVEMENTS[step](hands)

    asyncio.run(run())
    return deck


@pytest.mark.parametrize(
    ("steps", "street", "before", "after"),
    [
        ("second-burn-back deal-street", "turn", ("a b c", "x y z"), ("a b c z", "x y")),
        ("second-burn-back deal-street", "flop", ("", "x y"), ("y s1 s2", "x")),
        ("flop-and-burn-back", "flop", ("a b c", "x y"), ("", "x")),
        ("second-burn-is-card card-on-stub", "turn", ("a b c d", "x y z"), ("a b c z", "x y")),
        ("second-burn-is-card card-on-stub", "river", ("a b c d e", "w x y z"),
         ("a b c d z", "w x y")),
        ("second-burn-is-card card-is-river-burn river-burn-is-river card-on-stub", "turn",
         ("a b c d e", "w x y z"), ("a b c y z", "w x d")),
        ("turn-is-burn river-burn-is-turn river-is-burn next-card-is-river", "turn",
         ("a b c d e", "x y"), ("a b c y s1", "x d e")),
        ("card-is-burn next-card", "turn", ("a b c d", "x"), ("a b c s1", "x d")),
        ("offer-first-card", "turn", ("a b c d e", "x y"), ("a b c d", "x y e")),
        ("offer-first-card", "river", ("a b c d e f", "x y z"), ("a b c d e", "x y z")),
        ("cards-aside burn-one river-is-turn", "turn",
         ("a b c d e", "x y"), ("a b c s2", "x y s1")),
        ("scramble pick-burn", "flop", ("a", "x"), ("", "x a")),
    ],
)  # fmt: skip
def test_board_and_burns_after_the_steps(
    steps: str, street: str, before: tuple[str, str], after: tuple[str, str]
) -> None:
    deck = do(steps, street, board=before[0], burns=before[1])
    assert (" ".join(deck.board), " ".join(deck.at("burn"))) == after
    assert deck.at("board") == deck.board


@pytest.mark.parametrize(
    ("steps", "seat", "stub"),
    [
        ("extra-on-stub", "h1", "h2 s1 s2 s3"),
        ("replace-exposed exposed-is-burn", "h1 s1", "s2 s3"),
        ("boxed-is-scrap next-card-instead", "h1 s1", "s2 s3"),
        ("boxed-to-bottom next-card-instead", "h1 s1", "s2 s3 h2"),
        ("give-next-card", "h1 h2 s1", "s2 s3"),
        ("dead-hand", "", "s1 s2 s3"),
    ],
)
def test_a_hand_after_the_steps(steps: str, seat: str, stub: str) -> None:
    deck = do(steps, "flop", board="", burns="", faulty="h2")
    assert " ".join(deck.at("seat/1")) == seat
    assert " ".join(deck.stub) == stub
