"""A tournament from its draw to its winner: tables that play at their own pace, a floor that does
what the room proposes when the book says so, and a referee who looks at every hand."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from functools import partial
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from controller.room import balance, broke
from controller.room.balance import Due, ProposedMove
from controller.room.broke import Broke
from controller.room.conduct import HandOf
from controller.room.known import Known
from controller.room.outs import as_told
from controller.room.register import Player
from controller.room.seat_draw import AtSeat
from controller.room.seating import ProposedOut, SeatTold
from controller.rules.rulebook import RuleBook
from controller.simulate.tournaments.desk import Desk
from controller.simulate.tournaments.felt import Felt
from controller.simulate.tournaments.people import People
from controller.simulate.tournaments.plan import LATE_LEVELS, STACK, Plan
from controller.simulate.tournaments.referee import BrokenError, Referee

_HAND_MS = (60_000, 200_000)
_SHUFFLE_MS = 20_000
_MOST_HANDS_EACH = 400
"""So many hands for each player who entered, and something goes round in circles."""


class Tally(Struct):
    """What has happened."""

    hands: int = 0
    moves: int = 0
    breaks: int = 0
    redraws: int = 0
    halts: int = 0
    waived: int = 0
    outs: int = 0
    bought: int = 0
    late: int = 0
    penalties: int = 0


class Course:
    """One tournament. `tally` is what has happened so far."""

    def __init__(self, plan: Plan, book: RuleBook) -> None:
        self.plan = plan
        self.tally = Tally()
        self.random = Random(plan.seed)  # noqa: S311 - to be repeated
        self.chips: dict[str, int] = {}
        self.rules = book.tournament
        self.desk = Desk(plan.structure, self._known)
        first = plan.structure.entries[0].blinds
        if first is None:
            raise ValueError("a structure begins with a level")
        names = [f"T{number}" for number in range(1, plan.tables + 1)]
        self.felts = {name: Felt(name, plan.chairs, book, first) for name in names}
        self.referee = Referee(plan, book, self)
        self._people = People(self)
        self._broke = {name: Broke() for name in names}
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._idle: set[str] = set()
        self._due = Due()
        self._seen: object = None
        self._level = 1
        self._between_levels = False

    def play(self) -> None:
        """Plays it to its end. Raises BrokenError for what may not be."""
        self._opens()
        most = _MOST_HANDS_EACH * (self.plan.players + self.plan.late)
        while not self.is_over:
            if not self._queue:
                self._at_deadline()
            at_ms, _, event = heapq.heappop(self._queue)
            self.desk.passes(at_ms)
            self._begins_level()
            event()
            if self.tally.hands > most:
                raise BrokenError(f"{most:,} hands are played, and nobody has won")
        self.referee.at_end()

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.desk.record.clock.over

    # --- before the first hand ---

    def _opens(self) -> None:
        plan, desk = self.plan, self.desk
        desk.asks("tables", tables=[{"table": n, "seats": plan.chairs} for n in self.felts])
        if plan.house_gap is not None:
            desk.asks("even", gap=plan.house_gap)
        if plan.late or plan.re_entries:
            desk.asks("late", level=LATE_LEVELS)
        if plan.rebuys:
            desk.asks("offer", what="rebuy", until=LATE_LEVELS, most=2, at_most=0)
        if plan.re_entries:
            desk.asks("offer", what="re-entry", until=LATE_LEVELS, most=2)
        if plan.add_ons:
            desk.asks("offer", what="add-on", until=LATE_LEVELS, most=1, chips=STACK // 2)
        desk.asks("import", players=[{"name": f"P{n}"} for n in range(plan.players)])
        desk.asks("draw", seed=str(plan.seed))
        self.sat(desk.register.players)
        self._people.before_start()
        desk.asks("start")
        for name in self.felts:
            self._in(self.random.randint(0, _SHUFFLE_MS), partial(self._deals, name))

    def sat(self, players: Iterable[Player]) -> None:
        """Who has a seat and no chips yet gets a stack."""
        for each in players:
            if each.at is not None:
                self.chips.setdefault(each.entry, STACK)
        self.referee.entered()

    def _known(self) -> Known:
        hands = {name: HandOf(name, "t", felt.number) for name, felt in self.felts.items()}
        return Known(wall_ms=self.desk.now_ms, hands=hands, chips=self.chips)

    # --- time ---

    def _in(self, ms: int, event: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (self.desk.now_ms + ms, self._count, event))

    def _at_deadline(self) -> None:
        """All tables wait: for a break to end, or a level."""
        clock = self.desk.record.clock
        if clock.deadline_ms is None or clock.deadline_ms <= self.desk.now_ms:
            raise BrokenError(f"no table deals any more; {self._sizes_words()}")
        self._in(clock.deadline_ms - self.desk.now_ms, self._wakes)

    def _sizes_words(self) -> str:
        sizes = self.sizes()
        return ", ".join(f"{name} has {size} players" for name, size in sizes.items())

    def _begins_level(self) -> None:
        level = self.desk.record.clock.level
        if level != self._level:
            self._level, self._between_levels = level, True
            self._seen = None
            self._looks()
            self._wakes()

    # --- a table ---

    def _deals(self, name: str) -> None:
        felt, desk = self.felts[name], self.desk
        if self.is_over:
            return
        self._people.before_hand(name)
        self._looks()
        self.tells(name)
        if not self._may_deal(name):
            self._idle.add(name)
            return
        blinds = desk.record.clock.entry.blinds
        if blinds is not None:
            felt.level(blinds)
        start = felt.begins(desk.now_ms / 1_000)
        desk.begins(HandOf(name, "t", start.hand), {one.seat: None for one in start.seats})
        self.referee.hand_begins(name, start)
        may_sit = {
            at.seat: [SeatTold(one.entry, one.name)] for at, one in self.sitting(name).items()
        }
        self._broke[name] = broke.on_event(self._broke[name], start, may_sit)
        self._in(self.random.randint(*_HAND_MS), partial(self._ends, name))

    def _ends(self, name: str) -> None:
        felt, desk = self.felts[name], self.desk
        self.tally.hands += 1
        began = felt.stacks()
        result = felt.ends(desk.now_ms / 1_000, self.random)
        desk.ends(HandOf(name, "t", result.hand))
        sitting = {at.seat: one for at, one in self.sitting(name).items()}
        for seat, chips in (result.stacks or {}).items():
            self.chips[sitting[int(seat)].entry] = chips
        self._broke[name] = broke.on_event(self._broke[name], result, {})
        self.referee.hand_ends(name, began, {int(s): c for s, c in (result.stacks or {}).items()})
        self._people.after_hand(name)
        self._takes_out(name)
        self._people.between_hands(name)
        self.tells(name)
        self._looks()
        self._in(_SHUFFLE_MS, lambda: self._deals(name))
        self._wakes()

    def _takes_out(self, name: str) -> None:
        """Who has nothing left and buys nothing, as the table's dealer or the desk says."""
        share = self.rules.same_hand is not None and self.rules.same_hand.way == "share"
        register = self.desk.register
        outs: list[ProposedOut] = [
            one
            for one in broke.proposed({name: self._broke[name]}, register)
            if not self.chips[register.by_id[one.entrant].entry]
        ]
        if not outs:
            return
        entries = [register.by_id[one.entrant].entry for one in outs]
        act, fields = as_told([replace(one, share=share) for one in outs], "the dealer")
        self.desk.asks(act, **fields)
        self.tally.outs += len(outs)
        self.referee.went_out(
            [(entry, one.began or 0) for entry, one in zip(entries, outs, strict=True)], share=share
        )
        for entry in entries:
            del self.chips[entry]
        self._people.after_outs([one.entrant for one in outs])

    def sitting(self, name: str) -> dict[AtSeat, Player]:
        """Who sits at a table by the register."""
        by_seat = self.desk.register.by_seat
        chairs = (AtSeat(name, seat) for seat in range(1, self.plan.chairs + 1))
        return {at: by_seat[at] for at in chairs if at in by_seat}

    def tells(self, name: str) -> None:
        """A table is told what the register has of it."""
        self.felts[name].is_told(self.desk.register, self.chips)

    def sizes(self) -> dict[str, int]:
        """How many sit at each table at which somebody sits, in the order of the tables."""
        count = dict.fromkeys(self.felts, 0)
        for at in self.desk.register.by_seat:
            count[at.table] += 1
        return {name: size for name, size in count.items() if size}

    @property
    def breaks_now(self) -> bool:
        """Whether tables are to break, for which others wait."""
        return self._due.breaks is not None

    # --- the floor ---

    def _may_deal(self, name: str) -> bool:
        clock, due = self.desk.record.clock, self._due
        if clock.over or clock.on_break or not self.felts[name].can_deal:
            return False
        if name in {one.table for one in due.halted} - set(self.desk.register.waived):
            return False
        if due.breaks is not None:
            return not (due.breaks.all or name in due.breaks.breaks)
        return not any(self._is_held(name, move) for move in due.moves)

    def _is_held(self, name: str, move: ProposedMove) -> bool:
        if move.when == "level":
            return self._between_levels and move.mover.at.table == name
        return move.when == "all" or move.mover.at.table == name

    def _wakes(self) -> None:
        """Tables that waited look whether they may deal."""
        for name in sorted(self._idle):
            if self._may_deal(name):
                self._idle.discard(name)
                self._in(1_000, partial(self._deals, name))

    def _looks(self) -> None:
        """Does what is proposed and can be done now, until nothing of it is left."""
        if self._seen is self.desk.register:  # it was even, and nobody has come or gone
            return
        while not self.is_over:
            self._due = self._what_is_due()
            if not (self._breaks() or self._moves() or self._waives()):
                break
        if not any(move.when == "level" for move in self._due.moves):
            self._between_levels = False
        is_even = not (self._due.moves or self._due.halted or self._due.breaks)
        sizes = self.sizes().values()
        self._seen = self.desk.register if is_even and max(sizes) - min(sizes) < 2 else None

    def _what_is_due(self) -> Due:
        now = {name: felt.now for name, felt in self.felts.items()}
        due = balance.due(self.desk.register, now, (), level=self.desk.record.clock.level)
        halted = {one.table for one in due.halted}
        new = halted - {one.table for one in self._due.halted}
        self.tally.halts += len(new)
        self.desk.waives(tuple(each for each in self.desk.register.waived if each in halted))
        return due

    def _breaks(self) -> bool:
        due = self._due.breaks
        if due is None:
            return False
        finish = self.felts if due.all else due.breaks
        if any(self.felts[name].hand is not None for name in finish):
            return False
        before = self.sizes()
        self.desk.asks("redraw", tables=due.stay, seed=str(self.random.random()), all=due.all)
        self._arrive()
        self.tally.redraws += due.all
        self.tally.breaks += len(due.breaks)
        self.referee.broke(before, self.sizes(), is_all=due.all)
        self._tells_all()
        return True

    def _arrive(self) -> None:
        """Who was moved is there before the next hand anywhere."""
        for each in self.desk.register.players:
            if each.coming:
                self.desk.asks("arrive", player=each.id)

    def _tells_all(self) -> None:
        for name in self.felts:
            self.tells(name)

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
            return all(felt.hand is None for felt in self.felts.values())
        return self.felts[move.mover.at.table].hand is None

    def _makes(self, move: ProposedMove) -> None:
        mover = move.mover
        if move.low_card:
            mover = self.random.choice((mover, *move.instead))
        self.referee.moves(mover.at, move.to)
        self.desk.asks(
            "sit", player=mover.player, table=move.to.table, seat=move.to.seat, announce=True
        )
        self._arrive()
        self.tally.moves += 1
        self.tells(mover.at.table)
        self.tells(move.to.table)
        self.referee.moved(mover.player, mover.at, move.to)

    def _waives(self) -> bool:
        """A table that is halted and for which nobody moves is let play on: its blinds, and with
        them its open chairs, do not change before it does."""
        come = {move.to.table for move in self._due.moves}
        waived = self.desk.register.waived
        for one in self._due.halted:
            if self._due.breaks is None and one.table not in come and one.table not in waived:
                self.desk.asks("waive", table=one.table)
                self.tally.waived += 1
                return True
        return False
