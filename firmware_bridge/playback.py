"""Records of a capture, told to wires again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from firmware_bridge.capture import Closed, Lost, Opened, Pressed, Received, Record, Sent, Steps
from firmware_bridge.disguise import Page
from firmware_bridge.wires import Wires
from firmware_bridge.wiring import Wiring

MOST_NOISE = 1 << 16


class Line:
    """A port whose other end is a record (see `wires.Port`)."""

    def __init__(self) -> None:
        self.open_path: str | None = None
        self.dropped = 0

    @property
    def is_open(self) -> bool:
        """See Port."""
        return self.open_path is not None

    def write(self, data: bytes) -> None:
        """See Port: what is sent is on record."""

    def release(self) -> None:
        """See Port: that it was closed is on record."""


class Nowhere:
    """No device is elsewhere (see `wires.Elsewhere`): where each was is on record."""

    def refuse(self, link: str, path: str, *, silent: bool = False) -> None:
        """See Elsewhere."""

    def elsewhere(self, link: str, device: str) -> str | None:  # noqa: ARG002
        """See Elsewhere."""
        return None


class RecordError(ValueError):
    """A record that can't be of these wires; the message says why, without any tag."""


class Player:
    """Tells wires what is on record, at its times. `name` gives the UID that is to stand in the
    place of one on record; None leaves them all as they are."""

    def __init__(self, wirings: Sequence[Wiring], wires: Wires, lines: Mapping[str, Line]) -> None:
        self._wirings = wirings
        self._wires = wires
        self._lines = lines
        self._last = 0.0
        self.name: Callable[[str], str] | None = None

    def play(self, record: Record) -> None:
        """Play one record. Raises RecordError where it can't be one of these wires."""
        if isinstance(record, Steps):
            for t in record.at:
                if not self._last <= t <= record.t:
                    raise RecordError("time runs backwards within a record")
                self._last = t
                self._wires.step(t)
            return
        self._last = record.t
        if isinstance(record, Pressed):
            self._wires.pressed(record.press, record.t)
            return
        if not 0 <= record.port < len(self._wirings):
            raise RecordError(f"there is no port {record.port}")
        wiring = self._wirings[record.port]
        line = self._lines[wiring.port]
        match record:
            case Opened():
                line.open_path = record.path
                self._wires.opened(wiring.port, record.t)
            case Closed():
                line.open_path = None
            case Lost():
                line.open_path = None
                self._wires.lost(wiring.port, record.text, record.t)
            case Received():
                data = b"".join(self._bytes(wiring, piece) for piece in record.bytes)
                self._wires.received(wiring.port, data, record.t)
            case Sent():
                pass

    def _bytes(self, wiring: Wiring, piece: str | int) -> bytes:
        noise = bytes((wiring.family.noise,))
        if isinstance(piece, int):
            if not 0 <= piece <= MOST_NOISE:
                raise RecordError(f"{piece} bytes of noise")
            return noise * piece
        try:
            raw = bytes.fromhex(piece)
        except ValueError:
            raise RecordError("the bytes of a frame are no hex") from None
        name = self.name
        if name is None:
            return raw
        again = wiring.family.disguise(raw, lambda tag, _: name(tag), len(wiring.zones))
        if isinstance(again, Page):
            again = again.again(again.tags)
        return noise * len(raw) if again is None else again
