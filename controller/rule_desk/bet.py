"""`cutcard rules bet`: what an action amounts to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.library.languages import PATTERN, section
from controller.process.arguments import ArgumentParser
from controller.rule_desk.typed import USUAL_BOOK, TypedError, amount, chips, said, usual_increment
from controller.rule_desk.wager_words import Words, told
from controller.rules.asked import ruled
from controller.rules.facing import Facing, Wager

T = TypeVar("T")

EPILOG = """\
examples:
  cutcard rules bet --big 500 --facing 1100 --raised-by 600 --chips 1000,5x100
  cutcard rules bet --big 100 --facing 400 --say "raise" --chips 1000
  cutcard rules bet --book roberts --big 100 --facing 1000 --chips 500,500 --then 1000
"""


def run(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status. Raises ConfigError for an unknown book."""
    options = _parser().parse_args(argv)
    library = open_library(config_dir(), options.language)
    book = library.book(options.book)
    facing = Facing(
        big=options.big,
        bet=options.facing,
        increment=options.raised_by or usual_increment(options.big, options.facing),
        last=options.last,
        own=options.own,
        behind=options.stack,
        is_opening=options.opening,
        heads_up=options.heads_up,
        may_raise=not options.closed,
        pot=options.pot,
        cash=options.cash,
    )
    word, named = options.say
    wager = Wager(
        word=word,
        amount=named,
        unclear=options.unclear,
        motions=tuple(motion for motion in (options.chips, *options.then) if motion),
        first=options.first,
        meant=options.meant,
        mistaken=options.mistaken,
        unaware=options.unaware,
        running=options.running,
        pulled_back=options.pulled_back,
        lying=options.lying,
    )
    found = ruled(book, facing, wager)
    if options.json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return 0
    texts, screen = (section(config_dir(), options.language, each) for each in ("wager", "screen"))
    words = Words(texts, library.summaries, screen["thousands"])
    sys.stdout.write("\n".join(told(words, book, found).lines) + "\n")
    return 0


def _typed(read: Callable[[str], T]) -> Callable[[str], T]:
    """The same for the parser: what is wrong with it is told in our words."""

    def parse(text: str) -> T:
        try:
            return read(text)
        except TypedError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parse


_amount, _chips, _said = _typed(amount), _typed(chips), _typed(said)


def _parser() -> ArgumentParser:
    bet = ArgumentParser(
        prog="cutcard rules bet",
        description="What an action amounted to, by the rule book: words, chips, motions.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    bet.add_argument("--book", default=USUAL_BOOK, help="the rule book (default: %(default)s)")
    bet.add_argument("--language", default=PATTERN, help="of the answer (default: %(default)s)")
    bet.add_argument("--json", action="store_true", help="as one line of JSON")
    faced = bet.add_argument_group("what the player faces")
    faced.add_argument("--big", type=_amount, required=True, help="the big blind")
    faced.add_argument("--facing", type=_amount, default=0, help="the bet, blinds included")
    faced.add_argument("--raised-by", type=_amount, help="the last full bet or raise of the round")
    faced.add_argument("--last", type=_amount, help="what a short all-in raised by since then")
    faced.add_argument("--own", type=_amount, default=0, help="what the player has in already")
    faced.add_argument("--stack", type=_amount, help="what the player has behind")
    faced.add_argument("--pot", type=_amount, help="all that is in, for an unclear amount")
    faced.add_argument("--opening", action="store_true", help="the round's first bet")
    faced.add_argument("--heads-up", action="store_true", help="two players are left")
    faced.add_argument("--closed", action="store_true", help="the player may not raise again")
    faced.add_argument("--cash", action="store_true", help="in a cash game")
    done = bet.add_argument_group("what the player did")
    done.add_argument("--say", type=_said, default=("", None), help='"raise", "500", "raise 500"')
    done.add_argument("--chips", type=_chips, default=(), help="in one motion: 1000,5x100")
    done.add_argument("--then", type=_chips, action="append", default=[], help="in another one")
    done.add_argument("--first", choices=("words", "chips", "together"), default="words")
    done.add_argument("--meant", choices=("call", "raise"), default="", help="as was asked")
    done.add_argument("--unclear", action="store_true", help='the amount is like "five"')
    done.add_argument("--unaware", action="store_true", help="did not know of a raise")
    done.add_argument("--mistaken", action="store_true", help="wrong about what the bet was")
    done.add_argument("--running", action="store_true", help="right after another short call")
    done.add_argument("--pulled-back", action="store_true", help="chips of an earlier bet")
    done.add_argument("--lying", type=_chips, default=(), help="chips of it that lie there still")
    return bet
