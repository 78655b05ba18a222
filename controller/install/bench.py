"""The bench as a command sees it: the table's wires, whether its service runs or not."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from controller.files.toml_file import ConfigError
from controller.storage.journal import open_hand
from controller.table.attached import make_panels
from controller.table.bench import (
    BenchAnswer,
    BenchHealth,
    BenchRefused,
    BenchServer,
    Ended,
    Fine,
    LampSignal,
    Scan,
    Want,
    WantCapture,
    WantCounts,
    WantHealth,
    WantIdentify,
    WantLight,
    WantPresses,
    WantScans,
)
from controller.table.capture import Capture, Subject, date
from controller.table.config import TableConfig
from controller.table.counting import Count
from controller.table.decks import Decks
from controller.table.lamps import Lamps
from controller.table.naming import Naming
from firmware_bridge.bridge import Bridge
from firmware_bridge.sensed import Press

LONGEST_ANSWER = 1 << 18
LONGEST_CAPTURE_LINE = 1 << 22
ASK_JOURNAL_EVERY_S = 0.5
_OF_BENCH = (b'{"kind":"refused"', b'{"kind":"ended"')

A = TypeVar("A", bound=BenchAnswer)


class BenchError(Exception):
    """Nothing can be had from the bench; one line says why, and holds no tag."""


class BenchRefusedError(BenchError):
    """The bench refuses: with `reason`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BenchEndedError(BenchRefusedError):
    """What came until now comes no longer: a hand has begun."""


class BenchLostError(BenchError):
    """The table's service is gone."""


class Bench:
    """A table's wires; `open_bench` gives one. Each call is a connection of its own."""

    def __init__(self, path: Path, *, of_service: bool) -> None:
        """`path` is the socket's; `of_service` tells whether the table's service has the wires."""
        self._path = path
        self.of_service = of_service

    def scans(
        self, *, named: bool = True, begun: Callable[[], None] = lambda: None
    ) -> AsyncGenerator[Scan, None]:
        """Every scan of every zone from now on: with tags, but those at seats; or, not `named`,
        with names that say nothing of the tags. `begun` is told once they come.

        Raises BenchRefusedError while a hand is open or, for tags, a card lies at a seat or may
        do so, BenchEndedError once that is so, and BenchLostError. Close it
        (`contextlib.aclosing`) if it is left early.
        """
        return self._all(WantScans(named), Scan, begun)

    def counts(self) -> AsyncGenerator[Count, None]:
        """How well each antenna reads, scan by scan, in numbers alone; like `scans`, but for cards
        at seats, which don't matter to it."""
        return self._all(WantCounts(), Count)

    def presses(self) -> AsyncGenerator[Press, None]:
        """Every press of a seat's button from now on; like `scans`, and never refused."""
        return self._all(WantPresses(), Press)

    @asynccontextmanager
    async def capture(self, *, raw: bool = False) -> AsyncIterator[CaptureLines]:
        """The lines of a capture, until left. Raises like `scans`, if raw, else BenchLostError."""
        reader, writer = await self._connect(LONGEST_CAPTURE_LINE)
        try:
            writer.write(msgspec.json.encode(WantCapture(raw)) + b"\n")
            yield CaptureLines(reader, writer)
        finally:
            writer.close()

    async def health(self) -> BenchHealth:
        """How everything is at this moment. Raises BenchError."""
        return await self._one(WantHealth(), BenchHealth)

    async def light(self, seat: int, signal: LampSignal, seconds: int = 5) -> None:
        """A seat's lamp shows a signal for so long, then the table's own again.

        Raises BenchRefusedError where there is no such lamp or its device is not up.
        """
        await self._one(WantLight(seat, signal, seconds), Fine)

    async def identify(self, port: str, seconds: int = 10) -> None:
        """The device of a port shows which it is. Raises BenchRefusedError."""
        await self._one(WantIdentify(port, seconds), Fine)

    async def _connect(self, limit: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await asyncio.open_unix_connection(self._path, limit=limit)
        except OSError as error:
            raise BenchLostError(f"{self._path}: {error.strerror}") from None

    async def _one(self, want: Want, kind: type[A]) -> A:
        async with contextlib.aclosing(self._all(want, kind)) as answers:
            async for answer in answers:
                return answer
        raise BenchLostError("the table's service has stopped")

    async def _all(
        self, want: Want, kind: type[A], begun: Callable[[], None] = lambda: None
    ) -> AsyncGenerator[A, None]:
        reader, writer = await self._connect(LONGEST_ANSWER)
        try:
            writer.write(msgspec.json.encode(want) + b"\n")
            while (line := await reader.readline()).endswith(b"\n"):
                match msgspec.json.decode(line, type=BenchAnswer):
                    case BenchRefused(reason):
                        raise BenchRefusedError(reason)
                    case Ended(reason):
                        raise BenchEndedError(reason)
                    case answer if isinstance(answer, kind):
                        yield answer
                    case Fine():
                        begun()
            raise BenchLostError("the table's service has stopped")
        except ConnectionError:
            raise BenchLostError("the table's service has stopped") from None
        finally:
            writer.close()


class CaptureLines:
    """The lines of a capture, each with its line end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._is_ending = False

    def begin_anew(self) -> None:
        """The capture begins anew, with a header, as soon as it can; not once it is to end."""
        if not self._is_ending:
            self._writer.write(b"\n")

    def end(self) -> None:
        """Ends the capture; what had not come yet may still be read."""
        self._is_ending = True
        with contextlib.suppress(OSError):
            self._writer.write_eof()

    def __aiter__(self) -> CaptureLines:
        return self

    async def __anext__(self) -> bytes:
        """Raises BenchRefusedError, BenchEndedError, BenchLostError."""
        try:
            line = await self._reader.readline()
        except (ConnectionError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            raise BenchLostError("the table's service has stopped, or this computer is too slow")
        if line.startswith(_OF_BENCH):
            match msgspec.json.decode(line, type=BenchRefused | Ended):
                case BenchRefused(reason):
                    raise BenchRefusedError(reason)
                case Ended(reason):
                    raise BenchEndedError(reason)
        return line


@asynccontextmanager
async def open_bench(
    config: TableConfig,
    *,
    notice: Callable[[str], None] = lambda _: None,
    confirmed: bool = False,
) -> AsyncIterator[Bench]:
    """The bench of a table: its service's where one runs, else one of this process's own.

    The latter opens the table's ports itself and asks the journal whether a hand is open; with
    `confirmed`, dealer and floor have said that none is. `notice` gets a line in plain words
    whenever one of its links changes. Raises BenchError where the service's socket may not be
    used or there can be none of its own, and DatabaseError where the journal can't be read.
    """
    if await _is_served(config.bench):
        yield Bench(config.bench, of_service=True)
        return
    hand = _JournalHand(config.journal)
    hand()
    with tempfile.TemporaryDirectory(prefix="cutcard-") as folder:
        path = Path(folder) / "bench.sock"
        began = time.monotonic()
        bridge = Bridge(
            config.wirings(),
            lambda _: None,
            clock=lambda: time.monotonic() - began,
            registered=lambda _: True,
            notice=notice,
            neighbours=config.neighbours,
            thresholds=config.thresholds,
            panels=make_panels(
                config.panels, clock=lambda: time.monotonic() - began, sleep=asyncio.sleep
            ),
        )

        def capture(write: Callable[[bytes], None], raw: bool) -> Capture:
            return Capture(_subject(config), bridge, None, write, raw=raw, when=date)

        naming = Naming(config.wirings(), config.seats, config.objects)
        if confirmed:
            naming.confirm(bridge.now())
        server = BenchServer(
            path,
            config.wirings(),
            bridge,
            Lamps(bridge.light),
            hand,
            naming=naming,
            capture=capture,
        )
        serving = asyncio.create_task(_together(_serve(server, path), bridge.run()))
        try:
            await _until_ready(server, serving)
            yield Bench(path, of_service=False)
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving


def _subject(config: TableConfig) -> Subject:
    try:
        decks = Decks(config.read_decks())
    except ConfigError:  # not enrolled yet: then every tag is a stranger
        decks = Decks({})
    return Subject(
        config.table_record(decks.deck),
        config.ports,
        config.thresholds,
        config.neighbours,
        None,
        decks=decks.maps,
        deck=decks.deck,
        objects=config.objects,
    )


async def _serve(server: BenchServer, path: Path) -> None:
    try:
        await server.run()
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror or error}") from None


async def _until_ready(server: BenchServer, serving: asyncio.Task[None]) -> None:
    """Raises what ended it before."""
    ready = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait((serving, ready), return_when=asyncio.FIRST_COMPLETED)
    finally:
        ready.cancel()
    if serving.done():
        serving.result()


async def _together(*runs: Coroutine[None, None, None]) -> None:
    """Until cancelled, or one fails: then with its exception."""
    try:
        async with asyncio.TaskGroup() as group:
            for run in runs:
                group.create_task(run)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def open_hand_of(config: TableConfig) -> tuple[bool, int | None]:
    """Whether a table's service runs, and the number of the open hand, by it or else by the
    journal. Opens no port. Raises BenchError, DatabaseError.
    """
    if await _is_served(config.bench):
        return True, (await Bench(config.bench, of_service=True).health()).hand
    return False, open_hand(config.journal)


class _JournalHand:
    """The hand that a journal leaves open, asked for now and then."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._due = 0.0
        self._hand: int | None = None

    def __call__(self) -> int | None:
        if time.monotonic() >= self._due:
            self._hand = open_hand(self._journal)
            self._due = time.monotonic() + ASK_JOURNAL_EVERY_S
        return self._hand


async def _is_served(path: Path) -> bool:
    """Whether a service listens there. Raises BenchError where that can't be told."""
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    except OSError as error:
        raise BenchError(
            f"{path}: {error.strerror}: are you running as the service's user?"
        ) from None
    writer.close()
    return True
