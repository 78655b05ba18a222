"""The clock that is called on a player who takes too long."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nextafter

from controller.contract.events import Clock, Event
from controller.contract.sight import CalledOn
from controller.rules.clock_expired import CODE
from controller.rules.irregularity import Amiss
from controller.rules.procedure import Round
from controller.rules.watcher import Lookout, Watcher


class CalledClock(Watcher):
    """One clock at a time; it stops when its player acts or the round is over."""

    code = CODE

    def __init__(self, lookout: Lookout, emit: Callable[[Event], None]) -> None:
        """`emit` takes the events."""
        super().__init__(lookout)
        self._emit = emit
        self._seat: int | None = None
        self._until = inf
        self._has_warned = False

    @property
    def running(self) -> CalledOn | None:
        """On whom it was called, and until when; None while no clock runs."""
        return None if self._seat is None else CalledOn(self._seat, self._until)

    @property
    def due(self) -> float | None:
        """When it warns or has run out: a tie is the player's."""
        if self._seat is None:
            return None
        return nextafter(self._until, inf) if self._has_warned else self._until - self._warning

    def asked_by(self, seat: int) -> None:
        """A seat pressed `time`: on himself it means that he has not acted, else it is for the
        player whose turn it is."""
        due = self._hand.betting.next_to_act()
        if due is not None and seat != due:
            self.call(due)

    def call(self, seat: int, seconds: float | None = None) -> None:
        """The clock is called on a seat that has to act, for the book's time or what the floor
        allows, also while it runs (UK-26, TDA24-29f)."""
        runs = self._seat is not None and seconds is None
        if runs or not self._waits_for(seat):
            return
        self._seat = seat
        length = self._table.book.clock.length if seconds is None else seconds
        self._until = self._now.t + length
        self._has_warned = length <= self._warning
        self._emit(Clock(self._now.t, self._hand.number, seat, self._until))

    def stop(self) -> None:
        """It is cancelled, or its player has acted."""
        self._seat = None

    def acted(self, seat: int) -> None:
        """A seat acted: after the end it is certain that it had not done so before."""
        if seat == self._seat:
            self.stop()
        finding = self._hand.open_finding(CODE)
        if finding is not None and seat in finding.seats:
            self._judge.make_certain(finding, self._now.t, confirmed=False)

    def settle(self) -> None:
        """It stops with the round."""
        if self._seat is not None and not self._waits_for(self._seat):
            self.stop()

    def _waits_for(self, seat: int) -> bool:
        return isinstance(self._hand.head, Round) and self._hand.betting.awaits(seat)

    def expire(self) -> None:
        """Its time has come, for the warning or for the end."""
        due, seat, t = self.due, self._seat, self._now.t
        if due is None or seat is None or t < due:
            return
        if not self._has_warned:
            self._has_warned = True
            self._now.tell.remind("clock-warning", t, seat=seat, seconds=int(self._warning))
            return
        self.stop()
        if self._hand.betting.faces_bet(seat) or not self._table.book.clock.facing_bet:
            self._judge.establish(Amiss(t, CODE, (seat,), read=False), t)
        else:
            checks = self._table.book.clock.checks
            self._now.tell.remind("time-checks" if checks else "time-is-up", t, seat=seat)

    @property
    def _warning(self) -> float:
        return self._table.book.clock.warning
