"""Hands in the PHH format: what was dealt and what each player did.

Amounts are scaled to whole chips. Players are numbered from 0, the first one left of the
button; with two players that is the big blind.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.contract.cards import CARDS


class Fold(Struct, frozen=True):
    """Player folds."""

    player: int


class CheckOrCall(Struct, frozen=True):
    """Player checks or calls."""

    player: int


class BetTo(Struct, frozen=True):
    """Player bets or raises to `amount` on this round."""

    player: int
    amount: int


class Show(Struct, frozen=True):
    """Player tables the hand."""

    player: int


class Street(Struct, frozen=True):
    """The next street is dealt."""

    cards: tuple[str, ...]


Act = Fold | CheckOrCall | BetTo | Show | Street


class PlayedHand(Struct, frozen=True):
    """`deck` is the order in which the cards leave it: hole cards by pitch, then burns and
    board; what was never seen is made up."""

    name: str
    stacks: tuple[int, ...]
    blinds: tuple[int, int]
    ante: int
    deck: tuple[str, ...]
    acts: tuple[Act, ...]


class _File(Struct):
    variant: str
    antes: list[float]
    blinds_or_straddles: list[float]
    starting_stacks: list[float]
    actions: list[str]


def read_hand(path: Path, rng: random.Random) -> PlayedHand:
    """Reads a no-limit hold'em hand; raises `ValueError` naming the file for anything else."""
    try:
        file = msgspec.toml.decode(path.read_bytes(), type=_File)
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: {error}") from None
    if file.variant != "NT":
        raise ValueError(f"{path}: variant '{file.variant}' is not no-limit hold'em (NT)")
    amounts = [*file.antes, *file.blinds_or_straddles, *file.starting_stacks]
    scale = 1 if all(a == int(a) for a in amounts) else 100
    hole: dict[int, str] = {}
    acts: list[Act] = []
    for action in file.actions:
        words = action.split("#")[0].split()
        match words:
            case ["d", "dh", player, cards]:
                hole[_player(player)] = cards
            case ["d", "db", cards]:
                acts.append(Street(_pairs(cards)))
            case [player, "f"]:
                acts.append(Fold(_player(player)))
            case [player, "cc"]:
                acts.append(CheckOrCall(_player(player)))
            case [player, "cbr", amount]:
                acts.append(BetTo(_player(player), round(float(amount) * scale)))
            case [player, "sm", *cards]:
                if cards:
                    hole[_player(player)] = cards[0]
                    acts.append(Show(_player(player)))
            case _:
                raise ValueError(f"{path}: action '{action}' is not understood")
    blinds = [round(b * scale) for b in file.blinds_or_straddles if b]
    return PlayedHand(
        name=path.stem,
        stacks=tuple(round(s * scale) for s in file.starting_stacks),
        blinds=(min(blinds), max(blinds)),
        ante=round(max(file.antes) * scale),
        deck=_deck([hole[p] for p in sorted(hole)], acts, rng),
        acts=tuple(acts),
    )


def _deck(hole: Sequence[str], acts: Sequence[Act], rng: random.Random) -> tuple[str, ...]:
    streets = [act.cards for act in acts if isinstance(act, Street)]
    known = {c for cards in hole for c in _pairs(cards)} | {c for s in streets for c in s}
    rest = [card for card in CARDS if card not in known]
    rng.shuffle(rest)
    pairs = [_pairs(cards) for cards in hole]
    deck = [rest.pop() if pair[nth] == "??" else pair[nth] for nth in range(2) for pair in pairs]
    for street in streets:
        deck += [rest.pop(), *street]
    return (*deck, *rest)


def _player(name: str) -> int:
    return int(name[1:]) - 1


def _pairs(cards: str) -> tuple[str, ...]:
    return tuple(cards[i : i + 2] for i in range(0, len(cards), 2))
