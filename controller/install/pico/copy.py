"""`cutcard pico copy`: the files one by one with mpremote, where a drive can't be used.

MicroPython has to be on the Pico already, and GPIO 0 at ground if our firmware is, too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from controller.install.pico.boards import Board
from firmware_bridge.flashing.firmware import MAIN, WIRING, sources

PATIENCE_S = 120.0


class CopyError(Exception):
    """mpremote could not do it; says why."""


def copy(board: Board, port: str, say: Callable[[str], None]) -> None:
    """Copy all files, main.py last, and restart the board. Raises CopyError."""
    with tempfile.TemporaryDirectory(prefix="cutcard-pico-") as name:
        folder = Path(name)
        files = {WIRING: board.wiring.encode(), **sources()}
        for each, data in files.items():
            (folder / each).write_bytes(data)
        first = [each for each in files if each != MAIN]
        command = [sys.executable, "-m", "mpremote", "connect", port]
        command += ["fs", "cp", *first, ":", "+", "fs", "cp", MAIN, ":", "+", "reset"]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=PATIENCE_S,
            )
        except subprocess.TimeoutExpired:
            raise CopyError(f"mpremote takes longer than {PATIENCE_S:g} s at {port}") from None
    if done.returncode:
        why = (done.stdout.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise CopyError(f"mpremote at {port}: {why}. Is GPIO 0 at ground, and the service stopped?")
    say(f"{len(files)} files copied; Pico {board.label} starts again")
