"""What comes in at a room, by its topic: read, counted, and of each table by its budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from controller.broker.client import Incoming
from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    MAX_PAYLOAD,
    ROOM_ANSWER,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_STATE,
    MessageError,
    Topic,
    UnknownVersionError,
)
from controller.room.hearing import Hearing
from controller.room.intake import Intake
from controller.room.other_room import OtherRoom
from controller.room.shift import Trouble
from controller.room.taken_in import TakenIn
from controller.room.view import Ignored

P = TypeVar("P", bound=Struct)
_OF_TABLES: tuple[Topic[Any], ...] = (
    TABLE_STATE,
    TABLE_HAND,
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HEALTH,
)
_OF_ROOMS: tuple[Topic[Any], ...] = (ROOM_TIME, ROOM_CLOCK, ROOM_STATE)
_OF_EVENTS: tuple[Topic[Any], ...] = (EVENT_CLOCK, EVENT_TOURNAMENT)


class Inbox:
    """Gives `hearing` what tables say and `other` what rooms say. `answers` is the topic of the
    tables' answers, `filters` what is to be subscribed to. What cannot be used is counted in
    `ignored`, and of tables one by one."""

    def __init__(
        self,
        site: str,
        answers: str,
        now_ms: Callable[[], int],
        hearing: Hearing,
        other: OtherRoom,
    ) -> None:
        self._site = site
        self._answers = answers
        self._hearing = hearing
        self._other = other
        self._intake = Intake(now_ms, self._take, hearing.missed)
        self._of_rooms = {each.name(site): each for each in _OF_ROOMS}
        self.filters = (
            *(each.filter(site) for each in (*_OF_TABLES, *_OF_ROOMS, *_OF_EVENTS)),
            answers,
        )
        self.ignored = Ignored()
        self.taken_in = TakenIn()

    def received(self, incoming: Incoming) -> None:
        """Take it in; a table that says too much at once has to wait."""
        self._hearing.came()
        found = self._table(incoming.topic)
        if found is None:
            self._take(incoming)
            return
        topic, table = found
        if not incoming.retain:
            is_beat = topic is TABLE_STATE and not incoming.qos
            if is_beat or topic is not TABLE_STATE:  # else it may be its last will
                self._hearing.spoke(table, beat=is_beat)
            if is_beat:
                return
        if topic is TABLE_EVENT and not incoming.qos:
            return  # told again for the history, and in no haste: not ours
        latest_counts = topic is not TABLE_EVENT
        if not self._intake.received(table, incoming, latest_counts=latest_counts):
            self.ignored.unknown_topic += 1

    def drain(self) -> None:
        """Take what waits, as far as there is room for it by now."""
        self._intake.drain()

    @property
    def trouble(self) -> tuple[Trouble, ...]:
        """The tables that say what cannot be used, or too much."""
        return self._intake.trouble

    def _table(self, topic: str) -> tuple[Topic[Any], str] | None:
        """The kind of a table's topic, and whose it is."""
        for each in _OF_TABLES:
            if names := each.names(self._site, topic):
                return each, names[0]
        return None

    def _take(self, incoming: Incoming) -> None:
        before = self.ignored.unknown_fields
        trouble = ""
        try:
            if not (self._from_table(incoming) or self._from_room(incoming)):
                self.ignored.unknown_topic += 1
        except UnknownVersionError:
            self.ignored.unknown_version += 1
            trouble = "unknown_version"
        except MessageError:
            self.ignored.malformed += 1
            trouble = "oversize" if len(incoming.payload) > MAX_PAYLOAD else "malformed"
        unknown = self.ignored.unknown_fields - before
        if trouble or unknown:
            self._count(incoming.topic, trouble, unknown)

    def _count(self, topic: str, trouble: str, unknown_fields: int) -> None:
        """What there was about a message of a table; no `trouble` where it could be used."""
        found = self._table(topic)
        if found is None:
            return
        self._intake.count(found[1], "unknown_fields", unknown_fields)
        if trouble:
            self._intake.count(found[1], trouble)
            self._hearing.unusable(found[1])

    def _from_table(self, incoming: Incoming) -> bool:
        site, topic, payload, hearing = self._site, incoming.topic, incoming.payload, self._hearing
        if names := TABLE_HAND.names(site, topic):
            hand = self._read(TABLE_HAND, payload) if payload else None
            hearing.hand(names[0], hand, is_kept=incoming.retain)
            self.taken_in.message("hand")
        elif names := TABLE_STATE.names(site, topic):
            hearing.state(names[0], self._read(TABLE_STATE, payload) if payload else None)
            self.taken_in.message("$state")
        elif names := TABLE_ALERT.names(site, topic):
            alert = self._read(TABLE_ALERT, payload) if payload else None
            hearing.alert(names[0], names[1], alert)
            self.taken_in.message("alerts")
        elif names := TABLE_EVENT.names(site, topic):
            event = self._read(TABLE_EVENT, payload)
            hearing.event(names[0], event, len(payload))
            self.taken_in.event(names[0], event.session, event.seq)
        elif names := TABLE_HEALTH.names(site, topic):
            hearing.health(names[0], self._read(TABLE_HEALTH, payload) if payload else None)
            self.taken_in.message("health")
        elif topic == self._answers:
            hearing.answer(self._read(ROOM_ANSWER, payload), incoming.correlation)
        else:
            return False
        return True

    def _from_room(self, incoming: Incoming) -> bool:
        kind, payload = self._of_rooms.get(incoming.topic), incoming.payload
        if kind is ROOM_TIME:
            self._other.says_time(self._read(ROOM_TIME, payload))
        elif kind is ROOM_CLOCK:
            self._other.says_clock(self._read(ROOM_CLOCK, payload) if payload else None)
        elif kind is ROOM_STATE:
            self._other.says_state(self._read(ROOM_STATE, payload) if payload else None)
        else:
            return self._of_event(incoming)
        return True

    def _of_event(self, incoming: Incoming) -> bool:
        for topic in _OF_EVENTS:
            if names := topic.names(self._site, incoming.topic):
                self._other.says_event(names[0], there=bool(incoming.payload))
                return True
        return False

    def _read(self, topic: Topic[P], payload: bytes) -> P:
        decoded = topic.decode(payload)
        self.ignored.unknown_fields += decoded.unknown_fields
        return decoded.value
