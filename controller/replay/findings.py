"""Findings and rulings in words: the part of an account that a dispute is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from controller.contract.events import Basis, Closed, Event, Finding, Phase, Ruling, RulingText
from controller.library.books import Library
from controller.replay.words import Words, cards, fill, sentence


@dataclass(slots=True)
class _Told:
    """A finding as it was last told; `how` it ended is a key of the language file, `rules` are
    the ids whose summaries have been given."""

    hand: int
    code: str
    ruling: RulingText
    basis: Basis
    how: str | None = None
    rules: set[str] = field(default_factory=set)


class Findings:
    """Tells findings, what becomes of their rulings and how they end.

    `cause` is what happened last, as it stands in "… is ruled anew{why}", and when.
    """

    def __init__(
        self, library: Library, words: Words, seats: Callable[[Sequence[int]], str]
    ) -> None:
        """`seats` puts seats into words."""
        self._library = library
        self._words = words
        self._seats = seats
        self._told: dict[int, _Told] = {}
        self.cause: tuple[float, str] | None = None

    def tell(self, event: Finding | Ruling | Closed, then: Sequence[Event] | None) -> list[str]:
        """The lines for an event; `then` are those that follow it from the same observation,
        None if that is not known."""
        match event:
            case Finding():
                return list(self._finding(event))
            case Ruling():
                return list(self._anew(event, then))
            case Closed():
                return [self._closed(event, then)]

    def cut_off(self, t: float) -> None:
        """No misdeal can be called any more, which may be why a ruling changes."""
        before = self.cause[1] if self.cause is not None and self.cause[0] == t else ""
        self.cause = (t, self._words.say("after-cut-off", why=before))

    def still_open(self) -> list[str]:
        """The findings that have not been closed, in words."""
        return [self._name(number) for number, told in self._told.items() if told.how is None]

    def summary(self) -> list[str]:
        """How often each code was found and how it ended."""
        if not self._told:
            return [self._words.say("nothing-found")]
        lines = []
        for code in dict.fromkeys(told.code for told in self._told.values()):
            found = [told for told in self._told.values() if told.code == code]
            endings = [
                self._words.say("ending", count=number, how=self._ending(how))
                for how, number in Counter(told.how for told in found).items()
            ]
            hands = list(dict.fromkeys(str(told.hand) for told in found))
            text = self._words.say(
                "found",
                count=len(found),
                title=self._title(code),
                code=code,
                endings=", ".join(endings),
                where=self._words.say(
                    "in-hands" if hands[1:] else "in-hand", hands=self._words.listed(hands)
                ),
            )
            lines.append(text)
        return lines

    def _title(self, code: str) -> str:
        return self._library.texts.findings.get(code, code)

    def _name(self, number: int) -> str:
        told = self._told.get(number)
        title = "?" if told is None else self._title(told.code)
        return self._words.say("named", id=number, title=title)

    def _ending(self, how: str | None) -> str:
        return (
            self._words.say("open")
            if how is None
            else self._words.endings.get(how, self._words.endings.get(how.partition("-")[0], how))
        )

    # --- a finding ---

    def _finding(self, event: Finding) -> Iterator[str]:
        say = self._words.say
        told = self._told[event.id] = _Told(event.hand, event.code, event.ruling, event.basis)
        is_certain = event.basis == "seen"
        head = "finding" if is_certain else "question"
        yield say(head, id=event.id, title=self._title(event.code))
        yield " ".join(self._what(event))
        yield say("certain" if is_certain else "not-certain")
        yield say(f"priority-{event.priority}")
        yield from self._ruling(event.ruling, told)

    def _what(self, event: Finding) -> Iterator[str]:
        """What happened, and to whom."""
        happened = self._words.happened.get(event.code)
        names_seats = happened is not None and "{seats}" in happened
        seats = self._seats(event.seats) if event.seats else ""
        if happened is not None and (seats or not names_seats):
            yield sentence(fill(happened, {"seats": seats}))
        else:
            yield self._title(event.code) + "."
        if seats and not names_seats:
            yield self._words.say("concerned", seats=seats)
        if event.cards:
            yield self._words.say("cards", cards=cards(event.cards))

    def _ruling(self, ruling: RulingText, told: _Told, *, advice: bool = False) -> Iterator[str]:
        say = self._words.say
        text = self._decision(ruling)
        yield say("advice", ruling=text) if advice else text
        yield from self._rules(ruling.cites, told)
        yield say("remedy-advised" if advice else "remedy")
        yield from (f"  {n}. {step.text}" for n, step in enumerate(ruling.steps, 1))
        if ruling.advisory is not None:
            yield from self._ruling(ruling.advisory, told, advice=True)

    def _rules(self, cites: Sequence[str], told: _Told) -> Iterator[str]:
        """A line for each rule that has not been given yet; the others stand together."""
        summaries = self._library.summaries
        fresh = [rule for rule in cites if rule in summaries and rule not in told.rules]
        for rule in fresh:
            yield "  " + self._words.say("rule", id=rule, summary=summaries[rule])
        others = [rule for rule in cites if rule not in fresh]
        if others:
            yield "  " + ", ".join(others)
        told.rules.update(cites)

    def _decision(self, ruling: RulingText) -> str:
        book = self._library.title(ruling.rulebook)
        if ruling.advisory is not None:
            return self._words.say("silent", book=book)
        outcome = self._outcome(ruling)
        if ruling.until is None:
            return self._words.say("ruling", book=book, outcome=outcome)
        until = self._words.until.get(ruling.until, ruling.until)
        return self._words.say("ruling-until", book=book, outcome=outcome, until=until)

    def _outcome(self, ruling: RulingText) -> str:
        return self._words.outcomes.get(ruling.outcome, ruling.outcome)

    # --- what becomes of it ---

    def _anew(self, event: Ruling, then: Sequence[Event] | None) -> Iterator[str]:
        say, finding = self._words.say, self._name(event.id)
        told = self._told.get(event.id)
        if told is None:
            told = self._told[event.id] = _Told(event.hand, "", event.ruling, event.basis or "seen")
        before, told.ruling = told.ruling, event.ruling
        change = _change(before, event.ruling)
        if event.basis is not None and event.basis != told.basis:
            told.basis = event.basis
            yield say("now-certain" if event.basis == "seen" else "now-uncertain", finding=finding)
            if change == "anew-answered":
                return
        if change is None:
            return
        given = {"finding": finding, "why": self._why(event, then)}
        outcomes = {"before": self._outcome(before), "after": self._outcome(event.ruling)}
        yield say(change, **given, **outcomes)
        if change == "anew-answered":
            return
        if event.ruling.advisory is not None and event.ruling.advisory == before.advisory:
            yield from self._ruling(replace(event.ruling, advisory=None), told)
        else:
            yield from self._ruling(event.ruling, told)

    def _why(self, event: Ruling, then: Sequence[Event] | None) -> str:
        if any(isinstance(e, Closed) and e.id == event.id and e.how == "ruled" for e in then or ()):
            return self._words.say("after-floor")
        return self.cause[1] if self.cause is not None and self.cause[0] == event.t else ""

    def _closed(self, event: Closed, then: Sequence[Event] | None) -> str:
        how: str = event.how
        if how == "ruled" and then is not None:
            misdeal = any(isinstance(e, Phase) and e.phase == "misdeal" for e in then)
            how = "ruled-misdeal" if misdeal else "ruled-floor"
        elif how == "expired" and any(isinstance(e, Finding) for e in then or ()):
            how = "expired-worse"
        elif how == "expired" and any(isinstance(e, Phase) for e in then or ()):
            how = "expired-over"
        told, outcome = self._told.get(event.id), ""
        if told is not None:
            told.how, outcome = how, self._outcome(told.ruling)
        words = fill(self._words.closed.get(how, how), {"outcome": outcome})
        return self._words.say("is-closed", finding=self._name(event.id), how=words)


def _change(before: RulingText, after: RulingText) -> str | None:
    """The line that says what is new in a ruling; None if nothing is."""
    if before.outcome != after.outcome:
        return "anew"
    if replace(before, steps=before.steps[1:]) == after:
        return "anew-answered"
    if before.steps != after.steps:
        return "anew-steps"
    if before.until != after.until:
        return "anew-until"
    return None if before == after else "anew-rules"
