"""What an action amounted to: words, chips and motions made into an amount, by a book's rules.

Pure, and of nothing but what it is told: the betting of a hand is `betting`. Sources: UK-36 to
UK-51, TDA09-29 to -33, RR7-NL-8 to -13 and RR7-T-24, NL10-BET-07 to -10 and NL10-HR-13; where they
differ each book has its own data (`betting_rules`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from controller.contract.wagered import Judged, Kind, Option
from controller.rules.betting_rules import BettingRules, Cited, Says
from controller.rules.facing import Facing, Wager

TINY = 20
"""A single chip of that part of what a call costs, or of less, is next to nothing (UK-40: 1,000
facing 50,000)."""
READINGS = 2


def judge(rules: BettingRules, facing: Facing, wager: Wager) -> Judged:
    """What `wager` amounts to under `rules`, for a player who faces this."""
    lies = sum(wager.lying)
    if 0 < lies < facing.own and wager.word == "fold":
        return _judge(rules, facing, replace(wager, pulled_back=True))
    if wager.motions and lies and (lies != facing.own or lies >= facing.bet):
        return _with_what_lies(rules, facing, wager)
    judged = _judge(rules, facing, wager)
    if judged.kind in (None, "fold", "check") or judged.to is None:
        return judged
    lay = 0 if wager.pulled_back else facing.own
    return replace(judged, back=max(0, wager.pushed - max(0, judged.to - lay)))


def _with_what_lies(rules: BettingRules, facing: Facing, wager: Wager) -> Judged:
    """TDA24-46C2: the chips of an earlier bet and the new ones are one bet; where no rule says so
    the floor decides whether they are."""
    anew = replace(facing, own=0, behind=_plus(facing.behind, facing.own))
    first, *more = wager.motions
    alone = replace(wager, pulled_back=False, lying=())
    judged = judge(rules, anew, replace(alone, motions=((*wager.lying, *first), *more)))
    if rules.together is not None:
        return replace(judged, cites=(*rules.together.cites, *judged.cites))
    instead = judge(rules, anew, alone)
    if (judged.kind, judged.to) == (instead.kind, instead.to):
        return judged
    return _floor("prior", _options((judged, instead)), rules.prior)


def after(facing: Facing, judged: Judged) -> tuple[int, int] | None:
    """What is to be matched once it is so, and the least raise over that; None while it is open."""
    if judged.kind is None:
        return None
    to = judged.to or 0
    if to <= facing.bet:
        return facing.bet, facing.least
    return to, to + max(to - facing.bet, facing.full)


def _judge(rules: BettingRules, facing: Facing, wager: Wager) -> Judged:
    has_words = bool(wager.word) or wager.amount is not None
    if wager.pulled_back:
        pulled = _pulled_back(rules, facing, wager)
        if pulled is not None:
            return pulled
        facing = replace(facing, own=0, behind=_plus(facing.behind, facing.own))
    if has_words and wager.motions:
        if rules.clash is None:
            return _floor("clash", _options(_apart(rules, facing, wager)), None)
        if wager.first == "together" and rules.disagree is not None:
            return _at_once(rules, facing, wager, rules.disagree)
        if not _words_count(rules.clash, wager):
            wager = replace(wager, word="", amount=None)
            has_words = False
    return _said(rules, facing, wager) if has_words else _silent(rules, facing, wager)


def _at_once(rules: BettingRules, facing: Facing, wager: Wager, says: Cited) -> Judged:
    """TDA24-40A2: the floor, and first what TDA24-40A1 prefers."""
    words, chips = _apart(rules, facing, wager)
    is_one = wager.word in ("bet", "raise") and wager.amount is None
    if is_one or (words.kind, words.to) == (chips.kind, chips.to):
        return _judge(rules, facing, replace(wager, first="words"))
    both = (chips, words) if wager.unclear else (words, chips)
    return _floor("clash", _options(both), says)


def _apart(rules: BettingRules, facing: Facing, wager: Wager) -> tuple[Judged, Judged]:
    """What the words alone would be, and the chips."""
    words = _judge(rules, facing, replace(wager, motions=()))
    return words, _judge(rules, facing, replace(wager, word="", amount=None))


def _words_count(clash: Says[Literal["first", "words"]], wager: Wager) -> bool:
    """UK-36A: the first of the two, and of both at once the words if they are clear."""
    if clash.way == "words" or wager.first == "words":
        return True
    return wager.first == "together" and not wager.unclear


# --- words ------------------------------------------------------------------------------------


def _said(rules: BettingRules, facing: Facing, wager: Wager) -> Judged:
    cites = _of(rules.declared)
    match wager.word:
        case "fold":
            return Judged("fold", why="said", cites=cites)
        case "check" if facing.need:
            options = (Option("call", facing.bet), Option("fold"))
            if rules.misnamed is None:
                return _floor("check-facing", options, None)
            cites = rules.misnamed.cites
            return Judged(None, why="check-facing", cites=cites, options=options, asks="player")
        case "check":
            return Judged("check", facing.own, why="said", cites=cites)
        case "call" if not facing.need:
            cites = _of(rules.misnamed or rules.declared)
            return Judged("check", facing.own, why="nothing-to-call", cites=cites)
        case "call" if wager.mistaken and rules.mistaken is not None:
            return _mistaken(rules.mistaken, facing, sum(map(sum, wager.motions)))
        case "call":
            return _call(facing, "said", cites)
        case "all-in" if _is_shut(facing) and (facing.most is None or facing.most > facing.bet):
            return _not_open(rules, facing)
        case "all-in":
            return Judged("all-in", facing.most, why="said", cites=cites)
        case "pot":
            return _pot(rules, facing)
        case _ if wager.amount is None:
            return _raise_by_chips(rules, facing, wager)
        case _:
            return _amount(rules, facing, wager, wager.amount)


def _amount(rules: BettingRules, facing: Facing, wager: Wager, amount: int) -> Judged:
    if wager.unclear and wager.word in ("bet", "raise") and _is_shut(facing):
        return _not_open(rules, facing)
    if wager.unclear:
        return _unclear(rules, facing, amount)
    if wager.word:
        cites = _of(rules.total or rules.declared)
        if wager.word == "raise" and not facing.bet:
            cites = (*_of(rules.misnamed), *cites)
        return _raise_to(rules, facing, amount, "total", cites)
    # UK-36C: it is as if so much had been pushed out in silence.
    as_chips = replace(wager, amount=None, motions=())
    return _counted(rules, facing, as_chips, amount - facing.own, ())


def _pot(rules: BettingRules, facing: Facing) -> Judged:
    """UK-49C: no valid bet, but it commits to one."""
    if rules.pot_word is None:
        return _floor("pot-word", (_least(facing), *_call_option(facing)), None)
    return _raise_to(rules, facing, facing.least, "pot-word", rules.pot_word.cites)


def _unclear(rules: BettingRules, facing: Facing, amount: int) -> Judged:
    """UK-51: the player is asked; if that does not help the floor decides. TDA24-57b: it is the
    most that is not above the pot."""
    legal = readings(facing, amount)
    kind: Kind = "raise" if facing.bet else "bet"
    # Who has less than any of them can only be all-in, or call.
    all_in = (Option("all-in", facing.most), *_call_option(facing))
    options = tuple(Option(kind, each) for each in legal) or all_in
    if rules.unclear is not None and rules.unclear.way == "pot":
        within = [each for each in legal if facing.pot is not None and each <= facing.pot]
        if facing.pot is None or not legal:
            return _floor("unclear", options, rules.unclear)
        to = within[-1] if within else legal[0]
        return Judged(kind, to, why="unclear", cites=rules.unclear.cites)
    return Judged(None, why="unclear", cites=_of(rules.unclear), options=options, asks="player")


def readings(facing: Facing, amount: int) -> tuple[int, ...]:
    """What an amount like "five" may mean, the least first: what is a legal bet or raise."""
    scaled = (amount * 10**power for power in range(7))
    legal = [each for each in scaled if each >= facing.least]
    if facing.most is not None:
        legal = [each for each in legal if each <= facing.most]
    return tuple(legal[:READINGS])


def _raise_by_chips(rules: BettingRules, facing: Facing, wager: Wager) -> Judged:
    """A raise or bet that was said, without an amount."""
    if _is_shut(facing):
        return _not_open(rules, facing)
    if not wager.motions:
        cites = _of(rules.declared)
        return Judged(None, why="how-much", cites=cites, options=(_least(facing),), asks="player")
    pushed, more = sum(wager.motions[0]), wager.motions[1:]
    total = facing.own + pushed
    string = rules.string
    may_complete = string is not None and string.way == "raise_call_raise" and total == facing.bet
    if len(wager.motions[0]) == 1 and not more and not may_complete:
        return _raise_to(rules, facing, total, "one-chip-said", _of(rules.one_chip))
    if facing.cash and rules.cash is not None and more:
        whole = total + sum(map(sum, more))
        return _raise_to(rules, facing, whole, "all-motions", rules.cash.cites)
    if string is None and more:
        options = (Option("raise", total + sum(map(sum, more))), Option("raise", total))
        return _floor("string", options, None)
    if string is not None and may_complete:
        if not more:
            return Judged(
                None, why="one-more", cites=string.cites, options=(_least(facing),), asks="player"
            )
        return _raise_to(rules, facing, total + sum(more[0]), "call-and-raise", string.cites)
    cites = _of(string if more or total < facing.least else rules.declared)
    return _raise_to(rules, facing, total, "first-motion" if more else "said", cites)


def _raise_to(
    rules: BettingRules, facing: Facing, total: int, why: str, cites: tuple[str, ...]
) -> Judged:
    """A bet or raise to this was said: it is one, whatever the amount."""
    if _is_shut(facing):
        return _not_open(rules, facing)
    if facing.most is not None and total >= facing.most:
        return Judged("all-in", facing.most, why=why, cites=cites)
    if total >= facing.least:
        return Judged("raise" if facing.bet else "bet", total, why=why, cites=cites)
    short = rules.said_short if facing.bet else rules.short_bet
    if short is None:
        return _floor("short", (_least(facing), *_call_option(facing)), None)
    least = _least(facing)
    return Judged(least.kind, least.to, why="made-up", cites=(*short.cites, *cites))


# --- chips ------------------------------------------------------------------------------------


def _silent(rules: BettingRules, facing: Facing, wager: Wager) -> Judged:
    """Chips without a word. What comes in a second motion is not in the bet."""
    if not wager.motions:
        return _floor("nothing", (Option("check", facing.own),), None)
    chips = wager.motions[0]
    judged = _with_prior(rules, facing, wager, chips)
    if len(wager.motions) == 1 or judged.kind is None:
        return judged
    if rules.string is None:
        whole = tuple(chip for motion in wager.motions for chip in motion)
        other = _with_prior(rules, facing, wager, whole)
        return _floor("string", _options((judged, other)), None)
    return replace(judged, why="string", cites=(*rules.string.cites, *judged.cites))


def _with_prior(
    rules: BettingRules, facing: Facing, wager: Wager, chips: tuple[int, ...]
) -> Judged:
    """UK-46A: chips of an earlier bet may be meant to lie under these, or to come back."""
    pushed = sum(chips)
    added = _counted(rules, facing, wager, pushed, chips)
    is_plain = pushed == facing.need or pushed < facing.bet
    if rules.prior is None or not (facing.own and facing.need) or is_plain:
        return added
    alone = replace(facing, own=0, behind=_plus(facing.behind, facing.own))
    instead = _counted(rules, alone, wager, pushed, chips)
    if (added.kind, added.to) == (instead.kind, instead.to):
        return added
    return _floor("prior", _options((added, instead)), rules.prior)


def _counted(
    rules: BettingRules, facing: Facing, wager: Wager, pushed: int, chips: tuple[int, ...]
) -> Judged:
    """So much was pushed out in silence, or named; `chips` are empty where it was named."""
    total, is_all = facing.own + pushed, facing.behind is not None and pushed >= facing.behind
    if not facing.bet:
        return _opened(rules, facing, total, chips, is_all=is_all)
    if pushed < facing.need:
        if is_all:
            return Judged("all-in", facing.most, why="all", cites=_of(rules.declared))
        return _under_call(rules, facing, wager, pushed, chips)
    if pushed == facing.need:
        return _call(facing, "exact", _of(rules.declared))
    if facing.need and len(chips) == 1:
        if rules.one_chip is None:
            options = (Option("call", facing.bet), *_raise_option(facing))
            return _floor("one-chip", options, None)
        return _call(facing, "one-chip", rules.one_chip.cites)
    if facing.need and chips and _every_chip_needed(rules.chips, facing.need, chips):
        return _call(facing, "every-chip", _of(rules.chips))
    return _more_than_a_call(rules, facing, wager, total, is_all=is_all)


def _opened(
    rules: BettingRules, facing: Facing, total: int, chips: tuple[int, ...], *, is_all: bool
) -> Judged:
    cites = _of(rules.one_chip if len(chips) == 1 else rules.declared)
    if is_all:
        return Judged("all-in", facing.most, why="all", cites=cites)
    if total >= facing.big:
        return Judged("bet", total, why="one-chip-bet" if len(chips) == 1 else "exact", cites=cites)
    if rules.short_bet is None:
        return _floor("short", (_least(facing),), None)
    cites = (*_of(rules.least_bet), *rules.short_bet.cites)
    return Judged("bet", facing.big, why="made-up", cites=cites)


def _every_chip_needed(
    way: Says[Literal["smallest", "same"]] | None, need: int, chips: tuple[int, ...]
) -> bool:
    """UK-45, TDA09-33: without one of the smallest chips it would not be a call."""
    if way is None or (way.way == "same" and len(set(chips)) > 1):
        return False
    return sum(chips) - min(chips) < need


def _under_call(
    rules: BettingRules, facing: Facing, wager: Wager, pushed: int, chips: tuple[int, ...]
) -> Judged:
    if wager.running and rules.running is not None:
        options = (Option("call", facing.bet), Option("void"))
        return _floor("running", options, rules.running)
    forfeit = Option("fold", facing.own + pushed)
    options = (Option("call", facing.bet), forfeit)
    if wager.unaware and rules.unaware is not None:
        options = (options[0], Option("void"))
        cites = rules.unaware.cites
        return Judged(None, why="unaware", cites=cites, options=options, asks="player")
    if wager.mistaken and rules.mistaken is not None:
        return _mistaken(rules.mistaken, facing, pushed)
    if rules.tiny is not None and len(chips) == 1 and pushed * TINY <= facing.need:
        return _floor("tiny", options, rules.tiny)
    if rules.under_call is None:
        return _floor("under-call", options, None)
    if rules.under_call.way == "full" or facing.heads_up or facing.is_opening:
        return _call(facing, "under-call", rules.under_call.cites)
    before = facing.bet - (facing.last or facing.full)
    if rules.before_raise is not None and facing.own < before < facing.own + pushed:
        cites = (*rules.under_call.cites, *rules.before_raise.cites)
        return _floor("under-call", (*options, Option("fold", before)), Cited(cites))
    return _floor("under-call", options, rules.under_call)


def _mistaken(says: Says[Literal["accepted", "eighty"]], facing: Facing, pushed: int) -> Judged:
    """RR7-NL-11, also of one that was said: who has put in 80 % can't have been wrong. UK-48."""
    if says.way == "accepted" or 100 * pushed >= 80 * facing.need:
        return _call(facing, "accepted", says.cites)
    return _floor("mistaken", (Option("void"), Option("call", facing.bet)), says)


def _more_than_a_call(
    rules: BettingRules, facing: Facing, wager: Wager, total: int, *, is_all: bool
) -> Judged:
    """Several chips, or an amount that was named, over a call: a raise, if it is enough of one."""
    if not facing.may_raise:
        return _not_open(rules, facing)
    if is_all:
        return Judged("all-in", facing.most, why="all", cites=_of(rules.declared))
    if total >= facing.least:
        return Judged("raise", total, why="exact", cites=_of(rules.declared))
    short = rules.short_raise
    if short is None:
        return _floor("short", (_least(facing), *_call_option(facing)), None)
    if short.way == "all":
        if not wager.meant:
            options = (_least(facing), *_call_option(facing))
            return Judged(None, why="meant", cites=short.cites, options=options, asks="player")
        is_raise = wager.meant == "raise"
    else:
        base = facing.last if short.way == "last" and facing.last else facing.full
        is_raise = 2 * (total - facing.bet) >= base
    if not is_raise:
        return _call(facing, "too-little", short.cites)
    least = _least(facing)
    return Judged(least.kind, least.to, why="made-up", cites=short.cites)


def _pulled_back(rules: BettingRules, facing: Facing, wager: Wager) -> Judged | None:
    """UK-46B: who has pulled chips back must call or raise; None where that is being done."""
    is_fold = wager.word == "fold"
    if not is_fold and (wager.word or wager.amount is not None or wager.motions):
        return None
    options = (*_call_option(facing), *_raise_option(facing))
    if rules.pulled_back is None:
        return _floor("pulled-back", options, None)
    cites = rules.pulled_back.cites
    return Judged(None, why="pulled-back", cites=cites, options=options, asks="player")


# --- what it comes to -------------------------------------------------------------------------


def _call(facing: Facing, why: str, cites: tuple[str, ...]) -> Judged:
    """All of the bet, or all that the player has."""
    if not facing.need:
        return Judged("check", facing.own, why=why, cites=cites)
    if facing.most is not None and facing.most <= facing.bet:
        return Judged("all-in", facing.most, why=why, cites=cites)
    return Judged("call", facing.bet, why=why, cites=cites)


def _is_shut(facing: Facing) -> bool:
    """Whether there is a bet that the player may not raise."""
    return bool(facing.bet) and not facing.may_raise


def _raise_option(facing: Facing) -> tuple[Option, ...]:
    """The least raise, if one is open to the player."""
    return () if _is_shut(facing) else (_least(facing),)


def _not_open(rules: BettingRules, facing: Facing) -> Judged:
    """UK-43: no raise, so what was put in is a call."""
    if rules.reopened is None:
        return _floor("not-open", _call_option(facing), None)
    return _call(facing, "not-open", rules.reopened.cites)


def _floor(why: str, options: Iterable[Option], says: Cited | None) -> Judged:
    return Judged(None, why=why, cites=_of(says), options=tuple(options), asks="floor")


def _least(facing: Facing) -> Option:
    """The least bet or raise, or all that the player has."""
    if facing.most is not None and facing.most <= facing.least:
        return Option("all-in", facing.most)
    return Option("raise" if facing.bet else "bet", facing.least)


def _call_option(facing: Facing) -> tuple[Option, ...]:
    return (Option("call", facing.bet),) if facing.need else (Option("check", facing.own),)


def _options(judged: Iterable[Judged]) -> tuple[Option, ...]:
    """What each of them comes to, each once."""
    found: list[Option] = []
    for one in judged:
        found += one.options if one.kind is None else (Option(one.kind, one.to),)
    return tuple(dict.fromkeys(found))


def _of(says: Cited | None) -> tuple[str, ...]:
    return () if says is None else says.cites


def _plus(behind: int | None, own: int) -> int | None:
    return None if behind is None else behind + own
