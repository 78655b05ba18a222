"""Lamps: what the host asked for, blinking, identifying; dark while the host is silent."""

from micropython import const

SILENT_US = const(3000000)
IDENTIFY_US = const(250000)
IDENTIFY = (0, 0, 64)
DARK = (0, 0, 0)


class Lamps:
    """`show(colours)` lights all lamps, (red, green, blue) each, and is called on change only."""

    def __init__(self, count, show):
        self._asked = [(DARK, 0, 0)] * count  # colour, half period, since
        self._shown = None
        self._show = show
        self._identify_until = -1

    def __len__(self):
        return len(self._asked)

    def set(self, lamp, colour, blink_ms, now):
        """Show a colour from `now` on; with `blink_ms` it is on and off for so long."""
        self._asked[lamp] = (colour, blink_ms * 1000, now)

    def identify(self, seconds, now):
        """Blink all lamps for so long; 0 ends it."""
        self._identify_until = now + seconds * 1000000 if seconds else -1

    def step(self, now, heard):
        """Light what is due at `now`; `heard` is when the host spoke last."""
        colours = tuple([self._colour(asked, now, heard) for asked in self._asked])
        if colours != self._shown:
            self._shown = colours
            self._show(colours)

    def _colour(self, asked, now, heard):
        if now < self._identify_until:
            return DARK if now // IDENTIFY_US & 1 else IDENTIFY
        colour, half, since = asked
        if now - heard > SILENT_US or (half and (now - since) // half & 1):
            return DARK
        return colour
