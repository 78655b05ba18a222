"""The demo as it runs: a felt, and around it table, room and dealer's screen as processes."""

from __future__ import annotations

import asyncio
import random
import secrets
import signal
import tempfile
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from controller.broker.own import BrokerError, RunningBroker, start_broker
from controller.broker.ports import free_port
from controller.contract.events import Closed, Event
from controller.demo.access import Access
from controller.demo.children import Child
from controller.demo.console import CLEAN, Console
from controller.demo.control import ControlPage
from controller.demo.dealer import Dealer
from controller.demo.desk import Desk
from controller.demo.errors import ERRORS, can_err
from controller.demo.helm import Shared
from controller.demo.pace import LOOK_S, Pace
from controller.demo.pages import CONTROL, LANGUAGE, Pages, addresses, said
from controller.demo.people import ATTENTIVE, FORGETFUL, Habits, People
from controller.demo.phh import PlayedHand, Street, read_hand
from controller.demo.table import SOCKET, WiredFelt
from controller.demo.tally import Tally
from controller.files.settings import config_dir
from controller.library.books import Library
from controller.library.languages import path_of
from controller.process.child import JOIN_CODE_VARIABLE
from controller.replay.words import read_words
from controller.room.pages import BLINDS, PAGES

T = TypeVar("T")

SITE = "demo"
TABLE = "T1"
SEATS = (1, 3, 4, 6, 8, 9)
ERROR_EVERY = 3
START_S = 15.0
CONNECT_S = 5.0
TOLD_S = 5.0
"""How long the last word of a hand may take over the broker."""


class ShowError(Exception):
    """The demo can't go on; the text is one line for the user."""


class Plan(Struct, frozen=True):
    """What is to be dealt: how many hands (None: until stopped), how fast, with what error, and
    whether `people` forget to press. A port of 0 is a free one."""

    hands: int | None
    speed: float
    error: str | None
    rulebook: str
    seed: int
    headless: bool
    people: bool
    web_port: int
    control_port: int


class Ready(Struct, frozen=True):
    """Where everything is, once all is up. `pages` without an address are not there."""

    mqtt: str
    credentials: Mapping[str, str | None] | None
    pages: Pages
    link: str


class Audience(Protocol):
    """Whom the demo talks to."""

    def say(self, line: str) -> None:
        """One line for the user."""

    def event(self, event: Event) -> None:
        """What the table says."""

    def ready(self, ready: Ready) -> None:
        """All is up."""


class _Telling:
    """An audience that may go away: then `hurt` has the OSError, whoever was telling it."""

    def __init__(self, audience: Audience, hurt: asyncio.Future[None]) -> None:
        self._audience = audience
        self._hurt = hurt

    def say(self, line: str) -> None:
        """See Audience."""
        self._tell(self._audience.say, line)

    def event(self, event: Event) -> None:
        """See Audience."""
        self._tell(self._audience.event, event)

    def ready(self, ready: Ready) -> None:
        """See Audience."""
        self._tell(self._audience.ready, ready)

    def _tell(self, how: Callable[[T], None], what: T) -> None:
        try:
            how(what)
        except OSError as error:
            if not self._hurt.done():
                self._hurt.set_exception(error)


class Show:
    """Runs a plan."""

    def __init__(
        self,
        plan: Plan,
        library: Library,
        access: Access,
        own: RunningBroker | None,
        voice: Audience,
    ) -> None:
        """`own` is the broker behind `access` where the demo has started it itself."""
        self._plan = plan
        self._library = library
        self._access = access
        self._own = own
        self._tally = Tally()
        self._rng = random.Random(plan.seed)  # noqa: S311 - hands that can be had again
        self._base = time.monotonic()
        self._trouble = ""
        self._hurt: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._voice = _Telling(voice, self._hurt)
        self._children: list[Child] = []
        self._pages: dict[str, str | None] = dict.fromkeys((*PAGES, BLINDS, CONTROL))
        self._folder = tempfile.TemporaryDirectory(prefix="cutcard-")
        self._felt = WiredFelt(
            Path(self._folder.name),
            table=TABLE,
            rulebook=plan.rulebook,
            rng=self._rng,
            clock=lambda: (time.monotonic() - self._base) * plan.speed,
            sleep=self._sleep,
        )
        self._desk = Desk(SITE, TABLE, access.room, tell=self._tell, report=self._report)
        self._felt.desk = self._desk
        self._pause = Pace(self._felt, self._sleep).pause
        self._helm = Shared(
            self._felt, self._pause, lambda: self._felt.view, lambda: self._desk.prompt
        )
        self._console = Console(
            self._felt,
            self._desk,
            self._helm,
            library=library,
            outcomes=read_words(path_of(config_dir(), LANGUAGE)).outcomes,
            summary=self._tally.summary,
        )
        self._console.people = FORGETFUL if plan.people else ATTENTIVE
        forgetting = random.Random(f"people {plan.seed}")  # noqa: S311 - they forget the same again
        self._people = People(self._felt, forgetting, self._habits)

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._plan.speed)

    async def run(self) -> Tally:
        """Deals until the plan is done, or SIGINT or SIGTERM; leaves no process behind.

        Raises ShowError, ControlError, and OSError where nobody can be told any longer.
        """
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop.set)
        async with AsyncExitStack() as stack:
            stack.enter_context(self._folder)
            stack.callback(self._stop_broker)
            control = ControlPage(self._console, self._pages, self._plan.control_port)
            self._pages[CONTROL] = control.url
            felt = asyncio.ensure_future(self._felt.run())
            stack.callback(felt.cancel)
            self._desk.start()
            stack.push_async_callback(self._desk.close)
            stack.push_async_callback(self._stop_children)
            await _until_one_ends(
                control.run(),
                _passing_on(felt),
                self._go(),
                self._keep_broker(),
                self._wait_for_hurt(),
                stop.wait(),
            )
        return self._tally

    async def _wait_for_hurt(self) -> None:
        await self._hurt

    async def _go(self) -> None:
        await self._wait_for("broker", CONNECT_S, lambda: self._desk.is_connected)
        await self._start_table()
        await self._start_room()
        if not self._plan.headless:
            await self._start_screen()
        await self._wait_for(
            "table", START_S, lambda: self._felt.is_watched and bool(self._desk.session)
        )
        self._voice.say("the pages, for a browser on this machine:")
        for line in said(self._pages):
            self._voice.say(line)
        room = self._access.room
        self._voice.ready(
            Ready(
                mqtt=self._access.where,
                credentials=None
                if room.user is None
                else {"user": room.user, "password": room.password},
                pages=self._pages,
                link=self._felt.virtual.port,
            )
        )
        await self._deal()

    async def _wait_for(self, what: str, seconds: float, true: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end or " refuses user " in self._trouble:
                raise ShowError(self._trouble or f"the {what} did not start")
            await asyncio.sleep(LOOK_S)

    def _report(self, line: str) -> None:
        self._trouble = line
        self._voice.say(line)

    # --- the processes ---

    async def _start_table(self) -> None:
        felt, say = self._felt, self._voice.say
        config = felt.configure(SEATS, SITE, self._access.table)

        def heard(line: str) -> None:
            felt.heard(line)
            if f"warning: {config}" not in line:  # the settings are ours, not the user's
                say(line)

        def back() -> None:
            felt.is_read = False
            say("the table's service has died; restarting it")

        def over() -> None:
            if not self._hurt.done():
                self._hurt.set_exception(ShowError("the table's service is not running"))

        arguments = ["table", "--config", str(config), "--port", felt.virtual.port]
        await self._start(
            Child([*arguments, "--speed", str(self._plan.speed)], heard=heard, back=back, over=over)
        )

    async def _start_room(self) -> None:
        say = self._voice.say
        room, port = self._access.room, self._plan.web_port or free_port()
        arguments = ["room", "--broker", self._access.where, "--site", SITE]
        arguments += ["--web-port", str(port), "--banner", self._access.banner]
        arguments += ["--control", str(self._pages[CONTROL])]
        arguments += ["--blinds", str(config_dir() / "blinds" / "turbo.toml")]
        # The levels of the hands that are dealt are told by the demo itself.
        arguments += ["--start", "--no-tables"]
        arguments += ["--store", str(Path(self._folder.name) / "room.sqlite")]
        if room.user is not None:
            arguments += ["--user", room.user]
        code = secrets.token_urlsafe(24)
        env = {JOIN_CODE_VARIABLE: code}
        child = Child(
            arguments,
            env=env if room.password is None else env | {"CUTCARD_MQTT_PASSWORD": room.password},
            back=lambda: say("the room has died; restarting it"),
            over=lambda: say("going on without the room's pages"),
        )
        await self._start(child)
        if await child.first_line(timeout_s=START_S):
            self._pages |= addresses(f"http://127.0.0.1:{port}", code)

    async def _start_screen(self) -> None:
        say = self._voice.say
        await self._start(
            Child(
                ["dealer", "--socket", str(Path(self._folder.name) / SOCKET)],
                back=lambda: say("the dealer's window has died; restarting it"),
                over=lambda: say("going on without the dealer's window"),
            )
        )

    async def _start(self, child: Child) -> None:
        self._children.append(child)
        await child.start()

    async def _stop_children(self) -> None:
        await asyncio.gather(*(child.stop() for child in self._children))

    def _stop_broker(self) -> None:
        if self._own is not None:
            self._own.stop()

    async def _keep_broker(self) -> None:
        """Starts the demo's own broker again when it has died: same port, same passwords."""
        while True:
            await asyncio.sleep(4 * LOOK_S)
            if self._own is None or self._own.is_running():
                continue
            self._voice.say("the broker has died; restarting it")
            try:
                self._own.stop()
                self._own = start_broker(SITE, [TABLE], like=self._own)
            except BrokerError as error:
                raise ShowError(str(error)) from None

    # --- the hands ---

    async def _deal(self) -> None:
        dealer = Dealer(self._felt, self._pause, self._rng, self._helm, self._people)
        hands = self._hands()
        number = 0
        while self._plan.hands is None or number < self._plan.hands:
            ordered = await self._console.between_hands()
            hand = hands[number % len(hands)]
            error = self._error(number, hand)
            if ordered in ERRORS:
                able = (h for h in (*hands[number % len(hands) :], *hands) if can_err(h, ordered))
                hand, error = next(able, hand), ordered
            elif ordered == CLEAN:
                error = None
            turn = number % len(SEATS)
            seats = SEATS[turn:] + SEATS[:turn]
            self._console.error, self._console.idle = error or "", False
            await self._felt.set_up(hand, seats)
            self._tally.begin(error, forgetful=self._habits() != ATTENTIVE)
            await dealer.deal_hand(hand, seats, error)
            number += 1
            await self._told(number)
            self._console.error, self._console.idle = "", True

    async def _told(self, hands: int) -> None:
        """Waits until the broker has brought the last of the hand."""
        end = time.monotonic() + TOLD_S
        while self._tally.hands < hands and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_S)

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

    def _habits(self) -> Habits:
        """What is forgotten in this hand; nothing where the dealer errs or a person plays."""
        attentive = self._console.error or self._helm.plays_seats
        return ATTENTIVE if attentive else self._console.people

    def _tell(self, event: Event) -> None:
        self._tally.slips = self._people.slips
        self._tally.take(event)
        if isinstance(event, Closed):
            self._helm.closed(event.id, event.how)
        self._voice.event(event)


async def _passing_on(running: asyncio.Future[None]) -> None:
    """Raises what it raises, and lets it run on when it is no longer waited for."""
    await asyncio.shield(running)


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
