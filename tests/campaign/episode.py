"""One episode: people play, things break and are healed, and then it is looked at what is left."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.campaign import evidence
from tests.campaign.faults import FAULTS, Allowed
from tests.campaign.hands import Truth, game
from tests.campaign.judge import Calm, Failure, judge
from tests.campaign.lineup import TABLE, LineUp
from tests.campaign.plan import Plan, Planned

PATIENCE_S = 40.0
"""Whoever is not back by then has not come back."""
SETTLE_S = 20.0
_LOOK_S = 0.05
_OF_BEFORE = re.compile("^not watched|journal was damaged|is not verified")
"""Words for people about what is over."""
_BREATHES, _BREATH_S = 0.75, 1.5
"""So often a table may look around for so long before it is hit again."""


class Hit(Struct, frozen=True):
    """A fault that was injected: from when to when in seconds of the episode, and what it was."""

    name: str
    from_s: float
    to_s: float
    told: str


class Back(Struct, frozen=True):
    """A process that was killed. `after_kill_s`: until the first picture or word of the new one
    was at the broker; `after_start_s`: the same without the second that systemd waits."""

    name: str
    after_kill_s: float
    after_start_s: float


class Outcome(Struct, frozen=True):
    """What came of a plan."""

    plan: Plan
    took_s: float
    hands: int
    presses: int
    entries_lost: int
    events: int
    hits: tuple[Hit, ...]
    back: tuple[Back, ...]
    memory: dict[str, float]
    failures: tuple[Failure, ...]


async def run(plan: Plan, *, keep: Path | None = None, over: Callable[[], bool]) -> Outcome:
    """Runs it to its end; once it is `over` play under faults ends early. Of one that fails the
    files are kept in the folder `keep`."""
    with tempfile.TemporaryDirectory(prefix="cutcard-campaign-") as name:
        episode = _Episode(plan, Path(name), over)
        outcome = await episode.run()
        if outcome.failures and keep is not None:
            episode.keep(keep)
    return outcome


class _NotBackError(Exception):
    """Something did not come (back) in time."""


class _Episode:
    def __init__(self, plan: Plan, folder: Path, over: Callable[[], bool]) -> None:
        self._plan = plan
        self._folder = folder
        self._over = over
        rng = random.Random(f"{plan.seed} {plan.number} people")
        self._rng = random.Random(f"{plan.seed} {plan.number} faults")
        self._line_up = LineUp(folder, seats=plan.seats, speed=plan.speed, rng=rng)
        self._game: Iterator[Truth] = game(rng, plan.seats)
        self._played: list[Truth] = []
        self._calm: list[Calm] = []
        self._pages: list[float] = []
        self._rows: set[evidence.Row] = set()
        self._hits: list[Hit] = []
        self._began = time.monotonic()
        self._busy: dict[str, asyncio.Lock] = {}

    async def run(self) -> Outcome:
        line_up, failures = self._line_up, []
        try:
            await line_up.start()
            try:
                await self._go()
            except _NotBackError as error:
                failures.append(Failure("not back", f"{error} within {PATIENCE_S:.0f} s", ""))
        finally:
            await line_up.stop()
        failures += judge(
            line_up,
            self._played,
            self._calm,
            rows=self._rows,
            allowed=self._allowed(),
            unwatched=self._unwatched(),
        )
        return Outcome(
            self._plan,
            time.monotonic() - self._began,
            len(self._played),
            len(line_up.people.presses),
            line_up.people.socket.lost,
            len({place for place, _ in evidence.heard(line_up)}),
            tuple(self._hits),
            tuple(self._back()),
            {name: service.most_mib for name, service in line_up.services.items()},
            tuple(failures),
        )

    def keep(self, folder: Path) -> None:
        """Copies what the episode has left."""
        to = folder / f"{self._plan.seed}-{self._plan.number}"
        with suppress(OSError, shutil.Error):
            ignored = shutil.ignore_patterns("port", "*.sock", "deck.toml", "password")
            shutil.copytree(self._folder, to, ignore=ignored, dirs_exist_ok=True)
            lines = (
                f"{m.at_s - self._began:.3f} {m.topic} {m.payload.decode(errors='replace')}\n"
                for m in self._line_up.listener.messages
            )
            (to / "heard").write_text("".join(lines))

    async def _go(self) -> None:
        people = self._line_up.people
        await self._until("the table is ready", self._is_ready)
        await self._until("the room is there", lambda: self._says("room/$state") == "ready")
        faults = asyncio.create_task(self._break())
        watching = [asyncio.create_task(each) for each in (self._watch(), self._watch_pages())]
        try:
            ends = time.monotonic() + self._plan.seconds
            while not faults.done() or (time.monotonic() < ends and not self._over()):
                self._played.append(truth := next(self._game))
                await people.play(truth)
            await faults
            await self._until("the table is ready", self._is_ready)
            await self._until("the room is there", lambda: self._says("room/$state") == "ready")
            for _ in range(1 + bool(self._allowed())):
                await self._play_calm()
            await self._settle()
        finally:
            faults.cancel()
            for each in watching:
                each.cancel()
            await asyncio.gather(faults, *watching, return_exceptions=True)

    # --- what breaks ---

    async def _break(self) -> None:
        began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for planned in self._plan.faults:
                rng = random.Random(self._rng.random())
                group.create_task(self._hit(planned, began, rng))

    async def _hit(self, planned: Planned, began: float, rng: random.Random) -> None:
        fault = FAULTS[planned.name]
        await asyncio.sleep(max(0.0, began + planned.at_s - time.monotonic()))
        async with self._busy.setdefault(fault.on, asyncio.Lock()):
            if self._over():
                return
            at = time.monotonic()
            told = await fault.do(self._line_up, rng)
            self._hits.append(
                Hit(planned.name, at - self._began, time.monotonic() - self._began, told)
            )
            if rng.random() < _BREATHES:
                await self._breathe(fault.on)

    async def _breathe(self, on: str) -> None:
        """A table that is hit again and again misses whole hands, and nobody could tell."""
        if on in ("table", "wire"):
            with suppress(_NotBackError):
                await self._until("the table is ready", self._is_ready)
            await asyncio.sleep(_BREATH_S)

    def _allowed(self) -> frozenset[Allowed]:
        allowed: frozenset[Allowed] = frozenset()
        return allowed.union(*(FAULTS[hit.name].allows for hit in self._hits))

    def _unwatched(self) -> int:
        """How often the table did not look for more than a second, by its own process's fault."""
        stopped = [h for h in self._hits if h.name == "table stopped" and h.to_s - h.from_s > 1.5]
        return len(self._line_up.services["table"].ended) + len(stopped)

    async def _watch(self) -> None:
        while True:
            for service in self._line_up.services.values():
                service.weigh()
            self._rows.update(evidence.newest_row(self._line_up))
            await asyncio.sleep(0.5)

    async def _watch_pages(self) -> None:
        """When the room's pages are there again."""
        room = self._line_up.services["room"]
        for at in count():
            while len(room.started) < at + 2:  # noqa: ASYNC110 - a process brings it about
                await asyncio.sleep(_LOOK_S)
            while not (there := await self._line_up.has_pages()) and len(room.ended) < at + 2:  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_S)
            self._pages.append(time.monotonic() if there else inf)

    # --- what follows ---

    async def _play_calm(self) -> None:
        """A hand that is seen whole."""
        before = self._events().keys()
        self._played.append(truth := next(self._game))
        await self._line_up.people.play(truth)
        with suppress(_NotBackError):
            await self._until("all is told", lambda: self._has_result(before), every_s=0.2)
        self._calm.append(Calm(truth, tuple(self._since(before))))

    async def _settle(self) -> None:
        """Waits until the room has all of it, as far as it will."""

        def has_all() -> bool:
            return self._events().keys() <= evidence.archived(self._line_up).keys()

        with suppress(_NotBackError):
            await self._until("the history has all", has_all, SETTLE_S, every_s=0.3)

    def _events(self) -> dict[evidence.Place, bytes]:
        """What the table has told by now, whether or not the listener was there to hear it."""
        return evidence.kept(self._line_up).published | dict(evidence.heard(self._line_up))

    def _since(self, before: Collection[evidence.Place]) -> list[dict[str, Any]]:
        fresh = {place: each for place, each in self._events().items() if place not in before}
        return evidence.in_order(fresh, evidence.sessions(self._line_up))

    def _has_result(self, before: Collection[evidence.Place]) -> bool:
        return any(event["kind"] == "result" for event in self._since(before))

    def _says(self, ending: str) -> str:
        return str(self._line_up.listener.last(ending).get("state"))

    def _is_ready(self) -> bool:
        """The table that runs has said so itself, and has its wire and its dealer."""
        state = self._line_up.listener.last(f"tables/{TABLE}/$state")
        health = self._line_up.listener.last(f"tables/{TABLE}/health")
        amiss = [words for words in health.get("links", ["?"]) if not _OF_BEFORE.search(words)]
        is_here = health.get("session") == state.get("session") and not amiss
        table = self._line_up.services["table"]
        return (
            state.get("state") == "ready"
            and len(table.started) > len(table.ended)
            and self._line_up.people.socket.is_connected
            and is_here
        )

    async def _until(
        self,
        what: str,
        holds: Callable[[], bool],
        seconds: float = PATIENCE_S,
        every_s: float = _LOOK_S,
    ) -> None:
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise _NotBackError(what)
            await asyncio.sleep(every_s)

    # --- how long they were away ---

    def _back(self) -> Iterator[Back]:
        """Of the kills that nothing else came across."""
        line_up = self._line_up
        for name, ending in (("table", f"tables/{TABLE}/hand"), ("room", "room/$state")):
            service = line_up.services[name]
            words = line_up.listener.of(ending)
            for (ended, _), started in zip(service.ended, service.started[1:], strict=False):
                before = {m.fields.get("session") for m in words if m.at_s < ended}
                fresh = [
                    m.at_s
                    for m in words
                    if m.at_s > started and m.fields.get("session") not in before
                ]
                if fresh and self._is_clean(ended, fresh[0]):
                    yield Back(name, fresh[0] - ended, fresh[0] - started)

        room = line_up.services["room"]
        lives = zip(room.ended, room.started[1:], self._pages, strict=False)
        for (ended, _), started, there in lives:
            if there < inf and self._is_clean(ended, there):
                yield Back("pages", there - ended, there - started)

    def _is_clean(self, first: float, last: float) -> bool:
        """Whether in this time nothing else was broken that it takes to be heard."""
        killed = ("kill", "point")
        spans = [
            (hit.from_s + self._began, hit.to_s + self._began)
            for hit in self._hits
            if FAULTS[hit.name].theme not in killed
        ]
        return not any(a < last + 0.5 and b > first - 0.5 for a, b in spans)
