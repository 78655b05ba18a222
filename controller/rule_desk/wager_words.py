"""What an action amounts to, in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.contract.wagered import Judged, verdict
from controller.rules.rulebook import RuleBook
from controller.rules.wager import Facing, after


class Words(Struct, frozen=True):
    """A language's words for amounts (`[wager]`), and what the rules say by their ids."""

    texts: Mapping[str, str]
    summaries: Mapping[str, str]


def answer(
    words: Words, book: RuleBook, facing: Facing, judged: Judged, advice: Judged | None
) -> list[str]:
    """The answer in lines: what it is, why, the rules with what they say, and what comes next.
    Where the book is silent, that, by which rule the floor decides, and the `advice` of the book
    that it names for that."""
    texts = words.texts
    lines = [verdict(texts, judged, number), texts[f"why-{judged.why}"]]
    if judged.back:
        lines.append(texts["back"].format(back=number(judged.back)))
    if not judged.cites:
        lines.append(texts["silent"])
    cites = judged.cites or book.silence.cites
    if advice is not None and book.advisory is not None:
        said = texts["advice"].format(book=book.advisory.title, what=verdict(texts, advice, number))
        lines.append(said)
        cites = (*cites, *advice.cites)
    lines += [f"{cite}  {words.summaries.get(cite, '')}".rstrip() for cite in cites]
    then = after(facing, judged)
    if then is not None and then[0]:
        lines.append(texts["next"].format(bet=number(then[0]), least=number(then[1])))
    return lines


def number(chips: int) -> str:
    """Chips in groups of three."""
    return f"{chips:,}"
