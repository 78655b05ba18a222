"""`cutcard rules`: what the books say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from textwrap import fill

import msgspec

from controller.contract.observations import nearest
from controller.contract.texts import blanked
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import Library, open_library
from controller.library.catalogue import read_catalogue
from controller.library.citations import read_citations
from controller.process.arguments import ArgumentParser
from controller.rule_desk import bet
from controller.rule_desk.coverage import STATES, Counted, counted, met_by
from controller.rule_desk.search import Found, RuleDesk

_USER_MISTAKE = 2
_MOST = 20
_WIDTH = 100

EPILOG = """\
examples:
  cutcard rules string bet
  cutcard rules UK-42A RR7-NL-13
  cutcard rules four-card-flop --book tda-2009
  cutcard rules check our-house.toml
  cutcard rules bet --help
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, 1 where nothing was found, or 2 for a mistake of
    the user's."""
    try:
        match argv:
            case ["bet", *rest]:
                return bet.run(rest)
            case ["check", *rest]:
                return _check(rest)
            case _ if "--coverage" in argv:
                return _cover(argv)
            case _:
                return _find(argv)
    except ConfigError as error:
        sys.stderr.write(f"cutcard rules: {error}\n")
        return _USER_MISTAKE


def _check(argv: Sequence[str]) -> int:
    parser = ArgumentParser(
        prog="cutcard rules check",
        description="Check a house's own rule book: what is wrong, with file, place and key.",
    )
    parser.add_argument("file", help="such as our-house.toml")
    name: str = parser.parse_args(argv).file
    book = open_library(config_dir()).book(name if name.endswith(".toml") else f"./{name}")
    sys.stdout.write(f"{name}: {book.title} ({book.id}), {len(book.entries)} rulings: well\n")
    return 0


def _cover(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    library = open_library(config_dir())
    _check_book(options.book, library)
    rules = [
        rule for rule in read_catalogue(config_dir()).values() if options.book in (None, rule.book)
    ]
    found = counted(rules, met_by())
    if options.json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        sys.stdout.write(table(found, library))
    return 0


def table(found: Sequence[Counted], library: Library) -> str:
    """These figures as a table, with their sums below each book and at the end."""
    rows = []
    for book in dict.fromkeys(each.book for each in found):
        of = [each for each in found if each.book == book]
        rows += [_row(library.title(book), each.category, [each]) for each in of]
        rows.append(_row(library.title(book), "all", of))
    if len({each.book for each in found}) > 1:
        rows.append(_row("all books", "all", found))
    lines = [["book", "category", "rules", *STATES], ["---"] * (3 + len(STATES)), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(book: str, category: str, of: Sequence[Counted]) -> list[str]:
    sums = [sum(each.states[state] for each in of) for state in STATES]
    return [book, category, *(str(number) for number in (sum(sums), *sums))]


def _check_book(book: str | None, library: Library) -> None:
    if book is not None and book not in library.ids:
        raise ConfigError(f"unknown rule book '{book[:60]}'{nearest(book, library.ids)}")


def _find(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    library = open_library(config_dir())
    book: str | None = options.book
    _check_book(book, library)
    citations = read_citations(config_dir()).values()
    desk = RuleDesk(read_catalogue(config_dir()), citations, met_by())
    found = desk.find(options.words, book)
    if options.json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        most = None if options.all or not options.words else _MOST
        _print(found, library, most)
    return 0 if found else 1


def _print(found: Sequence[Found], library: Library, most: int | None) -> None:
    if not found:
        sys.stderr.write("cutcard rules: no rule has these words\n")
    for one in found[:most]:
        rule = one.rule
        place = f"{library.title(rule.book)}, {rule.section}"
        lines = [f"{rule.id}  {place}{f', {rule.rule_no}' if rule.rule_no else ''}"]
        lines.append(_set_in(rule.summary))
        lines += [_set_in(f"{other.rules}: {other.how}", "  but ") for other in one.differs]
        if one.findings:
            titles = (library.texts.findings[code] for code in one.findings)
            lines.append(_set_in(", ".join(titles), "  decides: "))
        if one.prompts:
            said = (blanked(library.texts.prompts[text_id]) for text_id in one.prompts)
            lines.append(_set_in(" · ".join(said), "  is told: "))
        if one.met is not None:
            why = one.met.decided or one.met.why
            lines.append(_set_in(f"{one.met.state}{f': {why}' if why else ''}", "  here: "))
        sys.stdout.write("\n".join(lines) + "\n")
    if most is not None and len(found) > most:
        sys.stdout.write(f"and {len(found) - most} more: --all prints them\n")


def _set_in(text: str, head: str = "  ") -> str:
    return fill(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard rules",
        usage="cutcard rules [-h] [--book BOOK] [--json] [--all] [WORD ...]\n"
        "       cutcard rules --coverage [--book BOOK] [--json]\n"
        "       cutcard rules bet ...\n"
        "       cutcard rules check FILE",
        description="What the rule books say, by words, rules' ids or findings' codes.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="words, ids or codes")
    parser.add_argument("--book", help="the rules of one book")
    parser.add_argument("--json", action="store_true", help="as one line of JSON")
    parser.add_argument(
        "--coverage", action="store_true", help="how many rules are met, and how, by book"
    )
    parser.add_argument("--all", action="store_true", help=f"more than the first {_MOST}")
    return parser
