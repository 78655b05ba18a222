"""Events told in poker's own words: the readable form of `cutcard replay`.

It is made to be read aloud in a dispute. An account is a fold over events: it knows only what
they say, and they hold no card that lies face down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from controller.contract.events import (
    Action,
    Board,
    Clock,
    Closed,
    Event,
    Finding,
    FloorCalled,
    FloorComing,
    Phase,
    Prompt,
    Result,
    Ruling,
    Start,
    SubstantialAction,
    Tabled,
)
from controller.contract.texts import TAKEN_OVER, zone_in_words
from controller.library.books import Library
from controller.library.languages import path_of
from controller.replay.findings import Findings
from controller.replay.header import header
from controller.replay.ledger import Ledger, place
from controller.replay.printing import WIDTH, wrapped
from controller.replay.result import result
from controller.replay.words import Words, cards, fill, person, read_words, sentence
from controller.rules.button import Positions

INDENT = 11
"""Columns that the time takes."""
_MARK = re.compile(r" *(\d+\. )?")


def open_account(library: Library, config: Path, language: str = "en") -> Account:
    """An account in a language of a `config` folder; raises `ConfigError`."""
    return Account(library, read_words(path_of(config, language)))


class Account:
    """Tells events as lines of text.

    Of the prompts, which are the dealer's, only those in section `account.prompts` are told.
    """

    def __init__(self, library: Library, words: Words, width: int = WIDTH) -> None:
        """`library` names findings, books and rules; the rest is in `words`. Lines are broken to
        `width` columns."""
        self._words = words
        self._width = width
        self._findings = Findings(library, words, self._seats)
        self._positions: Positions | None = None
        self._ledger: Ledger | None = None
        self._names: dict[int, str] = {}
        self._began: float | None = None
        self._hand = 0
        self._hands: list[int] = []
        self._is_running = False
        self._misdeals = 0
        self._board: tuple[str, ...] = ()
        self._due: list[str] = []
        self._is_apart: bool | None = None

    def tell(self, events: Sequence[Event]) -> list[str]:
        """The lines for what follows from one observation."""
        lines = [
            line for i, event in enumerate(events) for line in self._tell(event, events[i + 1 :])
        ]
        return list(self._set_apart(lines))

    def tell_one(self, event: Event) -> list[str]:
        """The lines for one event, when it is not known what else follows from the same
        observation: then less is said of why a ruling changed or a finding was closed."""
        return list(self._set_apart(self._tell(event, None)))

    def end(self) -> list[str]:
        """The lines after the last event: a hand and findings that are not over, and a summary
        of several hands."""
        lines = [self._words.say("still-running", hand=self._hand)] if self._is_running else []
        lines += [self._words.say("still-open", finding=f) for f in self._findings.still_open()]
        if len(self._hands) > 1:
            lines += ["", "=" * WIDTH, *self._summary()]
        return list(self._set_apart(["", *(part for line in lines for part in self._lines(line))]))

    def _lines(self, text: str, indent: int = 0, head: str = "") -> list[str]:
        return wrapped(text, indent, head=head, width=self._width)

    def _set_apart(self, lines: Sequence[str]) -> Iterator[str]:
        """The lines with no more than one empty line between two others, and none at the ends."""
        for line in lines:
            if line and self._is_apart:
                yield ""
            if line or self._is_apart is not None:
                self._is_apart = not line
            if line:
                yield line

    # --- one event ---

    def _tell(self, event: Event, then: Sequence[Event] | None) -> list[str]:
        if isinstance(event, Start):
            return self._start(event)
        if isinstance(event, Finding):
            self._found(event)
        elif isinstance(event, Phase) and event.phase != "misdeal":
            return self._phase(event)
        street = event.street if isinstance(event, Board) else None
        heading = self._heading(street)
        if isinstance(event, Finding | Ruling | Closed):
            texts = self._findings.tell(event, then)
        else:
            texts = [sentence(text) for text in self._plain(event)]
        if not texts:
            return []
        self._due = [phase for phase in self._due if street in self._due and phase != street]
        lines = self._at(event.t, texts)
        return [*heading, "", *lines, ""] if len(texts) > 2 else [*heading, *lines]

    def _found(self, event: Finding) -> None:
        """What is found between two hands belongs to the coming one; actions out of turn may
        give chips back."""
        if event.hand != self._hand:
            self._hand, self._began, self._due = event.hand, None, ["before"]
        elif self._ledger is not None and event.code == "out-of-turn":
            self._ledger.doubt(event.seats)
        elif self._ledger is not None and event.code == "skipped-player":
            self._ledger.forget()

    def _plain(self, event: Event) -> list[str]:
        say = self._words.say
        match event:
            case Board():
                return [self._cards_come(event)]
            case Tabled():
                return [say("tabled", seat=self._seat(event.seat), cards=cards(event.cards))]
            case Action():
                return [self._action(event)]
            case Clock():
                until = self._time(event.until)
                return [say("clock", seat=self._seat(event.seat), until=until)]
            case FloorCalled(by=None):
                return [say("floor-called")]
            case FloorCalled(by=str(name)):
                return [say("floor-called-by", name=person(name))]
            case FloorComing(by=None):
                return [say("floor-coming")]
            case FloorComing(by=str(name)):
                return [say("floor-coming-by", name=person(name))]
            case SubstantialAction():
                self._findings.cut_off(event.t)
                return [say("cut-off")]
            case Result():
                return result(self._words, event, self._ledger, self._seat)
            case Prompt():
                return self._prompt(event)
            case Phase():
                self._misdeals += 1
                self._is_running = False
                return [say("misdeal")]
            case _:
                return []

    def _at(self, t: float, texts: Sequence[str]) -> list[str]:
        """Texts with the time before the first. One that begins with blanks is set in by so
        many, a numbered one hangs from its number."""
        lines = []
        head = f"{self._time(t):>9}"
        for text in texts:
            mark = _MARK.match(text)
            begin = mark.end() if mark else 0
            lines += self._lines(text[begin:], INDENT + begin, head.ljust(INDENT) + text[:begin])
            head = ""
        return lines

    def _time(self, t: float) -> str:
        """Minutes and seconds since the hand began; before it the table's clock."""
        if self._began is None:
            return f"{t:.1f}"
        tenths = round(max(0.0, t - self._began) * 10)
        return f"{tenths // 600}:{tenths % 600 / 10:04.1f}"

    def _seat(self, seat: int) -> str:
        return self._words.seat(seat, self._names)

    def _seats(self, seats: Sequence[int]) -> str:
        return self._words.listed([self._seat(seat) for seat in seats])

    # --- the hand begins and goes on ---

    def _start(self, event: Start) -> list[str]:
        where = place(event, self._positions)
        self._positions, self._ledger = where, Ledger(event, where)
        self._names = {s.seat: person(s.player) for s in event.seats if s.player}
        self._began, self._hand, self._board, self._due = event.t, event.hand, (), []
        self._hands.append(event.hand)
        self._is_running = True
        return ["", *header(self._words, event, where, self._ledger, self._names)]

    def _phase(self, event: Phase) -> list[str]:
        """A heading becomes due, before the first line that stands below it."""
        if self._ledger is not None and event.phase in ("flop", "turn", "river"):
            self._ledger.open_round()
        self._is_running = self._is_running and event.phase != "complete"
        self._due.append(event.phase)
        return []

    def _heading(self, street: str | None) -> list[str]:
        """The heading that is due, or the one of a street whose cards come late."""
        if not self._due:
            return []
        phase = street if street in self._due else self._due[-1]
        if phase == "before":
            return ["", self._words.say("before-hand", hand=self._hand), ""]
        title = self._words.headings.get(phase, phase.upper())
        if phase in ("deal", "complete"):
            return ["", title, ""]
        pot = None if self._ledger is None else self._ledger.pot
        line = "street-board" if self._board else "street"
        given = {"street": title, "board": cards(self._board)}
        if pot is None:
            return ["", self._words.say(f"{line}-pot-unknown", **given), ""]
        return ["", self._words.say(line, **given, pot=self._words.chips(pot)), ""]

    def _cards_come(self, event: Board) -> str:
        before, self._board = self._board, event.cards
        street = self._words.streets.get(event.street, event.street)
        new = event.cards[len(before) :]
        if event.cards[: len(before)] != before or not new:
            return self._words.say("board-now", board=cards(event.cards))
        if not before:
            return self._words.say("first-board", street=street, cards=cards(new))
        board = cards(event.cards)
        return self._words.say("next-board", street=street, cards=cards(new), board=board)

    def _action(self, event: Action) -> str:
        say, chips = self._words.say, self._words.chips
        seat = self._seat(event.seat)
        more, is_last = (None, False) if self._ledger is None else self._ledger.act(event)
        self._findings.cause = (event.t, say("after-action", seat=seat))
        match event.action:
            case "check" | "fold":
                text = say(event.action, seat=seat)
            case "call" | "bet" | "raise" | "all-in" if event.amount is None:
                text = say(f"{event.action}-unknown", seat=seat)
            case "call" if more is not None and more != event.amount:
                text = say("call-more", seat=seat, more=chips(more), chips=chips(event.amount or 0))
            case "call" | "bet" | "raise" | "all-in":
                text = say(event.action, seat=seat, chips=chips(event.amount or 0))
            case _:
                text = say("other-action", seat=seat, action=event.action)
        if is_last and event.action != "all-in":
            text = say("and-all-in", action=text)
        if event.by != "press":
            text = say(f"by-{event.by}", action=text)
        return text + "."

    def _prompt(self, event: Prompt) -> list[str]:
        text = self._words.prompts.get(event.text_id)
        if text is None:
            return []
        given = dict(event.args)
        if event.text_id == TAKEN_OVER:
            given = {"shown": self._taken_over(event)}
        if isinstance(given.get("seat"), int):
            given["seat"] = self._seat(given["seat"])
        chips = {name: given[name] for name in ("to", "least") if isinstance(given.get(name), int)}
        given |= {name: self._words.chips(amount) for name, amount in chips.items()}
        if "zone" in given:
            given["zone"] = zone_in_words(str(given["zone"]), self._words.zones)
        if "entry" in given:
            given["entry"] = self._words.entries.get(str(given["entry"]), given["entry"])
            if self._ledger is not None:
                self._ledger.forget()
        return [fill(text, given)]

    def _taken_over(self, event: Prompt) -> str:
        """What a deal has shown; the blinds that were counted are others' then."""
        if self._ledger is not None:
            self._ledger.forget()
        args, button = event.args, event.args["button"]
        said = [
            fill(self._words.prompts[f"{TAKEN_OVER}-{what}"], {"seat": self._seat(seat)})
            for what, seats in (
                ("out", args["out"]),
                ("in", args["in"]),
                ("button", [] if button is None else [button]),
            )
            for seat in seats
        ]
        return self._words.listed(said)

    def _summary(self) -> list[str]:
        count, first, last = len(self._hands), self._hands[0], self._hands[-1]
        lines = [
            self._words.say("summary"),
            self._words.say("hands", count=count, first=first, last=last),
        ]
        if self._misdeals:
            lines.append(self._words.say("misdeals", count=self._misdeals))
        return lines + self._findings.summary()
