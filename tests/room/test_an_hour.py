"""An hour of a room whose program, network and machine fail again and again: what two screens show
stays within half a second of the truth, and so of each other."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.contract.messages import ROOM_CLOCK, ROOM_TIME, Message, RoomClock, RoomTime
from controller.room.clock import ClockState, advance, at_start, running
from controller.room.store import RoomStore
from tests.room.evening import EVENING, SITE, Hall, Machine

HOUR_MS = 60 * 60_000
NEAR_MS = 500
TICK_MS = 250


class Screen:
    """Counts from a deadline by its own clock, as any screen does; hears nothing while cut off."""

    def __init__(self, late_ms: int) -> None:
        self.late_ms = late_ms
        self.cut_until = 0
        self.clock: RoomClock | None = None
        self.ahead_ms: int | None = None

    def hears(self, message: Message, own_ms: int) -> None:
        if own_ms < self.cut_until:
            return
        if message.topic == ROOM_CLOCK.name(SITE):
            self.clock = ROOM_CLOCK.decode(message.payload).value
        elif message.topic == ROOM_TIME.name(SITE):
            time: RoomTime = ROOM_TIME.decode(message.payload).value
            self.ahead_ms = time.now_ms - own_ms - self.late_ms

    def left_ms(self, own_ms: int) -> int | None:
        if self.clock is None or self.ahead_ms is None or self.clock.deadline_ms is None:
            return None
        return max(0, self.clock.deadline_ms - own_ms - self.ahead_ms)


@pytest.mark.parametrize("seed", range(2))
def test_two_screens_show_the_true_time_for_an_hour(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    machine, path = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, store=RoomStore.open(path))
    first.room.start()
    first.act("start")
    hall: Hall | None = first
    screens = [Screen(late_ms=0), Screen(late_ms=120)]
    truth: ClockState = running(at_start(EVENING), 0)
    own_ms = back_ms = checked = restarts = 0
    kept: Message | None = None
    while own_ms < HOUR_MS:
        what = chance.random()
        if hall is not None and what < 0.002:  # killed: what is not on the disk is gone
            hall.room.first.keeper._store.close()  # type: ignore[union-attr]
            hall, back_ms = None, own_ms + chance.randrange(500, 4_000)
            restarts += 1
        elif what < 0.004:
            machine.wall_jumps(chance.randrange(-(10**7), 10**7))
        elif what < 0.006:
            screen = chance.choice(screens)
            screen.cut_until = own_ms + chance.randrange(2_000, 60_000)
        slept = chance.randrange(1_000, 4_000) if 0.006 <= what < 0.0065 else 0
        machine.passes(TICK_MS)
        machine.sleeps(slept)
        own_ms += TICK_MS + slept
        if hall is None and own_ms >= back_ms:
            hall = Hall(machine, store=RoomStore.open(path), session=f"s{own_ms}")
            hall.room.start()
        sent: list[Message] = []
        if hall is not None:
            if own_ms % 1_000 < TICK_MS:
                hall.room.tick()
            sent, hall.sent[:] = [*hall.sent], []
        kept = next((each for each in reversed(sent) if each.retain and _clock(each)), kept)
        for screen in screens:
            if screen.cut_until and own_ms >= screen.cut_until and kept is not None:
                screen.cut_until = 0
                screen.hears(kept, own_ms)
            for message in sent:
                screen.hears(message, own_ms)
        truth = advance(truth, own_ms)
        for screen in screens:
            left = screen.left_ms(own_ms)
            same = screen.clock is not None and screen.clock.index == truth.index
            if left is not None and same:
                checked += 1
                assert abs(left - truth.left_ms(own_ms)) <= NEAR_MS
        if hall is not None:
            assert hall.state() in ("running", "last-minute", "break", "last-level")
    assert checked > 2 * HOUR_MS / TICK_MS * 0.9
    assert restarts > 5
    if hall is not None:
        hall.room.close()


def _clock(message: Message) -> bool:
    return message.topic == ROOM_CLOCK.name(SITE)
