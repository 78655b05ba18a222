"""Push buttons on the Raspberry Pi's own header: the only place that knows gpiozero.

A button lies between its pin and ground; the pin's own pull-up holds it up. gpiozero comes with the
extra `gpio` (or `gpio-legacy` for boards and systems that lgpio does not serve), so that a
table without such buttons needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Literal

from firmware_bridge.panel import BoardError

Library = Literal["lgpio", "rpigpio"]

HEADER_PINS = range(28)
"""BCM numbers on the 40-pin header."""


class Header:
    """The header's pins, by their BCM numbers.

    Edges come from gpiozero's own thread. Its debouncing is left off: not every library has it.
    A pin factory that has been set before (`gpiozero.Device.pin_factory`) is kept.
    """

    name = "the GPIO header"
    sample_every_s = 0.25
    """Were an edge to be missed, the level would tell."""

    def __init__(self, library: Library = "lgpio") -> None:
        self._library = library
        self._inputs: dict[int, Any] = {}

    def open(self, pins: Collection[int], changed: Callable[[int, bool], None]) -> None:
        """See Board."""
        try:
            from gpiozero import Device, DigitalInputDevice  # noqa: PLC0415 - an extra
        except ImportError:
            raise BoardError("gpiozero is not installed: install the extra 'gpio'") from None
        try:
            if Device.pin_factory is None:
                Device.pin_factory = _factory(self._library)
            for pin in pins:
                self._inputs[pin] = DigitalInputDevice(pin, pull_up=True)
                self._inputs[pin].when_activated = _teller(changed, pin, True)
                self._inputs[pin].when_deactivated = _teller(changed, pin, False)
        except Exception as error:  # each library below gpiozero raises its own
            self.close()
            raise BoardError(_why_not(self._library, error)) from error

    def read(self) -> dict[int, bool]:
        """See Board."""
        try:
            return {pin: bool(device.is_active) for pin, device in self._inputs.items()}
        except Exception as error:  # as above
            raise BoardError(_why_not(self._library, error)) from error

    def close(self) -> None:
        """See Board."""
        for device in self._inputs.values():
            device.close()
        self._inputs.clear()


def _factory(library: Library) -> object:
    """gpiozero would go on to another library, with only a warning, if the first one failed."""
    if library == "rpigpio":
        from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415 - only on a Pi

        return RPiGPIOFactory()
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only on a Pi

    return LGPIOFactory()


def _teller(changed: Callable[[int, bool], None], pin: int, down: bool) -> Callable[[], None]:
    return lambda: changed(pin, down)


def _why_not(library: str, error: Exception) -> str:
    if isinstance(error, ImportError):
        extra = "gpio" if library == "lgpio" else "gpio-legacy"
        return f"{library} can't be loaded: install the extra '{extra}'"
    if isinstance(error, PermissionError):
        return "the GPIO header may not be opened: is this user in the group gpio?"
    return f"the GPIO header can't be used: {error}"
