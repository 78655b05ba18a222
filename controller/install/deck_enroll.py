"""`cutcard deck enroll`: registers a deck, card by card at an antenna or from a prepared list."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from controller.contract.cards import JOKERS
from controller.files.toml_file import ConfigError
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
    places,
)
from controller.install.bench import Bench, BenchRefusedError, open_bench, open_hand_of
from controller.install.cards import IN_ORDER, called, sentence, spoken
from controller.install.deck_files import finish, is_there, others, part_of, read_so_far, write_deck
from controller.install.prepared import read_prepared
from controller.table.bench import hand_is_open
from controller.table.config import TableConfig
from firmware_bridge.decks import (
    AlreadyEnrolled,
    Crowded,
    Enrolled,
    Enrolment,
    OfAnother,
    OfTable,
    Several,
    Step,
)

BACK = ("", "b")
STOP = "q"


class Began(Struct, frozen=True, tag_field="kind", tag="began"):
    """What is registered, where, and how much of it already is."""

    deck: str
    zone: str
    enrolled: int
    of: int


class Wanted(Struct, frozen=True, tag_field="kind", tag="wanted"):
    """The card to lay down next, the `number`th `of` the deck."""

    card: str
    number: int
    of: int


class TakenBack(Struct, frozen=True, tag_field="kind", tag="back"):
    """A card is registered no longer; None: there was none to take back."""

    card: str | None


class Trouble(Struct, frozen=True, tag_field="kind", tag="trouble"):
    """What is not well with the antenna."""

    text: str


class Stopped(Struct, frozen=True, tag_field="kind", tag="stopped"):
    """What is registered is kept, and the deck is not finished."""

    enrolled: int
    of: int


class Complete(Struct, frozen=True, tag_field="kind", tag="complete"):
    """The deck is registered, in this file; a service that `runs` doesn't know of it yet."""

    deck: str
    cards: int
    jokers: int
    file: str
    runs: bool


Said = Step | Began | Wanted | TakenBack | Trouble | Stopped | Complete


class EnrolTeller(Protocol):
    """Tells whoever enrols what to do next."""

    def tell(self, said: Said) -> None:
        """One step."""


class JsonLines:
    """A line of JSON for each step."""

    def tell(self, said: Said) -> None:
        """See Voice."""
        sys.stdout.write(msgspec.json.encode(said).decode() + "\n")
        sys.stdout.flush()


class Plain:
    """Tells a person, who may hear a terminal's bell and look at the cards alone."""

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self._wanted = ""

    def tell(self, said: Said) -> None:
        """See Voice."""
        if isinstance(said, Wanted):
            self._wanted = spoken(said.card)
        bell = "\a" if isinstance(said, Enrolled) and sys.stdout.isatty() else ""
        sys.stdout.write(f"{self._words(said)}{bell}\n")
        sys.stdout.flush()

    def _words(self, said: Said) -> str:
        match said:
            case Began(deck, zone, enrolled, of):
                kept = f", {enrolled} of them already enrolled" if enrolled else ""
                return (
                    f"{sentence(called(deck))}: {of} cards{kept}, on {antenna(zone)}. "
                    "Enter or b: back one card; q: stop (everything is saved)."
                )
            case Wanted(card, number, of):
                hint = " (none? q, and again with --jokers 0)" if card == JOKERS[0] else ""
                return f"Lay the {spoken(card)} on {antenna(self._zone)} … {number} of {of}{hint}"
            case Enrolled(card):
                return f"  The {spoken(card)} is enrolled."
            case AlreadyEnrolled(card):
                return f"  That is the {spoken(card)}, already enrolled: take it away."
            case OfAnother(deck):
                return f"  That is a card of {called(deck)}: take it away."
            case OfTable(thing):
                return f"  That is not a card but the table's {thing}: take it away."
            case Several(count):
                return f"  There are {count} new cards: take away all but the {self._wanted}."
            case Crowded():
                return f"  The antenna can't tell the cards apart: leave only the {self._wanted}."
            case TakenBack(None):
                return "  There is no card before this one."
            case TakenBack(card):
                return f"  The {spoken(card or '')} is no longer enrolled: take it away."
            case Trouble(text):
                return f"  {text}"
            case Stopped(enrolled, of):
                return (
                    f"Stopped: {enrolled} of {of} are saved; the same command continues from there."
                )
            case Complete(deck, cards, jokers, file, runs):
                more = f" and {jokers} joker{'s'[: jokers != 1]}" if jokers else ""
                then = " The table's service knows it after a restart." if runs else ""
                what = sentence(called(deck))
                return f"{what} is enrolled: {cards} cards{more}, in {file}.{then}"


async def enroll_list(
    config: TableConfig, name: str, file: Path, prepared: Path, *, voice: EnrolTeller
) -> int:
    """Registers deck `name` in `file` from a prepared list; returns 0.

    Raises ConfigError, BenchError, DatabaseError, OSError.
    """
    _refuse_finished(name, file)
    runs, hand = await open_hand_of(config)
    if hand is not None:
        raise BenchRefusedError(hand_is_open(hand))
    deck = read_prepared(prepared, others(config, name, file))
    finish(file, deck)
    voice.tell(_complete(name, deck, file, runs=runs))
    return 0


async def enroll(
    config: TableConfig,
    name: str,
    file: Path,
    *,
    zone: str,
    jokers: int,
    voice: EnrolTeller,
    confirmed: bool = False,
) -> int:
    """Registers deck `name` in `file` card by card; returns 0 when it is complete, 1 when it was
    stopped. Raises ConfigError, BenchError, DatabaseError, OSError."""
    _refuse_finished(name, file)
    cards = (*IN_ORDER, *JOKERS[:jokers])
    elsewhere, so_far = others(config, name, file), read_so_far(file)
    if any(elsewhere.owner(tag) for tag in so_far):
        raise ConfigError(f"{part_of(file)}: a tag in it also belongs to another deck or the table")
    enrolment = Enrolment(cards, elsewhere, {card: tag for tag, card in so_far.items()})
    desk = _Desk(file, enrolment, cards, voice)
    async with open_bench(config, confirmed=confirmed) as bench:
        try:
            if not await desk.attend(bench, name, zone, places(config, zone)):
                return 1
        finally:
            if enrolment.wanted is not None and desk.has_begun:
                voice.tell(desk.stopped())
        finish(file, enrolment.deck)
        voice.tell(_complete(name, enrolment.deck, file, runs=bench.of_service))
    return 0


class _Desk:
    """Where one deck is registered: keeps every card in the part of its file."""

    def __init__(
        self, file: Path, enrolment: Enrolment, cards: Sequence[str], voice: EnrolTeller
    ) -> None:
        self._part = part_of(file)
        self._enrolment = enrolment
        self._cards = cards
        self._voice = voice
        self._trouble = ""
        self.has_begun = False

    async def attend(self, bench: Bench, name: str, zone: str, where: Collection[Place]) -> bool:
        """Until all cards are registered, which is true, or the person stops."""
        heard = time.monotonic()
        t = 0.0
        async with aclosing(attended(bench, where)) as moments:
            async for moment in moments:
                if isinstance(moment, Waiting):
                    await self._silent(bench, zone, WAITING)
                    continue
                if not self.has_begun:
                    heard = time.monotonic()
                    self._begin(name, zone)
                match moment:
                    case Key(key) if key in BACK:
                        self._back()
                    case Key(key) if key == STOP:
                        return False
                    case Key() | Quiet():
                        pass
                    case scan:
                        heard, t = time.monotonic(), scan.t
                        self._trouble = ""
                        self._laid(self._enrolment.scan(t, scan.tags, complete=scan.complete))
                if self._enrolment.is_over(t):
                    return True
                if time.monotonic() - heard > SILENT_S:
                    await self._silent(bench, zone, f"{antenna(zone)} does not answer")
                    heard = time.monotonic()
        return False

    def stopped(self) -> Stopped:
        """How far it has come."""
        return Stopped(len(self._enrolment.deck), len(self._cards))

    def _begin(self, name: str, zone: str) -> None:
        self.has_begun = True
        of = len(self._cards)
        self._voice.tell(Began(name, zone, len(self._enrolment.deck), of))
        self._want()

    def _laid(self, steps: Sequence[Step]) -> None:
        changed = [s for s in steps if isinstance(s, Enrolled) or (_again(s) is not None)]
        if changed:
            write_deck(self._part, self._enrolment.deck)
        for step in steps:
            if _again(step) is not None:
                self._want()
            self._voice.tell(step)
            if isinstance(step, Enrolled):
                self._want()

    def _back(self) -> None:
        card = self._enrolment.back()
        if card is not None:
            write_deck(self._part, self._enrolment.deck)
        self._voice.tell(TakenBack(card))
        self._want()

    def _want(self) -> None:
        wanted = self._enrolment.wanted
        if wanted is not None:
            number = self._cards.index(wanted) + 1
            self._voice.tell(Wanted(wanted, number, len(self._cards)))

    async def _silent(self, bench: Bench, zone: str, otherwise: str) -> None:
        """Says once what is not well with the antenna."""
        text = await in_trouble(bench, [zone]) or otherwise
        if text != self._trouble:
            self._trouble = text
            self._voice.tell(Trouble(text))


def _again(step: Step) -> str | None:
    """The card that is registered no longer, by this step."""
    return step.again if isinstance(step, Several) else None


def _refuse_finished(name: str, file: Path) -> None:
    if is_there(file):
        raise ConfigError(
            f"{file}: {called(name)} is already enrolled; to redo it, move this file away"
        )
    if not is_there(file.parent):
        raise ConfigError(f"{file.parent}: no such folder")
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise ConfigError(f"{file.parent}: not writable: are you running as the service's user?")


def _complete(name: str, deck: dict[str, str], file: Path, *, runs: bool) -> Complete:
    jokers = sum(card in JOKERS for card in deck.values())
    return Complete(name, len(deck) - jokers, jokers, str(file), runs)
