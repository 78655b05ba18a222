"""Reads rule books from their files (`config/rulebooks/*.toml`).

`over` names the layer below: where a book has no ruling, that one's is taken, cited with
`cite_as` (another edition's prefixes) and `fills` (the rule that sends the reader there:
HPT-PREC-01, NL10-PREC-01). A card room's house rules are one more file of this form.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from controller.contract.events import OUTCOMES
from controller.contract.misfit import Misfit
from controller.contract.observations import nearest
from controller.contract.texts import Texts
from controller.files.toml_file import ConfigError, convert, read_toml
from controller.library.catalogue import read_summaries
from controller.library.citations import filled
from controller.library.languages import path_of, read_texts
from controller.rules import IRREGULARITIES
from controller.rules.betting_rules import BettingRules, Cited
from controller.rules.button import ButtonRule
from controller.rules.clock_expired import ClockRule
from controller.rules.misdeal import CutOff
from controller.rules.odds import EAGERNESS
from controller.rules.rulebook import UNTIL, BookSilence, RuleBook, RulingEntry
from controller.rules.tournament_rules import TournamentRules

T = TypeVar("T")
S = TypeVar("S", bound=Struct)


class BookFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule book file as it is written."""

    id: str
    title: str
    verified: bool = True
    over: str | None = None
    cut_off: CutOff | None = None
    two_to_button: bool | None = None
    clock: ClockRule | None = None
    button: ButtonRule | None = None
    button_stays: bool | None = None
    owes_positions: bool | None = None
    push_begins: bool | None = None
    show_order: bool | None = None
    last_shows: bool | None = None
    eagerness: float | None = None
    fills: tuple[str, ...] = ()
    cite_as: dict[str, str] = {}
    silent: BookSilence | None = None
    betting: BettingRules = BettingRules()
    tournament: TournamentRules = TournamentRules()
    prompts: dict[str, tuple[str, ...]] = {}
    ruling: tuple[RulingEntry, ...] = ()


def open_library(config: Path, language: str = "en") -> Library:
    """The rule books under a `config` folder in a language; raises `ConfigError`."""
    summaries = read_summaries(config)
    texts = read_texts(path_of(config, language))
    facts = {rule.code: rule.facts for rule in IRREGULARITIES}
    return Library(config / "rulebooks", texts, summaries, facts)


class Library:
    """The rule books of a folder, and a house's own where its file is given."""

    def __init__(
        self,
        folder: Path,
        texts: Texts,
        summaries: Mapping[str, str],
        facts: Mapping[str, Collection[str]],
    ) -> None:
        """`summaries` are the catalogue's, by the rules' ids; `facts` the ones each finding's
        rulings may ask for."""
        self._folder = folder
        self.texts = texts
        self.summaries = summaries
        self._facts = facts
        self._books: dict[str, RuleBook] = {}

    @property
    def ids(self) -> list[str]:
        """The ids of the books in the folder."""
        return sorted(path.stem for path in self._folder.glob("*.toml"))

    def title(self, book_id: str) -> str:
        """The title of a book that was asked for or is in the folder; else its id."""
        known = {book.id: book.title for book in self._books.values()}
        if book_id not in known and book_id in self.ids:
            return self.book(book_id).title
        return known.get(book_id, book_id)

    def book(self, name: str) -> RuleBook:
        """The book of this id, or of a file if `name` ends in `.toml`.

        Raises `ConfigError` for an unknown book (with the nearest id) and for any mistake
        in its file or a layer's.
        """
        if name not in self._books:
            self._books[name] = self._load(name, ())
        return self._books[name]

    def _path(self, name: str) -> Path:
        if name.endswith(".toml"):
            return Path(name)
        if name not in self.ids:
            raise ConfigError(f"unknown rule book '{name[:60]}'{nearest(name, self.ids)}")
        return self._folder / f"{name}.toml"

    def _load(self, name: str, above: tuple[str, ...]) -> RuleBook:
        path = self._path(name)
        file = convert(path, read_toml(path, may_quote=True), BookFile, _said)
        self._check(path, file)
        for below in (file.over, file.silent.advisory if file.silent else None):
            if below in (*above, name):
                raise ConfigError(f"{path}: '{below}' is laid over itself")
        lower = self._layer(path, "over", file.over, (*above, name))
        wanted = file.silent.advisory if file.silent else None
        advisory = self._layer(path, "silent.advisory", wanted, (*above, name))
        entries = file.ruling
        silence = file.silent
        if lower is not None:
            entries += tuple(
                msgspec.structs.replace(entry, cites=_filled(entry.cites, file))
                for entry in lower.entries
            )
            silence = silence or lower.silence
            advisory = advisory or lower.advisory
        if silence is None:
            raise ConfigError(f"{path}: 'silent' is missing: what applies where the book is silent")
        cut_off = file.cut_off or (lower.cut_off if lower is not None else None)
        if cut_off is None:
            raise ConfigError(f"{path}: 'cut_off' is missing: until when a misdeal can be called")
        clock = file.clock or (lower.clock if lower is not None else ClockRule())
        button = file.button or (lower.button if lower is not None else "dead")
        prompts = {} if lower is None else {n: _filled(c, file) for n, c in lower.prompts.items()}
        betting, tournament = file.betting, file.tournament
        if lower is not None:
            betting = _laid_over(file, betting, lower.betting)
            tournament = _laid_over(file, tournament, lower.tournament)
        return RuleBook(
            id=file.id,
            title=file.title if file.verified else f"{file.title} (not verified)",
            verified=file.verified and (lower is None or lower.verified),
            texts=self.texts,
            entries=entries,
            silence=silence,
            cut_off=cut_off,
            two_to_button=_first(file.two_to_button, lower.two_to_button if lower else None, True),
            clock=clock,
            button=button,
            button_stays=_first(file.button_stays, lower.button_stays if lower else None, False),
            owes_positions=_first(
                file.owes_positions, lower.owes_positions if lower else None, True
            ),
            push_begins=_first(file.push_begins, lower.push_begins if lower else None, False),
            show_order=_first(file.show_order, lower.show_order if lower else None, True),
            last_shows=_first(file.last_shows, lower.last_shows if lower else None, True),
            eagerness=_first(file.eagerness, lower.eagerness if lower else None, EAGERNESS),
            betting=betting,
            tournament=tournament,
            prompts=prompts | file.prompts,
            advisory=advisory,
        )

    def _layer(
        self, path: Path, key: str, name: str | None, above: tuple[str, ...]
    ) -> RuleBook | None:
        if name is None:
            return None
        try:
            return self._load(name, above)
        except ConfigError as error:
            if str(error).startswith("unknown rule book"):
                raise ConfigError(f"{path}: {key}: {error}") from None
            raise

    def _check(self, path: Path, file: BookFile) -> None:
        prefixes = {rule.split("-")[0] for rule in self.summaries}
        cited = [*file.fills, *(file.silent.cites if file.silent else ())]
        said = (*_said_in(file.betting).values(), *_said_in(file.tournament).values())
        cited += [rule for says in said for rule in says.cites]
        for name, rules in file.prompts.items():
            _known(str(path), "prompts", name, self.texts.prompts)
            cited += rules
        stepped = list(file.silent.steps if file.silent else ())
        for number, entry in enumerate(file.ruling, 1):
            where = f"{path}: ruling {number} ({entry.finding})"
            codes = entry.finding.split("|")
            for code in codes:
                _known(where, "finding", code, self._facts)
            _known(where, "outcome", entry.outcome, OUTCOMES)
            if not entry.steps:
                raise ConfigError(f"{where}: steps: a ruling needs at least one")
            if entry.until is not None:
                _known(where, "until", entry.until, UNTIL)
            for step in entry.steps:
                _known(where, "step", step, self.texts.steps)
            for wanted in entry.when:
                for fact in wanted.split("|"):
                    for code in codes:
                        _known(where, "when", fact, self._facts[code])
            for rule in entry.cites:
                if rule.split("-")[0] in prefixes:
                    _known(where, "cites", rule, self.summaries)
        if file.silent is not None and not stepped:
            raise ConfigError(f"{path}: silent: steps: at least one is needed")
        for step in stepped:
            _known(f"{path}: silent", "step", step, self.texts.steps)
        for rule in cited:
            if rule.split("-")[0] in prefixes:
                _known(str(path), "cites", rule, self.summaries)


def _first(own: T | None, below: T | None, default: T) -> T:
    """What a book says, else the layer below it, else what is so where neither does."""
    return own if own is not None else below if below is not None else default


def _filled(cites: tuple[str, ...], above: BookFile) -> tuple[str, ...]:
    """A lower layer's rules as the book above cites them."""
    return filled(cites, above.cite_as, above.fills)


def _laid_over(file: BookFile, own: S, lower: S) -> S:
    """What a book says, and of what it is silent the layer below."""
    filled = {
        name: msgspec.structs.replace(says, cites=_filled(says.cites, file))
        for name, says in _said_in(lower).items()
    }
    return msgspec.structs.replace(lower, **filled | _said_in(own))


def _said_in(rules: Struct) -> dict[str, Cited]:
    """What there is of them."""
    every = msgspec.structs.asdict(rules)
    return {name: says for name, says in every.items() if says is not None}


def _known(where: str, key: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ConfigError(f"{where}: unknown {key} '{name[:60]}'{nearest(name, list(names))}")


def _said(found: Misfit) -> str:
    match found:
        case Misfit(at=("button" | "cut_off" as key,), value=str(value)):
            return f"{key}: unknown value '{value[:60]}'{nearest(value, found.names)}"
        case Misfit(unknown=str(key)):
            place = " ".join(str(part + 1 if isinstance(part, int) else part) for part in found.at)
            at = f" in {place}" if place else ""
            return f"unknown key '{key}'{at}{nearest(key, found.names)}"
    return str(found)
