"""`cutcard rules bet`: what an action amounts to."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import get_args

import msgspec

from controller.contract.wagered import Judged, Word
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.library.languages import PATTERN, section
from controller.process.arguments import ArgumentParser
from controller.rule_desk.wager_words import Words, answer
from controller.rules.asked import by_book
from controller.rules.wager import Facing, Wager, after

_AMOUNT = re.compile(r"[0-9][0-9,]*")

EPILOG = """\
examples:
  cutcard rules bet --big 500 --facing 1100 --raised-by 600 --chips 1000,5x100
  cutcard rules bet --big 100 --facing 400 --say "raise" --chips 1000
  cutcard rules bet --book roberts --big 100 --facing 1000 --chips 500,500 --then 1000
"""


class Answer(msgspec.Struct, omit_defaults=True):
    """What `--json` prints: what was judged, by which book, what comes next, and where the book is
    silent the advice of the one that it names for that."""

    rulebook: str
    judged: Judged
    next_bet: int | None = None
    next_least: int | None = None
    advice: Judged | None = None


def run(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status. Raises ConfigError for an unknown book."""
    options = _parser().parse_args(argv)
    library = open_library(config_dir(), options.language)
    book = library.book(options.book)
    facing = Facing(
        big=options.big,
        bet=options.facing,
        increment=options.raised_by or _first_increment(options),
        last=options.last,
        own=options.own,
        behind=options.stack,
        is_opening=options.opening,
        heads_up=options.heads_up,
        may_raise=not options.closed,
        pot=options.pot,
    )
    word, amount = options.say
    wager = Wager(
        word=word,
        amount=amount,
        unclear=options.unclear,
        motions=tuple(motion for motion in (options.chips, *options.then) if motion),
        first=options.first,
        meant=options.meant,
        mistaken=options.mistaken,
        pulled_back=options.pulled_back,
    )
    judged, advice = by_book(book, facing, wager)
    if options.json:
        bet, least = after(facing, judged) or (None, None)
        said = Answer(book.id, judged, bet, least, advice)
        sys.stdout.write(msgspec.json.encode(said).decode() + "\n")
        return 0
    words = Words(section(config_dir(), options.language, "wager"), library.summaries)
    sys.stdout.write("\n".join(answer(words, book, facing, judged, advice)) + "\n")
    return 0


def _first_increment(options: argparse.Namespace) -> int:
    """What a bet raised by where that is not said: all of it, if nobody raised it."""
    return max(int(options.big), int(options.facing))


def _chips(text: str) -> tuple[int, ...]:
    """`1000,5x100` as chips by their values."""
    found: list[int] = []
    for part in text.split(","):
        count, by, value = part.strip().lower().rpartition("x")
        if not value.isdigit() or not int(value) or (by and not count.isdigit()):
            raise argparse.ArgumentTypeError(
                f"{part.strip()!r} is no chip: write 1000, or 5x100 for five of them"
            )
        found += [int(value)] * (int(count) if by else 1)
    return tuple(found)


def _said(text: str) -> tuple[Word, int | None]:
    """`raise 1,500` as a word and an amount, each of which may be missing."""
    words = text.lower().split()
    amounts = [int(one.replace(",", "")) for one in words if _AMOUNT.fullmatch(one)]
    known: tuple[Word, ...] = get_args(Word)
    named = [one for one in words if not _AMOUNT.fullmatch(one)]
    if len(amounts) > 1 or len(named) > 1 or (named and named[0] not in known):
        listed = ", ".join(word for word in known if word)
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {listed}, an amount, or both")
    word: Word = next((word for word in known if word and word in named), "")
    return word, amounts[0] if amounts else None


def _count(text: str) -> int:
    if not _AMOUNT.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of chips")
    return int(text.replace(",", ""))


def _parser() -> ArgumentParser:
    bet = ArgumentParser(
        prog="cutcard rules bet",
        description="What an action amounted to, by the rule book: words, chips, motions.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    bet.add_argument("--book", default="uk-tda", help="the rule book (default: %(default)s)")
    bet.add_argument("--language", default=PATTERN, help="of the answer (default: %(default)s)")
    bet.add_argument("--json", action="store_true", help="as one line of JSON")
    faced = bet.add_argument_group("what the player faces")
    faced.add_argument("--big", type=_count, required=True, help="the big blind")
    faced.add_argument("--facing", type=_count, default=0, help="the bet, blinds included")
    faced.add_argument("--raised-by", type=_count, help="the last full bet or raise of the round")
    faced.add_argument("--last", type=_count, help="what a short all-in raised by since then")
    faced.add_argument("--own", type=_count, default=0, help="what the player has in already")
    faced.add_argument("--stack", type=_count, help="what the player has behind")
    faced.add_argument("--pot", type=_count, help="all that is in, for an unclear amount")
    faced.add_argument("--opening", action="store_true", help="the round's first bet")
    faced.add_argument("--heads-up", action="store_true", help="two players are left")
    faced.add_argument("--closed", action="store_true", help="the player may not raise again")
    done = bet.add_argument_group("what the player did")
    done.add_argument("--say", type=_said, default=("", None), help='"raise", "500", "raise 500"')
    done.add_argument("--chips", type=_chips, default=(), help="in one motion: 1000,5x100")
    done.add_argument("--then", type=_chips, action="append", default=[], help="in another one")
    done.add_argument("--first", choices=("words", "chips", "together"), default="words")
    done.add_argument("--meant", choices=("call", "raise"), default="", help="as was asked")
    done.add_argument("--unclear", action="store_true", help='the amount is like "five"')
    done.add_argument("--mistaken", action="store_true", help="wrong about what the bet was")
    done.add_argument("--pulled-back", action="store_true", help="chips of an earlier bet")
    return bet
