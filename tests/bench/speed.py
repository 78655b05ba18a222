"""The engine's time per observation beside PokerKit's per operation, on the same real hands.

The hands are those of `tests/hands/clean`: each log was made from a hand of `config/hands`, which
PokerKit replays from the same file. Both have read their file before the clock starts, which is
the processor's, not the wall's; for the last figures both begin with the file's bytes, and
`cutcard replay` ends with those of its events. PokerKit's operations are all it counts itself,
posted blinds and collected bets included.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from statistics import mean, median

from pokerkit import HandHistory

from controller.contract.observations import Observation, decode
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.replay.command import write_events
from tests.bench.figures import Figure

ROOT = Path(__file__).resolve().parents[2]
SHARE = 0.2
"""Of PokerKit's time per operation: what an observation may take, the median of each."""
MEAN_SHARE = 0.3
REPLAY_SHARE = 0.4

Clock = Callable[[], float]


def files() -> Iterator[tuple[Path, Path]]:
    """Every real hand among the clean logs, and where PokerKit has it from."""
    for log in sorted((ROOT / "tests" / "hands" / "clean").glob("*.jsonl")):
        if not log.stem.startswith("syn_"):
            yield log, ROOT / "config" / "hands" / f"{log.stem.rpartition('-')[0]}.phh"


def real_hands() -> Iterator[tuple[list[Observation], HandHistory]]:
    """They as observations and for PokerKit."""
    for log, source in files():
        with source.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fields that it does not know
            yield [decode(line) for line in log.read_bytes().splitlines()], HandHistory.load(file)


def measure(library: Library, rounds: int, clock: Clock = time.process_time) -> list[Figure]:
    """Every hand is run so many times by both in turn; of each observation and of each hand's
    time per operation the median run counts."""
    ours: list[float] = []
    theirs: list[float] = []
    hands = list(real_hands())
    for log, history in hands:
        runs = [(_engine(library, log, clock), _pokerkit(history, clock)) for _ in range(rounds)]
        ours += [median(times) for times in zip(*(run[0] for run in runs), strict=True)]
        theirs.append(median(run[1] for run in runs))
    engine, pokerkit = median(ours) * 1e6, median(theirs) * 1e6
    return [
        Figure(f"PokerKit, an operation, median over {len(hands)} real hands", pokerkit, "µs"),
        Figure("engine, an observation, median (same hands)", engine, "µs", SHARE * pokerkit),
        Figure("engine ÷ PokerKit", engine / pokerkit, "", SHARE),
        Figure("PokerKit, an operation, mean of these hands", mean(theirs) * 1e6, "µs"),
        Figure("engine, an observation, mean (same hands)", mean(ours) * 1e6, "µs"),
        Figure("engine ÷ PokerKit, means", mean(ours) / mean(theirs), "", MEAN_SHARE),
        *_replayed(library, rounds, clock),
    ]


def _replayed(library: Library, rounds: int, clock: Clock) -> list[Figure]:
    """From file to events, and from file to the hand's end: the mean of all that they count."""
    ours = theirs = 0.0
    observations = operations = 0
    for log, source in files():
        lines, text = log.read_bytes(), source.read_text("utf-8")
        runs = [(_replay(library, lines, clock), _parsed(text, clock)) for _ in range(rounds)]
        ours += median(run[0] for run in runs)
        theirs += median(run[1][0] for run in runs)
        observations += len(lines.splitlines())
        operations += runs[0][1][1]
    replay, pokerkit = ours / observations * 1e6, theirs / operations * 1e6
    return [
        Figure("PokerKit, from the file's text, an operation, mean", pokerkit, "µs"),
        Figure("cutcard replay --json, an observation, mean (same hands)", replay, "µs"),
        Figure("cutcard replay ÷ PokerKit", replay / pokerkit, "", REPLAY_SHARE),
    ]


def _engine(library: Library, log: list[Observation], clock: Clock) -> list[float]:
    """Seconds for each observation of one hand."""
    engine = Engine(library.book)
    times = []
    for observation in log:
        began = clock()
        engine.observe(observation)
        times.append(clock() - began)
    return times


def _pokerkit(history: HandHistory, clock: Clock) -> float:
    """Seconds per operation of one hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = clock()
        *_, state = history
        return (clock() - began) / len(state.operations)


def _replay(library: Library, lines: bytes, clock: Clock) -> float:
    """Seconds for a log."""
    began = clock()
    write_events("-", BytesIO(lines), Engine(library.book), BytesIO(), [])
    return clock() - began


def _parsed(text: str, clock: Clock) -> tuple[float, int]:
    """Seconds for a hand, and its operations."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = clock()
        *_, state = HandHistory.loads(text)
        return clock() - began, len(state.operations)
