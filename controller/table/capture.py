"""One capture of a table: what its bridge hears and what else it is told, as lines of a file.

The bridge says nothing true to the file: names and faces are `epochs`' business. When a hand is
over a new epoch begins as soon as no card lies at a seat, and others when none lies on the board
or on the burn pile any more, at the latest as the next hand begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Raw, Struct

from controller.capture import files as captures
from controller.capture.epochs import Epochs, TrueNames
from controller.capture.files import Begun, Entered, Header, Stack, Stacks, evened, renamed
from controller.contract.observations import DeckChange, Gone, Observation, Seen, Table
from controller.contract.observations import encode as encode_observation
from controller.engine.engine import Engine
from firmware_bridge.bridge import Bridge
from firmware_bridge.capture import Recorder
from firmware_bridge.presence import Thresholds
from firmware_bridge.wiring import PUCK, Wiring

BARE_FOR_S = 5.0
"""Where no engine says when a hand is over, it is after so long without a card in play."""

_SEATS = "seat/"
_IN_PLAY = (_SEATS, "board", "burn")


def date() -> str:
    """The date and time of day, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Subject(Struct, frozen=True):
    """What a capture tells of a table at its beginning. `decks` map tag → card code, the one in
    play is `deck`; `table` is the record in force."""

    table: Table
    ports: tuple[Wiring, ...]
    thresholds: Thresholds
    neighbours: Mapping[str, frozenset[str]]
    tick_every: float | None
    decks: tuple[Mapping[str, str], ...]
    deck: Mapping[str, str] | None
    objects: Mapping[str, str]
    speed: float = 1.0

    def __repr__(self) -> str:
        return f"Subject({self.table!r}, {len(self.decks)} decks)"


class Capture:
    """`write` gets whole lines. `engine` is the table's, where there is one; `when` tells the
    date and time of day."""

    def __init__(
        self,
        subject: Subject,
        bridge: Bridge,
        engine: Engine | None,
        write: Callable[[bytes], None],
        *,
        raw: bool,
        when: Callable[[], str],
    ) -> None:
        self._subject = subject
        self._bridge = bridge
        self._engine = engine
        self._write = write
        self._raw = raw
        self._when = when
        self._names: Epochs | TrueNames = (
            TrueNames(subject.objects) if raw else Epochs(subject.decks, subject.objects)
        )
        self._deck = self._names.index(subject.deck)
        self._recorder: Recorder | None = None
        self._hand: int | None = None
        self._waits_for: tuple[str, ...] = ()
        self._bare_since: float | None = None
        self._last = 0.0

    # --- beginning and end ---

    def begin(self) -> None:
        """Begin; or begin anew, for a file that can be read by itself."""
        self.end()
        t = self._bridge.now()
        wires = self._bridge.wires
        tracked = wires.tracked()
        self._hand = None if self._engine is None else self._engine.hand
        # What lies there now may be a hand that everybody saw.
        self._waits_for = self._lying() if self._hand is None else ()
        self._names.begin(tracked)
        self._line(self._header(t))
        self._line(self._names.faces(t, self._deck))
        self._line(self._standing(t, tracked))
        self._recorder = Recorder(
            self._subject.ports,
            name=self._names.name,
            near=self._near,
            write=self._line,
        )
        wires.listen(self._recorder, t)

    def end(self) -> None:
        """Write what is not written yet, and hear no more."""
        if self._recorder is not None:
            self._bridge.wires.unlisten(self._recorder)
            self._recorder.end()
            self._recorder = None

    def _header(self, t: float) -> Header:
        table = msgspec.structs.replace(
            self._subject.table, deck=None, objects={}, t=None, under_way=False
        )
        cards = (tag for deck in self._subject.decks for tag in deck)
        known = sorted({*self._subject.objects, *cards})
        return Header(
            captures.VERSION,
            t,
            self._when(),
            self._raw,
            table,
            self._subject.ports,
            self._subject.thresholds,
            {zone: tuple(sorted(near)) for zone, near in sorted(self._subject.neighbours.items())},
            self._subject.tick_every,
            has_deck=bool(self._subject.decks),
            tags=tuple(known) if self._raw else (),
            speed=self._subject.speed,
        )

    def _standing(self, t: float, tracked: Mapping[str, Mapping[str, bool]]) -> Begun:
        lying = {
            place: tuple(sorted(self._name(tag) for tag, is_there in tags.items() if is_there))
            for place, tags in tracked.items()
        }
        held = tuple(
            msgspec.structs.replace(value, tag=self._name(value.tag))
            if isinstance(value, Seen | Gone)
            else value
            for value in self._bridge.wires.held()
        )
        engine = self._engine
        state = None if engine is None else engine.state()
        before: Sequence[Seen | Gone] = () if engine is None else engine.lying()
        since: Sequence[Observation] = ()
        if engine is not None and state is None and engine.beginning is not None:
            state, before = engine.beginning.state, engine.beginning.lying
            since = engine.since
        if state is not None:
            objects = {self._name(tag): thing for tag, thing in state.table.objects.items()}
            table = msgspec.structs.replace(
                state.table, objects=dict(sorted(objects.items())), deck=None
            )
            state = msgspec.structs.replace(state, table=table)
        standing = self._bridge.wires.standing()
        return Begun(
            t,
            lying,
            evened(held),
            state,
            self._undated(before),
            tuple(
                Raw(encode_observation(o)) for o in evened(renamed(o, self._name) for o in since)
            ),
            self._last,
            standing.ticked,
            standing.states,
            standing.given,
            standing.attended,
        )

    def _undated(self, lying: Sequence[Seen | Gone]) -> tuple[Seen | Gone, ...]:
        """What lay there, by place and name: by the time a card was laid down it could be known
        again."""
        seen = max((o.t for o in lying if isinstance(o, Seen)), default=0.0)
        gone = max((o.t for o in lying if isinstance(o, Gone)), default=0.0)
        there = sorted((o.zone, self._name(o.tag)) for o in lying if isinstance(o, Seen))
        leaving = sorted((o.zone, self._name(o.tag)) for o in lying if isinstance(o, Gone))
        return (
            *(Seen(seen, zone, tag) for zone, tag in there),
            *(Gone(max(seen, gone), zone, tag) for zone, tag in leaving),
        )

    # --- in between ---

    def observed(self, observation: Observation, *, by_bridge: bool) -> None:
        """The table was told this, and its engine has made of it what it has."""
        recorder = self._recorder
        if recorder is None:
            return
        t = self._bridge.wires.now if by_bridge else self._bridge.now()
        self._last = observation.t or self._last
        self._mind_stacks(recorder, t)
        if isinstance(observation, DeckChange):
            self._deck = self._names.index(observation.deck)
            self._epoch(recorder, t)
        if not by_bridge:
            deck = None
            if isinstance(observation, Table | DeckChange) and observation.deck is not None:
                deck = self._names.index(observation.deck)
            o = renamed(observation, self._name)
            recorder.add(Entered(t, Raw(encode_observation(o)), deck), t)
        self._mind_hand(recorder, t)

    def look(self) -> None:
        """Time passed."""
        if self._recorder is None or self._engine is not None:
            return
        t = self._bridge.wires.now
        if self._lying():
            self._bare_since, self._waits_for = None, _IN_PLAY
        elif self._bare_since is None:
            self._bare_since = t
        elif self._waits_for and t - self._bare_since >= BARE_FOR_S:
            self._epoch(self._recorder, t)

    def _mind_hand(self, recorder: Recorder, t: float) -> None:
        """A hand that is over ends the epoch."""
        engine = self._engine
        if engine is None:
            return
        before, self._hand = self._hand, engine.hand
        if before not in (None, self._hand):
            self._waits_for = _IN_PLAY
        if not self._waits_for:
            return
        if self._hand not in (None, before):
            self._epoch(recorder, t)
        elif self._hand is None:
            lying = self._lying()
            if _SEATS not in lying and not set(self._waits_for) <= set(lying):
                self._epoch(recorder, t, lying)

    def _mind_stacks(self, recorder: Recorder, t: float) -> None:
        """What a hand came to, before whatever ended it is told."""
        engine = self._engine
        if engine is None or self._hand is None or engine.hand == self._hand:
            return
        state = engine.state()
        if state is None and engine.beginning is not None:
            state = engine.beginning.state
        if state is not None:
            seats = state.table.seats
            stacks = [Stack(s.seat, s.status, s.stack) for s in seats if s.stack is not None]
            recorder.add(Stacks(t, tuple(stacks)), t)

    def _epoch(self, recorder: Recorder, t: float, still: tuple[str, ...] = ()) -> None:
        """Another one will begin when no card lies where there are some `still`."""
        self._waits_for = still
        self._names.begin(self._bridge.wires.tracked())
        recorder.add(self._names.faces(t, self._deck), t)

    def _lying(self) -> tuple[str, ...]:
        """Where cards lie that may have been seen by everybody."""
        places = [
            place
            for place, tags in self._bridge.wires.tracked().items()
            if not place.endswith(PUCK) and any(tag not in self._subject.objects for tag in tags)
        ]
        return tuple(kind for kind in _IN_PLAY if any(p.startswith(kind) for p in places))

    def _near(self, port: str) -> Sequence[str]:
        places = next(w.places for w in self._subject.ports if w.port == port)
        tracked = self._bridge.wires.tracked()
        return [tag for place in places for tag in tracked[place]]

    def _name(self, tag: str) -> str:
        return self._names.name(tag)

    def _line(self, record: object) -> None:
        self._write(captures.encode(record) + b"\n")
