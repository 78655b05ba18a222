"""What an action amounts to under a book, whoever asks: the command or the room's page. Pure."""

from __future__ import annotations

from msgspec import Struct

from controller.contract.wagered import Judged
from controller.rules.asked import by_book
from controller.rules.rulebook import RuleBook
from controller.rules.wager import Facing, Wager, after

USUAL_BOOK = "uk-tda"
"""By which is judged where nobody says otherwise."""


class Answer(Struct, omit_defaults=True):
    """What was judged, by which book, what comes next, and where the book is silent the advice of
    the one that it names for that."""

    rulebook: str
    judged: Judged
    next_bet: int | None = None
    next_least: int | None = None
    advice: Judged | None = None


def answered(book: RuleBook, facing: Facing, wager: Wager) -> Answer:
    """What `wager` amounts to for a player who faces this."""
    judged, advice = by_book(book, facing, wager)
    bet, least = after(facing, judged) or (None, None)
    return Answer(book.id, judged, bet, least, advice)


def usual_increment(big: int, bet: int) -> int:
    """What a bet raised by where that is not said: all of it, if nobody raised it."""
    return max(big, bet)
