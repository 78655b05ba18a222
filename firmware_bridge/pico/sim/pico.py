"""A simulated Pico on a pty: the process with the firmware, its board, its watchdog."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path
from random import Random
from typing import Self

from firmware_bridge.pico import FOLDER
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.air import Air
from firmware_bridge.pico.sim.board import POWER, WATCHDOG, Board, BoardError
from firmware_bridge.pico.sim.pace import Pace, SteppedClock
from firmware_bridge.pico.sim.pn532 import Pn532Chip
from firmware_bridge.pico.sim.pn5180 import Trouble

FIRMWARE = FOLDER
DOUBLES = Path(__file__).parent / "micropython"
HEAP = "192k"
"""What a Pico has left for Python, and here every object is twice the size."""
PRESS_S = 0.08
BOUNCE_S = 0.004
FIRST_TICKS = (1 << 30) - 1_500_000


def interpreter() -> str | None:
    """Return the path of MicroPython's unix port, None if it is not installed."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.exists() else shutil.which("micropython")


class SimulatedPico:
    """A Pico that runs from `with` to its end; `port` is to be opened like a serial port.

    `wiring_file` says what is soldered, and what the firmware believes unless `believed`
    says otherwise. With `link`, the port is that symbolic link. `firmware` is the folder with
    main.py. `ticks` is where the tick counter starts, `seed` makes the chips' noise
    repeatable, `watchdog_scale` below 1 makes the watchdog less patient. `crashes` are
    the last words of firmware that ended by itself, and what the board objected to. `beside` is
    a Pico that this one shares the air with: its zones are numbered on from the other's, and the
    two meet at the borders of their wirings, one by one, whose wires are crossed. With a `pace`
    it runs in simulated time (see pace.py), without one in that of this computer.
    """

    def __init__(
        self,
        wiring_file: Path = wiring.SHIPPED,
        *,
        link: Path | None = None,
        believed: Path | None = None,
        firmware: Path = FIRMWARE,
        ticks: int = FIRST_TICKS,
        seed: int = 0,
        watchdog_scale: float = 1.0,
        beside: SimulatedPico | None = None,
        pace: Pace | None = None,
    ) -> None:
        if pace is not None and beside is not None:
            raise ValueError("two Picos in simulated time have no clock in common")
        found = interpreter()
        if found is None:
            raise FileNotFoundError("micropython (its unix port) is not installed")
        noise = Random(seed)  # noqa: S311 - repeatable, and no secret
        self.board: Board = Board(
            wiring.load(wiring_file),
            noise,
            watchdog_scale,
            seed % 256,
            None if beside is None else beside.board,
            SteppedClock() if pace else time.monotonic,
        )
        self._pace = pace.environment() if pace else {}
        self.boots = 0
        self.crashes: list[str] = []
        self.frozen = False
        self._command = [found, "-X", f"heapsize={HEAP}", "-c", "import main"]
        self._believed = believed or wiring_file
        self._firmware = firmware
        self._link = link
        self._ticks = ticks
        self._ending = threading.Event()
        self._power_cycle = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated Pico", daemon=True)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._device, self._host = os.openpty()
        tty.setraw(self._host)
        os.set_blocking(self._device, False)
        self.port = os.ttyname(self._host)
        if self._link is not None:
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(self.port)
            self.port = str(self._link)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()
        for end in (self._device, self._host):
            os.close(end)
        if self._link is not None:
            self._link.unlink(missing_ok=True)

    # --- what can be done to it ---------------------------------------------------------------

    @property
    def air(self) -> Air:
        """The antennas and what lies on them."""
        return self.board.air

    def press(self, button: int, *, bounces: int = 0, hold: float = PRESS_S) -> None:
        """Press and release a button; its contact opens `bounces` times each way."""
        moves: list[tuple[float, bool]] = []
        for begin, closed in ((0.0, True), (hold, False)):
            for bounce in range(bounces):
                at = begin + 2 * bounce * BOUNCE_S
                moves += [(at, closed), (at + BOUNCE_S, not closed)]
            moves.append((begin + 2 * bounces * BOUNCE_S, closed))
        self.board.touch(button, *moves)

    def hang(self, reader: int, trouble: Trouble = Trouble.BUSY, *, heals: bool = True) -> None:
        """Let a reader fail; unless it `heals`, a reset does not help."""
        chip = self.board.chips[reader]
        chip.heals = heals
        if isinstance(chip, Pn532Chip):
            chip.hangs = trouble is not Trouble.NONE
        else:
            chip.trouble = trouble

    def reboot(self) -> None:
        """Take the power away for a moment."""
        self._power_cycle.set()

    def minds_ctrl_c(self) -> bool:
        """Whether Ctrl-C would interrupt the firmware (it catches SIGINT, by Linux's account)."""
        if self._process is None:
            return False
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        return bool(caught >> signal.SIGINT - 1 & 1)

    # --- the thread that is the board ---------------------------------------------------------

    def _run(self) -> None:
        cause = POWER
        with tempfile.TemporaryDirectory() as folder:
            shutil.copyfile(self._believed, Path(folder) / "wiring.py")
            path = os.pathsep.join((str(DOUBLES), str(self._firmware), ".frozen"))
            while not self._ending.is_set():
                self.board.reset_cause = cause
                self._power_cycle.clear()
                cause = self._boot(folder, path)
        self.board.let_go()

    def _boot(self, folder: str, path: str) -> int:
        """Run the firmware once; return why it has to boot again."""
        self.boots += 1
        self.board.let_go()
        ours, theirs = socket.socketpair()
        with ours:
            environment = {
                "MICROPYPATH": path,
                "PATH": os.environ.get("PATH", ""),
                "CUTCARD_SIM_BOARD": str(theirs.fileno()),
                "CUTCARD_SIM_TICKS": str(self._ticks),
                **self._pace,
            }
            with theirs:
                process = self._process = subprocess.Popen(
                    self._command,
                    stdin=self._device,
                    stdout=self._device,
                    cwd=folder,  # where an import looks first
                    env=environment,
                    pass_fds=[theirs.fileno()],
                )
            try:
                cause = self._serve(ours)
            except BoardError as error:
                cause = None
                self.crashes.append(str(error))
            finally:
                self._process = None
                process.kill()
                process.wait()
            if cause is None:
                self.crashes.append(f"it ended with {process.returncode}")
                cause = self._await_reset()
            return cause

    def _await_reset(self) -> int:
        """A Pico whose main.py has ended waits too; its watchdog, once started, does not."""
        while True:
            if self._ending.wait(0.01) or self._power_cycle.is_set():
                return POWER
            if time.monotonic() > self.board.watchdog_due:
                return WATCHDOG

    def _serve(self, line: socket.socket) -> int | None:
        """Answer the firmware; return a reset's cause, or None if it ended by itself."""
        buffer = bytearray()
        while True:
            if self.frozen:
                time.sleep(0.01)
                readable: list[socket.socket] = []
            else:
                readable, _, _ = select.select([line], [], [], 0.02)
            if self._ending.is_set() or self._power_cycle.is_set():
                return POWER
            if time.monotonic() > self.board.watchdog_due:
                self.frozen = False
                return WATCHDOG
            if not readable:
                continue
            try:
                data = line.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                return None
            buffer += data
            while len(buffer) >= 3:
                operation, size = struct.unpack_from("<BH", buffer)
                if len(buffer) < 3 + size:
                    break
                answer = self.board.request(operation, bytes(buffer[3 : 3 + size]))
                del buffer[: 3 + size]
                if answer:
                    with contextlib.suppress(BrokenPipeError):
                        line.sendall(answer)
