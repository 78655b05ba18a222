"""What a tap does while it is asked what an action amounted to. Pure.

What was seen is put together here and sent; what it amounts to says the table.
"""

from __future__ import annotations

from typing import get_args

from msgspec import to_builtins
from msgspec.structs import replace

from controller.contract.view import TableView
from controller.contract.wagered import (
    MOST_CHIPS,
    MOST_MOTIONS,
    First,
    Judged,
    Option,
    WagerAnswer,
    WagerQuestion,
    Word,
)
from display.dealer.looking import NOTHING_SEEN, Line, Looking

ANSWERED = frozenset(("wager-answer", "wager-why", "wager-otherwise"))
OF_A_WAGER = ANSWERED | {*("wager", "wager-chip", "wager-amount")}
ORDERS: tuple[First, ...] = get_args(First)
ALSO = ("unclear", "mistaken", "unaware", "running", "pulled_back")
"""What else may have been so, by the names that it has in a question."""
OF_A_SHORT_CALL = ("mistaken", "unaware", "running")
_SHORT = frozenset(("under-call", "tiny", "mistaken", "accepted", "unaware", "running"))
"""Why chips are judged that do not make up a call."""
_WORDS: tuple[Word, ...] = get_args(Word)
ENTERED = frozenset(("fold", "check", "call", "bet", "raise", "all-in"))


def asked(wager: WagerQuestion) -> WagerQuestion:
    """Return what was seen without a motion that has no chips."""
    return replace(wager, motions=tuple(filter(None, wager.motions)))


def has_been_seen(wager: WagerQuestion) -> bool:
    """Tell whether there is anything to be judged."""
    return bool(wager.word or wager.amount or any(wager.motions) or wager.pulled_back)


def answer_to(looking: Looking, view: TableView | None) -> WagerAnswer | None:
    """Return the table's answer to what was asked, once it is there."""
    answer = view.answer if view is not None else None
    if answer is None or answer.question != asked(looking.wager):
        return None
    return answer


def has_an_order(wager: WagerQuestion) -> bool:
    """Tell whether words and chips came one after the other, or together."""
    return bool((wager.word or wager.amount) and any(wager.motions))


def may_matter(wager: WagerQuestion, answer: WagerAnswer) -> tuple[str, ...]:
    """Return what else may have been so that this answer depends on."""
    unclear = ("unclear",) if wager.amount else ()
    judged = answer.judged
    if judged is None:
        return unclear
    if wager.word == "call":
        is_call = judged.kind == "call" or judged.why in _SHORT
        return (*unclear, *(("mistaken",) if is_call else ()))
    return (*unclear, *(OF_A_SHORT_CALL if judged.why in _SHORT else ()))


def cited(answer: WagerAnswer) -> tuple[str, ...]:
    """Return the rules of the answer, or of a silence, then those of an advice; each once."""
    own = (*answer.judged.cites, *answer.silence) if answer.judged is not None else ()
    advised = answer.advice.cites if answer.advice is not None else ()
    return tuple(dict.fromkeys((*own, *advised)))


def may_be_entered(judged: Judged) -> tuple[Option, ...]:
    """Return what may be entered without anybody's decision: what it is, or what the player says;
    what is for the floor is not among it."""
    if judged.kind is not None:
        options: tuple[Option, ...] = (Option(judged.kind, judged.to),)
    else:
        options = judged.options if judged.asks == "player" else ()
    return tuple(one for one in options if one.kind in ENTERED)


def tapped_in_wager(
    looking: Looking, view: TableView | None, button: str
) -> tuple[Looking, Line | None] | None:
    """Return the next state and what is sent; None where the button is not of this."""
    if button == "what-is-it" and looking.asking == "seat":
        fresh = replace(NOTHING_SEEN, seat=looking.seat)
        return replace(looking, asking="wager", typed="", wager=fresh), None
    if looking.asking not in OF_A_WAGER:
        return None
    match button.split(":"):
        case ["cancel"] if looking.asking in ("wager-chip", "wager-amount"):
            return _back(looking), None
        case ["cancel"] if looking.asking in ("wager-why", "wager-otherwise"):
            return replace(looking, asking="wager-answer"), None
        case ["said", "amount"]:
            return replace(looking, asking="wager-amount", typed=""), None
        case ["said", word] if word in _WORDS:
            return replace(looking, wager=_with_word(looking.wager, word)), None
        case ["other-chip"]:
            return replace(looking, asking="wager-chip", typed=""), None
        case ["key", "chip", value]:
            return replace(looking, wager=_with_chip(looking.wager, int(value))), None
        case ["second-motion"] if any(looking.wager.motions):
            return replace(looking, wager=_with_motion(looking.wager)), None
        case ["erase"] if looking.asking == "wager":
            return replace(looking, wager=_without_last(looking.wager)), None
        case ["enter"] if looking.asking == "wager-chip" and looking.typed:
            chip = _with_chip(looking.wager, int(looking.typed))
            return replace(_back(looking), wager=chip), None
        case ["and-chips"] if looking.typed:
            return replace(_back(looking), wager=_with_amount(looking)), None
        case ["ask"] if looking.asking == "wager-amount" and looking.typed:
            return _ask(replace(looking, typed="", wager=_with_amount(looking)))
        case ["ask"] if has_been_seen(looking.wager):
            return _ask(looking)
        case ["otherwise"]:
            return replace(looking, asking="wager-otherwise"), None
        case ["first", first] if first in ORDERS:
            return _ask(replace(looking, wager=replace(looking.wager, first=first)))
        case ["also", also] if also in ALSO:
            so = replace(looking.wager, **{also: not getattr(looking.wager, also)})
            if looking.asking == "wager":
                return replace(looking, wager=so), None
            return _ask(replace(looking, wager=so))
        case ["change"]:
            plain = dict.fromkeys(("unclear", *OF_A_SHORT_CALL), False)
            return _back(replace(looking, wager=replace(looking.wager, **plain))), None
        case ["wager-why"]:
            return replace(looking, asking="wager-why"), None
        case ["enter-it", at]:
            return _entered(looking, view, int(at))
    return None


def _back(looking: Looking) -> Looking:
    return replace(looking, asking="wager", typed="")


def _ask(looking: Looking) -> tuple[Looking, Line]:
    line: Line = to_builtins(asked(looking.wager))
    return replace(looking, asking="wager-answer"), line


def _entered(
    looking: Looking, view: TableView | None, at: int
) -> tuple[Looking, Line | None] | None:
    """The seat's own entry; an all-in of which nobody knows how much it is asks for that."""
    answer = answer_to(looking, view)
    options = () if answer is None or answer.judged is None else may_be_entered(answer.judged)
    if at >= len(options):
        return None
    one, seat = options[at], looking.seat
    known = {each.seat: each.stack for each in view.seats} if view is not None else {}
    line: Line = {"kind": "press", "seat": seat, "button": one.kind, "by": "dealer"}
    if one.kind == "all-in" and known.get(seat) is None:
        if one.to is None:
            return replace(looking, asking="amount", act=one.kind, typed=""), None
        line["amount"] = one.to
    elif one.kind in ("bet", "raise"):
        line["amount"] = one.to
    done = replace(looking, asking="", seat=0, typed="", wager=NOTHING_SEEN, undoable=True)
    return done, line


def _with_word(wager: WagerQuestion, word: Word) -> WagerQuestion:
    """A second tap takes the word back. Who says something after chips says it second."""
    taken = "" if wager.word == word else word
    return _in_order(wager, replace(wager, word=taken))


def _with_amount(looking: Looking) -> WagerQuestion:
    return _in_order(looking.wager, replace(looking.wager, amount=int(looking.typed)))


def _in_order(before: WagerQuestion, now: WagerQuestion) -> WagerQuestion:
    if not (now.word or now.amount):
        return replace(now, first="words")
    if before.word or before.amount:
        return now
    return replace(now, first="chips" if any(now.motions) else "words")


def _with_chip(wager: WagerQuestion, chip: int) -> WagerQuestion:
    *motions, last = wager.motions or ((),)
    if len(last) == MOST_CHIPS:
        return wager
    return replace(wager, motions=(*motions, (*last, chip)))


def _with_motion(wager: WagerQuestion) -> WagerQuestion:
    if len(wager.motions) == MOST_MOTIONS or not wager.motions[-1]:
        return wager
    return replace(wager, motions=(*wager.motions, ()))


def _without_last(wager: WagerQuestion) -> WagerQuestion:
    """Without what came last: a chip or an empty motion, else an amount, else a word, else what was
    pulled back."""
    said_last = wager.first == "chips" and (wager.word or wager.amount)
    if wager.motions and not said_last:
        *motions, last = wager.motions
        return replace(wager, motions=(*motions, last[:-1]) if len(last) > 1 else tuple(motions))
    if not (wager.word or wager.amount):
        return replace(wager, pulled_back=False)
    less = replace(wager, amount=None) if wager.amount else replace(wager, word="")
    return _in_order(wager, less)
