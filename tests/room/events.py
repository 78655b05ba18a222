"""Rooms with several events, for their tests."""

from __future__ import annotations

from pathlib import Path

from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    RoomClock,
    RoomTournament,
)
from controller.room.event_file import Import, asked
from controller.room.event_service import EventService
from controller.room.store import RoomStore
from tests.room.evening import SITE, Hall, Machine


def create(hall: Hall, event: str = "turbo", name: str = "Turbo", **more: object) -> EventService:
    """One more event in a room."""
    wanted: Import = asked({"id": event, "name": name, **more})
    hall.room.create(wanted)
    found = hall.room.event(event)
    assert found is not None
    return found


def act(event: EventService, name: str, /, **fields: object) -> None:
    event.act(name, {"actor": "Ann", **fields})


def lists(event: EventService, *tables: str) -> None:
    """Tables of nine seats are the event's."""
    act(event, "tables", tables=[{"table": each, "seats": 9} for each in tables])


def kept(path: Path, machine: Machine, session: str = "s1") -> Hall:
    """A room with a store."""
    hall = Hall(machine, store=RoomStore.open(path), session=session)
    hall.room.link(True)
    return hall


def kill(hall: Hall) -> None:
    """The room is gone, and says nothing any more: as after `kill -9`."""
    for each in hall.room.events():
        store = each.keeper._store
        assert store is not None
        store.close()


def clocks_of(hall: Hall, event: str) -> list[RoomClock | None]:
    """What was published of an event's clock; None: that it is gone."""
    topic = EVENT_CLOCK.name(SITE, event)
    said = [each.payload for each in hall.sent if each.topic == topic]
    return [EVENT_CLOCK.decode(each).value if each else None for each in said]


def told_of(hall: Hall, event: str) -> RoomTournament | None:
    """What was published last of an event's tournament."""
    topic = EVENT_TOURNAMENT.name(SITE, event)
    payload = [each.payload for each in hall.sent if each.topic == topic][-1]
    return EVENT_TOURNAMENT.decode(payload).value if payload else None
