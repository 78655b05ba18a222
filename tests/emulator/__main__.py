"""`python -m tests.emulator FILE.uf2`: an emulated Pico starts from a UF2 file and says hello.

The emulator is rp2040js, from npm: `npm install --prefix FOLDER rp2040js@1.4.1`, then
`--package FOLDER/node_modules/rp2040js`. It runs the file's own machine code: the second stage,
MicroPython, littlefs, the firmware, USB. Nothing hangs on the emulated pins: readers are reported
as failed. It has no RP2350, so only files for a Pico can be tried.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
import tty
from pathlib import Path

from msgspec import structs

from controller.install.pico.coming_up import has
from firmware_bridge.families import USUAL
from firmware_bridge.flashing.firmware import base
from firmware_bridge.flashing.uf2 import Uf2Error
from firmware_bridge.probe import Answer, as_delivered, who_is_at

SLOWER = 20.0
"""So many times as long as a Pico the emulated one may take for everything."""
BOOT = Path(__file__).with_name("boot.mjs")


def main(arguments: list[str] | None = None) -> int:
    """Return 0 if it said hello, 1 if it did not in time, 2 for a mistake in what was given."""
    parser = argparse.ArgumentParser(prog="python -m tests.emulator", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE.uf2")
    parser.add_argument("--package", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--wait", type=float, default=120.0, metavar="S")
    given = parser.parse_args(arguments)
    try:
        known = base(given.file.read_bytes())
    except (OSError, Uf2Error) as error:
        return _say(f"{given.file}: {error}", 2)
    if known.chip.board != "RPI_PICO":
        return _say(f"{given.file}: it is for a {known.chip.called}, which is not emulated", 2)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    command = ["node", str(BOOT), str(given.package), str(given.file)]
    try:
        with subprocess.Popen(command, stdin=ours, stdout=ours) as process:
            try:
                said = asyncio.run(_hello(os.ttyname(theirs), given.wait))
            finally:
                process.kill()
    finally:
        os.close(ours)
        os.close(theirs)
    if not isinstance(said, Answer):
        return _say(f"nobody said hello within {given.wait:g} s", 1)
    return _say(f"MicroPython {known.info.version}, {said.firmware}: {has(said)}, id {said.id}", 0)


async def _hello(port: str, wait_s: float) -> object:
    """What the board says of itself; the session's patience is stretched as its time is."""
    patient = as_delivered(structs.replace(USUAL, answers_within_s=wait_s))
    return await who_is_at(port, (patient,), clock=lambda: time.monotonic() / SLOWER)


def _say(text: str, status: int) -> int:
    sys.stderr.write(text + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
