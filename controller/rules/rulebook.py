"""Rule books: data that says what a book makes of an irregularity at each moment of a hand.

A book lies over another or stands alone: where it has no ruling of its own, the layer below
decides; where there is none below, its silence leaves the decision to the floor (UK-01,
TDA09-01), with what another book would say as advice. `controller/library/books.py` reads the
files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from controller.contract.events import RulingText, Step
from controller.contract.texts import Texts, blanks
from controller.rules.betting_rules import BettingRules
from controller.rules.button import ButtonRule
from controller.rules.clock_expired import ClockRule
from controller.rules.misdeal import CutOff
from controller.rules.odds import EAGERNESS
from controller.rules.tournament_rules import TournamentRules

NEXT_HAND = "next-hand"
UNTIL = frozenset(
    {"action", "two-actions", "substantial-action", "turn", "next-street", "award", NEXT_HAND}
)
"""The events after which a remedy can't be done any more."""


class RulingEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One ruling of a book. `when` are the facts that must all hold; these and the findings have
    `|` between alternatives. The first entry that fits is the ruling."""

    finding: str
    outcome: str
    cites: tuple[str, ...]
    steps: tuple[str, ...]
    when: tuple[str, ...] = ()
    until: str | None = None

    def fits(self, code: str, facts: Collection[str]) -> bool:
        """Whether this is what the book says about `code` when these facts hold."""
        return code in self.finding.split("|") and all(
            any(fact in facts for fact in wanted.split("|")) for wanted in self.when
        )


class BookSilence(Struct, frozen=True, forbid_unknown_fields=True):
    """What a book's silence means: the floor decides, by this rule."""

    cites: tuple[str, ...]
    steps: tuple[str, ...] = ("stop", "call-floor")
    advisory: str | None = None


@dataclass(frozen=True, slots=True)
class RuleBook:
    """A book with the layers below it. Rulings are pure functions of what is asked.

    `two_to_button`: the button may have two cards running (UK-33B, TDA09-27c, RR7-MISDEAL-1e);
    `clock`: how a called clock runs; `button`: how it moves on (RR7-BLIND-2); `button_stays`: it
    may stay where it is when the small blind is out (HPT-DB-02, NL10-DB-02); `owes_positions`:
    after a hand from the wrong place its own positions are due again (RR7-IRR-1); `push_begins`: a
    hand begins as another dealer sits down (TDA24-23d); `show_order`: there is one, of hands at the
    showdown (RR7-SHOW-8; NL10-SHOW-02 has all turned up), and `last_shows`: who is left there alone
    has to show his hand as well (RR7-SHOW-1; not so by UK-15B); `eagerness`: so many needless
    questions cost as much as one missed error; `betting`: what it says of amounts, `tournament` of
    players and seats;
    `prompts`: by what the dealer is told the rules that it rests on;
    `verified`: somebody with the printed rules has checked it.
    """

    id: str
    title: str
    texts: Texts
    entries: tuple[RulingEntry, ...]
    silence: BookSilence
    cut_off: CutOff
    two_to_button: bool = True
    clock: ClockRule = field(default_factory=ClockRule)
    button: ButtonRule = "dead"
    button_stays: bool = False
    owes_positions: bool = True
    push_begins: bool = False
    show_order: bool = True
    last_shows: bool = True
    eagerness: float = EAGERNESS
    betting: BettingRules = field(default_factory=BettingRules)
    tournament: TournamentRules = field(default_factory=TournamentRules)
    verified: bool = True
    prompts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    advisory: RuleBook | None = None
    _known: dict[tuple[object, ...], RulingText] = field(default_factory=dict, compare=False)

    def ruling(
        self,
        code: str,
        facts: frozenset[str],
        question: str | None = None,
        words: tuple[tuple[str, str], ...] = (),
    ) -> RulingText:
        """What this book says about `code` when `facts` hold.

        `question` is the step id of the question that comes first while it is in doubt;
        `words` fill the steps' texts.
        """
        key = (code, facts, question, words)
        if key not in self._known:
            self._known[key] = self._ruling(code, facts, question, words)
        return self._known[key]

    def steps_of(self, text_ids: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Those of these prompts for which this book has rules, with them."""
        return tuple((one, cites) for one in text_ids if (cites := self.prompts.get(one)))

    def ruling_with(
        self, code: str, outcome: str, words: tuple[tuple[str, str], ...]
    ) -> RulingText | None:
        """What this book or the one that advises it says where it comes to this outcome."""
        for entry in self.entries:
            if code in entry.finding.split("|") and entry.outcome == outcome:
                steps = self.steps(entry.steps, words)
                return RulingText(self.id, outcome, entry.cites, steps, entry.until)
        return self.advisory.ruling_with(code, outcome, words) if self.advisory else None

    def decided(
        self, code: str, outcome: str, words: tuple[tuple[str, str], ...], ruling: RulingText
    ) -> RulingText:
        """What the floor's outcome means where `ruling` is in force: as this book puts it
        somewhere, or the one that advises it; else only the outcome, with the book's word that
        the floor decides."""
        advised: RulingText | None = ruling
        while advised is not None:
            if advised.outcome == outcome:
                return advised
            advised = advised.advisory
        known = self.ruling_with(code, outcome, words)
        return self.silent_ruling(outcome, words) if known is None else known

    def silent_ruling(self, outcome: str, words: tuple[tuple[str, str], ...]) -> RulingText:
        """An outcome of which no book here says how it is done: the floor sees to it."""
        steps = self.steps(self.silence.steps, words)
        return RulingText(self.id, outcome, self.silence.cites, steps)

    def _ruling(
        self,
        code: str,
        facts: frozenset[str],
        question: str | None,
        words: tuple[tuple[str, str], ...],
    ) -> RulingText:
        first = (question,) if question else ()
        for entry in self.entries:
            if entry.fits(code, facts):
                return RulingText(
                    self.id,
                    entry.outcome,
                    entry.cites,
                    self.steps((*first, *entry.steps), words),
                    entry.until,
                )
        advisory = None
        if self.advisory is not None:
            advisory = self.advisory.ruling(code, facts, None, words)
        return RulingText(
            self.id,
            "floor",
            self.silence.cites,
            self.steps((*first, *self.silence.steps), words),
            advisory=advisory,
        )

    def steps(self, ids: tuple[str, ...], words: tuple[tuple[str, str], ...]) -> tuple[Step, ...]:
        """These steps in the words of the table's language."""
        return tuple(self._step(i, dict(words)) for i in ids)

    def _step(self, name: str, words: Mapping[str, str]) -> Step:
        used = {word: words[word] for word in sorted(blanks(self.texts.steps[name]))}
        return Step(name, self.texts.step(name, used), used)
