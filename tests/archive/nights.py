"""Events of hands as a table would tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.archive.kept import KeptEvent
from controller.contract.events import (
    Action,
    Blinds,
    Board,
    Closed,
    Event,
    Finding,
    Phase,
    Pot,
    Prompt,
    Result,
    Ruling,
    RulingText,
    Start,
    StartSeat,
    Step,
)

SESSION = "1-18a0"
BEGAN_MS = 1_700_000_000_000


def ruled(outcome: str = "misdeal") -> RulingText:
    return RulingText("roberts", outcome, ("RRP-MD-1",), (Step("collect", "Collect the cards."),))


def a_hand(
    number: int,
    *,
    finding: int | None = None,
    code: str = "burn-missing",
    dealer: str = "Ann",
    redeal_of: int | None = None,
) -> list[Event]:
    """A hand of two: a bet, a call, checked down; with an irregularity that is put right."""
    t = number * 100.0
    seats = (StartSeat(1, 1_000), StartSeat(2, 1_000))
    flop = ("Ah", "Kd", "7c")
    events: list[Event] = [
        Start(t, number, seats, 1, Blinds(5, 10), dealer, redeal_of=redeal_of),
        Phase(t, number, "deal"),
        Phase(t + 5, number, "preflop"),
        Prompt(t + 5, number, "act", {"seat": 1}),
        Action(t + 6, number, 1, "call", "press", 10),
        Action(t + 7, number, 2, "check", "press"),
        Phase(t + 8, number, "flop"),
        Board(t + 9, number, "flop", flop),
    ]
    if finding is not None:
        events += [
            Finding(t + 10, number, finding, code, 2, "unseen", (2,), (), ruled("correct-burn")),
            Ruling(t + 11, number, finding, ruled("floor"), "seen"),
            Closed(t + 12, number, finding, "ruled"),
        ]
    return [
        *events,
        Action(t + 13, number, 2, "fold", "press"),
        Phase(t + 14, number, "complete"),
        Result(t + 14, number, (Pot(20, (1,)),), {"1": 20}, {"1": 1_010, "2": 990}),
    ]


def told(
    hands: Sequence[Sequence[Event]], *, table: str = "T1", session: str = SESSION, first: int = 1
) -> list[KeptEvent]:
    return list(_told(hands, table, session, first))


def _told(
    hands: Sequence[Sequence[Event]], table: str, session: str, first: int
) -> Iterator[KeptEvent]:
    seq = first
    for hand in hands:
        for event in hand:
            by = "Bob" if isinstance(event, Closed) else None
            at = BEGAN_MS + int(event.t * 1_000)
            yield KeptEvent(table, session, seq, at, event, by, by and "burn card shown")
            seq += 1
