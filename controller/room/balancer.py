"""Looks at how full the tables are: who should move, and which table plays no further hand."""

from __future__ import annotations

from controller.room import arrivals, balance, seating
from controller.room.acts import ActError
from controller.room.balance import Due, Halted, ProposedBreak, ProposedMove, TableNow
from controller.room.changes import Changes
from controller.room.outs import ACTOR, Outs
from controller.room.record_keeper import RecordKeeper
from controller.room.register import Register
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables


class Balancer:
    """That tables are to break is proposed, or else who `moves`, and the tables that are `halted`
    play on once they have more players or the desk has waived it: by the books of the tables, while
    the tournament is played."""

    def __init__(
        self,
        keeper: RecordKeeper,
        watch: EventTables,
        changes: Changes,
        *,
        rules: TableRules,
        outs: Outs,
    ) -> None:
        """Who is out by `outs` counts no more."""
        self._keeper = keeper
        self._watch = watch
        self._changes = changes
        self._rules = rules
        self._outs = outs
        self._due = Due()

    @property
    def breaks(self) -> ProposedBreak | None:
        """The tables that are to break."""
        return self._due.breaks

    @property
    def moves(self) -> tuple[ProposedMove, ...]:
        """Who is to move."""
        return self._due.moves

    @property
    def halted(self) -> tuple[Halted, ...]:
        """The tables that are too short."""
        return self._due.halted

    @property
    def held(self) -> frozenset[str]:
        """The tables that play no further hand for now: too short, or gathering their players."""
        register = self._keeper.record.register
        short = frozenset(each.table for each in self.halted if each.table not in register.waived)
        return short | frozenset(register.gathers)

    def tick(self) -> None:
        """Look at the tables as they are now."""
        before = self._due
        clock, register = self._keeper.clock, self._keeper.record.register
        if not clock.begun or clock.over:
            self._due = Due()
        else:
            tables = self._tables(register)
            going = {register.by_id[each.entrant].entry for each in self._outs.proposed()}
            self._due = balance.due(register, tables, going, level=clock.level)
        if clock.begun and not clock.over:
            self._move_pending(register)
        waived = tuple(each for each in register.waived if each in {h.table for h in self.halted})
        if waived != register.waived:  # it was for as long as they were short
            self._keeper.waives(waived)
        if before != self._due:
            self._changes.now()

    def _move_pending(self, register: Register) -> None:
        """Who was to move as the level ends does so."""
        clock = self._keeper.clock
        for each in arrivals.due_pending(register, clock.level, on_break=clock.on_break):
            seat = {"player": each.player, "table": each.to.table, "seat": each.to.seat}
            try:
                self._keeper.act("sit", {**seat, "announce": True, "actor": ACTOR})
            except ActError:  # his seat was taken, or he is out: nobody moves there
                self._keeper.act("sit-later", {**seat, "ends": True, "actor": ACTOR})

    def _tables(self, register: Register) -> dict[str, TableNow]:
        found: dict[str, TableNow] = {}
        for each in register.tables:
            view = self._watch.view(each.table)
            last = None if view is None else seating.positions_of(view)
            found[each.table] = TableNow(self._rules.at(each.table), last)
        return found
