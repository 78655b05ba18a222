"""Buttons on the table's own pins: gpiozero's mock pins, a fake I²C bus."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.buttons import Header, Library
from firmware_bridge.debounce import Button, Timings
from firmware_bridge.expander import Bus, Mcp23017, open_bus
from firmware_bridge.panel import Board, BoardError, Panel
from firmware_bridge.sensed import Press, Sensed
from tests.waiting import until

gpiozero = pytest.importorskip("gpiozero")
mock = pytest.importorskip("gpiozero.pins.mock")

BUTTONS = (Button(17, 1, "fold"), Button(27, 1, "call", "all-in"), Button(22, 2, "time"))


@pytest.fixture
def pins() -> Iterator[Any]:
    """gpiozero's mock pins, by BCM number."""
    factory = mock.MockFactory()
    gpiozero.Device.pin_factory = factory
    yield factory.pin
    factory.reset()
    gpiozero.Device.pin_factory = None


class Rig:
    def __init__(self, board: Board, buttons: tuple[Button, ...]) -> None:
        self.presses: list[Press] = []
        self.notices: list[str] = []
        self.panel = Panel(board, buttons, clock=time.monotonic, timings=Timings(long=3.0))

    async def until(self, done: Callable[[], bool]) -> None:
        await until(done)

    async def pressed(self, count: int) -> Press:
        await self.until(lambda: len(self.presses) >= count)
        assert len(self.presses) == count
        return self.presses[-1]


def play(
    board: Board,
    buttons: tuple[Button, ...],
    scenario: Callable[[Rig], Coroutine[Any, Any, None]],
    *,
    opens: bool = True,
) -> Rig:
    async def run() -> Rig:
        rig = Rig(board, buttons)
        task = asyncio.create_task(rig.panel.run(rig.presses.append, rig.notices.append))
        try:
            if opens:
                await rig.until(lambda: rig.panel.health().state == "up")
            await scenario(rig)
            assert not task.done()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return rig

    return asyncio.run(run())


def test_bouncing_buttons_on_the_header(pins: Callable[[int], Any]) -> None:
    async def scenario(rig: Rig) -> None:
        pushed = time.monotonic()
        for _ in range(5):
            pins(17).drive_low()
            pins(17).drive_high()
        pins(17).drive_low()
        press = await rig.pressed(1)
        assert (press.seat, press.button) == (1, "fold")
        assert pushed <= press.t <= pushed + 0.05
        pins(17).drive_high()
        pins(27).drive_low()
        await asyncio.sleep(0.2)  # longer than the lock-out
        pins(27).drive_high()
        assert (await rig.pressed(2)).button == "call"
        pins(27).drive_low()
        assert (await rig.pressed(3)).button == "all-in"
        pins(27).drive_high()
        pins(22).drive_low()
        assert (await rig.pressed(4)).seat == 2

    rig = play(Header(), BUTTONS, scenario)
    assert rig.notices == ["the GPIO header is up: 3 buttons"]
    assert rig.panel.counters.losses == 0


def test_an_edge_that_the_driver_lost_is_seen_in_the_level(pins: Callable[[int], Any]) -> None:
    async def scenario(rig: Rig) -> None:
        pins(17).when_changed = None
        pins(17).drive_low()
        assert (await rig.pressed(1)).button == "fold"

    play(Header(), BUTTONS, scenario)


def test_pins_are_given_back_and_can_be_opened_again(pins: Callable[[int], Any]) -> None:
    async def scenario(rig: Rig) -> None:
        pins(17).drive_low()
        await rig.pressed(1)
        pins(17).drive_high()

    header = Header()
    play(header, BUTTONS, scenario)
    play(header, BUTTONS, scenario)
    gpiozero.DigitalInputDevice(17).close()


def test_a_pin_that_something_else_has_is_told_in_plain_words(pins: Callable[[int], Any]) -> None:
    async def scenario(rig: Rig) -> None:
        await rig.until(lambda: bool(rig.notices))
        other.close()
        await rig.until(lambda: rig.panel.health().state == "up")
        pins(17).drive_low()
        await rig.pressed(1)

    other = gpiozero.LED(17)
    rig = play(Header(), BUTTONS, scenario, opens=False)
    assert len(rig.notices) == 2
    assert rig.notices[0].startswith("the GPIO header can't be used: ")
    assert rig.panel.health().text == ""


def test_without_gpiozero_the_table_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)

    async def scenario(rig: Rig) -> None:
        await rig.until(lambda: bool(rig.notices))

    rig = play(Header(), BUTTONS, scenario, opens=False)
    assert rig.notices == ["gpiozero is not installed: install the extra 'gpio'"]
    assert rig.panel.health().text == rig.notices[0]
    assert rig.panel.health().state == "closed"


@pytest.mark.parametrize(("library", "extra"), [("lgpio", "'gpio'"), ("rpigpio", "'gpio-legacy'")])
def test_without_its_library_as_well(
    library: Library, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(BoardError, match=f"{library} can't be loaded: install the extra {extra}"):
        Header(library).open([17], lambda _pin, _down: None)


class Chip:
    """An MCP23017 as its data sheet has it, in bank 0 after power-on; no wire reaches it if not
    `present`."""

    def __init__(self) -> None:
        self.present = True
        self.closed = 0
        self.low: set[int] = set()
        self.power_on()

    def power_on(self) -> None:
        self.registers = [0xFF, 0xFF] + [0] * 20

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        self._reach(i2c_addr)
        self.registers[register] = value

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        self._reach(i2c_addr)
        pulled = self.registers[0x0C] | self.registers[0x0D] << 8
        levels = pulled & ~sum(1 << pin for pin in self.low)
        self.registers[0x12:0x14] = [levels & 0xFF, levels >> 8]
        return self.registers[register : register + length]

    def close(self) -> None:
        self.closed += 1

    def _reach(self, address: int) -> None:
        if not self.present or address != 0x21:
            raise OSError(121, "Remote I/O error")


def expander(chip: Chip) -> Mcp23017:
    return Mcp23017(1, 0x21, lambda _number: chip)


PORTS = (Button(0, 3, "fold"), Button(14, 4, "call"))


def test_buttons_on_an_expander() -> None:
    chip = Chip()

    async def scenario(rig: Rig) -> None:
        chip.low = {0}
        assert (await rig.pressed(1)).seat == 3
        chip.low = {14}
        assert (await rig.pressed(2)).seat == 4

    rig = play(expander(chip), PORTS, scenario)
    assert chip.closed == 1
    assert rig.notices == ["the expander 0x21 on I²C bus 1 is up: 2 buttons"]
    # Pull-ups on every pin that may be an input, the two others outputs (data sheet, 3.5.1).
    assert chip.registers[0x00:0x02] == chip.registers[0x0C:0x0E] == [0x7F, 0x7F]


def test_an_expander_that_is_unplugged_comes_back_without_a_press() -> None:
    chip = Chip()

    async def scenario(rig: Rig) -> None:
        chip.present = False
        await rig.until(lambda: rig.panel.health().state == "closed")
        chip.power_on()
        chip.low = {14}
        chip.present = True
        await rig.until(lambda: rig.panel.health().state == "up")
        await asyncio.sleep(0.1)
        assert rig.presses == []
        chip.low = {0}
        assert (await rig.pressed(1)).seat == 3

    rig = play(expander(chip), PORTS, scenario)
    assert rig.notices[1] == "the expander 0x21 on I²C bus 1 does not answer: is it plugged in?"
    assert rig.panel.counters.losses == 1


def test_a_supply_that_failed_for_a_moment_presses_nothing() -> None:
    chip = Chip()

    async def scenario(rig: Rig) -> None:
        chip.power_on()
        await rig.until(lambda: len(rig.notices) == 3)
        await asyncio.sleep(0.1)
        assert rig.presses == []

    rig = play(expander(chip), PORTS, scenario)
    assert rig.notices[1].endswith("has lost its settings: is its supply loose?")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FileNotFoundError(2, "no"), "/dev/i2c-1 is not there: is I²C enabled?"),
        (PermissionError(13, "no"), "/dev/i2c-1 may not be opened: is this user in the group i2c?"),
    ],
)
def test_a_bus_that_is_not_to_be_had(error: OSError, text: str) -> None:
    def refuse(_number: int) -> Bus:
        raise error

    with pytest.raises(BoardError, match=text.replace("?", r"\?")):
        Mcp23017(1, 0x21, refuse).open([0], lambda _pin, _down: None)


def test_without_smbus2_the_table_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smbus2", None)
    with pytest.raises(BoardError, match="install the extra 'gpio'"):
        open_bus(1)


def test_a_bridge_gives_out_their_presses_in_order_and_tells_how_they_are() -> None:
    chip = Chip()
    out: list[Sensed] = []

    async def run() -> Bridge:
        panel = Panel(expander(chip), PORTS, clock=time.monotonic)
        bridge = Bridge(
            [Wiring("/dev/nothing", ("board",))],
            out.append,
            clock=time.monotonic,
            registered=lambda _tag: True,
            notice=lambda _line: None,
            panels=[panel],
        )
        task = asyncio.create_task(bridge.run())
        await until(lambda: panel.health().state == "up")
        chip.low = {14}
        await until(lambda: out)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return bridge

    bridge = asyncio.run(run())
    [press] = out
    assert isinstance(press, Press)
    assert (press.seat, press.button, press.by) == (4, "call", "seat")
    assert [link.port for link in bridge.health().links] == [
        "/dev/nothing",
        "the expander 0x21 on I²C bus 1",
    ]


def test_a_press_that_two_buttons_say_is_refused() -> None:
    panel = Panel(Header(), BUTTONS, clock=time.monotonic)
    with pytest.raises(ValueError, match="wired twice"):
        Bridge(
            [Wiring("/dev/a", ("board",), ((1, "all-in"),))],
            lambda _value: None,
            clock=time.monotonic,
            registered=lambda _tag: True,
            notice=lambda _line: None,
            panels=[panel],
        )
