"""What a seat's lamp tells its player, as commands of the link."""

from __future__ import annotations

from enum import Enum

from firmware_bridge.link.messages import Lamp


class Signal(Enum):
    """Each can be told from the others without its colour: by whether and how fast it blinks."""

    DARK = (0, 0, 0, 0)
    TURN = (64, 64, 48, 0)
    ATTENTION = (96, 48, 0, 500)
    FLOOR = (128, 0, 0, 150)


def show(lamp: int, signal: Signal) -> Lamp:
    """Return the command that lets a lamp, by its index, show a signal."""
    red, green, blue, blink_ms = signal.value
    return Lamp(lamp, red, green, blue, blink_ms)
