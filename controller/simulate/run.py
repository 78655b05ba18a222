"""A simulation as it runs: broker, room, generators, counting subscriber and open pages."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.broker.client import Endpoint
from controller.broker.own import start_broker
from controller.demo.access import PASSWORD as PASSWORD_VARIABLE
from controller.process.child import JOIN_CODE_VARIABLE, allow_files
from controller.simulate.machine import Watched, load
from controller.simulate.pages import FloorPage, PageError, RoomPages
from controller.simulate.processes import OPEN_FILES, Process
from controller.simulate.report import (
    Asked,
    OnPages,
    Received,
    Report,
    by_counter,
    by_room,
    joined,
    on_pages,
)
from controller.simulate.told import (
    PREFIX,
    AlertsSaid,
    Begin,
    Counted,
    CounterOrders,
    Ended,
    FromGenerator,
    Orders,
    Stop,
    Tally,
    Tidy,
)

START_S = 20.0
CONNECTS_PER_S = 250.0
"""Of all generators together."""
QUIET_S = 3.0
"""What has not been heard when so long nothing more has come is lost."""
_LEAD_S = 0.5


class SimulateError(Exception):
    """The simulation can't run; the text is one line for the user."""


class Plan(Struct, frozen=True):
    """What is to be simulated. Without a `broker` one is started; its endpoints may have
    `{table}` in their users. `room` is the address of one that runs, None: it is started, "":
    there is none."""

    tables: int
    rate: float
    seconds: float
    errors: float
    seed: int
    site: str
    processes: int
    pages: int
    broker: tuple[Endpoint, Endpoint] | None = None
    room: str | None = None
    cookie: str = ""
    join: str = ""


class Progress(Struct, frozen=True):
    """How it stands, once a second."""

    elapsed_s: float
    connected: int
    sent: int
    acked: int
    counted: int
    raised: int
    shares: tuple[tuple[str, float, float], ...]
    """Name, share of a core, MiB."""


class Simulation:
    """Runs a plan. `progress` is told each second."""

    def __init__(self, plan: Plan, progress: Callable[[Progress], None]) -> None:
        self._plan = plan
        self._progress = progress
        self._run = f"{PREFIX}{secrets.token_hex(3)}"
        self._names = [f"{PREFIX}{n:04d}" for n in range(1, plan.tables + 1)]
        self._tallies: dict[int, Tally] = {}
        self._ended: set[int] = set()
        self._counted = Counted()
        self._opened: dict[tuple[str, str], int] = {}
        self._deleted: dict[tuple[str, str], int] = {}
        self._floor: list[FloorPage] = []
        self._generators: list[Process] = []
        self._watched: dict[str, Watched] = {}
        self._faults: list[str] = []
        self._room: RoomPages | None = None
        self._before: dict[str, int] | None = None

    async def run(self, stop: asyncio.Event) -> Report:
        """Runs to its end, or until `stop`; leaves no process behind and nothing at a broker.
        Raises SimulateError, BrokerError."""
        plan, first_load = self._plan, load()
        allow_files(OPEN_FILES)
        async with AsyncExitStack() as stack:
            tables, room, kind = self._open_broker(stack)
            try:
                await self._open_room(stack, room)
            except PageError as error:
                raise SimulateError(str(error)) from None
            await self._start_counter(stack, room)
            await self._start_generators(stack, tables)
            await self._until(
                lambda: joined(self._tallies.values()).connected >= plan.tables,
                START_S + plan.tables / CONNECTS_PER_S,
                stop,
                "not all tables could connect",
            )
            if self._room is not None:
                await self._open_pages(stack)
            elapsed_s = await self._play(stop)
            await self._settle()
            report = await self._report(elapsed_s, kind, first_load)
            if plan.broker is not None:
                await self._tidy()
        return report

    # --- what it needs ---

    def _open_broker(self, stack: AsyncExitStack) -> tuple[dict[str, Endpoint], Endpoint, str]:
        given = self._plan.broker
        if given is not None:
            table, room = given
            named = {
                name: msgspec.structs.replace(
                    table, user=table.user and table.user.replace("{table}", name)
                )
                for name in self._names
            }
            return named, room, f"{table.host}:{table.port}"
        own = start_broker(self._plan.site, self._names)
        stack.callback(own.stop)
        self._watched["broker"] = Watched(own.pid)
        return dict(own.tables), own.room, own.kind

    async def _open_room(self, stack: AsyncExitStack, endpoint: Endpoint) -> None:
        plan = self._plan
        if plan.room == "":
            return
        if plan.room is not None:
            self._room = RoomPages(plan.room, plan.cookie)
            if plan.join:
                await self._room.join(plan.join)
        else:
            self._room = await self._start_room(stack, endpoint)
        health = await self._room.health()
        self._before = None if health.heard is None else dict(health.heard)

    async def _start_room(self, stack: AsyncExitStack, endpoint: Endpoint) -> RoomPages:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-"))
        code = secrets.token_urlsafe(16)
        settings = Path(folder) / "room.toml"
        settings.write_text(_room_settings(endpoint, self._plan.site, folder))
        env = {} if endpoint.user is None else {PASSWORD_VARIABLE: endpoint.password or ""}
        archive = await Process.start("controller", ["archive", "--config", str(settings)], env)
        stack.push_async_callback(archive.stop)
        self._watched["archive"] = Watched(archive.pid)
        arguments = ["room", "--config", str(settings), "--json", "--start"]
        arguments += ["--no-tables"]  # nobody is there who would carry out what it says
        process = await Process.start("controller", arguments, {**env, JOIN_CODE_VARIABLE: code})
        stack.push_async_callback(process.stop)
        try:
            said = msgspec.json.decode(await process.first_line(START_S), type=dict[str, object])
        except msgspec.DecodeError:
            raise SimulateError("the room did not come up") from None
        pages = RoomPages(str(said["url"]))
        await pages.join(code)
        self._watched["room"] = Watched(process.pid)
        return pages

    async def _start_counter(self, stack: AsyncExitStack, endpoint: Endpoint) -> None:
        counter = await Process.start("controller.simulate.counter")
        stack.push_async_callback(counter.stop)
        counter.tell(CounterOrders(self._plan.site, self._run, endpoint))
        self._follow(stack, self._hear_counter(counter))
        self._watched["counting subscriber"] = Watched(counter.pid)
        await self._until(lambda: self._counted.connected, START_S, None, "nobody can count")

    async def _start_generators(self, stack: AsyncExitStack, tables: dict[str, Endpoint]) -> None:
        plan, count = self._plan, min(self._plan.processes, self._plan.tables)
        for number in range(count):
            generator = await Process.start("controller.simulate.generator")
            stack.push_async_callback(generator.stop)
            generator.tell(
                Orders(
                    plan.site,
                    self._run,
                    tuple((name, tables[name]) for name in self._names[number::count]),
                    plan.rate,
                    plan.seconds,
                    plan.errors,
                    plan.seed,
                    CONNECTS_PER_S / count,
                )
            )
            self._generators.append(generator)
            self._follow(stack, self._hear_generator(number, generator))
        self._watched["generator"] = Watched(*(each.pid for each in self._generators))
        self._watched["pages and report"] = Watched(os.getpid())

    async def _open_pages(self, stack: AsyncExitStack) -> None:
        assert self._room is not None  # noqa: S101 - asked before
        ups = []
        for _ in range(self._plan.pages):
            page, up = FloorPage(self._room), asyncio.Event()
            self._floor.append(page)
            self._follow(stack, self._keep_open(page, up))
            ups.append(up)
        await self._until(
            lambda: all(up.is_set() for up in ups), START_S, None, "the floor page has no stream"
        )

    async def _keep_open(self, page: FloorPage, up: asyncio.Event) -> None:
        try:
            await page.follow(up)
        except PageError as error:
            page.broken = str(error)
        self._faults.append(f"a floor page: {page.broken}")

    def _follow(self, stack: AsyncExitStack, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        stack.callback(task.cancel)

    # --- what is heard ---

    async def _hear_generator(self, number: int, generator: Process) -> None:
        async for said in generator.lines():
            match msgspec.json.decode(said, type=FromGenerator):
                case Tally() as tally:
                    self._tallies[number] = tally
                case AlertsSaid(opened, deleted):
                    self._opened |= {(table, finding): at for table, finding, at in opened}
                    self._deleted |= {(table, finding): at for table, finding, at in deleted}
                case Ended():
                    self._ended.add(number)
        self._faults.append("a generator has died")

    async def _hear_counter(self, counter: Process) -> None:
        async for said in counter.lines():
            self._counted = msgspec.json.decode(said, type=Counted)
        self._faults.append("the counting subscriber has died")

    async def _until(
        self,
        true: Callable[[], bool],
        seconds: float,
        stop: asyncio.Event | None,
        fault: str,
    ) -> None:
        end = time.monotonic() + seconds
        while not true() and not (stop is not None and stop.is_set()):
            if self._faults or time.monotonic() > end:
                troubles = [joined(self._tallies.values()).trouble, self._counted.trouble]
                raise SimulateError(next(filter(None, (*self._faults, *troubles)), fault))
            await asyncio.sleep(0.05)

    # --- the run ---

    async def _play(self, stop: asyncio.Event) -> float:
        began = time.monotonic() + _LEAD_S
        for each in self._watched.values():
            each.begin()
        for generator in self._generators:
            generator.tell(Begin(int(began * 1e9)))
        stopping, ended = False, 0.0
        look_s = began
        while len(self._ended) < len(self._generators) and "a generator has died" not in (
            self._faults
        ):
            if stop.is_set() and not stopping:
                stopping, ended = True, time.monotonic()
                for generator in self._generators:
                    generator.tell(Stop())
            if time.monotonic() >= look_s:
                look_s += 1.0
                self._look(began)
            await asyncio.sleep(0.05)
        for each in self._watched.values():
            each.look()
        return max(0.0, (ended or min(time.monotonic(), began + self._plan.seconds)) - began)

    def _look(self, began: float) -> None:
        for each in self._watched.values():
            each.look()
        tally = joined(self._tallies.values())
        self._progress(
            Progress(
                elapsed_s=max(0.0, time.monotonic() - began),
                connected=tally.connected,
                sent=sum(tally.sent.values()),
                acked=tally.acked,
                counted=sum(self._counted.received.values()),
                raised=len(self._opened),
                shares=tuple(
                    (name, each.lately, each.usage.rss_mib) for name, each in self._watched.items()
                ),
            )
        )

    async def _settle(self) -> None:
        """Waits until everyone has heard all, or nothing more comes."""
        sent = sum(joined(self._tallies.values()).sent.values())
        before, since = (-1, -1), time.monotonic()
        while time.monotonic() - since < QUIET_S:
            counted = sum(self._counted.received.values())
            room = await self._room_heard()
            by_it = sum(room.received.values()) if room is not None else sent
            if counted >= sent and by_it >= sent and self._shown():
                return
            if (counted, by_it) != before:
                before, since = (counted, by_it), time.monotonic()
            await asyncio.sleep(0.2)

    def _shown(self) -> bool:
        open_ = self._opened.keys() - self._deleted.keys()
        return all(open_ <= page.seen.keys() for page in self._floor)

    async def _room_heard(self) -> Received | None:
        if self._room is None or self._before is None:
            return None
        try:
            health = await self._room.health()
        except PageError as error:
            if str(error) not in self._faults:
                self._faults.append(str(error))
            return None
        return by_room(joined(self._tallies.values()), self._before, health.heard or {})

    async def _report(self, elapsed_s: float, broker: str, first_load: float) -> Report:
        plan, tally = self._plan, joined(self._tallies.values())
        room = await self._room_heard()
        return Report(
            asked=Asked(
                plan.tables,
                plan.rate,
                plan.seconds,
                plan.errors,
                plan.seed,
                len(self._generators),
                broker,
                os.cpu_count() or 1,
                (round(first_load, 1), round(load(), 1)),
            ),
            elapsed_s=elapsed_s,
            connected=tally.connected,
            hands=tally.hands,
            sent=tally.sent,
            acked=tally.acked,
            superseded=tally.superseded,
            unsent=tally.waiting + tally.dropped,
            refused=tally.refused,
            again=tally.again,
            reconnects=tally.reconnects,
            late_ms=tally.late_ms,
            counted=by_counter(tally, self._counted),
            room=room,
            on_pages=self._on_pages() if self._floor else None,
            use={name: each.usage for name, each in self._watched.items()},
            faults=tuple(dict.fromkeys(self._faults)),
        )

    def _on_pages(self) -> OnPages:
        return on_pages(
            self._opened,
            self._deleted,
            [page.seen for page in self._floor],
            [page.gone for page in self._floor],
            messages=sum(page.messages for page in self._floor),
            bytes_=sum(page.bytes for page in self._floor),
            longest=max(page.longest for page in self._floor),
            broken=tuple(page.broken for page in self._floor if page.broken),
        )

    async def _tidy(self) -> None:
        for generator in self._generators:
            generator.tell(Tidy())
        await asyncio.gather(*(each.ended(START_S) for each in self._generators))


def processes_for(tables: int, rate: float) -> int:
    """So many generators keep up with that many messages."""
    return max(1, min(8, round(tables * rate / 1_000)))


def summary(progress: Progress, seconds: float) -> str:
    """One line for a terminal."""
    shares: Sequence[str] = [
        f"{name} {share:.0%} {mib:.0f} MiB"
        for name, share, mib in progress.shares
        if name in ("broker", "room", "generator")
    ]
    return (
        f"{progress.elapsed_s:3.0f} of {seconds:.0f} s: {progress.sent:,} sent, "
        f"{progress.acked:,} acknowledged, {progress.counted:,} counted, "
        f"{progress.raised:,} alerts; {', '.join(shares)}"
    )


def _room_settings(endpoint: Endpoint, site: str, folder: str) -> str:
    """A room whose history is kept by a process beside it, as one of so many tables needs it."""
    user = "" if endpoint.user is None else f"user = {json.dumps(endpoint.user)}"
    return f"""
        [room]
        site = {json.dumps(site)}
        store = {json.dumps(str(Path(folder) / "room.sqlite"))}
        [broker]
        host = {json.dumps(endpoint.host)}
        port = {endpoint.port}
        {user}
        [web]
        port = 0
        [history]
        room_writes = false
        """
