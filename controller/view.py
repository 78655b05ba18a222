"""The public picture of a table: a fold over the engine's events and nothing else.

Because events cannot hold a tag or a face-down card, neither can this. It is what the
dealer's screen draws and what MQTT publishes as `hand`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.events import Basis, Blinds, PhaseName, Priority, RulingText

SeatState = Literal["live", "folded", "all-in", "out"]


class SeatView(Struct, frozen=True, omit_defaults=True):
    """One seat of the running hand. `bet` is what it has in on this round, if known."""

    seat: int
    state: SeatState = "live"
    player: str | None = None
    stack: int | None = None
    bet: int | None = None
    last_action: str | None = None
    tabled: tuple[str, ...] = ()


class FindingView(Struct, frozen=True, omit_defaults=True):
    """An open finding; `t` is when it was established."""

    id: int
    code: str
    title: str
    priority: Priority
    basis: Basis
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    ruling: RulingText
    t: float


class TableView(Struct, frozen=True, omit_defaults=True):
    """The hand as it stands. `phase` is None before the first hand.

    `prompt` is the next step in words; `to_act` the seat whose turn it is, where known.
    `links` are the bridge's links that are not well, in words.
    """

    table: str
    rulebook: str
    hand: int = 0
    phase: PhaseName | None = None
    button: int = 0
    blinds: Blinds | None = None
    seats: tuple[SeatView, ...] = ()
    board: tuple[str, ...] = ()
    to_act: int | None = None
    prompt: str = ""
    findings: tuple[FindingView, ...] = ()
    floor: Literal["", "called", "coming"] = ""
    links: tuple[str, ...] = ()
    pot: int | None = None
