"""What comes and goes on a table's wires, as records that can be kept and played again.

Tags are told by other UIDs (see `disguise`), and bytes that are no intact frame by their number
only. A set of tags that several frames hold together is told once it is complete, with its tags
dealt out anew: in which of the frames one stood says what comes before what. Until then all
records wait, so that they come in the order of their times.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from firmware_bridge.disguise import Page
from firmware_bridge.listening import Pieces
from firmware_bridge.sensed import Press
from firmware_bridge.wiring import Wiring

MOST_WAITING = 512
LONGEST_WAIT_S = 2.0
MOST_STEPS = 64

HexFrames = tuple[str | int, ...]
"""Frames in hex, and numbers of bytes that are no frame."""


class Opened(Struct, frozen=True, tag_field="kind", tag="opened", forbid_unknown_fields=True):
    """The port is open, and its device is asked who it is. Ports are told by their index."""

    t: float
    port: int
    path: str


class Closed(Struct, frozen=True, tag_field="kind", tag="closed", forbid_unknown_fields=True):
    """The port was given up, without a loss."""

    t: float
    port: int


class Lost(Struct, frozen=True, tag_field="kind", tag="lost", forbid_unknown_fields=True):
    """The port is gone, or could not be opened."""

    t: float
    port: int
    text: str


class Received(Struct, frozen=True, tag_field="kind", tag="received", forbid_unknown_fields=True):
    """What came over a port."""

    t: float
    port: int
    bytes: HexFrames

    def __repr__(self) -> str:
        return f"Received(t={self.t}, port={self.port}, {len(self.bytes)} pieces)"


class Sent(Struct, frozen=True, tag_field="kind", tag="sent", forbid_unknown_fields=True):
    """What went out over a port; played again, the drivers say it by themselves."""

    t: float
    port: int
    bytes: HexFrames

    def __repr__(self) -> str:
        return f"Sent(t={self.t}, port={self.port}, {len(self.bytes)} pieces)"


class Steps(Struct, frozen=True, tag_field="kind", tag="steps", forbid_unknown_fields=True):
    """Times at which nothing came and time passed; `t` is the last one."""

    t: float
    at: tuple[float, ...]


class Pressed(Struct, frozen=True, tag_field="kind", tag="pressed", forbid_unknown_fields=True):
    """A button that hangs on no port was pressed."""

    t: float
    press: Press


Record = Opened | Closed | Lost | Received | Sent | Steps | Pressed


class _Hole:
    """A frame that is not known yet."""

    def __init__(self, size: int, page: Page) -> None:
        self.size = size
        self.page = page
        self.piece: bytes | int | None = None


class _Waiting:
    """A record that waits its turn."""

    def __init__(self, t: float, record: object) -> None:
        self.t = t
        self._record = record

    @property
    def holes(self) -> list[_Hole]:
        return []

    def made(self) -> object:
        return self._record


class _Reception(_Waiting):
    """What came over a port, in pieces of which some may not be known yet."""

    def __init__(self, t: float, port: int, pieces: Sequence[bytes | int | _Hole]) -> None:
        super().__init__(t, None)
        self._port = port
        self._pieces = pieces

    @property
    def holes(self) -> list[_Hole]:
        return [p for p in self._pieces if isinstance(p, _Hole) and p.piece is None]

    def made(self) -> object:
        pieces = [p.piece if isinstance(p, _Hole) else p for p in self._pieces]
        return Received(self.t, self._port, _told(p for p in pieces if p is not None))


class Recorder:
    """Makes records of what it hears (see `listening.Listener`).

    `name` gives the other UID of a tag, told which others are near it; `near` the tags that lie
    where a port's readers read. `write` gets the records in the order of time.
    """

    def __init__(
        self,
        wirings: Collection[Wiring],
        *,
        name: Callable[[str, Collection[str]], str],
        near: Callable[[str], Collection[str]],
        write: Callable[[object], None],
    ) -> None:
        self._ports = {wiring.port: number for number, wiring in enumerate(wirings)}
        self._wirings = {wiring.port: wiring for wiring in wirings}
        self._name = name
        self._near = near
        self._write = write
        self._waiting: deque[_Waiting] = deque()
        self._sets: dict[tuple[str, object], list[_Hole]] = {}
        self._steps: list[float] = []

    # --- what is heard ---

    def opened(self, port: str, path: str, t: float) -> None:
        """See Listener."""
        self._give_up(port)
        self.add(Opened(t, self._ports[port], path), t)

    def closed(self, port: str, t: float) -> None:
        """See Listener."""
        self._give_up(port)
        self.add(Closed(t, self._ports[port]), t)

    def lost(self, port: str, text: str, t: float) -> None:
        """See Listener."""
        self._give_up(port)
        self.add(Lost(t, self._ports[port], text), t)

    def received(self, port: str, pieces: Pieces, t: float) -> None:
        """See Listener."""
        told: list[bytes | int | _Hole] = []
        for raw, intact in pieces:
            piece = self._piece(port, raw) if intact else len(raw)
            if isinstance(piece, int) and told and isinstance(told[-1], int):
                told[-1] += piece
            else:
                told.append(piece)
        self._end_steps()
        self._waiting.append(_Reception(t, self._ports[port], told))
        self._pass_on(t)

    def sent(self, port: str, data: bytes, t: float) -> None:
        """See Listener."""
        family = self._wirings[port].family
        if family.begins_set(data):
            self._give_up(port)
        told: list[bytes | int] = []
        for raw in family.grammar.split(data):
            piece = None if isinstance(raw, int) else self._disguised(port, raw)
            known = isinstance(piece, bytes) and not isinstance(raw, int)
            size = raw if isinstance(raw, int) else len(raw)
            told.append(piece if known and isinstance(piece, bytes) else size)
        self.add(Sent(t, self._ports[port], _told(told)), t)

    def stepped(self, t: float) -> None:
        """See Listener."""
        self._steps.append(t)
        if len(self._steps) >= MOST_STEPS:
            self._end_steps()
            self._pass_on(t)

    def panel(self, press: Press, t: float) -> None:
        """See Listener."""
        self.add(Pressed(t, press), t)

    # --- the owner's part ---

    def add(self, record: object, t: float) -> None:
        """Put in a record of something else that happened at `t`."""
        self._end_steps()
        self._waiting.append(_Waiting(t, record))
        self._pass_on(t)

    def end(self) -> None:
        """Write all that waits."""
        self._end_steps()
        for port, _ in list(self._sets):
            self._give_up(port)
        self._pass_on(0.0)

    def _end_steps(self) -> None:
        if self._steps:
            at = tuple(self._steps)
            self._steps.clear()
            self._waiting.append(_Waiting(at[-1], Steps(at[-1], at)))

    def _pass_on(self, t: float) -> None:
        waiting = self._waiting
        while waiting:
            first = waiting[0]
            if first.holes:
                if len(waiting) <= MOST_WAITING and t - first.t <= LONGEST_WAIT_S:
                    return
                for hole in first.holes:
                    self._abandon(hole)
            self._write(waiting.popleft().made())

    # --- sets in several frames ---

    def _piece(self, port: str, raw: bytes) -> bytes | int | _Hole:
        found = self._disguised(port, raw)
        if found is None:
            return len(raw)
        if isinstance(found, bytes):
            return found
        hole = _Hole(len(raw), found)
        if found.count:
            for known, key in list(self._sets):
                if known == port and key != found.key and _same_zone(key, found.key):
                    self._give_up(port, key)
        holes = self._sets.setdefault((port, found.key), [])
        holes.append(hole)
        is_whole = (
            {h.page.index for h in holes} == set(range(found.count)) if found.count else found.last
        )
        if is_whole:
            del self._sets[port, found.key]
            _deal_out(holes)
        return hole

    def _disguised(self, port: str, raw: bytes) -> bytes | Page | None:
        wiring = self._wirings[port]
        near = self._near(port)
        return wiring.family.disguise(
            raw, lambda tag, together: self._name(tag, [*together, *near]), len(wiring.zones)
        )

    def _give_up(self, port: str, key: object = None) -> None:
        """What is still missing of these sets will not come."""
        for each in list(self._sets):
            if each[0] == port and key in (None, each[1]):
                for hole in self._sets.pop(each):
                    _fill(hole, ())

    def _abandon(self, hole: _Hole) -> None:
        _fill(hole, ())
        for key, holes in list(self._sets.items()):
            if hole in holes:
                for other in self._sets.pop(key):
                    _fill(other, ())


def _same_zone(one: object, other: object) -> bool:
    return isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0]


def _fill(hole: _Hole, tags: Sequence[str]) -> None:
    again = hole.page.again(tags)
    hole.piece = hole.size if again is None else again


def _deal_out(holes: list[_Hole]) -> None:
    """Deal the tags of a whole set out to its frames: as many as fit, to the last ones first."""
    rest = sorted({tag for hole in holes for tag in hole.page.tags})
    by_place = sorted(holes, key=lambda hole: hole.page.index)
    most = max((len(hole.page.tags) for hole in holes), default=0)
    for hole in reversed(by_place):
        size = len(rest) if not hole.page.count else most
        while size and hole.page.again(rest[-size:]) is None:
            size -= 1
        _fill(hole, rest[-size:] if size else ())
        rest = rest[: len(rest) - size] if size else rest
    if rest:
        for hole in holes:
            hole.piece = hole.size


def _told(pieces: Iterable[bytes | int]) -> HexFrames:
    return tuple(piece.hex().upper() if isinstance(piece, bytes) else piece for piece in pieces)
