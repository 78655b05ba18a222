"""What an action amounts to, in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.contract.wagered import verdict
from controller.rules.asked import Ruled
from controller.rules.rulebook import RuleBook


class Words(Struct, frozen=True):
    """A language's words for amounts (`[wager]`), what the rules say by their ids, and what sets
    thousands apart."""

    texts: Mapping[str, str]
    summaries: Mapping[str, str]
    thousands: str = ","

    def number(self, chips: int) -> str:
        """Chips in groups of three."""
        return f"{chips:,}".replace(",", self.thousands)


class Told(Struct, frozen=True):
    """An answer in words: what it is, why, what else is to be known, the rules by their ids, and
    what comes next, "" while that is open."""

    what: str
    why: str
    more: tuple[str, ...]
    rules: Mapping[str, str]
    next: str

    @property
    def lines(self) -> list[str]:
        """All of it."""
        cited = [f"{cite}  {text}".rstrip() for cite, text in self.rules.items()]
        return [self.what, self.why, *self.more, *cited, *filter(None, (self.next,))]


def told(words: Words, book: RuleBook, answer: Ruled) -> Told:
    """The answer. Where the book is silent, that, by which rule the floor decides, and the advice
    of the book that it names for that."""
    texts, judged, advice = words.texts, answer.judged, answer.advice
    more: list[str] = []
    if judged.back:
        more.append(texts["back"].format(back=words.number(judged.back)))
    if not judged.cites:
        more.append(texts["silent"])
    cites = judged.cites or book.silence.cites
    if advice is not None and book.advisory is not None:
        what = verdict(texts, advice, words.number)
        more.append(texts["advice"].format(book=book.advisory.title, what=what))
        cites = (*cites, *advice.cites)
    then = ""
    if answer.next_bet and answer.next_least is not None:
        bet, least = words.number(answer.next_bet), words.number(answer.next_least)
        then = texts["next"].format(bet=bet, least=least)
    return Told(
        what=verdict(texts, judged, words.number),
        why=texts[f"why-{judged.why}"],
        more=tuple(more),
        rules={cite: words.summaries.get(cite, "") for cite in cites},
        next=then,
    )
