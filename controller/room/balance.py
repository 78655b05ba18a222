"""Who has to move so that the tables stay as full as one another, and which are too short: pure.
What is proposed people decide."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from controller.room.register import Player, Register
from controller.room.seat_draw import AtSeat
from controller.rules import balancing
from controller.rules.balancing import Ring, Trigger
from controller.rules.breaking import breaking
from controller.rules.button import Positions
from controller.rules.procedure import clockwise
from controller.rules.tournament_rules import Balance, TournamentRules, chosen_halt

MOST_AT_ONCE = 20


class Mover(Struct, frozen=True):
    """A player, by his id, and where he sits."""

    player: str
    name: str
    at: AtSeat


class ProposedMove(Struct, frozen=True):
    """Who moves where and by which rules: after his hand, after `all` hands, or as the `level`
    ends. `instead` are those who would move from other tables that are as full: his was drawn from
    among them, or, where the book wants a card dealt to each, the `low_card` decides."""

    mover: Mover
    to: AtSeat
    when: Literal["hand", "all", "level"]
    cites: tuple[str, ...]
    instead: tuple[Mover, ...] = ()
    low_card: bool = False


class ProposedBreak(Struct, frozen=True):
    """All come to the tables that `stay`: those who sit at the others to their empty chairs, or
    everybody anew. `breaks` are the others, and `players` how many are drawn. By the rules in
    `next_level` the final table begins at the next level."""

    breaks: tuple[str, ...]
    stay: tuple[str, ...]
    all: bool
    players: int
    cites: tuple[str, ...]
    next_level: tuple[str, ...] = ()


class Halted(Struct, frozen=True):
    """A table that plays no further hand until it has more players: it is `short` players short of
    the fullest one."""

    table: str
    short: int
    cites: tuple[str, ...]


class TableNow(Struct, frozen=True):
    """A table of the tournament: what its book says, and the positions of its last hand, if it has
    had one."""

    rules: TournamentRules
    last: Positions | None = None


class Due(Struct, frozen=True):
    """What the tables as they are call for. While tables are to break nobody else moves."""

    breaks: ProposedBreak | None = None
    moves: tuple[ProposedMove, ...] = ()
    halted: tuple[Halted, ...] = ()


def due(
    register: Register, tables: Mapping[str, TableNow], going: Iterable[str], *, level: int
) -> Due:
    """What is due in this level. While anybody may still enter no table breaks: its seats may be
    wanted; nor while that is put off."""
    late, room = register.late_until, _Room(register, tables, frozenset(going))
    is_open = late is not None and level <= late
    left = sum(each.status != "out" for each in register.players)
    is_off = register.put_off is not None and left >= register.put_off
    to_break, halted = None if is_open or is_off else _breaks(room), _halts(room)
    return Due(to_break, () if to_break else _moves(room), halted)


def moves(
    register: Register, tables: Mapping[str, TableNow], going: Iterable[str]
) -> tuple[ProposedMove, ...]:
    """All moves that are due, one after the other. Who is `going`, by his entry, counts no more,
    and at a table of which it is not known who has the button nobody can be named. Of tables that
    are as full the one gives a player that the first draw's seed names."""
    return _moves(_Room(register, tables, frozenset(going)))


def _moves(room: _Room) -> tuple[ProposedMove, ...]:
    found: list[ProposedMove] = []
    while len(found) < MOST_AT_ONCE and (move := room.next_move()) is not None:
        found.append(move)
        room.makes(move)
    return tuple(found)


def breaks(
    register: Register, tables: Mapping[str, TableNow], going: Iterable[str]
) -> ProposedBreak | None:
    """What is due by the book of the table that is listed first; None where nothing is."""
    return _breaks(_Room(register, tables, frozenset(going)))


def _breaks(room: _Room) -> ProposedBreak | None:
    sizes = room.sizes()
    rules = next((room.rules(table) for table in sizes), TournamentRules())
    said = rules.redraws
    due = breaking(sizes, room.chairs, () if said is None else said.when)
    if due is None:
        return None
    gone = tuple(table for table in sizes if table not in due.stay)
    of = said if due.all else rules.breaks
    drawn = sum(sizes.values()) if due.all else sum(sizes[table] for table in gone)
    level = rules.final_level if len(due.stay) == 1 else None
    return ProposedBreak(
        gone,
        due.stay,
        due.all,
        drawn,
        () if of is None else of.cites,
        () if level is None else level.cites,
    )


def halts(
    register: Register, tables: Mapping[str, TableNow], going: Iterable[str]
) -> tuple[Halted, ...]:
    """The tables that halt now, by their own books."""
    return _halts(_Room(register, tables, frozenset(going)))


def _halts(room: _Room) -> tuple[Halted, ...]:
    sizes = room.sizes()
    most = max(sizes.values(), default=0)
    said = {table: chosen_halt(room.rules(table).halt, room.halt) for table in sizes}
    short = {
        by: frozenset(balancing.too_short(sizes, by))
        for by in {halt.short for halt in said.values() if halt is not None}
    }
    return tuple(
        Halted(table, most - sizes[table], halt.cites)
        for table, halt in said.items()
        if halt is not None
        and table in short[halt.short]
        and (not halt.at_blinds or _blind_at_nobody(room.ring(table)))
    )


def _blind_at_nobody(ring: Ring | None) -> bool:
    """Whether the chair that is due the big blind is that of a player who is out (TDA24-11D1,
    TDA24-EX11)."""
    if ring is None:
        return False
    (due, *_) = clockwise(range(1, ring.chairs + 1), ring.last.big)
    return due in ring.vacated and due not in ring.players


class _Room:
    """The tables at which somebody sits, as they will be after the moves that were made."""

    def __init__(
        self, register: Register, tables: Mapping[str, TableNow], going: frozenset[str]
    ) -> None:
        self._tables = tables
        self.chairs = register.seats_of
        self._players = register.players
        self._at: dict[AtSeat, Player] = {
            at: player
            for at, player in register.by_seat.items()
            if not going or player.entry not in going
        }
        self._taken: dict[str, set[int]] = {table: set() for table in tables}
        for at in self._at:
            self._taken.setdefault(at.table, set()).add(at.seat)
        self._gap = register.gap
        self.halt = register.halt
        self._seed = register.draws[0].draw.seed if register.draws else ""

    @cached_property
    def _gone(self) -> Sequence[AtSeat]:
        """Where those sat who are out, in the order in which they went."""
        gone = [(p.finish, p.last) for p in self._players if p.finish and p.last is not None]
        return [last for _, last in sorted(gone)]

    def rules(self, table: str) -> TournamentRules:
        """What the book of a table says."""
        return self._tables[table].rules

    def sizes(self) -> dict[str, int]:
        """How many sit at each table, in the order of the tables."""
        count = ((table, len(self._taken[table])) for table in self._tables)
        return {table: size for table, size in count if size}

    def ring(self, table: str) -> Ring | None:
        """A table as balancing sees it; None where its positions are not known."""
        last = self._tables[table].last
        if last is None:
            return None
        players = frozenset(self._taken[table])
        gone = [last.seat for last in self._gone if last.table == table]
        return Ring(self.chairs[table], players, last, vacated=tuple(gone))

    def next_move(self) -> ProposedMove | None:
        """The move that is due first."""
        sizes = self.sizes()
        for balance in _books(self._tables):
            trigger = balance.trigger if self._gap is None else Trigger(self._gap)
            uneven = balancing.unbalanced(sizes, trigger)
            if uneven is None:
                continue
            fullest, shortest = uneven
            of = [table for table in fullest if self._tables[table].rules.balance == balance]
            move = self._move(balance, sorted(of, key=self._rank), shortest)
            if move is not None:
                return move
        return None

    def _move(self, balance: Balance, giving: Sequence[str], shortest: str) -> ProposedMove | None:
        short = self.ring(shortest)
        chair = None if short is None else balancing.chair(balance.way, short)
        if short is None or chair is None:
            return None
        movers = [each for table in giving if (each := self._mover(balance, table, short))]
        if not movers:
            return None
        first, *others = movers
        return ProposedMove(
            first,
            AtSeat(shortest, chair),
            balance.when,
            balance.cites,
            tuple(others),
            low_card=bool(others) and balance.tie == "low-card",
        )

    def _mover(self, balance: Balance, table: str, short: Ring) -> Mover | None:
        ring = self.ring(table)
        seat = None if ring is None else balancing.mover(balance.way, ring, short)
        if seat is None:
            return None
        at = AtSeat(table, seat)
        return Mover(self._at[at].id, self._at[at].name, at)

    def makes(self, move: ProposedMove) -> None:
        """As it is once that move was made."""
        self._at[move.to] = self._at.pop(move.mover.at)
        self._taken[move.mover.at.table].remove(move.mover.at.seat)
        self._taken[move.to.table].add(move.to.seat)

    def _rank(self, table: str) -> bytes:
        """In the order of this the tables are drawn: anybody can compute it who knows the seed and
        how many are left."""
        return hashlib.sha256(f"{self._seed}:{len(self._at)}:{table}".encode()).digest()


def _books(tables: Mapping[str, TableNow]) -> Sequence[Balance]:
    """What the books of the tables say, each once."""
    said = (now.rules.balance for now in tables.values())
    return list(dict.fromkeys(each for each in said if each is not None))
