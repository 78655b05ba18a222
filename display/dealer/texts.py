"""The words on the dealer's screen, out of `languages/<language>.toml`: section `screen`, and the
engine's own in the screen's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from controller.contract.events import Step
from controller.contract.texts import Texts as EngineTexts
from controller.contract.texts import blanked, zone_in_words
from controller.contract.view import FindingView, TableView, Told
from controller.files.toml_file import ConfigError
from controller.library import languages
from controller.library.catalogue import read_catalogue, read_summaries
from controller.library.citations import read_citations
from controller.library.languages import ENGINE
from controller.library.verbs import PLAIN, read_verbs
from controller.rule_desk.search import RuleDesk

SECTION = "screen"
VERBS = "verbs"
ANSWERS = "answers"
WAGER = "wager"
_CHIPS = frozenset(("small", "big", "ante", "to", "least", "chip", "goes", "into"))

_PLAIN = """
    language thousands no-hand
    phase-none phase-deal phase-preflop phase-flop phase-turn phase-river phase-showdown
    phase-complete phase-misdeal
    live folded all-in out to-act unpressed unpressed-check unpressed-call may-check puck
    action-check action-call action-bet action-raise action-fold action-all-in
    suit-s suit-h suit-d suit-c joker
    book-homepokertourney book-uk-tda book-roberts book-nl-2010 book-tda-2009 book-tda-2024
    priority-1 priority-2 priority-3 question to-table why waits steps-done
    go-on floor-rules
    floor-misdeals advisory-none back is-out not-out not-so
    dismiss dismiss-why reason-misread reason-floor-decided reason-other cancel
    new-hand round-closed tabled tabled-who award misdeal misdeal-sure misdeal-yes misdeal-no
    more-entries more-title exposed boxed clock reshuffled unwatched sign-in
    learner learner-off no-new-hand clock-stopped no-push deck-ready
    gathers together together-wait together-face-down
    boxed-who elsewhere nth-1 nth-2 by-dealer by-player
    did-check did-call did-bet did-raise did-all-in did-fold
    unwatched-sure unwatched-yes unwatched-no
    deck deck-title
    away-now back-again
    sensors sensors-on sensors-sure sensors-yes sensors-no mute unmute muted no-sound
    naming naming-sure naming-yes naming-no
    what-is-it said-raise said-bet said-call said-all-in said-amount other-chip second-motion then
    otherwise first-words first-chips first-together
    also-unclear also-mistaken also-unaware also-running also-pulled-back
    and-chips enter-it change wager-unknown-bet wager-unknown-turn
    floor floor-who floor-wrong floor-wait floor-rule floor-rule-title floor-others floor-sign-out
    clock-cancel
    outcome-misdeal outcome-redeal-flop outcome-floor-pick outcome-reshuffle-street
    outcome-set-aside outcome-replace-card outcome-return-as-burn outcome-next-card
    outcome-correct-burn outcome-hold-burn outcome-restore outcome-stands outcome-dead-hand
    outcome-void-hand outcome-binding outcome-not-binding
    all-rules rules-ask rules-hint rules-none
    enter erase space no-amount nothing-typed letters
    undo choose-language call-floor floor-calling
    all-in-short unverified links-well links-title lost lost-help retry capture
    break paused blind-small blind-big absent watched-later table-closed manual open close
    decides-you decides-floor needs-floor ruled
    you-answer
    until-action until-two-actions until-substantial-action until-next-street until-turn
    until-award until-next-hand
    lesson-choose lesson-begin lesson-on lesson-close training-alone lesson-wrong lesson-watch
    lesson-result lesson-unkept
    lesson-new-hand lesson-round-closed lesson-award lesson-misdeal lesson-call-floor
    cause-absent cause-refused cause-closed cause-flood cause-other cause-silent
    cause-newer cause-foreign
"""

KEYS: Mapping[str, frozenset[str]] = {
    **{key: frozenset() for key in _PLAIN.split()},
    "table": frozenset({"table"}),
    "hand": frozenset({"hand"}),
    "blinds": frozenset({"small", "big"}),
    "blinds-ante": frozenset({"small", "big", "ante"}),
    "pot": frozenset({"amount"}),
    "main-pot": frozenset({"amount", "seats"}),
    "side-pot": frozenset({"amount", "seats"}),
    "burned": frozenset({"count"}),
    "dealing": frozenset({"dealer"}),
    "level": frozenset({"level"}),
    "button-to": frozenset({"seat"}),
    "comes": frozenset({"player"}),
    "comes-seat": frozenset({"player", "seat"}),
    "leaves": frozenset({"player", "table"}),
    "clock-on": frozenset({"seat"}),
    "clock-last": frozenset({"seat"}),
    "clock-end": frozenset({"seat", "left"}),
    "dispute-left": frozenset({"left"}),
    "seat": frozenset({"seat"}),
    "seats": frozenset({"seats"}),
    "broke": frozenset({"seats"}),
    "broke-all": frozenset({"seats"}),
    "here": frozenset({"player", "seat"}),
    "here-all": frozenset({"seats"}),
    "exposed-which": frozenset({"seat"}),
    "boxed-which": frozenset({"seat"}),
    "amount-title": frozenset({"seat", "action", "amount"}),
    "wager-title": frozenset({"seat", "seen"}),
    "otherwise-title": frozenset({"seat", "seen"}),
    "wager-what": frozenset({"seat"}),
    "said-title": frozenset({"seat", "said"}),
    "chip-title": frozenset({"amount"}),
    "sign-in-title": frozenset({"name"}),
    "sign-in-now": frozenset({"dealer"}),
    "rules-with": frozenset({"typed", "count"}),
    "rules-behind": frozenset({"what", "count"}),
    "rules-all": frozenset({"count"}),
    "rule-decides": frozenset({"findings"}),
    "rule-told": frozenset({"prompts"}),
    "more": frozenset({"count"}),
    "next-finding": frozenset({"n", "total"}),
    "until": frozenset({"event"}),
    "step": frozenset({"n", "total"}),
    "awaited": frozenset({"step"}),
    "ruled-head": frozenset({"who", "outcome"}),
    "advisory": frozenset({"book"}),
    "costs": frozenset({"amount"}),
    "least-raise": frozenset({"amount"}),
    "least-bet": frozenset({"amount"}),
    "floor-called": frozenset({"since"}),
    "floor-coming": frozenset({"since"}),
    "floor-coming-by": frozenset({"name", "since"}),
    "floor-unheard": frozenset({"since"}),
    "floor-in": frozenset({"name"}),
    "floor-pin": frozenset({"name", "dots"}),
    "doubted": frozenset({"zone", "count"}),
    "not-believed": frozenset({"zone"}),
    "links-down": frozenset({"count"}),
    "no-room": frozenset({"since"}),
    "reader-up": frozenset({"port"}),
    "reader-handshake": frozenset({"port"}),
    "reader-closed": frozenset({"port"}),
    "reader-wrong-version": frozenset({"port"}),
    "reader-zone": frozenset({"zone"}),
    "silenced": frozenset({"count"}),
    "silent-zone": frozenset({"zone"}),
    "silent-until": frozenset({"what", "hand"}),
    "silent-more": frozenset({"count"}),
    "link-unreadable": frozenset({"count"}),
    "training": frozenset({"lesson"}),
    "lesson-tabled": frozenset({"seat"}),
    "lesson-done": frozenset({"step", "verb"}),
    "lesson-confirm": frozenset({"answer"}),
    "lesson-dismiss": frozenset({"answer"}),
    "lesson-findings": frozenset({"count"}),
    "lesson-steps": frozenset({"right", "total"}),
    "lesson-pace": frozenset({"seconds"}),
    "lost-since": frozenset({"since"}),
    "silent-since": frozenset({"since"}),
}


class Texts(Struct, frozen=True):
    """All texts of one language; `language` is the file's name without its ending.

    What the table has put into words already is said anew from `engine`; as the table gave it
    where the file has no text for it, as for a step of a house's own. The `desk` finds rules; it is
    opened when it is first asked.
    """

    language: str
    entries: Mapping[str, str]
    engine: EngineTexts = EngineTexts({}, {}, {}, {}, {}, {})
    verbs: Mapping[str, str] = {}
    answers: Mapping[str, str] = {}
    verb_of: Mapping[str, str] = {}
    rules: Mapping[str, str] = {}
    desk: Callable[[], RuleDesk] = partial(RuleDesk, {}, ())
    wager: Mapping[str, str] = {}

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of `key` with its words in braces filled in."""
        return self.entries[key].format(**values)

    def named(self, prefix: str, value: str) -> str:
        """Return the text of `prefix-value`, or `value` itself where there is none."""
        return self.entries.get(f"{prefix}-{value}", value)

    def number(self, amount: int) -> str:
        """Return `amount` with the language's separator of thousands."""
        return f"{amount:,}".replace(",", self.entries["thousands"])

    def rule(self, rule: str) -> str:
        """Return a rule's id with what it says, where it is one of the catalogue."""
        said = self.rules.get(rule)
        return f"{rule}: {said}" if said else rule

    def step(self, step: Step) -> str:
        """Return what is to be done."""
        try:
            return self.engine.step(step.id, self._words_of(step))
        except KeyError:
            return step.text

    def verb(self, step: Step) -> str:
        """Return what stands on the button that goes on from it."""
        return self.verbs[self.verb_of.get(step.id, PLAIN)]

    def answer(self, question: Step, answer: str) -> str:
        """Return the words of an answer, `yes` or `no`, to a question."""
        return self.answers[f"{question.id}-{answer}"].format(**question.words)

    def title(self, finding: FindingView) -> str:
        """Return what was found."""
        return self.engine.findings.get(finding.code, finding.title)

    def code(self, code: str) -> str:
        """Return the title of the findings with this code."""
        return self.engine.findings.get(code, code)

    def behind(self, code: str) -> str:
        """Return what rules are behind: the title of findings, or what the dealer is told, without
        what fills it."""
        told = self.engine.prompts.get(code)
        return self.code(code) if told is None else blanked(told)

    def zone(self, zone: str) -> str:
        """Return a zone, `seat/3`, in words."""
        words = zone_in_words(zone, self.engine.zones)
        return words[:1].upper() + words[1:]

    def told(self, told: Told) -> str:
        """Return what belongs to this moment of every hand; empty if these words are not known."""
        try:
            return self.engine.prompt(told.text_id, self._grouped(told.args))
        except KeyError:
            return ""

    def prompt(self, view: TableView) -> str:
        """Return the next step; empty if the table says none."""
        try:
            return self.engine.prompt(view.prompt_id, self._grouped(view.prompt_args))
        except KeyError:
            return view.prompt

    def _words_of(self, step: Step) -> dict[str, str]:
        """What fills a step, its chips as they stand beside it."""
        words = dict(step.words)
        if (chips := words.get("uncalled", "")).isdecimal():
            words["uncalled"] = self.number(int(chips))
        return words

    def _grouped(self, args: Mapping[str, object]) -> dict[str, object]:
        """What fills a prompt, its chips as they stand beside it."""
        return {
            name: self.number(value) if name in _CHIPS and isinstance(value, int) else value
            for name, value in args.items()
        }


def load(language: str, root: Path) -> Texts:
    """Read `root/languages/<language>.toml`.

    Raises ConfigError when there is no such language or the file can't be read, a key is unknown
    or missing, a text is not a string, or its words in braces are not those that the key has.
    """
    path = languages.path_of(root, language)
    sections = languages.read(path, (SECTION, VERBS, ANSWERS, WAGER, *ENGINE))
    section = sections.pop(SECTION)
    languages.check(path, SECTION, section, KEYS)
    verbs, answers, wager = (sections.pop(name) for name in (VERBS, ANSWERS, WAGER))
    return Texts(
        language,
        section,
        EngineTexts(**sections),
        verbs,
        answers,
        read_verbs(root),
        read_summaries(root),
        desk=partial(_desk, root),
        wager=wager,
    )


@cache
def _desk(root: Path) -> RuleDesk:
    try:
        books = read_citations(root)
    except ConfigError:  # a mistake in some house's book: nobody deals less for it
        books = {}
    return RuleDesk(read_catalogue(root), books.values())


def available(root: Path) -> Mapping[str, str]:
    """Return the languages there are, each with its own name for itself.

    Raises ConfigError as `load` does.
    """
    return {name: load(name, root)("language") for name in languages.languages(root)}
