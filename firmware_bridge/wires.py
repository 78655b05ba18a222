"""From bytes and times to sensed values: which device is where, what it says and is told. No I/O.

Whoever owns the ports calls `opened`, `received`, `lost` and `step`, and `pressed` for buttons
that hang elsewhere; values are given out in the order of `t`, which never decreases (see
`sequence`). The same calls at the same times give the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct, structs

from firmware_bridge.attached import Attached, Port
from firmware_bridge.attention import Attended, Attention
from firmware_bridge.health import BridgeCounters, BridgeHealth
from firmware_bridge.link.messages import Command, Hello, Identify
from firmware_bridge.link.session import State
from firmware_bridge.link.values import (
    ButtonEdge,
    Done,
    EdgesLost,
    Lost,
    Stranger,
    Up,
    Value,
    VersionMismatch,
    ZoneScan,
)
from firmware_bridge.listening import Listener
from firmware_bridge.presence import Output, Presence, Thresholds, rows
from firmware_bridge.seat_lamps import Signal, show
from firmware_bridge.sensed import Edge, Press, Reader, SeatButton, Sensed
from firmware_bridge.sequence import Repeatable, Sequence, Timed
from firmware_bridge.taps import Tap
from firmware_bridge.tracks import ZoneState
from firmware_bridge.wiring import PUCK, Wiring

POLL_EVERY_S = 0.05
ANSWERS_WITHIN_S = 1.2
"""A device that is asked who it is answers in so long; else it is looked for elsewhere."""
FIRST_CYCLE_S = 0.12
LONGEST_CYCLE_S = 1.0


class Elsewhere(Protocol):
    """Where else a device may be (see `search`)."""

    def refuse(self, link: str, path: str, *, silent: bool = False) -> None:
        """The link's device is not there; if it was merely `silent`, it may be later."""

    def elsewhere(self, link: str, device: str) -> str | None:
        """Return another port where the device may be."""


class Standing(Struct, frozen=True):
    """How wires stand that run: the times of the last Tick and of what was given out last, how
    each place has been read, and how they have kept up. None where nobody knows."""

    ticked: float | None = None
    given: float | None = None
    states: Mapping[str, ZoneState] = {}
    attended: Attended | None = None


class Wires:
    """All devices of one table.

    `make_port` gives the port of a wiring. `emit` gets every sensed value, `notice` one line in
    plain words whenever a link's state changes. `now` and all other times are seconds on one
    monotonic scale. `neighbours` defaults to the numbered rows of the zones. With `tick_every`, a
    Tick comes that often, in order with everything else. `buttons` are those that hang elsewhere.
    `taps` hear every scan and every press as it comes, `listeners` the bytes. Where the time runs
    `speed` times as fast as the host's own, links and presses may be so much later. A press that a
    device has kept while this process stood still counts, and so does one that was not stale then;
    before the start that was since `asleep_since`.

    A press of which a device tells again until it is kept goes to `press`, if that is given, and
    not to `emit`; then `keep` is due. Whose edge's name is `had` is kept already.

    Raises ValueError if two wirings name the same port, zone, button or lamp.
    """

    def __init__(
        self,
        wirings: Collection[Wiring],
        emit: Callable[[Sensed], None],
        *,
        now: float,
        make_port: Callable[[Wiring], Port],
        search: Elsewhere,
        registered: Callable[[str], bool],
        notice: Callable[[str], None],
        neighbours: Mapping[str, frozenset[str]] | None = None,
        thresholds: Thresholds | None = None,
        tick_every: float | None = None,
        speed: float = 1.0,
        buttons: Collection[tuple[int, SeatButton]] = (),
        asleep_since: float | None = None,
        press: Callable[[Press, Edge], None] | None = None,
        had: Container[str] = frozenset(),
    ) -> None:
        zones = [place for wiring in wirings for place in wiring.places]
        _refuse_doubles("port", [wiring.port for wiring in wirings])
        _refuse_doubles("zone", zones)
        _refuse_doubles("lamp of seat", [seat for wiring in wirings for seat in wiring.lamps])
        wired = [button for wiring in wirings for button in wiring.buttons]
        _refuse_doubles("button", [*wired, *buttons])
        self._emit = emit
        self._on_press = press
        self._had = had
        self._notice = notice
        self._search = search
        self._tick_every = tick_every
        self._presence = Presence(
            zones,
            start=now,
            neighbours=rows(zones) if neighbours is None else neighbours,
            registered=registered,
            thresholds=thresholds,
            special={
                place: wiring.thresholds
                for wiring in wirings
                if wiring.thresholds
                for place in wiring.places
            },
        )
        late = max(1.0, speed)
        self._attention = Attention(now, asleep_since, late)
        self._links = {w.port: self._make_link(w, make_port(w), now, late) for w in wirings}
        self.step_s = min(
            (link.driver.step_s for link in self._links.values()), default=POLL_EVERY_S
        )
        """How often `step` has to be called, in seconds."""
        self._sequence = Sequence(now)
        self.taps: list[Tap] = []
        self._listeners: list[Listener] = []
        self._ticked = now
        """When the last Tick was due."""
        self._counts = dict.fromkeys(("stale_presses", "unmapped", "incomplete", "failed"), 0)

    @property
    def now(self) -> float:
        """The time of what happened last."""
        return self._attention.now

    # --- what happens ---

    def opened(self, port: str, now: float) -> None:
        """The port is open: its device is asked who it is."""
        self._attention.goes_on(now)
        link = self._links[port]
        if link.port.open_path == port:
            link.text = f"{port} is open, no device has answered yet"
        self._begin(link, now)

    def received(self, port: str, data: bytes, now: float) -> None:
        """These bytes came."""
        self._attention.goes_on(now)
        self._pump(self._links[port], data, now, something_came=True)

    def lost(self, port: str, text: str, now: float) -> None:
        """The port is gone, or could not be opened; `text` says why."""
        self._attention.goes_on(now)
        link = self._links[port]
        self._tell(link, now)
        for listener in self._listeners:
            listener.lost(port, text, now)
        link.text = text
        self._notice(text)
        self._take(link, link.driver.dropped(now, text), now)
        self._release(now)

    def step(self, now: float) -> None:
        """Time passed. A step that comes late tells nobody of that: what the devices have said
        meanwhile is read first, and the next step says who was silent."""
        self._attention.steps(now)
        for link in self._links.values():
            if link.port.is_open:
                self._pump(link, b"", now)
                self._look_elsewhere(link, now)
        if self._attention.keeps_up(now):
            self._push(self._presence.check(now))
            self._release(now)
            self._tick(now)
        for listener in self._listeners:
            listener.stepped(now)

    def pressed(self, press: Press, now: float) -> None:
        """A button that hangs elsewhere was pressed."""
        self._attention.goes_on(now)
        for listener in self._listeners:
            listener.panel(press, now)
        if self._is_timely(press, now):
            self._sequence.push([press])
        self._release(now)

    # --- who listens in ---

    def listen(self, listener: Listener, now: float) -> None:
        """From now on tell `listener` of everything.

        What is under way on the ports could not be understood from its middle on, so each
        conversation begins anew, as if its port had been opened; no link is lost by that.
        """
        self._attention.goes_on(now)
        if listener not in self._listeners:
            self._listeners.append(listener)
        for link in self._links.values():
            link.driver.listen(link.hear)
            if link.port.is_open:
                self._begin(link, now)

    def unlisten(self, listener: Listener) -> None:
        """Tell it no more."""
        self._listeners.remove(listener)
        if not self._listeners:
            for link in self._links.values():
                link.driver.listen(None)
                link.heard.clear()

    def tracked(self) -> dict[str, dict[str, bool]]:
        """Return what is read in each place, the zones of readers of the puck having one of their
        own: tags, and whether each has arrived."""
        return self._presence.tracked()

    def standing(self) -> Standing:
        """Return how they stand."""
        return Standing(
            self._ticked, self._sequence.given, self._presence.states(), self._attention.attended
        )

    def held(self) -> tuple[Sensed, ...]:
        """Return the values that are known and not given out yet."""
        return tuple(
            value.as_told() if isinstance(value, Repeatable) else value
            for value in self._sequence.held()
        )

    def resume(
        self,
        lying: Mapping[str, Iterable[str]],
        held: Iterable[Sensed],
        now: float,
        standing: Standing,
    ) -> None:
        """Begin as others stood, with these tags in their places, of which nobody is told; only at
        the beginning."""
        if standing.ticked is not None:
            self._ticked = standing.ticked
        if standing.given is not None:
            self._sequence.given = standing.given
        if standing.attended is not None:
            self._attention.resume(standing.attended)
        for place, tags in lying.items():
            self._presence.resume(place, tags, now, standing.states.get(place))
        self._sequence.push(held)

    def finish(self) -> None:
        """Nothing more will come: give out what is held."""
        for value in self._sequence.release(self.now, (), 0.0):
            self._give_out(value)

    # --- what is wanted of the devices ---

    def device(self, port: str) -> str:
        """Return the id of the device that belongs to the port; empty while none is known."""
        return self._links[port].device

    def command(self, port: str, command: Command) -> None:
        """Send a command to the device of `port`; see Bridge."""
        link = self._links[port]
        if isinstance(command, Identify):
            link.driver.command(command)
        else:
            link.orders.want(command)

    def keep(self, edge: Edge) -> None:
        """The press of this edge is kept: its device need not tell of it again."""
        driver = self._links[edge.port].driver
        if driver.hello is not None and driver.hello.boot_id == edge.boot_id:
            driver.keep(edge.number)

    def light(self, signals: Mapping[int, Signal]) -> None:
        """From now on let each seat's lamp show its signal; a seat that is not named is dark."""
        for link in self._links.values():
            for lamp, seat in enumerate(link.wiring.lamps):
                link.orders.want(show(lamp, signals.get(seat, Signal.DARK)))

    # --- how it is ---

    def health(self) -> BridgeHealth:
        """Return how everything is at this moment."""
        return BridgeHealth(
            links=tuple(link.health() for link in self._links.values()),
            lost_zones=tuple(
                zone for zone in self._presence.lost_zones() if not zone.endswith(PUCK)
            ),
            cycle_s=self._cycle(),
            presence=self._presence.counters,
            counters=BridgeCounters(late=self._sequence.late, **self._counts),
            contested=self._presence.contested(),
            incomplete=tuple(_zone(place) for place in self._presence.incomplete()),
            ghosts={_zone(place): count for place, count in self._presence.ghosts().items()},
            card_cycle_s=self.card_cycle_s(),
        )

    def card_cycle_s(self) -> float | None:
        """The slowest scan cycle of the last minute of all devices that read cards, in seconds;
        None where none was measured."""
        cards = (link for link in self._links.values() if not link.wiring.reads_pucks)
        return max((link.cycle_s for link in cards if link.cycle_s is not None), default=None)

    def is_settled(self) -> bool:
        """Whether no tag has been read that would have to be read again to count."""
        return not any(True for _ in self._presence.unconfirmed())

    def is_at_rest(self) -> bool:
        """Whether no tag is coming or leaving."""
        return self._presence.is_at_rest()

    def present(self) -> dict[str, frozenset[str]]:
        """Return what lies in each zone all of whose readers work."""
        by_place = self._presence.present()
        places = [place for link in self._links.values() for place in link.wiring.places]
        blind = {_zone(place) for place in places if place not in by_place}
        present: dict[str, frozenset[str]] = {}
        for place, tags in by_place.items():
            zone = _zone(place)
            if zone not in blind:
                present[zone] = present.get(zone, frozenset()) | tags
        return present

    # --- one device ---

    def _make_link(self, wiring: Wiring, port: Port, now: float, late: float) -> Attached:
        link = Attached(wiring, port, now, lambda hello: self._is_wanted(link, hello), late)
        return link

    def _is_wanted(self, link: Attached, hello: Hello) -> bool:
        """Whether the device that answered is the link's: the one it knows by its id, or a new one
        at the link's own port if the wiring names no id and no other link knows it."""
        device = hello.unique_id.hex().upper()
        if device == link.device:
            return True
        if link.wiring.id or link.port.open_path != link.wiring.port:
            return False
        return all(device != other.device for other in self._links.values())

    def _refuse(self, link: Attached, hello: Hello, now: float) -> None:
        """Another device is there: leave it alone and look elsewhere."""
        path = link.port.open_path
        if path is None:
            return
        self._search.refuse(link.wiring.port, path)
        if path == link.wiring.port:
            device = hello.unique_id.hex().upper()
            link.text = f"{path} is another device, {device}"
            if link.device:
                link.text += f": looking for {link.device} elsewhere"
            self._notice(link.text)
        self._release_port(link, now)

    def _look_elsewhere(self, link: Attached, now: float) -> None:
        """Nobody answers: the device may be at another port."""
        path = link.port.open_path
        if path is None or link.driver.state is not State.HANDSHAKE:
            link.asking_since = now
        elif now - link.asking_since > ANSWERS_WITHIN_S and (
            path != link.wiring.port or self._search.elsewhere(link.wiring.port, link.device)
        ):
            self._search.refuse(link.wiring.port, path, silent=True)
            self._release_port(link, now)

    def _begin(self, link: Attached, now: float) -> None:
        """Ask who is there."""
        self._tell(link, now)
        for listener in self._listeners:
            listener.opened(link.wiring.port, link.port.open_path or link.wiring.port, now)
        link.driver.restart(now)
        link.asking_since = now
        self._pump(link, b"", now)

    def _release_port(self, link: Attached, now: float) -> None:
        link.port.release()
        for listener in self._listeners:
            listener.closed(link.wiring.port, now)

    def _tell(self, link: Attached, now: float, *, something_came: bool = False) -> None:
        """Tell the listeners what has been heard, or that it is not whole yet."""
        if link.heard or something_came:
            for listener in self._listeners:
                listener.received(link.wiring.port, tuple(link.heard), now)
            link.heard.clear()

    def _pump(
        self, link: Attached, data: bytes, now: float, *, something_came: bool = False
    ) -> None:
        """Bytes in, values and answers out."""
        values = link.driver.receive(data, now)
        self._tell(link, now, something_came=something_came)
        self._take(link, values, now)
        self._release(now)
        if link.driver.state is State.UP and (order := link.orders.next()):
            link.driver.command(order)
        answer = link.driver.poll(now)
        if answer:
            link.port.write(answer)
            for listener in self._listeners:
                listener.sent(link.wiring.port, answer, now)

    def _take(self, link: Attached, values: Iterable[Value], now: float) -> None:
        for value in values:
            match value:
                case ZoneScan():
                    self._scan(link, value)
                case ButtonEdge():
                    self._button(link, value, now)
                case Up():
                    self._up(link, value)
                case Lost():
                    if link.port.is_open:
                        link.text = f"{link.wiring.port}: {value.reason}"
                        self._notice(link.text)
                    self._lose(link, value.t)
                case Stranger():
                    self._refuse(link, value.hello, now)
                case VersionMismatch():
                    link.text = f"{link.wiring.port}: {value.text}"
                    self._notice(link.text)
                case EdgesLost():
                    self._notice(f"{link.wiring.port}: {value.count} button edges were lost")
                case Done():
                    link.orders.answered(value)
                    if value.outcome != "ok":
                        name = type(value.command).__name__
                        self._notice(f"{link.wiring.port}: {name} {value.outcome}, {value.text}")

    def _up(self, link: Attached, value: Up) -> None:
        port, path = link.wiring.port, link.port.open_path
        device = value.hello.unique_id.hex().upper()
        if value.rebooted:
            self._lose(link, value.t)
        again = "has rebooted" if value.rebooted and device == link.device else "is up"
        link.device = device
        link.orders.forgotten()
        link.text = link.misfit(value.hello)
        where = "" if path == port else f" at {path}"
        known_by = f", id {device}" if device else ""
        self._notice(link.text or f"{port} {again}{where}: {value.hello.firmware}{known_by}")

    def _lose(self, link: Attached, t: float) -> None:
        for place in link.wiring.places:
            self._push(self._presence.lost(place, t))

    def _scan(self, link: Attached, scan: ZoneScan) -> None:
        if scan.zone >= len(link.wiring.zones):
            self._counts["unmapped"] += 1
            return
        for tap in self.taps:
            tap.scanned(link.wiring.port, link.wiring.zones[scan.zone], scan)
        if scan.failed:
            self._counts["failed"] += 1
            self._presence.failed(link.wiring.places[scan.zone], scan.t)
        else:
            self._counts["incomplete"] += not scan.complete
            place = link.wiring.places[scan.zone]
            self._push(self._presence.scan(place, scan.t, scan.tags, complete=scan.complete))

    def _push(self, values: Iterable[Output]) -> None:
        """A reader of the puck that is lost says nothing about the cards in its zone."""
        self._sequence.push(
            structs.replace(value, zone=_zone(value.zone))
            for value in values
            if not (isinstance(value, Reader) and value.zone.endswith(PUCK))
        )

    def _button(self, link: Attached, value: ButtonEdge, now: float) -> None:
        hello = link.driver.hello
        edge = Edge(link.wiring.port, 0 if hello is None else hello.boot_id, value.number)
        counts = value.pressed and edge.name not in self._had
        if value.button >= len(link.wiring.buttons):
            self._counts["unmapped"] += 1
        elif counts:
            seat, button = link.wiring.buttons[value.button]
            press = Press(value.t, seat, button)
            if self._is_timely(press, now):
                self._sequence.push([Repeatable(press.t, press.seat, press.button, edge)])
                return
        self.keep(edge)

    def _is_timely(self, press: Press, now: float) -> bool:
        if not self._attention.counts(press.t, now):
            self._counts["stale_presses"] += 1
            return False
        for tap in self.taps:
            tap.pressed(press)
        return True

    def _cycle(self) -> float:
        """Return the scan cycle of the slowest device, in seconds, a second at most."""
        cycles = [
            link.driver.cycle_s for link in self._links.values() if link.driver.state is State.UP
        ]
        return min(max(cycles, default=0.0) or FIRST_CYCLE_S, LONGEST_CYCLE_S)

    def _release(self, now: float) -> None:
        if not self._attention.keeps_up(now):
            return  # other ports may have older values
        for value in self._sequence.release(now, self._presence.unconfirmed(), self._cycle()):
            self._give_out(value)

    def _give_out(self, value: Timed) -> None:
        if not isinstance(value, Repeatable):
            self._emit(value)
        elif self._on_press is None:
            self._emit(value.as_told())
            self.keep(value.edge)
        else:
            self._on_press(value.as_told(), value.edge)

    def _tick(self, now: float) -> None:
        if self._tick_every is None or now - self._ticked < self._tick_every:
            return
        tick = self._sequence.tick(now, self._presence.unconfirmed(), self._cycle())
        if tick:
            self._ticked = now
            self._emit(tick)


def _zone(place: str) -> str:
    return place.removesuffix(PUCK)


def _refuse_doubles(what: str, names: list[Any]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{what} {name!r} is wired twice")
