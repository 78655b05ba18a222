"""The command `./run campaign`: everything that can break, breaks while people play."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import SystemRandom

from controller.broker.own import find_mosquitto
from controller.process.arguments import ArgumentParser
from tests.campaign.episode import Outcome, run
from tests.campaign.faults import FAULTS
from tests.campaign.plan import plan
from tests.campaign.report import as_json, line, report
from tests.engine.fuzz import seconds

_HOUR_S = 3_600.0
_LONG_S = 600.0
"""A campaign of this length begins with an episode in which nothing breaks."""


def main(argv: Sequence[str]) -> int:
    """Runs the command; exit status 0 if nothing was lost, 1 if something was, 2 for a mistake."""
    args = _parser().parse_args(argv)
    if find_mosquitto() is None:
        sys.stderr.write("run campaign: mosquitto is not installed\n")
        return 2
    seed = SystemRandom().randrange(2**32) if args.seed is None else args.seed
    again = f"./run campaign --seed {seed}"
    if args.fault is not None:
        again += f" --fault '{args.fault}'"
    outcomes = asyncio.run(
        campaign(seed, args.time, only=args.only, fault=args.fault, keep=args.to)
    )
    sys.stdout.write(as_json(seed, outcomes) if args.json else report(again, outcomes))
    return 1 if any(outcome.failures for outcome in outcomes) else 0


async def campaign(
    seed: int,
    time_s: float,
    *,
    only: int | None = None,
    fault: str | None = None,
    keep: Path | None = None,
) -> list[Outcome]:
    """Runs episodes until the time is over; an episode that was begun is brought to its end. With
    `only` it is this one. SIGINT gives up the one that runs."""
    began = time.monotonic()
    outcomes: list[Outcome] = []
    first = 0 if time_s >= _LONG_S else 1

    def over() -> bool:
        return only is None and time.monotonic() > began + time_s

    async def all_of_them() -> None:
        for number in count(first) if only is None else (only,):
            if over():
                return
            outcome = await run(plan(seed, number, fault=fault), keep=keep, over=over)
            outcomes.append(outcome)
            _say(f"{time.monotonic() - began:6.0f} s  {line(outcome)}")

    running = asyncio.create_task(all_of_them(), name="campaign")
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, running.cancel)
    _say(f"seed {seed}")
    try:
        await running
    except asyncio.CancelledError:
        _say("interrupted")
    finally:
        loop.remove_signal_handler(signal.SIGINT)
    return outcomes


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _parser() -> argparse.ArgumentParser:
    parser = ArgumentParser(
        prog="run campaign",
        description="Kills, stops and starves table, room, screen, broker and wires while people "
        "play who do not wait, until the time is over or Ctrl-C; then says what was lost.",
    )
    parser.add_argument(
        "time",
        nargs="?",
        type=seconds,
        default=_HOUR_S,
        help="such as 30s or 8h (default: 1h)",
    )
    parser.add_argument("--seed", type=int, help="as printed by an earlier run")
    parser.add_argument("--only", type=int, metavar="N", help="only this episode, to its end")
    parser.add_argument(
        "--fault", choices=sorted(FAULTS), metavar="NAME", help="no other fault than this"
    )
    parser.add_argument("--json", action="store_true", help="the report as one line of JSON")
    parser.add_argument(
        "--to",
        type=Path,
        default=Path("campaign"),
        metavar="FOLDER",
        help="where the files of episodes that failed are kept (default: %(default)s/)",
    )
    return parser


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main(sys.argv[1:]))
