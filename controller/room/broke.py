"""Who has nothing left after a hand: pure. Whether he is out, people say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Event, Result, Start
from controller.contract.view import TableView
from controller.room.register import Player, Register
from controller.room.seat_draw import AtSeat
from controller.room.seating import ProposedOut, SeatTold, is_over, sitting


class BrokeAt(Struct, frozen=True):
    """Who had nothing left at a seat, by his entry, after which hand, and with what he began it, if
    that is known."""

    entrant: str
    hand: int
    began: int | None = None


class Broke(Struct, frozen=True):
    """The seats of a table at which nothing was left. `began` are the stacks with which its hand
    `hand` began, and `players` who sat there."""

    seats: Mapping[int, BrokeAt] = {}
    hand: int = 0
    began: Mapping[int, int] = {}
    players: Mapping[int, str] = {}


def on_event(broke: Broke, event: Event, may_sit: Mapping[int, Sequence[SeatTold]]) -> Broke:
    """After something that a table told, which has one of those who `may_sit` at its seats, the
    likeliest first, or another. A result that is told again, since the hand was void, takes the
    place of the first; one of a hand whose start was not heard is left to the picture after it."""
    match event:
        case Start(hand=hand, seats=seats):
            stacks = {each.seat: each.stack for each in seats if each.stack is not None}
            players = {
                each.seat: one.entrant
                for each in seats
                for one in reversed(may_sit.get(each.seat, ()))
                if one.entrant and each.player in (None, one.player)
            }
            return replace(broke, hand=hand, began=stacks, players=players)
        case Result(hand=hand, stacks=stacks) if stacks is not None and broke.hand == hand:
            left = {int(seat): chips for seat, chips in stacks.items()}
            gone = {
                seat: BrokeAt(broke.players[seat], hand, broke.began.get(seat))
                for seat, chips in left.items()
                if not chips and seat in broke.players
            }
            stay = {seat: one for seat, one in broke.seats.items() if seat not in left}
            return replace(broke, seats={**stay, **gone})
    return broke


def on_view(broke: Broke, view: TableView, players: Mapping[int, Player]) -> Broke:
    """After a picture of the table, which shows between two hands what the room did not hear: of
    those whom the table has there, who may be others than the register's `players`."""
    if not is_over(view):
        return broke
    there = (*sitting(view), *view.left)
    new = {
        each.seat: BrokeAt(players[each.seat].entry, view.hand)
        for each in there
        if each.chips == 0
        and each.seat in players
        and each.player in (None, players[each.seat].name)
        and not _is_known(broke, each.seat, view.hand, players[each.seat].entry)
    }
    back = {each.seat for each in there if each.chips and each.seat in broke.seats}
    if not new and not back:
        return broke
    stay = {seat: one for seat, one in broke.seats.items() if seat not in back}
    return replace(broke, seats={**stay, **new})


def _is_known(broke: Broke, seat: int, hand: int, entrant: str) -> bool:
    """Whether that hand has been told of already, or of who sat there before."""
    known = broke.seats.get(seat)
    return known is not None and (known.entrant == entrant or known.hand >= hand)


def proposed(broke: Mapping[str, Broke], register: Register) -> tuple[ProposedOut, ...]:
    """Those who seem to be out and sit there still, hand by hand, and of one hand who began it with
    less before the others: he is placed lower (HPT-WIN-02, RR7-T-35)."""
    found = [
        ProposedOut(table, seat, player.id, player.name, one.hand, one.began)
        for table in broke
        for seat, one in broke[table].seats.items()
        if (player := register.by_seat.get(AtSeat(table, seat))) is not None
        and player.entry == one.entrant
    ]
    return tuple(sorted(found, key=lambda one: (one.table, one.hand, one.began or 0, one.seat)))
