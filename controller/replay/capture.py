"""Captures played again: the bytes through the drivers and the bridge's presence, and what comes
of them, with all that was entered, through the engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from controller.capture.files import (
    Begun,
    CaptureError,
    Entered,
    Faces,
    Header,
    Line,
    Stacks,
    read_capture,
    read_line,
    renamed,
)
from controller.contract import observations
from controller.contract.events import Event
from controller.contract.observations import (
    DeckChange,
    MalformedObservationError,
    Observation,
    SeatChange,
    Seen,
    Table,
)
from controller.engine.engine import Engine
from controller.engine.implied import deck_shown
from controller.files.toml_file import ConfigError
from controller.replay.log import LogError
from firmware_bridge.playback import Line as WireLine
from firmware_bridge.playback import Nowhere, Player, RecordError
from firmware_bridge.sensed import Sensed
from firmware_bridge.wires import Standing, Wires


def is_capture(first: bytes) -> bool:
    """Whether a file that begins with this line is a capture."""
    try:
        return isinstance(read_line(first), Header)
    except CaptureError:
        return b'"capture"' in first[:40]


def play_capture(
    name: str, lines: Iterable[bytes], engine: Engine, warnings: list[str]
) -> Iterator[Sequence[Event]]:
    """Yields what follows from each line. Raises LogError at the first fault."""
    number = 1
    try:
        records = read_capture(name, lines, warnings)
        playback = _Playback(next(records)[1], engine)
        for number, record in records:  # noqa: B007 - told of in a fault
            yield playback.play(record)
        yield playback.end()
    except CaptureError as error:
        raise LogError(str(error)) from None
    except (RecordError, MalformedObservationError, ConfigError) as error:
        raise LogError(f"{name}: line {number}: {error}") from None


class _Playback:
    """Plays records. Raises RecordError for what can't be."""

    def __init__(self, header: Line, engine: Engine) -> None:
        if not isinstance(header, Header):
            raise RecordError("a capture begins with its header")
        self._engine = engine
        self._events: list[Event] = []
        self._last = 0.0
        self._now = header.t
        self._table = _checked(header.table)
        self._has_deck = header.has_deck
        self._known = frozenset(header.tags)
        self._decks: list[dict[str, str]] = []
        self._deck: int | None = None
        self._in_play: int | None = None
        self._objects: dict[str, str] = {}
        self._stable: dict[str, str] = {}
        self._has_begun = False
        ports = {wiring.port: WireLine() for wiring in header.ports}
        try:
            self._wires = Wires(
                header.ports,
                self._sensed,
                now=header.t,
                make_port=lambda wiring: ports[wiring.port],
                search=Nowhere(),
                registered=self._is_registered,
                notice=lambda _: None,
                neighbours={zone: frozenset(near) for zone, near in header.neighbours.items()},
                thresholds=header.thresholds,
                tick_every=header.tick_every,
                speed=header.speed,
            )
        except ValueError as error:
            raise RecordError(str(error)) from None
        self._player = Player(header.ports, self._wires, ports)

    def play(self, record: Line) -> Sequence[Event]:
        """Plays one record; returns what follows."""
        self._now = record.t
        match record:
            case Faces():
                self._begin_epoch(record)
            case Begun():
                self._begin(record)
            case Header():
                raise RecordError("a second header")
            case _ if not self._has_begun:
                raise RecordError("the record of how everything stood is missing")
            case Entered():
                self._entered(observations.decode(bytes(record.o)), record.deck)
            case Stacks():
                self._set_stacks(record)
            case _:
                self._player.play(record)
        events, self._events = self._events, []
        return events

    def end(self) -> Sequence[Event]:
        """The capture has ended: what was known by then, and still held back, comes."""
        if self._has_begun:
            self._wires.finish()
        events, self._events = self._events, []
        return events

    def _begin(self, standing: Begun) -> None:
        if self._has_begun:
            raise RecordError("how everything stood is recorded a second time")
        self._has_begun = True
        deck = None if self._deck is None else self._decks[self._deck]
        self._in_play = self._deck
        if standing.engine is None:
            table = msgspec.structs.replace(
                self._table, deck=deck, objects=self._objects, under_way=bool(standing.before)
            )
            self._observe(table)
        else:
            _checked(standing.engine.table)
            self._engine.restore(standing.engine, deck, standing.before)
        for line in standing.since:
            self._observe(self._with_deck(observations.decode(bytes(line)), self._deck))
        self._last = max(self._last, standing.last)
        places = self._wires.tracked()
        for place in standing.lying:
            if place not in places:
                raise RecordError("a tag is in a place that no port has")
        self._wires.resume(
            standing.lying,
            standing.held,
            standing.t,
            Standing(standing.ticked, standing.given, standing.states, standing.attended),
        )

    def _begin_epoch(self, faces: Faces) -> None:
        """Other names and faces: of each name it is known which card it stands for."""
        known = range(len(faces.decks))
        if faces.deck is not None and faces.deck not in known:
            raise RecordError("the deck in play is none of those recorded")
        if len(faces.decks) < len(self._decks):
            raise RecordError("a deck is missing")
        stable = {new: self._stable.get(old, old) for new, old in faces.carried.items()}
        for number, deck in enumerate(faces.decks):
            if number == len(self._decks):
                self._decks.append(deck)
            stable |= _matched(deck, self._decks[number])
        self._stable = stable
        self._deck, self._objects = faces.deck, faces.objects
        changes = {new: old for new, old in stable.items() if new != old}
        self._player.name = (lambda tag: changes.get(tag, tag)) if changes else None

    def _with_deck(self, observation: Observation, deck: int | None) -> Observation:
        o = renamed(observation, lambda tag: self._stable.get(tag, tag))
        if isinstance(o, Table | DeckChange):
            if deck is not None and not 0 <= deck < len(self._decks):
                raise RecordError("a deck that was never recorded comes into play")
            known = None if deck is None else self._decks[deck]
            if isinstance(o, Table):
                return msgspec.structs.replace(o, deck=known)
            return msgspec.structs.replace(o, deck=known or {})
        return o

    def _set_stacks(self, record: Stacks) -> None:
        state = self._engine.state()
        has = {} if state is None else {s.seat: (s.status, s.stack) for s in state.table.seats}
        for one in record.stacks:
            if has.get(one.seat) != (one.status, one.stack):
                self._observe(
                    SeatChange(t=self._last, seat=one.seat, status=one.status, stack=one.stack)
                )

    def _entered(self, observation: Observation, deck: int | None) -> None:
        """A change to the deck in play was shown by a hand's first cards, and is made already."""
        if isinstance(observation, DeckChange) and deck == self._in_play:
            return
        o = self._with_deck(observation, deck)
        if isinstance(observation, Table | DeckChange):
            self._in_play = deck
        self._observe(o)

    def _sensed(self, sensed: Sensed) -> None:
        if isinstance(sensed, Seen) and len(self._decks) > 1:
            shown = deck_shown(sensed, self._engine.first_cards, self._deck_of, self._in_play)
            if shown is not None:
                self._entered(DeckChange(t=sensed.t, deck={}), shown)
        self._observe(sensed)

    def _deck_of(self, tag: str) -> int | None:
        """The number of the deck that a tag is of; that of the one in play where it is of none."""
        numbers = (number for number, deck in enumerate(self._decks) if tag in deck)
        return next(numbers, self._in_play)

    def _observe(self, observation: Observation) -> None:
        """Time that would run backwards stands still, as at the table."""
        if observation.t is not None:
            if observation.t < self._last:
                observation = msgspec.structs.replace(observation, t=self._last)
            self._last = observation.t or self._last
        self._events += self._engine.observe(observation)

    def _is_registered(self, tag: str) -> bool:
        if not self._has_deck:
            return True
        return (
            tag in self._known or tag in self._objects or any(tag in deck for deck in self._decks)
        )


def _checked(table: Table) -> Table:
    """The same table. Raises MalformedObservationError where a log could not have it."""
    observations.decode(observations.encode(table))
    return table


def _matched(new: Mapping[str, str], first: Mapping[str, str]) -> dict[str, str]:
    """The first epoch's name for each name of a deck."""
    by_card: dict[str, list[str]] = defaultdict(list)
    for name in sorted(first, reverse=True):
        by_card[first[name]].append(name)
    matched = {}
    for name in sorted(new):
        if not by_card[new[name]]:
            raise RecordError("a deck has other cards than before")
        matched[name] = by_card[new[name]].pop()
    return matched
