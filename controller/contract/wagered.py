"""What an action amounted to: the question that a dealer asks, the answer, and its words.

Nothing of it is about cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

Word = Literal["", "fold", "check", "call", "bet", "raise", "all-in", "pot"]
Kind = Literal["fold", "check", "call", "bet", "raise", "all-in", "void"]
First = Literal["words", "chips", "together"]
MOST_CHIPS = 40
MOST_MOTIONS = 3
_MOST = 10**12

Chips = Annotated[int, Meta(ge=1, le=_MOST)]
Motion = Annotated[tuple[Chips, ...], Meta(min_length=1, max_length=MOST_CHIPS)]


class Option(Struct, frozen=True):
    """One of several things that an action may be ruled to be: so much in on the round."""

    kind: Kind
    to: int | None = None


class Judged(Struct, frozen=True, omit_defaults=True):
    """What an action is: `kind`, with `to` in on the round, and `back` of the chips given back.
    `why` names a reason. Where it is not settled there is no `kind` but `options`, the first of
    them proposed: the player is asked (`asks`), else the floor decides. Without `cites` the book is
    silent."""

    kind: Kind | None
    to: int | None = None
    back: int = 0
    why: str = ""
    cites: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    asks: Literal["", "player", "floor"] = ""


class WagerQuestion(
    Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="wager",
):
    """What a seat did, as a dealer's screen sends it: what was said, and the chips of each motion
    by their values; `first` says which came first, or that they came together. What else was so is
    as in `Wager`."""

    seat: int
    word: Word = ""
    amount: Chips | None = None
    motions: Annotated[tuple[Motion, ...], Meta(max_length=MOST_MOTIONS)] = ()
    first: First = "words"
    unclear: bool = False
    mistaken: bool = False
    unaware: bool = False
    running: bool = False
    pulled_back: bool = False


class WagerAnswer(Struct, frozen=True, omit_defaults=True):
    """What that amounts to by a rule book. `unknown`: the table does not know the bet (`bet`), or
    nobody may act there (`turn`), and nothing is `judged`. `next_bet` is to be matched after it, a
    raise is then to `next_least` or more. Where the book is silent `silence` is the rule by which
    the floor decides, and `advice` what the book `advisory` would say."""

    question: WagerQuestion
    rulebook: str
    judged: Judged | None = None
    unknown: Literal["", "bet", "turn"] = ""
    next_bet: int | None = None
    next_least: int | None = None
    silence: tuple[str, ...] = ()
    advisory: str = ""
    advice: Judged | None = None


def verdict(texts: Mapping[str, str], judged: Judged, number: Callable[[int], str]) -> str:
    """What it is, or who is asked, as a sentence; `texts` are a language's section `wager`, and
    `number` writes chips."""
    if judged.kind is not None:
        words = option_words(texts, Option(judged.kind, judged.to), number)
        return capital(words) + "."
    options = (option_words(texts, one, number) for one in judged.options)
    return texts[f"asks-{judged.asks}"].format(options=_listed(texts, options))


def option_words(texts: Mapping[str, str], option: Option, number: Callable[[int], str]) -> str:
    """One thing that an action may be."""
    name: str = option.kind
    if option.kind == "fold" and option.to:
        name = "forfeit"
    if option.kind == "all-in" and option.to is None:
        name = "all-in-unknown"
    return texts[name].format(to=number(option.to or 0))


def capital(text: str) -> str:
    """With a capital to begin with."""
    return text[:1].upper() + text[1:]


def _listed(texts: Mapping[str, str], options: Iterable[str]) -> str:
    *first, last = options
    return f"{', '.join(first)} {texts['or']} {last}" if first else last
