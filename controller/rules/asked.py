"""What an action amounts to by a book, whoever asks: the command, the room's page, or a dealer for
a seat of the running hand."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.wagered import Judged, WagerAnswer, WagerQuestion
from controller.rules.betting import Betting
from controller.rules.facing import Facing, Wager
from controller.rules.rulebook import RuleBook
from controller.rules.wager import after, judge


class Ruled(Struct, frozen=True, omit_defaults=True):
    """What was judged, by which book, what comes next, and where the book is silent the advice of
    the one that it names for that, if that one is not."""

    rulebook: str
    judged: Judged
    next_bet: int | None = None
    next_least: int | None = None
    advice: Judged | None = None


def ruled(book: RuleBook, facing: Facing, wager: Wager) -> Ruled:
    """What `wager` amounts to for a player who faces this."""
    judged, advice = judge(book.betting, facing, wager), None
    if not judged.cites and book.advisory is not None:
        advised = judge(book.advisory.betting, facing, wager)
        advice = advised if advised.cites else None
    bet, least = after(facing, judged) or (None, None)
    return Ruled(book.id, judged, bet, least, advice)


def answered(
    book: RuleBook, betting: Betting | None, question: WagerQuestion, *, cash: bool = False
) -> WagerAnswer:
    """What a dealer is answered; `betting` is None while nobody is to act, `cash`: it is no
    tournament."""
    player = None if betting is None else betting.players.get(question.seat)
    if betting is None or player is None or player.folded or player.all_in:
        return WagerAnswer(question, book.id, unknown="turn")
    facing = faced(betting, question.seat)
    if facing is None:
        return WagerAnswer(question, book.id, unknown="bet")
    facing = replace(facing, cash=cash)
    wager = Wager(
        word=question.word,
        amount=question.amount,
        unclear=question.unclear,
        motions=question.motions,
        first=question.first,
        mistaken=question.mistaken,
        unaware=question.unaware,
        running=question.running,
        pulled_back=question.pulled_back,
    )
    found = ruled(book, facing, wager)
    return WagerAnswer(
        question,
        book.id,
        found.judged,
        next_bet=found.next_bet,
        next_least=found.next_least,
        silence=() if found.judged.cites else book.silence.cites,
        advisory=book.advisory.id if found.advice is not None and book.advisory is not None else "",
        advice=found.advice,
    )


def faced(betting: Betting, seat: int) -> Facing | None:
    """What a seat faces now; None where the bet, the last raise or what the seat has in is not
    known."""
    player, bet, increment = betting.players[seat], betting.to_call, betting.increment
    if bet is None or increment is None or player.vague:
        return None
    before = betting.before[0] if betting.bettor is not None else None
    raised = None if before is None else bet - before
    players = betting.players.values()
    return Facing(
        big=betting.big,
        bet=bet,
        increment=increment,
        last=raised if raised is not None and 0 < raised < increment else None,
        own=player.bet,
        behind=player.behind,
        is_opening=betting.bettor is None or before == 0,
        heads_up=len(betting.live) == 2,
        may_raise=betting.is_open_to(seat),
        pot=None if any(one.vague for one in players) else sum(one.paid for one in players),
    )
