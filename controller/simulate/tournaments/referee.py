"""Looks at every hand of a simulated tournament and at its end, and stops it where something is
not as it has to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from controller.contract.events import Start
from controller.room.seat_draw import AtSeat
from controller.room.tournament import figures
from controller.rules.balancing import MoveWay
from controller.rules.rulebook import RuleBook
from controller.simulate.tournaments.checks import blinds, chips, places, seats, tables
from controller.simulate.tournaments.checks.blinds import Dealt, Moved
from controller.simulate.tournaments.checks.places import Left, Out
from controller.simulate.tournaments.plan import STACK, Plan

if TYPE_CHECKING:
    from controller.simulate.tournaments.course import Course

LONG_MS = 40 * 60_000
"""So long no table stays shorter than its book lets it: the longest hand of each and more."""


class BrokenError(Exception):
    """Something is not as it has to be; one line."""


class Referee:
    """What it knows it has seen itself: what came into play and left it, who went out when."""

    def __init__(self, plan: Plan, book: RuleBook, course: Course) -> None:
        self._plan = plan
        self._rules = book.tournament
        self._course = course
        self._ids: frozenset[str] = frozenset()
        self._bought = self._out = self._raced = 0
        self._left: list[Out] = []
        self._dealt: dict[str, Dealt] = {}
        self._new: dict[str, tuple[str, MoveWay | str]] = {}
        self._anew: set[str] = set()
        self._vacated: set[AtSeat] = set()
        self._short_since: dict[str, int] = {}
        self._looked: object = None

    # --- what happens ---

    def entered(self) -> None:
        """Somebody has entered, or entered again: the chair that he left is no longer known to the
        register as that of one who is out."""
        register = self._course.desk.register
        self._ids = frozenset(register.by_id)
        self._vacated &= {one.last for one in register.players if one.finish and one.last}

    def bought(self, chips_: int) -> None:
        """So many chips came into play."""
        self._bought += chips_

    def raced(self, chips_: int) -> None:
        """A race has added so many chips, or taken them."""
        self._raced += chips_

    def left_play(self, entry: str, chips_: int) -> None:
        """A player is out, and his chips left play with him."""
        self._out += chips_
        self.went_out([Left(entry, chips_)], in_round=False)

    def went_out(self, left: Iterable[Left], *, in_round: bool) -> None:
        """These lost their last chips in one hand, or in a round of one at each table."""
        left = tuple(left)
        self._left.append(Out(left, places.shares(self._plan.book, in_round=in_round)))
        players = self._course.desk.register.by_id
        for one in left:
            at = players[one.entry.partition(" ")[0]].last
            if at is not None:
                self._vacated.add(at)

    def came(self, entry: str, table: str) -> None:
        """Somebody sat down at a table who was at none, or comes later than he was moved: the
        blinds may have gone on."""
        self._new[entry] = (table, "")

    def broke(self, before: Mapping[str, int], after: Mapping[str, int], *, is_all: bool) -> None:
        """Tables broke, or all seats were drawn anew."""
        chairs = dict.fromkeys(self._course.felts, self._plan.chairs)
        self.must(tables.of_break(self._plan.book, before, after, chairs))
        if is_all != tables.is_redrawn(self._plan.book, len(after)):
            self._fails(f"seats were {'' if is_all else 'not '}redrawn for {len(after)} tables")
        sat = self._sat
        for at, player in self._course.desk.register.by_seat.items():
            if is_all or sat.get(player.entry) != at:
                self._new[player.entry] = (at.table, "")
        if is_all:
            self._anew.update(after)
            self._vacated.clear()

    @property
    def _sat(self) -> dict[str, AtSeat]:
        return {
            entry: AtSeat(table, seat)
            for table, dealt in self._dealt.items()
            for seat, entry in dealt.sits.items()
        }

    def moves(self, seat: AtSeat, to: AtSeat) -> None:
        """Somebody is about to move."""
        balance = self._rules.balance
        giving, short = self._course.felts[seat.table], self._course.felts[to.table]
        if balance is None or giving.last is None or short.last is None:
            self._fails(f"somebody moves to {to.table}, and nobody knows how the blinds are there")
            return
        sizes = self._course.sizes()
        register = self._course.desk.register
        if sizes[seat.table] - sizes[to.table] < tables.gap(
            self._plan.book, len(sizes), register.gap
        ):
            self._fails(f"somebody moves from {seat.table} to {to.table}, which are even enough")
        move = Moved(
            balance.way,
            seat.seat,
            frozenset(at.seat for at in self._course.seats_at(seat.table)),
            giving.last,
            to.seat,
            frozenset(at.seat for at in self._course.seats_at(to.table)),
            self._plan.chairs,
            short.last,
        )
        self.must(f"{seat.table} to {to.table}: {one}" for one in blinds.of_move(move))

    def moved(self, player: str, seat: AtSeat, to: AtSeat) -> None:
        """He has. With another on the way there nobody knows where the blinds will be."""
        found = self._course.desk.player(player)
        if found.at != to or self._course.desk.register.by_seat.get(seat) is not None:
            self._fails(f"{player} moved to {to.table}, seat {to.seat}, and is not there")
        balance, there = self._rules.balance, self._course.seats_at(to.table)
        is_alone = not any(one.coming for at, one in there.items() if at != to)
        way = balance.way if balance is not None and is_alone else ""
        self._new[found.entry] = (to.table, way)
        self._vacated.discard(to)

    # --- what has to be so ---

    def hand_begins(self, table: str, start: Start) -> None:
        """A table has dealt."""
        course = self._course
        felt, register = course.felts[table], course.desk.register
        sitting = {at.seat: one for at, one in course.sitting(table).items()}
        if table in self._anew:
            on_the_way = (one for name in self._anew for one in course.seats_at(name).values())
            self.must(seats.of_redraw(table, [one.name for one in on_the_way if one.coming]))
        by_register = {seat: one.name for seat, one in sitting.items()}
        self.must(f"{table}: {one}" for one in seats.at_table(by_register, felt.sits()))
        self.must(
            chips.at_table(
                felt.stacks(), {seat: course.chips[one.entry] for seat, one in sitting.items()}
            )
        )
        self.must(f"{table}, {one}" for one in chips.left_play(felt.stacks(), self._smallest))
        if register is not self._looked:
            self._looks_at_seats()
            self._looked = register
        if felt.last is None:
            return
        new = {
            seat: self._new[one.entry][1]
            for seat, one in sitting.items()
            if one.entry in self._new and self._new[one.entry][0] == table
        }
        now = Dealt(
            start.hand,
            felt.last,
            frozenset(one.seat for one in start.seats),
            {seat: one.entry for seat, one in sitting.items()},
            new,
            anew=table in self._anew,
        )
        arrivals = self._rules.arrivals
        waits = arrivals is None or arrivals.way == "behind-button"
        self.must(
            f"{table}, {one}" for one in blinds.of_hand(self._dealt.get(table), now, waits=waits)
        )
        self._must_be_even(table)
        self._dealt[table] = now
        self._anew.discard(table)
        for seat in now.dealt:
            self._new.pop(now.sits[seat], None)

    @property
    def _smallest(self) -> int:
        clock = self._course.desk.record.clock
        passed = clock.structure.entries[: clock.index + 1]
        gone = {chip for entry in passed for chip in entry.race_off}
        return min(chip for chip in clock.structure.chips if chip not in gone)

    def _looks_at_seats(self) -> None:
        course = self._course
        chairs = dict.fromkeys(course.felts, self._plan.chairs)
        register = course.desk.register
        self.must(seats.of_register(register.players, chairs, self._ids))
        self.must(tables.of_sizes(course.sizes(), chairs))

    def _must_be_even(self, table: str) -> None:
        course, book = self._course, self._plan.book
        clock, register = course.desk.record.clock, course.desk.register
        sizes = course.sizes()
        chairs = dict.fromkeys(course.felts, self._plan.chairs)
        last = self._dealt.get(table)
        vacated = False
        if last is not None:
            due = AtSeat(table, last.place.big % self._plan.chairs + 1)
            vacated = due in self._vacated and due not in register.by_seat
        place = None if last is None else last.place
        if table not in register.waived and tables.halts(book, table, sizes, place, vacated):
            self._fails(f"{table} is halted and deals a hand: {sizes}")
        late = register.late_until
        if late is None or clock.level > late:
            stay = tables.due(book, sizes, chairs)
            order = list(sizes)
            is_all = stay < len(order) and tables.is_redrawn(book, stay)
            if is_all or (stay < len(order) and table == order[-1]):
                self._fails(f"{table} deals a hand, and is to break: {sizes}")
        self._must_not_stay_short(sizes)

    def _must_not_stay_short(self, sizes: Mapping[str, int]) -> None:
        balance, register = self._rules.balance, self._course.desk.register
        if balance is None or balance.when == "level":
            return
        if self._course.floor.breaks_now:  # until then nobody moves
            self._short_since = {}
            return
        most = max(sizes.values())
        gap = tables.gap(self._plan.book, len(sizes), register.gap)
        now_ms = self._course.desk.now_ms
        short = {name for name, size in sizes.items() if most - size >= gap}
        self._short_since = {name: self._short_since.get(name, now_ms) for name in short}
        for name, since_ms in self._short_since.items():
            if now_ms - since_ms > LONG_MS:
                self._fails(f"{name} has been short for {LONG_MS // 60_000} minutes: {sizes}")

    def hand_ends(self, _table: str, began: Mapping[int, int], left: Mapping[int, int]) -> None:
        """A hand is over, before anything else happens."""
        self.must(chips.of_hand({seat: began[seat] for seat in left}, left))
        course = self._course
        stack = course.desk.record.clock.structure.stack
        told = figures(course.desk.record.tournament, None, stack).chips
        unseated = sum(one.status == "entered" for one in course.desk.register.without_seat())
        self.must(
            chips.in_play(
                sum(course.chips.values()) + unseated * STACK,
                course.desk.register.entries * STACK,
                self._bought + self._raced,
                self._out,
                told,
            )
        )

    def at_end(self) -> None:
        """Somebody has won."""
        course = self._course
        register = course.desk.register
        self._looks_at_seats()
        inside = [one for one in register.players if one.status != "out"]
        if len(inside) != 1:
            self._fails(f"{len(inside)} players are left at the end")
        (winner,) = inside
        due = register.entries * STACK + self._bought + self._raced - self._out
        if course.chips.get(winner.entry) != due:
            self._fails(f"the winner has {course.chips.get(winner.entry)} chips of {due}")
        finishes = {each.id: each for each in course.desk.record.tournament.finishes}
        told: list[tuple[str, int]] = [
            (winner.entry, each.place) for each in finishes.values() if each.place == 1
        ]
        for player in register.players:
            numbers = (*player.earlier, *((player.finish,) if player.finish else ()))
            for entry, number in enumerate(numbers, 1):
                name = player.id if entry == 1 else f"{player.id} {entry}"
                if number in finishes:
                    told.append((name, finishes[number].place))
        if len(told) != len(finishes):
            self._fails(f"{len(finishes)} places, and {len(told)} of players")
        self.must(places.of_all(told, places.expected(self._left, winner.entry)))

    def must(self, wrong: Iterable[str]) -> None:
        """Stops the tournament at the first thing that is `wrong`."""
        for one in wrong:
            self._fails(one)

    @staticmethod
    def _fails(why: str) -> None:
        raise BrokenError(why)
