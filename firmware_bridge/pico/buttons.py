"""Buttons between their GPIO and ground, debounced: levels and time in, edges out."""

import micropython
from micropython import const

STABLE_US = const(20000)


class Buttons:
    """`pins` are the GPIO numbers by index; `edge(t, button, pressed)` is told of each edge.

    A level that lasts 20 ms counts, and its time is that of the first contact. What ends
    sooner was no press. A button held down at boot is an edge too.
    """

    def __init__(self, pins, edge):
        self._masks = [1 << pin for pin in pins]
        self._edge = edge
        size = len(pins)
        self._pressed = [False] * size
        self._raw = [False] * size
        self._changed = [0] * size  # when the level changed last
        self._first = [-1] * size  # when it first left the settled state

    @micropython.native
    def step(self, levels, now):
        """Take in the levels of all GPIO (bit n: GPIO n) at `now`."""
        for number, mask in enumerate(self._masks):
            down = not levels & mask
            if down != self._raw[number]:
                self._raw[number] = down
                self._changed[number] = now
                if self._first[number] < 0:
                    self._first[number] = now
            elif self._first[number] >= 0 and now - self._changed[number] >= STABLE_US:
                first = self._first[number]
                self._first[number] = -1
                if down != self._pressed[number]:
                    self._pressed[number] = down
                    self._edge(first, number, down)
