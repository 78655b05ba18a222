"""What a table's process does again and again, beside its wires and its sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from controller.contract.messages import BEAT_S, Health
from controller.contract.observations import TimingChange
from controller.contract.picture import LinksNow, RoomNow
from controller.contract.view import ReaderView
from controller.engine.engine import Engine
from controller.process.notify import Notifier
from controller.table.clock import TableClock
from controller.table.floor_here import FloorHere
from controller.table.health import TableHealth, differ
from controller.table.order_window import OrderWindow
from controller.table.publisher import Publisher
from controller.table.room_heard import RoomHeard
from controller.table.room_link import RoomLink
from controller.table.service import TableService
from controller.table.telling import Telling
from controller.table.watching import Watching
from firmware_bridge.bridge import Bridge

HEALTH_S = 2.0
ROOM_S = 0.5
CYCLE_LOOK_S = 1.0


async def begin_to_watch(watching: Watching, link: RoomLink, publisher: Publisher) -> None:
    """Tells the room that the table is ready, once watching has begun, and from then on that it
    is there."""
    await watching.begin()
    link.publish(publisher.state("ready"))
    while True:
        await asyncio.sleep(BEAT_S / 4)
        if link.quiet_s >= BEAT_S:
            link.publish(publisher.beat())


async def tell_health(
    health: TableHealth,
    service: TableService,
    link: RoomLink,
    publisher: Publisher,
    notifier: Notifier,
) -> None:
    """Feeds the watchdog, and tells how the table is when there is something new to tell."""
    said: Health | None = None
    while True:
        notifier.alive()
        now = health.now()
        readers = tuple(ReaderView(wire.port, wire.state) for wire in now.wires)
        service.now(LinksNow(now.links, readers, now.lost_zones))
        if said is None or differ(now, said):
            said = now
            link.publish(publisher.health(now))
        await asyncio.sleep(HEALTH_S)


async def follow_cycle(
    window: OrderWindow,
    *,
    bridge: Bridge,
    engine: Engine,
    watching: Watching,
    telling: Telling,
    say: Callable[[str], None],
) -> None:
    """Has the engine told how far apart two arrivals have to be in the next hand, by the slowest
    scan cycle that was measured. Where none is, the settings or the journal have the last word."""
    while True:
        window.heard(bridge.card_cycle_s(), engine.hand)
        timing = engine.next_timing
        if timing is not None and not watching.is_holding:
            next_s = window.after(timing.order_window)
            if next_s != timing.order_window:
                watching.entered(TimingChange(t=telling.t(), order_window=next_s))
                say(
                    f"order_window is {next_s:g} s from the next hand on (it was "
                    f"{timing.order_window:g} s): the slowest scan cycle takes "
                    f"{1e3 * (window.cycle_s or 0.0):.0f} ms"
                )
        await asyncio.sleep(CYCLE_LOOK_S)


async def show_the_room(
    table: str,
    *,
    heard: RoomHeard,
    link: RoomLink,
    service: TableService,
    floor: FloorHere,
    clock: TableClock,
    stamp: Callable[[], None],
) -> None:
    """Shows what is heard of the room and whether it has heard of us, and who from the floor is
    there; and has it stamped that the table is watched."""
    while True:
        now = clock.now()
        service.now(
            RoomNow(
                level=heard.level(),
                moves=heard.moves(table, now),
                race=heard.race(table),
                room_lost=heard.lost_since(now),
                floor_heard=link.is_through,
            )
        )
        floor.look()
        stamp()
        await asyncio.sleep(ROOM_S)
