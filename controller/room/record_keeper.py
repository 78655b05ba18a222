"""Keeps the record: what is asked of it, what time does to it, and that it is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec.structs import replace

from controller.contract.events import Event
from controller.contract.messages import RoomClock
from controller.room import (
    clock,
    clock_message,
    did,
    did_players,
    hand_for_hand,
    incidents,
    races,
    record,
    register,
)
from controller.room.acts import ACTS, Act, ActError
from controller.room.clock import ClockState
from controller.room.conduct import HandOf
from controller.room.did import Did
from controller.room.hand_for_hand import HandForHand
from controller.room.known import NOTHING, Known
from controller.room.record import Record
from controller.room.register import Player
from controller.room.room_time import Beat, RoomClocks
from controller.room.seating import SeatsTold
from controller.room.stacks import PlaysOn
from controller.room.store import SHOWN, Asked, RoomStore
from controller.room.stored_seats import AtTables, Delivery
from controller.rules.prizes import Payouts
from controller.storage.database import DatabaseError

STEP_MS = 500
"""A wall clock that goes by less has not been set."""
_FORGETS_EACH_MS = 3_600_000
_PROBE_AGAIN_MS = 1_000


class RecordKeeper:
    """Keeps the record of a room: every change is in the store before `changed` is called.

    What players did is kept for `keep_ms`, or without a limit. Without `store` nothing outlives the
    process, and `store_fault` is why there is none where there should be; `fault` is that, or why
    the store can't be written, and empty while it can. `acted`: something was asked of the room in
    this run; `touched`: that, or the record is that of a run before. `closed`: nothing is kept any
    more.
    """

    def __init__(
        self,
        begin: Record,
        clocks: RoomClocks,
        *,
        session: str,
        store: RoomStore | None,
        store_fault: str,
        keep_ms: int | None = None,
        changed: Callable[[], None],
        report: Callable[[str], None],
    ) -> None:
        self._clocks = clocks
        self._session = session
        self._has_beaten = False
        self._store = store
        self._changed = changed
        self._report = report
        self._unsaved = False
        self._keep_ms = keep_ms
        self._cleared_ms: int | None = None
        self._probed_ms: int | None = None
        self._looked_ms = clocks.now_ms()
        self._store_fault = self.fault = store_fault
        self.touched = self.acted = self.closed = False
        self.record = record.as_configured(begin, begin.clock)
        self.history: tuple[Did, ...] = ()
        if store is not None:
            self.history = store.history
            if store.record is not None:
                self.record = record.as_configured(store.record, begin.clock)
                self.touched = True
        since = clocks.since
        if since is not None and self.touched:
            before = self.record.clock
            state = clock.unwatched(before, since.stopped_ms, since.now_ms, since.cause)
            self._keep(record.with_clock(self.record, state), None, anew=False)

    @property
    def keeps(self) -> bool:
        """Whether there is a store."""
        return self._store is not None

    @property
    def clock(self) -> ClockState:
        """The clock as it is."""
        return self.record.clock

    def act(
        self,
        name: str,
        fields: Mapping[str, object],
        *,
        known: Known = NOTHING,
    ) -> Act:
        """Do what was asked, with what else is `known` beside the wall clock; returns that.
        Raises ActError, with the reason where it can't be done."""
        act = record.asked(name, fields)
        self.pass_time()
        now_ms = self._clocks.now_ms()
        asked = Did(now_ms, self._clocks.wall_ms(), act.actor, name, did.words(act))
        before = self.clock
        try:
            known = replace(known, wall_ms=asked.wall_ms)
            after = record.after(self.record, name, act, now_ms, known)
        except ActError as error:
            self._keep(None, replace(asked, refused=str(error)))
            raise
        self.touched = self.acted = True
        beside = did_players.known(self.record, after, act)
        if beside:
            asked = replace(asked, words=did.words(act, beside))
        if name in ACTS:
            asked = replace(asked, where=did.where(before, after.clock, act, now_ms))
        self._keep(after, asked)
        return act

    def pass_time(self) -> None:
        """Look at the machine's clocks, and pass what has run out."""
        before_ms, now_ms = self._looked_ms, self._clocks.now_ms()
        self._looked_ms = now_ms
        slip, state = self._clocks.look(), self.clock
        if slip.slept_ms > clock.SHORT_MS:
            state = clock.unwatched(state, before_ms, now_ms, "suspended")
        if abs(slip.wall_ms) >= STEP_MS:
            state = clock.wall_moved(state, slip.wall_ms)
        self._clock(clock.advance(state, now_ms))
        self._become(record.pass_time(self.record, now_ms))

    def tick(self) -> None:
        """Once a second: the room is still there."""
        self.pass_time()
        self._forget()
        if self._unsaved:
            self._keep(self.record, None, anew=False)
        if self._store is not None and (self.clock.runs or not self._has_beaten):
            self._beat()

    def probe(self) -> bool:
        """Whether what is asked now would be kept; it is tried, but not twice in a second, however
        many ask."""
        now_ms = self._clocks.now_ms()
        if self._probed_ms is None or now_ms - self._probed_ms >= _PROBE_AGAIN_MS:
            self._probed_ms = now_ms
            self._keep(self.record, None, anew=False)
        return not self.fault

    def hands_over(self) -> None:
        """No table plays a hand: a break that waited for that begins."""
        self._clock(clock.hands_over(self.clock, self._clocks.now_ms()))

    def save(self) -> None:
        """Keep the record as it is, also where nothing has changed it."""
        self._keep(self.record, None)

    def dispute(self, why: str) -> None:
        """Something needs the floor: the clock is paused, if it is set so."""
        if self.clock.pause_on_dispute and self.clock.runs:
            self.pass_time()
            self._clock(clock.standing(self.clock, self._clocks.now_ms(), why))

    def arrived(self, table: str, seats: Collection[int]) -> None:
        """A hand of a table has these seats: who waited for one there plays."""
        self._become(record.arrived(self.record, table, seats))

    def bring(self, chips: Mapping[str, int]) -> None:
        """So much these players bring to their next seats, by their ids."""
        players = register.bringing(self.record.register, chips)
        self._become(replace(self.record, register=players))

    @property
    def at_tables(self) -> AtTables:
        """What the tables have of the register, and had when the room was last there."""
        return AtTables() if self._store is None else self._store.at_tables

    def told(self, told: Mapping[str, SeatsTold], plays_on: Mapping[str, PlaysOn]) -> None:
        """So much the tables have taken, and so are those who have left a seat in a hand."""
        now = replace(self.at_tables, told=dict(told), plays_on=dict(plays_on))
        self._try(lambda store, _beat: store.save_at_tables(now))

    def delivers(self, deliveries: Mapping[str, Delivery]) -> None:
        """These chips are on the way to tables, by the players' ids."""
        now = replace(self.at_tables, deliveries=dict(deliveries))
        self._try(lambda store, _beat: store.save_at_tables(now))

    def delivered(self, player: Player, raced: int) -> None:
        """What a player had bought as he was then is at his table, and so many chips of races."""
        players = register.delivered(self.record.register, player.id, player.bought)
        chips = races.delivered(self.record.races, player.entry, raced)
        self._become(replace(self.record, register=players, races=chips))

    def hand_begins(self, hand: HandOf, *, redeal: bool) -> None:
        """A hand of a table began: penalties are counted by it."""
        self._become(record.hand_begins(self.record, hand, redeal=redeal))

    def hand_ends(self, hand: HandOf) -> None:
        """A hand of a table is over, and no misdeal: who has served his penalty is back."""
        self._become(record.hand_ends(self.record, hand))

    def saw(self, table: str, session: str, event: Event) -> None:
        """A table told of something: what a player did himself is kept of him."""
        now, at = self.record, incidents.At(table, session, self._clocks.wall_ms())
        self._become(replace(now, seen=incidents.after(now.seen, now.register, event, at)))

    def waives(self, tables: tuple[str, ...]) -> None:
        """Only these tables are let play on though they are short of players."""
        players = replace(self.record.register, waived=tables)
        self._become(replace(self.record, register=players))

    def rounds(self, together: HandForHand) -> None:
        """How far the tables are that play hand for hand."""
        self._become(record.with_rounds(self.record, self._clocks.now_ms(), together))

    def next_round(self, together: HandForHand) -> HandForHand:
        """All tables have played their hand, and deal the next one."""
        now_ms = self._clocks.now_ms()
        state, after = hand_for_hand.next_round(self.clock, together, now_ms)
        self._become(replace(record.with_clock(self.record, state), together=after))
        return after

    def pays_by(self, book: Payouts | None) -> None:
        """This is the table of prizes of the book in force."""
        money = replace(self.record.money, book=book)
        self._become(replace(self.record, money=money))

    def closes(self, tables: tuple[str, ...]) -> None:
        """These tables are closed by the room, for a break or since they are held."""
        self._become(replace(self.record, closed=tables))

    def recover(self, said: RoomClock, stopped_ms: int | None) -> None:
        """Go on with a clock that another room, or this one before, has published."""
        now_ms = self._clocks.now_ms()
        after = clock_message.recovered(self.clock, said, now_ms, stopped_ms)
        revision = max(said.revision, self.record.revision) + 1
        self.touched = True
        self._keep(replace(self.record, clock=after, revision=revision), None)

    def asked(self) -> tuple[Asked, ...]:
        """What commands of this machine ask."""
        found: list[Asked] = []
        self._try(lambda store, _beat: found.extend(store.asked()))
        return tuple(found)

    def answer(self, asked: Asked, answer: str) -> None:
        """What has become of it: why not, or nothing."""
        self._try(lambda store, _beat: store.answer(asked.number, answer))

    def close(self) -> None:
        """The room ends, or this event: when, is kept."""
        self.closed = True
        if self._store is not None:
            self._beat()
            self._store.close()
            self._store = None

    def _forget(self) -> None:
        """Once an hour: what was kept for long enough."""
        now_ms = self._clocks.now_ms()
        if self._keep_ms is None or (
            self._cleared_ms is not None and now_ms - self._cleared_ms < _FORGETS_EACH_MS
        ):
            return
        self._cleared_ms = now_ms
        self._become(record.without_old(self.record, self._clocks.wall_ms() - self._keep_ms))

    def _clock(self, state: ClockState) -> None:
        after = record.with_clock(self.record, state)
        if after is not self.record:
            self._keep(after, None)

    def _become(self, after: Record) -> None:
        if after != self.record:
            self._keep(after, None)

    def _keep(self, after: Record | None, asked: Did | None, *, anew: bool = True) -> None:
        if asked is not None:
            self.history = (*self.history, asked)[-SHOWN:]
        if after is not None:
            self.record = after
        owed = self.record if after is not None or self._unsaved else None
        saved = self._try(lambda store, beat: store.save(owed, asked, beat))
        self._unsaved = owed is not None and not saved
        if saved:
            self.fault = self._store_fault
        if anew:
            self._changed()

    def _beat(self) -> None:
        self._has_beaten = True
        if self._try(lambda store, beat: store.tick(beat)) and not self._unsaved:
            self.fault = self._store_fault

    def _try(self, do: Callable[[RoomStore, Beat], None]) -> bool:
        """Whether the store took it. A room without a store has nothing to be taken."""
        if self._store is None:
            return True
        try:
            do(self._store, self._clocks.beat(self._session))
        except DatabaseError as error:
            if not self.fault:
                self._report(f"the room's store can't be written: {error}")
            self.fault = str(error)
            return False
        return True
