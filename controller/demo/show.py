"""The demo as it runs: a virtual table, the table's service, the room and the dealer's screen."""

from __future__ import annotations

import asyncio
import random
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

from controller.books import Library
from controller.broker import RunningBroker
from controller.demo.children import Child
from controller.demo.dealer import ERRORS, Dealer, can_err
from controller.demo.phh import PlayedHand, Street, read_hand
from controller.demo.table import WiredFelt
from controller.demo.tally import Tally
from controller.engine.engine import Engine
from controller.events import Event
from controller.messages import Message
from controller.mqtt import MqttClient
from controller.replay.account import Account
from controller.settings import config_dir
from controller.table.publisher import Publisher
from controller.table.screens import Screens
from controller.table.service import TableService
from controller.view import Picture
from firmware_bridge.bridge import Bridge

SITE = "demo"
TABLE = "T1"
SEATS = (1, 3, 4, 6, 8, 9)
ERROR_EVERY = 3
LINKS_EVERY_S = 1.0


class Plan(Struct, frozen=True):
    """What is to be dealt: how many hands (None: until stopped), how fast, with what error."""

    hands: int | None
    speed: float
    error: str | None
    rulebook: str
    seed: int
    headless: bool
    web_port: int


class Show:
    """Runs a plan."""

    def __init__(
        self,
        plan: Plan,
        library: Library,
        broker: RunningBroker | None,
        say: Callable[[str], None],
    ) -> None:
        """`say` tells the user a line."""
        self._plan = plan
        self._library = library
        self._broker = broker
        self._say = say
        self._tally = Tally()
        self._account = Account(library.texts)
        self._rng = random.Random(plan.seed)  # noqa: S311 - hands that can be had again
        self._base = time.monotonic()

    def _clock(self) -> float:
        return (time.monotonic() - self._base) * self._plan.speed

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._plan.speed)

    async def run(self) -> Tally:
        """Deals until the plan is done, or SIGINT or SIGTERM; leaves no process behind."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop.set)
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-")))
            socket = folder / "dealer.sock"
            publisher, publish, client = self._connect()
            if client is not None:
                client.start()
                stack.push_async_callback(client.close, 0.3)
            felt = WiredFelt(rng=self._rng, clock=self._clock, sleep=self._sleep)
            screens = Screens(socket)
            service = TableService(
                Engine(self._library.book),
                Picture(TABLE, self._plan.rulebook, self._library.texts),
                publisher,
                publish=publish,
                show=screens.show,
                tell=self._tell,
            )
            screens.show(service.view)
            is_read = asyncio.Event()

            def notice(line: str) -> None:
                self._say(line)
                if felt.is_read:
                    is_read.set()

            bridge = felt.bridge(service, notice)
            publish(publisher.state("ready"))
            if self._broker is not None:
                await self._start_room(self._broker, stack)
            if not self._plan.headless:
                await self._start_screen(socket, stack)
            await _until_one_ends(
                felt.table.run(),
                bridge.run(),
                screens.run(service.observe, lambda: service.entry_time(self._clock())),
                self._deal(felt, is_read),
                self._watch_links(bridge, service),
                stop.wait(),
            )
        return self._tally

    async def _watch_links(self, bridge: Bridge, service: TableService) -> None:
        """Shows on the screens which links are not well."""
        while True:
            await self._sleep(LINKS_EVERY_S)
            service.links(tuple(link.text for link in bridge.health().links if link.text))

    def _connect(
        self,
    ) -> tuple[Publisher, Callable[[Message], None], MqttClient | None]:
        """What the room is told, how, and the connection for it if there is a broker."""
        session = secrets.token_hex(8)
        publisher = Publisher(
            SITE,
            TABLE,
            session=session,
            version=version("cutcard"),
            now_ms=lambda: time.time_ns() // 1_000_000,
        )
        if self._broker is None:
            return publisher, lambda _message: None, None
        client = MqttClient(
            self._broker.tables[TABLE],
            f"cutcard-table-{session}",
            will=publisher.state("lost"),
        )
        return publisher, client.publish, client

    async def _start_room(self, broker: RunningBroker, stack: AsyncExitStack) -> None:
        room = await Child.start(
            [
                *("room", "--broker", f"127.0.0.1:{broker.port}", "--site", SITE),
                *("--user", str(broker.room.user), "--web-port", str(self._plan.web_port)),
                *("--blinds", str(config_dir() / "blinds" / "turbo.toml")),
                *("--banner", broker.banner),
            ],
            {"CUTCARD_MQTT_PASSWORD": str(broker.room.password)},
        )
        stack.push_async_callback(room.stop)
        line = await room.first_line(timeout_s=15)
        if not line:
            self._say("going on without the room's pages")
            return
        self._say(f"{line}blinds")
        self._tell_the_end(room, "the room has ended; going on without its pages", stack)

    async def _start_screen(self, socket: Path, stack: AsyncExitStack) -> None:
        screen = await Child.start(["dealer", "--socket", str(socket)])
        stack.push_async_callback(screen.stop)
        self._tell_the_end(screen, "going on without the dealer's window", stack)

    def _tell_the_end(self, child: Child, line: str, stack: AsyncExitStack) -> None:
        """Says a line when a child ends while the demo goes on."""

        async def watch() -> None:
            await child.ended()
            self._say(line)

        watching = asyncio.create_task(watch(), name=line)
        stack.callback(watching.cancel)

    async def _deal(self, felt: WiredFelt, is_read: asyncio.Event) -> None:
        dealer = Dealer(felt, self._sleep, self._rng)
        hands = self._hands()
        await is_read.wait()
        number = 0
        while self._plan.hands is None or number < self._plan.hands:
            hand = hands[number % len(hands)]
            error = self._error(number, hand)
            turn = number % len(SEATS)
            seats = SEATS[turn:] + SEATS[:turn]
            felt.set_up(hand, seats, self._plan.rulebook)
            self._tally.begin(error)
            await dealer.deal_hand(hand, seats, error)
            number += 1

    def _hands(self) -> list[PlayedHand]:
        """The hands that fit the table, in the order in which they are dealt; every one of
        them has a flop, so that there is something to look at."""
        paths = sorted((config_dir() / "hands").glob("pl_*.phh"))
        hands = [read_hand(path, self._rng) for path in self._rng.sample(paths, len(paths))]
        return [h for h in hands if any(isinstance(act, Street) for act in h.acts)]

    def _error(self, number: int, hand: PlayedHand) -> str | None:
        wanted = self._plan.error
        if wanted is None and number % ERROR_EVERY == 1:
            wanted = self._rng.choice(ERRORS)
        return wanted if wanted and can_err(hand, wanted) else None

    def _tell(self, event: Event) -> None:
        self._tally.take(event)
        sys.stdout.writelines(line + "\n" for line in self._account.tell(event))
        sys.stdout.flush()


async def _until_one_ends(*coroutines: Coroutine[None, None, object]) -> None:
    """Runs all until the first ends; raises what that one raised."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
