"""`python try_wiring.py FIRMWARE WIRING`: does the firmware start with this wiring?

Run by itself, in a process of its own: the firmware in that folder is set up as on a Pico, up to
its endless loop, with stand-ins for MicroPython's modules that take anything and do nothing. What
it objects to (`wiring_check`, a GPIO that is used twice) is printed as `KIND: words`, and so is
whatever else goes wrong.
"""

from __future__ import annotations

import builtins
import runpy
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import TypeVar

T = TypeVar("T")


class Anything:
    """A pin, a bus, a constant: it can be made, called and asked for more of the kind."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __call__(self, *_: object, **__: object) -> Anything:
        """Something."""
        return Anything()

    def __getattr__(self, name: str) -> Anything:
        return Anything()


class StandIn(ModuleType):
    """A module in which there is anything."""

    def __getattr__(self, name: str) -> Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


def itself(thing: T, *_: object) -> T:
    """Return what is given: a constant, a function."""
    return thing


def main(folder: str, wiring: str) -> None:
    """Set the firmware up with that wiring."""
    stand_ins = {name: StandIn(name) for name in ("machine", "micropython", "rp2")}
    machine, micropython, rp2 = (vars(module) for module in stand_ins.values())
    machine["unique_id"] = lambda: bytes(8)
    machine["reset_cause"] = lambda: 0
    micropython.update(dict.fromkeys(("const", "native", "viper", "asm_thumb"), itself))
    rp2["asm_pio"] = lambda **_: itself
    sys.modules.update(stand_ins)
    vars(builtins).update(dict.fromkeys(("ptr", "ptr8", "ptr16", "ptr32", "uint"), int))
    for name in ("ticks_us", "ticks_ms", "ticks_diff", "ticks_add"):
        setattr(time, name, lambda *_: 0)
    for name in ("sleep_us", "sleep_ms"):
        setattr(time, name, lambda _: None)
    sys.path.insert(0, folder)
    import device  # type: ignore[import-not-found] # noqa: PLC0415 - the firmware's
    import hal  # type: ignore[import-not-found] # noqa: PLC0415

    board = hal.Board()
    board.wants_repl()  # takes its GPIO, as main.py does
    wired = SimpleNamespace(**runpy.run_path(wiring))
    device.Device(board, wired, Anything(), hal.ticks_us, hal.ticks_diff)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
