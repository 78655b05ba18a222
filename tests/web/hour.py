"""What befalls a hall in an hour: programs, networks and machines that fail, and people."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import ROOM_CLOCK
from controller.room.structure import Entry, Structure
from tests.commands.fake_table import SITE
from tests.waiting import until
from tests.web.stepped_hall import SteppedHall
from tests.web.watchers import Course, Watcher

SECOND = 1_000
MINUTE = 60_000
HOUR = 60 * MINUTE
EVENING = Structure(
    "evening",
    (
        Entry(11 * MINUTE, Blinds(25, 50)),
        Entry(13 * MINUTE, Blinds(50, 100, 100)),
        Entry(6 * MINUTE, None),
        Entry(12 * MINUTE, Blinds(100, 200, 200)),
        Entry(15 * MINUTE, Blinds(200, 400, 400)),
        Entry(30 * MINUTE, Blinds(400, 800, 800)),
    ),
)


class Gone(Struct, frozen=True):
    """The room as it was when it went; `behind_ms` as in `Watcher`."""

    course: Course
    at: int
    behind_ms: int


class Hour:
    """What befalls the hall; each coroutine leaves everything as it should be."""

    def __init__(self, hall: SteppedHall, chance: random.Random) -> None:
        self.hall = hall
        self.chance = chance
        self.changes = 0

    async def passes(self, ms: int) -> None:
        """Time passes in steps; a level's end is looked at closely."""
        hall, until = self.hall, self.hall.now + ms
        while hall.now < until:
            to_end = hall.course.left(hall.now) if hall.course.stands is None else HOUR
            if to_end <= 300:
                await self.level_ends(to_end)
            else:
                step = self.chance.randrange(1_500, 3_900)
                await hall.step(min(step, until - hall.now, to_end - 300))

    async def level_ends(self, to_end: int) -> None:
        """All who hear the room show the next one in the same moment, and the table is told."""
        hall = self.hall
        end = hall.now + to_end
        index = hall.course.index(end)
        hearing: list[Watcher] = [each for each in hall.screens if each.line.way == "open"]
        if hall.broker is not None:
            hearing.append(hall.wall)
        seen: dict[str, int] = {}
        while hall.now < end + 500:
            await hall.step(min(100, end - hall.now) if hall.now < end else 100)
            if hall.now == end and hall.is_there and hall.broker is not None:
                await self.table_knows()
            for watcher in hearing:
                if watcher.shown.level == hall.names[index]:
                    seen.setdefault(watcher.name, hall.now - end)
        if hall.is_there:
            assert len(seen) == len(hearing)
            assert all(0 <= late <= 200 for late in seen.values()), seen
            self.changes += 1

    async def before_end(self, ms: int) -> None:
        """The level has so much left."""
        await self.passes(self.hall.course.left(self.hall.now) - ms)

    async def away(self, ms: int, *, killed: bool, answer: str = "") -> None:
        """The room's program is not there for so long. Without `answer` it must not ask."""
        hall, gone = self.hall, self.goes()
        await (hall.kill() if killed else hall.stop())
        assert hall.now - gone.at < ms
        await self.passes(ms - (hall.now - gone.at))
        await hall.room_comes()
        await self.asked(gone, "restart", answer)

    def goes(self) -> Gone:
        """The room goes now."""
        return Gone(self.hall.course, self.hall.now, self.hall.wall.behind_ms)

    async def asked(self, gone: Gone, cause: str, answer: str, wall_clock_off_ms: int = 0) -> None:
        """What the room asks after it was not there is answered with `answer`, once the wall
        clock has been set right."""
        hall = self.hall
        question = hall.room()["clock"]["question"]
        if not answer:
            assert question is None
            await self.passes(20 * SECOND)
            return
        assert question["cause"] == cause
        stopped = question["stopped_ms"] + gone.behind_ms
        assert abs(stopped - gone.at) <= SECOND
        played = gone.course.played(stopped)
        hall.goes(replace(gone.course, stands=played))
        await self.passes(20 * SECOND)
        await self.all_hear()
        if wall_clock_off_ms:
            hall.sets_wall_clock(wall_clock_off_ms)
            await self.passes(5 * SECOND)
        hall.act("answer", choice=answer)
        if answer == "stay":
            await self.passes(5 * SECOND)
            hall.act("resume")
        if answer == "catch-up":
            hall.goes(gone.course)
        else:
            hall.goes(replace(gone.course, began=hall.now - played))
        await self.passes(20 * SECOND)
        await self.all_hear()

    async def all_hear(self) -> None:
        """Nobody counts on his own any more, once a browser that is busy has connected: that takes
        real time."""
        until = self.hall.now + 30 * SECOND
        for watcher in (*self.hall.screens, self.hall.wall, self.hall.ear):
            while (silent_ms := self.hall.now - (watcher.heard_ms or 0)) > 4 * SECOND:
                assert self.hall.now < until, (watcher.name, silent_ms, await watcher.state())
                await self.passes(SECOND)
        left_ms = self.hall.room()["left_ms"]
        assert abs(left_ms - self.hall.course.left(self.hall.now)) <= 1
        await self.table_knows()

    async def table_knows(self) -> None:
        """It was told the blinds of this moment; on a break it keeps those of before."""
        hall = self.hall
        blinds = EVENING.entries[hall.course.index(hall.now)].blinds
        if blinds is not None:
            await until(lambda: hall.levels()[-1:] == [blinds])

    async def killed_for_a_moment(self) -> None:
        await self.away(2 * SECOND, killed=True)
        await self.all_hear()

    async def ended_for_a_moment(self) -> None:
        await self.away(4 * SECOND, killed=False)
        await self.all_hear()

    async def killed_and_catches_up(self) -> None:
        await self.away(40 * SECOND, killed=True, answer="catch-up")

    async def killed_and_goes_on(self) -> None:
        await self.away(15 * SECOND, killed=True, answer="resume")

    async def ended_and_goes_on(self) -> None:
        await self.away(30 * SECOND, killed=False, answer="resume")

    async def ended_and_stays(self) -> None:
        await self.away(30 * SECOND, killed=False, answer="stay")

    async def killed_at_a_levels_end(self) -> None:
        await self.before_end(2 * SECOND)
        await self.away(4 * SECOND, killed=True)
        await self.all_hear()

    async def killed_over_a_levels_end(self) -> None:
        await self.before_end(10 * SECOND)
        await self.away(30 * SECOND, killed=True, answer="catch-up")

    async def power_fails(self, wall_clock_off_ms: int = 0) -> None:
        hall, gone = self.hall, self.goes()
        await hall.kill()
        await self.passes(45 * SECOND)
        hall.power_fails()
        hall.sets_wall_clock(-wall_clock_off_ms)
        await hall.room_comes()
        await self.asked(gone, "power", "catch-up", wall_clock_off_ms)

    async def power_fails_and_the_wall_clock_with_it(self) -> None:
        await self.power_fails(10 * MINUTE)

    async def killed_without_a_broker(self) -> None:
        self.hall.broker_dies()
        await self.passes(5 * SECOND)
        await self.away(3 * SECOND, killed=True)
        await self.hall.broker_comes()
        await self.passes(10 * SECOND)
        await self.all_hear()

    async def room_dozes(self) -> None:
        await self.hall.sleeps(3 * SECOND)
        await self.hall.step(2 * SECOND)
        await self.passes(10 * SECOND)
        await self.all_hear()

    async def room_sleeps(self) -> None:
        hall, gone = self.hall, self.goes()
        await hall.sleeps(50 * SECOND)
        await hall.pass_unseen(SECOND)
        await self.asked(gone, "suspended", "resume")

    async def wall_clock_jumps(self) -> None:
        for hours in (3, -5, 2):
            self.hall.sets_wall_clock(hours * HOUR)
            await self.passes(5 * SECOND)

    async def broker_fails(self) -> None:
        self.hall.broker_dies()
        await self.passes(25 * SECOND)
        await self.hall.broker_comes()
        await self.passes(10 * SECOND)
        await self.all_hear()

    async def screen_is_cut_off(self) -> None:
        for screen in self.hall.screens:
            screen.line.set("cut")
            await self.passes(25 * SECOND)
            screen.line.set("open")
            await self.passes(15 * SECOND)
            await self.all_hear()

    async def network_is_late(self) -> None:
        for late in (800, 1_900, 3_500, 8_000, 30_000):
            for screen in self.hall.screens:
                screen.line.set("held")
                await self.passes(late)
                screen.line.set("open")
                await self.passes(15 * SECOND)
            await self.all_hear()

    async def old_pictures_come_first(self) -> None:
        for screen in self.hall.screens:
            await self.hall.step(1_100)
            screen.line.set("held")
            for _ in range(3):
                await self.hall.step(1_100)
            screen.line.trickle()
            await self.hall.step(100)
            screen.line.set("open")
            await self.passes(10 * SECOND)
        await self.all_hear()

    async def screen_misses_a_levels_end(self) -> None:
        await self.before_end(5 * SECOND)
        screen = self.chance.choice(self.hall.screens)
        screen.line.set("cut")
        await self.passes(20 * SECOND)
        assert screen.shown.seconds == 0
        screen.line.set("open")
        await self.passes(15 * SECOND)
        await self.all_hear()

    async def screen_sleeps(self) -> None:
        for screen in self.hall.screens:
            for counted in (False, True):
                screen.falls_asleep()
                await self.passes(90 * SECOND)
                loads = screen.loads
                await screen.wakes(90 * SECOND, counted=counted)
                await self.hall.step(SECOND)
                await self.hall.step(200)
                if counted:  # it knows that it was away for long, and loads itself anew
                    await until(lambda: screen.loads > loads)  # noqa: B023
                await self.passes(10 * SECOND)

    async def screens_clock_jumps(self) -> None:
        for screen in self.hall.screens:
            for ms in (30 * SECOND, -30 * SECOND):
                await screen.page.evaluate(f"stepped.skip({ms}, {ms})")
                await self.hall.pass_unseen(SECOND)
                await self.passes(30 * SECOND)

    async def screen_is_opened_again(self) -> None:
        for screen in self.hall.screens:
            await screen.page.reload()
            await self.hall.step(1)
            await self.passes(5 * SECOND)

    async def old_clock_is_published(self) -> None:
        hall, wall = self.hall, self.hall.wall
        old = replace(wall.clocks[0], session="an-old-one")
        hall.says(ROOM_CLOCK.message(SITE, payload=old))
        await until(lambda: old in wall.clocks and wall.clocks[-1].session != old.session)
        await self.passes(20 * SECOND)
        assert hall.room()["clock"]["session"] == wall.clocks[-1].session

    async def somebody_pauses(self) -> None:
        hall, course = self.hall, self.hall.course
        hall.act("pause")
        hall.goes(replace(course, stands=course.played(hall.now)))
        await self.passes(20 * SECOND)
        hall.act("resume")
        hall.goes(replace(course, began=hall.now - course.played(hall.courses[-1][0])))
        await self.passes(20 * SECOND)

    async def somebody_gives_more_time(self) -> None:
        hall, course = self.hall, self.hall.course
        hall.act("time", by_ms=90 * SECOND)
        index = course.index(hall.now)
        longer = (each + 90 * SECOND for each in course.ends[index:])
        hall.goes(replace(course, ends=(*course.ends[:index], *longer)))
        await self.passes(20 * SECOND)
        await self.all_hear()


def befalls(hour: Hour) -> list[Callable[[], Awaitable[None]]]:
    """What befalls a hall in an hour, in this order."""
    return [
        hour.killed_for_a_moment,
        hour.screen_is_cut_off,
        hour.wall_clock_jumps,
        hour.network_is_late,
        hour.old_pictures_come_first,
        hour.ended_for_a_moment,
        hour.killed_and_catches_up,
        hour.broker_fails,
        hour.old_clock_is_published,
        hour.screens_clock_jumps,
        hour.screen_is_opened_again,
        hour.screen_misses_a_levels_end,
        hour.ended_and_goes_on,
        hour.room_dozes,
        hour.killed_at_a_levels_end,
        hour.screen_sleeps,
        hour.room_sleeps,
        hour.killed_without_a_broker,
        hour.ended_and_stays,
        hour.somebody_pauses,
        hour.somebody_gives_more_time,
        hour.power_fails,
        hour.killed_over_a_levels_end,
        hour.power_fails_and_the_wall_clock_with_it,
        hour.killed_and_goes_on,
    ]
