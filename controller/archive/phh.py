"""A hand in the PHH format, from its public events: pure.

Hole cards are told only where they were tabled, else they are `????`. What PHH cannot express
is refused with the reason. Source: PHH, the poker hand history file format (variant NT).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from controller.archive.kept import Gap, HandRecord, KeptEvent
from controller.contract.events import (
    Action,
    Blinds,
    Board,
    Event,
    Phase,
    Result,
    Start,
    Tabled,
)
from controller.rules.betting import Betting, Player
from controller.rules.button import positions
from controller.rules.pots import pots
from controller.rules.procedure import RoundName, clockwise

_ROUNDS: dict[str, RoundName] = {"flop": "flop", "turn": "turn", "river": "river"}
_LENGTHS = {"flop": 3, "turn": 4, "river": 5}
_UNSEEN = "????"


class InexpressibleError(ValueError):
    """PHH has no words for this hand; the text says why."""


class _Hand(Struct):
    """What has been written so far; `lines` are actions."""

    betting: Betting
    players: dict[int, int]
    tabled: dict[int, tuple[str, ...]]
    lines: list[str]
    board: tuple[str, ...] = ()
    shown: bool = False


def phh(record: HandRecord) -> str:
    """The file of one hand. Raises InexpressibleError."""
    return "".join(f"{line}\n" for line in _fields(record))


def phhs(records: Iterable[HandRecord]) -> tuple[str, list[tuple[HandRecord, str]]]:
    """A file of several hands, and those that it could not express, with the reason of each."""
    parts: list[str] = []
    left_out: list[tuple[HandRecord, str]] = []
    for record in records:
        try:
            fields = _fields(record)
        except InexpressibleError as error:
            left_out.append((record, str(error)))
        else:
            parts.append("".join(f"{line}\n" for line in (f"[{len(parts) + 1}]", *fields)))
    return "\n".join(parts), left_out


def _posted(blinds: Blinds, players: int) -> list[int]:
    """The antes in the order of `blinds_or_straddles`."""
    if blinds.ante_by == "each":
        return [blinds.ante] * players
    return [0, blinds.ante, *[0] * (players - 2)]


def _fields(record: HandRecord) -> list[str]:
    start, result, events = _whole(record)
    if any(seat.stack is None for seat in start.seats):
        raise InexpressibleError("a stack is not known")
    where = positions(start.button, [seat.seat for seat in start.seats])
    stacks = {seat.seat: seat.stack or 0 for seat in start.seats}
    order = clockwise(stacks, start.button)
    blinds = start.blinds
    hand = _Hand(
        Betting(
            [Player(seat, stacks[seat]) for seat in order],
            button=start.button,
            blinds=(where.small, where.big),
            level=blinds,
        ),
        {seat: n for n, seat in enumerate(order, 1)},
        {e.seat: e.cards for e in events if isinstance(e, Tabled)},
        [],
    )
    _play(hand, events)
    _check(hand, result)
    begun = datetime.fromtimestamp(record.hand.first_ms / 1_000, UTC)
    fields: dict[str, object] = {
        "variant": "NT",
        "ante_trimming_status": False,
        "antes": _posted(blinds, len(order)),
        "blinds_or_straddles": [blinds.small, blinds.big, *[0] * (len(order) - 2)],
        "min_bet": blinds.big,
        "starting_stacks": [stacks[seat] for seat in order],
        "actions": [*_dealt(hand), *hand.lines],
        "time_zone": "UTC",
        "day": begun.day,
        "month": begun.month,
        "year": begun.year,
        "hand": record.hand.hand,
        "table": record.hand.table,
        "seats": order,
        "finishing_stacks": [(result.stacks or {}).get(str(seat), 0) for seat in order],
    }
    lines = [f"{name} = {_toml(value)}" for name, value in fields.items()]
    lines.insert(7, f"time = {begun:%H:%M:%S}")
    codes = [found.code for found in record.hand.findings if found.code]
    return [*lines, f"_findings = {_toml(codes)}"] if codes else lines


def _whole(record: HandRecord) -> tuple[Start, Result, list[Event]]:
    """Begin and end of the hand, and what is between. Raises InexpressibleError."""
    told = [each for each in record.told if isinstance(each, KeptEvent)]
    if not told:
        raise InexpressibleError("its events are no longer kept")
    if any(isinstance(each, Gap) for each in record.told):
        raise InexpressibleError("some of its events are missing")
    events = [each.event for each in told]
    starts = [n for n, event in enumerate(events) if isinstance(event, Start)]
    if not starts:
        raise InexpressibleError("its beginning was not seen")
    events = events[starts[-1] :]
    if any(isinstance(event, Phase) and event.phase == "misdeal" for event in events):
        raise InexpressibleError("it was a misdeal")
    results = [event for event in events if isinstance(event, Result)]
    if not results:
        raise InexpressibleError("it has no result")
    start, result = events[0], results[-1]
    if not isinstance(start, Start) or len(start.seats) < 2:
        raise InexpressibleError("fewer than two players were dealt in")
    if result.stacks is None:
        raise InexpressibleError("who won what is not known")
    return start, result, events[1:]


def _dealt(hand: _Hand) -> list[str]:
    for cards in hand.tabled.values():
        if len(cards) != 2:
            raise InexpressibleError("a hand of other than two cards was tabled")
    return [
        f"d dh p{n} {''.join(hand.tabled.get(seat, ())) or _UNSEEN}"
        for seat, n in hand.players.items()
    ]


def _play(hand: _Hand, events: Sequence[Event]) -> None:
    for event in events:
        match event:
            case Action():
                _act(hand, event)
            case Board():
                _deal(hand, event)
            case _:
                pass
    if hand.betting.next_to_act() is not None:
        raise InexpressibleError("a betting round was not finished")
    _show(hand)


def _act(hand: _Hand, event: Action) -> None:
    betting, name = hand.betting, f"p{hand.players.get(event.seat, 0)}"
    if event.seat not in hand.players or betting.next_to_act() != event.seat:
        raise InexpressibleError("somebody acted out of turn")
    if event.action == "fold":
        betting.fold(event.seat)
        hand.lines.append(f"{name} f")
        return
    before = betting.to_call
    total = betting.act(event.seat, event.action, event.amount)
    if not betting.known or total is None or before is None:
        raise InexpressibleError("an amount is not known")
    hand.lines.append(f"{name} cc" if total <= before else f"{name} cbr {total}")


def _deal(hand: _Hand, event: Board) -> None:
    new = event.cards[len(hand.board) :]
    if event.cards[: len(hand.board)] != hand.board:
        raise InexpressibleError("a card of the board was replaced")
    if len(event.cards) != _LENGTHS[event.street] or not new:
        raise InexpressibleError("the board was corrected")
    if hand.betting.next_to_act() is not None:
        raise InexpressibleError("a street came before the betting was finished")
    if not hand.betting.betting_possible:
        _show(hand)
    hand.board = event.cards
    hand.betting.open_round(_ROUNDS[event.street])
    hand.lines.append(f"d db {''.join(new)}")


def _show(hand: _Hand) -> None:
    """Live hands are tabled, or go to the muck, once there is no betting any more."""
    live = hand.betting.live
    if hand.shown or len(live) < 2:
        return
    hand.shown = True
    tabled = [player.seat for player in live if player.seat in hand.tabled]
    mucked = [player.seat for player in live if player.seat not in hand.tabled]
    for player in live:
        player.mucked = player.seat in mucked
    hand.lines += [f"p{hand.players[seat]} sm {''.join(hand.tabled[seat])}" for seat in tabled]
    if tabled or len(hand.board) == 5:
        hand.lines += [f"p{hand.players[seat]} sm" for seat in mucked]
    if mucked and len(hand.board) < 5:
        raise InexpressibleError("an all-in hand was not tabled")
    if not tabled:
        raise InexpressibleError("nobody's hand was tabled")


def _check(hand: _Hand, result: Result) -> None:
    """What was put in has to be what was won: else blinds were posted that nobody told of."""
    made = sum(pot.amount for pot in pots(list(hand.betting.players.values())))
    if made != sum(pot.amount for pot in result.pots):
        raise InexpressibleError("the pots don't match the bets")


def _toml(value: object) -> str:
    """A number, a truth, a text or a list of these, as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
