"""Hand for hand in a simulated tournament: from shortly before the money until it is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.room import hand_for_hand
from controller.room.hand_for_hand import FEWEST, TableHand
from controller.simulate.tournaments.checks import rounds
from controller.simulate.tournaments.checks.rounds import Moment

if TYPE_CHECKING:
    from controller.simulate.tournaments.course import Course


class Rounds:
    """Which tables have to wait for others."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._desk = course.desk
        self._was_played = False
        self._had: set[str] = set()
        self._stands: Moment | None = None
        self.waits_for: tuple[str, ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether all tables play hand for hand."""
        return self._desk.record.together is not None

    @property
    def share(self) -> bool:
        """Whether all who go out in one round share their places."""
        together = self._desk.record.together
        return together is not None and together.share

    def announced(self, places: int) -> None:
        """The director announces it as it comes near: so many `places` are paid, or 0
        where that is not known yet."""
        course, left = self._course, len(self._course.chips)
        tables = len(course.sizes())
        is_near = 0 < places < left <= places + 3 * tables
        if not (course.plan.hand_for_hand and is_near and tables > 1) or self._was_played:
            return
        course.floor.gathers_all()
        says = course.rules.hand_for_hand
        minutes, share = (0, False) if says is None else (says.minutes, says.share)
        self._desk.asks("hand-for-hand", minutes=minutes, share=share, until=places)
        self._was_played = True
        self._had, self._stands = set(course.felts), None
        self.looks()

    def deals(self, name: str) -> None:
        """A table deals a hand."""
        together = self._desk.record.together
        if together is None:
            return
        course = self._course
        running = {each for each, felt in course.felts.items() if felt.hand and each != name}
        course.referee.must(rounds.of_hand(name, self._had, running, self._tables()))
        course.referee.must(rounds.of_end(len(course.chips), together.until))
        self._had = {name} if name in self._had else {*self._had, name}

    def looks(self) -> None:
        """Once all have played, it is settled who is out, and the next round begins."""
        together = self._desk.record.together
        if together is None:
            return
        self._counts()
        if self.waits_for:
            return
        course = self._course
        course.takes_out(course.felts)
        if course.is_over:
            return
        course.floor.looks()
        is_reached = together.until is not None and len(course.chips) <= together.until
        if is_reached or len(course.sizes()) < 2:
            self._desk.asks("table-by-table")
        elif not self._desk.record.clock.on_break:
            course.tally.rounds += 1
            self._counts()  # another table may play on, or there is one less
            self._next_round(together.round)
            self._counts()

    def _counts(self) -> None:
        together, tables = self._desk.record.together, self._tables()
        if together is not None:
            together = hand_for_hand.with_tables(together, tables)
            self._desk.rounds(together)
            self.waits_for = hand_for_hand.waits_for(together, tables)

    def _next_round(self, number: int) -> None:
        together, before = self._desk.record.together, self._moment()
        if together is None:
            return
        must = self._course.referee.must
        if together.off_ms and self._stands is not None and self._stands != before:
            must([f"the clock ran on hand for hand: from {self._stands} to {before}"])
        self._desk.next_round(together)
        after, entries = self._moment(), self._desk.record.clock.structure.entries
        durations = [each.duration_ms for each in entries]
        breaks = [n for n, each in enumerate(entries) if each.blinds is None]
        off_ms = together.off_ms if number > 1 else 0
        must(rounds.of_clock(durations, breaks, before, after, off_ms))
        self._stands = None if after.index in breaks else after

    def _moment(self) -> Moment:
        clock = self._desk.record.clock
        return Moment(clock.index, clock.left_ms(self._desk.now_ms))

    def _tables(self) -> dict[str, TableHand | None]:
        course = self._course
        felts = ((name, course.felts[name]) for name in course.sizes())
        return {
            name: TableHand(felt.number, is_over=felt.hand is None)
            for name, felt in felts
            if felt.hand is not None
            or (len(course.sitting(name)) >= FEWEST and name not in course.floor.halted)
        }
