"""The floor of a simulated tournament: it does what the room proposes, when the book says so."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from controller.room import balance
from controller.room.balance import Due, ProposedMove

if TYPE_CHECKING:
    from controller.simulate.tournaments.course import Course

_LATE = 0.3
"""So many who are moved do not arrive at once."""
_WALK_MS = (20_000, 300_000)


class Floor:
    """Who moves, which tables break, and which wait."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._desk = course.desk
        self._due = Due()
        self._seen: object = None
        self._walks: set[str] = set()
        self._between_levels = False

    @property
    def breaks_now(self) -> bool:
        """Whether tables are to break, for which others wait."""
        return self._due.breaks is not None

    def level_begins(self) -> None:
        """The last one has ended: who moves between levels moves now, but hand for hand."""
        self._between_levels, self._seen = not self._is_in_round, None
        self.looks()

    @property
    def _is_in_round(self) -> bool:
        rounds = self._course.rounds
        return rounds.is_on and bool(rounds.waits_for)

    @property
    def halted(self) -> frozenset[str]:
        """The tables that halt and are not let play on."""
        due = {one.table for one in self._due.halted}
        return frozenset(due - set(self._desk.register.waived))

    def may_deal(self, name: str) -> bool:
        """Whether a table need not wait for anything."""
        clock, due = self._desk.record.clock, self._due
        if clock.over or clock.on_break or not self._course.felts[name].can_deal:
            return False
        if name in self.halted or name in self._desk.register.gathers:
            return False
        if due.breaks is not None:
            return not (due.breaks.all or name in due.breaks.breaks)
        return not any(self._is_held(name, move) for move in due.moves)

    def _is_held(self, name: str, move: ProposedMove) -> bool:
        if move.when == "level":
            return self._between_levels and move.mover.at.table == name
        return move.when == "all" or move.mover.at.table == name

    def looks(self) -> None:
        """Does what is proposed and can be done now, until nothing of it is left. Hand for
        hand that is between two rounds."""
        if self._is_in_round:
            return
        if self._seen is self._desk.register:  # it was even, and nobody has come or gone
            return
        while not self._course.is_over:
            self._due = self._what_is_due()
            if not (self._breaks() or self._moves() or self._waives()):
                break
        if not any(move.when == "level" for move in self._due.moves):
            self._between_levels = False
        is_even = not (self._due.moves or self._due.halted or self._due.breaks)
        sizes = self._course.sizes().values()
        self._seen = self._desk.register if is_even and max(sizes) - min(sizes) < 2 else None

    def _what_is_due(self) -> Due:
        now = {name: felt.now for name, felt in self._course.felts.items()}
        due = balance.due(self._desk.register, now, (), level=self._desk.record.clock.level)
        halted = {one.table for one in due.halted}
        new = halted - {one.table for one in self._due.halted}
        self._course.tally.halts += len(new)
        self._desk.waives(tuple(each for each in self._desk.register.waived if each in halted))
        return due

    def _breaks(self) -> bool:
        due = self._due.breaks
        if due is None:
            return False
        finish = self._course.felts if due.all else due.breaks
        if any(self._course.felts[name].hand is not None for name in finish):
            return False
        before = self._course.sizes()
        self._desk.asks(
            "redraw", tables=due.stay, seed=str(self._course.random.random()), all=due.all
        )
        if due.all:
            self._draws_buttons(due.stay)
        self._on_the_way()
        self._course.tally.redraws += due.all
        self._course.tally.breaks += len(due.breaks)
        self._course.referee.broke(before, self._course.sizes(), is_all=due.all)
        self._tells_all()
        return True

    def _on_the_way(self) -> None:
        """Some of those who were moved take their time."""
        for each in self._desk.register.players:
            if not each.coming or each.id in self._walks:
                continue
            if self._is_late():
                self._walks.add(each.id)
                walk_ms = self._course.random.randint(*_WALK_MS)
                self._course.later(walk_ms, partial(self._comes, each.id))
            else:
                self._desk.asks("arrive", player=each.id)

    def _is_late(self) -> bool:
        return not self._course.rounds.is_on and self._course.random.random() < _LATE

    def _comes(self, player: str) -> None:
        self._walks.discard(player)
        found = self._desk.player(player)
        if found.coming and found.at is not None and not self._course.is_over:
            self._desk.asks("arrive", player=player)
            self._course.referee.came(found.entry, found.at.table)
            self._course.tells(found.at.table)
            self.looks()
            self._course.wakes()

    def gathers_all(self) -> None:
        """Nobody is on the way any more."""
        for each in self._desk.register.players:
            if each.coming:
                self._comes(each.id)

    def _draws_buttons(self, tables: Iterable[str]) -> None:
        for name in tables:
            self._desk.asks("draw-button", table=name, seed=str(self._course.random.random()))
            self._course.felts[name].begins_from(self._desk.register.buttons[-1].seat)

    def _tells_all(self) -> None:
        for name in self._course.felts:
            self._course.tells(name)

    def _moves(self) -> bool:
        """Those that can be made now, but none before another to or from the same table that was
        proposed before it: each rests on those before."""
        busy: set[str] = set()
        for move in self._due.moves:
            tables = {move.mover.at.table, move.to.table}
            if self._can_move(move) and busy.isdisjoint(tables):
                self._makes(move)
                return True
            busy |= tables
        return False

    def _can_move(self, move: ProposedMove) -> bool:
        if move.when == "level" and not self._between_levels:
            return False
        if move.when == "all":
            return all(felt.hand is None for felt in self._course.felts.values())
        return self._course.felts[move.mover.at.table].hand is None

    def _makes(self, move: ProposedMove) -> None:
        mover = move.mover
        if move.low_card:
            mover = self._course.random.choice((mover, *move.instead))
        self._course.referee.moves(mover.at, move.to)
        self._desk.asks(
            "sit",
            player=mover.player,
            table=move.to.table,
            seat=move.to.seat,
            announce=True,
            all=move.when == "all",
        )
        self._on_the_way()
        self._course.tally.moves += 1
        self._course.tells(mover.at.table)
        self._course.tells(move.to.table)
        self._course.referee.moved(mover.player, mover.at, move.to)

    def _waives(self) -> bool:
        """A table that is halted and for which nobody moves is let play on: its blinds, and with
        them its open chairs, do not change before it does."""
        come = {move.to.table for move in self._due.moves}
        waived = self._desk.register.waived
        for one in self._due.halted:
            if self._due.breaks is None and one.table not in come and one.table not in waived:
                self._desk.asks("waive", table=one.table)
                self._course.tally.waived += 1
                return True
        return False
