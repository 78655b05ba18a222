"""The Unix socket for the commands that set a table up, while its service has the wires.

One line of JSON says what is wanted; lines of JSON answer until either side closes. Tags are named
only between two hands and while `naming` lets them be, and never those at a seat. The socket is
its owner's alone, in a folder that the dealer's unit does not see.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from controller.contract.observations import Observation
from controller.contract.zones import seat_of
from controller.table.capture import Capture
from controller.table.counting import Count, Counting
from controller.table.lamps import Lamps
from controller.table.naming import EMPTY_FOR_S, Aliases, Naming
from controller.table.unix_socket import served
from firmware_bridge import health as bridge_health
from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.link.messages import Identify
from firmware_bridge.link.session import QueueFullError
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.seat_lamps import Signal
from firmware_bridge.sensed import Press, SeatNumber

LONGEST_LINE = 4096
MOST_UNSENT = 1 << 18
MOST_UNSENT_OF_A_CAPTURE = 1 << 20
MOST_CLIENTS = 32
ASKED_WITHIN_S = 10.0
LOOK_EVERY_S = 0.5
MOST_RESTS, REST_EVERY_S = 250, 0.02
WAIT_S = EMPTY_FOR_S + 3.0
"""Who wants tags waits so long for the antennas to say that no card lies at a seat."""
HELD_S = 1.0
"""True tags of a capture are held back for so long: a card that comes to a seat takes with it what
its antenna may have told of it just before."""

LampSignal = Literal["dark", "turn", "attention", "floor"]
ShownFor = Annotated[int, Meta(ge=0, le=60)]


class WantScans(Struct, frozen=True, tag_field="want", tag="scans", forbid_unknown_fields=True):
    """Every scan of every zone, as it comes: those at seats without tags; or, not `named`, of all
    with names instead of tags, as long as just a few cards lie on the table."""

    named: bool = True


class WantCounts(Struct, frozen=True, tag_field="want", tag="counts", forbid_unknown_fields=True):
    """How well each antenna reads, scan by scan, in numbers alone; ends once a hand begins."""


class WantPresses(Struct, frozen=True, tag_field="want", tag="presses", forbid_unknown_fields=True):
    """Every press of a seat's button, as it comes."""


class WantHealth(Struct, frozen=True, tag_field="want", tag="health", forbid_unknown_fields=True):
    """How the bridge is."""


class WantLight(Struct, frozen=True, tag_field="want", tag="light", forbid_unknown_fields=True):
    """A seat's lamp shows a signal for so many seconds, then the table's own again."""

    seat: SeatNumber
    signal: LampSignal
    seconds: ShownFor = 5


class WantIdentify(
    Struct, frozen=True, tag_field="want", tag="identify", forbid_unknown_fields=True
):
    """The device of a port shows which it is for so many seconds."""

    port: str
    seconds: ShownFor = 10


class WantCapture(Struct, frozen=True, tag_field="want", tag="capture", forbid_unknown_fields=True):
    """All that comes and goes on the wires and is entered (see `controller.capture.files`), until
    the client closes. Each line that it sends begins the capture anew. `raw`: with true tags."""

    raw: bool = False


Want = WantCapture | WantScans | WantCounts | WantPresses | WantHealth | WantLight | WantIdentify


class Scan(Struct, frozen=True, tag_field="kind", tag="scan"):
    """All tags that a zone's reader read in one scan, at the table's time `t` in seconds.

    If not `complete` there are more than could be told apart; if `failed` the reader did not
    answer, and `tags` says nothing. Where names were wanted, a tag has the same one for as long as
    it lies there.
    """

    t: float
    port: str
    zone: str
    tags: tuple[str, ...]
    complete: bool
    failed: bool

    def __repr__(self) -> str:
        return f"Scan(t={self.t}, zone={self.zone!r}, tags={len(self.tags)})"


class BenchHealth(bridge_health.BridgeHealth, frozen=True, tag_field="kind", tag="health"):
    """How the bridge is, and the number of the hand that is open."""

    hand: int | None = None


class Fine(Struct, frozen=True, tag_field="kind", tag="ok"):
    """It is done."""


class BenchRefused(Struct, frozen=True, tag_field="kind", tag="refused"):
    """It is not done, and why."""

    reason: str


class Ended(Struct, frozen=True, tag_field="kind", tag="ended"):
    """Nothing more comes, and why."""

    reason: str


BenchAnswer = Scan | Count | Press | BenchHealth | Fine | BenchRefused | Ended


def hand_is_open(hand: int) -> str:
    """Why nothing that names a card is told, in words."""
    return f"hand {hand} is open: cards are not named until it is over"


def counts_wait(hand: int) -> str:
    """Why it is not told how antennas read, in words."""
    return f"hand {hand} is open: antennas are tuned between two hands"


class BenchServer:
    """Lets others look on at a bridge and light its lamps; what asks too much is counted."""

    def __init__(
        self,
        path: Path,
        wirings: Collection[Wiring],
        bridge: Bridge,
        lamps: Lamps,
        hand: Callable[[], int | None],
        *,
        naming: Naming,
        capture: Callable[[Callable[[bytes], None], bool], Capture],
        capturing: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`path` is where the socket will be, from `ready` on; `hand` tells the number of the
        open hand, and `naming` is told all scans. `capture` makes a capture that writes lines, raw
        or not; `capturing` is told whether there is any."""
        self._path = path
        self._wirings = {wiring.port: wiring for wiring in wirings}
        self._bridge = bridge
        self._lamps = lamps
        self._hand = hand
        self._naming = naming
        self._clients: set[asyncio.StreamWriter] = set()
        self._of_scans: set[asyncio.StreamWriter] = set()
        self._of_names: dict[asyncio.StreamWriter, Aliases] = {}
        self._of_counts: dict[asyncio.StreamWriter, Counting] = {}
        self._of_presses: set[asyncio.StreamWriter] = set()
        self._capture = capture
        self._capturing = capturing
        self._captures: dict[asyncio.StreamWriter, Capture] = {}
        self._of_raw: dict[asyncio.StreamWriter, _Held] = {}
        self._lent: dict[int, asyncio.TimerHandle] = {}
        self.ready = asyncio.Event()
        self.refused = 0
        self.aborted = 0
        bridge.taps.append(self)

    async def run(self) -> None:
        """Serves until cancelled. Raises OSError where the socket can't be made."""
        async with served(self._path, self._serve, limit=LONGEST_LINE):
            self.ready.set()
            try:
                while True:
                    await asyncio.sleep(LOOK_EVERY_S)
                    self.look()
            finally:
                for timer in self._lent.values():
                    timer.cancel()

    # --- what the bridge tells ---

    def scanned(self, port: str, zone: str, scan: ZoneScan) -> None:
        """See Tap."""
        self._naming.scanned(port, zone, scan)
        self.look()
        if self._of_scans:
            tags = () if seat_of(zone) else scan.tags
            self._send(self._of_scans, Scan(scan.t, port, zone, tags, scan.complete, scan.failed))
        for writer, names in list(self._of_names.items()):
            told = tuple(names.of(tag, scan.t) for tag in scan.tags)
            self._send([writer], Scan(scan.t, port, zone, told, scan.complete, scan.failed))
        for writer, counting in list(self._of_counts.items()):
            self._send([writer], counting.scanned(port, zone, scan))

    def pressed(self, press: Press) -> None:
        """See Tap."""
        if self._of_presses:
            self._send(self._of_presses, press)

    def look(self) -> None:
        """A hand may have begun, or a card may lie at a seat: then nobody is told of tags any
        longer."""
        for capture in self._captures.values():
            capture.look()
        if (self._of_scans or self._of_raw) and (why := self._why_no_tags()):
            for writer, held in self._of_raw.items():
                self._captures[writer].end()
                held.drop()
            self._end([*self._of_scans, *self._of_raw], why)
        if self._of_names and (why := self._why_no_names()):
            self._end([*self._of_names], why)
        if self._of_counts and (hand := self._hand()) is not None:
            self._end([*self._of_counts], counts_wait(hand))
        for held in self._of_raw.values():
            held.pass_on(self._bridge.now())

    def _why_no_tags(self) -> str | None:
        if (hand := self._hand()) is not None:
            self._naming.end()
            return hand_is_open(hand)
        return self._naming.why_not(self._bridge.now())

    def _why_no_names(self) -> str | None:
        if (hand := self._hand()) is not None:
            return hand_is_open(hand)
        return self._naming.crowd()

    def _end(self, writers: Collection[asyncio.StreamWriter], why: str) -> None:
        self._send(writers, Ended(why))
        for writer in writers:
            writer.close()
            self._of_scans.discard(writer)
            self._of_names.pop(writer, None)
            self._of_counts.pop(writer, None)
            self._of_raw.pop(writer, None)

    def observed(self, observation: Observation, *, by_bridge: bool) -> None:
        """The table was told this, and its engine has made of it what it has."""
        self.look()
        for capture in list(self._captures.values()):
            capture.observed(observation, by_bridge=by_bridge)

    def _send(self, writers: Collection[asyncio.StreamWriter], answer: BenchAnswer) -> None:
        line = _line(answer)
        for writer in list(writers):
            if writer.transport.get_write_buffer_size() > MOST_UNSENT:
                self.aborted += 1
                self._of_scans.discard(writer)
                self._of_names.pop(writer, None)
                self._of_counts.pop(writer, None)
                self._of_presses.discard(writer)
                writer.transport.abort()
            else:
                writer.write(line)

    # --- what the clients want ---

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        try:
            if len(self._clients) > MOST_CLIENTS:
                self._refuse(writer, f"{MOST_CLIENTS} others are already being served")
                return
            async with asyncio.timeout(ASKED_WITHIN_S):
                line = await reader.readline()
            if not line:
                return
            want = msgspec.json.decode(line, type=Want)
            await self._answer(want, reader, writer)
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError):
            self._refuse(writer, "that can't be asked here")
        except (ConnectionError, TimeoutError):
            self.refused += 1
        finally:
            self._clients.discard(writer)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(
        self, want: Want, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        match want:
            case WantScans(named):
                if why := await self._waited() if named else self._why_no_names():
                    self._refuse(writer, why)
                    return
                if named:
                    self._of_scans.add(writer)
                else:
                    self._of_names[writer] = Aliases()
                writer.write(_line(Fine()))
                await self._until_gone(reader, writer)
            case WantCapture(raw):
                if raw and (why := await self._waited()):
                    self._refuse(writer, why)
                else:
                    await self._serve_capture(raw, reader, writer)
            case WantCounts():
                if (hand := self._hand()) is not None:
                    self._refuse(writer, counts_wait(hand))
                    return
                self._of_counts[writer] = Counting(self._guessed_cycle)
                writer.write(_line(Fine()))
                await self._until_gone(reader, writer)
            case WantPresses():
                self._of_presses.add(writer)
                await self._until_gone(reader, writer)
            case WantHealth():
                known = msgspec.structs.asdict(self._bridge.health())
                writer.write(_line(BenchHealth(**known, hand=self._hand())))
            case WantLight():
                self._conclude(writer, self._light(want))
            case WantIdentify():
                self._conclude(writer, self._identify(want))

    def _guessed_cycle(self, port: str) -> float | None:
        """See `Counting`."""
        if not self._wirings[port].family.is_board:
            return None
        return self._bridge.health().cycle_s

    async def _waited(self) -> str | None:
        """Why no tags are told; None once they may be. Antennas take a while to say so."""
        loop = asyncio.get_running_loop()
        until = loop.time() + WAIT_S
        while (why := self._why_no_tags()) and loop.time() < until:
            if self._hand() is not None or self._naming.lies() is not None:
                return why
            await asyncio.sleep(REST_EVERY_S)
        troubles = [link.text for link in self._bridge.health().links if link.state != "up"]
        return "; ".join([*filter(None, troubles), why]) if why else None

    async def _until_gone(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Returns once the client closes; there is nothing more that it could ask."""
        try:
            await reader.read(1)
        finally:
            self._of_scans.discard(writer)
            self._of_names.pop(writer, None)
            self._of_counts.pop(writer, None)
            self._of_presses.discard(writer)

    async def _serve_capture(
        self, raw: bool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        def write(line: bytes) -> None:
            if writer.transport.is_closing():
                return
            if writer.transport.get_write_buffer_size() > MOST_UNSENT_OF_A_CAPTURE:
                self.aborted += 1
                writer.transport.abort()
            else:
                writer.write(line)

        held = _Held(write, self._bridge.now)
        capture = self._captures[writer] = self._capture(held.add if raw else write, raw)
        if raw:
            self._of_raw[writer] = held
        try:
            while True:
                await self._rest()
                self.look()
                if writer.is_closing():
                    break
                capture.begin()
                self._capturing(True)
                if not await reader.readline():
                    break
            capture.end()
            while held.lines and not writer.is_closing():
                await asyncio.sleep(REST_EVERY_S)
                self.look()
        finally:
            capture.end()
            self._of_raw.pop(writer, None)
            del self._captures[writer]
            self._capturing(bool(self._captures))

    async def _rest(self) -> None:
        """Returns once no card is on its way, or after a while: where they all lie is told whole,
        but not for how long one that is leaving has not been read."""
        for _ in range(MOST_RESTS):
            if self._bridge.is_at_rest():
                return
            await asyncio.sleep(REST_EVERY_S)

    def _light(self, want: WantLight) -> str | None:
        """Why the lamp can't be lit; None when it is."""
        ports = [port for port, wiring in self._wirings.items() if want.seat in wiring.lamps]
        if not ports:
            return f"seat {want.seat} has no lamp"
        if trouble := self._trouble(ports[0]):
            return trouble
        if before := self._lent.pop(want.seat, None):
            before.cancel()
        self._lamps.lend(want.seat, Signal[want.signal.upper()])
        loop = asyncio.get_running_loop()
        self._lent[want.seat] = loop.call_later(want.seconds, self._give_back, want.seat)
        return None

    def _give_back(self, seat: int) -> None:
        del self._lent[seat]
        self._lamps.lend(seat, None)

    def _identify(self, want: WantIdentify) -> str | None:
        """Why the device can't show itself; None when it is asked to."""
        wiring = self._wirings.get(want.port)
        if wiring is None:
            return f"there is no port {want.port[:60]!r}"
        if not wiring.family.is_board:
            return f"{want.port}: a {wiring.device} can't show which it is"
        if trouble := self._trouble(want.port):
            return trouble
        try:
            self._bridge.command(want.port, Identify(want.seconds))
        except QueueFullError as error:
            return f"{want.port}: {error}"
        return None

    def _trouble(self, port: str) -> str | None:
        """Why the device of a port does nothing now."""
        for link in self._bridge.health().links:
            if link.port == port and link.state != "up":
                return link.text or f"{port} is not up yet"
        return None

    def _conclude(self, writer: asyncio.StreamWriter, trouble: str | None) -> None:
        if trouble is None:
            writer.write(_line(Fine()))
        else:
            self._refuse(writer, trouble)

    def _refuse(self, writer: asyncio.StreamWriter, reason: str) -> None:
        self.refused += 1
        writer.write(_line(BenchRefused(reason)))


class _Held:
    """Lines of a capture that are not given out yet, each with its time."""

    def __init__(self, write: Callable[[bytes], None], now: Callable[[], float]) -> None:
        self.lines: deque[tuple[float, bytes]] = deque()
        self._write = write
        self._now = now

    def add(self, line: bytes) -> None:
        self.lines.append((self._now(), line))

    def pass_on(self, now: float) -> None:
        while self.lines and now - self.lines[0][0] >= HELD_S:
            self._write(self.lines.popleft()[1])

    def drop(self) -> None:
        self.lines.clear()


def _line(answer: BenchAnswer) -> bytes:
    return msgspec.json.encode(answer) + b"\n"
