"""The command `./run fuzz`: the property tests for as long as one likes.

Each log that breaks a property is cut down to the lines that matter and kept as a table log,
which `cutcard replay` reads. The same fault is kept once.
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from random import SystemRandom

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from controller.contract.observations import MalformedObservationError
from controller.library.books import Library, open_library
from controller.process.arguments import ArgumentParser
from tests.engine.properties import PROPERTIES, Property
from tests.engine.table_logs import CONFIG, Line, logs, read

ROUND = 100
"""Logs a round: how often progress is shown and the seed changes."""
CUTTING_S = 60.0
"""The longest that one log is cut down."""
ENDLESS_S = 3.0
"""Seconds of processor time after which a property that should take a few milliseconds is taken
to hang."""
ROOT = CONFIG.parent

soak = settings(
    max_examples=ROUND,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Fault(msgspec.Struct, frozen=True):
    """How a property fails, and the log with which it does. Two with the same `what` are one."""

    holds: Property
    what: str
    lines: list[Line]


def _no_end(*_: object) -> None:
    raise TimeoutError


def try_out(library: Library, holds: Property, lines: list[Line]) -> str | None:
    """Tries one log; returns what is wrong, and where, if anything is."""
    before = signal.signal(signal.SIGVTALRM, _no_end)
    signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS_S)
    try:
        holds(library, read(lines))
    except MalformedObservationError:
        raise  # the generator's fault
    except TimeoutError:
        return f"there is no end to it within {ENDLESS_S:g} s"
    except Exception as error:  # any is a fault here
        frames = traceback.extract_tb(error.__traceback__)
        ours = next(f for f in reversed(frames) if Path(f.filename).is_relative_to(ROOT))
        where = f"{Path(ours.filename).relative_to(ROOT)}:{ours.lineno}"
        return f"{type(error).__name__} {where}: {ours.line}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
    return None


def cut_down(
    lines: list[Line], fails: Callable[[list[Line]], bool], over: Callable[[], bool] = lambda: False
) -> list[Line]:
    """The log without the lines that don't matter; the table record stays. Ends early once
    `over`."""
    end = time.monotonic() + CUTTING_S

    def late() -> bool:
        return over() or time.monotonic() >= end

    size = len(lines) // 2
    while size:
        at, shorter = 1, False
        while at < len(lines) and not late():
            tried = lines[:at] + lines[at + size :]
            if fails(tried):
                lines, shorter = tried, True
            else:
                at += size
        if not shorter or late():
            size //= 2
    return lines


class Soak:
    """Tries logs, round by round, and keeps the faults."""

    def __init__(self, folder: Path, over: Callable[[], bool] = lambda: False) -> None:
        """Logs that fail are written to `folder`; nothing is begun once it is `over`."""
        self.tried = 0
        self.faults: dict[str, Fault] = {}
        self._folder = folder
        self._over = over
        self._library = open_library(CONFIG)

    def round(self, seed: int) -> None:
        """Tries `ROUND` logs, fewer if it is over."""

        @seeded(seed)
        @soak
        @given(lines=logs)
        def check(lines: list[Line]) -> None:
            if not self._over():
                self._try(lines)

        check()

    def _try(self, lines: list[Line]) -> None:
        self.tried += 1
        for holds in PROPERTIES:
            what = try_out(self._library, holds, lines)
            if what is not None and what not in self.faults:
                self._keep(Fault(holds, what, self._cut_down(holds, what, lines)))

    def _cut_down(self, holds: Property, what: str, lines: list[Line]) -> list[Line]:
        return cut_down(lines, lambda less: try_out(self._library, holds, less) == what, self._over)

    def _keep(self, fault: Fault) -> None:
        self.faults[fault.what] = fault
        self._folder.mkdir(parents=True, exist_ok=True)
        number = len(self.faults)
        path = self._folder / f"{number:02}-{fault.holds.__name__.replace('_', '-')}.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in fault.lines))
        doc = " ".join((fault.holds.__doc__ or "").split())
        sys.stdout.write(f"\nBROKEN: {doc}\n  {fault.what}\n  {len(fault.lines)} lines: {path}\n")
        sys.stdout.flush()


def seconds(text: str) -> float:
    """`90`, `90s`, `15m` or `2h`."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1)
    value = float(number) * unit
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def main(argv: Sequence[str]) -> int:
    """Runs the command; exit status 0 if every property held, 1 if not."""
    parser = ArgumentParser(
        prog="run fuzz",
        description="Tries the engine with random and disturbed table logs until the time is over"
        " or Ctrl-C, and keeps what breaks it as logs for `cutcard replay`.",
    )
    parser.add_argument(
        "time", nargs="?", type=seconds, default=60.0, help="such as 90, 15m or 8h (default: 60 s)"
    )
    parser.add_argument("--seed", type=int, help="as printed by an earlier run")
    parser.add_argument(
        "--to", type=Path, default=Path("fuzz"), metavar="FOLDER", help="default: %(default)s/"
    )
    args = parser.parse_args(argv)
    seed = SystemRandom().randrange(2**32) if args.seed is None else args.seed
    began = said = time.monotonic()
    every, end = (1.0, "\r") if sys.stdout.isatty() else (60.0, "\n")
    interrupted = False

    # An exception would be dropped where it strikes in a callback of the garbage collector.
    def interrupt(*_: object) -> None:
        nonlocal interrupted
        interrupted = True

    def over() -> bool:
        return interrupted or time.monotonic() >= began + args.time

    soak = Soak(args.to, over)
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        sys.stdout.write(f"seed {seed}\n")
        sys.stdout.flush()
        while not over():
            soak.round(seed)
            seed += 1
            if time.monotonic() >= said + every:
                said = time.monotonic()
                _say(soak, began, end)
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupted:
        sys.stdout.write("\ninterrupted\n")
    _say(soak, began, "\n")
    return 1 if soak.faults else 0


def _say(soak: Soak, began: float, end: str) -> None:
    faults = "no fault" if not soak.faults else f"faults: {len(soak.faults)}"
    sys.stdout.write(f"{time.monotonic() - began:.0f} s, {soak.tried} logs, {faults}{end}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
