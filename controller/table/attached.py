"""Readers and buttons that are attached directly: from what `table.toml` says to wires."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import TypeVar, get_args

from msgspec import Struct

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.table.sections import GpioButton, GpioSettings, PortSettings
from firmware_bridge.buttons import HEADER_PINS, Header, Library
from firmware_bridge.debounce import Button, Timings
from firmware_bridge.expander import ADDRESSES, OUTPUTS_ONLY, PINS, Mcp23017
from firmware_bridge.families import FAMILIES
from firmware_bridge.family import ANY_ADDRESS, Family, Parity
from firmware_bridge.panel import Board, Panel
from firmware_bridge.sensed import SeatButton

LABELS: tuple[SeatButton, ...] = get_args(SeatButton)
PARITIES: tuple[Parity, ...] = get_args(Parity)
LIBRARIES: tuple[Library, ...] = get_args(Library)

T = TypeVar("T", bound=str)


class Line(Struct, frozen=True):
    """How one port is spoken to."""

    family: Family
    baud: int
    parity: Parity
    address: int


class PanelWiring(Struct, frozen=True):
    """The buttons of the header or, with its address, of an expander."""

    buttons: tuple[Button, ...]
    timings: Timings
    expander: int | None = None
    bus: int = 1
    library: Library = "lgpio"

    @property
    def presses(self) -> tuple[tuple[int, SeatButton], ...]:
        """What its buttons say: (seat, label)."""
        return tuple(
            (button.seat, label)
            for button in self.buttons
            for label in (button.press, button.long)
            if label is not None
        )


def line(where: str, port: PortSettings) -> Line:
    """How a port is spoken to, with the defaults of its reader. Raises ConfigError."""
    name = _one_of(f"{where} reader", "reader", port.reader, list(FAMILIES))
    family = FAMILIES[name]
    parity = family.parity
    if port.parity is not None:
        parity = _one_of(f"{where} parity", "parity", port.parity, PARITIES)
    if port.buttons and not family.is_board:
        raise ConfigError(f"{where} buttons: a {name} has none")
    if port.lamps and not family.is_board:
        raise ConfigError(f"{where} lamps: a {name} has none")
    most = family.most_zones
    if not port.zones and not family.is_board:
        raise ConfigError(f"{where} zones: a {name} has at least one")
    if len(port.zones) > most:
        raise ConfigError(f"{where} zones: {len(port.zones)}, but a {name} has at most {most}")
    if port.address != ANY_ADDRESS and not family.has_address:
        raise ConfigError(f"{where} address: a {name} has none")
    if not family.is_board and (port.id or port.cycle_ms is not None):
        key = "id" if port.id else "cycle_ms"
        raise ConfigError(f"{where} {key}: a {name} has none")
    return Line(family, port.baud or family.baud, parity, port.address)


def panel(where: str, gpio: GpioSettings) -> PanelWiring:
    """The buttons of one board. Raises ConfigError."""
    if gpio.expander is not None and gpio.expander not in ADDRESSES:
        raise ConfigError(
            f"{where} expander: {gpio.expander:#04x} is not in {min(ADDRESSES):#x} … "
            f"{max(ADDRESSES):#x}"
        )
    timings = Timings(gpio.stable_ms / 1e3, gpio.lockout_ms / 1e3, gpio.long_ms / 1e3)
    buttons = tuple(
        _button(f"{where} buttons {n}", button, gpio.expander is not None)
        for n, button in enumerate(gpio.buttons, 1)
    )
    pins = [button.pin for button in buttons]
    for written, pin in zip(gpio.buttons, pins, strict=True):
        if pins.count(pin) > 1:
            raise ConfigError(f"{where} buttons: pin {written.pin} is listed twice")
    library = _one_of(f"{where} library", "library", gpio.library, LIBRARIES)
    return PanelWiring(buttons, timings, gpio.expander, gpio.bus, library)


def check_panels(where: str, panels: Sequence[PanelWiring]) -> None:
    """Refuses a board that is there twice. Raises ConfigError."""
    boards = [(each.expander, each.bus if each.expander is not None else 0) for each in panels]
    for address, bus in boards:
        if boards.count((address, bus)) > 1:
            what = "the header" if address is None else f"the expander {address:#x} on bus {bus}"
            raise ConfigError(f"{where}: {what} is listed twice")


def make_panels(
    panels: Collection[PanelWiring],
    *,
    clock: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
) -> list[Panel]:
    """The boards' buttons, for the bridge. Nothing is opened yet."""
    made = []
    for each in panels:
        board: Board = Header(each.library)
        if each.expander is not None:
            board = Mcp23017(each.bus, each.expander)
        made.append(Panel(board, each.buttons, clock=clock, sleep=sleep, timings=each.timings))
    return made


def _button(where: str, button: GpioButton, on_expander: bool) -> Button:
    press = _one_of(f"{where} press", "label", button.press, LABELS)
    long = None
    if button.long is not None:
        long = _one_of(f"{where} long", "label", button.long, LABELS)
    return Button(_pin(f"{where} pin", button.pin, on_expander), button.seat, press, long)


def _pin(where: str, pin: int | str, on_expander: bool) -> int:
    if not on_expander:
        if pin not in HEADER_PINS:
            raise ConfigError(f"{where}: {pin!r} is not a BCM number on the header: 0 … 27")
        return int(pin)
    name = _one_of(where, "pin", str(pin), PINS)
    if name in OUTPUTS_ONLY:
        raise ConfigError(f"{where}: {name} can't be an input, as the chip's data sheet says")
    return PINS.index(name)


def _one_of(where: str, what: str, name: str, names: Collection[T]) -> T:
    for known in names:
        if known == name:
            return known
    raise ConfigError(f"{where}: unknown {what} {name[:60]!r}{nearest(name, list(names))}")
