"""`python -m firmware_bridge.pico.sim PTY`: a simulated Pico at a path of your choice."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from msgspec import ValidationError

from firmware_bridge.pico.sim import script, wiring
from firmware_bridge.pico.sim.pico import SimulatedPico, interpreter


def main(arguments: list[str] | None = None) -> int:
    """Run until the script ends or Ctrl-C; return 1 if the firmware did what it must not."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware_bridge.pico.sim",
        description="Runs the Pico's firmware under MicroPython's unix port, with "
        "simulated chips, tags and buttons, and gives it a serial "
        "port.",
        epilog=script.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "pty", type=Path, help="where to put the port: a symbolic link, replaced each time"
    )
    parser.add_argument(
        "--script", type=Path, metavar="FILE", help="a script of what happens on the table"
    )
    parser.add_argument("--wiring", type=Path, metavar="FILE", default=wiring.SHIPPED)
    parser.add_argument(
        "--beside",
        type=Path,
        nargs=2,
        metavar=("PTY", "FILE"),
        help="a second Pico, its port and its wiring; the two meet at their BORDERS",
    )
    given = parser.parse_args(arguments)
    if interpreter() is None:
        return _say("MicroPython's unix port is not installed: ./run test installs it", 2)
    places = [(given.pty, given.wiring)] + ([tuple(given.beside)] if given.beside else [])
    for pty, _ in places:
        if pty.exists() and not pty.is_symlink():
            return _say(f"{pty} already exists and is not a symbolic link", 2)
    try:
        lines = given.script.read_text("utf-8").splitlines() if given.script else ()
        steps = script.parse(lines, str(given.script))
        picos: list[SimulatedPico] = []
        with ExitStack() as running:
            for seed, (pty, file) in enumerate(places):
                beside = picos[0] if picos else None
                pico = SimulatedPico(file, link=pty, seed=seed, beside=beside)
                picos.append(running.enter_context(pico))
                _say(f"the Pico is at {pico.port}")
            _play(picos[0], steps)
    except (script.ScriptError, ValidationError, OSError) as error:
        return _say(str(error), 2)
    air = picos[0].air
    boots = " and ".join(str(pico.boots) for pico in picos)
    _say(f"booted {boots} times, antennas energised {air.energised}")
    for (one, other), times in Counter(air.violations).items():
        _say(f"zones {one} and {other} are neighbours and were energised together: {times} times")
    crashes = [crash for pico in picos for crash in pico.crashes]
    for crash in crashes:
        _say(f"the firmware failed: {crash}")
    return 1 if air.violations or crashes else 0


def _play(pico: SimulatedPico, steps: list[script.Step]) -> None:
    """Do what the script says in its time; without one, or without an end, wait for Ctrl-C."""
    begun = time.monotonic()
    try:
        for step in steps:
            time.sleep(max(begun + step.at - time.monotonic(), 0))
            script.do(step, pico)
            _say(f"{step.at:8.3f} {step.command} {' '.join(step.arguments[:1])}")
            if step.command == "end":
                return
        while True:
            time.sleep(1)
    except KeyboardInterrupt:
        return


def _say(text: str, status: int = 0) -> int:
    sys.stderr.write(text + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
