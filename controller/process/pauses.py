"""How long Python itself may hold up a service that answers at once."""

from __future__ import annotations

import gc
import sys

_YOUNG, _MIDDLE, _OLD = 20_000, 50, 100
_TURN_S = 0.0005


def keep_short() -> None:
    """Once, when everything that stays is there.

    A room of a thousand tables holds so much that to look it all through for garbage takes 150 ms,
    every three seconds: that is done a hundred times less often, and never with what is there now.
    Little of what is thrown away needs it. A thread that has work beside the loop gives it up after
    half a millisecond instead of five.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
    sys.setswitchinterval(_TURN_S)
