"""What a book says of amounts: the data by which `wager` judges (conflicts between books: what
wins of words and chips, which chips are a call, what half a raise is)."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from msgspec import Struct

Way_co = TypeVar("Way_co", covariant=True)


class Cited(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that books either have, all in the same way, or do not have."""

    cites: tuple[str, ...]


class Says(Cited, Generic[Way_co], frozen=True, forbid_unknown_fields=True):
    """A rule that books have each in its own way."""

    way: Way_co


class BettingRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """None where the book is silent.

    `declared`: words and chips commit. `clash`: of words and chips the `first` wins, or always the
    `words`; of both at once that `disagree` the floor decides. `total`: a raise to an amount means
    all of it. `one_chip`: a single silent chip over the bet calls, and is all of it where there is
    no bet. `chips`: several silent chips are a call if not the `smallest` could be missed, or if
    they are of the `same` kind and none could. `short_raise`: a raise of half the round's `largest`
    or of its `last` bet or raise is made up to the least one and what is less is a call; or all is
    made up to it (`all`), but for a call that was overpaid by mistake. `string`: what comes in a
    second motion goes back, unless after "raise" the exact call came first (`raise_call_raise`,
    else `one_motion`). `under_call`: chips short of a call are a `full` call, or one heads-up or
    facing the round's opening bet (`opening`), else for the floor; `running`: of several the first
    is put right, and the floor rules on the others; `before_raise`: who then folds may leave the
    bet of before the raise. `mistaken`: who calls in error about the amount owes it all
    (`accepted`), or may be let off below 80 % of it (`eighty`). `unaware`: who did not know of a
    raise may take the chips back. `cash`: in a cash game a raise that was said may come in several
    motions. `tiny`: a chip that is next to nothing is for the floor. `prior`: chips of an earlier
    bet still lie there, and what they add is unclear. `together`: partly pulled back, or a call
    already, they are judged with what is added. `pulled_back`: pulling them back commits to a call
    or a raise. `pot_word`: "pot" commits to the least bet or raise. `unclear`: of an amount with
    several meanings the `lesser` is proposed, or the highest not above the `pot`. `reopened`: who
    faces less than a full raise after acting may not raise. `least_bet`: a bet is at least the big
    blind. `short_bet`: less is made up to it. `brought_up`: a bet that was too small is corrected
    for all who have called it until the `round` is over, or until the `next-card`. `misnamed`: of a
    word that does not fit, "call" is a check, "raise" a bet, and "check" leaves call or fold.
    """

    declared: Cited | None = None
    clash: Says[Literal["first", "words"]] | None = None
    disagree: Cited | None = None
    total: Cited | None = None
    one_chip: Cited | None = None
    chips: Says[Literal["smallest", "same"]] | None = None
    short_raise: Says[Literal["largest", "last", "all"]] | None = None
    said_short: Cited | None = None
    string: Says[Literal["raise_call_raise", "one_motion"]] | None = None
    under_call: Says[Literal["opening", "full"]] | None = None
    mistaken: Says[Literal["accepted", "eighty"]] | None = None
    tiny: Cited | None = None
    running: Cited | None = None
    before_raise: Cited | None = None
    prior: Cited | None = None
    together: Cited | None = None
    pulled_back: Cited | None = None
    pot_word: Cited | None = None
    unaware: Cited | None = None
    cash: Cited | None = None
    unclear: Says[Literal["lesser", "pot"]] | None = None
    reopened: Cited | None = None
    least_bet: Cited | None = None
    short_bet: Cited | None = None
    brought_up: Says[Literal["round", "next-card"]] | None = None
    misnamed: Cited | None = None
