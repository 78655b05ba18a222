"""Chips that leave play: which go now, at which tables they are still to be raced, and what came of
it there: pure. Who wins what is a rule of the books (`controller.rules.chip_race`).

When they go the schedule says, or the director (UK-23B): what he says is then in the schedule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import Identifier, Racing
from controller.room import editing, structure
from controller.room.acts import Act, ActError
from controller.room.clock import ClockState
from controller.room.editing import EditError
from controller.room.known import Known
from controller.room.register import Player, Register
from controller.room.seat_draw import AtSeat
from controller.room.structure import Entry, Structure, StructureError, Value, colour_up
from controller.rules import chip_race
from controller.rules.chip_race import Change, RaceError, Racer
from firmware_bridge.sensed import SeatNumber

MOST_ODD = 1_000
KEPT = 2_000


class RacedSeat(Struct, frozen=True, omit_defaults=True):
    """What a race has brought a player, by his entry: so many new chips for so many `odd` ones.
    `kept`: he got one so as not to be out. He had the `stack`, as far as it is known."""

    seat: int
    player: str
    entry: str
    name: str
    odd: int
    won: int = 0
    kept: bool = False
    before: int = 0
    after: int = 0
    stack: int | None = None

    @property
    def has(self) -> int | None:
        """What he has after it."""
        return None if self.stack is None else self.stack + self.after - self.before


class RacedTable(Struct, frozen=True):
    """A table at which chips of `goes` became chips of `into`, by these rules. So many `chips` were
    in the race."""

    id: int
    table: str
    goes: int
    into: int
    chips: int
    at_ms: int
    actor: str
    cites: tuple[str, ...]
    seats: tuple[RacedSeat, ...]

    @property
    def difference(self) -> int:
        """What it has added to the chips in play; below nothing: taken."""
        return sum(each.after - each.before for each in self.seats)


class Races(Struct, frozen=True, dict=True):
    """The tables that have raced, the last one last; `last` is the id that was last given.
    `delivered` is what of it, by entry, is at the players' tables. `called` are the entries of the
    schedule in which the director had chips go at once."""

    tables: tuple[RacedTable, ...] = ()
    last: int = 0
    delivered: Mapping[str, int] = {}
    called: tuple[int, ...] = ()

    @property
    def difference(self) -> int:
        """What all races have added to the chips in play; below nothing: taken."""
        return sum(each.difference for each in self.tables)

    @cached_property
    def _brought(self) -> Mapping[str, int]:
        found: Counter[str] = Counter()
        for one in (one for each in self.tables for one in each.seats):
            found[one.entry] += one.after - one.before
        return found

    def of(self, entry: str) -> int:
        """What races have added to somebody's stack; below nothing: taken."""
        return self._brought.get(entry, 0)

    def owed(self, entry: str) -> int:
        """What of it is not at his table yet."""
        return self.of(entry) - self.delivered.get(entry, 0)

    def has(self, table: str, goes: int) -> bool:
        """Whether a table has raced these chips."""
        return any((each.table, each.goes) == (table, goes) for each in self.tables)


class AtTheSeat(Struct, frozen=True):
    """So many `chips` of those that go, and the cards that were dealt for the odd ones. `only`: the
    player has nothing else."""

    seat: SeatNumber
    chips: Annotated[int, Meta(ge=0, le=MOST_ODD)]
    cards: Annotated[
        tuple[Annotated[str, Meta(max_length=10)], ...], Meta(max_length=chip_race.DECK)
    ] = ()
    only: bool = False


class RaceTable(Act, frozen=True, kw_only=True):
    """`race`: a table has raced chips of `chip`; by the cards, or `won` by these seats, the highest
    card first."""

    table: Identifier
    chip: Value
    seats: Annotated[tuple[AtTheSeat, ...], Meta(max_length=10)]
    won: Annotated[tuple[SeatNumber, ...], Meta(max_length=chip_race.DECK)] = ()


class Unrace(Act, frozen=True, kw_only=True):
    """`unrace`: that race is taken back."""

    id: int


class ColourUp(Act, frozen=True, kw_only=True):
    """`colour-up`: chips of `chip` leave play at discretion, `now` or on the next `break`; `ends`:
    they stay."""

    chip: Value
    when: Literal["now", "break"] = "break"
    ends: bool = False


RACE_ACTS: Mapping[str, type[Act]] = {"race": RaceTable, "unrace": Unrace, "colour-up": ColourUp}


class Due(Struct, frozen=True):
    """Chips of `goes` become chips of `into`, at these tables still."""

    goes: int
    into: int
    tables: tuple[str, ...] = ()

    @property
    def change(self) -> Change:
        """The same as the rules have it: the smaller chips have gone before."""
        return Change(self.goes, self.into, self.into)


def due(schedule: Structure, index: int) -> tuple[Due, ...]:
    """What chips become by the last colour-up, the smallest first: the next larger ones that are
    in play. While smaller chips stay they are no matter of a race: they are changed at equal
    value."""
    at, going = colour_up(schedule, index)
    gone = {value for entry in schedule.entries[:at] for value in entry.race_off}
    in_play = [value for value in schedule.chips if value not in gone]
    found = []
    for goes in going:
        if len(in_play) > 1 and in_play[0] == goes:
            found.append(Due(goes, in_play[1]))
            in_play = in_play[1:]
    return tuple(found)


def to_do(races: Races, schedule: Structure, index: int, tables: Iterable[str]) -> tuple[Due, ...]:
    """The same with those of the `tables` that have not raced yet."""
    there = tuple(tables)
    left = (
        replace(each, tables=tuple(one for one in there if not races.has(one, each.goes)))
        for each in due(schedule, index)
    )
    return tuple(each for each in left if each.tables)


def now(races: Races, clock: ClockState, tables: Iterable[str]) -> tuple[Racing, ...]:
    """What is raced at this moment: on the break of the schedule at which the chips go, or in the
    level that has none before it, or in which the director has called for it."""
    entries, index = clock.structure.entries, clock.index
    if not clock.begun or clock.over or not _goes_now(races, clock.structure, index):
        return ()
    due_now = to_do(races, clock.structure, index, tables)
    is_break = entries[index].blinds is None
    return tuple(Racing(each.goes, each.into, each.tables, on_break=is_break) for each in due_now)


def _goes_now(races: Races, schedule: Structure, index: int) -> bool:
    at, chips = colour_up(schedule, index)
    if schedule.entries[index].blinds is None:
        return bool(chips) and at in (index, index + 1)
    after_break = index > 0 and schedule.entries[index - 1].blinds is None
    return bool(chips) and (index in races.called or (at == index and not after_break))


def sitting(register: Register) -> tuple[str, ...]:
    """The tables at which somebody sits."""
    there = {at.table for at in register.by_seat}
    return tuple(each.table for each in register.tables if each.table in there)


def race(
    races: Races, of: tuple[Register, ClockState], act: RaceTable, known: Known, now_ms: int
) -> Races:
    """The races with one more table. Raises ActError where that can't be so."""
    register, clock = of
    if races.has(act.table, act.chip):
        raise ActError(f"table {act.table} has raced its chips of {act.chip} already")
    if act.table not in register.seats_of:
        raise ActError(f"there is no table {act.table} in this tournament")
    goes = next((each for each in due(clock.structure, clock.index) if each.goes == act.chip), None)
    if goes is None:
        raise ActError(f"chips of {act.chip} are not to be raced now")
    players = {one.seat: _at(register, act.table, one.seat) for one in act.seats}
    rule = known.race(act.table) or chip_race.USUAL
    racers = [Racer(one.seat, one.chips, others=not one.only) for one in act.seats]
    try:
        found = chip_race.run(rule, goes.change, racers, _order(goes.change, act))
    except RaceError as error:
        raise ActError(str(error)) from None
    lines = tuple(
        RacedSeat(
            seat=each.seat,
            player=players[each.seat].id,
            entry=players[each.seat].entry,
            name=players[each.seat].name,
            odd=each.odd,
            won=each.won,
            kept=each.kept,
            before=each.before,
            after=each.after,
            stack=known.chips.get(players[each.seat].entry),
        )
        for each in found.seats
    )
    number = races.last + 1
    raced = RacedTable(
        number, act.table, goes.goes, goes.into, found.chips, now_ms, act.actor, rule.cites, lines
    )
    return replace(races, tables=(*races.tables, raced)[-KEPT:], last=number)


def _at(register: Register, table: str, seat: int) -> Player:
    found = register.by_seat.get(AtSeat(table, seat))
    if found is None:
        raise ActError(f"nobody sits at table {table}, seat {seat}")
    return found


def _order(change: Change, act: RaceTable) -> tuple[int, ...]:
    if act.won:
        return act.won
    for one in act.seats:
        odd = change.odd(one.chips)
        if len(one.cards) != odd:
            raise RaceError(f"seat {one.seat} has {odd} odd chips, and {len(one.cards)} cards")
    return chip_race.by_cards({one.seat: one.cards for one in act.seats})


def unrace(races: Races, act: Unrace) -> Races:
    """The races without one. Raises ActError where it is not there."""
    left = tuple(each for each in races.tables if each.id != act.id)
    if len(left) == len(races.tables):
        raise ActError("that race has been taken back already")
    return replace(races, tables=left)


def delivered(races: Races, entry: str, chips: int) -> Races:
    """The races once so much of them is at a player's table."""
    return replace(races, delivered={**races.delivered, entry: chips})


def coloured_up(races: Races, clock: ClockState, act: ColourUp) -> tuple[Races, ClockState]:
    """The schedule in which chips go at discretion, or stay (UK-23B). Raises ActError where that
    can't be."""
    entries, index = clock.structure.entries, clock.index
    if act.when == "break":
        found = (n for n in range(index + 1, len(entries)) if entries[n].blinds is None)
        coming = next(found, None)
        if coming is None:
            raise ActError("no break comes any more: say that they go now")
        index = coming
    entry = entries[index]
    if not act.ends and act.chip not in _in_play(clock.structure, index):
        raise ActError(f"chips of {act.chip} are not in play")
    if not act.ends and act.chip != _in_play(clock.structure, index)[0]:
        smallest = _in_play(clock.structure, index)[0]
        raise ActError(f"smaller chips stay: first those of {smallest} go")
    if act.ends and act.chip not in entry.race_off:
        raise ActError(f"chips of {act.chip} do not go then")
    if act.ends and any(each.goes == act.chip for each in races.tables):
        raise ActError(f"some tables have raced their chips of {act.chip} already")
    entries = tuple(
        each if n < clock.index else _with_chip(each, act.chip, goes=n == index and not act.ends)
        for n, each in enumerate(entries)
    )
    changed = replace(clock, structure=replace(clock.structure, entries=entries))
    try:
        editing.check(changed.structure)
        structure.check(changed.structure)
    except (EditError, StructureError) as error:
        raise ActError(str(error)) from None
    called = tuple(n for n in races.called if n != index)
    if act.when == "now" and not act.ends:
        called = (*called, index)
    return replace(races, called=called), changed


def _with_chip(entry: Entry, chip: int, *, goes: bool) -> Entry:
    """An entry at which a chip goes, or not: it does so once."""
    others = tuple(value for value in entry.race_off if value != chip)
    after = (*others, chip) if goes else others
    return entry if after == entry.race_off else replace(entry, race_off=after)


def _in_play(schedule: Structure, index: int) -> list[int]:
    gone = {value for entry in schedule.entries[: index + 1] for value in entry.race_off}
    return [value for value in schedule.chips if value not in gone]
