"""`cutcard deck check`: counts a whole deck at the table's antennas and names what is missing."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from contextlib import aclosing
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from controller.contract.cards import CARDS
from controller.install.attended import (
    SILENT_S,
    WAITING,
    Key,
    Place,
    Quiet,
    Waiting,
    antenna,
    attended,
    in_trouble,
)
from controller.install.bench import Bench, open_bench
from controller.install.cards import called, listed, sentence
from controller.install.deck_files import others
from controller.table.config import TableConfig
from controller.table.deck_file import read_deck_file
from firmware_bridge.decks import Count, Counting

LINGER_S = 1.0
"""All 52 have been read: what lies with them is read in so long, too."""
NAMED_FROM = 45
"""With fewer cards read, what is missing may be what people hold: it is counted and not named."""
SHOWN_TAGS = 6
ENDS = ("", "q")


class Counted(Struct, frozen=True, tag_field="kind", tag="count"):
    """How far it is: distinct cards of the deck, of other decks, and foreign ones; and the zones
    where more lie than can be told apart."""

    deck: str
    seen: int
    of: int
    others: int
    foreign: int
    crowded: tuple[str, ...]


class Trouble(Struct, frozen=True, tag_field="kind", tag="trouble"):
    """What is not well with the antennas."""

    text: str


class Result(Count, frozen=True, tag_field="kind", tag="result"):
    """What was read in the end. Of `lacking` cards those in `missing` are named: none where fewer
    than 45 were read."""

    complete: bool = False
    lacking: int = 0


class CheckTeller(Protocol):
    """Tells whoever counts."""

    def begin(self, name: str, of: int) -> None:
        """What is counted."""

    def count(self, counted: Counted) -> None:
        """It has gone on."""

    def trouble(self, trouble: Trouble) -> None:
        """Something is not well."""

    def end(self, result: Result) -> None:
        """It is over."""

    def clear(self) -> None:
        """Nothing half said stays on the terminal."""


class JsonLines:
    """A line of JSON for each count that is new, and one for the result."""

    def begin(self, name: str, of: int) -> None:
        """See Voice."""

    def count(self, counted: Counted) -> None:
        """See Voice."""
        self._say(counted)

    def trouble(self, trouble: Trouble) -> None:
        """See Voice."""
        self._say(trouble)

    def end(self, result: Result) -> None:
        """See Voice."""
        self._say(result)

    def clear(self) -> None:
        """See Voice."""

    def _say(self, said: Struct) -> None:
        sys.stdout.write(msgspec.json.encode(said).decode() + "\n")
        sys.stdout.flush()


class Plain:
    """Tells a person; the count goes up in one line where standard error is a terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()

    def begin(self, name: str, of: int) -> None:
        """See Voice."""
        sys.stdout.write(
            f"{sentence(called(name))}: lay its {of} cards on the "
            "antennas, in packets they can read or all at once. Press "
            "Enter when done.\n"
        )
        sys.stdout.flush()

    def count(self, counted: Counted) -> None:
        """See Voice."""
        if self._shown:
            others = f", {counted.others} of another deck" if counted.others else ""
            foreign = f", {counted.foreign} foreign" if counted.foreign else ""
            crowded = "".join(f"; too many on {antenna(zone)}" for zone in counted.crowded[:1])
            sys.stderr.write(
                f"\r{counted.seen} of {counted.of} cards{others}{foreign}{crowded}\x1b[K"
            )
            sys.stderr.flush()

    def trouble(self, trouble: Trouble) -> None:
        """See Voice."""
        self.clear()
        sys.stdout.write(f"  {trouble.text}\n")
        sys.stdout.flush()

    def end(self, result: Result) -> None:
        """See Voice."""
        self.clear()
        sys.stdout.writelines(f"{line}\n" for line in words(result))
        sys.stdout.flush()

    def clear(self) -> None:
        """See Voice."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


async def check(
    config: TableConfig,
    name: str,
    file: Path,
    *,
    where: Collection[Place],
    seconds: float | None,
    quiet_s: float | None,
    voice: CheckTeller,
    confirmed: bool = False,
) -> int:
    """Counts deck `name` at the places `where` until it is complete, Enter is pressed or the time
    is over; `quiet_s` is how long nothing new may come. Returns 0 when the deck is complete and
    nothing else was read, else 1. Raises ConfigError, BenchError, DatabaseError."""
    counting = Counting(name, read_deck_file(file), others(config, name, file), CARDS)
    zones = sorted({zone for _, zone in where})
    async with open_bench(config, confirmed=confirmed) as bench:
        told = _Told(voice, bench, zones)
        await _count(bench, where, counting, seconds=seconds, quiet_s=quiet_s, told=told)
        count = counting.count
        if count.missing:
            await told.look()
    result = _result(count)
    voice.end(result)
    return 0 if result.complete else 1


def _result(count: Count) -> Result:
    told = msgspec.structs.asdict(count)
    if count.seen < NAMED_FROM:
        told |= {"missing": ()}
    return Result(**told, complete=count.is_complete, lacking=len(count.missing))


class _Told:
    """What was told of the antennas' trouble: nothing twice running."""

    def __init__(self, voice: CheckTeller, bench: Bench, zones: Collection[str]) -> None:
        self.voice = voice
        self._bench = bench
        self._zones = zones
        self._said = ""

    async def look(self, otherwise: str = "") -> None:
        text = await in_trouble(self._bench, self._zones) or otherwise
        if text and text != self._said:
            self.voice.trouble(Trouble(text))
        self._said = text


async def _count(
    bench: Bench,
    where: Collection[Place],
    counting: Counting,
    *,
    seconds: float | None,
    quiet_s: float | None,
    told: _Told,
) -> None:
    began = news = heard = time.monotonic()
    before: Counted | None = None
    crowded: set[str] = set()
    async with aclosing(attended(bench, where)) as moments:
        async for moment in moments:
            match moment:
                case Waiting():
                    await told.look(WAITING)
                    continue
                case Key(key):
                    if key in ENDS:
                        return
                case Quiet():
                    pass
                case scan:
                    heard = time.monotonic()
                    counting.scan(scan.tags)
                    (crowded.discard if scan.complete else crowded.add)(scan.zone)
            now, counted = time.monotonic(), _counted(counting.count, crowded)
            if before is None:
                began = news = heard = now
                told.voice.begin(counted.deck, counted.of)
            if counted != before:
                before, news = counted, now
                told.voice.count(counted)
            if now - heard > SILENT_S:
                heard = now
                await told.look()
            is_whole = counted.seen == counted.of and now - news > LINGER_S
            is_late = seconds is not None and now - began > seconds
            if is_whole or is_late or (quiet_s is not None and now - news > quiet_s):
                return


def words(count: Result) -> list[str]:
    """The result, a line for each thing that is to be known."""
    name = count.deck
    read_others = sum(count.others.values())
    if not count.seen and not count.foreign and len(count.others) == 1:
        return [f"This is {called(next(iter(count.others)))}, not {called(name)}."]
    if not count.seen and not read_others and not count.foreign and not count.spare:
        return ["No card was read."]
    if not count.seen and not count.spare:
        return [f"None of the {read_others + len(count.foreign)} cards belongs to {called(name)}."]
    lines = []
    if count.lacking:
        lines.append(
            f"{sentence(called(name))} is incomplete: {count.seen} of {count.of} cards were read."
        )
        lines.append(
            f"Missing: {listed(count.missing)}."
            if count.missing
            else f"What is missing is named once {NAMED_FROM} have been read."
        )
    elif count.complete:
        lines.append(f"{sentence(called(name))} is complete: {count.of} cards.")
    else:
        lines.append(f"All {count.of} cards of {called(name)} are there, with others among them.")
    lines += [_number(cards, f"of {called(deck)}") for deck, cards in count.others.items()]
    if count.foreign:
        shown = ", ".join(count.foreign[:SHOWN_TAGS])
        more = f" and {len(count.foreign) - SHOWN_TAGS} more"
        tail = more if len(count.foreign) > SHOWN_TAGS else ""
        tags = "Its tag ends" if len(count.foreign) == 1 else "Their tags end"
        lines.append(f"{_number(len(count.foreign), 'foreign')} {tags} in {shown}{tail}.")
    if count.spare:
        jokers = len(count.spare)
        lines.append(f"{jokers} joker{'s'[: jokers != 1]} lie{'s'[: jokers == 1]} with them.")
    return lines


def _number(cards: int, what: str) -> str:
    return f"{cards} card{'s are' if cards != 1 else ' is'} {what}."


def _counted(count: Count, crowded: Collection[str]) -> Counted:
    read_others = sum(count.others.values())
    return Counted(
        count.deck, count.seen, count.of, read_others, len(count.foreign), tuple(sorted(crowded))
    )
