"""What the table reads and keeps: its deck, its rule book, its journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.install.doctor.check import Check, Probe, fail, ok, skipped, warn
from controller.install.doctor.system import Account, Node, System
from controller.library.books import open_library
from controller.storage.database import DamagedError, Database, DatabaseError, UnfitError
from controller.storage.journal import open_hand, verify
from controller.storage.opening import check
from controller.table.config import TableConfig
from controller.table.deck_file import read_deck_file
from controller.table.decks import ONLY

SUDO = "Run the doctor as root or as the service's user: sudo cutcard doctor …"


class DeckFile(Struct, frozen=True):
    """A deck's file: how many cards are in it, or what is wrong with it. No tag is here."""

    name: str
    path: str
    node: Node | None
    cards: int = 0
    fault: str = ""
    is_credential: bool = False


class JournalFile(Struct, frozen=True):
    """The journal's file; `damage` is what SQLite says, `bad_row` the chain's first bad one. One
    that `is_unfit` is a newer version's, or no journal."""

    path: str
    node: Node | None
    fault: str = ""
    damage: str = ""
    bad_row: int | None = None
    lines: int = 0
    hand: int | None = None
    is_unfit: bool = False
    is_newer: bool = False


def deck_probes(system: System, account: Account, config: TableConfig) -> list[Probe]:
    """What there is to check of the decks."""
    return [
        Probe("deck", lambda: judge_decks(decks(system, config), account)),
        Probe("decks", lambda: judge_together(config.read_decks)),
    ]


def book_probes(config: TableConfig) -> list[Probe]:
    """What there is to check of the rule book."""
    return [Probe("rule book", lambda: [judge_book(lambda: _title(config))])]


def journal_probes(system: System, account: Account, config: TableConfig) -> list[Probe]:
    """What there is to check of the journal."""
    return [
        Probe("journal", lambda: judge_journal(journal(system, config.journal), account)),
        Probe("auditor", lambda: [judge_auditor(config)]),
    ]


def decks(system: System, config: TableConfig) -> list[DeckFile]:
    """The decks' files, of which the settings may name none."""
    return [_deck(system, config, name, file) for name, file in config.decks.items()]


def judge_decks(seen: Sequence[DeckFile], account: Account) -> list[Check]:
    """Whole decks that nobody else can read."""
    if not seen:
        return [
            warn(
                "deck",
                "none: every tag counts as its own card code",
                "Register it: cutcard deck enroll --help",
            )
        ]
    return [check for deck in seen for check in _judge_deck(deck, account)]


def judge_together(read: Callable[[], object]) -> list[Check]:
    """Decks and objects among each other; what is wrong with one alone is told elsewhere.

    `read` raises ConfigError, which names no tag.
    """
    try:
        read()
    except ConfigError as error:
        if "same tag as in" in str(error) or "as well" in str(error):
            return [
                fail("decks", str(error), "Register that deck again: cutcard deck enroll --help")
            ]
    return []


def _deck(system: System, config: TableConfig, name: str, file: Path) -> DeckFile:
    node, lent = system.node(str(file)), file.parent == config.credentials
    try:
        found = read_deck_file(file)
    except ConfigError as error:
        return DeckFile(name, str(file), node, fault=str(error), is_credential=lent)
    return DeckFile(name, str(file), node, len(found), is_credential=lent)


def _judge_deck(seen: DeckFile, account: Account) -> list[Check]:
    name = "deck" if seen.name == ONLY else f"deck {seen.name}"
    if seen.fault:
        if seen.node is not None and seen.fault.endswith("Permission denied"):
            return [skipped(name, seen.fault, SUDO)]
        return [fail(name, seen.fault, "Fix it, or register the deck: cutcard deck enroll --help")]
    checks = [ok(name, f"{seen.cards} tags, each for a card of its own")]
    if seen.node is None:
        return checks
    if seen.node.mode & 0o077:
        checks.append(
            fail(
                f"{name}'s file",
                f"others can read which tag is which card (mode {seen.node.mode:04o})",
                f"sudo chmod 600 {seen.path}",
            )
        )
    elif not seen.is_credential and not account.may(seen.node, 0o4):
        checks.append(
            fail(
                f"{name}'s file",
                f"{account.user} can't read it: it is {seen.node.owner}'s",
                f"sudo chown {account.user} {seen.path}",
            )
        )
    else:
        found = f"for {seen.node.owner} alone (mode {seen.node.mode:04o})"
        checks.append(ok(f"{name}'s file", found))
    return checks


def judge_book(read: Callable[[], str]) -> Check:
    """`read` gives the book's title or raises ConfigError."""
    try:
        return ok("rule book", read())
    except ConfigError as error:
        return fail("rule book", str(error), "Fix it, or name another in [table] rulebook.")


def journal(system: System, path: Path) -> JournalFile:
    """The journal's file, read beside the service: nothing is written and nobody waits."""
    node = system.node(str(path))
    if node is None:
        return JournalFile(str(path), None)
    try:
        with closing(Database(path, read_only=True)) as database:
            check(database)
            bad, hand = verify(path), open_hand(path)
            [[lines]] = database.rows("SELECT count(*) FROM observations")
        return JournalFile(str(path), node, bad_row=bad, lines=lines, hand=hand)
    except DamagedError as error:
        return JournalFile(str(path), node, damage=str(error).removeprefix(f"{path}: "))
    except DatabaseError as error:
        fault = str(error).removeprefix(f"{path}: ")
        is_unfit = isinstance(error, UnfitError)
        is_newer = isinstance(error, UnfitError) and error.is_newer
        return JournalFile(str(path), node, fault, is_unfit=is_unfit, is_newer=is_newer)


def judge_journal(seen: JournalFile, account: Account) -> list[Check]:
    """A journal that opens, is whole and belongs to the table. None is ever moved away by hand: a
    table that begins without it numbers its hands from 1."""
    if seen.node is None:
        return [ok("journal", f"{seen.path} will be created at the first start")]
    if seen.damage:
        return [
            fail(
                "journal",
                "its file is damaged",
                "Start the table: it keeps the file beside a new one, whose numbers go on",
            )
        ]
    if seen.fault:
        is_shut = "opened" in seen.fault and account.user != "root"
        return [(skipped if is_shut else fail)("journal", seen.fault, _what_to_do(seen))]
    if seen.bad_row is not None:
        return [
            fail(
                "journal",
                f"line {seen.bad_row} is not as it was written: somebody or something changed it",
                f"Keep it for whoever investigates: sudo cp -p {seen.path} {seen.path}.bad",
            )
        ]
    found = f"{seen.lines} lines, complete and unchanged"
    checks = [ok("journal", found if seen.hand is None else f"{found}; hand {seen.hand} is open")]
    if not account.may(seen.node):
        checks.append(
            fail(
                "journal's file",
                f"{account.user} may not write it: it is {seen.node.owner}'s",
                f"sudo chown {account.user} {seen.path}*",
            )
        )
    return checks


def _what_to_do(seen: JournalFile) -> str:
    if not seen.is_unfit:
        return SUDO
    if seen.is_newer:
        return "Install the version that wrote it again, or a newer one"
    return "Give the table a file of its own: [journal] path in its settings"


def judge_auditor(config: TableConfig) -> Check:
    """A table whose true record is sealed for somebody."""
    if config.auditor is None:
        return warn(
            "auditor",
            "none: what was really dealt is sealed for nobody",
            "If the house has one: cutcard audit keygen --help",
        )
    return ok("auditor", f"sealed to a key; {config.keep_sealed:,} hands are kept")


def _title(config: TableConfig) -> str:
    library = open_library(config_dir(), config.table.language)
    return library.book(config.table.rulebook).title
