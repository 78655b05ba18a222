"""The room as a table hears it: its time, the clock of the table's event, who moves, and since when
it is silent."""

from __future__ import annotations

from typing import Any

from controller.broker.client import Incoming
from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    ROOM_TOURNAMENT,
    MessageError,
    RoomClock,
    RoomTime,
    RoomTournament,
    State,
)
from controller.contract.view import LevelView, MoveView, RaceView
from controller.rules.tournament_rules import Seconds, TournamentRules

HEARD = (ROOM_STATE, ROOM_TIME, ROOM_CLOCK, ROOM_TOURNAMENT, EVENT_CLOCK, EVENT_TOURNAMENT)
_FIRST = ""
SILENT_S = 5.0
"""The room tells its time every second."""
JITTER_S = 0.3
"""An end that moves by less has not moved."""


class RoomHeard:
    """Takes the room's messages. The `table` follows the event whose list names it, else the room's
    first one. `t` is the table's time, which runs `speed` times as fast, and `race` are the steps
    of a race by its book, see `RaceView`."""

    def __init__(
        self,
        site: str,
        speed: float = 1.0,
        rules: TournamentRules | None = None,
        race: tuple[tuple[str, tuple[str, ...]], ...] = (),
        table: str = "",
    ) -> None:
        self._rules = rules or TournamentRules()
        self._site = site
        self._race = race
        self._speed = speed
        self._table = table
        self._clocks: dict[str, RoomClock] = {}
        self._tournaments: dict[str, RoomTournament] = {}
        self._time: tuple[int, float] | None = None
        self._lost: float | None = None
        self._ends: float | None = None
        self.unread = 0

    def received(self, incoming: Incoming, t: float) -> bool:
        """Takes a message in; False if it is none of the room's. What can't be read is counted."""
        said = ((one, one.names(self._site, incoming.topic)) for one in HEARD)
        topic, names = next(((one, found) for one, found in said if found is not None), (None, ()))
        if topic is None:
            return False
        event = names[0] if names else _FIRST
        if not incoming.payload and (names or topic is ROOM_TOURNAMENT):
            of: dict[str, Any] = self._clocks if topic is EVENT_CLOCK else self._tournaments
            of.pop(event, None)
            self._note_end()
            return True
        try:
            told = topic.decode(incoming.payload).value
        except MessageError:
            self.unread += 1
            return True
        match told:
            case RoomTime():
                self._time, self._lost = (told.now_ms, t), None
                self._note_end()
            case RoomClock():
                self._clocks[event] = told
                self._note_end()
            case RoomTournament():
                self._tournaments[event] = told
                self._note_end()
            case State() if told.state == "lost":
                self._lost = t if self._lost is None else self._lost
            case _:
                pass
        return True

    def lost_since(self, t: float) -> float | None:
        """Since when a room that was there has been silent; None while it is heard."""
        if self._lost is not None or self._time is None:
            return self._lost
        heard = self._time[1]
        return heard if t - heard > SILENT_S * self._speed else None

    @property
    def _event(self) -> str:
        """The event of this table."""
        lists = ((id_, told.tables) for id_, told in sorted(self._tournaments.items()))
        return next((id_ for id_, tables in lists if self._table in tables), _FIRST)

    @property
    def _clock(self) -> RoomClock | None:
        return self._clocks.get(self._event)

    @property
    def _tournament(self) -> RoomTournament:
        return self._tournaments.get(self._event, RoomTournament())

    def level(self) -> LevelView | None:
        """The room's level, as last heard: None before that."""
        clock, about = self._clock, self._tournament
        if clock is None or self._time is None:
            return None
        left = None if clock.remaining_ms is None else clock.remaining_ms / 1000
        dispute, together = self._rules.dispute, self._rules.hand_for_hand
        face_down = together is not None and together.face_down
        return LevelView(
            clock.level,
            clock.blinds,
            self._ends,
            left,
            on_break=clock.on_break,
            round=about.round,
            no_push=None if clock.on_break else self._before_end(self._rules.no_push),
            ready=self._before_end(self._rules.ready) if clock.on_break else None,
            stopped=self._is_stopped(clock),
            dispute=None if dispute is None else dispute.seconds * self._speed,
            face_down=face_down and about.round is not None,
        )

    def _before_end(self, rule: Seconds | None) -> float | None:
        if rule is None or self._ends is None:
            return None
        return self._ends - rule.seconds * self._speed

    def _is_stopped(self, clock: RoomClock) -> bool:
        amid_level = clock.state == "paused" and not clock.on_break
        return self._rules.stopped is not None and amid_level and self._tournament.round is None

    def moves(self, table: str, t: float) -> tuple[MoveView, ...]:
        """Who has to come to this table or to leave it, until the room's time for it is over."""
        if self._time is None:
            return ()
        now_ms = self._time[0] + (t - self._time[1]) * 1000 / self._speed
        due = [move for move in self._tournament.moves if now_ms < move.until_ms]
        return tuple(
            MoveView(each.player, each.to.table, each.to.seat, leaves=True)
            if each.to.table != table
            else MoveView(each.player, each.from_.table, each.to.seat)
            for each in due
            if table in (each.to.table, each.from_.table)
        )

    def race(self, table: str) -> RaceView | None:
        """Which chips this table is to race now, the smallest first."""
        due = (each for each in self._tournament.racing if table in each.tables)
        first = next(due, None)
        return None if first is None else RaceView(first.goes, first.into, self._race)

    def _note_end(self) -> None:
        """When the level ends in the table's time, by what was heard last."""
        clock = self._clock
        if self._time is None or clock is None or clock.deadline_ms is None:
            self._ends = None
            return
        room_ms, t = self._time
        ends = t + (clock.deadline_ms - room_ms) / 1000 * self._speed
        if self._ends is None or abs(ends - self._ends) > JITTER_S * self._speed:
            self._ends = ends
