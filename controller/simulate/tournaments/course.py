"""A tournament from its draw to its winner: tables that play at their own pace, a floor that does
what the room proposes, and a referee who looks at every hand."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from functools import partial
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from controller.room import broke
from controller.room.broke import Broke
from controller.room.conduct import HandOf
from controller.room.known import Known
from controller.room.outs import as_told
from controller.room.register import Player, Register
from controller.room.seat_draw import AtSeat
from controller.room.seating import ProposedOut, SeatTold
from controller.rules.rulebook import RuleBook
from controller.simulate.tournaments.checks.places import Left
from controller.simulate.tournaments.desk import Desk
from controller.simulate.tournaments.felt import Felt
from controller.simulate.tournaments.floor import Floor
from controller.simulate.tournaments.people import People
from controller.simulate.tournaments.plan import LATE_LEVELS, STACK, Plan
from controller.simulate.tournaments.racing import Racing
from controller.simulate.tournaments.referee import BrokenError, Referee
from controller.simulate.tournaments.rounds import Rounds
from controller.simulate.tournaments.till import Till

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
    deals: int = 0
    races: int = 0
    rounds: int = 0


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
        self.floor = Floor(self)
        self.till = Till(self)
        self.racing = Racing(self)
        self.rounds = Rounds(self)
        self._people = People(self)
        self._broke = {name: Broke() for name in names}
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._idle: set[str] = set()
        self._level = 1
        self._sized: Register | None = None
        self._sizes: dict[str, int] = {}

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
            self.racing.looks()
            self.rounds.looks()
            event()
            if self.tally.hands > most:
                raise BrokenError(f"{most:,} hands are played, and nobody has won")
        self.referee.at_end()
        self.till.settles()

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
        self.till.opens()
        come = [{"name": f"P{n}", "paid": self.till.is_paid()} for n in range(plan.players)]
        desk.asks("import", players=come)
        for one in desk.register.players:
            self.till.sold("entry", one.id, paid=one.paid)
        desk.asks("draw", seed=str(plan.seed))
        self.sat(desk.register.players)
        self._people.before_start()
        desk.asks("start")
        self.till.level_begins(self._level)
        for name in self.felts:
            self.later(self.random.randint(0, _SHUFFLE_MS), partial(self._deals, name))

    def sat(self, players: Iterable[Player]) -> None:
        """Who has a seat and no chips yet gets a stack."""
        for each in players:
            if each.at is not None:
                self.chips.setdefault(each.entry, STACK)
        self.referee.entered()

    def _known(self) -> Known:
        hands = {name: HandOf(name, "t", felt.number) for name, felt in self.felts.items()}
        return Known(
            wall_ms=self.desk.now_ms,
            hands=hands,
            chips=self.chips,
            race=lambda _table: self.rules.race,
        )

    # --- time ---

    def later(self, ms: int, event: Callable[[], None]) -> None:
        """It happens after so long."""
        self._count += 1
        heapq.heappush(self._queue, (self.desk.now_ms + ms, self._count, event))

    def _at_deadline(self) -> None:
        """All tables wait: for a break to end, or a level."""
        clock = self.desk.record.clock
        if clock.deadline_ms is None or clock.deadline_ms <= self.desk.now_ms:
            raise BrokenError(f"no table deals any more; {self._sizes_words()}")
        self.later(clock.deadline_ms - self.desk.now_ms, self.wakes)

    def _sizes_words(self) -> str:
        sizes = self.sizes()
        return ", ".join(f"{name} has {size} players" for name, size in sizes.items())

    def _begins_level(self) -> None:
        level = self.desk.record.clock.level
        if level != self._level:
            self._level = level
            self.till.level_begins(level)
            self.floor.level_begins()
            self.wakes()

    def wakes(self) -> None:
        """Tables that waited look whether they may deal."""
        for name in sorted(self._idle):
            if self._may_deal(name):
                self._idle.discard(name)
                self.later(1_000, partial(self._deals, name))

    def _may_deal(self, name: str) -> bool:
        is_held = self.rounds.is_on and name not in self.rounds.waits_for
        return not is_held and self.floor.may_deal(name)

    # --- a table ---

    def _deals(self, name: str) -> None:
        felt, desk = self.felts[name], self.desk
        if self.is_over:
            return
        self._people.before_hand(name)
        self.floor.looks()
        self.tells(name)
        if not self._may_deal(name):
            self._idle.add(name)
            return
        blinds = desk.record.clock.entry.blinds
        if blinds is not None:
            felt.level(blinds)
        self.rounds.deals(name)
        start = felt.begins(desk.now_ms / 1_000)
        desk.begins(HandOf(name, "t", start.hand), {one.seat: None for one in start.seats})
        self.referee.hand_begins(name, start)
        may_sit = {
            at.seat: [SeatTold(one.entry, one.name)] for at, one in self.sitting(name).items()
        }
        self._broke[name] = broke.on_event(self._broke[name], start, may_sit)
        self.later(self.random.randint(*_HAND_MS), partial(self._ends, name))

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
        if not self.rounds.is_on:
            self.takes_out([name])
        self.racing.looks()
        self._people.between_hands(name)
        self.tells(name)
        self.floor.looks()
        self.rounds.announced(self.till.places)
        self.rounds.looks()
        self.later(_SHUFFLE_MS, lambda: self._deals(name))
        self.wakes()

    def takes_out(self, names: Iterable[str]) -> None:
        """Who has nothing left at these tables and buys nothing, as the dealers or the desk say."""
        same_hand = self.rules.same_hand
        share = self.rounds.share or (same_hand is not None and same_hand.way == "share")
        register = self.desk.register
        outs: list[ProposedOut] = [
            one
            for one in broke.proposed({name: self._broke[name] for name in names}, register)
            if not self.chips[register.by_id[one.entrant].entry]
        ]
        if not outs:
            return
        entries = [register.by_id[one.entrant].entry for one in outs]
        act, fields = as_told([replace(one, share=share) for one in outs], "the dealer")
        self.desk.asks(act, **fields)
        self.tally.outs += len(outs)
        left = [Left(entry, one.began or 0) for entry, one in zip(entries, outs, strict=True)]
        self.referee.went_out(left, in_round=self.rounds.is_on)
        for entry in entries:
            del self.chips[entry]
        self._people.after_outs([one.entrant for one in outs])
        self.till.after_outs()

    def sitting(self, name: str) -> dict[AtSeat, Player]:
        """Who sits at a table by the register, and has arrived."""
        return {at: one for at, one in self.seats_at(name).items() if not one.coming}

    def seats_at(self, name: str) -> dict[AtSeat, Player]:
        """The same, and who is on the way."""
        by_seat = self.desk.register.by_seat
        chairs = (AtSeat(name, seat) for seat in range(1, self.plan.chairs + 1))
        return {at: by_seat[at] for at in chairs if at in by_seat}

    def tells(self, name: str) -> None:
        """A table is told what the register has of it."""
        self.felts[name].is_told(self.desk.register, self.chips)

    def sizes(self) -> dict[str, int]:
        """How many sit at each table at which somebody sits, in the order of the tables."""
        register = self.desk.register
        if self._sized is not register:
            count = dict.fromkeys(self.felts, 0)
            for at in register.by_seat:
                count[at.table] += 1
            self._sizes = {name: size for name, size in count.items() if size}
            self._sized = register
        return dict(self._sizes)
