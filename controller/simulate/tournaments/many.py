"""Many tournaments one after the other, and what they have shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from controller.room.acts import ActError
from controller.rules.rulebook import RuleBook
from controller.simulate.tournaments.course import Course, Tally
from controller.simulate.tournaments.plan import plan
from controller.simulate.tournaments.referee import BrokenError


class Fault(Struct, frozen=True):
    """What was not as it has to be, and how it is repeated: with this seed, one run, after so many
    hands."""

    book: str
    seed: int
    players: int
    hand: int
    what: str


class Summary(Struct, frozen=True):
    """So many runs with so many entries, in so many seconds; `stopped` before all were done."""

    runs: int = 0
    entries: int = 0
    seconds: float = 0.0
    tally: Tally = msgspec.field(default_factory=Tally)
    faults: tuple[Fault, ...] = ()
    stopped: bool = False

    @property
    def is_right(self) -> bool:
        """Whether everything was as it has to be."""
        return not self.faults


class Asked(Struct, frozen=True):
    """These books in turn, so many `runs` in all or for so many `seconds`, with the seeds from
    `seed` on."""

    books: tuple[str, ...]
    players: int
    seed: int
    runs: int | None = None
    seconds: float | None = None


def play(asked: Asked, book: Callable[[str], RuleBook], show: Callable[[Summary], None]) -> Summary:
    """Plays them. Ctrl-C ends it with what was done so far."""
    began, done = monotonic(), Summary()
    try:
        for name, seed in _each(asked):
            late = asked.seconds is not None and monotonic() - began >= asked.seconds
            if done.runs and (late or done.runs == asked.runs):
                break
            done = replace(_played(done, book(name), seed, asked), seconds=monotonic() - began)
            show(done)
    except KeyboardInterrupt:
        done = replace(done, seconds=monotonic() - began, stopped=True)
    return done


def _each(asked: Asked) -> Iterator[tuple[str, int]]:
    """Every book has each seed."""
    seed = asked.seed
    while True:
        for name in asked.books:
            yield name, seed
        seed += 1


def _played(done: Summary, book: RuleBook, seed: int, asked: Asked) -> Summary:
    course = Course(plan(book.id, seed, asked.players), book)
    faults = done.faults
    try:
        course.play()
    except (BrokenError, ActError) as error:  # or the room refuses what has to be possible
        hand = course.tally.hands
        faults = (*faults, Fault(book.id, seed, asked.players, hand, str(error)))
    before, now = asdict(done.tally), asdict(course.tally)
    tally = Tally(**{name: before[name] + count for name, count in now.items()})
    entries = done.entries + course.desk.register.entries
    return replace(done, runs=done.runs + 1, entries=entries, tally=tally, faults=faults)


_WORDS: Mapping[str, str] = {
    "hands": "hands",
    "outs": "players out",
    "moves": "moves",
    "breaks": "tables broken",
    "redraws": "redraws of all seats",
    "halts": "tables halted",
    "waived": "of these let play on",
    "late": "late entries",
    "bought": "purchases",
    "penalties": "penalties",
    "deals": "deals",
    "races": "chip races",
    "rounds": "rounds hand for hand",
}


def in_a_line(done: Summary) -> str:
    """How far it is."""
    return (
        f"{done.runs:,} tournaments, {done.tally.hands:,} hands, {len(done.faults)} faults, "
        f"{done.seconds:.0f} s"
    )


def as_text(done: Summary) -> str:
    """The report for people."""
    lines = [
        f"{done.runs:,} tournaments, {done.entries:,} entries, {done.seconds:.1f} s"
        + (", stopped" if done.stopped else "")
    ]
    lines += [f"  {count:>10,} {_WORDS[name]}" for name, count in asdict(done.tally).items()]
    lines += _faults(done.faults)
    return "\n".join(lines) + "\n"


def _faults(faults: Sequence[Fault]) -> Iterator[str]:
    yield f"{len(faults)} faults" if faults else "no faults"
    for one in faults:
        yield f"  {one.book}, seed {one.seed}, hand {one.hand}: {one.what}"
        yield (
            f"    cutcard simulate --tournament --book {one.book} --players {one.players} "
            f"--seed {one.seed} --runs 1"
        )


def as_json(done: Summary) -> dict[str, Any]:
    """The report for programs."""
    return {
        "runs": done.runs,
        "entries": done.entries,
        "seconds": round(done.seconds, 3),
        **asdict(done.tally),
        "stopped": done.stopped,
        "faults": [asdict(one) for one in done.faults],
    }
