"""The form that asks what an action amounts to: its fields, what is wrong in them, the answer.
Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar, get_args

from msgspec import Struct

from controller.contract.wagered import First, Word
from controller.rule_desk.typed import (
    MOST_CHIPS,
    WORDS,
    TypedError,
    amount,
    chips,
    usual_increment,
)
from controller.rule_desk.wager_words import Told, Words, told
from controller.rules.asked import ruled
from controller.rules.facing import Facing, Wager
from controller.rules.rulebook import RuleBook
from display.web.rules import Named
from display.web.speech import Speech

LONGEST = 200
"""Of each field, in characters."""
Meant = Literal["", "call", "raise"]
FIRST: tuple[First, ...] = get_args(First)
MEANT: tuple[Meant, ...] = get_args(Meant)
AMOUNTS = ("big", "facing", "raised-by", "last", "own", "stack", "pot", "amount")
FLAGS = (
    "opening", "heads-up", "closed", "cash",
    "unclear", "unaware", "mistaken", "running", "pulled-back",
)  # fmt: skip
FIELDS = ("book", *AMOUNTS, "word", "chips", "then", "lying", "first", "meant", *FLAGS)
"""What may be filled in, by the names in an address."""
T = TypeVar("T")


class Answer(Struct, frozen=True):
    """What it amounts to in words, and the rules that say so, each with its text."""

    what: str
    why: str
    more: tuple[str, ...]
    rules: tuple[Named, ...]
    next: str
    book: str


class Faults(Struct, frozen=True):
    """What is wrong: by field, and in one line."""

    error: str
    faults: Mapping[str, str]


def wager_answer(
    given: Mapping[str, str], books: Mapping[str, RuleBook], words: Words, speech: Speech
) -> Answer | Faults:
    """What the fields of an address ask for; one that is empty says nothing."""
    form = _Form({name: text.strip() for name, text in given.items() if text.strip()}, speech)
    book = form.one_of("book", tuple(books)) or next(iter(books))
    big, bet = form.amount("big"), form.amount("facing") or 0
    if "big" not in form.faults and not big:
        form.faults["big"] = form.say("needed")
    facing = Facing(
        big=big or 1,
        bet=bet,
        increment=form.amount("raised-by") or usual_increment(big or 1, bet),
        last=form.amount("last"),
        own=form.amount("own") or 0,
        behind=form.amount("stack"),
        is_opening=form.flag("opening"),
        heads_up=form.flag("heads-up"),
        may_raise=not form.flag("closed"),
        pot=form.amount("pot"),
        cash=form.flag("cash"),
    )
    motions = (form.chips("chips"), form.chips("then"))
    word: Word | None = form.one_of("word", WORDS)
    wager = Wager(
        word=word or "",
        amount=form.amount("amount"),
        unclear=form.flag("unclear"),
        motions=tuple(motion for motion in motions if motion),
        first=form.one_of("first", FIRST) or "words",
        meant=form.one_of("meant", MEANT) or "",
        mistaken=form.flag("mistaken"),
        unaware=form.flag("unaware"),
        running=form.flag("running"),
        pulled_back=form.flag("pulled-back"),
        lying=form.chips("lying"),
    )
    if form.faults:
        return Faults(" ".join(form.faults.values()), form.faults)
    return _answer(told(words, books[book], ruled(books[book], facing, wager)), book, speech)


def _answer(found: Told, book: str, speech: Speech) -> Answer:
    rules = tuple(Named(cite, text) for cite, text in found.rules.items())
    return Answer(found.what, found.why, found.more, rules, found.next, speech.called(book))


class _Form:
    """Reads fields and keeps what is wrong with them."""

    def __init__(self, given: Mapping[str, str], speech: Speech) -> None:
        self._given = given
        self._speech = speech
        self.faults = {
            name[:40]: self.say("unknown", name) for name in given if name not in (*FIELDS, "lang")
        }

    def say(self, fault: str, given: str = "") -> str:
        return self._speech.say("rules", f"fault-{fault}", given=given[:40], most=MOST_CHIPS)

    def amount(self, name: str) -> int | None:
        return self._read(name, amount)

    def chips(self, name: str) -> tuple[int, ...]:
        return self._read(name, chips) or ()

    def one_of(self, name: str, known: tuple[T, ...]) -> T | None:
        text = self._given.get(name)
        found = next((each for each in known if each == text), None)
        if text and found is None:
            self.faults[name] = self.say("choice", text)
        return found

    def flag(self, name: str) -> bool:
        return self.one_of(name, ("1",)) is not None

    def _read(self, name: str, read: Callable[[str], T]) -> T | None:
        text = self._given.get(name, "")
        if len(text) > LONGEST:
            self.faults[name] = self.say("long")
        elif text:
            try:
                return read(text)
            except TypedError as error:
                self.faults[name] = self.say(error.kind, text)
        return None
