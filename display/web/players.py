"""The players of the tournament as one message: all that their page shows, and what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from controller.contract.clock_why import ONE_LEFT
from controller.room.acts import ActError
from controller.room.away import Overdue
from controller.room.balance import ProposedBreak, ProposedMove
from controller.room.conduct import Step
from controller.room.known import Known
from controller.room.pucks import PuckDiffers
from controller.room.register import (
    ButtonDrawn,
    Drawn,
    Offer,
    Player,
    PlayerStatus,
    Purchase,
    Register,
)
from controller.room.rounds import RoundNow
from controller.room.seat_draw import AtSeat, RoomTable
from controller.room.seating import ProposedOut, SeatDiffers, SeatingState
from controller.room.shares import Share, share, smallest
from controller.room.view import RoomView
from display.web.conduct import GivenLine, OnRecord, Records, SeenLine
from display.web.words import marks

_MINUTE_MS = 60_000


class Beat(Struct, frozen=True):
    """That nothing has changed; as `Desk` it says whose time this is."""

    now_ms: int
    session: str
    lineage: str
    revision: int
    stands_by: bool


class PlayerLine(Struct, frozen=True, omit_defaults=True):
    """One who has entered. Who is out has the `place` of his `finish`, and sat at `last`. `given`
    are his warnings and penalties, `seen` is what tables saw him do, and `next` what one more
    offence might bring, after some; `chips` are what a table has shown of his;
    `overdue` is set for who has been away for too long. Who is `coming` is not at his seat yet, and
    `came` from another table."""

    id: str
    name: str
    status: PlayerStatus
    paid: bool = False
    at: AtSeat | None = None
    last: AtSeat | None = None
    finish: int | None = None
    place: int | None = None
    bought: tuple[Purchase, ...] = ()
    owes: tuple[Purchase, ...] = ()
    chips: int | None = None
    given: tuple[GivenLine, ...] = ()
    seen: tuple[SeenLine, ...] = ()
    next: Step | None = None
    overdue: OverdueLine | None = None
    coming: bool = False
    came: AtSeat | None = None


class OverdueLine(Struct, frozen=True):
    """For how many minutes, what the book says of it, and whether his chips leave play, or how they
    are shared."""

    minutes: int
    cites: tuple[str, ...]
    forfeits: bool
    shares: Shares | None = None


class Shares(Struct, frozen=True):
    """Of his stack so many chips for each of so many at his table; the odd ones go to the bank."""

    each: int
    count: int
    odd: int


class TableCard(Struct, frozen=True):
    """A table of the tournament, and how far it has what the register has; `state` is empty where
    nobody has asked it yet. `puck`: its button is elsewhere than where it was due."""

    table: str
    seats: int
    state: SeatingState | None = None
    trouble: str = ""
    differs: tuple[SeatDiffers, ...] = ()
    puck: PuckDiffers | None = None


class HaltedTable(Struct, frozen=True):
    """A table that is so many players short and stops, by these rules, or plays on, since it is
    `waived`."""

    table: str
    short: int
    cites: tuple[str, ...]
    waived: bool


class Gathering(Struct, frozen=True):
    """Tables that deal no hand while so many players are on the way to them, or while those that
    are `undrawn` have no button."""

    tables: tuple[str, ...]
    awaited: int
    undrawn: tuple[str, ...]


class LaterMove(Struct, frozen=True):
    """A player, by his id, who moves to a seat as the level ends."""

    player: str
    name: str
    to: AtSeat


class LastDraw(Struct, frozen=True):
    """The draw of seats that was the last; `undone`: it was taken back."""

    seed: str
    count: int
    undone: bool


class Players(Struct, frozen=True):
    """The register. `unseated` wait for a seat, of which so many are `free`. `heard` are the tables
    of the room, `offers` what may be bought and `costs` what it costs, where that is known;
    `closed` says that nobody enters any more, as `late_until` has it. Somebody moves once two
    tables differ by `gap`, and a table halts that is `halt` players short, or as the book has it.
    `apart` are ids of players who are not drawn to
    one table. `reopens`: one player was left, which ended the clock, and now there are more.
    """

    now_ms: int
    session: str
    lineage: str
    revision: int
    stands_by: bool
    players: tuple[PlayerLine, ...]
    tables: tuple[TableCard, ...]
    proposed: tuple[ProposedOut, ...]
    to_break: ProposedBreak | None
    to_move: tuple[ProposedMove, ...]
    halted: tuple[HaltedTable, ...]
    together: RoundNow | None
    gathering: Gathering | None
    later: tuple[LaterMove, ...]
    put_off: bool
    offers: Mapping[Purchase, Offer]
    costs: Mapping[Purchase, str]
    entered: int
    left: int
    unseated: int
    free: int
    heard: tuple[str, ...]
    level: int
    late_until: int | None
    gap: int | None
    halt: int | None
    closed: bool
    drawn: LastDraw | None
    apart: tuple[tuple[str, ...], ...]
    reopens: bool


class Draws(Struct, frozen=True):
    """The draws of seats and of buttons, the last one last: each with all that it follows from."""

    draws: tuple[Drawn, ...]
    buttons: tuple[ButtonDrawn, ...] = ()


class SeatCard(Struct, frozen=True):
    """Where somebody sits, to be handed out."""

    name: str
    id: str
    table: str
    seat: int


def beat(room: RoomView) -> Beat:
    """What is said while nothing changes."""
    clock = room.clock
    return Beat(room.now_ms, clock.session, clock.lineage, clock.revision, room.stands_by)


def drawn_from(room: RoomView) -> tuple[object, ...]:
    """What `players` shows, but for the time: as long as it is the same, so is that."""
    heard = tuple(each.id for each in room.tables)
    clock = room.clock
    where = clock.session, clock.lineage, room.stands_by, clock.level, room.state == "ready"
    away = tuple(each.player for each in room.overdue)
    what = room.register, room.conduct, room.seen, room.seating, room.proposed, room.finishes
    due = room.to_break, room.to_move, room.halted, room.together, room.pucks
    return *what, *due, room.money.prices, room.chips, away, heard, where, _reopens(room)


def players(room: RoomView) -> Players:
    """What the page shows of a room."""
    register, clock = room.register, room.clock
    records = Records(room)
    places = {each.id: each.place for each in room.finishes}
    seating = {each.table: each for each in room.seating}
    drawn = register.draws[-1] if register.draws else None
    late = register.late_until
    pucks = {each.table: each for each in room.pucks}
    return Players(
        now_ms=room.now_ms,
        session=clock.session,
        lineage=clock.lineage,
        revision=clock.revision,
        stands_by=room.stands_by,
        players=tuple(
            _line(room, each, places.get(each.finish or 0), records.of(each))
            for each in register.players
        ),
        tables=tuple(
            TableCard(each.table, each.seats, of.state, of.trouble, of.differs, puck)
            if (of := seating.get(each.table)) is not None
            else TableCard(each.table, each.seats, puck=puck)
            for each in register.tables
            for puck in [pucks.get(each.table)]
        ),
        proposed=tuple(sorted(room.proposed, key=_smaller_first)),
        to_break=room.to_break,
        to_move=room.to_move,
        halted=tuple(
            HaltedTable(each.table, each.short, each.cites, each.table in register.waived)
            for each in room.halted
        ),
        together=room.together,
        gathering=_gathering(register),
        later=tuple(
            LaterMove(each.player, register.by_id[each.player].name, each.to)
            for each in register.pending
            if each.player in register.by_id
        ),
        put_off=register.put_off is not None,
        offers={what: offer for what, offer in register.offers.items() if not offer.over},
        costs=_costs(room),
        entered=register.entries,
        left=_left(room),
        unseated=len(register.without_seat()),
        free=len(register.free()),
        heard=tuple(each.id for each in room.tables),
        level=clock.level,
        late_until=late,
        gap=register.gap,
        halt=register.halt,
        closed=late is not None and room.state != "ready" and clock.level > late,
        drawn=None if drawn is None else LastDraw(drawn.draw.seed, len(drawn.given), drawn.undone),
        apart=register.apart,
        reopens=_reopens(room),
    )


def _left(room: RoomView) -> int:
    return sum(each.status != "out" for each in room.register.players)


def shares(one: Share) -> Shares:
    """How a stack is shared."""
    return Shares(one.each, len(one.to), one.odd)


def _shares(room: RoomView, player: Player) -> Shares | None:
    """As far as it is known what he has."""
    chips = smallest(room.schedule.chips, (each.goes for each in room.races.tables))
    try:
        return shares(share(room.register, player, Known(chips=room.chips), chips))
    except ActError:
        return None


def _reopens(room: RoomView) -> bool:
    return room.state == "ended" and room.clock.why == ONE_LEFT and _left(room) > 1


def _costs(room: RoomView) -> Mapping[Purchase, str]:
    """Of what may be bought, where the room reckons with money."""
    prices = room.money.prices
    if not prices.is_set:
        return {}
    write = marks(room.language)
    return {what: write.text(prices.cost(what), prices.currency) for what in room.register.offers}


def _gathering(register: Register) -> Gathering | None:
    if not register.gathers:
        return None
    coming = (each for each in register.players if each.coming and each.at is not None)
    awaited = sum(each.at is not None and each.at.table in register.gathers for each in coming)
    return Gathering(register.gathers, awaited, register.undrawn)


def draws(room: RoomView) -> Draws:
    """All draws that are kept."""
    return Draws(room.register.draws, room.register.buttons)


def seat_cards(room: RoomView) -> tuple[SeatCard, ...]:
    """A card for everyone who sits, table by table."""
    register = room.register
    order = {each.table: number for number, each in enumerate(register.tables)}
    sitting = sorted(
        register.by_seat.items(), key=lambda each: (order.get(each[0].table, 0), each[0].seat)
    )
    return tuple(SeatCard(who.name, who.id, at.table, at.seat) for at, who in sitting)


def by_name(cards: Iterable[SeatCard]) -> tuple[SeatCard, ...]:
    """The same in the order of their names."""
    return tuple(sorted(cards, key=lambda each: (each.name.casefold(), each.table, each.seat)))


def table_lists(
    tables: Iterable[RoomTable], cards: Iterable[SeatCard]
) -> tuple[tuple[str, tuple[tuple[int, str], ...]], ...]:
    """Each table with all of its seats, and who sits there; nobody is an empty name."""
    names = {(each.table, each.seat): each.name for each in cards}
    return tuple(
        (t.table, tuple((n, names.get((t.table, n), "")) for n in range(1, t.seats + 1)))
        for t in tables
    )


def _smaller_first(one: ProposedOut) -> tuple[str, int, bool, int]:
    """Of two who lost in one hand, who began it with less is out first: he is asked
    for first."""
    return one.table, one.hand, one.began is None, one.began or 0


def _overdue(room: RoomView, player: Player, late: Overdue) -> OverdueLine:
    minutes = (room.now_ms - late.since_ms) // _MINUTE_MS
    shared = None if late.leave_play else _shares(room, player)
    return OverdueLine(minutes, late.cites, late.leave_play, shared)


def _line(room: RoomView, player: Player, place: int | None, record: OnRecord) -> PlayerLine:
    late = next((one for one in room.overdue if one.player == player.id), None)
    return PlayerLine(
        id=player.id,
        name=player.name,
        status=player.status,
        paid=player.paid,
        at=player.at,
        last=player.last,
        finish=player.finish,
        place=place,
        bought=player.bought,
        owes=player.owes,
        chips=room.chips.get(player.entry),
        given=record.given,
        seen=record.seen,
        next=record.next,
        coming=player.coming,
        came=None if player.at is None else player.came,
        overdue=None if late is None else _overdue(room, player, late),
    )
