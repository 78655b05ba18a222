"""The command `cutcard presence-sim`: a table's presence parameters on a simulated field."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.process.arguments import ArgumentParser
from controller.table.config import TableConfig, load_table_config
from firmware_bridge.trial.antennas import Device
from firmware_bridge.trial.facts import Facts
from firmware_bridge.trial.run import Outcome, Setup, run
from firmware_bridge.trial.score import Delays

READS = 1_000_000
MOST_READS = 1_000_000_000


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0 if every target was reached, 1 if not, 2 for a mistake in what
    was given."""
    args = _parser().parse_args(argv)
    try:
        config = load_table_config(args.config or config_dir() / "table.toml", os.environ)
        setup = _setup(config)
    except ConfigError as error:
        sys.stderr.write(f"cutcard presence-sim: {error}\n")
        return 2
    shown = sys.stderr.isatty()
    try:
        outcome = run(
            setup,
            reads=args.reads,
            seed=args.seed,
            progress=_progress(args.reads) if shown else lambda _: None,
        )
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
    if args.json:
        sys.stdout.write(msgspec.json.encode(outcome).decode() + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in report(outcome))
    return 0 if all(target.reached for target in outcome.targets) else 1


def _setup(config: TableConfig) -> Setup:
    """The table's readers, each with the cycle that is set or that its antennas take."""
    wirings = [wiring for wiring in config.wirings() if wiring.zones]
    if not any(zone.startswith(("seat/", "board")) for w in wirings for zone in w.zones):
        raise ConfigError(f"{config.path}: [[port]] zones: cards need a seat or a board to lie on")
    turn_s = Facts().antenna_s
    return Setup(
        devices=tuple(
            Device(w.zones, max((w.cycle_ms or 0) / 1e3, len(w.zones) * turn_s)) for w in wirings
        ),
        neighbours=config.neighbours,
        thresholds=config.thresholds,
        special={zone: w.thresholds for w in wirings if w.thresholds for zone in w.zones},
    )


def _progress(reads: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        sys.stderr.write(f"\r{done:,} of {reads:,} reads ")
        sys.stderr.flush()

    return show


def report(outcome: Outcome) -> list[str]:
    """The outcome as lines of Markdown."""
    hours, minutes = divmod(round(outcome.table_s / 60), 60)
    lines = [
        f"{outcome.reads:,} reads in {outcome.scans:,} scans, {hours} h {minutes} min of play, "
        f"scan cycle {outcome.cycle_s:.2f} s, seed {outcome.seed}.",
        "",
    ]
    lines += _table(
        ("what", "measured", "target, at most", ""),
        [
            (
                target.what,
                _amount(target.measured, target.unit),
                _amount(target.most, target.unit),
                "reached" if target.reached else "MISSED",
            )
            for target in outcome.targets
        ],
    )
    lines += ["", *_table(("delays", "count", "median", "p99", "most"), _delays(outcome)), ""]
    rows = [
        ("departures later than 3 s", f"{outcome.stuck:,}", _per_million(outcome.stuck, outcome))
    ]
    for what, causes in (
        ("false arrivals", outcome.false_arrivals),
        ("false departures", outcome.false_departures),
        ("stays missed", outcome.missed),
    ):
        rows += _causes(what, causes, outcome)
    counters = msgspec.structs.asdict(outcome.counters)
    rows += [
        (f"refused or settled: {name}", f"{count:,}", _per_million(count, outcome))
        for name, count in counters.items()
        if count
    ]
    return lines + _table(("what went wrong", "count", "per million reads"), rows)


def _delays(outcome: Outcome) -> list[tuple[str, ...]]:
    return [
        (what, f"{d.count:,}", *(f"{value:.2f} s" for value in (d.median_s, d.p99_s, d.most_s)))
        for what, d in _named_delays(outcome)
    ]


def _named_delays(outcome: Outcome) -> list[tuple[str, Delays]]:
    return [
        ("a card lies there until it is seen", outcome.arrivals),
        ("a card has left until it is gone", outcome.departures),
        ("a false arrival until it is gone", outcome.stood),
    ]


def _causes(what: str, causes: Mapping[str, int], outcome: Outcome) -> list[tuple[str, str, str]]:
    total = sum(causes.values())
    rows = [(what, f"{total:,}", _per_million(total, outcome))]
    rows += [
        (f"– {cause}", f"{count:,}", _per_million(count, outcome))
        for cause, count in causes.items()
    ]
    return rows


def _per_million(count: int, outcome: Outcome) -> str:
    return f"{count / outcome.reads * 1e6:,.0f}"


def _amount(value: float, unit: str) -> str:
    return f"{value:.2f} {unit}" if unit else f"{value:g}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in (head, *rows)]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard presence-sim",
        description="Tests a table's presence parameters on a simulated antenna field: missed"
        " reads, cross-talk, stacked cards, stalling readers, hands. Prints false arrivals, false"
        " departures and delays; exit status 1 if a target was missed.",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a table's TOML file (default: the example's)"
    )
    parser.add_argument(
        "--reads",
        type=_reads,
        default=READS,
        metavar="N",
        help="how many reads (default: %(default)s, which takes half a minute)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed for the field's randomness (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _reads(text: str) -> int:
    try:
        reads = int(text)
    except ValueError:
        reads = 0
    if not 1 <= reads <= MOST_READS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of reads from 1 to {MOST_READS}"
        )
    return reads
